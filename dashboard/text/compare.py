"""The words of the Compare page."""

from __future__ import annotations

from dashboard.text.phrases import plural

TITLE = "Compare"
BRAND = "Every method on the same two graphs"
PAIR = "{source} ↔ {target}: {n_s:,} ↔ {n_t:,} nodes, {e_s:,} ↔ {e_t:,} edges, {kind}; {truth}."
TRUTH = {True: "{known:,} true pairs are known", False: "no true pairs are known, so only edges are judged"}
CHANGE_PAIR = "Other graphs…"
CHANGE_PAIR_HELP = "The two graphs are chosen on the Align page."

RUN, STOP = "Run", "Stop"
STOP_HELP = "Ends the method at hand with the best it has, and leaves out the rest."
METHODS = "Methods"
QUICK, ALL, NONE = "Quick four", "All", "None"
OWN_USES = "topology, weights"
ABOUT = "{year} · {uses}"
LIMIT = " · ≤ {limit:,} nodes"
TOO_LARGE = " · these graphs are larger"
METHOD_HELP = "{citation}\n\nCost: {cost}."
OWN_CITATION = "Xu, Luo, Zha, Carin, Gromov-Wasserstein learning for graph matching and node embedding, ICML 2019."
OWN_COST = "O(n (|E_s| + |E_t|) + n²) an iteration"
GROUPS = {"own": "This dashboard's", "paper": "The paper's table", "beside": "Beside it", "external": "On this server"}
SEED, SEED_HELP = "Seed", "Random number seed of every method; the same as on Align."
CAP, CAP_HELP = "Seconds each", "A method that takes longer is ended and judged by the best it had."

READY = "Ready: press Run to compare {count}."
NOT_CHOSEN = "Choose at least one method."
WAITING = "You are {place} in the queue: other comparisons are at work, and yours starts by itself."
RUNNING = "Method {number} of {total}: {title}."
STARTING = "Starting the methods' process…"
DONE = "{done} of {total} methods have a matching."
STOPPED = "Stopped: {done} of {total} methods have a matching."
CHANGED = "Press Run for the methods, seed or seconds chosen since."
STATES = {
    "done": ("✓", "done"), "cut short": ("◑", "cut short"), "stopped": ("■", "stopped"), "refused": ("⊘", "not run"),
    "failed": ("✕", "failed"), "waiting": ("·", "waiting"), "running": ("▸", "running"),
}  # fmt: skip
LEFT_OUT = "left out"

DIED = "The method's process {why}; the other methods go on."
OUT_OF_MEMORY = "The method took more memory than a comparison may; the other methods go on."
DEAF_TO_STOP = "Stopped before it had a matching."
DEAF_MEASURES = "The method ended, but its matching took too long to measure."
DEAF_TO_CAP = "Cut short after {cap:g} s; it had no matching yet."

EMPTY = (
    "Each method aligns the two graphs by itself and is handed no known pairs. Its measures, seconds and memory appear "
    "here as it ends, then where the methods agree and a matching from their votes."
)
SCORES = "Measures"
SCORES_NOTE = (
    "★ marks the best of a column: the highest, for seconds and memory the lowest. Click a heading to sort, the box of "
    "a row to open what its method found."
)
KNOWN_NOTE = "Correct: of {known:,} known pairs; 1:1 by the one-to-one matching, sym. with symmetry counted out."
ORDERS_NOTE = (
    "Spread: {name}, from the lowest to the highest over several orders of the nodes, of methods that depend on it."
)
BEST = "★"
NOTHING = "–"
COLUMNS = {
    "title": ("Method", "What was run."),
    "state": ("State", "How it ended."),
    "correct": ("Correct, 1:1", "Node correctness: share of the known pairs that the one-to-one matching has."),
    "aware": ("Correct, sym.", "Symmetry-aware: no blame for mistaking nodes that nothing tells apart."),
    "ec": ("EC", "Edge correctness: share of the source's edges that the matching maps onto edges."),
    "ics": ("ICS", "Conserved edges as a share of the target edges among matched nodes."),
    "s3": ("S³", "Conserved edges as a share of all edges that either graph has among matched nodes."),
    "lccs_nodes": ("LCCS nodes", "Nodes of the largest connected component of conserved edges."),
    "lccs_edges": ("LCCS edges", "Edges of the largest connected component of conserved edges."),
    "mnc": ("MNC", "Mean neighbourhood conservation: how much of each node's neighbourhood its match shares."),
    "hits1": ("Hits@1", "Share of the known pairs whose true target has the highest score."),
    "hits5": ("Hits@5", "Share of the known pairs whose true target is among the five highest scores."),
    "hits10": ("Hits@10", "Share of the known pairs whose true target is among the ten highest scores."),
    "mrr": ("MRR", "Mean reciprocal rank of the true target among the scores."),
    "seconds": ("Seconds", "Wall time of the method alone."),
    "memory": ("Memory, MB", "Peak memory beyond what was taken before it began."),
    "spread": ("Spread", "Lowest to highest over several orders of the nodes."),
    "note": ("Note", "How it ended, in a sentence, and what it has to say."),
}
NEEDS_TRUTH = ("correct", "aware", "hits1", "hits5", "hits10", "mrr")

