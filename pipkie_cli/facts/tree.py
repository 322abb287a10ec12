"""XML -> a tree of nodes without namespaces. Hostile: no document type, no entity, no depth or size without end.

expat reads; nothing outside the bytes is ever opened. Names stand without their namespace, for every version of every
e-invoice has another one, and no two elements of one place differ in nothing else.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from heapq import merge
from typing import NamedTuple, NoReturn
from xml.parsers import expat

from pipkie_cli.facts.limits import MAX_DEPTH, MAX_ELEMENTS, MAX_XML_BYTES

MANY = 32  # children: searched by name, not one by one
_STEP = re.compile(r"[^/\[]+(?:\[[^\]]*\])?")


class BadXml(Exception):
    """Not well-formed, or refused. The message is one of ours, never expat's: that may quote the file."""


@dataclass(slots=True)
class Node:
    """One element: its name and its attributes' without namespace, its own text, what it holds."""

    name: str
    namespace: str
    attributes: dict[str, str]
    text: str = ""
    children: list["Node"] = field(default_factory=list)
    by_name: dict[str, list[tuple[int, "Node"]]] | None = None  # of many children: place and child
    found: dict[str, list["Node"]] | None = (
        None  # path -> the nodes that it leads to, where these or those before are many
    )

    def named(self, names: frozenset[str]) -> Iterator["Node"]:
        """The children with one of these names, in the file's order. A hundred paths ask the same million of them."""
        if len(self.children) < MANY:
            yield from (child for child in self.children if child.name in names)
            return
        if self.by_name is None:
            self.by_name = {}
            for place, child in enumerate(self.children):
                self.by_name.setdefault(child.name, []).append((place, child))
        for _, child in merge(*(self.by_name.get(name, ()) for name in sorted(names)), key=lambda found: found[0]):
            yield child


def parse_xml(data: bytes) -> Node:
    """The root. Raises BadXml, also for a document type (entities live there), too much depth or too many elements."""
    if len(data) > MAX_XML_BYTES:
        raise BadXml("too large")
    builder = _Builder()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.characters
    parser.StartDoctypeDeclHandler = builder.refuse
    parser.EntityDeclHandler = builder.refuse
    parser.ExternalEntityRefHandler = builder.refuse
    try:
        parser.Parse(data.lstrip(b" \t\r\n"), True)
    except expat.ExpatError as error:
        raise BadXml("not well-formed") from error
    except (ValueError, LookupError) as error:  # a declared encoding of several bytes, or one that nobody knows
        raise BadXml("an encoding that is not read") from error
    if builder.root is None:
        raise BadXml("empty")
    return builder.root


class _Builder:
    """Takes expat's events."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self._open: list[Node] = []
        self._pieces: list[list[str]] = []
        self._n_elements = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._n_elements += 1
        if self._n_elements > MAX_ELEMENTS or len(self._open) >= MAX_DEPTH:
            raise BadXml("too many elements, or too deep")
        namespace, _, local = name.rpartition(" ")
        node = Node(local, namespace, {key.rpartition(" ")[2]: value for key, value in attributes.items()})
        if self._open:
            self._open[-1].children.append(node)
        else:
            self.root = node
        self._open.append(node)
        self._pieces.append([])

    def end(self, name: str) -> None:
        self._open.pop().text = "".join(self._pieces.pop()).strip()

    def characters(self, text: str) -> None:
        self._pieces[-1].append(text)

    def refuse(self, *_: object) -> NoReturn:
        raise BadXml("it declares a document type or an entity")


class _Step(NamedTuple):
    """One step of a path: names to go through, and what the node there must say."""

    names: frozenset[str]
    attribute: str | None  # whose value the condition is about
    below: tuple["_Step", ...]  # path to the text that the condition is about
    wanted: str
    unlike: bool


def find_all(node: Node, path: str) -> Iterator[Node]:
    """The nodes that a path leads to, in the file's order.

    `A|B/C` goes through an A or a B to a C; `C[@schemeID=VA]` wants an attribute, `C[D/ID=VAT]` a text further down,
    `!=` its contrary.
    """
    nodes = [node]
    for prefix, step in _prefixes(path):
        found = node.found.get(prefix) if node.found else None
        if found is None:
            found = [child for one in nodes for child in one.named(step.names) if _holds(child, step)]
            if max(len(nodes), len(found)) >= MANY:  # a hundred paths begin alike
                node.found = (node.found or {}) | {prefix: found}
        nodes = found
    return iter(nodes)


def _walk(node: Node, steps: tuple[_Step, ...]) -> Iterator[Node]:
    """The nodes that steps without conditions lead to."""
    for child in node.named(steps[0].names):
        if steps[1:]:
            yield from _walk(child, steps[1:])
        else:
            yield child


def _holds(node: Node, step: _Step) -> bool:
    if step.attribute is not None:
        found = node.attributes.get(step.attribute)
    elif step.below:
        found = next((one.text for one in _walk(node, step.below)), None)
    else:
        return True
    return (found == step.wanted) != step.unlike


@cache  # of the tables' own paths
def _prefixes(path: str) -> tuple[tuple[str, _Step], ...]:
    """Every step of a path with the path as far as that step."""
    return tuple((path[: match.end()], _step(match[0])) for match in _STEP.finditer(path))


@cache
def _steps(path: str) -> tuple[_Step, ...]:
    return tuple(_step(one) for one in _STEP.findall(path))


def _step(text: str) -> _Step:
    names, _, condition = text.partition("[")
    left, _, wanted = condition.rstrip("]").partition("=")
    unlike, left = left.endswith("!"), left.rstrip("!")
    attribute = left[1:] if left.startswith("@") else None
    below = _steps(left) if left and attribute is None else ()
    return _Step(frozenset(names.split("|")), attribute, below, wanted, unlike)
