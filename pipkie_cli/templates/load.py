"""One YAML file -> one `Template`. Every scalar is read as a string, every fault names file and line.

`load_nodes.py` composes the YAML, `load_fields.py` reads texts and lists off its nodes, `load_keys.py` the keys.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import yaml

from pipkie_cli.nouns import Key, Locale, Template
from pipkie_cli.rules import RuleError, parse_rule
from pipkie_cli.templates.load_fields import shortened
from pipkie_cli.templates.load_keys import KeyFields
from pipkie_cli.templates.load_nodes import read_nodes

MAX_RULES = 100

CURRENCY_CODE = re.compile(r"[A-Z]{3}")
LANGUAGE_CODE = re.compile(r"[a-z]{2,3}")

MIN_PIXELS, MAX_PIXELS = 10_000, 16_000_000  # of one page for models that read pixels; no raster has more

TOP_FIELDS = ("name", "title", "detect", "locale", "keys", "rules", "max_pixels")
DETECT_FIELDS = ("words", "not", "print")
LOCALE_FIELDS = ("languages", "dates", "decimal", "currency")
PRINTS: dict[str, Literal["narrow"]] = {"narrow": "narrow"}
DATE_ORDERS: dict[str, Literal["dmy", "mdy", "ymd"]] = {"dmy": "dmy", "mdy": "mdy", "ymd": "ymd"}
FIRST_FIELDS = ("name", "type", "prompt", "aliases", "required", "description")  # those that every key has
DECIMAL_MARKS: dict[str, Literal[".", ","]] = {".": ".", ",": ","}


def load_template(path: Path) -> Template:
    """Read and check one template file; raises TemplateError with file, line and what to do."""
    return _Reader(path).template(read_nodes(path))


@dataclass(frozen=True, slots=True)
class _Reader(KeyFields):
    """Walks the nodes of one file."""

    def template(self, root: yaml.Node) -> Template:
        fields = self.fields(root, "the template", TOP_FIELDS)
        for needed in ("name", "keys"):
            if needed not in fields:
                example = "name: supplier_invoice" if needed == "name" else "keys: {invoice_number: text}"
                raise self.fail(root, f"the template has no {needed}:", hint=f"add a line such as {example}")
        name = self.name(fields["name"], self.text(fields["name"], "name"), "the template's name")
        detect = self.fields(fields["detect"], "detect", DETECT_FIELDS) if "detect" in fields else {}
        keys = self.keys(fields["keys"])
        template = Template(
            name=name,
            title=self.text(fields["title"], "title") if "title" in fields else name.replace("_", " ").capitalize(),
            keys=keys,
            locale=self.locale(fields["locale"]) if "locale" in fields else Locale(),
            detect_words=self.texts(detect["words"], "detect words") if "words" in detect else (),
            detect_not=self.texts(detect["not"], "detect not") if "not" in detect else (),
            detect_print=self.choice(detect["print"], "detect print", PRINTS) if "print" in detect else None,
            digest="",
            origin=str(self.path),
            rules=self.rules(fields["rules"], keys) if "rules" in fields else (),
            max_pixels=self.number(fields["max_pixels"], "max_pixels", MIN_PIXELS, MAX_PIXELS)
            if "max_pixels" in fields
            else None,
        )
        return replace(template, digest=_digest(template))

    def rules(self, node: yaml.Node, keys: Sequence[Key]) -> tuple[str, ...]:
        """Each as written, but for blanks; each fits the keys."""
        rules = self.texts(node, "rules", MAX_RULES)
        for item in node.value:
            rule = self.text(item, "a rule")
            try:
                parse_rule(rule, keys)
            except RuleError as error:
                raise self.fail(item, f"the rule {rule[:60]}: {error.message}", hint=error.hint) from error
        return rules

    def locale(self, node: yaml.Node) -> Locale:
        fields = {
            name: value
            for name, value in self.fields(node, "locale", LOCALE_FIELDS).items()
            if not self.not_given(value)
        }
        languages = self.texts(fields["languages"], "languages") if "languages" in fields else ()
        for language in languages:
            if not LANGUAGE_CODE.fullmatch(language):
                raise self.fail(
                    fields["languages"],
                    f'"{shortened(language)}" is not a language code',
                    hint="use two-letter codes such as [en, de, fr]",
                )
        currency = self.text(fields["currency"], "currency") if "currency" in fields else None
        if currency is not None and not CURRENCY_CODE.fullmatch(currency):
            raise self.fail(
                fields["currency"],
                f'"{shortened(currency)}" is not a currency code',
                hint="use the three-letter code such as EUR, or null to decide from the document",
            )
        return Locale(
            languages=languages,
            dates=self.choice(fields["dates"], "dates", DATE_ORDERS) if "dates" in fields else None,
            decimal=self.choice(fields["decimal"], "decimal", DECIMAL_MARKS) if "decimal" in fields else None,
            currency=currency,
        )


def _digest(template: Template) -> str:
    """First 12 hex digits of the SHA-256 of what the template says: layout, comments, order of fields don't matter.

    What a template has not (rules, tables, choices, patterns, terms) leaves no trace: its digest is what it was before
    templates could have it.
    """
    content: dict[str, Any] = {
        "name": template.name,
        "title": template.title,
        "keys": [_content(key) for key in template.keys],  # a list: the order of keys is the order of the record
        "locale": asdict(template.locale),
        "detect": {"words": list(template.detect_words), "not": list(template.detect_not)},
    }
    if template.detect_print:
        content["detect"]["print"] = template.detect_print
    if template.rules:
        content["rules"] = list(template.rules)
    if template.max_pixels:
        content["max_pixels"] = template.max_pixels
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]


def _content(key: Key) -> dict[str, Any]:
    """A key for the digest."""
    content: dict[str, Any] = {field: getattr(key, field) for field in FIRST_FIELDS}
    added = {
        "columns": [_content(column) for column in key.columns],
        "choices": [(choice.value, choice.printed) for choice in key.choices],
        "pattern": key.pattern,
        "term": key.term,
    }
    return content | {name: value for name, value in added.items() if value}
