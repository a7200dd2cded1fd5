"""Frames: what goes in comes out, and nothing else gets in."""

import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from scipy import sparse

from dashboard import protocol
from dashboard.protocol import Message, ProtocolError
from gwl_core.graph import Graph
from gwl_core.problem import MatchingProblem

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)
ARRAYS = npst.arrays(
    st.sampled_from([np.bool_, np.uint8, np.int32, np.int64, np.float32, np.float64]),
    npst.array_shapes(max_dims=3, min_side=0, max_side=4),
)


@given(st.dictionaries(st.text(), PLAIN, max_size=4), st.dictionaries(st.text(min_size=1), ARRAYS, max_size=3))
def test_a_message_survives_the_journey(values: dict, arrays: dict) -> None:
    stream = io.BytesIO(protocol.encode(Message("kind", values, arrays)) * 2)
    for _ in range(2):
        message = protocol.read(stream)
        assert message is not None
        assert message.kind == "kind"
        assert message.values == values
        assert message.arrays.keys() == arrays.keys()
        for name, array in arrays.items():
            np.testing.assert_array_equal(message.arrays[name], array, strict=True)
    assert protocol.read(stream) is None


def test_what_json_cannot_say_becomes_null() -> None:
    values = {"a": float("nan"), "b": [float("inf"), 1.0], "c": np.float64(2), "d": {"e": np.nan}}
    message = protocol.read(io.BytesIO(protocol.encode(Message("x", values))))
    assert message is not None
    assert message.values == {"a": None, "b": [None, 1.0], "c": 2.0, "d": {"e": None}}


def test_objects_do_not_travel() -> None:
    with pytest.raises(ProtocolError, match="array a"):
        protocol.encode(Message("x", {}, {"a": np.array([{}])}))


@pytest.mark.parametrize("cut", [1, 10, 17, 40, -1])
def test_a_cut_frame_is_noticed(cut: int) -> None:
    frame = protocol.encode(Message("x", {"a": 1}, {"b": np.arange(9)}))
    with pytest.raises(ProtocolError, match="ended within"):
        protocol.read(io.BytesIO(frame[:cut]))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda frame: b"GET /" + frame,
        lambda frame: frame[:4] + b"\xff\xff\xff\xff" + frame[8:],
        lambda frame: frame.replace(b"<i8", b"|O8"),
        lambda frame: frame.replace(b"[9]", b"[8]"),
        lambda frame: frame.replace(b"[9]", b"[-9]"[:3]),
        lambda frame: frame.replace(b'"kind"', b'"kend"'),
    ],
)
def test_what_is_no_frame_is_refused(spoil) -> None:
    frame = protocol.encode(Message("x", {}, {"b": np.arange(9)}))
    assert spoil(frame) != frame
    with pytest.raises(ProtocolError):
        protocol.read(io.BytesIO(spoil(frame)))


def test_a_problem_survives_the_journey() -> None:
    source = Graph.from_edges([("a", "b", 2), ("b", "c", 1)], directed=True, name="s")
    source = replace(source, attributes={"team": ("x", "", "<b>")})
    target = Graph.from_edges([("x", "y", 3)], nodes=["ä", "x"], name="t")
    anchors = sparse.csr_array(([4.0], ([0], [1])), shape=(3, 3))
    problem = MatchingProblem(
        source, target, np.array([[0, 1]]), anchors, np.eye(3), np.ones((3, 3)), np.full(3, 1 / 3), np.full(3, 1 / 3)
    )
    message = protocol.read(io.BytesIO(protocol.encode(protocol.problem_message(problem))))
    assert message is not None
    copy = protocol.problem_of(message)
    for mine, yours in ((problem.source, copy.source), (problem.target, copy.target)):
        assert (mine.labels, mine.directed, mine.name) == (yours.labels, yours.directed, yours.name)
        assert mine.attributes == yours.attributes
        np.testing.assert_array_equal(mine.weights.toarray(), yours.weights.toarray())
    assert copy.anchors is not None
    np.testing.assert_array_equal(copy.anchors.toarray(), anchors.toarray())
    for name in ("truth", "source_cost", "target_cost", "source_marginal", "target_marginal"):
        np.testing.assert_array_equal(getattr(copy, name), getattr(problem, name))
