"""The Experiments page in Chromium: a run from the press of a button to charts, and its second call."""

from __future__ import annotations

import os
import re
import tempfile

from playwright.sync_api import Page, expect

# Read when the server starts; the results of these tests are no user's.
os.environ.setdefault("GWL_RESULTS", tempfile.mkdtemp(prefix="gwl-results-"))


def test_an_experiment_runs_and_is_kept(page: Page, server: object) -> None:
    page.goto(server.url)  # type: ignore[attr-defined]
    page.get_by_role("link", name="Experiments", exact=True).click(timeout=60_000)
    box = page.get_by_role("combobox", name="Experiment")
    expect(box).to_be_visible(timeout=60_000)
    box.click()
    page.get_by_role("option", name="Proximal against entropic").click()
    run = page.get_by_role("button", name="Run")
    run.click()
    expect(page.get_by_role("button", name="Stop")).to_be_enabled(timeout=20_000)
    whole = page.get_by_text(re.compile("All 48 trials are finished"))
    expect(whole).to_be_visible(timeout=240_000)
    charts = page.locator(".live-plot-figure .main-svg")
    expect(charts.first).to_be_visible()
    assert page.locator(".live-plot-figure").count() == 12
    expect(run).to_be_enabled()
    run.click()
    expect(whole).to_be_visible(timeout=60_000)
