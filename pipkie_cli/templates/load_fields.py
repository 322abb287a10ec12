"""Nodes -> texts, lists, fields and choices of one file, each checked; every fault names file and line."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

import yaml

from pipkie_cli.errors import TemplateError

MAX_LIST = 200  # aliases of one key, cue words of one template
MAX_TEXT = 300  # characters of one prompt, alias or cue
MAX_NAME = 64

NAME = re.compile(r"[a-z][a-z0-9_]*")
NO_TEXT = ("Cc", "Cs")  # control characters and halves of characters: YAML takes them as escapes, no writer does
EMPTY = ("", "~", "null")  # a plain scalar that means: not given

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Fields:
    """Reads the nodes of one file. The path is for messages only."""

    path: Path

    def fail(self, node: yaml.Node, message: str, hint: str) -> TemplateError:
        return TemplateError(f"{self.path}:{node.start_mark.line + 1}: {message}", hint=hint)

    def fields(self, node: yaml.Node, owner: str, allowed: tuple[str, ...]) -> dict[str, yaml.Node]:
        """The fields of a mapping by name; an unknown one is an error with a suggestion."""
        found: dict[str, yaml.Node] = {}
        for name_node, value in self.mapping(node, owner):
            name = name_node.value
            if name not in allowed:
                raise self.fail(name_node, f'unknown field "{shortened(name)}" of {owner}', hint=suggest(name, allowed))
            found[name] = value
        return found

    def mapping(self, node: yaml.Node, what: str) -> list[tuple[yaml.ScalarNode, yaml.Node]]:
        if not isinstance(node, yaml.MappingNode) or node.tag != "tag:yaml.org,2002:map":
            raise self.fail(node, f"{what} must be a mapping of name: value lines", hint="see `pipkie templates show`")
        lines: dict[str, int] = {}
        entries = []
        for name_node, value in node.value:
            name = self.scalar(name_node, f"a name in {what}").value
            line = name_node.start_mark.line + 1
            if name in lines:
                raise self.fail(
                    name_node,
                    f'"{shortened(name)}" stands twice in {what} (first in line {lines[name]})',
                    hint="keep one of them",
                )
            lines[name] = line
            entries.append((name_node, value))
        return entries

    def scalar(self, node: yaml.Node, what: str) -> yaml.ScalarNode:
        if not isinstance(node, yaml.ScalarNode):
            raise self.fail(node, f"{what} must be one piece of text, not a list or mapping", hint="write it in quotes")
        if node.tag != "tag:yaml.org,2002:str":
            tag = shortened(node.tag)
            raise self.fail(node, f"{what} has a YAML tag ({tag})", hint="delete the tag: all values are text")
        if not node.value.isprintable() and any(map(_is_no_text, node.value)):
            raise self.fail(node, f"{what} holds a character that no text has", hint="delete its escape (such as \\0)")
        return node

    def not_given(self, node: yaml.Node) -> bool:
        """Whether a node says null: a plain null, ~ or nothing at all, not a text in quotes."""
        return isinstance(node, yaml.ScalarNode) and not node.style and node.value in EMPTY

    def text(self, node: yaml.Node, what: str, limit: int = MAX_TEXT) -> str:
        text = " ".join(unicodedata.normalize("NFC", self.scalar(node, what).value).split())
        if not text:
            raise self.fail(node, f"{what} is empty", hint=f"write a text, or leave {what} out")
        if len(text) > limit:
            raise self.fail(node, f"{what} is longer than {limit} characters", hint="shorten it")
        return text

    def texts(self, node: yaml.Node, what: str, limit: int = MAX_LIST) -> tuple[str, ...]:
        if not isinstance(node, yaml.SequenceNode) or node.tag != "tag:yaml.org,2002:seq":
            raise self.fail(node, f"{what} must be a list", hint="write [one] or [one, another]")
        if len(node.value) > limit:
            raise self.fail(node, f"{what} has more than {limit} entries", hint="keep the commonest ones")
        return tuple(dict.fromkeys(self.text(item, f"an entry of {what}") for item in node.value))

    def number(self, node: yaml.Node, what: str, least: int, most: int) -> int:
        text = self.scalar(node, what).value.strip().replace("_", "")
        if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most):
            raise self.fail(node, f'{what} cannot be "{text[:40]}"', hint=f"write a number from {least} to {most}")
        return int(text)

    def name(self, node: yaml.Node, text: str, what: str) -> str:
        if fault := name_fault(text, what):
            raise self.fail(node, *fault)
        return text

    def choice(self, node: yaml.Node, what: str, choices: Mapping[str, T]) -> T:
        text = self.scalar(node, what).value.strip()
        if text not in choices:
            raise self.fail(node, f'{what} cannot be "{text[:40]}"', hint=f"write {listed(tuple(choices))}")
        return choices[text]


def _is_no_text(char: str) -> bool:
    return unicodedata.category(char) in NO_TEXT and not char.isspace()


def name_fault(text: str, what: str) -> tuple[str, str] | None:
    """Why `text` cannot be `what` ("a key's name"), and what to write instead; None where it can."""
    if NAME.fullmatch(text) and len(text) <= MAX_NAME:
        return None
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    better = re.sub(r"[^a-z0-9]+", "_", plain).strip("_0123456789")[:MAX_NAME]
    message = f'"{text[:MAX_NAME]}" cannot be {what}: lower case letters, digits and underscores, at most {MAX_NAME}'
    return message, f"write {better}" if better else "begin with a letter a to z"


def shortened(text: str) -> str:
    """A word of the file as a message can show it."""
    return text if len(text) <= MAX_NAME else f"{text[:MAX_NAME]}..."


def suggest(name: str, known: Sequence[str]) -> str:
    close = get_close_matches(name[:MAX_NAME].strip().lower(), known, n=1, cutoff=0.6)
    return f'did you mean "{close[0]}"?' if close else f"use {listed(known)}"


def listed(names: Sequence[str]) -> str:
    """`a, b or c`"""
    return " or ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
