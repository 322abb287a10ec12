"""Facts take the place of what was read; the page gives the place, or a difference."""

from dataclasses import replace
from typing import Any

import pytest

from pipkie_cli.facts import Facts, merge_facts
from pipkie_cli.nouns import Answer, Box, Fact, Key, Locale, Page, Place, TableAnswer, Template, Value, Word

PLACE = Place(1, (Box(0.1, 0.2, 0.3, 0.4),))
OTHER_PLACE = Place(2, (Box(0.5, 0.2, 0.6, 0.4),))
COLUMNS = (
    Key("description", "text", "description", term="BT-153"),
    Key("amount", "amount", "amount", term="BT-131"),
    Key("lot", "text", "lot"),
)
KEYS = (
    Key("number", "text", "number", term="BT-1"),
    Key("day", "date", "day", term="BT-2"),
    Key("total", "amount", "total", term="BT-112"),
    Key("note", "text", "note"),
    Key("items", "table", "items", columns=COLUMNS),
)
TEMPLATE = Template("bill", "Bill", KEYS, Locale(), (), (), "0123456789ab", "bill.yaml")


def xml(term: str, text: str, plain: str | None = None) -> Fact:
    return Fact(term, text, text if plain is None else plain, "embedded_xml")


def found(key: str, text: str, place: Place = PLACE, **more: Any) -> Answer:
    return Answer(key, text, 0.9, place, "text", **more)


def absent(key: str) -> Answer:
    return Answer(key, None, 0.9, None, None)


def merge_one(key: str, fact: Fact, answer: Answer, printed: Value | None, **facts: Any) -> tuple[Answer, Value]:
    template = Template("one", "One", tuple(k for k in KEYS if k.name == key), Locale(), (), (), "0" * 12, "")
    values = {} if printed is None else {key: printed}
    answers, _, merged = merge_facts(template, Facts(facts=(fact,), **facts), (answer,), (), values)
    return answers[0], merged[key]


def test_the_xml_fills_a_key_and_the_page_gives_the_place() -> None:
    """Value, raw and source are the XML's, the place is that of the print, and it is sure."""
    answer, value = merge_one("total", xml("BT-112", "119.00"), found("total", "119,00 €"), Value(119.0))
    assert answer == Answer("total", "119.00", 1.0, PLACE, "embedded_xml")
    assert value == Value(119.0)


def test_a_difference_is_flagged_with_both_values() -> None:
    """The XML's value stands in the record, without a place; the flag and its readings tell of the page's."""
    answer, value = merge_one("total", xml("BT-112", "119.00"), found("total", "191,00 €"), Value(191.0))
    assert (answer.place, answer.flags) == (None, ("differs_from_print",))
    assert value == Value(119.0, (), ("119.0", "191.0"))


def test_nothing_printed_is_no_difference() -> None:
    """Where the page does not hold the key, the fact stands alone."""
    answer, value = merge_one("total", xml("BT-112", "119.00"), absent("total"), None)
    assert (answer.place, answer.flags, value) == (None, (), Value(119.0))


def test_another_guess_of_the_model_gives_the_place() -> None:
    """A value that the model thought of beside its answer is printed too."""
    second = found("total", "119,00", OTHER_PLACE)
    answer, _ = merge_one("total", xml("BT-112", "119"), found("total", "x", runners_up=(second,)), Value(None))
    assert (answer.place, answer.flags) == (OTHER_PLACE, ())


@pytest.mark.parametrize(
    ("key", "fact", "raw", "printed"),
    [
        ("day", xml("BT-2", "20260304", "2026-03-04"), "4.3.26", Value("2026-03-04")),
        ("day", xml("BT-2", "202603041230", "2026-03-04T12:30"), "4.3.26", Value("2026-03-04")),
        ("day", xml("BT-2", "20260304", "2026-03-04"), "03/04/26", Value(None, (), ("2026-04-03", "2026-03-04"))),
        ("number", xml("BT-1", "R-17"), "r 17", Value("r 17")),
        ("number", xml("BT-1", "Acme Tools"), "ACME TOOLS Ltd., Hill 3", Value("ACME TOOLS Ltd., Hill 3")),
        ("number", xml("BT-1", "Line one\n  line two"), "Line one line two", Value("Line one line two")),
    ],
)
def test_the_same_said_in_another_way(key: str, fact: Fact, raw: str, printed: Value) -> None:
    """Formats, case, marks, more words around and readings of an ambiguous date make no difference."""
    answer, value = merge_one(key, fact, found(key, raw), printed)
    assert (answer.place, answer.flags, value.readings) == (PLACE, (), ())


