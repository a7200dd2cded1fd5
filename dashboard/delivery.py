"""What a page has drawn reaches the browser, also where a timed part of it is drawn anew at once.

Streamlit drops what a fragment has drawn and not yet sent when that fragment starts again. Where the whole page had
drawn it, the browser is still told that the page is complete: it takes the part for removed, moves what is below it up,
and ends with a missing table or with "Cannot set a node at a delta path". So does Streamlit 1.67 on a busy server.
"""

from __future__ import annotations

from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

_clear = ForwardMsgQueue.clear
_NO_FRAGMENT = ["none"]


def _keep_for_fragments(
    queue: ForwardMsgQueue, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None
) -> None:
    """Clear the queue where a whole page starts; where a fragment does, only let later messages stay later ones."""
    _clear(queue, retain_lifecycle_msgs, _NO_FRAGMENT if fragment_ids_this_run else None)


def deliver_whole() -> None:
    """Let no fragment drop what waits to be sent."""
    ForwardMsgQueue.clear = _keep_for_fragments  # type: ignore[assignment, method-assign]
