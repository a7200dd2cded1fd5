"""Graphs to align by choice: built-in and generated pairs, kept for everyone as they never change."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dashboard.session import DataChoice
from gwl_core.datasets.builtin import load_pair
from gwl_core.datasets.synthetic import barabasi_albert, knn
from gwl_core.problem import MatchingProblem


def load(data: DataChoice) -> MatchingProblem:
    """The problem of a choice that is not an upload.

    Raises:
        InputError: there is no such pair, or the numbers of a generated one do not go together.
    """
    if data.generated:
        return _generated(data.pair, data.nodes, data.noise, data.graph_seed)
    return _built_in(data.pair)


@st.cache_resource(max_entries=12, show_spinner=False)
def _built_in(key: str) -> MatchingProblem:
    return load_pair(key)


@st.cache_resource(max_entries=12, show_spinner=False)
def _generated(model: str, nodes: int, noise: float, seed: int) -> MatchingProblem:
    make = {"knn": knn, "ba": barabasi_albert}[model]
    return make(nodes, noise, np.random.default_rng(seed))
