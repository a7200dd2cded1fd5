"""Words of the HTML report, of links and of session files."""

from __future__ import annotations

RESULT, GRAPHS, FIGURES, PAIRS = "Result", "Graphs", "Figures", "Matched pairs"
SETTINGS, VERSIONS, REPEAT = "Settings", "Versions", "How to repeat it"
STEP = "Step"
GRAPH_COLUMNS = ("", "Name", "Nodes", "Edges", "Directed", "Fingerprint")
PAIR_COLUMNS = ("Source", "Target", "Confidence", "Coupling", "")
SETTING_COLUMNS = ("Setting", "", "Value")
NO_PAIRS = "There was no one-to-one matching at this step."
MORE = "{more} further pairs are in matches.csv."
FROM_LINK = "Open the dashboard with this ending of its address, and press Play; or run the command."
FROM_FILES = (
    "Open the dashboard with this ending of its address, choose the two files, and press Play; or run the command."
)
SEED = "On one machine, with equal versions and threads, the seed {seed} gives the same run bit for bit."
OTHERWISE = "The two graphs were read differently ({names}), which the command does not repeat: see run.json."
PINNED = "Pairs pinned or forbidden by hand on the way: {count}; the command does not repeat them."

SHARE = "Share and keep"
COPY_LINK, COPIED = "Copy link", "Link copied"
COPY_FAILED = "Copy the address bar instead"
COPY_HELP = "The link carries settings and the built-in pair, never files, labels or runs."
REPORT = "report.html"
REPORT_HELP = "Settings, figures, pairs, versions and how to repeat it, in one file that needs no server."
SAVE_SESSION = "session.zip"
SAVE_HELP = (
    "Graphs, all runs with their history, pins and selection, to go on with later or elsewhere. It holds your labels."
)
RESTORE = "Open a session file"
RESTORE_HELP = "A session.zip that was saved here; it takes the place of the present runs."
RESTORED = "The session was restored at step {step} of {last}."
