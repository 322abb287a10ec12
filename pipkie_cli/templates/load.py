"""One YAML file -> one `Template`. Every scalar is read as a string, every fault names file and line."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, TypeVar

import yaml

from pipkie_cli import __version__
from pipkie_cli.errors import TemplateError
from pipkie_cli.nouns import Key, Locale, Template
from pipkie_cli.templates.load_nodes import read_nodes

MAX_KEYS = 500
MAX_COLUMNS = 20  # of one table: every printed row of a page is asked for each of them
MAX_LIST = 200  # aliases of one key, cue words of one template
MAX_TEXT = 300  # characters of one prompt, alias or cue
MAX_DESCRIPTION = 2000
MAX_NAME = 64

NAME = re.compile(r"[a-z][a-z0-9_]*")
CURRENCY_CODE = re.compile(r"[A-Z]{3}")
LANGUAGE_CODE = re.compile(r"[a-z]{2,3}")

TOP_FIELDS = ("name", "title", "detect", "locale", "keys")
DETECT_FIELDS = ("words", "not")
LOCALE_FIELDS = ("languages", "dates", "decimal", "currency")
KEY_FIELDS = ("type", "prompt", "aliases", "required", "description", "columns")
LATER_FIELDS = ("rules", "choices", "pattern")  # stated in the design, not built yet: refused, never ignored
LATER_TYPES = {  # stated in the design, not built yet: what serves until then
    "time": "text", "datetime": "text", "integer": "number", "percent": "number", "email": "text", "phone": "text",
    "url": "text", "iban": "text", "bic": "text", "tax_id": "text", "country": "text", "choice": "text",
    "boolean": "text",
}  # fmt: skip

TABLE = "table"  # the type of a key that has columns; a value of it is a list of rows

DATE_ORDERS: dict[str, Literal["dmy", "mdy", "ymd"]] = {"dmy": "dmy", "mdy": "mdy", "ymd": "ymd"}
DECIMAL_MARKS: dict[str, Literal[".", ","]] = {".": ".", ",": ","}
NO_TEXT = ("Cc", "Cs")  # control characters and halves of characters: YAML takes them as escapes, no writer does
TRUTH = {"true": True, "yes": True, "false": False, "no": False}
EMPTY = ("", "~", "null")  # a plain scalar that means: not given

T = TypeVar("T")


def load_template(path: Path) -> Template:
    """Read and check one template file; raises TemplateError with file, line and what to do."""
    return _Reader(path).template(read_nodes(path))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Walks the nodes of one file. The path is for messages only."""

    path: Path

    def fail(self, node: yaml.Node, message: str, hint: str) -> TemplateError:
        return TemplateError(f"{self.path}:{node.start_mark.line + 1}: {message}", hint=hint)

    def template(self, root: yaml.Node) -> Template:
        fields = self.fields(root, "the template", TOP_FIELDS)
        for needed in ("name", "keys"):
            if needed not in fields:
                example = "name: supplier_invoice" if needed == "name" else "keys: {invoice_number: text}"
                raise self.fail(root, f"the template has no {needed}:", hint=f"add a line such as {example}")
        name = self.name(fields["name"], self.text(fields["name"], "name"), "the template's name")
        title = self.text(fields["title"], "title") if "title" in fields else name.replace("_", " ").capitalize()
        detect = self.fields(fields["detect"], "detect", DETECT_FIELDS) if "detect" in fields else {}
        locale = self.locale(fields["locale"]) if "locale" in fields else Locale()
        keys = self.keys(fields["keys"])
        words = self.texts(detect["words"], "detect words") if "words" in detect else ()
        not_words = self.texts(detect["not"], "detect not") if "not" in detect else ()
        return Template(
            name=name,
            title=title,
            keys=keys,
            locale=locale,
            detect_words=words,
            detect_not=not_words,
            digest=_digest(name, title, keys, locale, words, not_words),
            origin=str(self.path),
        )

    def keys(self, node: yaml.Node) -> tuple[Key, ...]:
        entries = self.mapping(node, "keys")
        if not entries:
            raise self.fail(node, "keys: is empty", hint="add at least one key, such as invoice_number: text")
        if len(entries) > MAX_KEYS:
            raise self.fail(node, f"more than {MAX_KEYS} keys", hint="split it into several templates")
        return tuple(self.key(name_node, value) for name_node, value in entries)

    def key(self, name_node: yaml.ScalarNode, node: yaml.Node, table: str = "") -> Key:
        """One key; with `table` a column of it."""
        name = self.name(name_node, str(name_node.value), "a column's name" if table else "a key's name")
        what = f'column "{name}" of table "{table}"' if table else f'key "{name}"'
        prompt = name.replace("_", " ")
        if isinstance(node, yaml.ScalarNode):
            type_name = self.type_name(what, name, node, table)
            return Key(name, type_name, prompt, columns=self.columns(name, name_node, {}) if type_name == TABLE else ())
        fields = self.fields(node, what, KEY_FIELDS)
        if "type" not in fields:
            types = _known_types(table)
            raise self.fail(name_node, f"{what} has no type", hint=f"add type: text (or {_listed(types[1:])})")
        type_name = self.type_name(what, name, fields["type"], table)
        if "columns" in fields and type_name != TABLE:
            hint = "leave them out: tables are not nested" if table else "write type: table"
            raise self.fail(fields["columns"], f"{what} has columns, but its type is {type_name}", hint=hint)
        return Key(
            name=name,
            type=type_name,
            prompt=self.text(fields["prompt"], "prompt") if "prompt" in fields else prompt,
            aliases=self.texts(fields["aliases"], "aliases") if "aliases" in fields else (),
            required=self.choice(fields["required"], "required", TRUTH) if "required" in fields else False,
            description=self.text(fields["description"], "description", MAX_DESCRIPTION)
            if "description" in fields
            else "",
            columns=self.columns(name, name_node, fields) if type_name == TABLE else (),
        )

    def columns(self, name: str, name_node: yaml.Node, fields: Mapping[str, yaml.Node]) -> tuple[Key, ...]:
        """The columns of a table."""
        if "columns" not in fields:
            hint = f"write {name}: {{type: table, columns: {{description: text, amount: amount}}}}"
            raise self.fail(name_node, f'table "{name}" has no columns', hint=hint)
        if "aliases" in fields:
            hint = "give aliases to its columns: the labels printed in the header of each"
            raise self.fail(fields["aliases"], f'table "{name}" cannot have aliases', hint=hint)
        node = fields["columns"]
        entries = self.mapping(node, f'the columns of "{name}"')
        if not entries:
            raise self.fail(node, f'the columns of "{name}" are empty', hint="add at least one, such as amount: amount")
        if len(entries) > MAX_COLUMNS:
            hint = "keep those that you need, or make two tables"
            raise self.fail(node, f'"{name}" has more than {MAX_COLUMNS} columns', hint=hint)
        return tuple(self.key(column, value, table=name) for column, value in entries)

    def type_name(self, what: str, name: str, node: yaml.Node, table: str) -> str:
        """The type of the key or column that messages call `what`."""
        type_name = str(self.scalar(node, f"the type of {what}").value).strip()
        known = _known_types(table)
        if type_name in known:
            return type_name
        if type_name in EMPTY:
            raise self.fail(node, f"{what} has no type", hint=f"write {name}: text (or {_listed(known[1:])})")
        if type_name == TABLE:
            hint = "a column holds one value a row: make this table a key of its own"
            raise self.fail(node, f"{what} cannot be a table itself", hint=hint)
        if type_name in LATER_TYPES:
            message = f"the type {type_name} of {what} does not exist in pipkie {__version__} yet"
            raise self.fail(node, message, hint=f"use type: {LATER_TYPES[type_name]} for now")
        raise self.fail(node, f'unknown type "{_shortened(type_name)}" of {what}', hint=_suggest(type_name, known))

    def locale(self, node: yaml.Node) -> Locale:
        fields = {
            name: value
            for name, value in self.fields(node, "locale", LOCALE_FIELDS).items()
            if not (isinstance(value, yaml.ScalarNode) and value.style is None and value.value in EMPTY)
        }
        languages = self.texts(fields["languages"], "languages") if "languages" in fields else ()
        for language in languages:
            if not LANGUAGE_CODE.fullmatch(language):
                raise self.fail(
                    fields["languages"],
                    f'"{_shortened(language)}" is not a language code',
                    hint="use two-letter codes such as [en, de, fr]",
                )
        currency = self.text(fields["currency"], "currency") if "currency" in fields else None
        if currency is not None and not CURRENCY_CODE.fullmatch(currency):
            raise self.fail(
                fields["currency"],
                f'"{_shortened(currency)}" is not a currency code',
                hint="use the three-letter code such as EUR, or null to decide from the document",
            )
        return Locale(
            languages=languages,
            dates=self.choice(fields["dates"], "dates", DATE_ORDERS) if "dates" in fields else None,
            decimal=self.choice(fields["decimal"], "decimal", DECIMAL_MARKS) if "decimal" in fields else None,
            currency=currency,
        )

    def fields(self, node: yaml.Node, owner: str, allowed: tuple[str, ...]) -> dict[str, yaml.Node]:
        """The fields of a mapping by name; an unknown one is an error with a suggestion."""
        found: dict[str, yaml.Node] = {}
        for name_node, value in self.mapping(node, owner):
            name = name_node.value
            if name not in allowed and name in LATER_FIELDS:
                raise self.fail(
                    name_node, f"{name}: does not exist in pipkie {__version__} yet", hint="leave it out for now"
                )
            if name not in allowed:
                raise self.fail(
                    name_node, f'unknown field "{_shortened(name)}" of {owner}', hint=_suggest(name, allowed)
                )
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
                    f'"{_shortened(name)}" stands twice in {what} (first in line {lines[name]})',
                    hint="keep one of them",
                )
            lines[name] = line
            entries.append((name_node, value))
        return entries

    def scalar(self, node: yaml.Node, what: str) -> yaml.ScalarNode:
        if not isinstance(node, yaml.ScalarNode):
            raise self.fail(node, f"{what} must be one piece of text, not a list or mapping", hint="write it in quotes")
        if node.tag != "tag:yaml.org,2002:str":
            tag = _shortened(node.tag)
            raise self.fail(node, f"{what} has a YAML tag ({tag})", hint="delete the tag: all values are text")
        if any(unicodedata.category(char) in NO_TEXT and not char.isspace() for char in node.value):
            raise self.fail(node, f"{what} holds a character that no text has", hint="delete its escape (such as \\0)")
        return node

    def text(self, node: yaml.Node, what: str, limit: int = MAX_TEXT) -> str:
        text = " ".join(unicodedata.normalize("NFC", self.scalar(node, what).value).split())
        if not text:
            raise self.fail(node, f"{what} is empty", hint=f"write a text, or leave {what} out")
        if len(text) > limit:
            raise self.fail(node, f"{what} is longer than {limit} characters", hint="shorten it")
        return text

    def texts(self, node: yaml.Node, what: str) -> tuple[str, ...]:
        if not isinstance(node, yaml.SequenceNode) or node.tag != "tag:yaml.org,2002:seq":
            raise self.fail(node, f"{what} must be a list", hint="write [one] or [one, another]")
        if len(node.value) > MAX_LIST:
            raise self.fail(node, f"{what} has more than {MAX_LIST} entries", hint="keep the commonest ones")
        return tuple(dict.fromkeys(self.text(item, f"an entry of {what}") for item in node.value))

    def name(self, node: yaml.Node, text: str, what: str) -> str:
        if NAME.fullmatch(text) and len(text) <= MAX_NAME:
            return text
        plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
        better = re.sub(r"[^a-z0-9]+", "_", plain).strip("_0123456789")[:MAX_NAME]
        raise self.fail(
            node,
            f'"{text[:MAX_NAME]}" cannot be {what}: lower case letters, digits and underscores, at most {MAX_NAME}',
            hint=f"write {better}" if better else "begin with a letter a to z",
        )

    def choice(self, node: yaml.Node, what: str, choices: Mapping[str, T]) -> T:
        text = self.scalar(node, what).value.strip()
        if text not in choices:
            raise self.fail(node, f'{what} cannot be "{text[:40]}"', hint=f"write {_listed(tuple(choices))}")
        return choices[text]


