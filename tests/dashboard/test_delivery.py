"""What waits to be sent when a timed part of the page starts anew."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from dashboard import delivery

Clear = Callable[..., None]


@pytest.fixture
def upstream() -> Iterator[Clear]:
    """Streamlit's own way; afterwards it is as it was."""
    now = ForwardMsgQueue.clear
    yield delivery._clear
    ForwardMsgQueue.clear = now  # type: ignore[method-assign]


def drawn(paths: list[tuple[int, ...]], by: list[str]) -> list[ForwardMsg]:
    """One execution, of the page or `by` fragments: blocks at these paths, where (0, 1) and below belong to "part"."""
    begun, finished, blocks = ForwardMsg(), ForwardMsg(), []
    begun.new_session.name = "app"
    finished.script_finished = ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY if by else ForwardMsg.FINISHED_SUCCESSFULLY
    for message in (begun, finished):
        message.metadata.run.fragment_ids.extend(by)
    for path in paths:
        block = ForwardMsg()
        block.metadata.delta_path.extend(path)
        block.delta.fragment_id = "part" if path[:2] == (0, 1) else ""
        block.delta.add_block.allow_empty = True
        blocks.append(block)
    return [begun, *blocks, finished]


def queued(*runs: list[ForwardMsg]) -> ForwardMsgQueue:
    queue = ForwardMsgQueue()
    for message in itertools.chain(*runs):
        queue.enqueue(message)
    return queue


def left(queue: ForwardMsgQueue) -> tuple[list[tuple[int, ...]], list[int]]:
    """Paths that are still drawn, and how the executions end."""
    messages = queue.flush()
    ends = [message.script_finished for message in messages if message.HasField("script_finished")]
    return [tuple(message.metadata.delta_path) for message in messages if message.HasField("delta")], ends


PAGE = [(0, 1), (0, 1, 0), (0, 2)]


def test_a_fragment_drops_nothing_that_the_page_has_drawn(upstream: Clear) -> None:
    delivery.deliver_whole()
    queue = queued(drawn(PAGE, []))
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["part"])
    assert left(queue) == (PAGE, [ForwardMsg.FINISHED_SUCCESSFULLY])


def test_nor_the_end_of_a_page_whose_beginning_is_sent(upstream: Clear) -> None:
    delivery.deliver_whole()
    queue = queued(drawn(PAGE, [])[2:])
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["part"])
    assert left(queue)[0] == PAGE[1:]


def test_what_a_fragment_draws_comes_after_what_the_page_has_drawn(upstream: Clear) -> None:
    delivery.deliver_whole()
    queue = queued(drawn(PAGE, []))
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["part"])
    for message in drawn([(0, 1, 0)], ["part"]):
        queue.enqueue(message)
    assert left(queue)[0] == [*PAGE, (0, 1, 0)]


def test_a_fragment_drops_what_it_has_drawn_itself(upstream: Clear) -> None:
    """Else the queue of a server that cannot keep up grows without end."""
    delivery.deliver_whole()
    queue = queued(drawn(PAGE, []), drawn(PAGE[:2], ["part"]), drawn([(0, 3)], ["other"]))
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["part"])
    paths, ends = left(queue)
    assert paths == [*PAGE, (0, 3)]
    assert ends == [
        ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_EARLY_FOR_RERUN,
        ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
    ]  # fmt: skip


def test_a_whole_page_drops_what_it_will_draw_anew(upstream: Clear) -> None:
    delivery.deliver_whole()
    queue = queued(drawn(PAGE, []), drawn(PAGE[:2], ["part"]))
    queue.clear(retain_lifecycle_msgs=True)
    assert left(queue)[0] == []


def test_the_reason_is_still_there(upstream: Clear) -> None:
    """Fails where a newer Streamlit has mended this: dashboard/delivery.py is then to go."""
    queue = queued(drawn(PAGE, []))
    upstream(queue, retain_lifecycle_msgs=True, fragment_ids_this_run=["part"])
    assert left(queue) == ([(0, 2)], [ForwardMsg.FINISHED_SUCCESSFULLY])


@pytest.mark.parametrize(("automatic", "asked"), [(True, ["here"]), (False, ["here", "left"])])
def test_a_timer_speaks_for_the_page_of_the_session_only(
    automatic: bool, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reached: list[str] = []
    monkeypatch.setattr(delivery, "_request", lambda session, state: reached.append(state.page_script_hash))
    session = SimpleNamespace(_pages_manager=SimpleNamespace(current_page_script_hash="here"))
    for page in ("here", "left"):
        delivery._request_on_its_page(session, ClientState(is_auto_rerun=automatic, page_script_hash=page))  # type: ignore[arg-type]
    assert reached == asked
