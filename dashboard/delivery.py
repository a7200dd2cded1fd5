"""What a page has drawn reaches the browser, also where a timed part of it is drawn anew at once.

Streamlit drops what a fragment has drawn and not yet sent when that fragment starts again. Where the whole page had
drawn it, the browser is still told that the page is complete: it takes the part for removed, moves what is below it up,
and ends with a missing table or with "Cannot set a node at a delta path". So does Streamlit 1.67 on a busy server.

And where a page's timer asks once more while another page takes its place, Streamlit announces the former page again,
for which the browser clears what it has of the new one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

_clear = ForwardMsgQueue.clear
_request = AppSession.request_rerun


def deliver_whole() -> None:
    """Let a fragment drop only what it has drawn by itself, and timers speak for the page of the session only."""
    ForwardMsgQueue.clear = _clear_but_pages  # type: ignore[assignment, method-assign]
    AppSession.request_rerun = _request_on_its_page  # type: ignore[assignment, method-assign]


def _request_on_its_page(session: AppSession, client_state: ClientState | None) -> None:
    if client_state is not None and client_state.is_auto_rerun:
        current = session._pages_manager.current_page_script_hash
        if current and client_state.page_script_hash and client_state.page_script_hash != current:
            return
    _request(session, client_state)


def _clear_but_pages(
    queue: ForwardMsgQueue, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None
) -> None:
    if not fragment_ids_this_run:
        _clear(queue, retain_lifecycle_msgs)
        return
    fragments = frozenset(fragment_ids_this_run)
    # Put back, not enqueued: that would merge what is drawn from now on into what was drawn before.
    queue._queue = [message for run in _runs(queue.flush()) for message in _still_needed(run, fragments)]


def _runs(messages: Sequence[ForwardMsg]) -> Iterator[list[ForwardMsg]]:
    """The messages of each execution of the page or of a fragment; of the first, the end only."""
    run: list[ForwardMsg] = []
    for message in messages:
        run.append(message)
        if message.HasField("script_finished"):
            yield run
            run = []
    yield run


def _still_needed(run: list[ForwardMsg], fragments: frozenset[str]) -> list[ForwardMsg]:
    """Of a run of these fragments the news that it took place; of any other all."""
    drawn = {fragment for message in run for fragment in message.metadata.run.fragment_ids}
    if not drawn or not drawn <= fragments:
        return run
    kept = [message for message in run if not (message.HasField("delta") or message.HasField("ref_hash"))]
    for message in kept:
        if message.HasField("script_finished"):  # as it was, it would take away in the browser what is dropped here
            message.script_finished = ForwardMsg.FINISHED_EARLY_FOR_RERUN
    return kept
