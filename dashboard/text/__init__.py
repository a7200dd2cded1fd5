"""Every label and explanation of the dashboard."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.snapshot import Snapshot
from dashboard.text.phrases import duration as duration
from dashboard.text.phrases import few as few
from dashboard.text.phrases import ordinal as ordinal
from dashboard.text.phrases import plain as plain
from dashboard.text.phrases import plural as plural
from gwl_core.result import Measures

TITLE = "Graph alignment"
SUBTITLE = "Gromov-Wasserstein Learning at work"

UNEXPECTED = "Something went wrong on the server and was logged; the page and your data are kept, so try again."
EXPORT_FAILED = "The file could not be made because the solver's process does not answer: press Play to start again."

NOW, ON_RESET = "applies now", "on reset"
NOW_ICON, RESET_ICON = ":material/bolt:", ":material/restart_alt:"
LEGEND = f"{NOW_ICON} {NOW} · {RESET_ICON} {ON_RESET}"


@dataclass(frozen=True)
class Words:
    """What to call a parameter, and what it does in one sentence."""

    label: str
    help: str


PARAMETERS: dict[str, Words] = {
    "alpha": Words("α mixing", "How the learned distances take over from the observed ones, from α = 0, observed only, "
                               "to α = 1, learned only: linear is α = m/M."),
    "beta": Words("β weight", "Weight of the term that keeps embedding distances close to the observed costs."),
    "gamma": Words("γ step", "Step size of the transport updates: a small γ decides quickly and sharply, a large "
                                 "one slowly; auto anneals it to the cost scale."),
    "inner": Words("N inner", "Most transport updates per outer iteration."),
    "sinkhorn": Words("J passes", "Scaling passes inside each transport update."),
    "rounds": Words("Candidates", "How many starts are tried and polished, the best kept by its discrepancy; auto "
                                  "follows the number of nodes, 0 is plain GWL."),
    "likeliest": Words("Likeliest end", "A search of up to 460 nodes ends on the matches that most well-fitting "
                                        "matchings share, not on its best candidate."),
    "method": Words("Method", "Proximal steps end in a sharp coupling; entropic steps solve a smoothed problem."),
    "loss": Words("Loss", "How two costs are compared: squared difference, or Kullback-Leibler divergence."),
    "gradient": Words("Gradient", "One-sided is the paper's formula; exact also counts the reverse of directed edges."),
    "cost": Words("Observed cost", "How edge weights become distances: zipf is the paper's 1/(1+w); log and rank tell "
                                   "heavy counts apart for longer."),
    "marginals": Words("Node weights", "How much mass each node carries: the same, or in proportion to its degree."),
    "unmatched": Words("Unmatched mass", "Lets nodes of the larger graph stay unmatched instead of sharing a match."),
    "start": Words("Start", "First coupling: a structural prior from degrees and clustering, the plain product, or "
                            "the product with random noise."),
    "warm_start": Words("Warm start", "Each outer iteration goes on from the last coupling instead of starting over."),
    "carry_scaling": Words("Carry scaling", "Each Sinkhorn pass goes on from the last scaling, as in the printed "
                                            "algorithm, instead of starting over."),
    "tolerance": Words("Tolerance", "Three steps that move less mass than this end the inner loop, unless γ auto still "
                                    "falls; 0: never early."),
    "embeddings": Words("Learn embeddings", "Off gives plain Gromov-Wasserstein matching of the observed costs."),
    "kernel": Words("κ kernel", "How the distance of two embeddings is measured."),
    "sigma": Words("σ width", "Scale of the kernel; auto is the paper's choice, 10 for cosine and D for RBF."),
    "dim": Words("D size", "Number of coordinates of each node's embedding."),
    "learning_rate": Words("Learning rate", "Step size of the Adam updates of the embeddings."),
    "epochs": Words("Epochs", "Passes over the nodes per outer iteration when the embeddings learn; auto takes about a "
                              "hundred updates."),
    "batch_size": Words("Batch size", "Nodes of each graph per embedding update."),
    "regularizer": Words("Regulariser as", "Mean over node pairs keeps β comparable between graphs; sum is the formula "
                                           "as printed."),
    "embedding_start": Words("Embedding start", "Spread of the random first embeddings, per coordinate."),
    "embedding_law": Words("Embedding law", "Distribution of the random first embeddings."),
    "embedding_unit": Words("Embedding unit", "Whether embeddings start and move in units of σ, or in plain units."),
    "joint_start": Words("Joint start", "The first coupling carries the source's random embeddings over to the "
                                        "target, so that both start on one manifold."),
    "alpha_ahead": Words("α ahead", "Embeddings are learned for the α of the outer iteration that will use them, not "
                                    "for the one under way."),
    "outer": Words("M outer", "Rounds of transport and embedding updates."),
    "scale": Words("Scale", "Dense weighs every pair of nodes; sparse keeps a few candidates a node and runs from the "
                            "command line, where auto takes it for large graphs (this page is always dense)."),
    "seed": Words("Seed", "Random number seed: the same seed on the same machine repeats the run exactly."),
    "device": Words("Device", "Where the solver computes: auto takes a GPU when there is one."),
    "precision": Words("Precision", "Digits of the coupling: auto takes float32 from 500 nodes on."),
    "threads": Words("Threads", "CPU threads of the solver; 0 leaves the choice to the machine."),
}  # fmt: skip

GROUPS: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = (
    ("Mixing", (("alpha", "beta"),)),
    ("Transport", (("gamma", "inner", "sinkhorn"), ("method", "loss"))),
    ("Embedding", (("kernel", "sigma"), ("dim", "learning_rate"))),
    ("Run", (("outer", "seed", "device"),)),
)
"""The parameters of the first screen, by group and row."""

MORE = (
    ("cost", "marginals"), ("start", "gradient"), ("unmatched", "warm_start"), ("tolerance", "carry_scaling"),
    ("embeddings", "regularizer"), ("epochs", "batch_size"), ("embedding_start", "embedding_law"),
    ("embedding_unit", "threads"), ("precision", "likeliest"), ("joint_start", "alpha_ahead"), ("rounds", "scale"),
)  # fmt: skip
"""The others, behind "All settings"."""

CHOICES: dict[str, str] = {
    "rbf": "RBF", "kl": "KL", "cpu": "CPU", "cuda": "CUDA", "sigma": "in units of σ", "one": "plain",
}  # fmt: skip

PRESETS: dict[str, str] = {
    "default": "Default: strongest results",
    "paper": "Paper: Algorithms 1 and 2 as printed",
    "gwd": "GWD: transport only",
    "gwd-paper": "GWD as in the paper",
}
PRESET_HELP = "A named set of all settings; choosing one resets every parameter below."

DATA = "Graphs to align"
DATA_HELP = "A built-in pair is ready to run; or generate a synthetic pair, or bring your own two files."
SIZES = "{source_nodes} ↔ {target_nodes} nodes, {source_edges:,} ↔ {target_edges:,} edges"
KIND = "The graphs are {kind}; {known} true pairs are known."
GENERATED = {"knn": "Generated: K-nearest-neighbour", "ba": "Generated: Barabási-Albert"}
UPLOAD = "Your own files…"
NODES, NODES_HELP = "Nodes", "Nodes of the source graph."
NOISE, NOISE_HELP = "Noise q", "Share of nodes and edges added to the target at random."
GRAPH_SEED, GRAPH_SEED_HELP = "Graph seed", "Random number seed of the generated graphs."

UPLOAD_TITLE = "Your own files"
UPLOAD_SOURCE, UPLOAD_TARGET = "Source graph", "Target graph"
UPLOAD_TRUTH, UPLOAD_ANCHORS = "Known pairs, for measuring (optional)", "Anchors, to start from (optional)"
UPLOAD_TRUTH_HELP = "Pairs of source and target labels; used only to measure correctness."
UPLOAD_ANCHORS_HELP = "Pairs of source and target labels that the solver may rely on."
PAIRS_READ = "{name}: {used} of {present} rows used."
UPLOAD_USE = "Use these graphs"
UPLOAD_CANCEL = "Keep the present pair"
LINK_WITHOUT_FILES = "This link was made for uploaded files, which links do not carry: choose the files again."

OTHER_TAB = "This tab is a copy of another one that is still open: it has a run of its own, with the same settings."

PLAY, PAUSE, STEP, INNER, STOP, RESET = "Play", "Pause", "Step", "Inner step", "Stop", "Reset"
STEP_HELP = "One outer iteration: transport, then embeddings."
INNER_HELP = "One transport update, or one embedding epoch."
STOP_HELP = "End the run here; its matches stay."
RESET_HELP = "Back to the start, with the settings of now."
HISTORY, LIVE = "History", "newest"

READY = "Ready: press Play to align {source} with {target}."
ESTIMATE = "About {time} and {gigabytes:.1f} GB of memory."
STARTING = "Starting the solver…"
WAITING = "You are {place} in the queue: {count} at work, and yours starts by itself."
NOT_KEPT = "The newest steps are not kept safe ({why}): the run goes on, but would be lost from step {step} on."
RESUME = "Resume"
RUNNING = "Outer iteration {outer} of {total}: {phase}."
PAUSED = "Paused at step {step}: Play goes on."
PAST = "Looking at step {step} of {last}{position}."
FORK_RUNNING = "The run at work has the changed settings; Pause, then Play goes on with them from this step instead."
FORK = "Play goes on from this step with the changed settings; the old curve stays as a ghost."
PENDING = "On reset: {names}."

METRICS = {
    "gw_discrepancy": ("Discrepancy", "Gromov-Wasserstein discrepancy of the observed costs: how much the two graphs' "
                                      "structures disagree under the coupling; 0 is a perfect match."),
    "node_correctness_coupling": ("Correct by coupling", "Share of the nodes with known match whose largest "
                                                         "coupling entry is the true one."),
    "node_correctness_embedding": ("Correct by embedding", "Share of the nodes with known match whose nearest "
                                                           "embedding is the true one."),
    "edge_correctness": ("Edge correctness", "Share of the source's edges that the matching maps onto edges."),
    "unmatched": ("Unmatched", "Source nodes that the one-to-one matching leaves without a partner."),
    "ics": ("ICS", "Conserved edges as a share of the target edges among matched nodes."),
    "s3": ("S³", "Conserved edges as a share of all edges that either graph has among matched nodes."),
}  # fmt: skip
NOT_YET = "–"

PROJECTIONS = {"tsne": "t-SNE", "pca": "PCA", "raw": "x₁ x₂"}
PROJECTION = "Projection"
PROJECTION_HELP = (
    "t-SNE keeps neighbours together, frame by frame: trust who is near whom, not sizes of clusters nor distances "
    "between them. PCA is instant and linear; x₁ x₂ are the first two coordinates as they are. Circles are source, "
    "diamonds target nodes, large ones are sure of their match; a node that lies on its match agrees with the coupling."
)
PERPLEXITY = "t-SNE perplexity"
PERPLEXITY_HELP = "About how many neighbours t-SNE keeps together; at most a third of the points. Applies now."

FIND = {"source": "Find a source node", "target": "and its partner"}
FIND_HELP = {
    "source": "Type part of a label: the node and its match are selected everywhere on the page.",
    "target": "The selected node's match, or any other target to compare it with.",
}
FIND_NONE = {"source": "Source node…", "target": "Target node…"}
TABLE = "Matched pairs"
TABLE_EMPTY = "The matched pairs appear here when the run pauses or ends; for large graphs, when it ends."
NO_MATCH = "not a match: the node is unmatched"
MATCH_IS = "not a match: the match is {label}"
NOT_MATCHED = "selected"
COLUMNS = {
    "source": ("Source", "Node of the source graph."),
    "target": ("Target", "Its match in the one-to-one matching."),
    "verdict": ("", "Right, wrong, or tied: another match is as good by symmetry."),
    "confidence": ("Confidence", "Chance that the match is right, judged by the edges it conserves."),
    "coupling": ("Coupling", "Mass that the coupling moves between the two nodes."),
    "alternatives": ("Next best", "Other targets that receive at least 0.1 % of the node's mass."),
}  # fmt: skip
EXPORTS = "Take away"
EXPORT_FILES = {
    "matches.csv": "One row per matched pair, with coupling, confidence and alternatives.",
    "coupling.npz": "The coupling, its marginals and unmatched mass.",
    "embeddings.npz": "Both graphs' embeddings.",
    "history.csv": "Every step's objective and measures.",
    "run.json": "Settings, versions, seed and measures: enough to repeat the run.",
    "graphs.zip": "Both graphs as GraphML and GEXF with match and confidence on every node, for Cytoscape and Gephi.",
    "references.bib": "What to cite: the method and the data, as BibTeX.",
    "figures.html": "The four charts, interactive, in one file.",
}
EXPORT_NOTE = "Files describe the step shown."

PRESET = "Preset"
MORE_TITLE = "All settings"
SCHEDULE_VALUE = {
    "linear": ("up to", "The α of the last outer iteration. Applies now."),
    "smooth": ("up to", "The α of the last outer iteration. Applies now."),
    "constant": ("value", "The α of every outer iteration. Applies now."),
    "delayed": ("delay", "Share of the outer iterations during which α stays 0. Applies now."),
}  # fmt: skip
HISTORY_STEP = "step {step} of {last}"
NEWEST = "Back to the newest step"
PHASES = {
    "coupling": "transport update {inner}", "polish": "polish step {inner}", "embedding": "embedding epoch {inner}",
    "averaging": "averaging step {inner}",
}  # fmt: skip
SEARCHING = "Candidate {round}: {phase}."

CURVES, CURVES_EMPTY = "Curves", "Discrepancy and correctness are drawn here, step by step."
TRANSPORT, TRANSPORT_EMPTY = "Transport", "Shows which target each source node sends its mass to."
EMBEDDING, EMBEDDING_EMPTY = "Joint embedding", "Both graphs' nodes appear here in one plane."
EMBEDDING_LAGS = "still that of step {step}"
EMBEDDING_NONE = "With these settings no embeddings are learned."
EXACT = "exact crop"
EXACT_HELP = "The whole picture shows the largest of several cells; this shows single cells around the selected pair."

DIRECTED = {True: "directed", False: "undirected"}
VERDICTS = {"right": "right", "wrong": "wrong", "tied": "tied", "unmatched": "unmatched", "unknown": ""}


def measure(name: str, measures: Measures | None) -> str:
    """A measure as the strip writes it."""
    value = getattr(measures, name) if measures else None
    if value is None:
        return NOT_YET
    if name == "gw_discrepancy":
        return f"{value:.4g}"
    return str(value) if name == "unmatched" else f"{100 * value:.1f} %"


def alternative(panel: str, snapshot: Snapshot) -> str:
    """A chart in words, for those who do not see it."""
    at = f"at step {snapshot.shown}" if snapshot.last else "before the first step"
    measures = snapshot.measures
    match panel:
        case "curves":
            known = {name: measure(name, measures) for name in METRICS}
            values = ", ".join(f"{METRICS[k][0].lower()} {v}" for k, v in known.items() if v != NOT_YET)
            return (
                f"Discrepancy and correctness over {snapshot.last} steps. {at.capitalize()}: {values or 'nothing yet'}."
            )
        case "transport":
            matched = 0 if snapshot.matching is None else int((snapshot.matching >= 0).sum())
            return f"Heatmap of the coupling {at}: {matched} source nodes have a match."
        case "embedding":
            if snapshot.points is not None and snapshot.points_step:  # a picture can be some steps behind
                at = f"at step {snapshot.points_step}"
            return f"Both graphs' embeddings in the plane by {PROJECTIONS[snapshot.points_kind]}, {at}."
        case _:
            return f"Source and target graph side by side, their surest matches joined by lines, {at}."


def progress(snapshot: Snapshot) -> str:
    """Steps done, α and γ of the newest, speed and time left."""
    parts = [f"step {snapshot.last} of about {max(snapshot.estimate, snapshot.last)}"]
    if len(snapshot.history):
        parts.append(position(*(snapshot.column(name)[-1] for name in ("alpha", "gamma"))))
    if snapshot.rate:
        left = max(0, snapshot.estimate - snapshot.last) / snapshot.rate
        parts += [f"{snapshot.rate:.3g} steps/s", f"{_duration(left)} left"]
    return " · ".join(filter(None, parts))


def position(alpha: float, gamma: float | None) -> str:
    """α and γ of a step; nothing for one that has no γ."""
    return "" if gamma is None or gamma != gamma else f"α {alpha:.2g}, γ {gamma:.2g}"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
