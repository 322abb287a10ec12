"""One document through the road, whatever happens to it."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from stand_ins import KeyValueBackend, read_words

from pipkie_cli.errors import ModelError
from pipkie_cli.nouns import (
    POPPLER_FAILED,
    Box,
    Candidate,
    Input,
    Key,
    Locale,
    Page,
    RunOptions,
    Template,
    TypeChoice,
    Window,
    Word,
)
from pipkie_cli.pipeline import choose_template, page_text, prepared, process, walk

pytestmark = pytest.mark.usefixtures("made_up")
KEYS = (Key("number", "text", "number", required=True), Key("total", "amount", "total"))


def template(name: str = "note", cue: str = "note") -> Template:
    return Template(name, name.title(), KEYS, Locale(), (cue,), (), "0123456789ab", f"{name}.yaml")


ONE = RunOptions((template(),), template_given=True)


def item(folder: Path, text: str) -> Input:
    path = folder / "a.pdf"
    path.write_text(text)
    return Input(path, "in/a.pdf")


def test_a_document_becomes_a_record_with_typed_values(tmp_path: Path) -> None:
    """Words, one forward, answers, values, record: the values stand in the record under their keys."""
    record = process(item(tmp_path, "number: N-17\ntotal: 12.50"), ONE, KeyValueBackend())[0]
    assert record["document"]["path"] == "in/a.pdf"
    assert record["status"] == "ok"
    assert record["values"]["number"] == "N-17"


def test_a_trace_holds_every_stop(tmp_path: Path) -> None:
    """What explain prints is what the record was made of."""
    trace = walk(item(tmp_path, "number: N-17\f\ntotal: 12.50"), ONE, KeyValueBackend())
    assert [page.page_index for page in trace.prepared.pages] == [0, 1]
    assert len(trace.prepared.windows) == len(trace.reading.candidates)
    assert {answer.key: answer.text for answer in trace.reading.answers} == {"number": "N-17", "total": "12.50"}
    assert set(trace.values) == {"number", "total"}
    assert trace.record["document"]["pages"] == [1, 2]


def test_an_absent_key_has_no_typed_value(tmp_path: Path) -> None:
    """ABSENT is not parsed: nothing is made of nothing."""
    trace = walk(item(tmp_path, "number: N-17"), ONE, KeyValueBackend())
    assert set(trace.values) == {"number"}


COLUMNS = (Key("description", "text", "description"), Key("amount", "amount", "amount"))
WITH_TABLE = RunOptions(
    (replace(template(), keys=(*KEYS, Key("line_items", "table", "line items", columns=COLUMNS))),), template_given=True
)


def test_rows_of_a_table_become_typed_rows_of_the_record(tmp_path: Path) -> None:
    """The same forward answers keys and cells; values of cells go by their names."""
    text = "number: N-17\ndescription: Nails amount: 4.50\ndescription: Bolts amount: 2.00\ftotal: 6.50"
    trace = walk(item(tmp_path, text), WITH_TABLE, KeyValueBackend())
    assert [answer.key for answer in trace.reading.answers] == ["number", "total"]
    assert [len(table.rows) for table in trace.reading.tables] == [2]
    assert trace.values["line_items[1].amount"].value == 2.0
    assert trace.record["values"] == {
        "number": "N-17",
        "total": 6.5,
        "line_items": [{"description": "Nails", "amount": 4.5}, {"description": "Bolts", "amount": 2.0}],
    }
    assert trace.record["fields"]["line_items"][1]["amount"]["raw"] == "2.00"
    assert trace.record["status"] == "ok"


def test_amounts_of_cells_say_how_the_document_writes_numbers(tmp_path: Path) -> None:
    """A lone 1.234 is read as the amounts in the table are written."""
    text = "number: 1\ntotal: 1.234\ndescription: Nails amount: 34,50"
    trace = walk(item(tmp_path, text), WITH_TABLE, KeyValueBackend())
    assert (trace.context.decimal, trace.context.decimal_from) == (",", "values")
    assert trace.record["values"]["total"] == 1234
    assert walk(item(tmp_path, text), ONE, KeyValueBackend()).context.decimal_from == "page"


def test_a_blank_page_holds_no_table(tmp_path: Path) -> None:
    """Nothing is asked; the table is there in the record, with no row."""
    record = process(item(tmp_path, ""), WITH_TABLE, KeyValueBackend())[0]
    assert record["values"] == {"number": None, "total": None, "line_items": []}
    assert record["fields"]["line_items"] == []


def test_a_document_error_ends_as_a_failed_record(tmp_path: Path) -> None:
    """Code, message and hint of the error stand in the record."""
    record = process(item(tmp_path, "LOCKED"), ONE, KeyValueBackend())[0]
    assert (record["status"], record["problems"][0]["code"]) == ("failed", "password_needed")
    assert "--password" in str(record["problems"])


def test_an_unforeseen_error_names_its_class_and_quotes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The message of a foreign exception may hold the page's text: it stays out of record and log."""
    with caplog.at_level(logging.INFO, "pipkie_cli"):
        record = process(item(tmp_path, "BREAK IBAN-DE00"), ONE, KeyValueBackend())[0]
    assert (record["status"], record["problems"][0]["code"]) == ("failed", "internal")
    assert "ValueError" in record["problems"][0]["message"]
    assert "IBAN" not in str(record) + caplog.text


