"""Tables against their labels: rows aligned, cells judged; columns whose rows are not labelled, as sets of values."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pipkie_cli.evaluate.compare import Judgement, judge
from pipkie_cli.evaluate.datasets import Row, SetRules
from pipkie_cli.evaluate.judged import NOTHING, Asked, Given, Judged, nothing_right
from pipkie_cli.evaluate.metrics import align_rows, pair_up
from pipkie_cli.nouns import Key

GivenRow = Mapping[str, Given]


def judge_table(table: Key, wanted: Sequence[Row], given: Sequence[GivenRow], rules: SetRules) -> Iterator[Judged]:
    """Every cell that is labelled with a value or has an answer; the key of a cell is "table.column".

    Rows are aligned by the most right cells in sum, their order kept. A column that no row labels is not judged, nor is
    a cell that its own row does not label. A value where the label says empty, or in a row that answers none, is
    invented.
    """
    columns = [column for column in table.columns if any(column.name in row for row in wanted) or not wanted]
    right = [
        [sum(_judge(column, row, answer, rules).exact for column in columns) for row in wanted] for answer in given
    ]
    of_wanted = {j: i for i, j in align_rows(right)}
    for j, row in enumerate(wanted):
        answers = given[of_wanted[j]] if j in of_wanted else {}
        for column in columns:
            if column.name in row:
                yield from _cell(table, column, row[column.name], answers.get(column.name, NOTHING), rules)
    for i in sorted(set(range(len(given))) - set(of_wanted.values())):
        for column in columns:
            yield from _cell(table, column, None, given[i].get(column.name, NOTHING), rules)


def _judge(column: Key, row: Row, answers: GivenRow, rules: SetRules) -> Judgement:
    text, given = row.get(column.name), answers.get(column.name, NOTHING)
    return nothing_right() if text is None else judge(column, (text,), (), given.raw, given.value, rules)


def _cell(table: Key, column: Key, text: str | None, given: Given, rules: SetRules) -> Iterator[Judged]:
    if text is None and given.raw is None:
        return
    name = f"{table.name}.{column.name}"
    if text is None:
        yield Judged(name, "cell", (), given, nothing_right())
    else:
        yield Judged(name, "cell", (text,), given, judge(column, (text,), (), given.raw, given.value, rules))


def judge_column(
    label: str, column: Key, wanted: Sequence[str], rows: Sequence[GivenRow], rules: SetRules
) -> Iterator[Judged]:
    """The values of one column against a list of values whose rows nobody labelled: each counts once, in any order."""
    given = [row[column.name] for row in rows if column.name in row and row[column.name].raw is not None]

    def same(answer: Given, text: str) -> bool:
        return judge(column, (text,), (), answer.raw, answer.value, rules).exact

    pairs = pair_up(given, wanted, same)
    of_wanted = {j: given[i] for i, j in pairs}
    for j, text in enumerate(wanted):
        answer = of_wanted.get(j, NOTHING)
        yield Judged(label, "entity", (text,), answer, judge(column, (text,), (), answer.raw, answer.value, rules))
    for i in sorted(set(range(len(given))) - {i for i, _ in pairs}):
        yield Judged(label, "entity", (), given[i], nothing_right())


def answer_tree(given: Asked, rules: SetRules) -> dict[str, Any]:
    """The answers in the form of the set's trees: a label key "total.price" is a path, a table a list of objects."""
    tree: dict[str, Any] = {
        name: [{column: cell.raw for column, cell in row.items() if cell.raw is not None} for row in rows]
        for name, rows in given.tables.items()
        if rows
    }
    for path, key in rules.keys.items():
        parent, _, name = path.partition(".")
        answer = given.keys.get(key, NOTHING)
        if answer.raw is not None:
            tree.setdefault(parent, {})[name] = answer.raw
    return tree
