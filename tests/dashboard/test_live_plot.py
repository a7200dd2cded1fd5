import json
import sys
import zlib
from pathlib import Path
from subprocess import run

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from streamlit.testing.v1 import AppTest

from dashboard.live_plot import setup
from dashboard.live_plot.component import _script
from dashboard.live_plot.wire import pack
from dashboard.palette import INK


def _unpack(block: bytes):
    """What live_plot.js does."""
    raw = zlib.decompress(block)
    length = int.from_bytes(raw[:4], "little")
    start = -(-(4 + length) // 8) * 8

    def array(value: dict):
        if set(value) != {"$"}:
            return value
        kind, offset, shape, step = value["$"]
        dtype = {"u1": np.uint8, "i4": np.int32, "f4": np.float32}[kind]
        assert offset % np.dtype(dtype).itemsize == 0
        flat = np.frombuffer(raw, dtype, int(np.prod(shape)), start + offset)
        return (flat.reshape(shape) * np.float32(step)) if step != 1 else flat.reshape(shape)

    return json.loads(raw[4 : 4 + length], object_hook=array)


@settings(max_examples=25, deadline=None)
@given(arrays(np.float32, st.integers(0, 30)), arrays(np.int32, st.integers(0, 30)), st.text(max_size=10))
def test_arrays_and_text_survive(floats: np.ndarray, integers: np.ndarray, text: str) -> None:
    figure = {"data": [{"x": floats, "y": integers, "name": text, "z": None}, 3, [True]]}
    got = _unpack(pack(figure))["data"]
    np.testing.assert_array_equal(got[0]["x"], floats)
    np.testing.assert_array_equal(got[0]["y"], integers)
    assert got[0]["name"] == text
    assert got[1:] == [3, [True]]


@pytest.mark.parametrize(
    ("array", "kind"),
    [
        (np.array([0, 255]), "u1"), (np.array([-1, 255]), "i4"), (np.array([0, 256]), "i4"), (np.array([True]), "u1"),
        (np.array([0.5]), "f4"), (np.array([[0.5, 1.0]]), "u1"), (np.array([], dtype=int), "i4"),
    ],
)  # fmt: skip
def test_arrays_travel_in_the_narrowest_type(array: np.ndarray, kind: str) -> None:
    raw = zlib.decompress(pack(array))
    assert json.loads(raw[4 : 4 + int.from_bytes(raw[:4], "little")])["$"][0] == kind
    np.testing.assert_array_equal(_unpack(pack(array)), array if array.ndim == 1 else [[np.float32(128 / 255), 1]])


def test_an_image_loses_no_more_than_half_a_level() -> None:
    image = np.random.default_rng(0).random((50, 70)) * 0.03
    assert np.abs(_unpack(pack({"z": image}))["z"] - image).max() <= image.max() / 510 * 1.001
    np.testing.assert_array_equal(_unpack(pack({"z": np.zeros((2, 2))}))["z"], 0)


def test_text_arrays_numbers_and_broken_text() -> None:
    got = _unpack(pack({"a": np.array(["x", "y"]), "b": np.float64(0.5), "c": (1, 2), "d": "\ud800"}))
    assert got == {"a": ["x", "y"], "b": 0.5, "c": [1, 2], "d": "?"}
    with pytest.raises(ValueError, match="JSON compliant"):
        pack({"a": float("nan")})


def test_setup_copies_script_and_notice_once(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "static"
    script = setup.install(folder)
    assert b"plotly.js" in script.read_bytes()[:100]
    assert "MIT" in (folder / setup.NOTICE).read_text()
    assert not script.is_symlink()
    before = script.stat().st_mtime_ns
    setup.install(folder)
    assert script.stat().st_mtime_ns == before
    script.write_text("stale")
    setup.install(folder)
    assert script.stat().st_size > 1_000_000


def test_setup_needs_no_streamlit(tmp_path: Path) -> None:
    code = "import sys; from dashboard.live_plot import setup; assert 'streamlit' not in sys.modules"
    done = run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_script_is_small_and_knows_the_stand_in_colour() -> None:
    script = _script()
    assert len(script) < 10_500, "it travels with every update of every chart"
    assert INK in script
    assert not [line for line in script.splitlines() if line.startswith("//")]


def _page() -> None:
    import numpy as np
    import streamlit as st

    from dashboard.live_plot.component import live_plot

    figure = {"data": [{"type": "scatter", "x": np.arange(3), "y": np.arange(3.0)}], "layout": {"margin": {}}}
    st.text(str(live_plot(figure, key="chart", height=200, alt="three points", view="pair 1")))


def test_a_page_mounts_it_and_sends_the_figure_as_bytes() -> None:
    page = AppTest.from_function(_page).run(timeout=20)
    assert not page.exception
    assert page.text[0].value == "None"
    [chart] = [element for element in page.main if element.type == "bidi_component"]
    sent = _unpack(chart.proto.bytes)
    assert (sent["height"], sent["alt"]) == (200, "three points")
    assert sent["layout"]["uirevision"] == "chart pair 1"
    np.testing.assert_array_equal(sent["data"][0]["y"], [0, 1, 2])
