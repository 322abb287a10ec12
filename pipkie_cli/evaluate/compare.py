"""Is an answer right? One label and one answer in, a judgement out; the rules of the set decide how labels read."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation

from pipkie_cli.evaluate.datasets import SetRules
from pipkie_cli.evaluate.metrics import anls, fold
from pipkie_cli.nouns import Key
from pipkie_cli.values import parse_value, value_context

NUMERIC = ("amount", "number", "integer", "percent")  # types whose values are compared as numbers

Typed = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """One answer against its label."""

    anls: float  # of the printed text
    exact: bool  # the same after normalisation
    typed: bool  # the value in the record is the label's: nothing left to a reader


def judge(
    key: Key, expected: Sequence[str], printed: Sequence[str], raw: str | None, value: Typed, rules: SetRules
) -> Judgement:
    """Compare one answer (`raw` as printed, `value` as typed in the record) with a label of one or more right texts.

    exact: the typed value equals the label's; or, where pipkie left the value untyped (it states an ambiguity and
    guesses nothing), the printed text read with the set's own conventions does; or the folded texts are the same.
    """
    if raw is None:
        return Judgement(0.0, False, False)
    if rules.joined and len(expected) > 1:
        expected = (*expected, " ".join(expected))
    if key.name in rules.contains:
        inside = any(_letters(one) in _letters(raw) for one in expected)
        return Judgement(float(inside), inside, inside)
    wanted = {normal_label(key, one, rules) for one in expected}
    typed = normal_value(key, value, rules) in wanted
    exact = typed or _folded(key, raw, rules) in {_folded(key, one, rules) for one in (*expected, *printed)}
    if not exact and value is None:
        exact = normal_text(key, raw, rules) in wanted
    return Judgement(_anls(raw, (*expected, *printed), rules), exact, typed)


def normal_label(key: Key, text: str, rules: SetRules) -> str:
    """A label in the form that values are compared in: ISO date, plain decimal, folded text."""
    if not rules.normalised:
        return normal_text(key, text, rules)
    if key.type == "date":
        try:
            return date.fromisoformat(text).isoformat()
        except ValueError:
            return _folded(key, text, rules)
    if key.type in NUMERIC:
        try:
            return _decimal(text)
        except InvalidOperation:
            return _folded(key, text, rules)
    return _folded(key, text, rules)


def normal_text(key: Key, text: str, rules: SetRules) -> str:
    """Printed text in the same form, read with the conventions of the set."""
    if key.type == "text":
        return _folded(key, text, rules)
    context = value_context([(key.type, text)], rules.locale, text)
    read = parse_value(key.type, text, context, key.choices).value
    return _folded(key, text, rules) if read is None else normal_value(key, read, rules)


def normal_value(key: Key, value: Typed, rules: SetRules) -> str:
    """A record's value in the same form; "" for null, which no label equals."""
    if value is None:
        return ""
    if key.type in NUMERIC:
        return _decimal(str(value))
    return _folded(key, str(value), rules)


def label_forms(key: Key, texts: Sequence[str], rules: SetRules) -> frozenset[str]:
    """Every form of a label's texts by which `answer_forms` may know it: what many readings are compared with."""
    forms = (form for text in texts for form in (normal_label(key, text, rules), _folded(key, text, rules)))
    return frozenset(form for form in forms if form)


def answer_forms(key: Key, raw: str, values: Sequence[Typed], rules: SetRules) -> frozenset[str]:
    """The forms of a printed text and of the values that it may be read as; it is right if a label has one of them."""
    forms = (_folded(key, raw, rules), *(normal_value(key, value, rules) for value in values))
    return frozenset(form for form in forms if form)


def _anls(raw: str, references: Sequence[str], rules: SetRules) -> float:
    if rules.spaces:
        return anls(raw, references)
    return anls("".join(raw.split()), ["".join(one.split()) for one in references])


def _decimal(text: str) -> str:
    """119, 119.0 and 119.00 are one number."""
    return str(Decimal(text).normalize() + 0)


def _folded(key: Key, text: str, rules: SetRules) -> str:
    folded = fold(text)
    if key.name in rules.compact:
        return "".join(filter(str.isalnum, folded))
    return folded if rules.spaces else "".join(folded.split())


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, fold(text)))