@pytest.mark.parametrize(
    ("key", "fact", "raw", "printed"),
    [
        ("number", xml("BT-1", "47110"), "471102", Value("471102")),  # a part of a word is no part of a text
        ("number", xml("BT-1", "R-17"), "R-18", Value("R-18")),
        ("day", xml("BT-2", "20260304", "2026-03-04"), "05/06/26", Value(None, (), ("2026-06-05", "2026-05-06"))),
        ("total", xml("BT-112", "119.00"), "-119,00", Value(-119.0)),
    ],
)
def test_what_differs(key: str, fact: Fact, raw: str, printed: Value) -> None:
    """Other numbers, other signs, and an ambiguous print of which no reading fits."""
    assert merge_one(key, fact, found(key, raw), printed)[0].flags == ("differs_from_print",)


def test_the_sign_of_a_credit_note() -> None:
    """The XML of a credit note has positive amounts, its page often a minus."""
    answer, value = merge_one("total", xml("BT-112", "119"), found("total", "-119,00"), Value(-119.0), is_credit=True)
    assert (answer.flags, value) == ((), Value(119.0))


@pytest.mark.parametrize("text", ["12,50", "1e5", "NaN", "Infinity", "", "1_000", "0x10"])
def test_a_fact_that_is_no_amount(text: str) -> None:
    """It gives way to a print that is one; without such a print it stays as null with a flag."""
    answer, value = merge_one("total", xml("BT-112", text), found("total", "12,50"), Value(12.5))
    assert (answer.source, value) == ("text", Value(12.5))
    answer, value = merge_one("total", xml("BT-112", text), absent("total"), None)
    assert (answer.text, answer.source, value) == (text, "embedded_xml", Value(None, ("unparsable",)))


def test_exact_numbers_only() -> None:
    """More digits than a double gives back: null with a flag; fewer are kept exactly."""
    assert merge_one("total", xml("BT-112", "0.1"), absent("total"), None)[1].value == 0.1
    big = merge_one("total", xml("BT-112", "1234567890123456.78"), absent("total"), None)[1]
    assert big == Value(None, ("too_many_digits",))


def test_of_several_facts_the_printed_one() -> None:
    """Two bank accounts are both right: the page decides; without it the first is taken."""
    facts = Facts(facts=(xml("BT-1", "A-1"), xml("BT-1", "B-2")))
    template = Template("one", "One", KEYS[:1], Locale(), (), (), "0" * 12, "")
    answers, _, values = merge_facts(template, facts, (found("number", "B 2"),), (), {"number": Value("B 2")})
    assert (values["number"].value, answers[0].place) == ("B-2", PLACE)
    _, _, values = merge_facts(template, facts, (absent("number"),), (), {})
    assert values["number"].value == "A-1"


def test_a_payment_code_that_says_otherwise() -> None:
    """The XML comes first; a code that contradicts it is flagged, one that agrees is not."""
    template = Template("one", "One", KEYS[2:3], Locale(), (), (), "0" * 12, "")
    for text, flags in (("120.00", ("differs_from_code",)), ("119", ())):
        facts = Facts(facts=(Fact("BT-112", text, text, "barcode", OTHER_PLACE), xml("BT-112", "119.00")))
        answers, _, values = merge_facts(template, facts, (absent("total"),), (), {})
        assert (answers[0].source, values["total"].value, answers[0].flags) == ("embedded_xml", 119.0, flags)


def test_a_code_has_a_place_of_its_own() -> None:
    """A fact of a code stands where the code does."""
    code = Fact("BT-112", "119.00", "119.00", "barcode", OTHER_PLACE)
    answer, _ = merge_one("total", code, found("total", "119,00"), Value(119.0))
    assert (answer.source, answer.place) == ("barcode", OTHER_PLACE)


def test_keys_without_a_fact_stay() -> None:
    """No term, or no fact for it: the answer and its value are untouched."""
    answers = tuple(absent(key.name) if key.name != "note" else found("note", "hello") for key in KEYS[:4])
    tables = (TableAnswer("items", ()),)
    same = merge_facts(TEMPLATE, Facts(facts=(xml("BT-999", "1"),)), answers, tables, {"note": Value("hello")})
    assert same == (answers, tables, {"note": Value("hello")})


