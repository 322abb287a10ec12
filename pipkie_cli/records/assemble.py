"""Puts a record together, and decides its status. Keys stand in the order of the contract, none is left out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pipkie_cli import __version__
from pipkie_cli.errors import PipkieError
from pipkie_cli.nouns import Answer, Box, DocumentId, Key, Problem, RunOptions, TableAnswer, Template, TypeChoice, Value
from pipkie_cli.records.check import check_record, check_rules, check_values
from pipkie_cli.records.schema import SCHEMA_NAME
from pipkie_cli.records.text import shown_path, without_surrogates
from pipkie_cli.templates import matches_pattern

CONFIDENCE_DIGITS = 4
BOX_DIGITS = 5  # a hundredth of a point on A4
TYPE_FLOOR = 0.4  # of type_score: of 50 training pages chosen with 0.4 to 0.5, 48 were right (sroie, zugferd)

INFORMATIVE = frozenset(  # said of sound documents and values: no reason to look at one
    {"embedded_files", "page_turned", "text_layer_rejected", "poppler_failed", "blank_page", "extra_text", "unchecked"}
    | {"codes_not_read", "embedded_too_large", "refined", "more_slots"}
)

NO_TEMPLATE_FITS = Problem(
    "no_template_fits",
    "no template fits this document; name one with --template, or add a template for this type "
    "(see `pipkie explain` for the scores)",
)

ABSENCE_UNSURE = (
    "not found, but the document may well hold it (the confidence that it does not is under the floor); "
    "`pipkie explain` shows the likeliest text"
)
TABLE_NOT_READ = "this model reads no tables; `--model mini` does"
MESSAGES = {  # flag of a field -> what a person reads
    "required_missing": "required, but not found in the document",
    "low_confidence": "the confidence is under the floor",
    "pattern_mismatch": "the text does not match the key's pattern; the value is null",
    "chosen_by_rule": "the likeliest text breaks a rule of the template; the only one that keeps it was taken",
    "not_a_choice": "the printed text is none of the key's choices; the value is null",
    "unparsable": "the printed text is no {type}; the value is null",
    "ambiguous_date": "the date can be read in several ways; `locale: dates` in the template says how",
    "ambiguous_currency": "the sign stands for several currencies; set `locale: currency` in the template",
    "too_many_digits": "more digits than a JSON number holds exactly; the value is null",
    "unsupported_era": "a calendar that pipkie does not count in; the value is null",
    "repaired_digits": "letters were read as the digits they look like",
    "ambiguous_time": "several times of the day are printed; the value is null",
    "ambiguous_value": "several values are printed, or the text means several; the value is null",
    "bad_checksum": "the check digits of this {type} are wrong, so it was misread or misprinted; the value is null",
    "unchecked": "no check digit says that this {type} was read rightly",
    "repaired_month": "a month's name was misread by one letter",
    "extra_text": "something beside the value was not understood",
    "differs_from_print": "the e-invoice or payment code states another value than the page prints",
    "several_codes": "the codes on the pages hold different values, none of them printed beside; none was taken",
    "differs_from_code": "the e-invoice states another value than the payment code on the page",
    "value_truncated": "the value is longer than the model was asked to write",
    "answer_unreadable": "what the model wrote could not be read as an answer for this key",
    "answer_missing": "the model's answer does not name this key",
    "answer_contradicted": "the model's answer has several values for this key; the first was taken",
    "more_slots": "read again with more room, because the value was longer than values of its type mostly are",
    "refined": "read again with the sure parts filled in, because parts of it were doubtful",
    "ambiguous_number": "decimal and thousands mark can be read either way; set `locale: decimal` in the template",
}


def build_record(
    document: DocumentId,
    read_pages: Sequence[int],
    choice: TypeChoice,
    template: Template | None,
    answers: Sequence[Answer],
    values: Mapping[str, Value],
    problems: Sequence[Problem],
    model: str,
    options: RunOptions,
    tables: Sequence[TableAnswer] = (),
    part: int | None = None,
) -> dict[str, Any]:
    """The record of a document that was read; pages count from 1. Without a template a person has to look.

    `answers` holds one answer per key of the template that is no table, `tables` the rows of those that are, `values`
    the typed value of each key and cell that is not ABSENT, by name.
    """
    if template is None:
        return _record(
            document=_document(document.path, document, read_pages, part),
            status="review",
            choice=choice,
            template=None,
            values={},
            fields={},
            problems=[NO_TEMPLATE_FITS, *problems],
            model=model,
        )
    by_key = {answer.key: answer for answer in answers}
    rows_of = {key.name: TableAnswer(key.name, ()) for key in template.keys if key.columns}
    rows_of |= {table.key: table for table in tables}
    typed: dict[str, Any] = {}
    fields: dict[str, Any] = {}
    doubts = [*problems, *_type_doubts(choice, options)]
    for key in template.keys:
        if key.columns:
            typed[key.name], fields[key.name], found = _table(key, rows_of[key.name], values, options.confidence_floor)
        else:
            typed[key.name], fields[key.name], found = _value(
                key, key.name, by_key[key.name], values, options.confidence_floor
            )
        doubts += found
    doubts += check_values(typed, template)
    unread = {key.name for key in template.keys if key.columns and not rows_of[key.name].asked and not typed[key.name]}
    doubts += check_rules({name: value for name, value in typed.items() if name not in unread}, template)
    record = _record(
        document=_document(document.path, document, read_pages, part),
        status="ok" if all(problem.code in INFORMATIVE for problem in doubts) else "review",
        choice=choice,
        template=template,
        values=typed,
        fields=fields,
        problems=doubts,
        model=model,
    )
    return _checked(record, template)


def _value(
    key: Key, name: str, answer: Answer, values: Mapping[str, Value], floor: float
) -> tuple[Any, dict[str, Any], list[Problem]]:
    """Typed value, field and doubts of a key, or of a column's cell called `name`. ABSENT takes no value."""
    value = _matching(key, values.get(name, Value(None))) if answer.text is not None else Value(None)
    flags = _flags(key, answer, value, floor)
    typed = without_surrogates(value.value) if isinstance(value.value, str) else value.value
    return typed, _field(answer, flags), [_flag_problem(flag, key, name, answer, value) for flag in flags]


