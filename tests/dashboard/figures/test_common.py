import html

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.figures.common import MAX_LABEL, check_length, on_grid, safe_label, segments, verdicts


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("YAL001C", "YAL001C"),
        ("<b>bold</b>", "&lt;b&gt;bold&lt;/b&gt;"),
        ('<a href="javascript:alert(1)">x</a>', '&lt;a href="javascript:alert(1)"&gt;x&lt;/a&gt;'),
        ("AT&T", "AT&amp;T"),
        ("two\nlines\ttab", "two lines tab"),
        ("back\u202ewards", "back wards"),
        ("half \ud800 pair", "half pair"),
        ("%{y} $x$", "%{y} $x$"),
    ],
)
def test_a_label_is_shown_as_plain_text(label: str, shown: str) -> None:
    assert safe_label(label) == shown


def test_a_long_label_is_trimmed_and_says_so() -> None:
    assert html.unescape(safe_label("<" * 10_000)) == "<" * (MAX_LABEL - 1) + "…"
    assert safe_label("x" * MAX_LABEL) == "x" * MAX_LABEL


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=200))
def test_no_label_can_carry_markup(label: str) -> None:
    shown = safe_label(label)
    assert not set("<>") & set(shown)
    assert html.unescape(shown).isprintable()
    assert len(html.unescape(shown)) <= MAX_LABEL


def test_verdicts() -> None:
    truth = np.array([[0, 0], [1, 1], [2, 2], [3, 3]])
    found = verdicts(np.array([0, 2, 1, -1, 4]), truth, tied=np.array([True, True, False, True, True]))
    assert found == ["right", "tied", "wrong", "unmatched", "unknown"]
    assert verdicts(np.array([1, -1]), None) == ["unknown", "unmatched"]


def test_segments_are_separated_by_gaps() -> None:
    x, y = segments(np.array([[0.0, 1.0], [2.0, 3.0]]), np.array([[4.0, 5.0], [6.0, 7.0]]))
    np.testing.assert_array_equal(x, np.float32([0, 4, np.nan, 2, 6, np.nan]))
    np.testing.assert_array_equal(y, np.float32([1, 5, np.nan, 3, 7, np.nan]))


def test_rounding_to_the_grid_cannot_be_seen() -> None:
    points = np.random.default_rng(0).random((100, 2))
    assert np.abs(on_grid(points) - points).max() <= 1 / 2048


def test_arrays_that_do_not_belong_together_are_refused() -> None:
    with pytest.raises(ValueError, match="positions needs 3 values, got 2"):
        check_length("positions", np.zeros((2, 2)), 3)
