"""Node-link JSON, as networkx, D3 and Cytoscape.js write it: nodes, and links or edges that name or count them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NoReturn

from gwl_core.errors import InputError
from gwl_core.readers.content import Content
from gwl_core.readers.header import weight_rank
from gwl_core.readers.phrases import at, shown, values
from gwl_core.readers.report import EdgeRows
from gwl_core.readers.rows import Rows

_START = re.compile(r"\s*(?:\{\s*[\"'}]|\[\s*(?:[\[{]|\"[^\"\n]*\"\s*,))")
_NAMES = ("label", "name")
_ENDS = ("source", "target")


class Number(str):
    """A number as it is spelled in the file."""

    __slots__ = ()


def is_json(content: Content) -> bool:
    return _START.match(content.head) is not None


def read_json(content: Content) -> EdgeRows:
    """The graph of node-link JSON. Ids are kept as they are spelled; links that name no id count the nodes from 0.

    Raises:
        InputError: for JSON that is broken or has no nodes and links, naming the element that is wrong.
    """
    top = _parse(content)
    directed = _directed(content, top)
    elements = top.get("elements") if isinstance(top, dict) else None
    flat: Callable[[Any], Any] = lambda item: item  # noqa: E731
    if isinstance(elements, dict):
        directed = _directed(content, elements) if directed is None else directed
        top, flat = elements, lambda item: item.get("data") if isinstance(item, dict) else item
    nodes, links, key = _parts(content, top)
    nodes, links = [flat(node) for node in nodes], [flat(link) for link in links]
    return _NodeLink(content, nodes, links, key).read(directed)


def _parse(content: Content) -> Any:
    text = content.text
    if text.count("{") + text.count("[") > 3 * content.limits.max_edges + 2 * content.limits.max_nodes:
        raise InputError(f"{content.name} has too many elements for the cap on nodes and edges; give a smaller graph.")

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(found)
        if len(made) < len(found):
            keys = [key for key, _ in found]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise InputError(f"{content.name}: an object has {shown(twice)} twice; keep one.")
        return made

    try:
        return json.loads(
            text, parse_int=Number, parse_float=Number, parse_constant=Number, object_pairs_hook=pairs, strict=False
        )
    except json.JSONDecodeError as error:
        raise InputError(
            f"{at(content.name, error.lineno)}, column {error.colno}: not valid JSON ({error.msg}); export it again."
        ) from None
    except RecursionError:
        raise InputError(f"{content.name} is JSON nested too deeply for a graph; export it again.") from None


def _directed(content: Content, top: Any) -> bool | None:
    """What an object says of direction, or None where it says nothing."""
    said = top.get("directed") if isinstance(top, dict) else None
    if said is None or isinstance(said, bool):
        return said
    words = {"true": True, "1": True, "false": False, "0": False}
    if not isinstance(said, str) or said.strip().lower() not in words:
        what = shown(said) if isinstance(said, str) else "no single value"
        _refuse(content, f"says directed: {what}", "write true or false")
    return words[said.strip().lower()]


def _parts(content: Content, top: Any) -> tuple[list[Any], list[Any], str]:
    """The nodes, the links, and what the file calls the links."""
    if not isinstance(top, dict):
        _refuse(content, "is a JSON list", "give an object with nodes and links")
    keys = [key for key in ("links", "edges") if isinstance(top.get(key), list)]
    if len(keys) == 2:
        _refuse(content, "has both links and edges", "keep one of them")
    if not isinstance(top.get("nodes"), list) or not keys:
        has = f"has {values(top)}" if top else "is an empty object"
        _refuse(content, f"{has}, not the lists nodes and links", "export it as node-link JSON")
    return top["nodes"], top[keys[0]], keys[0]


def _refuse(content: Content, what: str, remedy: str) -> NoReturn:
    raise InputError(f"{content.name} {what}; {remedy}.")


class _NodeLink:
    def __init__(self, content: Content, nodes: list[Any], links: list[Any], key: str) -> None:
        self._content, self._nodes, self._links, self._key = content, nodes, links, key
        self._rows = Rows(content, ("node", "link"))
        self._notices: list[str] = []
        self._nodes_by_place: dict[str, str] = {}

    def read(self, directed: bool | None) -> EdgeRows:
        self._check()
        names = self._names()
        for k, node in enumerate(self._nodes):
            label = (
                next((text for key in _NAMES if (text := _text(node.get(key)))), "") if isinstance(node, dict) else ""
            )
            self._rows.node(names[k], label, k + 1)
        weight = self._weight_key()
        for k, link in enumerate(self._links):
            given = _text(link.get(weight)) if weight else None
            if given is None and weight and link.get(weight) is not None:
                _refuse(
                    self._content,
                    f"has a {weight} in {self._key[:-1]} {k + 1} that is no number",
                    "give one number a link",
                )
            start, end = (self._end(link, side, k) for side in _ENDS)
            self._rows.edge(start, end, (given or "") if weight else None, k + 1)
        reason = "" if directed is None else f"The file says directed: {'true' if directed else 'false'}."
        return self._rows.finish("node-link JSON", directed, reason, self._notices)

    def _check(self) -> None:
        for what, items, kinds in (("nodes", self._nodes, (dict, str)), (self._key, self._links, (dict,))):
            for k, item in enumerate(items):
                if not isinstance(item, kinds):
                    _refuse(self._content, f"has something else than an object as {what[:-1]} {k + 1}", "correct it")

    def _end(self, link: dict[str, Any], side: str, k: int) -> str:
        found = _text(link.get(side))
        if not found:
            _refuse(
                self._content, f"has no {side} in {self._key[:-1]} {k + 1}", "give every link a source and a target"
            )
        node = self._nodes_by_place.get(found, found)
        if node.strip() not in self._rows:
            _refuse(
                self._content, f"has the {side} {shown(found)} in {self._key[:-1]} {k + 1}, which is no node",
                "add it to the nodes or leave the link out",
            )  # fmt: skip
        return node

    def _names(self) -> list[str]:
        """The ids of the nodes: their own, else the names that links call them by, else their places from 0.

        Links that name no id count the nodes.
        """
        used = {_text(link.get(side)) for link in self._links for side in _ENDS}
        whole = all(isinstance(link.get(side), Number) for link in self._links for side in _ENDS)
        places = [str(k) for k in range(len(self._nodes))]
        counting = bool(used) and whole and self._counts(used)
        for key in ("id", *reversed(_NAMES)):
            found = [node if isinstance(node, str) else _text(node.get(key)) for node in self._nodes]
            names = [name.strip() for name in found if name]
            if len(names) < len(self._nodes) or (key != "id" and len(set(names)) < len(names)):
                continue
            named = used <= set(names)
            if named and counting and names != places:
                self._notices.append(f"The links' numbers were read as the nodes' {key}s, not as their places from 0.")
            if named or (key == "id" and not counting):
                return names
            if key == "id":
                self._notices.append("The links name no ids, so they were read as the places of nodes, from 0.")
                self._nodes_by_place = dict(zip(places, names, strict=True))
                return names
        if any(isinstance(node, dict) and "id" in node for node in self._nodes):
            k = next(k for k, node in enumerate(self._nodes) if not (isinstance(node, str) or _text(node.get("id"))))
            _refuse(self._content, f"has no id in node {k + 1}", "give every node an id, or none")
        return places

    def _counts(self, used: set[str | None]) -> bool:
        return all(u is not None and re.fullmatch(r"\d{1,9}", u, re.ASCII) and int(u) < len(self._nodes) for u in used)

    def _weight_key(self) -> str | None:
        keys = {key for link in self._links for key in link}
        ranks = [(rank, key) for key in keys if (rank := weight_rank(key)) is not None]
        return min(ranks)[1] if ranks else None


def _text(value: Any) -> str | None:
    """A string or number as it is spelled, or None for anything else."""
    return str(value) if isinstance(value, str) else None