def _matching(key: Key, value: Value) -> Value:
    """The value, null where it does not match the key's pattern: `values` must validate against the schema.

    A choice that could not be typed breaks the schema, too, and says so by a flag of its own.
    """
    if key.choices and "unparsable" in value.flags:
        return replace(value, flags=tuple("not_a_choice" if flag == "unparsable" else flag for flag in value.flags))
    if key.pattern is None or not isinstance(value.value, str):
        return value
    if matches_pattern(key.pattern, without_surrogates(value.value)):  # as the record will have it
        return value
    return replace(value, value=None, flags=(*value.flags, "pattern_mismatch"))


def _table(
    key: Key, table: TableAnswer, values: Mapping[str, Value], floor: float
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[Problem]]:
    """Rows of typed values, rows of fields, and the doubts about their cells."""
    typed: list[dict[str, Any]] = []
    fields: list[dict[str, Any]] = []
    doubts = [] if table.rows else _no_rows(key, table.asked)
    for number, row in enumerate(table.rows):
        cells = {cell.key: cell for cell in row}
        told = {
            column.name: _value(column, table.cell_name(number, column.name), cells[column.name], values, floor)
            for column in key.columns
        }
        typed.append({name: value for name, (value, _, _) in told.items()})
        fields.append({name: field for name, (_, field, _) in told.items()})
        doubts += [doubt for _, _, found in told.values() for doubt in found]
    return typed, fields, doubts


def _no_rows(key: Key, asked: bool) -> list[Problem]:
    """What is doubtful about a table without rows."""
    if not asked:
        return [Problem("table_not_read", f"{key.name}: {TABLE_NOT_READ}", (key.name,))]
    return (
        [Problem("required_missing", f"{key.name}: {MESSAGES['required_missing']}", (key.name,))]
        if key.required
        else []
    )


def failed_record(
    shown: str,
    error: PipkieError,
    *,
    model: str | None = None,
    document: DocumentId | None = None,
    read_pages: Sequence[int] = (),
    problems: Sequence[Problem] = (),
    part: int | None = None,
) -> dict[str, Any]:
    """The record of a document that was not extracted: `problems` begins with why, and what to do about it."""
    return _record(
        document=_document(shown, document, read_pages, part),
        status="failed",
        choice=None,
        template=None,
        values={},
        fields={},
        problems=[Problem(error.code, str(error)), *problems],
        model=model,
    )