def _known_types(table: str = "") -> tuple[str, ...]:
    """The types that a key can have, or a column of `table`."""
    from pipkie_cli.values import TYPES

    return tuple(TYPES) if table else (*TYPES, TABLE)


def _shortened(text: str) -> str:
    """A word of the file as a message can show it."""
    return text if len(text) <= MAX_NAME else f"{text[:MAX_NAME]}..."


def _suggest(name: str, known: Sequence[str]) -> str:
    close = get_close_matches(name[:MAX_NAME].strip().lower(), known, n=1, cutoff=0.6)
    return f'did you mean "{close[0]}"?' if close else f"use {_listed(known)}"


def _listed(names: Sequence[str]) -> str:
    """`a, b or c`"""
    return " or ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _digest(
    name: str, title: str, keys: Sequence[Key], locale: Locale, words: Sequence[str], not_words: Sequence[str]
) -> str:
    """First 12 hex digits of the SHA-256 of what the template says: layout, comments, order of fields don't matter."""
    content = {
        "name": name,
        "title": title,
        "keys": [_content(key) for key in keys],  # a list: the order of keys is the order of the record
        "locale": asdict(locale),
        "detect": {"words": list(words), "not": list(not_words)},
    }
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]


def _content(key: Key) -> dict[str, Any]:
    """A key for the digest. `columns` stands in those of tables only: other templates keep the digest that they had."""
    content = asdict(replace(key, columns=()))
    del content["columns"]
    return content | ({"columns": [_content(column) for column in key.columns]} if key.columns else {})
