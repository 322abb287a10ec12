"""Text -> tree, by a grammar of six levels; what it does not know is refused, so nothing can be run.

rule       = both {"or" both}
both       = negation {"and" negation}
negation   = "not" negation | comparison
comparison = sum [("==" | "!=" | "<=" | ">=" | "<" | ">") sum ["within" number]]
sum        = product {("+" | "-") product}
product    = factor {("*" | "/") factor}
factor     = "-" factor | number | date | "text" | true | false | key | table.column | function "(" rule {"," rule} ")"
           | "(" rule ")"
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NoReturn

from pipkie_cli.rules.tree import COMPARISONS, Binary, Call, Literal, Name, Node, RuleError, Unary

MAX_LETTERS = 300
MAX_TOKENS = 200
MAX_DEPTH = 20  # of parentheses and signs
MAX_DIGITS = 18

TOKEN = re.compile(
    r"""\s*(?:
    (?P<date>\d{4}-\d{2}-\d{2}(?![\w-]))
    | (?P<number>\d+(?:\.\d+)?(?![\w.]))
    | (?P<text>"[^"]*"|'[^']*')
    | (?P<name>[^\W\d]\w*(?:\.[^\W\d]\w*)?)
    | (?P<operator>==|!=|<=|>=|[-+*/()<>,])
    | (?P<end>$))""",
    re.VERBOSE,
)
WORDS = frozenset({"and", "or", "not", "within", "true", "false"})
FUNCTIONS = ("sum", "count", "min", "max", "abs", "round")
MEANT = {  # what people write who know other languages: what to write here
    "=": "write == to compare",
    "<>": "write != for not equal",
    "&": "write and",
    "|": "write or",
    "!": "write not",
    "%": "divide by 100 for per cent",
    "^": "powers are not known",
    "[": "write table.column; sum(table.column) takes all rows",
    "“": 'put texts in straight quotes: "EUR"',
    "„": 'put texts in straight quotes: "EUR"',
    "–": "write a plain minus: -",
    "−": "write a plain minus: -",
    "×": "write *",
    "÷": "write /",
    "≤": "write <=",
    "≥": "write >=",
    "≠": "write !=",
}


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int


def parse_tree(text: str) -> Node:
    """The tree of a rule's text; raises RuleError."""
    if len(text) > MAX_LETTERS:
        raise RuleError(f"longer than {MAX_LETTERS} characters", "split it into several rules")
    tokens = _tokens(text)
    if len(tokens) > MAX_TOKENS:
        raise RuleError(f"more than {MAX_TOKENS} words and signs", "split it into several rules")
    return _Parser(text, tokens).rule()


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    at = 0
    while not found or found[-1].kind != "end":
        match = TOKEN.match(text, at)
        if match is None:
            raise _unknown(text, at + len(text[at:]) - len(text[at:].lstrip()))
        kind = str(match.lastgroup)
        found.append(_Token(kind, match[kind], match.start(kind)))
        at = match.end()
    return found


def _unknown(text: str, at: int) -> RuleError:
    rest = text[at:]
    if rest[0] in "\"'":
        return RuleError(f"a text that begins with {rest[0]} does not end", "close its quotes")
    if rest[0].isdigit():
        word = re.match(r"[\w.]+", rest)
        shown = word[0][:MAX_DIGITS] if word else rest[0]
        return RuleError(f"{shown} is no number", "write numbers like 1000.50 and dates like 2024-01-31")
    return RuleError(
        f'the sign "{rest[0]}" is not known', MEANT.get(rest[0], "docs/rules.md shows what a rule may say")
    )


