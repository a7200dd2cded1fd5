"""A page with the four live charts over made-up data that changes twice a second; ?nodes=… sets the size."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import streamlit as st
from scipy import sparse

from dashboard.figures.common import verdicts
from dashboard.figures.curves import discrepancy_curves
from dashboard.figures.embedding import embedding_scatter
from dashboard.figures.graphs import side_by_side
from dashboard.figures.heatmap import HeatmapView, cell_to_pair, diagonal_order, transport_heatmap
from dashboard.figures.layout import spring_layout
from dashboard.figures.nodes import clicked_node
from dashboard.live_plot.component import live_plot

STEPS = 60
HEIGHT = 290


@st.cache_resource(max_entries=2)
def problem(n: int) -> dict:
    """A graph, a relabelled copy, and what a solver would find step by step."""
    rng = np.random.default_rng(0)
    graph = nx.watts_strogatz_graph(n, min(n - 1, 20), 0.1, seed=1) if n > 20 else nx.barbell_graph(n // 2, n % 2)
    weights = nx.to_scipy_sparse_array(graph, format="csr", dtype=float)
    half = sparse.triu(weights, k=1).tocoo()
    truth = rng.permutation(n)
    xy = spring_layout(weights, rng)
    copy = sparse.csr_array(weights[np.argsort(truth)][:, np.argsort(truth)])
    half_copy = sparse.triu(copy, k=1).tocoo()
    return {
        "n": n, "truth": truth, "xy": xy, "copy_xy": spring_layout(copy, rng),
        "edges": (half.row, half.col, half.data), "copy_edges": (half_copy.row, half_copy.col, half_copy.data),
        "noise": rng.random((n, n)) ** 8 / n * 20, "cloud": rng.normal(size=(2 * n, 2)) * 0.4,
        "labels": tuple(f"gene {i}" for i in range(n)), "targets": tuple(f"T<b>{i}</b>" for i in range(n)),
    }  # fmt: skip


def state(p: dict, step: int) -> dict:
    """What the panels show at a step: the coupling sharpens, the embedding gathers."""
    n, truth, share = p["n"], p["truth"], min(1.0, step / STEPS)
    coupling = p["noise"] * (1 - share) + 1e-4
    coupling[np.arange(n), truth] += share**2 * 4 * (0.15 + 0.85 * np.random.default_rng(3).random(n))
    coupling /= coupling.sum(axis=1, keepdims=True) * n
    matching = coupling.argmax(axis=1)
    angle = np.arange(n) * 2.4
    home = np.c_[np.cos(angle), np.sin(angle)] * np.sqrt(np.arange(n) / n)[:, None]
    other = np.empty_like(home)
    other[truth] = home
    positions = np.concatenate([home, other]) + p["cloud"] * (1.1 - share)
    verdict = verdicts(matching, np.c_[np.arange(n), truth])
    right = np.mean([kind == "right" for kind in verdict])
    return {"coupling": coupling, "matching": matching, "positions": positions, "verdict": verdict, "right": right,
            "confidence": coupling.max(axis=1) * n}  # fmt: skip


def choose(chart: str, p: dict, view: HeatmapView) -> None:
    """Turn a click into the selected pair."""
    click = st.session_state[chart]["click"]
    st.session_state.click = click
    if chart == "heatmap":
        st.session_state.pair = cell_to_pair(click, st.session_state.shown["coupling"], view)
    elif (node := clicked_node(click, p["n"])) is not None:
        matching = st.session_state.shown["matching"]
        source = node[1] if node[0] == "source" else int(np.argmax(matching == node[1]))
        st.session_state.pair = (source, int(matching[source]))


def panels(p: dict) -> None:
    """The 2 × 2 grid at the current step."""
    step = st.session_state.step
    s = st.session_state.shown = state(p, step)
    pair = st.session_state.get("pair")
    x = np.arange(step + 1)
    falling = (1 - x / STEPS) ** 2 * 0.1 + 0.004
    rising = x / STEPS
    curves = {"step": x, "gw_discrepancy": falling, "objective": falling * 1.3 + 0.01,
              "node_correctness_coupling": rising**0.5, "node_correctness_embedding": rising,
              "edge_correctness": rising**2}  # fmt: skip
    view = diagonal_order(p["truth"], p["n"])
    left, right = st.columns(2)
    matches = {"matching": s["matching"], "verdict": s["verdict"], "confidence": s["confidence"], "selected": pair}
    with left:
        live_plot(discrepancy_curves(curves, step, embedding_phases=[(k, k + 2) for k in range(8, step, 10)]),
                  key="curves", height=HEIGHT, alt=f"Discrepancy and correctness up to step {step}")  # fmt: skip
        live_plot(embedding_scatter(s["positions"], p["n"], p["labels"], p["targets"], **matches),
                  key="embedding", height=HEIGHT, alt="Joint embedding",
                  on_click=lambda: choose("embedding", p, view))  # fmt: skip
    with right:
        live_plot(transport_heatmap(s["coupling"], view, p["labels"], p["targets"], selected=pair),
                  key="heatmap", height=HEIGHT, alt="Transport between the graphs",
                  on_click=lambda: choose("heatmap", p, view))  # fmt: skip
        graphs = p["xy"], p["edges"], p["copy_xy"], p["copy_edges"]
        live_plot(side_by_side(*graphs, p["labels"], p["targets"], **matches), key="graphs",
                  height=HEIGHT, alt="Both graphs side by side",
                  on_click=lambda: choose("graphs", p, view))  # fmt: skip
    click = st.session_state.get("click")
    shown = {"step": step, "pair": pair, "click": click}
    if pair:
        shown["true"] = int(p["truth"][pair[0]])
        shown["ranks"] = [int(np.flatnonzero(view.row_order == pair[0])[0]),
                          int(np.flatnonzero(view.column_order == pair[1])[0])]  # fmt: skip
    st.text(json.dumps(shown))


def main() -> None:
    st.set_page_config(layout="wide")
    st.session_state.setdefault("step", int(st.query_params.get("step", 0)))
    p = problem(int(st.query_params.get("nodes", 60)))
    running = st.toggle("Run", value=False)

    @st.fragment(run_every=0.4 if running else None)
    def tick() -> None:
        if running:
            st.session_state.step = min(STEPS, st.session_state.step + 1)
        panels(p)

    tick()


if __name__ == "__main__":
    main()
