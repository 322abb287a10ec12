"""Reckons the nodes of a rule over one record. What a null is in is not known: None. Decimals, never floats."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import ROUND_HALF_UP, Decimal, DecimalException
from typing import Any, TypeAlias

from pipkie_cli.rules.tree import COMPARISONS, Binary, Call, Literal, Name, Node, Unary, names_in

CENT = Decimal("0.01")

Known: TypeAlias = Decimal | date | datetime | time | str | bool

READERS: Mapping[str, Callable[[Any], Known]] = {  # kind -> what a JSON value of it is read as
    "number": lambda value: Decimal(str(value)),  # the shortest text of a float is what was printed
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "datetime": datetime.fromisoformat,
    "text": str,
    "condition": bool,
}


@dataclass(frozen=True, slots=True)
class Reckoner:
    """Comes to the value of a node. `row` is the row of a table that columns are taken from, None outside of rows."""

    values: Mapping[str, Any]
    kinds: Mapping[str, str]  # of every name of the rule
    row: Mapping[str, Any] | None = None
    sums: dict[int, Known | None] = field(default_factory=dict)  # what functions over rows came to, by their node

    def value(self, node: Node) -> Known | None:
        if isinstance(node, Literal):
            return node.value
        if isinstance(node, Name):
            return self.named(node)
        if isinstance(node, Call):
            return self.call(node)
        if isinstance(node, Unary):
            inner = self.value(node.operand)
            return None if inner is None else not inner if node.operator == "not" else -_number(inner)
        if node.operator in ("and", "or"):
            return self.joined(node)
        left, right = self.value(node.left), self.value(node.right)
        if left is None or right is None:
            return None
        if node.operator in COMPARISONS:
            return _compared(node.operator, left, right, self.slack(node))
        return _reckoned(node.operator, left, right)

    def named(self, name: Name) -> Known | None:
        raw = self.values.get(name.key) if name.column is None else (self.row or {}).get(name.column)
        if raw is None:
            return None
        try:
            return READERS[self.kinds[name.shown]](raw)
        except (ValueError, DecimalException):  # not a value of its type: the schema tells of that
            return None

    def rows(self, node: Node) -> Sequence[Mapping[str, Any]]:
        """The rows of the table whose column stands in `node`."""
        table = next(name.key for name in names_in(node) if name.column is not None)
        return self.values.get(table) or ()

    def call(self, call: Call) -> Known | None:
        first = call.arguments[0]
        if call.function in ("abs", "round"):
            inner = self.value(first)
            if inner is None:
                return None
            return abs(_number(inner)) if call.function == "abs" else _rounded(_number(inner), call.arguments[1:])
        if len(call.arguments) > 1:
            return _taken_together(call.function, [self.value(argument) for argument in call.arguments])
        if id(call) not in self.sums:  # the same in every row: a long table is gone through once, not once a row
            self.sums[id(call)] = self.count(first) if call.function == "count" else self.over_rows(call)
        return self.sums[id(call)]

    def over_rows(self, call: Call) -> Known | None:
        (term,) = call.arguments
        found = [Reckoner(self.values, self.kinds, row).value(term) for row in self.rows(term)]
        return _taken_together(call.function, found)

    def count(self, node: Node) -> Decimal | None:
        """The rows of a table; the rows in which a column is not null, or a condition true. None: it was not read."""
        table = next(name.key for name in names_in(node) if isinstance(node, Name) or name.column is not None)
        if self.values.get(table) is None:
            return None
        if isinstance(node, Name) and node.column is None:
            return Decimal(len(self.values[table]))
        found = (Reckoner(self.values, self.kinds, row).value(node) for row in self.rows(node))
        return Decimal(sum(one is not None and one is not False for one in found))

    def joined(self, node: Binary) -> bool | None:
        """Three-valued: false and unknown is false, true or unknown is true."""
        sides = (self.value(node.left), self.value(node.right))
        settling = node.operator == "or"
        if any(side is settling for side in sides):
            return settling
        return None if None in sides else not settling

    def slack(self, node: Binary) -> Decimal:
        """The tolerance of a comparison: a cent per summand of the longer side, or what the rule says.

        Printed amounts are rounded, so what is reckoned from them may be off; values that are compared as they stand
        may not.
        """
        if node.within is not None:
            return node.within
        if not any(isinstance(side, Binary | Call | Unary) for side in (node.left, node.right)):
            return Decimal(0)
        return CENT * max(self.summands(node.left), self.summands(node.right))

    def summands(self, node: Node) -> int:
        """How many printed numbers are added up in a node; sum() has as many as there are rows."""
        if isinstance(node, Name):
            return 1 if self.kinds[node.shown] == "number" else 0
        if isinstance(node, Unary):
            return self.summands(node.operand)
        if isinstance(node, Binary):
            sides = (self.summands(node.left), self.summands(node.right))
            return sum(sides) if node.operator in ("+", "-") else max(sides)
        if isinstance(node, Literal) or node.function == "count":
            return 0
        most = max(map(self.summands, node.arguments))
        return most * len(self.rows(node.arguments[0])) if node.function == "sum" else most


def _taken_together(function: str, found: Sequence[Known | None]) -> Known | None:
    """Sum, smallest or largest; None where nothing was read, or not all of it."""
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found):
        return None
    if function == "sum":
        return sum(map(_number, known), Decimal(0))
    return min(known) if function == "min" else max(known)


def _number(value: Known) -> Decimal:
    assert isinstance(value, Decimal)  # kinds.py has seen to it
    return value


def _rounded(number: Decimal, places: Sequence[Node]) -> Decimal | None:
    """To whole numbers or as many places, halves away from zero, as on paper."""
    digits = int(_number(places[0].value)) if places and isinstance(places[0], Literal) else 0
    try:
        return number.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    except DecimalException:  # more digits than are kept
        return None


def _reckoned(operator: str, left: Known, right: Known) -> Decimal | None:
    """Four operations; two dates are subtracted to days. None for what cannot be divided."""
    if isinstance(left, date) and isinstance(right, date):
        return Decimal((left - right).days)
    one, other = _number(left), _number(right)
    try:
        if operator == "+":
            return one + other
        if operator == "-":
            return one - other
        return one * other if operator == "*" else one / other
    except DecimalException:
        return None


def _compared(operator: str, left: Known, right: Known, slack: Decimal) -> bool:
    if operator == "!=":
        return left != right
    if not isinstance(left, Decimal):
        if operator == "==":
            return left == right
        lower, higher = (left, right) if operator in ("<", "<=") else (right, left)
        return lower < higher or (operator in ("<=", ">=") and left == right)  # type: ignore[operator]
    over = left - _number(right)
    if operator == "==":
        return abs(over) <= slack
    over = over if operator in ("<", "<=") else -over
    return over <= slack if operator in ("<=", ">=") else over < slack