class _Parser:
    """Walks the tokens once, from left to right."""

    def __init__(self, text: str, tokens: list[_Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.place = 0
        self.depth = 0

    @property
    def next(self) -> _Token:
        return self.tokens[self.place]

    def took(self, *texts: str) -> _Token | None:
        """The next token, stepped over, if it is one of these words or signs."""
        token = self.next
        if token.kind not in ("name", "operator") or token.text not in texts:
            return None
        self.place += 1
        return token

    def fail(self, token: _Token, hint: str = "docs/rules.md shows what a rule may say") -> NoReturn:
        if token.kind == "end":
            raise RuleError("something is missing at its end", hint)
        raise RuleError(f"{token.text[:40]} is not expected at character {token.at + 1}", hint)

    def rule(self) -> Node:
        root = self.either()
        if self.next.kind != "end":
            if self.next.text == "," and self.tokens[self.place - 1].kind == "number":
                self.fail(self.next, "write numbers like 1000.50: no comma in them")
            self.fail(self.next)
        return root

    def either(self) -> Node:
        left = self.both()
        while sign := self.took("or"):
            left = Binary("or", left, self.both(), sign.at)
        return left

    def both(self) -> Node:
        left = self.negation()
        while sign := self.took("and"):
            left = Binary("and", left, self.negation(), sign.at)
        return left

    def negation(self) -> Node:
        if sign := self.took("not"):
            return Unary("not", self.deeper(self.negation), sign.at)
        return self.comparison()

    def comparison(self) -> Node:
        left = self.sum()
        if not (sign := self.took(*COMPARISONS)):
            return left
        right = self.sum()
        within = self.tolerance() if self.took("within") else None
        if self.next.text in COMPARISONS and self.next.kind == "operator":
            self.fail(self.next, "join two comparisons with and: a <= b and b <= c")
        return Binary(sign.text, left, right, sign.at, within)

    def tolerance(self) -> Decimal:
        if self.next.kind != "number":
            self.fail(self.next, "write a number after within, such as 0.05")
        self.place += 1
        return _number(self.tokens[self.place - 1])

    def sum(self) -> Node:
        left = self.product()
        while sign := self.took("+", "-"):
            left = Binary(sign.text, left, self.product(), sign.at)
        return left

    def product(self) -> Node:
        left = self.factor()
        while sign := self.took("*", "/"):
            left = Binary(sign.text, left, self.factor(), sign.at)
        return left

    def factor(self) -> Node:
        if sign := self.took("-"):
            return Unary("-", self.deeper(self.factor), sign.at)
        if self.took("("):
            inner = self.deeper(self.either)
            self.close()
            return inner
        token = self.next
        if token.kind in ("operator", "end"):
            self.fail(token, "a key or a number is missing before it" if token.kind == "operator" else "complete it")
        if token.text in WORDS - {"true", "false"} and token.kind == "name":
            self.fail(token, f"{token.text} joins conditions: a key or a number is missing before it")
        self.place += 1
        if token.kind == "name":
            return self.call(token) if self.took("(") else _name(token)
        return Literal(_number(token) if token.kind == "number" else _constant(token), token.at)

    def call(self, name: _Token) -> Node:
        if name.text not in FUNCTIONS:
            raise RuleError(f"{name.text[:40]}() is not known", f"there are {', '.join(FUNCTIONS)}")
        if self.took(")"):
            raise RuleError(f"{name.text}() is empty", f"write {name.text}(table.column) or {name.text}(key)")
        arguments = [self.deeper(self.either)]
        while self.took(","):
            arguments.append(self.deeper(self.either))
        self.close()
        return Call(name.text, tuple(arguments), name.at)

    def close(self) -> None:
        if not self.took(")"):
            self.fail(self.next, "a closing parenthesis is missing")

    def deeper(self, level: Callable[[], Node]) -> Node:
        """One level down; the depth is limited, so that no text can exhaust Python's own stack."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise RuleError(f"nested more than {MAX_DEPTH} deep", "split it into several rules")
        node = level()
        self.depth -= 1
        return node


def _name(token: _Token) -> Node:
    if token.text in ("true", "false"):
        return Literal(token.text == "true", token.at)
    key, _, column = token.text.partition(".")
    return Name(key, column or None, token.at)


def _number(token: _Token) -> Decimal:
    if len(token.text) > MAX_DIGITS:
        raise RuleError("a number is too long", f"use at most {MAX_DIGITS} digits")
    return Decimal(token.text)


def _constant(token: _Token) -> str | date:
    if token.kind == "text":
        return token.text[1:-1]
    try:
        return date.fromisoformat(token.text)
    except ValueError as error:
        raise RuleError(f"{token.text} is no day of the calendar", "write dates like 2024-01-31") from error
