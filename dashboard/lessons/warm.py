"""Torch takes seconds to import: it is loaded beside the first paint, not before it."""

from __future__ import annotations

import importlib
import threading

_DELAY = 0.5
"""Seconds that the first paint has for itself."""


class Warm:
    """Loads modules once, beside the page."""

    def __init__(self, *modules: str) -> None:
        self._modules = modules
        self._hurry = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin soon, unless that was done before."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._load, name="warm", daemon=True)
                self._thread.start()

    @property
    def ready(self) -> bool:
        """Whether all is loaded."""
        return self._thread is not None and not self._thread.is_alive()

    def wait(self) -> None:
        """Begin now, and return when all is loaded."""
        self.start()
        self._hurry.set()
        if self._thread is not None:
            self._thread.join()

    def _load(self) -> None:
        self._hurry.wait(_DELAY)
        for name in self._modules:
            importlib.import_module(name)


TORCH = Warm("torch", "gwl_core.solver")
