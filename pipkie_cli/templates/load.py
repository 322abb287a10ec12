"""One YAML file -> one `Template`. Every scalar is read as a string, every fault names file and line.

`yaml.safe_load` would turn a Norwegian `no:` into False, `12:30` into 750, `0123` into 83, and keep the last of two
equal keys. So the loader composes nodes without implicit resolvers and reads them by hand.
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, TypeVar

import yaml

from pipkie_cli import __version__
from pipkie_cli.errors import TemplateError
from pipkie_cli.nouns import Key, Locale, Template

MAX_FILE_BYTES = 256 * 1024  # a template of 500 keys with 20 aliases each has 150 kB
MAX_DEPTH = 10  # the deepest legal place is a column of a table: 6
MAX_NODES = 20_000  # scalars, lists and mappings of one file
MAX_KEYS = 500
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
KEY_FIELDS = ("type", "prompt", "aliases", "required", "description")
LATER_FIELDS = ("rules", "columns", "choices", "pattern")  # stated in the design, not built yet: refused, never ignored
LATER_TYPES = {  # stated in the design, not built yet: what serves until then
    "time": "text", "datetime": "text", "integer": "number", "percent": "number", "email": "text", "phone": "text",
    "url": "text", "iban": "text", "bic": "text", "tax_id": "text", "country": "text", "choice": "text",
    "boolean": "text", "table": "",
}  # fmt: skip

DATE_ORDERS: dict[str, Literal["dmy", "mdy", "ymd"]] = {"dmy": "dmy", "mdy": "mdy", "ymd": "ymd"}
DECIMAL_MARKS: dict[str, Literal[".", ","]] = {".": ".", ",": ","}
NO_TEXT = ("Cc", "Cs")  # control characters and halves of characters: YAML takes them as escapes, no writer does
TRUTH = {"true": True, "yes": True, "false": False, "no": False}
EMPTY = ("", "~", "null")  # a plain scalar that means: not given

T = TypeVar("T")


class _TemplateLoader(yaml.SafeLoader):
    """A SafeLoader for which every scalar is a string, and which refuses what would make the tree deep or endless.

    Events come one by one while the tree is built, so a bomb is never unfolded.
    """

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012  (PyYAML's own form)

    def __init__(self, text: str, path: Path) -> None:
        super().__init__(text)
        self.path = path
        self.depth = self.count = 0

    def get_event(self) -> yaml.Event:
        event: yaml.Event = super().get_event()  # type: ignore[no-untyped-call]
        where = f"{self.path}:{event.start_mark.line + 1 if event.start_mark else 1}"
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise TemplateError(
                f"{where}: anchors (&) and references (*) are not allowed in a template",
                hint="write the value out, or put it in quotes if it is text",
            )
        self.depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        self.count += 1
        if self.depth > MAX_DEPTH:
            raise TemplateError(f"{where}: nested more than {MAX_DEPTH} deep", hint="a template needs 4 levels at most")
        if self.count > MAX_NODES:
            raise TemplateError(f"{where}: more than {MAX_NODES} entries", hint="split it into several templates")
        return event


def load_template(path: Path) -> Template:
    """Read and check one template file; raises TemplateError with file, line and what to do."""
    return _Reader(path).template(_compose(path, _read_text(path)))


def _read_text(path: Path) -> str:
    try:
        if not path.is_file():
            what = (
                "is a folder" if path.is_dir() else "does not exist" if not path.exists() else "is not a regular file"
            )
            hint = "name a .yaml file in it, or give it as --templates" if path.is_dir() else "check the path"
            raise TemplateError(f"{path} {what}", hint=hint)
        if path.stat().st_size > MAX_FILE_BYTES:
            raise TemplateError(
                f"{path} is larger than {MAX_FILE_BYTES // 1024} kB, the limit of a template",
                hint="split it into several templates",
            )
        raw = path.read_bytes()
    except OSError as error:
        raise TemplateError(f"{path} cannot be read: {error.strerror}", hint="check its permissions") from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise TemplateError(f"{path}:{line}: not UTF-8 text", hint="save the file as UTF-8") from error


def _compose(path: Path, text: str) -> yaml.Node:
    """The tree of the file's only YAML document, within limits on depth and size."""
    try:
        root = _TemplateLoader(text, path).get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{path}:{mark.line + 1}" if mark else str(path)
        problem = error.problem or "unreadable"
        if "\\t" in problem:
            hint = "indent with spaces, not with tabs"
        elif "single document" in (error.context or ""):
            problem, hint = "a second YAML document begins", "keep one template per file"
        else:
            hint = "look at this line and the one above: indentation, quotes, brackets, a blank after the colon"
        raise TemplateError(f"{where}: not valid YAML ({problem})", hint=hint) from error
    except (ValueError, OverflowError) as error:  # PyYAML hands "\UFFFFFFFF" to chr() as it is
        hint = "look at the escapes (\\U...) in texts in double quotes"
        raise TemplateError(f"{path} has an escape that stands for no character", hint=hint) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise TemplateError(f"{path}:{line}: a character that YAML does not allow", hint="delete it") from error
    if root is None:
        raise TemplateError(f"{path} is empty", hint="write at least name: and keys:")
    return root


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

    def key(self, name_node: yaml.ScalarNode, node: yaml.Node) -> Key:
        name = self.name(name_node, str(name_node.value), "a key's name")
        prompt = name.replace("_", " ")
        if isinstance(node, yaml.ScalarNode):
            return Key(name=name, type=self.type_name(name, node), prompt=prompt)
        fields = self.fields(node, f'key "{name}"', KEY_FIELDS)
        if "type" not in fields:
            raise self.fail(
                name_node, f'key "{name}" has no type', hint=f"add type: text (or {_listed(_known_types()[1:])})"
            )
        return Key(
            name=name,
            type=self.type_name(name, fields["type"]),
            prompt=self.text(fields["prompt"], "prompt") if "prompt" in fields else prompt,
            aliases=self.texts(fields["aliases"], "aliases") if "aliases" in fields else (),
            required=self.choice(fields["required"], "required", TRUTH) if "required" in fields else False,
            description=self.text(fields["description"], "description", MAX_DESCRIPTION)
            if "description" in fields
            else "",
        )

    def type_name(self, key: str, node: yaml.Node) -> str:
        name = str(self.scalar(node, f'the type of key "{key}"').value).strip()
        known = _known_types()
        if name in known:
            return name
        if name in EMPTY:
            raise self.fail(node, f'key "{key}" has no type', hint=f"write {key}: text (or {_listed(known[1:])})")
        if name in LATER_TYPES:
            instead = LATER_TYPES[name]
            raise self.fail(
                node,
                f'the type {name} of key "{key}" does not exist in pipkie {__version__} yet',
                hint=f"use type: {instead} for now" if instead else "leave this key out for now",
            )
        raise self.fail(node, f'unknown type "{_shortened(name)}" of key "{key}"', hint=_suggest(name, known))

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


def _known_types() -> tuple[str, ...]:
    from pipkie_cli.values import TYPES

    return tuple(TYPES)


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
        "keys": [asdict(key) for key in keys],  # a list: the order of keys is the order of the record
        "locale": asdict(locale),
        "detect": {"words": list(words), "not": list(not_words)},
    }
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]
