"""XML as a stream of elements with line numbers: no tree, no entities, nothing from outside the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler, feature_namespaces

from defusedxml.common import DefusedXmlException, ExternalReferenceForbidden
from defusedxml.expatreader import DefusedExpatParser

from gwl_core.errors import InputError
from gwl_core.readers.content import Content
from gwl_core.readers.phrases import at

_PROLOGUE = re.compile(r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>\s*)*", re.DOTALL)
_XML = re.compile(r"<(?:\?xml|!DOCTYPE|!--|(?:[\w.-]+:)?(?:graphml|gexf|xgmml|dynetml|html|svg|rdf)\b)", re.IGNORECASE)
_ROOT = re.compile(r"<(?:[\w.-]+:)?([\w.-]+)")
_CHUNK = 1 << 16
_DEEPEST, _LONGEST_TEXT = 64, 10_000


@dataclass(frozen=True)
class Element:
    """A start tag: its local name, its attributes without namespaces, the names of the elements around it, the line."""

    tag: str
    attributes: Mapping[str, str]
    path: tuple[str, ...]
    line: int


def xml_root(head: str) -> str | None:
    """The local name of the root element in lower case, "" if it is not in this beginning of a file, None if it is
    not XML."""
    text = head.lstrip()
    if not _XML.match(text):
        return None
    prologue = _PROLOGUE.match(text)
    root = _ROOT.match(text, prologue.end() if prologue else 0)
    return root[1].lower() if root else ""


def walk_xml(
    content: Content, start: Callable[[Element], None], end: Callable[[Element, str], None], texts: frozenset[str]
) -> list[str]:
    """Call `start` for every element of the root's namespace and `end` with its text (of the tags in `texts`).

    Returns:
        Sentences about what was skipped.

    Raises:
        InputError: for XML that is not well-formed, naming line and column, or that declares entities.
    """
    body = content.data.removeprefix(b"\xef\xbb\xbf")
    stripped = body.lstrip(b" \t\r\n")
    skipped = body[: len(body) - len(stripped)].replace(b"\r\n", b"\n").count(b"\n")
    parser = _Parser(forbid_dtd=False, forbid_entities=True, forbid_external=True)
    parser.setFeature(feature_namespaces, True)
    parser.setContentHandler(_Handler(content.name, parser, start, end, texts, skipped))
    try:
        for offset in range(0, len(stripped), _CHUNK):
            parser.feed(stripped[offset : offset + _CHUNK])
        parser.close()
    except ExternalReferenceForbidden:
        raise InputError(
            f"{content.name} has a DOCTYPE that names another file, which is not read; remove the DOCTYPE."
        ) from None
    except DefusedXmlException:
        raise InputError(
            f"{content.name} declares XML entities, which are not read because they can pull in other files or grow "
            "without bound; export the graph without them."
        ) from None
    except InputError:
        raise
    except SAXParseException as error:
        where = f"line {(error.getLineNumber() or 1) + skipped}, column {(error.getColumnNumber() or 0) + 1}"
        raise InputError(
            f"{content.name}, {where}: not well-formed XML ({error.getMessage()}); export the graph again."
        ) from None
    except (SAXException, LookupError, ValueError):
        raise InputError(f"{content.name} is XML in an encoding that is not read; save it as UTF-8.") from None
    doctype = re.search(r"<!DOCTYPE\b", content.head, re.IGNORECASE)
    return ["The file's DOCTYPE was ignored: nothing outside the file is read."] if doctype else []


class _Parser(DefusedExpatParser):  # type: ignore[misc]  # untyped package
    """Leaves out the attributes that only a DOCTYPE gives."""

    def reset(self) -> None:
        super().reset()
        self._parser.specified_attributes = True


class _Handler(ContentHandler):
    def __init__(
        self,
        name: str,
        parser: DefusedExpatParser,
        start: Callable[[Element], None],
        end: Callable[[Element, str], None],
        texts: frozenset[str],
        skipped: int,
    ) -> None:
        super().__init__()
        self._name, self._parser, self._start, self._end, self._texts = name, parser, start, end, texts
        self._skipped = skipped
        self._root_space: str | None = None
        self._open: list[Element | None] = []
        self._text: list[str] = []
        self._length = 0
        self._wanted = False

    def startElementNS(self, name: tuple[str | None, str], qname: str | None, attrs: Any) -> None:
        space, tag = name
        line = (self._parser.getLineNumber() or 1) + self._skipped
        if not self._open:
            self._root_space = space
        if len(self._open) >= _DEEPEST:
            raise InputError(f"{at(self._name, line)}: elements are nested too deeply for a graph; export it again.")
        self._wanted = False
        if space != self._root_space:
            self._open.append(None)
            return
        own = {local: value for (uri, local), value in attrs.items() if uri is None}
        element = Element(tag, own, tuple(e.tag for e in self._open if e), line)
        self._open.append(element)
        self._wanted = tag in self._texts
        self._text, self._length = [], 0
        self._start(element)

    def endElementNS(self, name: tuple[str | None, str], qname: str | None) -> None:
        element = self._open.pop()
        if element is not None:
            self._end(element, "".join(self._text).strip() if self._wanted else "")
        self._wanted = False

    def characters(self, content: str) -> None:
        if not self._wanted:
            return
        self._length += len(content)
        if self._length > _LONGEST_TEXT:
            line = (self._parser.getLineNumber() or 1) + self._skipped
            raise InputError(f"{at(self._name, line)}: a text is over {_LONGEST_TEXT:,} characters; shorten it.")
        self._text.append(content)
