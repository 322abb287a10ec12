"""One document through the road of a model that reads pixels."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from stand_ins import PictureBackend, PreparedSheet, drawn

from pipkie_cli.errors import OutOfMemory
from pipkie_cli.nouns import (
    POPPLER_FAILED,
    Fact,
    Input,
    Key,
    Locale,
    Page,
    RunOptions,
    SourcePage,
    Template,
    Written,
)
from pipkie_cli.pages import Pictures
from pipkie_cli.pipeline import process, records_of, walk
from pipkie_cli.records import check_record

pytestmark = pytest.mark.usefixtures("made_up")
KEYS = (Key("invoice_number", "text", "invoice number", required=True), Key("total", "amount", "total"))
ITEMS = Key("items", "table", "items", columns=(Key("amount", "amount", "amount"),), required=True)


def template(name: str = "note", cue: str = "note", keys: tuple[Key, ...] = KEYS, **more: Any) -> Template:
    return Template(name, name.title(), keys, Locale(), (cue,), (), "0123456789ab", f"{name}.yaml", **more)


ONE = RunOptions((template(),), template_given=True)


def item(folder: Path, text: str, name: str = "a.pdf") -> Input:
    path = folder / name
    path.write_text(text)
    return Input(path, f"in/{name}")


@pytest.fixture
def no_ocr(made_up: pytest.MonkeyPatch) -> None:
    """The picture of a page is never asked for by whoever reads words."""
    from stand_ins import read_words

    def reading(page: SourcePage) -> Page:
        read = read_words(page)
        assert not read.words, "a page was read by OCR"
        return read

    made_up.setattr("pipkie_cli.words.read_words", reading)


@pytest.mark.usefixtures("no_ocr")
def test_values_come_from_pixels(tmp_path: Path) -> None:
    """With one template no page is read by OCR: the model sees the pages, and the record says so."""
    (record,) = process(item(tmp_path, "invoice_number: N-17\ntotal: 12.50"), ONE, PictureBackend())
    assert record["values"] == {"invoice_number": "N-17", "total": 12.5}
    assert record["status"] == "ok"
    assert record["model"] == "made-up-pixels@1"
    assert record["fields"]["total"] == {
        "raw": "12.50",
        "confidence": 0.9512,
        "page": 1,
        "boxes": [[0.1, 0.025, 0.5, 0.045]],
        "source": "pixels",
        "flags": [],
    }
    assert check_record(record, ONE.templates[0]) == []


@pytest.mark.usefixtures("no_ocr")
def test_pages_share_forwards_as_the_model_allows(tmp_path: Path) -> None:
    """Five pages for a model that takes two make three sheets, each with every key and the number of all pages."""
    backend = PictureBackend(max_pictures=2)
    pages = "x\fx\fx\finvoice_number: N-17\ftotal: 3.00"
    trace = walk(item(tmp_path, pages), ONE, backend)
    assert [[one.page_index for one in sheet.pictures] for sheet in backend.sheets] == [[0, 1], [2, 3], [4]]
    assert {sheet.page_count for sheet in backend.sheets} == {5}
    assert all(sheet.keys == KEYS for sheet in backend.sheets)
    assert trace.reading.sheets == ((0, 1), (2, 3), (4,))
    assert trace.record["values"] == {"invoice_number": "N-17", "total": 3.0}
    assert [trace.record["fields"][key]["page"] for key in ("invoice_number", "total")] == [4, 5]


def test_pixels_are_capped_by_option_then_by_template(tmp_path: Path) -> None:
    """The user's cap wins over the template's; without either the checkpoint's own holds."""
    paper = item(tmp_path, "total: 1.00")
    capped = replace(ONE, templates=(template(max_pixels=20_000),))
    for options, most in ((ONE, None), (capped, 20_000), (replace(capped, max_pixels=50_000), 50_000)):
        backend = PictureBackend()
        process(paper, options, backend)
        assert backend.sheets[0].max_pixels == most


def test_a_type_is_chosen_by_words(tmp_path: Path) -> None:
    """Several templates may fit: pages are read to choose, then the model sees them."""
    options = RunOptions((template(), template("slip", "slip")), template_given=True)
    backend = PictureBackend()
    (record,) = process(item(tmp_path, "slip\ninvoice_number: N-17"), options, backend)
    assert record["document_type"] == "slip"
    assert record["values"]["invoice_number"] == "N-17"
    assert len(backend.sheets) == 1


def test_nothing_is_asked_where_no_template_fits(tmp_path: Path) -> None:
    backend = PictureBackend()
    (record,) = process(item(tmp_path, "x y z"), RunOptions((template(), template("slip", "slip"))), backend)
    assert (record["status"], record["template"], backend.sheets) == ("review", None, [])


