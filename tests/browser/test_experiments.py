"""The Experiments page in Chromium: each of the paper's experiments from the press of a button to charts, and again.

$GWL_TEST_SIZE names the size, "tiny" unless given; "quick" is what the page offers first, a few minutes in all.
"""

from __future__ import annotations

import os
import re
import tempfile
from typing import Any

from playwright.sync_api import Page, expect

from gwl_core.experiments.protocol import Request
from gwl_core.experiments.registry import MODULES, find
from tests.browser.conftest import settled

# Read when the server starts; the results of these tests are no user's.
os.environ.setdefault("GWL_RESULTS", tempfile.mkdtemp(prefix="gwl-results-"))

SIZE = os.environ.get("GWL_TEST_SIZE", "tiny")
OF_THE_PAPER = [key for key in MODULES if key != "sweep"]
PATIENCE = 60_000
A_RUN = 300_000


def test_each_of_the_seven_runs_and_is_kept(page: Page, server: Any) -> None:
    assert len(OF_THE_PAPER) == 7
    page.goto(f"{server.url}/experiments?size={SIZE}")
    box = page.get_by_role("combobox", name="Experiment")
    run = page.get_by_role("button", name="Run", exact=True)
    for key in OF_THE_PAPER:
        experiment = find(key)
        trials = len(experiment.plan(Request(SIZE)).trials)
        expect(box).to_be_visible(timeout=PATIENCE)
        box.click()
        page.get_by_role("option", name=experiment.title, exact=True).click()
        expect(page.get_by_text(experiment.description)).to_be_visible(timeout=PATIENCE)
        settled(page)
        run.click()
        whole = page.get_by_text(re.compile(f"All {trials} trials are finished"))
        expect(whole).to_be_visible(timeout=A_RUN)
        charts = page.locator(".live-plot-figure .main-svg")
        expect(charts.first).to_be_visible(timeout=PATIENCE)
        expect(page.get_by_test_id("stDataFrame").first).to_be_visible(timeout=PATIENCE)
        expect(page.get_by_role("button", name="trials.csv")).to_be_visible(timeout=PATIENCE)
        settled(page)

    # The last one again: nothing is run anew, so it is there at once.
    expect(run).to_be_enabled()
    run.click()
    expect(page.get_by_role("button", name="Stop")).to_be_disabled(timeout=PATIENCE)
    expect(whole).to_be_visible(timeout=PATIENCE)
