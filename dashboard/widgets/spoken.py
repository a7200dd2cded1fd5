"""Names of the sidebar's controls for those who hear the page: words in place of the icons in their labels."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

_mount = st.components.v2.component(
    "gwl_spoken", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"), isolate_styles=False
)


def spoken(words: Mapping[str, str]) -> None:
    """Call within the sidebar.

    Args:
        words: what to say for an icon, by its Markdown.
    """
    _mount(key="spoken", data={icon.removeprefix(":material/").rstrip(":"): word for icon, word in words.items()})
