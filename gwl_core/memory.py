"""How much memory a piece of work took at its peak, where the system says."""

from __future__ import annotations

from pathlib import Path

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")


class PeakMemory:
    """Growth of this process's resident memory from here on, at its highest."""

    def __init__(self) -> None:
        self._before = _read("VmRSS")
        try:
            _CLEAR.write_text("5", encoding="ascii")  # forget the peak so far
            self._known = self._before is not None
        except OSError:
            self._known = False

    @property
    def bytes(self) -> int | None:
        """The growth in bytes; None where the system does not say."""
        peak = _read("VmHWM")
        if not self._known or peak is None or self._before is None:
            return None
        return max(0, peak - self._before)


def _read(name: str) -> int | None:
    try:
        lines = _STATUS.read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return None
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith(name + ":")), None)
