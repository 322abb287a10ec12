"""A rule holds, is broken by so much, or is not checked."""

import time
from decimal import Decimal
from typing import Any

import pytest

from pipkie_cli.nouns import Key
from pipkie_cli.rules import Outcome, check_rule, parse_rule

ITEM = (
    Key("text", "text", "text"),
    Key("quantity", "number", "quantity"),
    Key("price", "amount", "price"),
    Key("amount", "amount", "amount"),
)
KEYS = (
    Key("issue_date", "date", "issued"),
    Key("due_date", "date", "due"),
    Key("net_total", "amount", "net"),
    Key("tax", "amount", "tax"),
    Key("grand_total", "amount", "total"),
    Key("currency", "currency", "currency"),
    Key("paid", "boolean", "paid"),
    Key("begin", "time", "begin"),
    Key("end", "time", "end"),
    Key("sent", "datetime", "sent"),
    Key("line_items", "table", "items", columns=ITEM),
)
VALUES: dict[str, Any] = {
    "issue_date": "2024-02-28",
    "due_date": "2024-03-01",
    "net_total": 100.1,
    "tax": 19.02,
    "grand_total": 119.12,
    "currency": "EUR",
    "paid": False,
    "begin": "09:30",
    "end": "09:30:10",
    "sent": "2024-02-28T10:00",
    "line_items": [
        {"text": "Nails", "quantity": 3, "price": 0.1, "amount": 0.3},
        {"text": None, "quantity": 1, "price": 99.8, "amount": 99.8},
    ],
}


def check(rule: str, **changed: Any) -> Outcome:
    return check_rule(parse_rule(rule, KEYS), VALUES | changed)


@pytest.mark.parametrize(
    "rule",
    [
        "net_total + tax == grand_total",
        "sum(line_items.amount) == net_total",
        "sum(line_items.quantity * line_items.price) == net_total",
        "line_items.quantity * line_items.price == line_items.amount",
        "due_date >= issue_date",
        "due_date - issue_date == 2",
        "issue_date == 2024-02-28 and due_date != 2024-02-28",
        "issue_date < 2024-02-29",
        "begin < end",
        "begin <= end and end > begin",
        "sent == sent",
        "currency == 'EUR'",
        "currency != 'USD'",
        "not paid",
        "paid == false",
        "paid or grand_total > 0",
        "count(line_items) == 2",
        "count(line_items.text) == 1",
        "count(line_items.amount > 1) == 1",
        "min(line_items.amount) == 0.3",
        "max(line_items.price, 0) >= 0.1",
        "max(net_total, tax) == net_total",
        "min(issue_date, due_date) == issue_date",
        "abs(tax - net_total) == 81.08",
        "round(net_total * 19 / 100, 2) == tax",
        "round(tax) == 19",
        "-tax == -19.02",
        "1 + 2 * 3 - 4 / 2 == 5 and net_total > 0",
        "(1 + 2) * 3 == 9 and net_total > 0",
        "10 - 3 - 2 == 5 and net_total > 0",
        "not (net_total > 200) and tax > 0",
    ],
)
def test_these_rules_hold(rule: str) -> None:
    """0.1 * 3 is 0.3, minus goes from left to right, dates are days of the calendar."""
    assert check(rule).state == "holds"


BROKEN: dict[str, tuple[str, str | None, tuple[str, ...]]] = {  # rule: end of the message, difference, keys
    "net_total + tax == grand_total within 0.01 and tax > 20": (", by 0.98 (19.02 > 20)", "-0.98", ("tax",)),
    "net_total == grand_total": (", by 19.02 (100.1 == 119.12)", "-19.02", ("net_total", "grand_total")),
    "net_total * 2 == grand_total": (", by 81.08 (200.2 == 119.12)", "81.08", ("net_total", "grand_total")),
    "sum(line_items.amount) == tax": (", by 81.08 (100.1 == 19.02)", "81.08", ("line_items", "tax")),
    "line_items.amount < 99": (" in row 2, by 0.8 (99.8 < 99)", "0.8", ("line_items[1].amount",)),
    "line_items.amount < sum(line_items.price) - 1": (
        " in row 2, by 0.9 (99.8 < 98.9)",
        "0.9",
        ("line_items[1].amount", "line_items"),
    ),
    "issue_date >= due_date": (", by 2 days (2024-02-28 >= 2024-03-01)", "-2", ("issue_date", "due_date")),
    "issue_date >= 2024-03-01": (", by 2 days (2024-02-28 >= 2024-03-01)", "-2", ("issue_date",)),
    "currency == 'USD'": (' ("EUR" == "USD")', None, ("currency",)),
    "paid": ("the rule paid does not hold", None, ("paid",)),
    "paid == true": (" (false == true)", None, ("paid",)),
    "not (net_total > 0)": ("does not hold", None, ("net_total",)),
    "paid or net_total < 0": ("does not hold", None, ("paid", "net_total")),
    "end < begin": (" (09:30:10 < 09:30:00)", None, ("end", "begin")),
    "sent != sent": (" (2024-02-28T10:00:00 != 2024-02-28T10:00:00)", None, ("sent",)),
    "net_total != 100.1": (", by 0 (100.1 != 100.1)", "0", ("net_total",)),
    "count(line_items) == 3": (", by 1 (2 == 3)", "-1", ("line_items",)),
    "net_total / 3 > 40": (", by 6.633333 (33.366667 > 40)", None, ("net_total",)),
}


