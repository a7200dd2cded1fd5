"""Whose tabs are open: what ends a run after its grace, and what counts as one visitor."""

from __future__ import annotations

from dashboard.presence import Presence


def test_a_tab_is_here_while_a_connection_shows_it() -> None:
    connected = {"s1"}
    presence = Presence(connected.__contains__)
    presence.note("token", "s1", "v")
    assert presence.here("token")
    assert not presence.here("other")
    connected.clear()
    assert not presence.here("token")
    connected.add("s2")  # a reload is another session of the same tab
    presence.note("token", "s2")
    assert presence.here("token")
    assert presence.visitor("token") == "v"


def test_a_session_that_takes_up_an_older_token_leaves_its_fresh_one() -> None:
    presence = Presence(lambda session: True)
    presence.note("fresh", "s")
    presence.note("kept", "s")
    assert presence.here("kept")
    assert not presence.here("fresh")
    presence.forget("fresh")
    assert presence.visitor("fresh") == "fresh"  # unknown: a visitor of its own


def test_what_a_visitor_has_left_is_what_no_connection_shows() -> None:
    connected = {"s1", "s2", "s3"}
    presence = Presence(connected.__contains__)
    for token, session, visitor in (("a", "s1", "v"), ("b", "s2", "v"), ("c", "s3", "w"), ("d", "s4", "")):
        presence.note(token, session, visitor)
    assert presence.left("v") == []
    connected.remove("s1")
    assert presence.left("v") == ["a"]
    assert presence.left("w") == []
    assert presence.left("") == []
