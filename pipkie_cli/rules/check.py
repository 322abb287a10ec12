"""Rule and typed values -> outcome: holds, broken and by how much, or not checked because a null is in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, localcontext
from typing import Any, Literal

from pipkie_cli.rules.reckon import Known, Reckoner
from pipkie_cli.rules.tree import COMPARISONS, Binary, Call, Name, Node, Rule, Unary

DIGITS = 60  # of intermediate results
SHOWN_LETTERS = 40  # of a text in a message
SHOWN_PLACES = 6  # of a number in a message
OVER_ROWS = frozenset({"sum", "count", "min", "max"})


@dataclass(frozen=True, slots=True)
class Break:
    """One place where a rule does not hold: the record, or a row of a table."""

    message: str
    keys: tuple[str, ...]  # of the record that are compared there: `net_total`, `line_items[3].amount`
    difference: Decimal | None  # left side less right side, of dates in days; None where nothing can be subtracted


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a rule."""

    state: Literal["holds", "broken", "not_checked"]
    breaks: tuple[Break, ...] = ()


def check_rule(rule: Rule, values: Mapping[str, Any]) -> Outcome:
    """Whether the values keep the rule. A rule over rows is broken where one is; not checked where one is not known.

    `values` are those of a record of the rule's template: numbers, ISO 8601 texts, lists of rows, None.
    """
    rows = (values.get(rule.table) or ()) if rule.table else (None,)
    kinds = dict(rule.kinds)
    breaks: list[Break] = []
    known = bool(rows)
    with localcontext() as context:
        context.prec = DIGITS
        sums: dict[int, Known | None] = {}
        for number, row in enumerate(rows):
            reckoner = Reckoner(values, kinds, row, sums)
            held = reckoner.value(rule.root)
            known &= held is not None
            if held is False:
                breaks.append(_break(rule, reckoner, number))
    return Outcome("broken" if breaks else "holds" if known else "not_checked", tuple(breaks))


def _break(rule: Rule, reckoner: Reckoner, number: int) -> Break:
    """What to say of a rule that is false for this row, or for the record."""
    node = _false_part(rule.root, reckoner)
    in_row = reckoner.row is not None
    keys = tuple(dict.fromkeys(_keys(node, number if in_row else None)))
    where = f" in row {number + 1}" if in_row else ""
    message = f"the rule {rule.text} does not hold{where}"
    if not isinstance(node, Binary) or node.operator not in COMPARISONS:
        return Break(message, keys, None)
    left, right = reckoner.value(node.left), reckoner.value(node.right)
    assert left is not None  # else the rule would not be known to be false
    assert right is not None
    difference = _difference(left, right)
    unit = " days" if isinstance(left, date) else ""
    by = "" if difference is None else f", by {_shown(abs(difference))}{unit}"
    return Break(f"{message}{by} ({_shown(left)} {node.operator} {_shown(right)})", keys, difference)


def _false_part(node: Node, reckoner: Reckoner) -> Node:
    """Of conditions that are joined by `and`, the first that is false."""
    while isinstance(node, Binary) and node.operator == "and":
        node = node.left if reckoner.value(node.left) is False else node.right
    return node


def _keys(node: Node, row: int | None) -> list[str]:
    """The keys and cells that a node names; of what goes over all rows, the table."""
    if isinstance(node, Name):
        return [node.key if node.column is None or row is None else f"{node.key}[{row}].{node.column}"]
    if isinstance(node, Call):
        inside = None if len(node.arguments) == 1 and node.function in OVER_ROWS else row
        return [key for argument in node.arguments for key in _keys(argument, inside)]
    if isinstance(node, Unary):
        return _keys(node.operand, row)
    return [*_keys(node.left, row), *_keys(node.right, row)] if isinstance(node, Binary) else []


def _difference(left: Known, right: Known) -> Decimal | None:
    if isinstance(left, Decimal) and isinstance(right, Decimal):
        return left - right
    if type(left) is date and type(right) is date:  # a datetime is a date to isinstance
        return Decimal((left - right).days)
    return None


def _shown(value: Known) -> str:
    """A value as a message shows it: 1190.5, 2024-01-31, "EUR"."""
    if isinstance(value, Decimal):
        text = f"{value:.{SHOWN_PLACES}f}"
        return text.rstrip("0").rstrip(".") or "0"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value if len(value) <= SHOWN_LETTERS else value[:SHOWN_LETTERS] + "..."}"'
    return value.isoformat()
