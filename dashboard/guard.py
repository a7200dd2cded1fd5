"""The net under the page: an error that no rule foresaw becomes one sentence, and its story goes to the log."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps

import streamlit as st

from dashboard import text
from gwl_core.errors import InputError

_LOG = logging.getLogger(__name__)


def guarded(draw: Callable[[], None]) -> Callable[[], None]:
    """The same part of the page, except that it cannot show a traceback."""

    @wraps(draw)
    def safely() -> None:
        try:
            draw()
        except InputError as error:
            st.error(text.plain(str(error)))
        except Exception:  # noqa: BLE001 Streamlit's own reruns and stops are no Exceptions and pass
            _LOG.exception("a part of the page failed")
            st.error(text.UNEXPECTED)

    return safely
