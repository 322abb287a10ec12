"""Tree and keys -> `Rule`: every name is a key of the template, and only what is alike is compared or reckoned with.

Kinds are number, date, time, datetime, text and condition (true or false): what a value of a type counts as here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from difflib import get_close_matches
from functools import lru_cache

from pipkie_cli.nouns import Key, Template
from pipkie_cli.rules.grammar import parse_tree
from pipkie_cli.rules.tree import COMPARISONS, Binary, Call, Literal, Name, Node, Rule, RuleError, Unary, names_in

NUMBER, DATE, TEXT, CONDITION, TABLE = "number", "date", "text", "condition", "table"
KINDS = {  # of a key's type; every other type is text
    "amount": NUMBER,
    "number": NUMBER,
    "integer": NUMBER,
    "percent": NUMBER,
    "date": DATE,
    "time": "time",
    "datetime": "datetime",
    "boolean": CONDITION,
    "table": TABLE,
}
ROWS_OR_KEYS = ("min", "max")  # of a column, or of several values; sum and count are of a column
DECIMALS = tuple("0123456")  # that round() can leave


def parse_rule(text: str, keys: Sequence[Key]) -> Rule:
    """The rule that `text` is for a template with these keys; raises RuleError with a suggestion."""
    root = parse_tree(text)
    scope = _Scope(keys)
    kind = scope.kind(root)
    if kind != CONDITION:
        raise RuleError("it compares nothing", "write a comparison such as net_total + tax == grand_total")
    if isinstance(root, Literal) or not names_in(root):
        raise RuleError("it names no key", "write a comparison such as net_total + tax == grand_total")
    return Rule(text, root, scope.table, tuple(scope.found.items()))


@lru_cache(maxsize=256)
def parsed_rules(template: Template) -> tuple[Rule, ...]:
    """The rules of a template that was checked at load, in its order; parsed once."""
    return tuple(parse_rule(text, template.keys) for text in template.rules)


@dataclass(slots=True)
class _Scope:
    """Finds the kind of every node. `table` is the one whose rows are gone through: of the rule, or within sum()."""

    keys: Sequence[Key]
    table: str | None = None
    function: str = ""  # that goes through the rows
    found: dict[str, str] = field(default_factory=dict)  # name -> kind

    def kind(self, node: Node) -> str:
        if isinstance(node, Literal):
            return _kind_of_literal(node)
        if isinstance(node, Name):
            return self.name(node)
        if isinstance(node, Call):
            return self.call(node)
        if isinstance(node, Unary):
            self.want(node.operand, NUMBER if node.operator == "-" else CONDITION, node.operator)
            return NUMBER if node.operator == "-" else CONDITION
        return self.binary(node)

    def want(self, node: Node, kind: str, user: str) -> None:
        if (found := self.kind(node)) != kind:
            raise RuleError(f"{user} takes a {kind}, not a {found}", _hint(found, kind))

    def name(self, name: Name) -> str:
        key = _named(name.key, self.keys, "key", name.shown)
        if name.column is None:
            self.found[name.shown] = _kind(key)
            return _kind(key)
        if not key.columns:
            raise RuleError(f'"{name.key}" is no table, so it has no columns', f"write {name.key}")
        column = _named(name.column, key.columns, f'column of table "{name.key}"', name.column)
        if self.table not in (None, name.key):
            message = f"{name.shown} and a column of {self.table} cannot be taken row by row together"
            raise RuleError(message, f"write sum({name.shown}) or another function over its rows")
        self.table = name.key
        self.found[name.shown] = _kind(column)
        return _kind(column)

    def call(self, call: Call) -> str:
        name, arguments = call.function, call.arguments
        if name == "round":
            self.rounding(arguments)
            return NUMBER
        if name == "abs":
            _one(name, arguments)
            self.want(arguments[0], NUMBER, "abs()")
            return NUMBER
        if name in ROWS_OR_KEYS and len(arguments) > 1:
            kinds = {self.kind(argument) for argument in arguments}
            if len(kinds) > 1 or kinds & {CONDITION, TABLE}:
                raise RuleError(f"{name}() takes values that are alike", "give it numbers only, or dates only")
            return kinds.pop()
        _one(name, arguments)
        return self.over_rows(name, arguments[0])

    def over_rows(self, name: str, argument: Node) -> str:
        """sum, count, min and max of a column, or of a term that is reckoned in every row."""
        if self.function:
            raise RuleError(f"{name}() stands inside of {self.function}()", "take it out: rows are gone through once")
        if name == "count" and isinstance(argument, Name) and argument.column is None:
            key = _named(argument.key, self.keys, "key", argument.key)
            if not key.columns:
                raise RuleError(f'"{key.name}" is no table, so it has no rows', "count(table) counts rows")
            self.found[argument.key] = TABLE
            return NUMBER
        inner = _Scope(self.keys, function=name, found=self.found)
        kind = inner.kind(argument)
        if inner.table is None:
            hint = f"write {name}(table.column)" + (f", or {name}(a, b)" if name in ROWS_OR_KEYS else "")
            raise RuleError(f"{name}() goes through rows, but no column is named in it", hint)
        if name == "sum" and kind != NUMBER:
            raise RuleError(f"sum() takes numbers, not a {kind}", "name a column of type amount or number")
        if name in ROWS_OR_KEYS and kind == CONDITION:
            raise RuleError(f"{name}() takes no conditions", "name a column")
        return NUMBER if name == "count" else kind

    def rounding(self, arguments: Sequence[Node]) -> None:
        if len(arguments) > 2:
            raise RuleError("round() takes a number, and how many decimals", "write round(a * b, 2)")
        self.want(arguments[0], NUMBER, "round()")
        digits = arguments[1] if len(arguments) == 2 else Literal(Decimal(0), 0)
        if not isinstance(digits, Literal) or str(digits.value) not in DECIMALS:
            raise RuleError("round() takes 0 to 6 decimals", "write round(a * b, 2)")

    def binary(self, node: Binary) -> str:
        if node.operator in ("and", "or"):
            for side in (node.left, node.right):
                self.want(side, CONDITION, node.operator)
            return CONDITION
        left, right = self.kind(node.left), self.kind(node.right)
        if node.operator == "-" and (left, right) == (DATE, DATE):
            return NUMBER  # of days
        if node.operator not in COMPARISONS:
            for found in (left, right):
                if found != NUMBER:
                    raise RuleError(f"{node.operator} takes a number, not a {found}", _hint(found, NUMBER))
            return NUMBER
        return _compared(node, left, right)


def _compared(node: Binary, left: str, right: str) -> str:
    if left != right or left == TABLE:
        hint = "compare numbers with numbers and dates with dates (2024-01-31)"
        raise RuleError(f"{node.operator} compares a {left} with a {right}", hint)
    if left in (TEXT, CONDITION) and node.operator not in ("==", "!="):
        raise RuleError(f"{node.operator} cannot compare a {left} with a {right}", "use == or !=")
    if node.within is not None and (left != NUMBER or node.operator == "!="):
        raise RuleError("within stands behind a comparison of numbers only", "leave it out")
    return CONDITION


def _named(name: str, keys: Sequence[Key], what: str, shown: str) -> Key:
    for key in keys:
        if key.name == name:
            return key
    close = get_close_matches(name[:64], [key.name for key in keys], n=1, cutoff=0.6)
    names = ", ".join(key.name for key in keys[:8])
    hint = f'did you mean "{close[0]}"?' if close else f"there are {names}{' ...' if len(keys) > 8 else ''}"
    raise RuleError(f'unknown {what} "{shown[:64]}"', hint)


def _kind(key: Key) -> str:
    return KINDS.get(key.type, TEXT)


def _kind_of_literal(node: Literal) -> str:
    if isinstance(node.value, bool):
        return CONDITION
    return TEXT if isinstance(node.value, str) else NUMBER if isinstance(node.value, Decimal) else DATE


def _one(name: str, arguments: Sequence[Node]) -> None:
    if len(arguments) != 1:
        raise RuleError(f"{name}() takes one value, not {len(arguments)}", f"write {name}(table.column)")


def _hint(found: str, wanted: str) -> str:
    if found == TABLE:
        return "name a column of it: table.column"
    if wanted == NUMBER and found == TEXT:
        return "give the key the type amount or number"
    return "compare it with something: a == b"