AGREEMENT = "Where they agree"
NEEDS_TWO = "Agreement and the consensus appear when two methods have a matching."
SHORT_TITLES = {
    "gwd": "GWD", "paper": "GWL printed", "gwd-paper": "GWD printed", "faq-convex": "FAQ convex",
    "pot-proximal": "POT proximal", "pot-entropic": "POT entropic", "pot-conditional-gradient": "POT gradient",
    "netal-original": "NETAL program", "hubalign-original": "HubAlign prog.", "graal-original": "GRAAL program",
    "magna++-original": "MAGNA++ prog.",
}  # fmt: skip
"""Titles of methods for charts and tables, where the whole is too long."""
OVERLAP, OVERLAP_CAPTION = "Shared pairs", "pairs that both methods found; colour: their share of the pairs of either"
VOTES, VOTES_CAPTION = "Pairs by agreement", "how many pairs exactly so many methods found"
TIME = "Against time"
TIME_CAPTION = {
    "correct": "node correctness, one-to-one, against seconds",
    "ec": "edge correctness against seconds",
}
HARD = "How hard nodes are"
HARD_CAPTION = {
    True: "source nodes by how many methods match them rightly",
    False: "source nodes by how many methods give them the same target",
}
RIGHT, WRONG, UNKNOWN = "right", "wrong", "truth unknown"

PAIRS, NODES = "Pairs", "Nodes"
FILTER = "Show"
FILTERS = {"differ": "where methods disagree", "all": "every pair found", "agreed": "what all agree on"}
BY_EXACTLY = "found by {k} of {m}"
OF = "all of {title}"
ONLY = "only {title}"
PAIR_COLUMNS = {
    "source": ("Source", "Node of the source graph."),
    "target": ("Target", "The target that these methods give it."),
    "verdict": ("", "Whether it is a true pair."),
    "votes": ("Methods", "How many methods found this pair."),
    "methods": ("Found by", "Which methods found it."),
    "others": ("Others say", "What the other methods give the source node."),
}
NODE_COLUMNS = {
    "source": ("Source", "Node of the source graph."),
    "known": ("True target", "Its known match."),
    "right": ("Right", "How many methods match it rightly."),
    "favourite": ("Most say", "The target that most methods give it."),
    "alike": ("Alike", "How many methods give it that target."),
    "choices": ("Different", "How many different targets the methods give it."),
}
UNMATCHED = "unmatched"
OPEN = "Open in Inspect"
OPEN_PAIR = "Open {source} → {target} in Inspect"
OPEN_HINT = "Select a row to look at its pair."
OPEN_METHOD = "Open {title} in Inspect: {source} → {target}"
OPEN_METHOD_HINT = (
    "Select a row of the table to open what its method found: a wrong pair where true ones are known, of those the one "
    "that the fewest methods share."
)
OPEN_METHOD_NOTHING = "{title} has no matching to open."
LIST_METHOD = "List the pairs of {title}"
LIST_METHOD_HELP = "Shows them all under Pairs below, where each can be opened."
MARKED = "The pair is selected on Align."
FEW_ROWS = "{count:,} rows."

CONSENSUS = "Consensus"
CONSENSUS_HELP = "A one-to-one matching of the pairs that at least so many methods found, most votes first."
LEAST = "Methods that must agree"
CONSENSUS_SIZE = "{pairs:,} of {sources:,} source nodes are matched."
CONSENSUS_RIGHT = (
    "{right:.1f} % of its pairs whose truth is known are right; {found:.1f} % of all known pairs are in it."
)
CONSENSUS_EDGES = "Edge correctness {ec}, S³ {s3}."
CONSENSUS_FILE = "consensus.csv"
CONSENSUS_FILE_HELP = "One row per pair: source, target, how many methods found it, and which."
ONLY_TITLE = "Found by one method alone"
ONLY_LINE = "{title}: {pairs:,}"
ONLY_RIGHT = " ({right:.0f} % of the known ones right)"


def percent(share: float | None) -> str:
    """A share as the page writes it."""
    return NOTHING if share is None else f"{100 * share:.1f} %"


def overlap_words(titles: list[str], shared: list[list[int]]) -> str:
    """The heatmap in words."""
    pairs = [(shared[a][b], titles[a], titles[b]) for a in range(len(titles)) for b in range(a)]
    most, least = max(pairs), min(pairs)
    return (
        f"Heatmap of the pairs that {len(titles)} methods share. Most alike: {most[1]} and {most[2]} with {most[0]} "
        f"pairs; least: {least[1]} and {least[2]} with {least[0]}."
    )


def votes_words(counts: list[int], right: list[int] | None) -> str:
    """The bars of agreement in words."""
    parts = [
        f"{count} by {k} of {len(counts)}" + (f" ({right[k - 1]} right)" if right else "")
        for k, count in enumerate(counts, start=1)
    ]
    return "Bars of the pairs found: " + ", ".join(parts) + "."


def time_words(points: list[tuple[str, float, float]], name: str) -> str:
    """The chart of accuracy against time in words."""
    parts = [f"{title} {100 * value:.1f} % in {seconds:.1f} s" for title, seconds, value in points]
    return f"Chart of {COLUMNS[name][0]} against seconds: " + ", ".join(parts) + "."


def hard_words(counts: list[int], truth: bool) -> str:
    """The bars of difficulty in words."""
    what = "matched rightly by" if truth else "given the same target by"
    parts = [f"{count} {what} {plural(k, 'method', 'methods')}" for k, count in enumerate(counts) if count]
    return "Bars of source nodes: " + ", ".join(parts) + "."
