"""Labels stand where a place on the page means the same value."""

from pathlib import Path

import pytest
from finetune_tiny import KEYS, NOTE
from tiny import page_of

from pipkie_cli.evaluate import Labelled, SetRules
from pipkie_cli.nouns import Key, Page
from pipkie_cli.train.finetune_align import Found, locate

RULES = SetRules("notes", normalised=True, locale=NOTE.locale)
NUMBER, DAY, TOTAL = KEYS


def placed(lines: tuple[str, ...] | list[Page], **values: tuple[str, ...]) -> tuple[tuple[Found, ...], tuple[str, ...]]:
    pages = lines if isinstance(lines, list) else [page_of(lines)]
    label = Labelled(Path("a.pdf"), "a.pdf", "note", values, {})
    located = locate(label, pages, len(pages), KEYS, RULES, "")
    return located.pages, located.lost


def printed(found: Found, key: Key) -> list[str]:
    return [" ".join(word.text for word in found.page.words[a : b + 1]) for a, b in found.spans[key.name]]


@pytest.mark.parametrize(
    ("key", "value", "lines", "places"),
    [
        (DAY, "2024-03-14", ("day 14.03.2024", "and 14 March 2024 or 2024-03-14"), 3),
        (DAY, "2024-04-03", ("day 03.04.2024", "03/04/2024"), 2),
        (TOTAL, "1234.50", ("total 1,234.50", "€ 1234.50 paid", "1234.05"), 2),
        (TOTAL, "12", ("total 12.00 EUR",), 1),
        (NUMBER, "A-17", ("No. A-17 of A-18", "A17"), 2),
    ],
)
def test_every_printing_of_a_value_is_found(key: Key, value: str, lines: tuple[str, ...], places: int) -> None:
    """Dates and amounts however they are written, texts as text; each as few words as say it."""
    (found,), lost = placed(lines, **{key.name: (value,)})
    assert (len(found.spans[key.name]), lost) == (places, ())
    assert not {"day", "total", "paid", "No."} & set(" ".join(printed(found, key)).split())


def test_an_ambiguous_date_may_be_the_labelled_one() -> None:
    """Where nothing says which is the month, either reading counts: the label knows."""
    rules = SetRules("notes", normalised=True)
    label = Labelled(Path("a.pdf"), "a.pdf", "note", {"day": ("2024-04-03",)}, {})
    (found,) = locate(label, [page_of(("day 03/04/2024 or 05/04/2024",))], 1, KEYS, rules, "").pages
    assert printed(found, DAY) == ["03/04/2024"]


def test_a_page_without_the_value_says_absent() -> None:
    """What is found on one page only is asked of the other as ABSENT, and so is a null."""
    pages = [page_of(("number A-17",)), page_of(("terms and conditions",))]
    found, lost = placed(pages, number=("A-17",), total=())
    assert [dict(one.spans) for one in found] == [{"number": ((1, 1),), "total": ()}, {"number": (), "total": ()}]
    assert lost == ()


def test_a_value_found_nowhere_is_not_asked() -> None:
    """It may be there in a way that nothing here understands: no lesson is drawn from it, and it is told."""
    (found,), lost = placed(("number A-17",), number=("Z-99999",), day=("2024-01-01",))
    assert (dict(found.spans), lost) == ({}, ("number", "day"))


def test_the_likest_of_all_pages_counts() -> None:
    """A misread number on the second page is no place where the first prints it as labelled."""
    found, _ = placed([page_of(("number AB-123456789",)), page_of(("number AB-123456780",))], number=("AB-123456789",))
    assert [one.spans["number"] for one in found] == [((1, 1),), ()]
