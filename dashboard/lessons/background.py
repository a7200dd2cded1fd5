"""Work that would hold up a page: done once per server, beside it, on one thread, in small pieces."""

from __future__ import annotations

import atexit
import logging
import threading
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

_LOG = logging.getLogger(__name__)

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Background(Generic[Key, Value]):
    """A table that fills by itself once it was asked for. Safe to share between sessions."""

    def __init__(self, work: Callable[[Key], Value], keys: Sequence[Key]) -> None:
        self._work, self._left = work, list(keys)
        self._found: dict[Key, Value] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._ended = False

    def get(self, key: Key) -> Value | None:
        """A value, if it is there yet; else it comes next."""
        with self._lock:
            if key in self._left:
                self._left.remove(key)
                self._left.insert(0, key)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="lesson", daemon=True)
                self._thread.start()
                atexit.register(self.close)
            return self._found.get(key)

    @property
    def known(self) -> frozenset[Key]:
        """The keys whose values are there."""
        with self._lock:
            return frozenset(self._found)

    @property
    def complete(self) -> bool:
        """Whether nothing more will come."""
        return self._thread is not None and not self._thread.is_alive()

    def close(self) -> None:
        """End after the piece of now; an interpreter that goes away must not find torch at work."""
        self._ended = True
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._ended:
            with self._lock:
                if not self._left:
                    return
                key = self._left.pop(0)
            try:
                value = self._work(key)
            except Exception:  # noqa: BLE001 the table stays as it is; the page has words for that
                _LOG.exception("a part of a lesson could not be computed")
                return
            with self._lock:
                self._found[key] = value