def _record(
    *,
    document: dict[str, Any],
    status: str,
    choice: TypeChoice | None,
    template: Template | None,
    values: dict[str, Any],
    fields: dict[str, Any],
    problems: Iterable[Problem],
    model: str | None,
) -> dict[str, Any]:
    """The one place that knows the record's keys and their order."""
    return {
        "schema": SCHEMA_NAME,
        "document": document,
        "status": status,
        "document_type": template.name if template else None,
        "type_score": _fraction(choice.score, CONFIDENCE_DIGITS) if choice else None,
        "template": template.label if template else None,
        "values": values,
        "fields": fields,
        "problems": [
            {"code": problem.code, "message": without_surrogates(problem.message), "keys": list(problem.keys)}
            for problem in dict.fromkeys(problems)
        ],
        "model": model,
        "pipkie": __version__,
    }


def _checked(record: dict[str, Any], template: Template) -> dict[str, Any]:
    """The record as it is; one that breaks its own contract, which is a bug of pipkie, says so and goes to review."""
    told = {problem["message"] for problem in record["problems"]}
    faults = [fault for fault in check_record(record, template) if fault not in told]
    if not faults:
        return record
    bugs = [{"code": "record_invalid", "message": fault, "keys": []} for fault in faults]
    return record | {"status": "review", "problems": [*record["problems"], *bugs]}


def _document(shown: str, document: DocumentId | None, read_pages: Sequence[int], part: int | None) -> dict[str, Any]:
    return {
        "path": shown_path(shown),
        "sha256": document.sha256 if document else None,
        "pages": list(read_pages),
        "page_count": document.page_count if document else None,
        "part": part,
    }


def _field(answer: Answer, flags: Sequence[str]) -> dict[str, Any]:
    absent = answer.text is None
    place = None if absent else answer.place
    return {
        "raw": None if answer.text is None else without_surrogates(answer.text),
        "confidence": _fraction(answer.confidence, CONFIDENCE_DIGITS),
        "page": place.page_number if place else None,
        "boxes": [_corners(box) for box in place.boxes] if place else [],
        "source": None if absent else answer.source,
        "flags": list(flags),
    }


def _corners(box: Box) -> list[float]:
    return [_fraction(side, BOX_DIGITS) for side in (box.left, box.top, box.right, box.bottom)]


def _fraction(number: float, digits: int) -> float:
    """Rounded and within 0..1: a glyph at the paper's edge may reach a hair over it. NaN is a bug and stays NaN."""
    rounded = round(float(number), digits)
    return 0.0 if rounded <= 0 else 1.0 if rounded > 1 else rounded


def _flags(key: Key, answer: Answer, value: Value, floor: float) -> tuple[str, ...]:
    """Every doubt about one key, each once: of the answer, of the typed value, of this room."""
    flags = [*answer.flags, *value.flags]
    if answer.text is None and key.required:
        flags.append("required_missing")
    elif answer.confidence < floor:
        flags.append("low_confidence")
    if answer.text is not None and value.value is None and not value.flags:
        flags.append("unparsable")
    return tuple(dict.fromkeys(flags))


def _type_doubts(choice: TypeChoice, options: RunOptions) -> list[Problem]:
    if options.template_given or choice.score >= TYPE_FLOOR:
        return []
    message = f"the document type is uncertain (score {choice.score:.2f}); name it with --template if you know it"
    return [Problem("type_uncertain", message)]


def _flag_problem(flag: str, key: Key, name: str, answer: Answer, value: Value) -> Problem:
    if flag == "low_confidence" and answer.text is None:
        meaning = ABSENCE_UNSURE
    elif flag == "required_missing" and name != key.name:
        meaning = "required, but not found in its row"
    else:
        meaning = MESSAGES.get(flag, flag.replace("_", " ")).format(type=key.type)
    ambiguous = value.readings and flag.startswith("ambiguous")
    readings = f" (it could be {' or '.join(value.readings)})" if ambiguous else ""
    if value.readings and flag in ("differs_from_print", "differs_from_code"):
        readings = " ({} against {})".format(*value.readings)
    return Problem(flag, f"{name}: {meaning}{readings}", (name,))