@pytest.mark.parametrize("rule", BROKEN)
def test_a_broken_rule_says_where_and_by_how_much(rule: str) -> None:
    """The rule as written, the row, the difference, what was compared with what; and which keys of the record."""
    end, difference, keys = BROKEN[rule]
    outcome = check(rule)
    assert outcome.state == "broken"
    assert [place.keys for place in outcome.breaks] == [keys]
    assert outcome.breaks[0].message.startswith(f"the rule {rule} does not hold")
    assert outcome.breaks[0].message.endswith(end)
    if difference is not None or "/" not in rule:
        assert outcome.breaks[0].difference == (None if difference is None else Decimal(difference))


@pytest.mark.parametrize(
    ("rule", "grand_total", "state"),
    [
        ("net_total + tax == grand_total", 119.14, "holds"),  # two summands, two cents
        ("net_total + tax == grand_total", 119.15, "broken"),
        ("net_total + tax == grand_total within 0.05", 119.17, "holds"),
        ("net_total + tax == grand_total within 0.05", 119.18, "broken"),
        ("net_total + tax == grand_total within 0", 119.13, "broken"),
        ("net_total + tax <= grand_total", 119.1, "holds"),
        ("net_total + tax <= grand_total", 119.09, "broken"),
        ("net_total + tax < grand_total", 119.11, "holds"),
        ("net_total + tax < grand_total", 119.1, "broken"),
        ("grand_total >= net_total + tax", 119.1, "holds"),
        ("sum(line_items.amount) + tax == grand_total", 119.15, "holds"),  # two rows and the tax
        ("sum(line_items.amount) + tax == grand_total", 119.16, "broken"),
        ("grand_total == net_total", 100.1, "holds"),  # as they stand
        ("grand_total == net_total", 100.11, "broken"),
        ("grand_total <= 119.12", 119.12, "holds"),
        ("grand_total <= 119.12", 119.13, "broken"),
        ("grand_total < 119.12", 119.12, "broken"),
        ("net_total * 1.19 == grand_total", 119.12, "holds"),
        ("net_total * 1.19 == grand_total", 119.14, "broken"),
        ("count(line_items) * 60 == grand_total", 119.99, "holds"),
        ("count(line_items) * 60 == grand_total", 119.98, "broken"),
    ],
)
def test_a_cent_for_each_number_that_is_added_up(rule: str, grand_total: float, state: str) -> None:
    """Unless the rule says within; and what is compared without any reckoning must be equal."""
    assert check(rule, grand_total=grand_total).state == state


@pytest.mark.parametrize(
    ("rule", "changed", "state"),
    [
        ("net_total + tax == grand_total", {"tax": None}, "not_checked"),
        ("due_date >= issue_date", {"issue_date": None}, "not_checked"),
        ("sum(line_items.amount) == net_total", {"line_items": []}, "not_checked"),
        ("sum(line_items.amount) == net_total", {"line_items": [{"amount": None}, {"amount": 1}]}, "not_checked"),
        ("min(line_items.amount) > 0", {"line_items": [{"amount": 1}, {"amount": None}]}, "not_checked"),
        ("line_items.amount > 0", {"line_items": []}, "not_checked"),
        ("line_items.amount > 0", {"line_items": [{"amount": 1}, {"amount": None}]}, "not_checked"),
        ("line_items.amount > 0", {"line_items": [{"amount": -1}, {"amount": None}]}, "broken"),
        ("count(line_items) > 0", {"line_items": []}, "broken"),
        ("max(net_total, tax) > 0", {"tax": None}, "not_checked"),
        ("not paid", {"paid": None}, "not_checked"),
        ("abs(tax) > 0 and round(tax) > 0 and -tax < 0", {"tax": None}, "not_checked"),
        ("tax > 0 or net_total > 0", {"tax": None}, "holds"),
        ("tax > 0 or net_total < 0", {"tax": None}, "not_checked"),
        ("tax > 0 and net_total < 0", {"tax": None}, "broken"),
        ("tax > 0 and net_total > 0", {"tax": None}, "not_checked"),
        ("net_total / tax > 0", {"tax": 0}, "not_checked"),
        ("round(net_total * 999999999999999999, 6) > 0", {"net_total": 1e300}, "not_checked"),
        ("issue_date > 2000-01-01", {"issue_date": "28.2.2024"}, "not_checked"),  # the schema tells of that
    ],
)
def test_what_is_not_known_is_not_checked(rule: str, changed: dict[str, Any], state: str) -> None:
    """A null, no rows, a division by zero: never broken for that alone, and never taken for 0."""
    assert check(rule, **changed).state == state


def test_every_broken_row_is_told() -> None:
    """One place a row, with the cells of that row."""
    rows = [{"quantity": 1, "price": price, "amount": 2} for price in (1, 2, 3)]
    outcome = check("line_items.quantity * line_items.price == line_items.amount", line_items=rows)
    assert [(place.difference, place.keys[0]) for place in outcome.breaks] == [
        (-1, "line_items[0].quantity"),
        (1, "line_items[2].quantity"),
    ]


def test_long_texts_are_cut_in_messages() -> None:
    """A text as long as a page does not fill the record twice."""
    outcome = check("currency == 'EUR'", currency="x" * 5000)
    assert len(outcome.breaks[0].message) < 150


def test_a_zero_is_a_value() -> None:
    """Only null is not counted, and a condition that is false."""
    rows = [{"amount": 0, "text": ""}, {"amount": None, "text": None}, {"amount": 2, "text": "x"}]
    for rule in ("count(line_items.amount) == 2", "count(line_items.text) == 2", "count(line_items.amount > 0) == 1"):
        assert check(rule, line_items=rows).state == "holds"


def test_a_long_table_is_gone_through_once() -> None:
    """A sum in a rule over 5000 rows: 25 million cells if it were added up anew in every row."""
    rows = [{"amount": 1} for _ in range(5000)]
    begun = time.process_time()
    assert check("line_items.amount <= sum(line_items.amount) - 1", line_items=rows).state == "holds"
    assert time.process_time() - begun < 5
