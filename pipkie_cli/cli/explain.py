"""`pipkie explain`: every stop of one document's road."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipkie_cli.cli import options as shared
from pipkie_cli.cli.explain_pixels import written_lines
from pipkie_cli.cli.explain_tables import likeliest, quoted, table_lines, table_marks, where
from pipkie_cli.cli.heat_pictures import write_heat
from pipkie_cli.cli.pictures import write_pictures

if TYPE_CHECKING:
    from pipkie_cli.nouns import Box, Candidate, Key, Page, Word
    from pipkie_cli.pipeline import Trace

REASONS = {"values": "its values", "page": "its pages", "template": "the template"}
CANDIDATES = 5  # per key and window; the rest is noise on a screen


def explain(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="One document.")],
    key: Annotated[
        list[str] | None,
        typer.Option("--key", "-k", metavar="K", help="Show this key only. Repeatable (default: all)."),
    ] = None,
    template: shared.TemplateNames = None,
    templates: shared.TemplateFolder = None,
    draw: Annotated[
        Path | None,
        typer.Option(
            "--draw",
            metavar="DIR",
            help="Also write a picture of each page: words, order, found values; and, if the model reads pixels, "
            "one of each value: where on the page every slot of it looked.",
        ),
    ] = None,
    model: shared.ModelName = "mini",
    decode: shared.DecodeHow = "pip",
    passes: shared.Passes = 1,
    max_pixels: shared.MaxPixels = None,
    max_pages: shared.MaxPages = 50,
    password: shared.Passwords = None,
    verbose: shared.Verbosity = 0,
) -> None:
    """Show how one document was read: text source, words in order, type, candidates and typed value of each key.

    Example: pipkie explain samples/invoice_english.pdf --key grand_total
    """
    from pipkie_cli.batch import plan_inputs
    from pipkie_cli.cli import console
    from pipkie_cli.errors import UsageError
    from pipkie_cli.models import load_backend
    from pipkie_cli.pipeline import walk

    console.set_up(verbose)
    stdout = console.take_stdout()
    options = shared.run_options(template, templates, model, max_pages, password)
    options = shared.with_pixels(options, decode, passes, max_pixels)
    if file.is_dir():
        raise UsageError(f"{file} is a folder", hint="explain one file of it")
    inputs = plan_inputs([str(file)]).inputs
    if len(inputs) != 1:  # a quoted glob: the first of many would be as good as any
        raise UsageError(f"{file} stands for {len(inputs)} documents", hint="explain one of them")
    item = inputs[0]
    backend = load_backend(model, decode=options.decode, passes=options.passes)
    trace = walk(item, options, backend)
    keys = _wanted(trace, key or [])
    console.print_data(stdout, (console.printable(line) for line in story(trace, keys)))
    if draw is not None:
        names, taken = {one.name for one in keys}, with_its_facts(trace)
        for said in write_pictures(
            item, trace.prepared.pages, lambda number: _marks(taken, names, number), options, draw
        ):
            console.say(said)
        for said in write_heat(item, trace, names, options, backend, draw):
            console.say(said)


def story(trace: "Trace", keys: "tuple[Key, ...]") -> Iterator[str]:
    """The whole road, a line at a time, in the order of the house."""
    document = trace.prepared.document
    yield f"document {document.path}: {len(trace.prepared.pages)} of {document.page_count} pages read"
    for problem in trace.prepared.problems:
        yield f"  {problem.code}: {problem.message}"
    pixels = trace.prepared.pictures is not None
    for page in trace.prepared.pages:
        yield from _page_lines(page, pixels)
    yield from _type_lines(trace)
    yield from _fact_lines(trace)
    yield from _context_lines(trace)
    taken = with_its_facts(trace)
    for one in keys:
        yield ""
        yield from table_lines(taken, one) if one.columns else _key_lines(trace, one)
    yield from _rule_lines(trace)
    yield ""
    yield f"record: {trace.record['status']}"
    for found in trace.record["problems"]:
        yield f"  {found['code']}: {found['message']}"


def with_its_facts(trace: "Trace") -> "Trace":
    """The trace with answers, tables and values as the record has them: facts in place of what was read."""
    from pipkie_cli.pipeline import with_facts

    answers, tables, values = with_facts(trace.prepared, trace.reading, trace.values)
    return replace(trace, reading=replace(trace.reading, answers=answers, tables=tables), values=values)


def _fact_lines(trace: "Trace") -> Iterator[str]:
    """What the document states exactly; the fields say which of it was taken."""
    facts = trace.prepared.facts
    if facts is None or not (facts.facts or facts.codes):
        return
    yield ""
    yield "what the document states:"
    for fact in facts.facts:
        on = f", page {fact.place.page_number}" if fact.place else ""
        yield f'  {fact.term}: "{" ".join(fact.text.split())}" ({fact.source}{on})'
    for group, rows in facts.rows.items():
        yield f"  {group}: {len(rows)} row{'' if len(rows) == 1 else 's'}"
    for code in facts.codes:
        yield f'  {code.kind}: "{" ".join(code.text.split())}" (page {code.place.page_number})'


def _wanted(trace: "Trace", names: list[str]) -> "tuple[Key, ...]":
    from pipkie_cli.errors import UsageError

    template = trace.prepared.choice.template
    if template is None:
        return ()
    for name in names:
        if name not in {key.name for key in template.keys}:
            keys = ", ".join(key.name for key in template.keys)
            raise UsageError(f"the template {template.name} has no key {name}", hint=f"it has {keys}")
    return tuple(key for key in template.keys if not names or key.name in names)


def _page_lines(page: "Page", pixels: bool) -> Iterator[str]:
    """`pixels`: the model reads pages as pictures; words are there for the type, and for what values mean."""
    how = {"text": "text layer", "ocr": "OCR", "mixed": "text layer and OCR", "none": "no text found"}
    if pixels:
        how = {name: f"a picture for the model; {said}" for name, said in (how | {"none": "no text was read"}).items()}
    raster = f", pixels by {page.rasterizer}" if page.rasterizer else ""
    turned = f", turned {page.turn} degrees clockwise to read it" if page.turn else ""
    yield ""
    yield f"page {page.page_index + 1}: {how[page.text_source]}{raster}{turned}, {len(page.words)} words"
    for number, line in groupby(page.words, key=lambda word: word.line):
        yield f"  {number:>4}  {_line_text(line)}"


def _line_text(words: "Iterable[Word]") -> str:
    """The words of a printed line; a bar where the text stage reads a new segment."""
    from pipkie_cli.words import join_words

    return " | ".join(join_words(segment) for _, segment in groupby(words, key=lambda word: word.segment))


def _type_lines(trace: "Trace") -> Iterator[str]:
    choice = trace.prepared.choice
    yield ""
    yield f"type: {choice.template.label if choice.template else 'none fits'} (score {choice.score:.2f})"
    for name, score in choice.scores.items():
        yield f"  {score:.2f}  {name}"


def _context_lines(trace: "Trace") -> Iterator[str]:
    """Why a value was typed as it was, or why nothing decided it."""
    context = trace.context
    yield ""
    yield "what the document says about values:"
    for what, found, reason in (
        ("decimal mark", context.decimal, context.decimal_from),
        ("order of dates", context.dates, context.dates_from),
        ("currency", context.currency, context.currency_from),
    ):
        yield f"  {what}: {found} (from {REASONS[reason]})" if found else f"  {what}: nothing decides it"


def _key_lines(trace: "Trace", key: "Key") -> Iterator[str]:
    yield f"key {key.name} ({key.type}{', required' if key.required else ''})"
    answer = next(one for one in trace.reading.answers if one.key == key.name)
    field = trace.record["fields"][key.name]
    flags = field["flags"]
    if answer.text is None:
        yield f"  answer: absent (confidence {answer.confidence:.2f})"
        if "low_confidence" in flags:
            yield f"  in doubt: {likeliest(answer)}"
    else:
        yield f"  answer: {quoted(answer)} (confidence {answer.confidence:.2f}){where(answer)}"
        value = trace.values[key.name]
        readings = f", could be {' or '.join(value.readings)}" if value.readings else ""
        yield f"  value: {'null' if value.value is None else value.value}{readings}"
    if field["source"] in ("embedded_xml", "barcode") or "chosen_by_rule" in flags:
        value_taken = trace.record["values"][key.name]
        yield f'  taken: "{" ".join(field["raw"].split())}" from {field["source"]}, value {value_taken}'
    if flags:
        yield f"  flags: {', '.join(flags)}"
    for other in answer.runners_up:
        yield f"  else: {quoted(other)} (confidence {other.confidence:.2f}){where(other)}"
    yield from written_lines(trace, key)
    for window, candidates in zip(trace.prepared.windows, trace.reading.candidates, strict=True):
        index = next((i for i, one in enumerate(window.keys) if one.name == key.name), None)
        if index is not None:
            yield f"  candidates on page {window.page_index + 1}, {len(window.words)} words:"
            yield from _candidate_lines(window.words, candidates[index])


def _rule_lines(trace: "Trace") -> Iterator[str]:
    """Every rule of the template, and what came of it."""
    from pipkie_cli.rules import check_rule, parsed_rules

    template = trace.prepared.choice.template
    if template is None or not template.rules:
        return
    yield ""
    yield "rules:"
    for rule in parsed_rules(template):
        state = check_rule(rule, trace.record["values"]).state.replace("_", " ")
        yield f"  {state}: {rule.text}"


def _candidate_lines(words: "tuple[Word, ...]", candidates: "tuple[Candidate, ...]") -> Iterator[str]:
    from pipkie_cli.words import join_words

    shown = candidates[:CANDIDATES]
    absent = [one for one in candidates[CANDIDATES:] if one.words is None]
    for one in (*shown, *absent):
        text = "absent" if one.words is None else f'"{join_words(words[one.words[0] : one.words[1] + 1])}"'
        yield f"    {one.score:8.3f}  {text}"


def _marks(trace: "Trace", keys: set[str], page_number: int) -> "dict[str, tuple[Box, ...]]":
    """Boxes to frame on one page, by the name to write at them: keys, and the items of tables."""
    marks = {
        answer.key: answer.place.boxes
        for answer in trace.reading.answers
        if answer.key in keys and answer.place is not None and answer.place.page_number == page_number
    }
    tables = [table for table in trace.reading.tables if table.key in keys]
    return marks | table_marks(tables, page_number)
