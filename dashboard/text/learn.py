"""Every sentence of the Learn page."""

from __future__ import annotations

from dataclasses import dataclass

PROGRESS = "Step {number} of {last}"
STEPS = "Steps"
BACK, NEXT = "Back", "Next"
CLASS_VIEW = "For a class"
CLASS_VIEW_HELP = "Hides formulas and the two steps about the solver's inner workings."
TRY = "Try"
ANSWER = "The answer"
FORMULA = "In symbols"
SET_IT = "Show the control on Align that sets it."
ON_ALIGN = "Symbols with {icon} are settings: press one to see its control on Align."
WAKING = "Loading the solver…"


@dataclass(frozen=True)
class Symbol:
    """A symbol of a formula.

    Attributes:
        latex: how it is written.
        words: what it is.
        parameter: the setting that it is, or that decides it; "" for none.
    """

    latex: str
    words: str
    parameter: str = ""


@dataclass(frozen=True)
class Step:
    """One step of the tour.

    Attributes:
        key: the module of `dashboard.tour` that draws it.
        title: in the list of steps.
        question: what it asks.
        task: what to do to find out.
        answer: what one finds.
        formulas: LaTeX, and a line of words for each.
        advanced: left out for a class.
    """

    key: str
    title: str
    question: str
    task: str
    answer: str
    formulas: tuple[tuple[str, str], ...]
    symbols: tuple[Symbol, ...]
    advanced: bool = False


_T = Symbol("T", "the coupling: a table with a row for each source node and a column for each target node")
_DISCREPANCY = Symbol("D(T)", "the discrepancy: how much the two graphs' structures disagree under the coupling")
_COSTS = Symbol(r"C_s,\,C_t", "observed costs: how far apart two nodes of one graph are, from the edge weights", "cost")
_GAMMA = Symbol(r"\gamma", "how strongly a step is held back: small γ, bold steps", "gamma")
_PASSES = Symbol("J", "Sinkhorn passes in every step", "sinkhorn")

