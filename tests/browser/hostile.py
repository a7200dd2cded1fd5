"""Labels and file names made to run as code if any part of the page took them for more than text."""

from __future__ import annotations

import csv
import io
import random

from playwright.sync_api import Frame, Page

LABELS = (
    '<img src=x onerror="window.__pwned=1">',
    "<script>window.__pwned=2</script>",
    "</script><script>window.__pwned=3</script>",
    "<!--<script>window.__pwned=4",
    "<svg/onload=window.__pwned=5>",
    "<iframe srcdoc='<script>parent.__pwned=6</script>'>",
    '<a href="javascript:window.__pwned=7">press</a>',
    "[press](javascript:window.__pwned=8)",
    "![x](x 'onerror=window.__pwned=9')",
    "&lt;img src=x onerror=window.__pwned=10&gt;",
    "&#60;script&#62;window.__pwned=11&#60;/script&#62;",
    "javascript:window.__pwned=12",
    r"$\href{javascript:window.__pwned=13}{x}$",
    ':red[x] :material/home: "><img src=x onerror=window.__pwned=14>',
    "{{constructor.constructor('window.__pwned=15')()}}",
    "${window.__pwned=16}`%{customdata}%{x}",
    "=HYPERLINK(window.__pwned=17)",
    "<b>bold</b><br>after",
)
FILE = "<img src=x onerror=window.__pwned=20> [a](javascript:window.__pwned=21).csv"


def graph(prefix: str) -> bytes:
    """A connected graph whose nodes are LABELS, each behind `prefix`."""
    rng = random.Random(1)
    labels = [prefix + label for label in LABELS]
    pairs = {(k, rng.randrange(k)) for k in range(1, len(labels))}
    while len(pairs) < 2 * len(labels):
        a, b = rng.sample(range(len(labels)), 2)
        pairs.add((max(a, b), min(a, b)))
    return table([("source", "target"), *((labels[a], labels[b]) for a, b in sorted(pairs))])


def table(rows: list[tuple[str, ...]]) -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer, quoting=csv.QUOTE_ALL).writerows(rows)
    return buffer.getvalue().encode()


_FOREIGN = (
    "img[src='x'], a[href^='javascript:' i], iframe[srcdoc], svg[onload], [onerror], [onload], [onclick], "
    "script:not([src]):not([type]):empty"
)


class Watch:
    """Notes every dialog of a page and, at the end, whether anything of LABELS has run or become an element."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._dialogs: list[str] = []
        page.on("dialog", lambda dialog: (self._dialogs.append(dialog.message), dialog.dismiss()))

    def check(self) -> None:
        assert not self._dialogs, self._dialogs
        for frame in self._page.frames:
            assert frame.evaluate("typeof window.__pwned") == "undefined", frame.url
            assert _elements(frame) == []


def _elements(frame: Frame) -> list[str]:
    found: list[str] = frame.evaluate(
        "query => Array.from(document.querySelectorAll(query), e => e.outerHTML.slice(0, 300))", _FOREIGN
    )
    return found
