"""The `keys:` of a template file: what is asked, of which type, in which words, and what a value must be."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import yaml

from pipkie_cli.nouns import Choice, Key
from pipkie_cli.templates.load_fields import EMPTY, MAX_LIST, Fields, listed, shortened, suggest
from pipkie_cli.templates.pattern import pattern_fault

MAX_KEYS = 500
MAX_COLUMNS = 20  # of one table: every printed row of a page is asked for each of them
MAX_DESCRIPTION = 2000

KEY_FIELDS = ("type", "prompt", "aliases", "required", "description", "columns", "choices", "pattern", "term")
TERM = re.compile(r"BT-[1-9][0-9]{0,2}(-[1-9])?")  # EN 16931-1, section 6: BT-1 to BT-165, BT-18-1 for its scheme
TRUTH = {"true": True, "yes": True, "false": False, "no": False}

OTHER_WORDS = {  # what other programs call a type
    "money": "amount", "price": "amount", "decimal": "number", "float": "number", "int": "integer", "string": "text",
    "str": "text", "bool": "boolean", "checkbox": "boolean", "enum": "choice", "list": "table", "timestamp": "datetime",
    "telephone": "phone", "mail": "email", "link": "url", "vat": "tax_id", "vat_id": "tax_id", "swift": "bic",
}  # fmt: skip
TABLE = "table"  # the type of a key that has columns; a value of it is a list of rows
CHOICE = "choice"  # the type of a key that has choices


@dataclass(frozen=True, slots=True)
class KeyFields(Fields):
    """Reads keys and columns."""

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
            columns = self.columns(name, name_node, {}) if type_name == TABLE else ()
            return Key(name, type_name, prompt, columns=columns, choices=self.choices(what, type_name, name_node, {}))
        fields = self.fields(node, what, KEY_FIELDS)
        if "type" not in fields:
            types = known_types(table)
            raise self.fail(name_node, f"{what} has no type", hint=f"add type: text (or {listed(types[1:])})")
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
            choices=self.choices(what, type_name, name_node, fields),
            pattern=self.pattern(what, type_name, fields["pattern"]) if "pattern" in fields else None,
            term=self.term(what, type_name, fields["term"]) if "term" in fields else None,
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
        known = known_types(table)
        if type_name in known:
            return type_name
        if type_name in EMPTY:
            raise self.fail(node, f"{what} has no type", hint=f"write {name}: text (or {listed(known[1:])})")
        if type_name == TABLE:
            hint = "a column holds one value a row: make this table a key of its own"
            raise self.fail(node, f"{what} cannot be a table itself", hint=hint)
        meant = OTHER_WORDS.get(type_name.lower())
        hint = f'did you mean "{meant}"?' if meant in known else suggest(type_name, known)
        raise self.fail(node, f'unknown type "{shortened(type_name)}" of {what}', hint=hint)

    def choices(
        self, what: str, type_name: str, name_node: yaml.Node, fields: Mapping[str, yaml.Node]
    ) -> tuple[Choice, ...]:
        """Of type `choice`: [paid, open], or each with how it may be printed, {paid: [bezahlt, payé], open: []}."""
        node = fields.get("choices")
        if type_name != CHOICE:
            if node is not None:
                hint = f"write type: {CHOICE}"
                raise self.fail(node, f"{what} has choices, but its type is {type_name}", hint=hint)
            return ()
        if node is None:
            raise self.fail(name_node, f"{what} has no choices", hint="add choices: [one, another]")
        if isinstance(node, yaml.MappingNode):
            entries = self.mapping(node, f"the choices of {what}")
            choices = tuple(Choice(self.text(value, "a choice"), self.printed(forms)) for value, forms in entries)
        else:
            choices = tuple(Choice(value) for value in self.texts(node, f"the choices of {what}"))
        if not choices:
            raise self.fail(node, f"the choices of {what} are empty", hint="write choices: [one, another]")
        if len(choices) > MAX_LIST:
            raise self.fail(node, f"{what} has more than {MAX_LIST} choices", hint="use type: text")
        from pipkie_cli.values import plain_print

        owners: dict[str, str] = {}
        for choice in choices:
            for form in (choice.value, *choice.printed):
                if not (counted := plain_print(form)):
                    raise self.fail(
                        node, f"a choice of {what} has no visible character", hint="write how it is printed"
                    )
                owner = owners.setdefault(counted, choice.value)
                if owner != choice.value:
                    message = f'"{shortened(form)}" stands for two choices of {what}'
                    hint = f'keep one of them and "{shortened(owner)}": case, accents and punctuation do not count'
                    raise self.fail(node, message, hint=hint)
        return choices

    def printed(self, node: yaml.Node) -> tuple[str, ...]:
        """How a choice is printed: a text, a list of texts, or nothing."""
        if isinstance(node, yaml.ScalarNode):
            return () if self.not_given(node) else (self.text(node, "a choice"),)
        return self.texts(node, "the printed forms of a choice")

    def pattern(self, what: str, type_name: str, node: yaml.Node) -> str:
        if not is_string(type_name):
            message = f"{what} has a pattern, but its values are no texts (type {type_name})"
            raise self.fail(node, message, hint="leave it out, or write type: text")
        pattern = self.text(node, "pattern")
        if fault := pattern_fault(pattern):
            raise self.fail(node, f"the pattern of {what} {fault}", hint="put it in single quotes: '[A-Z]{2}[0-9]+'")
        return pattern

    def term(self, what: str, type_name: str, node: yaml.Node) -> str:
        if type_name == TABLE:
            raise self.fail(node, f"{what} cannot have a term", hint="give terms to its columns")
        term = self.text(node, "term")
        if not TERM.fullmatch(term):
            message = f'"{shortened(term)}" is no business term of EN 16931'
            raise self.fail(node, message, hint="write BT-1 for the invoice number, BT-2 for its date")
        return term


def is_string(type_name: str) -> bool:
    """Whether typed values of the type are texts in a record."""
    from pipkie_cli.values import json_schema

    return type_name not in (TABLE, CHOICE) and "string" in json_schema(type_name).get("type", ())


def known_types(table: str = "") -> tuple[str, ...]:
    """The types that a key can have, or a column of `table`."""
    from pipkie_cli.values import TYPES

    return tuple(TYPES) if table else (*TYPES, TABLE)
