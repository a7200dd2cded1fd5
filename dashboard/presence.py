"""Which browser tabs are there: their tokens, the connections that show them, and the browsers they belong to."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from gwl_core.errors import InputError

Connected = Callable[[str], bool]


@dataclass
class _Tab:
    sessions: set[str] = field(default_factory=set)
    visitor: str = ""


class Presence:
    """Tabs by token. Safe to use from several threads.

    Args:
        connected: whether the browser of a Streamlit session is there now.
    """

    def __init__(self, connected: Connected) -> None:
        self._connected = connected
        self._lock = threading.Lock()
        self._tabs: dict[str, _Tab] = {}

    def note(self, token: str, session: str, visitor: str = "") -> None:
        """A session shows the tab of a token; `visitor` is what all tabs of a browser share, "" while unknown."""
        with self._lock:
            for tab in self._tabs.values():
                tab.sessions.discard(session)  # it may have taken up an older token
            tab = self._tabs.setdefault(token, _Tab())
            tab.sessions.add(session)
            tab.visitor = visitor or tab.visitor

    def here(self, token: str) -> bool:
        """Whether a tab with this token is open."""
        with self._lock:
            tab = self._tabs.get(token)
            sessions = list(tab.sessions) if tab else []
        return any(self._connected(session) for session in sessions)

    def left(self, visitor: str) -> list[str]:
        """Tokens of a visitor's tabs that are not open now: one of them may be coming back."""
        with self._lock:
            mine = [token for token, tab in self._tabs.items() if visitor and tab.visitor == visitor]
        return [token for token in mine if not self.here(token)]

    def forget(self, token: str) -> None:
        """Drop a tab that has no run, unless it is open."""
        if not self.here(token):
            with self._lock:
                self._tabs.pop(token, None)

    def visitor(self, token: str) -> str:
        """Whose tab it is; the token itself where that is unknown."""
        with self._lock:
            tab = self._tabs.get(token)
            return (tab.visitor if tab else "") or token


class Visitors:
    """What each browser has at work, over all kinds of runs.

    Args:
        most: runs at work or waiting of one visitor.
    """

    def __init__(self, presence: Presence, most: Callable[[], int]) -> None:
        self._presence, self._most = presence, most
        self._books: list[Callable[[], list[str]]] = []

    def book(self, at_work: Callable[[], list[str]]) -> None:
        """Add a kind of runs: a function that lists the tokens of those at work or waiting."""
        self._books.append(at_work)

    def admit(self, token: str) -> None:
        """Raise InputError if the token's visitor has as many runs elsewhere as one may have."""
        visitor = self._presence.visitor(token)
        tokens = [other for at_work in self._books for other in at_work() if other != token]
        count = sum(self._presence.visitor(other) == visitor for other in tokens)
        if count >= self._most():
            raise InputError(
                f"You have {count} runs at work or waiting in other tabs, as many as this server gives to one visitor: "
                "stop one of them, or wait for its end."
            )


def _connected(session: str) -> bool:
    from streamlit import runtime

    if not runtime.exists():  # a script without a server, as in tests: nobody can be told to have left
        return True
    return runtime.get_instance().is_active_session(session)


PRESENCE = Presence(_connected)


def _most() -> int:
    from dashboard.limits import limits

    return limits().runs_per_visitor


VISITORS = Visitors(PRESENCE, _most)