def row(description: str, amount: str) -> tuple[Fact, ...]:
    return (xml("BT-153", description), xml("BT-131", amount))


def printed_row(description: str, amount: str, lot: str) -> tuple[Answer, ...]:
    return (found("description", description), found("amount", amount), found("lot", lot))


def test_rows_come_from_the_xml() -> None:
    """All rows of the XML; a printed row gives places and the columns that the XML does not hold."""
    printed = TableAnswer("items", (printed_row("Bolts", "10,00", "L1"), printed_row("Nuts", "7,00", "L2")))
    values = {
        "items[0].description": Value("Bolts"), "items[0].amount": Value(10.0), "items[0].lot": Value("L1"),
        "items[1].description": Value("Nuts"), "items[1].amount": Value(7.0), "items[1].lot": Value("L2"),
        "number": Value("R-1"),
    }  # fmt: skip
    facts = Facts(rows={"BG-25": (row("Work", "95.00"), row("Bolts", "10.00"), row("Nuts", "5.00"))})
    template = Template("one", "One", KEYS[4:], Locale(), (), (), "0" * 12, "")
    _, (table,), merged = merge_facts(template, facts, (), (printed,), values)
    assert [[cell.text for cell in cells] for cells in table.rows] == [
        ["Work", "95.00", None], ["Bolts", "10.00", "L1"], ["Nuts", "5.00", "L2"],
    ]  # fmt: skip
    assert {name: value.value for name, value in merged.items()} == {
        "number": "R-1",
        "items[0].description": "Work", "items[0].amount": 95.0,
        "items[1].description": "Bolts", "items[1].amount": 10.0, "items[1].lot": "L1",
        "items[2].description": "Nuts", "items[2].amount": 5.0, "items[2].lot": "L2",
    }  # fmt: skip
    assert table.rows[0][0].place is None
    assert (table.rows[1][0].place, table.rows[1][2].source) == (PLACE, "text")
    assert [cell.flags for cell in table.rows[2]] == [(), ("differs_from_print",), ()]
    assert table.rows[0][2].confidence == 0.0  # nobody looked there: the record says that it may be held


def test_without_rows_the_printed_table_stays() -> None:
    """Profiles without lines (MINIMUM, BASIC WL) leave the table to the page."""
    printed = TableAnswer("items", (printed_row("Bolts", "10,00", "L1"),))
    facts = Facts(facts=(xml("BT-1", "R-1"),), rows={"BG-25": ()})
    assert merge_facts(TEMPLATE, facts, (), (printed,), {})[1] == (printed,)


def test_a_table_of_taxes() -> None:
    """Columns with terms of the tax breakdown take its rows."""
    columns = (Key("rate", "number", "rate", term="BT-119"),)
    template = Template("t", "T", (Key("taxes", "table", "taxes", columns=columns),), Locale(), (), (), "0" * 12, "")
    facts = Facts(rows={"BG-25": (row("Work", "1"),), "BG-23": ((xml("BT-119", "19.00"),), (xml("BT-119", "7"),))})
    _, (table,), values = merge_facts(template, facts, (), (TableAnswer("taxes", ()),), {})
    assert len(table.rows) == 2
    assert [values[f"taxes[{at}].rate"].value for at in (0, 1)] == [19, 7]


def page(*lines: str, turn: Any = 0) -> Page:
    words = tuple(
        Word(text, Box(0.1 * at, 0.1 * number, 0.1 * at + 0.08, 0.1 * number + 0.02), number, number, "text")
        for number, line in enumerate(lines)
        for at, text in enumerate(line.split())
    )
    return Page(0, 595, 842, turn, words, "text", None)


def merged_with(pages: tuple[Page, ...], key: Key, *facts: Fact, said: str = "", value: Any = None) -> Answer:
    template = Template("one", "One", (key,), Locale(), (), (), "0" * 12, "")
    answer = found(key.name, said) if said else absent(key.name)
    values = {key.name: Value(value)} if said else {}
    return merge_facts(template, Facts(facts=facts), (answer,), (), values, pages)[0][0]


