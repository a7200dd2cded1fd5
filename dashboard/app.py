"""The dashboard: its pages, and the net under them. Start it with `streamlit run dashboard/app.py`."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard import opening, text
from dashboard.screens import align, compare, experiments, inspect, learn

_HERE = Path(__file__).parent
PAGES = [
    st.Page(align.page, title="Align", default=True),
    st.Page(inspect.page, title="Inspect", url_path="inspect"),
    st.Page(compare.page, title="Compare", url_path="compare"),
    st.Page(experiments.page, title="Experiments", url_path="experiments"),
    st.Page(learn.page, title="Learn", url_path="learn"),
]

st.set_page_config(page_title=text.TITLE, page_icon=str(_HERE / "icon.svg"), layout="wide", initial_sidebar_state=300)
st.html(_HERE / "style.css")
opening.offer(PAGES)
st.navigation(PAGES, position="top" if len(PAGES) > 1 else "hidden").run()
