"""Words of the Inspect page."""

from __future__ import annotations

TITLE = "Inspect"
NO_RUN = "There is no matching to inspect yet: press Play, then choose a pair here or click one on the Align page."
NOT_YET = "The pair is being looked into…"
FILTERS = {
    "all": "all", "unsure": "least sure", "wrong": "wrong", "unmatched": "unmatched", "tied": "tied",
}  # fmt: skip
FILTER = "Pairs to go through"
FILTER_HELP = (
    "All, surest first; or least sure first; wrong (where the truth is known); source nodes without a match; matches "
    "for which a symmetry makes another as good."
)
PREVIOUS, NEXT = "Previous pair", "Next pair"
PLACE = "{place} of {count}"
NO_PLACE = "{count} pairs"
EMPTY_FILTER = "There is no pair of this kind at step {step}."
PAIR = "{source} ↔ {target}"
IS_MATCH = "the match"
NOT_MATCH = "not the match: {source} is matched to {target}"
IS_UNMATCHED = "not the match: {source} is unmatched"
WOULD_BE = "this pair would be {verdict}"

SURE = "Confidence"
SURE_PARTS = {
    "confidence": ("Chance of being right", "Judged by the edges that the match conserves, against every exchange that "
                                            "would undo it."),
    "would_be": ("If it were the match", "The same, if this pair took the place of the present match."),
    "mass": ("Mass", "Share of the source node's mass that the coupling sends to the target."),
    "margin": ("Margin", "That share less the largest other one; negative where another target gets more."),
    "entropy": ("Entropy", "How evenly the source node spreads its mass: 0 % decided, 100 % even."),
    "mutual": ("Mutual best", "Each of the two is the other's largest coupling entry."),
    "alike": ("Alike nodes", "Nodes that symmetry leaves to choose from; one of k is right about once in k times."),
}  # fmt: skip
YES, NO = "yes", "no"

COST = "What the pair costs"
TERMS = {
    "discrepancy": "Discrepancy (observed)",
    "mixed": "Discrepancy (mixed costs)",
    "wasserstein": "Wasserstein ⟨K, T⟩",
    "regularizer": "Regulariser R",
}
TERM_COLUMNS = ("Term", "Pair", "Whole run", "Share", "Weight")
TERMS_HELP = (
    "The discrepancy is a sum over pairs of nodes, and this is the pair's part. The terms below it make up the "
    "objective, each with its weight; of the regulariser the pair has the rows of its two nodes."
)

OTHERS = "Best alternatives"
OTHERS_HELP = (
    "The exchanges that raise the discrepancy of the matching least: of all targets, or beyond 600 of those that would "
    "conserve most edges or get most mass."
)
OTHER_COLUMNS = {
    "target": ("Instead", "Another target for the source node."),
    "owner": ("Matched now to", "The source node that would take over the present match."),
    "mass": ("Mass", "Share of the source node's mass."),
    "discrepancy": ("Δ discrepancy", "Change of the matching's discrepancy if the two exchanged targets."),
    "conserved": ("Δ edges", "Change of the number of conserved edges."),
    "verdict": ("", "Whether it is the true target, where that is known."),
}
FREE = "nobody"
TRUE_TARGET = "true"
SELECTED = "selected"

KINDS = {"conserved": "conserved", "broken": "broken", "added": "added"}
AROUND_CAPTION = "{conserved} conserved, {broken} broken, {added} added edges"
AROUND_FEW = "the {shown} heaviest of {count} are drawn"
AROUND_RINGS = "empty: a partner without the edge"
AROUND_ALT = (
    "Neighbourhoods of {source} and {target}, matched neighbours at mirrored places: {conserved} edges conserved, "
    "{broken} broken in the target, {added} added by it."
)
COURSE_SINCE = "largest entry of its row since step {step}"
COURSE_NEVER = "not the largest entry of its row now"
COURSE_SPACING = "every {spacing} steps"
COURSE_ALT = "Share of the source node's mass that goes to the target, over {last} steps: {now} at the end."

PINS = "Pins"
PIN, FORBID = "Pin", "Forbid"
PIN_HELP = "The two nodes are the same: the run goes on from the step shown, and the old run stays."
FORBID_HELP = "The two nodes are not the same: the run goes on from the step shown, and the old run stays."
STRENGTH = "How firmly"
STRENGTHS = {False: "soft", True: "fixed"}
STRENGTH_HELP = "Soft is a cost that edges can outweigh, as anchors are; fixed restricts the coupling itself."
RULES = {
    ("same", False): "pinned, soft", ("same", True): "fixed", ("apart", False): "avoided", ("apart", True): "forbidden",
}  # fmt: skip
NO_PINS = "Nothing is pinned or forbidden."
REMOVE = "Remove"
REMOVE_ALL = "Remove all"
SAVE, LOAD = "Save as CSV", "Load CSV"
LOAD_HELP = (
    "Columns source, target and, if you like, rule: soft, fixed, avoid or forbid. Replaces the list; the run goes on."
)
MOVED = "Since the last change of pins: {changed} of {known} matches changed"
MOVED_PARTS = {
    "node_correctness_one_to_one": "correct one-to-one", "edge_correctness": "edge correctness",
    "gw_discrepancy": "discrepancy",
}  # fmt: skip
MOVING = "The run goes on under the new pins…"
