"""Right or wrong: answers against labels, as printed and normalised, by the rules of each set."""

from pathlib import Path

import pytest

from pipkie_cli.evaluate.compare import judge
from pipkie_cli.evaluate.datasets import SetRules, rules_of
from pipkie_cli.nouns import Key

TEXT, DATE, AMOUNT = (Key("name", kind, "name") for kind in ("text", "date", "amount"))
PRINTED = SetRules("mine", locale=rules_of(Path("sroie")).locale)  # day first, decimal point, labels as printed
NORMALISED = SetRules("mine", normalised=True, compact=frozenset({"iban"}))


@pytest.mark.parametrize(
    ("key", "expected", "raw", "value", "exact", "typed"),
    [
        (TEXT, "INDAH GIFT & HOME DECO", "Indah Gift & Home Deco.", "Indah Gift & Home Deco.", True, True),
        (TEXT, "INDAH GIFT", "INDAH GIFT SHOP", "INDAH GIFT SHOP", False, False),
        (DATE, "25/12/2018", "25 Dec 2018", "2018-12-25", True, True),
        (DATE, "03/04/2019", "03/04/2019", None, True, False),  # ambiguous and not guessed: the text is right
        (DATE, "03/04/2019", "03-04-19", None, True, False),  # read with the set's own order of day and month
        (DATE, "03/04/2019", "03/04/2019", "2019-03-04", True, False),  # the text is right, the typed value is not
        (AMOUNT, "RM 9.00", "9.00", 9.0, True, True),
        (AMOUNT, "9.00", "RM9", 9, True, True),
        (AMOUNT, "9.00", "90.00", 90.0, False, False),
        (AMOUNT, "9.00", None, None, False, False),
    ],
)
def test_labels_as_printed(
    key: Key, expected: str, raw: str | None, value: str | float | None, exact: bool, typed: bool
) -> None:
    """Exact is the same after normalisation; typed asks that the record's own value is the label's."""
    judgement = judge(key, (expected,), (), raw, value, PRINTED)
    assert (judgement.exact, judgement.typed) == (exact, typed)


@pytest.mark.parametrize(
    ("key", "expected", "printed", "raw", "value", "exact", "anls"),
    [
        (DATE, "2017-11-16", ("16/11/2017",), "16/11/2017", "2017-11-16", True, 1.0),
        (DATE, "2017-11-16", (), "16/11/2017", "2017-11-16", True, 0.0),
        (AMOUNT, "218.48", ("218,48",), "218,48 €", 218.48, True, 0.75),
        (AMOUNT, "-10.00", (), "-10,00", -10, True, 5 / 6),
        (AMOUNT, "1234.50", (), "1.234,50", 1234.5, True, 0.75),
        (Key("iban", "text", "IBAN"), "DE02100500000054540402", (), "DE02 1005 0000 0054 5404 02", None, True, 22 / 27),
    ],
)
def test_normalised_labels(
    key: Key,
    expected: str,
    printed: tuple[str, ...],
    raw: str,
    value: str | float | None,
    exact: bool,
    anls: float,
) -> None:
    """A normalised label is compared by value; ANLS takes the printed text where the label has it."""
    judgement = judge(key, (expected,), printed, raw, value, NORMALISED)
    assert judgement.exact is exact
    assert judgement.anls == pytest.approx(anls)


def test_a_chains_name_need_only_be_contained() -> None:
    """receipts_de labels "aldi" for "ALDI SÜD": an answer that holds the label is right, another is wrong."""
    rules, key = rules_of(Path("receipts_de")), Key("company", "text", "company")
    right, wrong = (judge(key, ("aldi",), (), raw, raw, rules) for raw in ("A L D I SÜD", "Lidl"))
    assert (right.anls, right.exact, right.typed) == (1.0, True, True)
    assert (wrong.anls, wrong.exact, wrong.typed) == (0.0, False, False)


def test_any_of_several_right_answers_is_right() -> None:
    """A label that is a list is met by any of its texts."""
    assert judge(TEXT, ("12", "13"), (), "13", "13", PRINTED).exact