def test_tables_are_not_read_and_the_record_says_so(tmp_path: Path) -> None:
    """Not asked is another thing than not found: nor is a rule over such a table broken."""
    rules = ("count(items) > 0", "sum(items.amount) == total")
    options = replace(ONE, templates=(template(keys=(*KEYS, ITEMS), rules=rules),))
    backend = PictureBackend()
    (record,) = process(item(tmp_path, "invoice_number: N-17\ntotal: 1.00"), options, backend)
    assert backend.sheets[0].keys == KEYS
    assert record["values"]["items"] == []
    assert [(one["code"], one["keys"]) for one in record["problems"]] == [("table_not_read", ["items"])]
    assert record["status"] == "review"
    assert check_record(record, options.templates[0]) == []


def test_a_template_of_tables_alone_asks_nothing(tmp_path: Path) -> None:
    options = replace(ONE, templates=(template(keys=(ITEMS,)),))
    backend = PictureBackend()
    (record,) = process(item(tmp_path, "x"), options, backend)
    assert backend.sheets == []
    assert [one["code"] for one in record["problems"]] == ["table_not_read"]


def test_a_page_that_cannot_be_drawn_costs_itself(tmp_path: Path) -> None:
    """It is told, and is none of the pages that were read."""
    (record,) = process(item(tmp_path, "TORN\finvoice_number: N-17"), ONE, PictureBackend())
    assert record["values"]["invoice_number"] == "N-17"
    assert record["document"]["pages"] == [2]
    assert [one["code"] for one in record["problems"]] == ["page_unreadable"]


def test_a_document_of_undrawable_pages_fails(tmp_path: Path) -> None:
    (record,) = process(item(tmp_path, "TORN\fTORN"), ONE, PictureBackend())
    assert record["status"] == "failed"
    assert record["problems"][0]["code"] == "damaged_file"


def test_a_fallback_of_the_rasterizer_is_told(tmp_path: Path, made_up: pytest.MonkeyPatch) -> None:
    """Other pixels, perhaps other values."""

    class Drawn:
        rasterizer = POPPLER_FAILED

        def __call__(self) -> Any:
            return drawn("invoice_number: N-17")

    made_up.setattr("stand_ins.partial", lambda *_: Drawn())
    (record,) = process(item(tmp_path, "x"), ONE, PictureBackend())
    assert [one["code"] for one in record["problems"]] == ["poppler_failed"]


def test_doubts_of_the_model_are_flags(tmp_path: Path) -> None:
    """A value that was cut off needs a look; one that was read again does not; an unsure one has its confidence."""
    (record,) = process(item(tmp_path, "invoice_number: N-1~\ntotal: 5.00!"), ONE, PictureBackend())
    assert record["fields"]["invoice_number"]["flags"] == ["value_truncated"]
    assert record["fields"]["total"]["flags"] == ["refined"]
    assert record["status"] == "review"
    (record,) = process(item(tmp_path, "invoice_number: N-1\ntotal: 5.00!"), ONE, PictureBackend())
    assert record["status"] == "ok"
    (record,) = process(item(tmp_path, "invoice_number: N-1?"), ONE, PictureBackend())
    assert record["fields"]["invoice_number"]["flags"] == ["low_confidence"]


def test_pages_that_name_different_documents_are_told(tmp_path: Path) -> None:
    """Sheet by sheet, as window by window."""
    paper = item(tmp_path, "invoice_number: N-17\finvoice_number: X-99")
    (record,) = process(paper, ONE, PictureBackend(max_pictures=1))
    assert [one["code"] for one in record["problems"]] == ["several_documents"]
    assert "N-17 (page 1), X-99 (page 2)" in record["problems"][0]["message"]


def test_parts_of_a_file_are_asked_their_own_pages(tmp_path: Path) -> None:
    """Every part is a document: its sheets count its pages, its places are on the file's."""
    paper = item(tmp_path, "invoice_number: 1\finvoice_number: 2\finvoice_number: 3")
    backend = PictureBackend()
    records = process(paper, replace(ONE, split="page"), backend)
    assert [record["values"]["invoice_number"] for record in records] == ["1", "2", "3"]
    assert [record["fields"]["invoice_number"]["page"] for record in records] == [1, 2, 3]
    assert {sheet.page_count for sheet in backend.sheets} == {1}


def test_facts_take_the_place_of_what_was_read(tmp_path: Path, made_up: pytest.MonkeyPatch) -> None:
    """Also of a table, which then was read after all."""
    from pipkie_cli.facts import Facts

    row = {"BT-131": Fact("BT-131", "7.00", "7.00", "embedded_xml")}
    facts = Facts((Fact("BT-1", "R-1", "R-1", "embedded_xml"),), {"BG-25": (tuple(row.values()),)})
    made_up.setattr("pipkie_cli.facts.read_facts", lambda *_: facts)
    number = replace(KEYS[0], term="BT-1")
    items = replace(ITEMS, columns=(Key("amount", "amount", "amount", term="BT-131"),))
    options = replace(ONE, templates=(template(keys=(number, items)),))
    (record,) = process(item(tmp_path, "invoice_number: R-1"), options, PictureBackend())
    assert record["values"] == {"invoice_number": "R-1", "items": [{"amount": 7.0}]}
    assert record["fields"]["invoice_number"]["source"] == "embedded_xml"
    assert record["status"] == "ok"


