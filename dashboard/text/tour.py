"""The words of the examples on Learn: controls, readings, titles and text alternatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gwl_core.problem import MatchingProblem

GOES_TO = "{source} goes to"
COMING = "This pair of γ and J is still being computed; it appears here by itself."
AGAIN = "Start over"
GRAPHS, COUPLING = "The two graphs", "The coupling"
DISCREPANCY = "Discrepancy"
NODE_CORRECTNESS, EDGE_CORRECTNESS = "Node correctness", "Edge correctness"
STEP_AXIS = "steps taken"
STEPS_NOTE = "lower is better"
GAMMA, PASSES = "γ", "J, Sinkhorn passes"
STEPS_TAKEN = "Steps taken"

# 1
SURENESS = "Sureness"
COUPLING_NOTE = "source ↓ target →, and the sums at the rim"
MASS_LINES = "wide line: much mass · numbers: edge weights"
NOTHING_READ = "No match can be read: every cell holds the same."
LIKELY_READ = "Most likely read as {pairs}."
MATCHING_READ = "A matching: {pairs}."

# 2
LOSS = "Loss L"
LOSSES = {"square": "square", "kl": "Kullback-Leibler"}
SUM_OF_TERMS, BY_LIBRARY, TERMS_THAT_COUNT = "Sum of the 81 terms", "By the library", "Terms above 0"
TERMS, TERMS_NOTE = "Every term", "row i j, column i′ j′ · click one"
TERMS_ALT = (
    "Table of 81 terms, a row for each pair of source nodes and a column for each pair of target nodes; they sum "
)
TERMS_ALT += "to {value}. The list below gives every term."
WEIGHTS_NOTE = "numbers: edge weights"
TERM = (
    "**i j = {i} {j}, i′ j′ = {k} {m}**  \nTheir costs are {a} and {b}, so L = {loss}.  \n{i} sends {t} to {k}, {j} "
    "sends {u} to {m}.  \nTerm: {loss} · {t} · {u} = **{value}**"
)
ALL_TERMS = "All 81 terms as a list"
TERM_COLUMNS = ("i j", "i′ j′", "c of i j", "c of i′ j′", "L", "T of i i′", "T of j j′", "term")
ZERO_FOUND = "Discrepancy 0: every pair of nodes is as far apart as its images."
ZERO_SOUGHT = "Not 0 yet: some pair of nodes is not as far apart as its images."

# 3
STAGE = "Stage of the step"
STAGES = {"cost": "1 cost", "kernel": "2 kernel", "columns": "3 columns", "rows": "4 rows"}
SHOWN_STAGES = {
    "cost": ("before", "cost"), "kernel": ("cost", "kernel"), "columns": ("kernel", "columns"),
    "rows": ("columns", "rows"),
}  # fmt: skip
STAGE_WORDS = {
    "cost": "**1.** From the coupling, what each cell would cost: low where the source's and the target's edges agree.",
    "kernel": "**2.** Each cell of the coupling is multiplied by exp(−cost/γ): cheap ones keep more. The sums break.",
    "columns": "**3.** First half of a Sinkhorn pass: every column is scaled to its mass. Now the rows are off.",
    "rows": "**4.** Second half: every row is scaled to its mass. This is the next coupling (with J = 1).",
}
STAGE_TITLES = {
    "before": ("The coupling now", "source ↓ target →"),
    "cost": ("Step cost", "bright: expensive"),
    "kernel": ("Kernel", "coupling × exp(−cost/γ)"),
    "columns": ("Columns scaled", "half a pass"),
    "rows": ("Rows scaled", "a whole pass: the next coupling"),
}
TAKE_STEP, TAKE_FIVE = "Take the step", "Take 5 steps"
STEPS_DONE = "A matching after {steps}: one cell fills each row."
STEPS_SO_FAR = "{steps} taken: not yet a matching."
LEAST_SURE = "Fullest cell, least row"
ERROR, ERROR_NOTE = "Error of the sums", "of this step, by the number of passes J"
ERROR_AFTER = "Error, J = {passes}"
ERROR_ALT = "Error of the sums after one pass {first}, after {most} passes {last}."

# 4
METHODS = {"proximal": "proximal", "entropic": "entropic"}
METHODS_NOTE = "Ten nodes, a directed graph and its copy with four edges added; both methods take 60 steps."
GRID_NOTE = "discrepancy after 60 steps · ✓ about that of the truth"
METHOD_DISCREPANCY, METHOD_CORRECT = "Discrepancy, {method}", "Correct, {method}"
TRUE_LEVEL = "the truth"
NEAR = 2.0

# 5
EDGES = "Edges"
EDGE_KINDS = {"as drawn": "as drawn", "reversed": "reversed", "undirected": "without direction"}
HALVES = {"one-sided": "one half", "exact": "both halves"}
HALF_DISCREPANCY, HALF_CORRECT = "Discrepancy, {half}", "Correct, {half}"
COUPLING_CELLS = "source ↓ target →"
SAME_PLACES = "each node opposite its copy"
ONE_HALF_STAYS = "One half: after {step} steps still exactly the even table."
ONE_HALF_MOVES = "One half leaves the even table here."

# 6
ALPHA, BETA = "α, pull between matched nodes", "β, respect for the costs"
OTHER_START = "Other random start"
CORRECT_BY_EMBEDDING, APART, REGULARIZER, WASSERSTEIN = "Correct by embedding", "Copies apart", "R", "⟨K, T⟩"
PLANE, PLANE_NOTE = "The embeddings", "dotted: a node and its copy"
PLANE_ALT = (
    "Plane of the embeddings of both graphs; a node and its copy are on average {apart} apart, over {pairs} pairs."
)
NEAREST_LINES = "lines: nearest target"
SHARED = "Both graphs share one picture: every nearest target is the right one."
NOT_SHARED = "{correct} of the nearest targets are right."
COLLAPSED = "The picture has shrunk: copies meet, but distances no longer show the edges."

# 7
SIZE, MARKS = "Nodes n", "Marked edges"
MARK_KINDS = {"none": "none", "one": "one", "two": "two, unequal"}
TURN, MIRROR = "Turn", "Mirror"
FROM_EVEN, FROM_CHANCE = "Solve, even start", "Solve, chance start"
PERFECT = "A perfect fit, {correct} correct; {count} matchings fit perfectly."
IMPERFECT = "Not a perfect fit."
NO_ANSWER = "No answer: the coupling still tells no two targets apart."
PERFECT_MATCHINGS, KINDS = "Perfect matchings", "Kinds of nodes"
KNOWN_PLACES = "each node opposite its known copy"
SPECTRUM, SPECTRUM_NOTE = "All matchings", "how many have which discrepancy"
SPECTRUM_ALT = "Bar chart of the discrepancy of all {total} matchings: {zero} have the least."
OR_MORE = "≥ {value}"
SOLVED_FROM_EVEN = "On show: what the solver makes of the **even** start."
SOLVED_FROM_CHANCE = "On show: what the solver makes of **chance start {seed}**."

# 8
NOISE, NOISE_AXIS = "Noise q", "noise q, %"
OTHER_PAIR = "Another pair"
UP_TO_SYMMETRY, OF_THE_TRUTH = "Up to symmetry", "Discrepancy of the truth"
NOISE_NOTE = "{added} nodes added to the target"
ALL_FOUND = "Every node is right."
TRUE_IS_BETTER = "Some nodes are wrong, and the truth would fit better: the solver got stuck."
AS_GOOD = "Some nodes are wrong, but fit as well as the truth."
MEANS, MEANS_NOTE = "How much survives", "means over {pairs} pairs"
MEANS_COMING = "The means over several pairs are being computed: {done} of {all} alignments."


def reached(value: float, level: float) -> str:
    """A discrepancy in a cell, marked where it comes near the truth's."""
    return f"{value:.2f}{' ✓' if value < NEAR * level else ''}"


