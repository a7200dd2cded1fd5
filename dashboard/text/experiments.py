"""What the Experiments page says."""

from __future__ import annotations

from dashboard.experiment_run import Far

TITLE = "Experiments"
INTRO = "The paper's figures and tables, measured again. Published values are grey in tables and hollow in figures."
EXPERIMENT = "Experiment"
EXPERIMENT_HELP = "Each figure and table of the paper, and sweeps over any settings."
SIZE = "Size"
SIZES = {"quick": "Quick: about a minute", "paper": "The paper's size"}
SIZE_HELP = "The paper's size takes hours on a small machine; it may be stopped at any time and goes on where it was."
SEED, SEED_HELP = "First seed", "Trials take this seed and those after it; equal seeds give equal results."
OPTIONS = {"trials": "Trials of each setting", "people": "People in the company"}
OPTION_DEFAULT = "as the size says"
RUN, STOP = "Run", "Stop"
RUN_HELP = "Finished trials are kept on the server's disk and used again."
STOP_HELP = "Finished trials are kept: Run goes on from there."
COMMAND = "The same on the command line"
READY = "{count} trials; press Run. Finished ones are not run again."
SHOWN = "{done} of {total} trials are finished."
WHOLE = "All {total} trials are finished; they took {seconds} of computing."
WAITING = "You are {place} in the queue: another experiment is at work, and this one starts by itself."
STARTING = "Starting…"
STOPPED = "Stopped after {done} of {total} trials; Run goes on from there."
RUNNING = "{done} of {total} trials{reused}{failed}{left}"
FAILED = "The experiment's process {why}; finished trials are kept: press Run to go on."
NOTHING = "Nothing is measured yet for this choice: press Run. Tables and figures fill in as trials finish."
FINDINGS, FILES = "What was found", "Files"
PUBLISHED_NOTE = "The grey columns, named as published, hold the paper's values; all others were measured here."
FILES_NOTE = "Figures are pages that work offline (5 MB each); tables keep fractions where the page shows percent."


def running(far: Far) -> str:
    """How far a run is, in one sentence."""
    return RUNNING.format(
        done=far.done,
        total=far.total,
        reused=f", {far.reused} of them reused" if far.reused else "",
        failed=f", {far.failed} failed" if far.failed else "",
        left="" if far.left is None else f"; about {duration(far.left)} left",
    )


def duration(seconds: float) -> str:
    """Seconds, minutes or hours, whichever reads well."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
