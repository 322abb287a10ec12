"""What a rule is made of. A tree of frozen nodes; `at` is the place in the text, from 0, for messages."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TypeAlias

COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")


class RuleError(ValueError):
    """A text that is no rule of this template: what is wrong, and what to do about it."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(f"{message}; {hint}")
        self.message = message
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Literal:
    """A number, a text in quotes, a date such as 2024-01-31, true or false."""

    value: Decimal | str | date | bool
    at: int


@dataclass(frozen=True, slots=True)
class Name:
    """A key, `net_total`, or a column of a table, `line_items.amount`."""

    key: str
    column: str | None
    at: int

    @property
    def shown(self) -> str:
        return self.key if self.column is None else f"{self.key}.{self.column}"


@dataclass(frozen=True, slots=True)
class Call:
    """One of FUNCTIONS with its arguments."""

    function: str
    arguments: tuple["Node", ...]
    at: int


@dataclass(frozen=True, slots=True)
class Unary:
    """`-` of a number, `not` of a condition."""

    operator: str
    operand: "Node"
    at: int


@dataclass(frozen=True, slots=True)
class Binary:
    """Arithmetic, a comparison or a conjunction of two nodes. `within` belongs to a comparison: its tolerance."""

    operator: str
    left: "Node"
    right: "Node"
    at: int
    within: Decimal | None = None


Node: TypeAlias = Literal | Name | Call | Unary | Binary


def names_in(node: Node) -> tuple[Name, ...]:
    """Every name of a tree in the order of the text, each once."""
    if isinstance(node, Name):
        found: tuple[Name, ...] = (node,)
    elif isinstance(node, Call):
        found = tuple(name for argument in node.arguments for name in names_in(argument))
    elif isinstance(node, Unary):
        found = names_in(node.operand)
    else:
        found = (*names_in(node.left), *names_in(node.right)) if isinstance(node, Binary) else ()
    return tuple({name.shown: name for name in reversed(found)}.values())[::-1]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that fits its template."""

    text: str  # as written
    root: Node
    table: str | None  # whose columns stand outside of sum() and the like: the rule is asked of each of its rows
    kinds: tuple[tuple[str, str], ...]  # of every name in it, as written: what its values are read as

    @property
    def is_sum(self) -> bool:
        """Whether numbers that stand once in a document are reckoned to be equal: `net_total + tax == grand_total`.

        Hardly another number keeps such a rule by chance, as many keep a `<=`.
        """
        root = self.root
        reckoned = isinstance(root, Binary) and root.operator == "==" and _reckons(root.left, root.right)
        return reckoned and all(kind == "number" and "." not in name for name, kind in self.kinds)


def _reckons(*sides: Node) -> bool:
    return any(isinstance(side, Binary | Call) for side in sides)
