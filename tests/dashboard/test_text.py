"""Words: what users' text may do to Markdown, and how numbers are written."""

import numpy as np
import pytest

from dashboard import text
from dashboard.snapshot import HISTORY, Snapshot
from dashboard.text import compare, runs
from gwl_core.result import Measures


@pytest.mark.parametrize(
    ("words", "safe"),
    [
        ("Converged: it moved 1.5e-06 (of 2).", "Converged: it moved 1.5e-06 (of 2)."),
        ("a*b_c`d", r"a\*b\_c\`d"),
        ("[x](http://y)", r"\[x\](http://y)"),
        ("<b>", r"\<b>"),
        (":red[x] $y$", r"\:red\[x\] \$y\$"),
        ("# big\n# lines", r"\# big # lines"),
        ("- item", r"\- item"),
    ],
)
def test_plain_text_stays_plain(words: str, safe: str) -> None:
    assert text.plain(words) == safe


def test_a_long_text_is_cut() -> None:
    assert len(text.plain("x" * 10_000)) == 400


def test_measures_as_written() -> None:
    measures = Measures(0.012342, 0.2, None, None, 0.0, 3, node_correctness_coupling=0.7949)
    assert text.measure("gw_discrepancy", measures) == "0.01234"
    assert text.measure("node_correctness_coupling", measures) == "79.5 %"
    assert text.measure("unmatched", measures) == "3"
    assert text.measure("edge_correctness", measures) == text.NOT_YET
    assert text.measure("edge_correctness", None) == text.NOT_YET


def test_counts_and_ordinals_are_said_rightly() -> None:
    words = compare.hard_words([2, 1, 3], truth=True)
    assert words == "Bars of source nodes: 2 matched rightly by 0 methods, 1 matched rightly by 1 method, " + (
        "3 matched rightly by 2 methods."
    )
    assert "every 2nd step" in runs.THINNED.format(spacing=text.ordinal(2))


def test_progress_tells_speed_and_time_left() -> None:
    assert text.progress(Snapshot(last=50, estimate=250, rate=20.0)) == "step 50 of about 250 · 20 steps/s · 10 s left"
    assert text.progress(Snapshot(last=50, estimate=250)) == "step 50 of about 250"
    history = np.zeros((50, len(HISTORY)))
    history[-1, [HISTORY.index("alpha"), HISTORY.index("gamma")]] = 0.5, 0.0123
    of_the_past = Snapshot(last=50, shown=7, estimate=250, alpha=0.1, gamma=1.0, history=history)
    assert "step 50 of about 250 · α 0.5, γ 0.012" in text.progress(of_the_past)
    history[-1, HISTORY.index("gamma")] = np.nan
    assert text.progress(of_the_past) == "step 50 of about 250"
    assert text.progress(Snapshot(last=5, estimate=100_005, rate=10.0)).endswith("2.8 h left")


def test_every_panel_has_words_for_those_who_do_not_see_it() -> None:
    for snapshot in (Snapshot(), Snapshot(last=9, shown=4, matching=np.array([0, -1]))):
        words = [text.alternative(panel, snapshot) for panel in ("curves", "transport", "embedding", "graphs")]
        assert len(set(words)) == 4
        step = "before the first step" if not snapshot.last else "step 4"
        assert all(step in sentence.lower() for sentence in words)
    assert "1 source nodes" in text.alternative("transport", snapshot)


def test_few_names() -> None:
    assert text.few(["a", "b"]) == "a, b"
    assert text.few(list("abcdef")) == "a, b, c, d and 2 more"


def test_a_picture_of_the_embeddings_is_told_by_the_step_it_was_made_of() -> None:
    behind = Snapshot(last=9, shown=9, points=np.zeros((4, 2)), points_step=5)
    assert "at step 5" in text.alternative("embedding", behind)
    assert "at step 9" in text.alternative("transport", behind)