TOUR: tuple[Step, ...] = (
    Step(
        "coupling",
        "What a coupling is",
        "How do you write down a match that is not certain yet?",
        "Move **sureness** from 0 to 1, and send nodes elsewhere: with the buttons, or by clicking a cell. Watch the "
        "numbers at the rim of the table. Which of them change?",
        "None. A **coupling** tells how much of each source node's mass goes to each target node. Every row sums to "
        "what its source node has, every column to what its target node can take: here a quarter each. A matching is "
        "the extreme case with one full cell in each row and column; the even table, at sureness 0, says nothing at "
        "all, so no match can be read from it. Everything between is a match with doubt.",
        (
            (
                r"\Pi(\mu_s,\mu_t)=\{\,T\ge 0:\; T\mathbf 1=\mu_s,\; T^{\top}\mathbf 1=\mu_t\,\}",
                "all couplings of the two graphs",
            ),
        ),
        (
            _T,
            Symbol("T_{ij}", "the mass that source node i sends to target node j"),
            Symbol(r"\mu_s,\,\mu_t", "how much mass each node has: the same for all, or by degree", "marginals"),
            Symbol(r"\mathbf 1", "a column of ones, so that T1 holds the row sums"),
            Symbol(r"\Pi", "the set of all couplings"),
        ),
    ),
    Step(
        "discrepancy",
        "What the discrepancy measures",
        "How can two graphs be compared when no node of one is known in the other?",
        "Find the matching whose discrepancy is 0. Click any of the 81 cells to see that term spelt out; bright cells "
        "are where the two graphs disagree.",
        "By comparing **pairs**. If i goes to i′ and j goes to j′, then i and j should be as far apart as i′ and j′. "
        "The discrepancy adds up the disagreement of every pair with every pair, weighted by how much mass makes them "
        "meet: 3·3·3·3 = 81 terms for three nodes. A matching makes only 9 of them count, and the right one makes "
        "those 9 vanish: each edge then falls on an edge of the same weight.",
        (
            (
                r"D(T)=\sum_{i,j}\sum_{i',j'} L\big(c^s_{ij},\,c^t_{i'j'}\big)\,T_{ii'}\,T_{jj'}",
                "the discrepancy: four indices, n²m² terms",
            ),
            (r"L(a,b)=(a-b)^2,\qquad c_{ij}=\frac{1}{w_{ij}+1}", "with the square loss and the paper's cost"),
        ),
        (
            _DISCREPANCY,
            Symbol("L", "the loss that compares two costs: squared difference, or Kullback-Leibler", "loss"),
            Symbol(r"c^s_{ij}", "cost between source nodes i and j; 0 from a node to itself, square loss", "cost"),
            Symbol(r"w_{ij}", "the weight of the edge between i and j: how often the two interact; 0 without an edge"),
            Symbol("T_{ii'}", "mass that source node i sends to target node i′"),
        ),
    ),
    Step(
        "one_step",
        "One step, one Sinkhorn pass",
        "How does a coupling that knows nothing become a matching?",
        "Go through the four stages of one step and watch the sums at the rim, then take the step. How many steps "
        "until one cell fills each row?",
        "A step asks what each cell would cost, given where the others now send their mass, and multiplies every cell "
        "by a factor that is small where the cost is high. That breaks the sums. One **Sinkhorn pass** mends them: "
        "first every column is scaled to its mass, then every row; the rows are then exact and the columns nearly so. "
        "More passes make the columns better, but the next step changes them again anyhow, so one is mostly enough. "
        "Small advantages multiply from step to step, until one cell is left in each row.",
        (
            (
                r"T^{(n+1)}=\arg\min_{T\in\Pi}\;\langle C^{(n)},T\rangle+\gamma\,\mathrm{KL}\big(T\,\|\,T^{(n)}\big)",
                "a proximal step: cheap, but not far from where we are",
            ),
            (
                r"G=e^{-C^{(n)}/\gamma}\odot T^{(n)},\quad b=\frac{\mu_t}{G^{\top}a},\quad a=\frac{\mu_s}{Gb},\quad "
                r"T^{(n+1)}=\mathrm{diag}(a)\,G\,\mathrm{diag}(b)",
                "its solution: the kernel G, and J passes of b, then a",
            ),
        ),
        (
            Symbol("T^{(n)}", "the coupling after n steps; N is the most of them", "inner"),
            Symbol("C^{(n)}", "step cost: half the gradient of the discrepancy at that coupling"),
            _GAMMA,
            _PASSES,
            Symbol("a,\\,b", "scaling of the rows and of the columns"),
            Symbol(r"\mathrm{KL}", "Kullback-Leibler divergence: how far the new coupling is from the old one"),
            Symbol(r"\odot", "cell by cell"),
        ),
    ),
    Step(
        "gamma",
        "Why γ matters",
        "What happens when γ or J is chosen badly, and does it matter which method is used?",
        "Press cells of the two tables, or move γ and J. Find the γ at which both methods fail, and those at which "
        "only one does.",
        "A tiny γ decides too early: both methods leap to a wrong matching. A large γ makes the **proximal** method "
        "slow, but it still arrives, because each step starts from the last: what γ holds back is the change. The "
        "**entropic** method is held back towards the even table at every step, so a large γ keeps it blurred for "
        "ever. The proximal method therefore works over a wide range of γ, the entropic one at a single value here; J "
        "hardly matters from γ = 0.01 on. This is the paper's comparison, on ten nodes.",
        (
            (
                r"\text{proximal:}\;\;\min_{T\in\Pi}\,\langle C^{(n)},T\rangle+\gamma\,\mathrm{KL}(T\,\|\,T^{(n)})",
                "held back by the last coupling",
            ),
            (
                r"\text{entropic:}\;\;\min_{T\in\Pi}\,\langle C^{(n)},T\rangle+\gamma\sum_{ij}T_{ij}\log T_{ij}",
                "held back by the even table",
            ),
        ),
        (
            _GAMMA,
            _PASSES,
            Symbol(r"\text{method}", "proximal or entropic", "method"),
            Symbol("C^{(n)}", "step cost: half the gradient of the discrepancy at the n-th coupling"),
            Symbol("T^{(n)}", "the coupling after n steps; N is the most of them", "inner"),
        ),
        advanced=True,
    ),
    Step(
        "halves",
        "Directed graphs need both halves",
        "Why does the solver look at every edge twice, once from each end?",
        "Compare the two tables after some steps. Then reverse all edges, and take their direction away.",
        "The discrepancy's gradient has two halves: one compares the edges that **leave** two nodes, the other those "
        "that **arrive**. The paper uses the first alone, which is enough where costs are symmetric, because the "
        "halves are then equal. Here every node points at exactly one other, so from the even start the leaving edges "
        "look the same everywhere: one half stays at the even table for ever. Only the arriving edges tell the nodes "
        "apart. Reversed, the one half happens to look at the right end, and both work. Both halves always do.",
        (
            (
                r"\tfrac12\nabla D(T)=\tfrac12\big(\mathcal L(C_s,C_t,T)+\mathcal L(C_s^{\top},C_t^{\top},T)\big)",
                "both halves; the one-sided gradient is the first alone",
            ),
            (
                r"\mathcal L(C_s,C_t,T)_{jj'}=\sum_{i,i'} L\big(c^s_{ji},\,c^t_{j'i'}\big)\,T_{ii'}",
                "compares the edges that leave j with those that leave j′",
            ),
        ),
        (
            Symbol(r"\nabla D", "gradient of the discrepancy: exact, or one-sided as in the paper", "gradient"),
            _COSTS,
            Symbol(r"C^{\top}", "the costs with every edge reversed"),
            Symbol("L", "the loss that compares two costs", "loss"),
            _T,
            _GAMMA,
        ),
        advanced=True,
    ),
    Step(
        "manifold",
        "Embeddings and α",
        "Each node gets a place in the plane. When do two graphs' places become comparable?",
        "Start at α = 0 and raise it. Then set β to 0. Read the nearest target of each source as its match: when is "
        "that right?",
        "β asks that each graph's picture respects its own costs: nodes that interact lie close. That says nothing "
        "about how the two pictures lie **to each other**: at α = 0 they are turned and mirrored at random, and the "
        "nearest target means nothing. α pulls matched nodes together, so both graphs share one picture and the "
        "nearest target is the match. With β = 0 the pull is all there is: each pair meets, but the whole picture "
        "shrinks and no longer shows any structure. That is why α is raised slowly, once the coupling can be trusted.",
        (
            (
                r"\min_{X_s,X_t}\;\alpha\,\langle K(X_s,X_t),T\rangle+\beta\,R(X_s,X_t)",
                "what the embeddings minimise at a fixed coupling",
            ),
            (
                r"\kappa(x,y)=1-e^{-\|x-y\|^2/\sigma^2},\qquad R=\sum_{k\in\{s,t\}}L\big(K(X_k,X_k),\,C_k\big)",
                "the RBF kernel, and the regulariser",
            ),
        ),
        (
            Symbol(r"\alpha", "weight of the learned distances; raised from 0 over the outer iterations", "alpha"),
            Symbol(r"\beta", "weight of the term that keeps embedding distances close to the observed costs", "beta"),
            Symbol(r"K,\,\kappa", "distance of two embeddings, between 0 and 1", "kernel"),
            Symbol(r"\sigma", "the kernel's width: what counts as near", "sigma"),
            Symbol(r"X_s,\,X_t", "the embeddings, D numbers for each node; here D = 2", "dim"),
            _COSTS,
        ),
    ),
    Step(
        "cycle",
        "Symmetric graphs",
        "What is the right match of a cycle?",
        "Turn and mirror the matching: what happens to the discrepancy, and what to node correctness? Then let the "
        "solver run from several starts, and mark an edge.",
        "There is none. A cycle looks the same after every turn and in the mirror, so all of its 2n turned and "
        "mirrored matchings fit perfectly, and nothing in the graphs prefers the known one. From the even start the "
        "solver cannot move, because every node looks alike; from a chance start it finds one of the perfect matchings "
        "by luck. Calling the others wrong would be unfair: look at symmetry before you blame a method. A marked edge "
        "leaves two perfect matchings, a second mark one.",
        (
            (
                r"P\,C_s\,P^{\top}=C_s\;\Rightarrow\; D(PT)=D(T)",
                "reordering the source by a symmetry changes no discrepancy (uniform marginals)",
            ),
        ),
        (
            Symbol("P", "a reordering of the source's nodes that leaves its costs as they are"),
            _DISCREPANCY,
            _COSTS,
            Symbol("T^{(0)}", "the first coupling: even (product), tilted by chance, or by structure", "start"),
            Symbol(r"\text{seed}", "the random numbers of a chance start", "seed"),
        ),
    ),
    Step(
        "noise",
        "Noise and node correctness",
        "How much of the right answer survives when one of the graphs is noisy?",
        "Raise the noise, and draw other pairs at the same noise. Which falls faster, node correctness or edge "
        "correctness?",
        "Node correctness. Added nodes and edges make other targets look right too, so several matchings conserve "
        "almost as many edges, and the solver takes one of them. Edge correctness falls less, and it alone can be seen "
        "when the truth is unknown: a low one shows that something is off, a high one does not prove that the nodes "
        "are right. Even without noise, node correctness can miss 100 % where nodes are interchangeable: counted up to "
        "symmetry, it is then 100 %.",
        (
            (
                r"\mathrm{NC}=\frac{|\{i:\,f(i)=\pi(i)\}|}{|\pi|}",
                "node correctness: share of the known pairs that were found",
            ),
            (
                r"\mathrm{EC}=\frac{|\{(i,j)\in E_s:\,(f(i),f(j))\in E_t\}|}{|E_s|}",
                "edge correctness: share of the source's edges that land on edges",
            ),
        ),
        (
            Symbol("f", "the one-to-one matching read from the coupling"),
            Symbol(r"\pi", "the known pairs, used for measuring only"),
            Symbol(r"E_s,\,E_t", "the edges of source and target"),
            Symbol("q", "noise: how many nodes and edges are added, as a share of the source's"),
            Symbol(r"\varnothing", "unmatched mass: lets the added target nodes stay without a partner", "unmatched"),
        ),
    ),
)  # fmt: skip


def short(label: str) -> str:
    """A control's label without the symbol that stands before it."""
    symbol, _, rest = label.partition(" ")
    return rest if rest and len(symbol) == 1 else label