def moved(turn: int, flip: bool) -> str:
    """What was done to the known matching."""
    done = ([f"turned by {turn}"] if turn else []) + (["mirrored"] if flip else [])
    return f"On show: the known matching, **{' and '.join(done) or 'as it is'}**."


def graphs_alt(problem: MatchingProblem) -> str:
    """Both graphs' edges in words."""
    joint = "to" if problem.source.directed else "with"
    sides = []
    for side, graph in (("Source", problem.source), ("Target", problem.target)):
        rows, columns, weights = graph.edges
        edges = ", ".join(
            f"{graph.labels[i]} {joint} {graph.labels[j]}" + (f" (weight {w:g})" if w != 1 else "")
            for i, j, w in zip(rows, columns, weights, strict=True)
        )
        sides.append(f"{side} edges: {edges}.")
    return " ".join(sides)


def table_alt(title: str, values: np.ndarray, sources: Sequence[str], targets: Sequence[str]) -> str:
    """A table by the largest cell of each row."""
    best = values.argmax(1)
    cells = ", ".join(f"{sources[i]} {targets[j]} {values[i, j]:.3g}" for i, j in enumerate(best))
    return f"{title}, a table of {len(sources)} by {len(targets)}. Largest cell of each row: {cells}."


def coupling_alt(coupling: np.ndarray, sources: Sequence[str], targets: Sequence[str]) -> str:
    return table_alt(COUPLING, coupling, sources, targets) + f" Every row and column sums to {coupling[0].sum():.3g}."


def matches_alt(problem: MatchingProblem, matching: np.ndarray, truth: np.ndarray) -> str:
    """A matching and its verdicts in words."""
    pairs = [
        f"{problem.source.labels[i]} to {problem.target.labels[j]}, {'right' if truth[i] == j else 'wrong'}"
        for i, j in enumerate(matching)
        if j >= 0
    ]
    return f"Both graphs side by side, matched: {'; '.join(pairs)}." if pairs else "Both graphs; nothing is matched."


def compare_alt(cell: tuple[float, int], last: Mapping[str, float], level: float) -> str:
    ends = ", ".join(f"{METHODS[name]} {value:.3g}" for name, value in last.items())
    return (
        f"Discrepancy over the steps at γ = {cell[0]:g}, J = {cell[1]}. At the end: {ends}; the truth has {level:.3g}."
    )


def grid_alt(title: str, values: np.ndarray, passes: Sequence[int], gammas: Sequence[float]) -> str:
    """The table of a method, known cells only."""
    cells = [
        f"J = {passes[r]}, γ = {gammas[c]:g}: {values[r, c]:.2g}"
        for r, c in zip(*np.nonzero(~np.isnan(values)), strict=True)
    ]
    return f"{title}: discrepancy after 60 steps. {'; '.join(cells) or COMING}."


def halves_alt(values: Mapping[str, float], step: int) -> str:
    ends = ", ".join(f"{HALVES[name]} {value:.3g}" for name, value in values.items())
    return f"Discrepancy over the steps; at step {step}: {ends}."


def means_alt(means: Mapping[str, np.ndarray], levels: Sequence[float]) -> str:
    at = [
        f"at {100 * q:.0f} % noise {100 * means['correct'][k]:.0f} % and {100 * means['edges'][k]:.0f} %"
        for k, q in enumerate(levels)
    ]
    return f"Mean node correctness and edge correctness: {'; '.join(at)}."
