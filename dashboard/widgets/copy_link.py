"""A button that copies the page's address."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard.text import report as words

_STYLE = (
    ".copy-link { width: 100%; min-height: 2.4rem; font: inherit; font-size: 0.875rem; color: inherit; "
    "background: transparent; "
    "border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius, 4px); cursor: pointer; } "
    ".copy-link:hover, .copy-link:focus-visible { border-color: var(--st-primary-color); }"
)
_mount = st.components.v2.component(
    "gwl_copy_link", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"), css=_STYLE, isolate_styles=False
)


def copy_link() -> None:
    """The button; it says when it has copied."""
    _mount(
        key="copy_link",
        data={
            "label": words.COPY_LINK, "copied": words.COPIED, "failed": words.COPY_FAILED, "help": words.COPY_HELP,
        },
    )  # fmt: skip
