"""A visitor of a running dashboard without a browser: speaks Streamlit's protocol over a real connection."""

from __future__ import annotations

import asyncio
import contextlib
import time
import urllib.request
import uuid
from collections.abc import Callable
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect


class Visitor:
    """One session. Use it as `async with Visitor(url, query) as visitor`.

    Attributes:
        drawn: of every execution of the page, when it began and the texts of the paragraphs that it drew.
        seen: which of `marks` were in anything that the server sent.
        bytes: how much that was.
        errors: sentences in red or yellow.
        results: which of `marks` were in each table of matches.
    """

    def __init__(self, url: str, query: str = "", marks: tuple[str, ...] = ()) -> None:
        self._url, self._query = url.rstrip("/"), query
        self._marks = [(mark, mark.encode()) for mark in marks]
        self.seen: set[str] = set()
        self.drawn: list[tuple[float, list[str]]] = []
        self.errors: list[str] = []
        self.results: list[set[str]] = []
        self.bytes = 0
        self._widgets: dict[tuple[str, str], Any] = {}
        self._known: dict[str, ForwardMsg] = {}
        self._timers: dict[str, asyncio.Task[None]] = {}
        self._urls: dict[str, Any] = {}
        self._files: dict[str, WidgetState] = {}
        self._running = True
        self._changed = asyncio.Condition()
        self._session = ""
        self._cookie = ""
        self._over = False
        self._fault: Exception | None = None
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Visitor:
        self._cookie = await asyncio.to_thread(self._xsrf)
        self._socket = await connect(
            self._url.replace("http", "ws", 1) + "/_stcore/stream", subprotocols=["streamlit"], max_size=None,
            ping_interval=None, open_timeout=120,
        )  # fmt: skip
        self._reader = asyncio.create_task(self._read())
        await self._rerun()
        await self.rest()
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in (*self._timers.values(), self._reader):
            if task is not None:
                task.cancel()
        if self._socket is not None:
            await self._socket.close()

    async def until(self, condition: Callable[[], bool], seconds: float = 300) -> None:
        """Wait for something that messages bring about."""
        async with self._changed:
            await asyncio.wait_for(self._changed.wait_for(lambda: self._over or condition()), seconds)
        if self._over:
            raise ConnectionError("the server ended the session") from self._fault

    async def rest(self, seconds: float = 300) -> None:
        """Wait for the end of the script."""
        await self.until(lambda: not self._running, seconds)

    @property
    def texts(self) -> list[str]:
        """Of all paragraphs that were drawn."""
        return [text for _, texts in self.drawn for text in texts]

    @property
    def ticking(self) -> bool:
        """Whether the page asks for news by itself."""
        return len(self._timers) > 0

    def has(self, kind: str, label: str) -> bool:
        """Whether there is such a widget, and it can be used."""
        widget = self._widgets.get((kind, label))
        return widget is not None and not widget.disabled

    async def press(self, label: str) -> None:
        """Press a button."""
        await self._act(WidgetState(id=self._widgets["button", label].id, trigger_value=True))

    async def choose(self, label: str, option: str) -> None:
        """Choose an option of a list by its text."""
        await self._act(WidgetState(id=self._widgets["selectbox", label].id, string_value=option))

    async def upload(self, label: str, name: str, content: bytes) -> None:
        """Give a file to an uploader, as a browser does: ask where to, put it there, say so."""
        number = str(uuid.uuid4())
        asked = BackMsg()
        asked.file_urls_request.request_id = number
        asked.file_urls_request.session_id = self._session
        asked.file_urls_request.file_names.append(name)
        await self._send(asked)
        await self.until(lambda: number in self._urls)
        urls = self._urls[number]
        await asyncio.to_thread(self._put, urls.upload_url, name, content)
        state = WidgetState(id=self._widgets["file_uploader", label].id)
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.file_id, info.name, info.size = urls.file_id, name, len(content)
        info.file_urls.CopyFrom(urls)
        self._files[state.id] = state  # a browser says with every press which files it has
        await self._act()

    def _xsrf(self) -> str:
        with urllib.request.urlopen(self._url + "/_stcore/health", timeout=60) as answer:
            cookies = answer.headers.get_all("Set-Cookie") or []
        return next((c.split(";")[0].split("=", 1)[1] for c in cookies if c.startswith("_streamlit_xsrf=")), "")

    def _put(self, path: str, name: str, content: bytes) -> None:
        edge = uuid.uuid4().hex
        head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        request = urllib.request.Request(
            self._url + path, head.encode() + content + f"\r\n--{edge}--\r\n".encode(), method="PUT",
            headers={"Content-Type": f"multipart/form-data; boundary={edge}", "X-Xsrftoken": self._cookie,
                     "Cookie": f"_streamlit_xsrf={self._cookie}"},
        )  # fmt: skip
        with urllib.request.urlopen(request, timeout=120):
            pass

    async def _act(self, *states: WidgetState) -> None:
        self._running = True
        await self._rerun(*states)
        await self.rest()

    async def _rerun(self, *states: WidgetState, fragment: str = "") -> None:
        asked = BackMsg()
        state: ClientState = asked.rerun_script
        state.query_string = self._query
        state.widget_states.widgets.extend([*self._files.values(), *states])
        if fragment:
            state.fragment_id, state.is_auto_rerun = fragment, True
        await self._send(asked)

    async def _send(self, message: BackMsg) -> None:
        assert self._socket is not None
        await self._socket.send(message.SerializeToString())

    async def _read(self) -> None:
        try:
            await self._take_all()
        except Exception as error:
            self._fault = error
            raise
        finally:
            async with self._changed:
                self._over = True
                self._changed.notify_all()

    async def _take_all(self) -> None:
        assert self._socket is not None
        async for data in self._socket:
            assert isinstance(data, bytes)
            self.bytes += len(data)
            self.seen |= {mark for mark, word in self._marks if word in data}
            message = ForwardMsg.FromString(data)
            if message.WhichOneof("type") == "ref_hash":
                message = self._known[message.ref_hash]
            elif message.metadata.cacheable:
                self._known[message.hash] = message
            async with self._changed:
                self._take(message)
                self._changed.notify_all()

    def _take(self, message: ForwardMsg) -> None:
        match message.WhichOneof("type"):
            case "new_session":
                self._session = message.new_session.initialize.session_id or self._session
                self._running = True
                self.drawn.append((time.monotonic(), []))
                if not message.metadata.run.fragment_ids:
                    self._stop_timers()
            case "script_finished" if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                self._running = False
            case "stop_auto_rerun":
                for fragment in message.stop_auto_rerun.fragment_ids:
                    self._stop_timers(fragment)
            case "auto_rerun":
                repeat = message.auto_rerun
                self._stop_timers(repeat.fragment_id)
                again = self._again(repeat.fragment_id, repeat.interval)
                self._timers[repeat.fragment_id] = asyncio.create_task(again)
            case "file_urls_response":
                answer = message.file_urls_response
                self._urls[answer.response_id] = answer.file_urls[0]
            case "delta" if message.delta.WhichOneof("type") == "new_element":
                self._draw(message.delta.new_element)

    def _draw(self, element: Any) -> None:
        kind = element.WhichOneof("type")
        if kind in ("button", "selectbox", "file_uploader"):
            widget = getattr(element, kind)
            self._widgets[kind, widget.label] = widget
        elif kind == "markdown":
            self.drawn[-1][1].append(element.markdown.body)
        elif kind == "dataframe":
            whole = element.SerializeToString()
            self.results.append({mark for mark, word in self._marks if word in whole})
        elif kind == "alert":
            self.errors.append(element.alert.body)

    def _stop_timers(self, fragment: str = "") -> None:
        for key in [fragment] if fragment else list(self._timers):
            if task := self._timers.pop(key, None):
                task.cancel()

    async def _again(self, fragment: str, seconds: float) -> None:
        """What a browser's timer does: ask for the fragment again, once the last time is over."""
        with contextlib.suppress(asyncio.CancelledError, TimeoutError):
            while True:
                await asyncio.sleep(seconds)
                await self._rerun(fragment=fragment)