def test_a_column_may_have_a_term_of_a_scheme() -> None:
    """BT-158-1 is the scheme of BT-158 and belongs to the invoice lines; no XML states it here."""
    columns = (Key("code", "text", "code", term="BT-158"), Key("scheme", "text", "scheme", term="BT-158-1"))
    template = Template("t", "T", (Key("items", "table", "items", columns=columns),), Locale(), (), (), "0" * 12, "")
    facts = Facts(rows={"BG-25": ((xml("BT-158", "7318"),),)})
    _, _, values = merge_facts(template, facts, (), (TableAnswer("items", ()),), {})
    assert values == {"items[0].code": Value("7318")}


def test_a_name_that_stands_on_the_page_is_printed() -> None:
    """Word for word, over the end of a line, whatever case and marks: a place, and no difference."""
    pages = (page("Seller: Acme", "TOOLS, Ltd. Hill 3"),)
    answer = merged_with(pages, KEYS[0], xml("BT-1", "Acme Tools Ltd"), said="Kern", value="Kern")
    assert answer.flags == ()
    assert answer.place is not None
    assert [(box.left, box.top, box.right) for box in answer.place.boxes] == [(0.1, 0.0, 0.18), (0.0, 0.1, 0.18)]
    assert merged_with(pages, KEYS[0], xml("BT-1", "Acme Tools Ltd")).place is not None  # the model saw nothing
    turned = merged_with((page("Acme Tools Ltd", turn=180),), KEYS[0], xml("BT-1", "Acme Tools Ltd"))
    assert turned.place is not None
    assert turned.place.boxes[0].bottom == 1


@pytest.mark.parametrize(
    ("line", "text"),
    [("number 47110 of 2", "47110"), ("AcmeTools Ltdx", "Acme Tools Ltd"), ("Tools", "Acme Tools"), ("a b", "a b")],
)
def test_what_stands_there_by_chance(line: str, text: str) -> None:
    """One word, a part of a word, a part of the name, a handful of letters: no proof that it is this key's value."""
    answer = merged_with((page(line),), KEYS[0], xml("BT-1", text), said="other", value="other")
    assert answer.flags == ("differs_from_print",)


def test_net_and_gross_price() -> None:
    """The gross price is taken where the page prints it and not the net one."""
    price = Key("price", "amount", "price", term="BT-146")
    both = (xml("BT-146", "19.00"), xml("BT-148", "20.00"))
    taken = merged_with((page("price 20,00"),), price, *both, said="20,00", value=20.0)
    assert (taken.text, taken.flags) == ("20.00", ())
    taken = merged_with((page("price 20,00 less 1,00 19,00"),), price, *both, said="20,00", value=20.0)
    assert (taken.text, taken.flags) == ("19.00", ("differs_from_print",))
    assert merged_with((), price, *both).text == "19.00"


@pytest.mark.parametrize(
    ("fact", "printed", "differs"),
    [("3.3333", 3.33, False), ("3.3350", 3.34, False), ("3.3333", 3.3, True), ("3.34", 3.33, True)],
)
def test_a_price_printed_with_fewer_decimals(fact: str, printed: float, differs: bool) -> None:
    """Rounded to what is printed, two decimals at least, it is the same price."""
    answer = merged_with((), KEYS[2], xml("BT-112", fact), said=str(printed), value=printed)
    assert bool(answer.flags) == differs


def test_a_fact_of_no_type_that_the_page_prints_too() -> None:
    """A number with wrong check digits stays what the document says, null with a flag; another number is no answer."""
    iban = Key("account", "iban", "account", term="BT-84")
    wrong = found("account", "DE88 2008 0000 0970 3757 01", OTHER_PLACE)
    other = found("account", "CH93 0076 2011 6238 5295 7", runners_up=(wrong,))
    facts = Facts(facts=(xml("BT-84", "DE88200800000970375701"),))
    template = Template("one", "One", (iban,), Locale(), (), (), "0" * 12, "")
    printed = {"account": Value("CH9300762011623852957")}
    answers, _, values = merge_facts(template, facts, (other,), (), printed)
    assert (answers[0].text, values["account"].value) == ("DE88200800000970375701", None)
    assert "bad_checksum" in values["account"].flags
    answers, _, values = merge_facts(template, facts, (replace(other, runners_up=()),), (), printed)
    assert (answers[0].source, values["account"].value) == ("text", "CH9300762011623852957")


def test_long_values_are_told_in_short() -> None:
    """A problem names both values, not their whole text."""
    _, value = merge_one("number", xml("BT-1", "a" * 500), found("number", "b" * 500), Value("b" * 500))
    assert [len(one) for one in value.readings] == [80, 80]
    assert value.value == "a" * 500