def test_documents_may_share_a_forward(tmp_path: Path) -> None:
    """Whoever walks several roads asks the model between their steps: the records are the same."""
    papers = [item(tmp_path, f"invoice_number: N-{n}\fx\fx", f"{n}.pdf") for n in range(3)]
    backend = PictureBackend(max_pictures=1)
    alone = [process(paper, ONE, backend) for paper in papers]
    backend.batches.clear()
    roads = [records_of(paper, ONE, backend) for paper in papers]
    wanted = [next(road) for road in roads]
    said = iter(backend.forward([one for inputs in wanted for one in inputs]))
    together = []
    for road, inputs in zip(roads, wanted, strict=True):
        answers = [next(said) for _ in inputs]
        with pytest.raises(StopIteration) as done:
            road.send(lambda answers=answers: answers)  # type: ignore[misc]
        together.append(done.value.value)
    assert backend.batches == [9]
    assert json.dumps(together) == json.dumps(alone)


def test_what_the_model_raises_ends_the_document(tmp_path: Path) -> None:
    """An error of the forward that others share is each document's own."""
    road = records_of(item(tmp_path, "x"), ONE, PictureBackend())
    next(road)

    def fail() -> Sequence[Any]:
        raise OutOfMemory("the document does not fit into the device's memory")

    with pytest.raises(StopIteration) as done:
        road.send(fail)
    (record,) = done.value.value
    assert (record["status"], record["problems"][0]["code"]) == ("failed", "out_of_memory")


def test_a_file_that_changes_between_two_looks_fails(tmp_path: Path, made_up: pytest.MonkeyPatch) -> None:
    """Words of one file and pixels of another make no record."""
    paper = item(tmp_path, "slip\ninvoice_number: 1")
    choose = RunOptions((template(), template("slip", "slip")), template_given=True, facts=False)
    made_up.setattr("pipkie_cli.pages.pictures.KEPT_BYTES", 0)

    class Late(PictureBackend):
        @property
        def max_pictures(self) -> int:  # asked for when the words are read, and no picture is drawn
            paper.path.write_text("slip\ninvoice_number: 2")
            return 1

        @max_pictures.setter
        def max_pictures(self, _: int) -> None: ...

    (record,) = process(paper, choose, Late())
    assert (record["status"], record["problems"][0]["code"]) == ("failed", "file_unavailable")


def test_a_picture_that_was_drawn_is_not_drawn_again(tmp_path: Path, made_up: pytest.MonkeyPatch) -> None:
    """Reading a page and looking at it take one picture, within a limit of memory."""
    counts: list[int] = []

    def counting(*arguments: Any) -> Callable[[], Any]:
        def draw() -> Any:
            counts.append(1)
            return drawn(arguments[1])

        return draw

    made_up.setattr("stand_ins.partial", counting)
    choose = RunOptions((template(), template("slip", "slip")), template_given=True, facts=False)
    paper = item(tmp_path, "slip\ninvoice_number: 1\fx")
    process(paper, choose, PictureBackend())
    assert len(counts) == 2
    made_up.setattr("pipkie_cli.pages.pictures.KEPT_BYTES", 84 * 60 * 3)  # one page
    process(paper, choose, PictureBackend())
    assert len(counts) == 2 + 3


def test_pictures_may_be_asked_for_in_any_order(tmp_path: Path) -> None:
    """The file is opened again for a page that has gone by."""
    import hashlib

    paper = item(tmp_path, "a\fb\fc")
    digest = hashlib.sha256(paper.path.read_bytes()).hexdigest()
    pictures = Pictures(paper, ONE)
    found = [one.page_index for asked in ([2], [0, 1], [1]) for one in pictures.of(asked, digest)]
    pictures.close()
    assert found == [2, 0, 1, 1]


def test_a_model_may_write_anything(tmp_path: Path) -> None:
    """Control characters, lone surrogates and blanks never reach a record; an empty value is no value."""

    class Wild(PictureBackend):
        def forward(self, batch: Sequence[PreparedSheet]) -> tuple[tuple[Written, ...], ...]:
            return tuple((Written(" A\n\x00\u202e\ud800 B ", -0.1), Written("  \n", -0.2)) for _ in batch)

    (record,) = process(item(tmp_path, "x"), ONE, Wild())
    assert record["fields"]["invoice_number"]["raw"] == "A B"
    assert record["fields"]["invoice_number"]["page"] is None
    assert record["fields"]["total"]["raw"] is None
    assert check_record(record, ONE.templates[0]) == []
