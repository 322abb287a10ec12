"""A runner-up is taken where it is the only one that keeps a rule, and nowhere else."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pipkie_cli.answers import choose_by_rules
from pipkie_cli.nouns import Answer, Key, Locale, Template, Value
from pipkie_cli.values import ValueContext, parse_value

KEYS = (
    Key("net", "amount", "net"),
    Key("tax", "amount", "tax"),
    Key("total", "amount", "total"),
    Key("issued", "date", "issued"),
    Key("due", "date", "due"),
    Key("items", "table", "items", columns=(Key("amount", "amount", "amount"),)),
)
CONTEXT = ValueContext(decimal=".", dates="dmy")
SUM = "net + tax == total"
Texts = dict[str, tuple[str | None, ...]]


def template(*rules: str) -> Template:
    return Template("bill", "Bill", KEYS, Locale(), (), (), "0" * 12, "bill.yaml", rules)


def others(key: str, texts: tuple[str | None, ...], confidence: float) -> Iterator[Answer]:
    return (Answer(key, text, confidence, None, "text") for text in texts)


def choose(
    texts: Texts, *rules: str, source: Any = "text", sure: Mapping[str, float] = {}
) -> tuple[dict[str, Answer], dict[str, Value]]:
    """What is chosen of these texts of every key, the likeliest first."""
    answers = [
        Answer(
            key.name,
            texts.get(key.name, (None,))[0],
            0.6,
            None,
            source,
            tuple(
                Answer(key.name, text, sure.get(key.name, 0.3), None, "text") for text in texts.get(key.name, ())[1:]
            ),
        )
        for key in KEYS[:-1]
    ]
    types = {key.name: key.type for key in KEYS}
    values = {one.key: parse_value(types[one.key], one.text, CONTEXT) for one in answers if one.text is not None}
    chosen, typed = choose_by_rules(template(*rules), answers, values, CONTEXT)
    return {one.key: one for one in chosen}, typed


@pytest.mark.parametrize("key", ["net", "tax", "total"])
def test_the_only_runner_up_that_keeps_the_rule_is_taken(key: str) -> None:
    """With its own confidence, a flag, and the beaten answer before the other runners-up."""
    texts: Texts = {"net": ("100.00",), "tax": ("19.00",), "total": ("119.00",)}
    right = texts[key][0]
    answers, values = choose(texts | {key: ("77.00", "55.00", right, None)}, SUM)
    assert (answers[key].text, answers[key].confidence, answers[key].flags) == (right, 0.3, ("chosen_by_rule",))
    assert [one.text for one in answers[key].runners_up] == ["77.00", "55.00", None]
    assert values[key] == Value(float(str(right)))
    assert [one.flags for name, one in answers.items() if name != key] == [()] * 4


UNTOUCHED: dict[str, tuple[Texts, tuple[str, ...]]] = {
    "the rule holds": ({"net": ("100.00", "90.00"), "tax": ("19.00",), "total": ("119.00", "109.00")}, (SUM,)),
    "no rules": ({"net": ("77.00", "100.00"), "tax": ("19.00",), "total": ("119.00",)}, ()),
    "two that would": ({"net": ("77.00", "100.00"), "tax": ("19.00",), "total": ("119.00", "96.00")}, (SUM,)),
    "none that would": ({"net": ("77.00", "99.00"), "tax": ("19.00",), "total": ("119.00",)}, (SUM,)),
    "another rule would break": (
        {"net": ("77.00", "100.00"), "tax": ("19.00",), "total": ("119.00",)},
        (SUM, "net < 100"),
    ),
    "a key is absent": ({"net": ("77.00", "100.00"), "tax": (None, "19.00"), "total": ("119.00",)}, (SUM,)),
    "no value of the type": ({"net": ("77.00", "hundred"), "tax": ("19.00",), "total": ("119.00",)}, (SUM,)),
    "a rule over rows": ({"net": ("77.00", "100.00")}, ("count(items) == net - 100",)),
    "an inequality": ({"net": ("77.00", "100.00"), "tax": ("19.00",)}, ("net - tax > 60",)),
    "no sum": ({"net": ("77.00", "119.00"), "total": ("119.00",)}, ("net == total",)),
    "dates": ({"issued": ("5.3.2024",), "due": ("1.3.2024", "20.3.2024")}, ("due - issued == 15",)),
}


@pytest.mark.parametrize(("texts", "rules"), UNTOUCHED.values(), ids=UNTOUCHED)
def test_in_doubt_a_person_decides(texts: Texts, rules: tuple[str, ...]) -> None:
    """Answers stay as they are; the record tells of the broken rule."""
    answers, values = choose(texts, *rules)
    assert {name: one.text for name, one in answers.items()} == {
        key.name: texts.get(key.name, (None,))[0] for key in KEYS[:-1]
    }
    assert all(one.flags == () for one in answers.values())
    assert set(values) == {name for name, one in answers.items() if one.text is not None}


def test_of_several_broken_rules_one_may_stay_broken() -> None:
    """A runner-up that mends one rule is taken though another stays broken."""
    texts: Texts = {"net": ("77.00", "100.00"), "tax": ("19.00",), "total": ("119.00",)}
    assert choose(texts, SUM, "tax > 20")[0]["net"].text == "100.00"


def test_the_same_value_in_two_prints_is_one_choice() -> None:
    """100.00 and 100.00 EUR are no doubt."""
    texts: Texts = {"net": ("77.00", "100.00", "100.00 EUR"), "tax": ("19.00",), "total": ("119.00",)}
    assert choose(texts, SUM)[0]["net"].text == "100.00"


@pytest.mark.parametrize(
    ("sure", "net", "total"),
    [
        ({"net": 0.3, "total": 0.02}, "100.00", "119.00"),
        ({"net": 0.02, "total": 0.3}, "77.00", "96.00"),
        ({"net": 0.3, "total": 0.05}, "77.00", "119.00"),
        ({"net": 0.009, "total": 0.009}, "77.00", "119.00"),
    ],
)
def test_the_clearly_likelier_of_two_is_taken(sure: dict[str, float], net: str, total: str) -> None:
    """Ten times as likely as the other; and a runner-up of no account is not looked at."""
    texts: Texts = {"net": ("77.00", "100.00"), "tax": ("19.00",), "total": ("119.00", "96.00")}
    answers, _ = choose(texts, SUM, sure=sure)
    assert (answers["net"].text, answers["total"].text) == (net, total)


@pytest.mark.parametrize("source", ["embedded_xml", "barcode"])
def test_what_is_stated_exactly_is_never_replaced(source: str) -> None:
    """A value of the XML or of a code is not a reading of the page."""
    texts: Texts = {"net": ("77.00", "100.00"), "tax": ("19.00",), "total": ("119.00",)}
    assert choose(texts, SUM, source=source)[0]["net"].text == "77.00"