def test_a_backend_that_raises_costs_one_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that fails on one document does not end the run; what was known by then stands in the record."""
    monkeypatch.setattr(KeyValueBackend, "forward", lambda self, window: 1 / 0)
    record = process(item(tmp_path, "TORN\fnumber: N-17"), ONE, KeyValueBackend())[0]
    assert record["status"] == "failed"
    assert [problem["code"] for problem in record["problems"]] == ["internal", "page_unreadable"]
    assert (record["document"]["pages"], record["document"]["page_count"]) == ([2], 2)


def test_an_error_of_the_run_passes_the_boundary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged model would fail every document: it ends the run instead."""

    def damaged(*_: Any) -> None:
        raise ModelError("the weights are damaged")

    monkeypatch.setattr(KeyValueBackend, "forward", damaged)
    with pytest.raises(ModelError):
        process(item(tmp_path, "number: N-17"), ONE, KeyValueBackend())[0]


def test_one_unreadable_page_is_a_problem_and_the_others_are_read(tmp_path: Path) -> None:
    """Page 1 cannot be drawn; the value on page 2 is found, and the record says what is missing."""
    record = process(item(tmp_path, "TORN\fnumber: N-17"), ONE, KeyValueBackend())[0]
    assert record["values"]["number"] == "N-17"
    assert record["document"]["pages"] == [2]
    assert "page_unreadable" in [problem["code"] for problem in record["problems"]]


def test_a_fallback_of_the_rasterizer_stands_in_the_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that pdfium drew because poppler failed may hold other words: said, and no reason to look at it."""
    drawn = {"rasterizer": POPPLER_FAILED}
    monkeypatch.setattr("pipkie_cli.words.read_words", lambda page: replace(read_words(page), **drawn))
    record = process(item(tmp_path, "number: N-17"), ONE, KeyValueBackend())[0]
    assert [problem["code"] for problem in record["problems"]] == ["poppler_failed"]
    assert "page 1" in record["problems"][0]["message"]
    assert record["status"] == "ok"


def test_a_document_without_a_readable_page_fails(tmp_path: Path) -> None:
    """When every page is unreadable the document is, for the first page's reason."""
    record = process(item(tmp_path, "TORN\fTORN"), ONE, KeyValueBackend())[0]
    assert (record["status"], record["problems"][0]["code"]) == ("failed", "damaged_file")
    assert "page 1: it cannot be drawn" in record["problems"][0]["message"]


def test_on_a_blank_page_every_key_is_absent(tmp_path: Path) -> None:
    """Nothing to read is no error of the document: it is read, and a required key is missing."""
    record = process(item(tmp_path, ""), ONE, KeyValueBackend())[0]
    assert (record["status"], record["values"]) == ("review", {"number": None, "total": None})
    assert record["document"]["pages"] == [1]


def test_no_template_fits_makes_nothing_up(tmp_path: Path) -> None:
    """Nothing is asked, no value stands in the record, and its problem says why."""
    options = RunOptions((template("note"), template("letter", "dear")))
    record = process(item(tmp_path, "quite another thing"), options, KeyValueBackend())[0]
    assert (record["document_type"], record["template"], record["values"]) == (None, None, {})
    assert record["status"] == "review"
    assert [problem["code"] for problem in record["problems"]] == ["no_template_fits"]


def test_of_named_templates_one_is_used_even_at_a_low_score() -> None:
    """The user knows the documents: with --template none fits is no answer."""
    named = RunOptions((template("note"), template("letter", "dear")), template_given=True)
    assert choose_template([page("nothing", "known")], named).template is not None
    assert choose_template([page("nothing", "known")], RunOptions(named.templates)).template is None


def test_page_text_keeps_printed_lines() -> None:
    """Words of a line are joined by blanks, lines by line ends, over pages."""
    assert page_text([page("a", "b"), page("c")]) == "a b\nc"


def page(*texts: str) -> Page:
    words = tuple(Word(text, Box(0.1, 0.8, 0.2, 0.81), 0, 0, "ocr") for text in texts)
    return Page(0, 595, 842, 0, words, "ocr", None)


