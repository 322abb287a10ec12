"""answers -> typed values -> record, with what the document states exactly, and with rules that choose."""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from pipkie_cli.nouns import Answer, Key, Locale, Page, Problem, RunOptions, TableAnswer, Template, Value
from pipkie_cli.pipeline.prepared import Prepared
from pipkie_cli.pipeline.reading import Reading

if TYPE_CHECKING:
    from pipkie_cli.values import ValueContext


def context_of(prepared: Prepared, answers: Sequence[Answer], tables: Sequence[TableAnswer] = ()) -> "ValueContext":
    """What the whole document says about decimal mark, order of dates and currency."""
    from pipkie_cli.values import value_context

    template = prepared.choice.template
    raws = [(key.type, answer.text or "") for _, key, answer in _present(template, answers, tables)]
    return value_context(raws, template.locale if template else Locale(), page_text(prepared.pages))


def type_values(
    prepared: Prepared, answers: Sequence[Answer], context: "ValueContext", tables: Sequence[TableAnswer] = ()
) -> dict[str, Value]:
    """The typed value of every key that the document holds, and of every cell, by its name: `line_items[3].amount`."""
    from pipkie_cli.values import parse_value

    return {
        name: parse_value(key.type, answer.text or "", context, key.choices)
        for name, key, answer in _present(prepared.choice.template, answers, tables)
    }


def _present(
    template: Template | None, answers: Sequence[Answer], tables: Sequence[TableAnswer]
) -> Iterator[tuple[str, Key, Answer]]:
    """Name, key (or column) and answer of every key and cell that is not ABSENT."""
    keys = {key.name: key for key in template.keys} if template else {}
    for answer in answers:
        if answer.text is not None:
            yield answer.key, keys[answer.key], answer
    for table in tables:
        columns = {column.name: column for column in keys[table.key].columns}
        for name, cell in table.named_cells():
            if cell.text is not None:
                yield name, columns[cell.key], cell


def finish(
    prepared: Prepared,
    reading: Reading,
    values: dict[str, Value],
    context: "ValueContext",
    options: RunOptions,
    model: str,
) -> dict[str, Any]:
    """answers and values -> record, with what the document states exactly in place of what was read."""
    from pipkie_cli.records import build_record

    answers, tables, values = settled(prepared, reading, values, context)
    return build_record(
        prepared.document,
        read_page_numbers(prepared.pages, reading.undrawn),
        prepared.choice,
        prepared.choice.template,
        answers,
        values,
        (*prepared.problems, *reading.problems, *_several(reading.rivals)),
        model,
        options,
        tables,
        prepared.part,
    )


def _several(rivals: Sequence[Answer]) -> tuple[Problem, ...]:
    """What the record says where pages name different documents."""
    if not rivals:
        return ()
    claims = ", ".join(f"{one.text} (page {one.place.page_number})" if one.place else f"{one.text}" for one in rivals)
    hint = "if these are several documents, read them with --split auto or page"
    return (
        Problem("several_documents", f"{rivals[0].key}: pages name different ones: {claims}; {hint}", (rivals[0].key,)),
    )


def with_facts(
    prepared: Prepared, reading: Reading, values: dict[str, Value]
) -> tuple[tuple[Answer, ...], tuple[TableAnswer, ...], dict[str, Value]]:
    """Answers, tables and values with what the document states exactly."""
    from pipkie_cli.facts import merge_facts

    template = prepared.choice.template
    if prepared.facts is None or template is None:
        return reading.answers, reading.tables, values
    return merge_facts(template, prepared.facts, reading.answers, reading.tables, values, prepared.pages)


def settled(
    prepared: Prepared, reading: Reading, values: dict[str, Value], context: "ValueContext"
) -> tuple[tuple[Answer, ...], tuple[TableAnswer, ...], dict[str, Value]]:
    """Answers, tables and values as the record has them: with facts, and where only another candidate keeps a rule."""
    from pipkie_cli.answers import choose_by_rules

    answers, tables, values = with_facts(prepared, reading, values)
    template = prepared.choice.template
    if template is None or not template.rules:
        return answers, tables, values
    answers, values = choose_by_rules(template, answers, values, context)
    return answers, tables, values


def read_page_numbers(pages: Sequence[Page], undrawn: Collection[int] = ()) -> list[int]:
    """The numbers, from 1, of the pages that were read; `undrawn` are indices of pages without a picture."""
    from pipkie_cli.pages import is_unreadable

    return [page.page_index + 1 for page in pages if not is_unreadable(page) and page.page_index not in undrawn]


def page_text(pages: Sequence[Page]) -> str:
    """All words in reading order, one printed line a line."""
    from pipkie_cli.words import join_words

    lines = (line for page in pages for _, line in groupby(page.words, key=lambda word: word.line))
    return "\n".join(join_words(line) for line in lines)
