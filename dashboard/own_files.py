"""The user's own files while they are chosen: the session keeps them, whatever becomes of the widgets."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard import text
from dashboard.drafts import File
from dashboard.limits import limits
from dashboard.text import upload as words

_KEPT = "own_files"


def chooser(place: Any, key: str, label: str, hint: str | None = None) -> File | None:
    """A place to choose a file; what was chosen before the form was left is named below it, and can be removed.

    Streamlit drops what an uploader holds as soon as a page is drawn without it.
    """
    uploaded = place.file_uploader(label, key=f"file_{key}", help=hint, on_change=_changed, args=(key,))
    if uploaded is not None:
        return uploaded.name, uploaded.getvalue()
    file = _kept().get(key)
    if file is not None:
        with place.container(key=f"kept_{key}", horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(words.KEPT.format(name=text.plain(file[0]), size=words.size(len(file[1]))))
            st.button(
                words.REMOVE, key=f"remove_{key}", type="tertiary", icon=":material/close:", help=words.REMOVE_HELP,
                on_click=_remove, args=(key,),
            )  # fmt: skip
    return file


def _kept() -> dict[str, File]:
    files: dict[str, File] = st.session_state.setdefault(_KEPT, {})
    return files


def _changed(key: str) -> None:
    """Keep what the uploader took, within the limit that the readers hold it to."""
    _remove(key)
    uploaded = st.session_state[f"file_{key}"]
    if uploaded is not None and uploaded.size <= limits().files.max_bytes:
        _kept()[key] = (uploaded.name, uploaded.getvalue())


def _remove(key: str) -> None:
    _kept().pop(key, None)
