"""A rule is read, or refused with what is wrong and what to write instead."""

import pytest

from pipkie_cli.nouns import Key
from pipkie_cli.rules import RuleError, parse_rule

KEYS = (
    Key("invoice_number", "text", "number"),
    Key("issue_date", "date", "issued"),
    Key("due_date", "date", "due"),
    Key("net_total", "amount", "net"),
    Key("tax", "amount", "tax"),
    Key("grand_total", "amount", "total"),
    Key("currency", "currency", "currency"),
    Key("paid", "boolean", "paid"),
    Key("from", "text", "sender"),
    Key(
        "line_items",
        "table",
        "items",
        columns=(Key("text", "text", "text"), Key("quantity", "number", "q"), Key("amount", "amount", "a")),
    ),
    Key("payments", "table", "payments", columns=(Key("amount", "amount", "a"),)),
)

RIGHT = (
    "sum(line_items.amount) == net_total",
    "due_date >= issue_date",
    "net_total + tax == grand_total",
    "net_total + tax == grand_total within 0.05",
    "due_date - issue_date <= 90",
    "issue_date >= 2000-01-01",
    "currency == 'EUR' or currency == \"USD\"",
    "not (currency != 'EUR') and net_total >= 0",
    "not paid or grand_total == 0",
    "paid == true",
    "from != ''",
    "line_items.quantity * 2 <= line_items.amount",
    "sum(line_items.quantity * line_items.amount) == round(net_total, 2)",
    "count(line_items) >= 1",
    "count(line_items.text) == count(line_items)",
    "max(line_items.amount) <= grand_total",
    "max(net_total, tax, 0) == net_total",
    "abs(net_total - tax) / 2 < -grand_total * 0.19 + 1",
    "sum(line_items.amount) == sum(payments.amount)",
    "  net_total==tax  ",
)


@pytest.mark.parametrize("text", RIGHT)
def test_what_the_reference_shows_is_a_rule(text: str) -> None:
    """Arithmetic, comparisons, conjunctions, functions over columns, dates, texts; a key may be called `from`."""
    assert parse_rule(text, KEYS).text == text


WRONG = {  # rule: what the message says, what the hint says
    "": ("something is missing at its end", "complete it"),
    "net_total": ("it compares nothing", "write a comparison"),
    "1 == 1": ("it names no key", "net_total + tax == grand_total"),
    "net_totl > 0": ('unknown key "net_totl"', 'did you mean "net_total"?'),
    "xyz > 0": ('unknown key "xyz"', "there are invoice_number, issue_date"),
    "sum(line_items.amout) > 0": ('unknown column of table "line_items" "amout"', 'did you mean "amount"?'),
    "sum(line_item.amount) > 0": ('unknown key "line_item.amount"', 'did you mean "line_items"?'),
    "net_total.amount > 0": ('"net_total" is no table', "write net_total"),
    "sum(net_total) > 0": ("sum() goes through rows, but no column", "write sum(table.column)"),
    "min(net_total) > 0": ("min() goes through rows, but no column", "or min(a, b)"),
    "sum(line_items) > 0": ("sum() goes through rows", "write sum(table.column)"),
    "sum(line_items.text) > 0": ("sum() takes numbers, not a text", "type amount or number"),
    "sum(line_items.amount, tax) > 0": ("sum() takes one value, not 2", "sum(table.column)"),
    "sum(sum(line_items.amount)) > 0": ("sum() stands inside of sum()", "take it out"),
    "count(net_total) > 0": ('"net_total" is no table', "count(table)"),
    "line_items.amount == payments.amount": ("cannot be taken row by row together", "sum(payments.amount)"),
    "line_items > 0": ("> compares a table with a number", "dates with dates"),
    "-line_items > 0": ("- takes a number, not a table", "name a column"),
    "due_date >= 14": (">= compares a date with a number", "2024-01-31"),
    "due_date + 14 >= issue_date": ("+ takes a number, not a date", "compare it"),
    "currency == EUR": ('unknown key "EUR"', "there are"),
    "currency > 'EUR'": ("> cannot compare a text with a text", "use == or !="),
    "currency == 'EUR": ("a text that begins with ' does not end", "close its quotes"),
    "currency * 2 == 4": ("* takes a number, not a text", "type amount or number"),
    "due_date == issue_date within 3": ("within stands behind a comparison of numbers only", "leave it out"),
    "net_total == tax within a": ("a is not expected", "write a number after within"),
    "net_total = tax": ('the sign "=" is not known', "write == to compare"),
    "net_total <> tax": ("> is not expected", "a key or a number is missing before it"),
    "net_total == 19 %": ('the sign "%" is not known', "divide by 100"),
    "net_total ** 2 > 0": ("* is not expected", "a key or a number is missing"),
    "net_total == 1,000.50": (", is not expected", "no comma"),
    "net_total == 1.000.50": ("1.000.50 is no number", "1000.50"),
    "net_total == 1e9": ("1e9 is no number", "1000.50"),
    "0 < net_total < 9": ("< is not expected", "join two comparisons with and"),
    "net_total > 0 and": ("something is missing at its end", "complete it"),
    "and net_total > 0": ("and is not expected", "joins conditions"),
    "net_total > 0 tax": ("tax is not expected at character 15", "docs/rules.md"),
    "(net_total > 0": ("something is missing at its end", "closing parenthesis"),
    "net_total > 0)": (") is not expected", "docs/rules.md"),
    "net_total and tax > 0": ("and takes a condition, not a number", "compare it with something"),
    "not net_total": ("not takes a condition, not a number", "compare it"),
    "issue_date > 2024-02-30": ("2024-02-30 is no day", "2024-01-31"),
    "avg(line_items.amount) > 0": ("avg() is not known", "sum, count, min, max, abs, round"),
    "sum() > 0": ("sum() is empty", "table.column"),
    "round(net_total, 9) > 0": ("round() takes 0 to 6 decimals", "round(a * b, 2)"),
    "round(net_total, tax) > 0": ("round() takes 0 to 6 decimals", "round(a * b, 2)"),
    "round(net_total, 1, 1) > 0": ("round() takes a number, and how many", "round(a * b, 2)"),
    "abs(net_total, tax) > 0": ("abs() takes one value", "abs("),
    "min(net_total, issue_date) > 0": ("min() takes values that are alike", "numbers only"),
    "min(line_items.amount > 0) == true": ("min() takes no conditions", "name a column"),
    f"net_total > {'9' * 19}": ("a number is too long", "18 digits"),
    f"net_total > {'(' * 60}": ("nested more than 20 deep", "several rules"),
    f"net_total > {'- ' * 60}1": ("nested more than 20 deep", "several rules"),
    f"net_total > {'0+' * 120}1": ("more than 200 words and signs", "several rules"),
    f"net_total > {' ' * 300}0": ("longer than 300 characters", "several rules"),
    "__import__('os') == 1": ("__import__() is not known", "there are sum"),
    "net_total.__class__ == 1": ('"net_total" is no table', "write net_total"),
    "lambda: 1": ('the sign ":" is not known', "docs/rules.md"),
    "[net_total]": ('the sign "[" is not known', "table.column"),
}


@pytest.mark.parametrize(("text", "message", "hint"), [(t, *told) for t, told in WRONG.items()], ids=WRONG)
def test_what_is_no_rule_says_why_and_what_to_write(text: str, message: str, hint: str) -> None:
    """Nothing is let through that the grammar does not know, and no name that the template has not."""
    with pytest.raises(RuleError) as caught:
        parse_rule(text, KEYS)
    assert message in caught.value.message
    assert hint in caught.value.hint
    assert len(caught.value.message) < 200
