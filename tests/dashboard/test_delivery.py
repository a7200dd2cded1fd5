"""What waits to be sent when a timed part of the page starts anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
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


def drawn_by_the_page() -> ForwardMsgQueue:
    """A whole page that is drawn and not yet sent: a part that is a fragment, and what is below it."""
    queue = ForwardMsgQueue()
    for path, fragment in (((0, 1), "part"), ((0, 1, 0), "part"), ((0, 2), "")):
        message = ForwardMsg()
        message.metadata.delta_path.extend(path)
        message.delta.fragment_id = fragment
        message.delta.add_block.allow_empty = True
        queue.enqueue(message)
    finished = ForwardMsg()
    finished.script_finished = ForwardMsg.FINISHED_SUCCESSFULLY
    queue.enqueue(finished)
    return queue


def paths(queue: ForwardMsgQueue) -> list[tuple[int, ...]]:
    return [tuple(message.metadata.delta_path) for message in queue.flush() if message.HasField("delta")]


def test_a_fragment_drops_nothing_that_the_page_has_drawn(upstream: Clear) -> None:
    delivery.deliver_whole()
    queue = drawn_by_the_page()
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["part"])
    assert paths(queue) == [(0, 1), (0, 1, 0), (0, 2)]


def test_what_a_fragment_draws_comes_after_what_the_page_has_drawn(upstream: Clear) -> None:
    delivery.deliver_whole()
    queue = drawn_by_the_page()
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["part"])
    again = ForwardMsg()
    again.metadata.delta_path.extend((0, 1, 0))
    again.delta.fragment_id = "part"
    again.delta.new_element.text.body = "now"
    queue.enqueue(again)
    assert paths(queue)[-1] == (0, 1, 0)


def test_a_whole_page_drops_what_it_will_draw_anew(upstream: Clear) -> None:
    delivery.deliver_whole()
    queue = drawn_by_the_page()
    queue.clear(retain_lifecycle_msgs=True)
    assert paths(queue) == []


def test_the_reason_is_still_there(upstream: Clear) -> None:
    """Fails where a newer Streamlit has mended this: dashboard/delivery.py is then to go."""
    queue = drawn_by_the_page()
    upstream(queue, retain_lifecycle_msgs=True, fragment_ids_this_run=["part"])
    assert paths(queue) == [(0, 2)]
