"""Facts in place of what was read off the page. The print is still read: it gives the place, or a difference.

A key with a business term (`term:` in the template) takes the fact of that term, sure as a fact is (confidence 1). Of
several facts for one term the one that the page prints is taken, else the first: XML before codes. Where the page
prints the same the value stands there; where it prints another value, the field is flagged `differs_from_print`; where
nothing was found on the page, that says nothing. A name or description of several words that stands on the page word
for word is printed, wherever the model looked. A fact that is no value of the key's type gives way to a print that is,
unless the page prints the fact as well.

Codes that contradict each other, and of which the page prints none, fill nothing: the field is flagged
`several_codes`. A key of type `barcode` takes the codes that match its pattern. A table takes the rows of the group
that its columns' terms belong to.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pipkie_cli.facts.codes import BARCODE
from pipkie_cli.facts.invoice_xml import INVOICE_LINES, TAX_BREAKDOWN, Row
from pipkie_cli.facts.printed import Printed
from pipkie_cli.facts.read import Facts
from pipkie_cli.facts.rows import align
from pipkie_cli.facts.typed import agree, same_text, type_fact
from pipkie_cli.nouns import Answer, Fact, Key, Page, Place, TableAnswer, Template, Value

DIFFERS = "differs_from_print"
CODE_DIFFERS = "differs_from_code"
SEVERAL = "several_codes"
CERTAIN = 1.0
MOST_TOLD = 80  # characters of each of two values that differ; the record has all of the one
OTHER_TERM = {"BT-146": "BT-148"}  # net price: where only the gross price is printed, that is the page's unit price

Stated = tuple[Fact, Value]
_NUMBER = re.compile(r"BT-(\d+)")


@dataclass(frozen=True, slots=True)
class _Document:
    """What is the same for every key of one document."""

    is_credit: bool
    printed: Printed


def merge_facts(
    template: Template,
    facts: Facts,
    answers: Sequence[Answer],
    tables: Sequence[TableAnswer],
    values: Mapping[str, Value],
    pages: Sequence[Page] = (),
) -> tuple[tuple[Answer, ...], tuple[TableAnswer, ...], dict[str, Value]]:
    """The answers, tables and values of one document with its facts in them; without facts they stay as they are.

    `values` holds the typed value of every key and cell that is not ABSENT, by name.
    """
    if not (facts.facts or facts.rows or facts.codes):
        return tuple(answers), tuple(tables), dict(values)
    keys = {key.name: key for key in template.keys}
    document = _Document(facts.is_credit, Printed(pages))
    merged = dict(values)
    given: list[Answer] = []
    for answer in answers:
        key = keys[answer.key]
        stated = _facts_of_codes(key, facts) if key.type == BARCODE else facts.facts
        found = _merged(key, stated, answer, values.get(answer.key), document)
        given.append(found[0] if found else answer)
        if found and found[1]:
            merged[answer.key] = found[1]
    whole = [_merged_table(keys[table.key], facts, table, merged, document) for table in tables]
    return tuple(given), tuple(whole), merged


def _facts_of_codes(key: Key, facts: Facts) -> tuple[Fact, ...]:
    """Every code on the pages that matches the key's pattern; where there is none, the facts of its term."""
    from pipkie_cli.templates import matches_pattern

    found = {
        code.text: Fact(key.term or "", code.text, code.text, "barcode", code.place)
        for code in reversed(facts.codes)  # of equal ones the first stays
        if key.pattern is None or matches_pattern(key.pattern, code.text)
    }
    return tuple(reversed(found.values())) or facts.facts


def _merged(
    key: Key, facts: Sequence[Fact], answer: Answer, printed: Value | None, document: _Document
) -> tuple[Answer, Value | None] | None:
    """Answer and value of a key or cell that a fact fills; None where none does."""
    stated = [(fact, type_fact(key, fact)) for fact in _facts_of(key, facts)]
    usable = [(fact, value) for fact, value in stated if value.value is not None]
    if not stated or (not usable and _gives_way(stated[0][0], answer, printed)):
        return None
    chosen = _chosen(key, usable, answer, printed, document)
    if chosen is None and _contradict(usable):
        return replace(answer, flags=(*answer.flags, SEVERAL)), printed
    (fact, value), places = chosen or ((usable or stated)[0], [])
    doubt, against = "", ""
    if not chosen and usable and printed is not None:
        against = " or ".join([str(printed.value)] if printed.value is not None else printed.readings)
        doubt = DIFFERS if against else ""
    if not doubt and fact.source == "embedded_xml":
        against = _other_code(key, usable) or ""
        doubt = CODE_DIFFERS if against else ""
    place = fact.place or (places[0] if places else None)
    flags = (doubt,) if doubt else ()
    sure = Answer(answer.key, fact.text, CERTAIN, place, fact.source, answer.runners_up, flags)
    return sure, replace(value, readings=(_short(str(value.value)), _short(against)) if doubt else value.readings)


def _short(text: str) -> str:
    return text if len(text) <= MOST_TOLD else f"{text[: MOST_TOLD - 1]}\N{HORIZONTAL ELLIPSIS}"