class Doubtful(KeyValueBackend):
    """Takes the word behind the value for the next best."""

    def forward(self, window: Window) -> tuple[tuple[Candidate, ...], ...]:
        return tuple(_with_next(guesses, len(window.words)) for guesses in super().forward(window))


def _with_next(guesses: tuple[Candidate, ...], n_words: int) -> tuple[Candidate, ...]:
    best, *rest = guesses
    if best.words is None or best.words[1] + 1 == n_words:
        return guesses
    return (best, Candidate((best.words[1] + 1, best.words[1] + 1), -2.6), *rest)


def test_a_runner_up_that_keeps_a_rule_stands_in_the_record(tmp_path: Path) -> None:
    """The record has it with its flag, is for review, and no rule is broken any more."""
    ruled = replace(template("note"), rules=("total * 2 == 5",))
    document = item(tmp_path, "number: A-1\ntotal: 12.50 2.50")
    record = process(document, RunOptions((ruled,)), Doubtful())[0]
    assert record["values"]["total"] == 2.5
    assert record["fields"]["total"]["flags"] == ["chosen_by_rule", "low_confidence"]
    assert record["status"] == "review"
    assert process(document, RunOptions((template("note"),)), Doubtful())[0]["values"]["total"] == 12.5


SPLIT = RunOptions((template(),), template_given=True, split="page")


def test_every_page_is_a_document_of_its_own_when_asked(tmp_path: Path) -> None:
    """Numbered parts with their own pages; boxes stand on the pages of the file."""
    records = process(item(tmp_path, "number: N-17\fnumber: N-18\ntotal: 9.00"), SPLIT, KeyValueBackend())
    assert [record["document"]["part"] for record in records] == [1, 2]
    assert [record["document"]["pages"] for record in records] == [[1], [2]]
    assert [record["document"]["page_count"] for record in records] == [2, 2]
    assert [record["values"]["number"] for record in records] == ["N-17", "N-18"]
    assert [record["fields"]["number"]["page"] for record in records] == [1, 2]
    assert len({record["document"]["sha256"] for record in records}) == 1


def test_a_part_counts_its_pages_as_a_file_does(tmp_path: Path) -> None:
    """What a model sees of a page is the same whether its document lies in a file of its own or behind another."""
    seen: list[tuple[int, int]] = []

    class Watching(KeyValueBackend):
        def prepare(self, window: Window) -> Window:
            seen.append((window.page_index, window.page_count))
            return window

    process(item(tmp_path, "a\fb\fc"), SPLIT, Watching())
    assert seen == [(0, 1)] * 3


def test_a_page_that_breaks_fails_its_part_alone(tmp_path: Path) -> None:
    """The other documents of the file have their records."""

    class Breaking(KeyValueBackend):
        def forward(self, window: Window) -> tuple[tuple[Candidate, ...], ...]:
            if window.words[0].text == "bad":
                raise ValueError("a secret")
            return super().forward(window)

    records = process(item(tmp_path, "number: A\fbad\fnumber: C"), SPLIT, Breaking())
    assert [record["status"] for record in records] == ["ok", "failed", "ok"]
    assert [record["document"]["part"] for record in records] == [1, 2, 3]
    assert records[1]["problems"][0]["code"] == "internal"


def test_a_part_of_unknown_type_fails_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes wrong before the model is asked costs that document, which says which one it is, and no other."""
    choose = prepared.choose_template

    def choose_but_one(pages: Sequence[Page], *more: Any) -> TypeChoice:
        if pages[0].page_index == 1:
            raise ValueError("unforeseen")
        return choose(pages, *more)

    monkeypatch.setattr(prepared, "choose_template", choose_but_one)
    found = process(item(tmp_path, "number: 1\fnumber: 2\fnumber: 3"), replace(ONE, split="page"), KeyValueBackend())
    assert [(one["status"], one["document"]["part"], one["document"]["pages"]) for one in found] == [
        ("ok", 1, [1]),
        ("failed", 2, [2]),
        ("ok", 3, [3]),
    ]
    assert found[1]["problems"][0]["code"] == "internal"


def test_two_numbers_in_one_file_are_told(tmp_path: Path) -> None:
    """Not split, but two pages surely name two documents: a person should look, and knows what to do."""
    (record,) = process(item(tmp_path, "number: N-17\fnumber: N-18"), ONE, KeyValueBackend())
    (told,) = [problem for problem in record["problems"] if problem["code"] == "several_documents"]
    assert record["status"] == "review"
    assert "N-17 (page 1), N-18 (page 2)" in told["message"]
    assert "--split" in told["message"]
    assert told["keys"] == ["number"]
    (same,) = process(item(tmp_path, "number: N-17\fnumber: N-17"), ONE, KeyValueBackend())
    assert same["status"] == "ok"
