"""The record: every key in its place, nothing made up, an honest status."""

from collections.abc import Mapping
from typing import Any

import pytest
from bills import ANSWERS, BOX, DOCUMENT, TEMPLATE, VALUES, absent, build, found

from pipkie_cli.errors import DocumentError, EmptyFile, PdfEncrypted, PipkieError
from pipkie_cli.nouns import Answer, Box, Place, Problem, RunOptions, TypeChoice, Value
from pipkie_cli.records import build_record, check_record, failed_record


def codes(record: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    return [(problem["code"], problem["keys"]) for problem in record["problems"]]


def test_a_right_document_gives_this_record() -> None:
    """The whole contract in one example: keys, order, rounding."""
    field = {"confidence": 0.9712, "page": 1, "boxes": [[0.12346, 0.2, 0.3, 0.4]], "source": "text", "flags": []}
    record = build()
    assert record == {
        "schema": "pipkie/1",
        "document": {"path": "in/a.pdf", "sha256": "0" * 64, "pages": [1, 2], "page_count": 2, "part": None},
        "status": "ok",
        "document_type": "bill",
        "type_score": 0.9877,
        "template": "bill@0123456789ab",
        "values": {"number": "R-17", "day": "2024-03-05", "total": 119.0},
        "fields": {
            "number": {"raw": "R-17"} | field,
            "day": {"raw": "5.3.24"} | field,
            "total": {"raw": "119,00 €"} | field,
        },
        "problems": [],
        "model": "mini@1.0+ab12",
        "pipkie": record["pipkie"],
    }
    assert list(record) == [
        "schema", "document", "status", "document_type", "type_score", "template", "values", "fields", "problems",
        "model", "pipkie",
    ]  # fmt: skip
    assert list(record["document"]) == ["path", "sha256", "pages", "page_count", "part"]
    assert list(record["values"]) == list(record["fields"]) == ["number", "day", "total"]
    assert list(record["fields"]["day"]) == ["raw", "confidence", "page", "boxes", "source", "flags"]


def test_keys_stand_in_the_templates_order_whatever_the_answers_order() -> None:
    """Columns of a table never shift."""
    record = build_record(
        DOCUMENT, [1], TypeChoice(TEMPLATE, 1.0), TEMPLATE, list(ANSWERS.values())[::-1], VALUES, (), "m",
        RunOptions((TEMPLATE,)),
    )  # fmt: skip
    assert list(record["values"]) == list(record["fields"]) == ["number", "day", "total"]


def test_an_absent_key_is_null_everywhere_and_no_doubt() -> None:
    """An optional key that the page does not hold: null, no place, its own confidence; the record stays ok."""
    record = build({"day": absent("day", 0.95)})
    assert record["values"]["day"] is None
    assert record["fields"]["day"] == {
        "raw": None, "confidence": 0.95, "page": None, "boxes": [], "source": None, "flags": [],
    }  # fmt: skip
    assert (record["status"], record["problems"]) == ("ok", [])


def test_an_absent_key_never_takes_a_value_that_lies_about() -> None:
    """A typed value without a printed text is not believed."""
    record = build({"day": absent("day")}, {"day": Value("2024-01-01", flags=("extra_text",))})
    assert record["values"]["day"] is None
    assert record["fields"]["day"]["flags"] == []


def test_a_required_key_that_is_missing_is_null_and_flagged() -> None:
    """Never filled; the record is for review and says which key."""
    record = build({"number": absent("number", 0.2)})
    assert record["values"]["number"] is None
    assert record["fields"]["number"]["flags"] == ["required_missing"]
    assert record["status"] == "review"
    assert codes(record) == [("required_missing", ["number"])]
    assert record["problems"][0]["message"] == "number: required, but not found in the document"


def test_a_doubtful_absence_says_that_the_document_may_hold_the_key() -> None:
    """Null is an answer as well: where the model rather thinks that the key is there, a person should look for it."""
    record = build({"day": absent("day", 0.3)})
    assert codes(record) == [("low_confidence", ["day"])]
    assert record["problems"][0]["message"].startswith("day: not found, but the document may well hold it")
    assert "pipkie explain" in record["problems"][0]["message"]
    assert build({"day": found("day", "5.3.24", 0.3)})["problems"][0]["message"] == (
        "day: the confidence is under the floor"
    )


@pytest.mark.parametrize(("confidence", "status"), [(0.4999, "review"), (0.5, "ok"), (0.51, "ok")])
@pytest.mark.parametrize("answer", [found, absent])
def test_under_the_confidence_floor_someone_should_look(answer: Any, confidence: float, status: str) -> None:
    """At a value, and at "the page does not hold this key"."""
    one = found("day", "5.3.24", confidence) if answer is found else absent("day", confidence)
    record = build({"day": one})
    assert record["status"] == status
    assert record["fields"]["day"]["flags"] == (["low_confidence"] if status == "review" else [])


def test_the_floor_is_the_users() -> None:
    """The same answers pass or not by `confidence_floor`."""
    assert build(confidence_floor=0.99)["status"] == "review"
    assert build({"day": found("day", "5.3.24", 0.1)}, confidence_floor=0.0)["status"] == "ok"


FLAGS = {
    "unparsable": (Value(None, ("unparsable",)), "review", "day: the printed text is no date; the value is null"),
    "no flag, no value": (Value(None), "review", "day: the printed text is no date; the value is null"),
    "ambiguous": (
        Value(None, ("ambiguous_date",), ("2024-03-05", "2024-05-03")),
        "review",
        "day: the date can be read in several ways; `locale: dates` in the template says how"
        " (it could be 2024-03-05 or 2024-05-03)",
    ),
    "informative": (
        Value("2024-03-05", ("extra_text",)),
        "ok",
        "day: something beside the value was not understood",
    ),
    "unknown": (Value("2024-03-05", ("odd_calendar",)), "review", "day: odd calendar"),
}


@pytest.mark.parametrize(("value", "status", "message"), FLAGS.values(), ids=FLAGS.keys())
def test_every_flag_of_a_value_is_told(value: Value, status: str, message: str) -> None:
    """Raw stays as printed, the flag stands at the field, the problem says it in words."""
    record = build(values={"day": value})
    field = record["fields"]["day"]
    assert (record["values"]["day"], field["raw"]) == (value.value, "5.3.24")
    assert field["flags"] == list(value.flags or ("unparsable",))
    assert record["status"] == status
    assert record["problems"] == [{"code": field["flags"][0], "message": message, "keys": ["day"]}]


def test_flags_of_answer_and_value_stand_once_each() -> None:
    """First the answer's, then the value's, no doubles."""
    record = build({"day": found("day", "x", flags=("merged", "odd"))}, {"day": Value("2024-03-05", ("odd", "rare"))})
    assert record["fields"]["day"]["flags"] == ["merged", "odd", "rare"]


def test_a_typed_value_that_breaks_its_schema_is_a_problem_not_a_crash() -> None:
    """The value stays to be seen, the status is review, the message has no text of the page."""
    record = build_record(
        DOCUMENT, [1], TypeChoice(TEMPLATE, 1.0), TEMPLATE, list(ANSWERS.values()), VALUES | {"total": Value("secret")},
        (), "m", RunOptions((TEMPLATE,)),
    )  # fmt: skip
    assert record["status"] == "review"
    assert codes(record) == [("schema_invalid", ["total"])]
    assert record["problems"][0]["message"].startswith("values.total: ")
    assert "secret" not in record["problems"][0]["message"]


@pytest.mark.parametrize(
    ("code", "status"),
    [("pages_cut", "review"), ("page_unreadable", "review"), ("repaired", "review"), ("xfa_form", "review"),
     ("no_text", "review"), ("portfolio", "review"), ("embedded_files", "ok"), ("page_turned", "ok"),
     ("text_layer_rejected", "ok"), ("blank_page", "ok")],
)  # fmt: skip
def test_problems_of_the_document_are_kept(code: str, status: str) -> None:
    """What may have lost content asks for a look; what is merely said does not."""
    record = build(problems=(Problem(code, "said"), Problem(code, "said")))
    assert record["problems"] == [{"code": code, "message": "said", "keys": []}]
    assert record["status"] == status


def test_an_uncertain_type_is_a_problem_unless_the_user_named_it() -> None:
    """A low score of a chosen template asks for a look."""
    assert codes(build(score=0.39)) == [("type_uncertain", [])]
    assert build(score=0.39)["status"] == "review"
    assert build(score=0.39, template_given=True)["status"] == "ok"
    assert build(score=0.4)["status"] == "ok"


def test_a_box_a_hair_over_the_edge_is_cut_to_the_page() -> None:
    """Glyph boxes may reach over the paper; a record's boxes lie in 0..1 and have no minus zero."""
    place = Place(2, (Box(-0.001, -1e-9, 1.0004, 1.0), BOX))
    record = build({"day": Answer("day", "5.3.24", 1.0000001, place, "ocr")})
    field = record["fields"]["day"]
    assert field["boxes"] == [[0.0, 0.0, 1.0, 1.0], [0.12346, 0.2, 0.3, 0.4]]
    assert str(field["boxes"][0][1]) == "0.0"
    assert (field["page"], field["confidence"], field["source"]) == (2, 1.0, "ocr")


def test_a_record_that_breaks_its_own_contract_says_so() -> None:
    """A bug elsewhere, such as a page 0, reaches nobody's database unseen."""
    answers = ANSWERS | {"day": Answer("day", "5.3.24", 0.9, Place(0, (BOX,)), "text")}
    record = build_record(
        DOCUMENT, [1], TypeChoice(TEMPLATE, 1.0), TEMPLATE, list(answers.values()), VALUES, (), "m",
        RunOptions((TEMPLATE,)),
    )  # fmt: skip
    assert record["status"] == "review"
    assert codes(record) == [("record_invalid", [])]
    assert record["problems"][0]["message"].startswith("record.fields.day.page: ")


def test_without_a_template_a_person_has_to_look_and_is_told_what_to_do() -> None:
    """None fits: the document is identified, nothing is extracted, the scores' best is shown."""
    record = build_record(
        DOCUMENT, [1, 2], TypeChoice(None, 0.21, {"bill": 0.21}), None, (), {}, (Problem("page_turned", "said"),), "m",
        RunOptions((TEMPLATE,)),
    )  # fmt: skip
    assert check_record(record, None) == []
    assert (record["status"], record["document_type"], record["type_score"]) == ("review", None, 0.21)
    assert (record["document"]["sha256"], record["document"]["pages"]) == ("0" * 64, [1, 2])
    assert (record["values"], record["fields"], record["template"]) == ({}, {}, None)
    assert [problem["code"] for problem in record["problems"]] == ["no_template_fits", "page_turned"]
    assert "--template" in record["problems"][0]["message"]


@pytest.mark.parametrize(
    "error",
    [EmptyFile("a.pdf is empty", "scan it again"), PdfEncrypted("a.pdf needs a password"), PipkieError("a bug")],
)
def test_a_failed_document_has_a_whole_record(error: PipkieError) -> None:
    """Same keys as any other, with the error's code, message and hint; what is not known is null."""
    record = failed_record("in/a.pdf", error)
    assert check_record(record, None) == []
    assert list(record) == list(build())
    assert record["status"] == "failed"
    assert record["document"] == {"path": "in/a.pdf", "sha256": None, "pages": [], "page_count": None, "part": None}
    assert record["problems"] == [{"code": error.code, "message": str(error), "keys": []}]
    assert record["model"] is None


def test_a_failed_record_keeps_what_was_known() -> None:
    """Hash, pages and earlier problems, where the document failed late."""
    record = failed_record(
        "in/a.pdf", DocumentError("broken"), model="m", document=DOCUMENT, read_pages=[1],
        problems=(Problem("repaired", "said"),),
    )  # fmt: skip
    assert check_record(record, None) == []
    assert (record["document"]["sha256"], record["document"]["pages"], record["model"]) == ("0" * 64, [1], "m")
    assert [problem["code"] for problem in record["problems"]] == ["unreadable", "repaired"]


def test_names_that_are_not_utf_8_stay_apart_and_readable() -> None:
    """Each byte that is no UTF-8 is shown by its number, so two names never become one; the name is stable."""
    names = [b"a\xe4.pdf".decode("utf-8", "surrogateescape"), b"a\xf6.pdf".decode("utf-8", "surrogateescape")]
    paths = [failed_record(name, DocumentError("broken"))["document"]["path"] for name in names]
    assert paths == ["a\\xe4.pdf", "a\\xf6.pdf"]
    assert failed_record("ä \ud800.pdf", DocumentError("x"))["document"]["path"] == "ä \ufffd.pdf"


def test_a_lone_surrogate_of_the_page_breaks_no_record() -> None:
    """Broken ToUnicode tables give such characters; raw, value and message show U+FFFD."""
    record = build(
        {"number": found("number", "R\ud835")}, {"number": Value("R\ud835")}, (Problem("page_turned", "\udfff"),)
    )
    assert record["fields"]["number"]["raw"] == record["values"]["number"] == "R\ufffd"
    assert record["problems"][0]["message"] == "\ufffd"