def _gives_way(fact: Fact, answer: Answer, printed: Value | None) -> bool:
    """Whether a print that is of the key's type is taken for a fact that is not.

    Not where the page prints the fact elsewhere: a VAT number with wrong check digits stays null with a flag, whatever
    other number the page has.
    """
    if printed is None or printed.value is None:
        return False
    return same_text(fact.text, answer.text or "") or not any(
        same_text(fact.text, other.text) for other in answer.runners_up if other.text is not None
    )


def _contradict(usable: Sequence[Stated]) -> bool:
    """Whether only codes speak, and say different things: two slips for two instalments, or a page of labels."""
    values = {value.value for _, value in usable}
    return len(values) > 1 and all(fact.source == "barcode" for fact, _ in usable)


def _chosen(
    key: Key, usable: Sequence[Stated], answer: Answer, printed: Value | None, document: _Document
) -> tuple[Stated, list[Place]] | None:
    """The fact that the page prints, and where; None where it prints none of them."""
    prints = list(_prints(key, answer, printed))
    for term in dict.fromkeys(fact.term for fact, _ in usable):
        of_term = [one for one in usable if one[0].term == term]
        for one, said in prints:
            for fact, value in of_term:
                if agree(key, value, said, one.text or "", document.is_credit):
                    return (fact, value), [one.place] if one.place else []
        if any(isinstance(value.value, float) and document.printed.has_number(value.value) for _, value in of_term):
            break  # read off another place, but printed: no reason to take the other term
    if key.type == "text":
        for fact, value in usable:
            if places := document.printed.places(str(value.value)):
                return (fact, value), places
    return None


def _other_code(key: Key, usable: Sequence[Stated]) -> str | None:
    """What a payment code says, where the XML says nothing of the kind."""
    stated = [value for fact, value in usable if fact.source == "embedded_xml"]
    codes = [value for fact, value in usable if fact.source == "barcode"]
    if not codes or any(agree(key, one, other, "", True) for one in stated for other in codes):
        return None
    return str(codes[0].value)


def _facts_of(key: Key, facts: Sequence[Fact]) -> Iterator[Fact]:
    """Those of the key's term, XML first; then those of a term that may be printed in its place."""
    for term in (key.term or "", OTHER_TERM.get(key.term or "")):
        if term is not None:
            of_term = [fact for fact in facts if fact.term == term]
            yield from sorted(of_term, key=lambda fact: fact.source != "embedded_xml")


def _prints(key: Key, answer: Answer, printed: Value | None) -> Iterator[tuple[Answer, Value]]:
    """What the page may say: the answer, then what the model thought of beside it."""
    from pipkie_cli.values import ValueContext, parse_value

    if answer.text is not None and printed is not None:
        yield answer, printed
    for other in answer.runners_up:
        if other.text is not None:
            yield other, parse_value(key.type, other.text, ValueContext())


def _merged_table(
    key: Key, facts: Facts, table: TableAnswer, values: dict[str, Value], document: _Document
) -> TableAnswer:
    """The table with the rows of the XML, if it has any; `values` is changed with them."""
    rows = facts.rows.get(_group(key), ())
    if not rows:
        return table
    printed = [[values.get(table.cell_name(number, cell.key)) for cell in row] for number, row in enumerate(table.rows)]
    stated = [  # typed once a row, not once a pair of rows
        [[type_fact(column, fact) for fact in _facts_of(column, row)] for column in key.columns] for row in rows
    ]
    pairs = align(stated, table.rows, lambda row, at: _likeness(key, row, table.rows[at], printed[at]))
    for name, _ in table.named_cells():
        values.pop(name, None)
    unseen = tuple(Answer(column.name, None, 0.0, None, None) for column in key.columns)
    merged: list[tuple[Answer, ...]] = []
    for number, row in enumerate(rows):
        at = pairs.get(number)
        cells = table.rows[at] if at is not None else unseen
        said = printed[at] if at is not None else [None] * len(cells)
        found = [_cell(*one, row, document) for one in zip(key.columns, cells, said, strict=True)]
        merged.append(tuple(answer for answer, _ in found))
        values.update({table.cell_name(number, cell.key): value for cell, value in found if value is not None})
    return TableAnswer(key.name, tuple(merged))


def _cell(
    column: Key, cell: Answer, printed: Value | None, row: Row, document: _Document
) -> tuple[Answer, Value | None]:
    """One cell: its fact, else what is printed. A term that the XML's row leaves out is absent from it."""
    found = _merged(column, row, cell, printed, document)
    if found:
        return found
    if column.term and cell.text is None:
        return replace(cell, confidence=CERTAIN), None
    return cell, printed


def _group(table: Key) -> str:
    """The repeated group of EN 16931 that most columns belong to."""
    terms = (_NUMBER.match(column.term or "") for column in table.columns)
    numbers = [int(found[1]) for found in terms if found]
    taxes = sum(116 <= number <= 119 for number in numbers)
    lines = sum(126 <= number <= 161 for number in numbers)
    return TAX_BREAKDOWN if taxes > lines else INVOICE_LINES if lines else ""


def _likeness(
    key: Key, row: Sequence[Sequence[Value]], cells: Sequence[Answer], printed: Sequence[Value | None]
) -> int:
    """How many cells of a printed row say what a row of the XML says, of which `row` has the values by column."""
    return sum(
        any(agree(column, fact, value, cell.text or "", True) for fact in stated)
        for column, stated, cell, value in zip(key.columns, row, cells, printed, strict=True)
        if value is not None
    )
