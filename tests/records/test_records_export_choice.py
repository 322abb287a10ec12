"""Which records are exported: all lines that are records, of those that `--where` takes."""

import io
from pathlib import Path
from typing import Any

import pytest
from bills import build
from exports import Export, lines, read, record

from pipkie_cli.errors import InputError, PipkieError, UsageError
from pipkie_cli.records import Where, export_records, failed_record

# ------------------------------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"schema": "pipkie/1", "secret', "no whole JSON object"),
        (b"[]", "no record of pipkie"),
        (b'{"a": 1e999}', "no whole JSON object"),
        (lines(build() | {"values": {"../../secret": 1}}), "a name that no key"),
        (lines(build() | {"values": {"n": {"a": 1}}}), "neither a value nor rows"),
        (lines(build() | {"values": {"n": [1]}}), "neither a value nor rows"),
        (lines(build() | {"values": {"n": [{"a": []}]}}), "neither a value nor rows"),
        (lines(build() | {"status": "fine"}), "record.problems"),
    ],
)
def test_a_line_that_is_no_record(line: bytes, message: str, export: Export, tmp_path: Path) -> None:
    """An error with its number, which quotes nothing of it, and nothing is written. Empty lines do not count."""
    with pytest.raises(InputError, match=f"r.jsonl, line 3: .*{message}") as caught:
        export("csv", lines(build()) + b"\n" + line)
    assert "secret" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_file_without_lines_is_not_read_whole(export: Export, monkeypatch: pytest.MonkeyPatch) -> None:
    """A video, say, named by mistake."""
    monkeypatch.setattr("pipkie_cli.records.read.MAX_LINE_BYTES", 1000)
    with pytest.raises(InputError, match="line 1: longer than any record"):
        export("csv", b"x" * 1001)


def test_a_file_that_changes_between_the_walks(tmp_path: Path) -> None:
    """Is noticed at the line that is another."""
    file = io.BytesIO(lines(build()))

    def open_file(table: str | None) -> Any:
        file.getbuffer()[40] ^= 1
        return io.BytesIO()

    with pytest.raises(InputError, match="line 1: changed while it was read"):
        export_records(file, "r.jsonl", "csv", open_file)


def test_too_many_columns_are_refused(export: Export) -> None:
    """Lines that someone made up must not eat the memory."""
    with pytest.raises(InputError, match=r"line 21: .*more keys than records have"):
        export("csv", lines(*(record({f"k{n}_{m}": 1 for m in range(500)}) for n in range(21))))
    with pytest.raises(InputError, match="more keys than records have"):
        export("csv", lines(*(record({f"t{n}": [{"x": 1}]}) for n in range(102))))


# ---------------------------------------------------------------------------------------------------------------- where


@pytest.mark.parametrize(
    ("conditions", "wanted"),
    [
        (["status=review"], "b"),
        (["status=review", "status=failed"], "bc"),
        (["status=review", "currency=USD"], ""),
        (["document_type=thing"], "ab"),
        (["document_type="], "c"),
        (["problems=rule_broken"], "b"),
        (["problems="], "a"),
        (["total=12.5"], "a"),
        (["currency="], "bc"),
        (["values.currency=EUR", "document=a"], "a"),
    ],
)
def test_where(conditions: list[str], wanted: str, export: Export, tmp_path: Path) -> None:
    """Any value of one name, all names; an empty value means none."""

    def named(name: str, made: dict[str, Any]) -> dict[str, Any]:
        return made | {"document": made["document"] | {"path": name}}

    doubt = [{"code": "rule_broken", "message": "m", "keys": []}]
    data = lines(
        named("a", record({"currency": "EUR", "total": 12.5})),
        named("b", record({"currency": None, "total": None}, status="review", problems=doubt)),
        named("c", failed_record("c", PipkieError("torn"))),
    )
    told = export("csv", data, where=Where(conditions))
    assert "".join(row["document"] for row in read(tmp_path, "csv", "")) == wanted
    assert (told.n_records, told.n_left_out) == (len(wanted), 3 - len(wanted))


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("status", "no condition"),
        ("=x", "no condition"),
        ("status=reviw", "no record has the status"),
        ("totl=1", '"total"'),
    ],
)
def test_conditions_that_are_none(condition: str, message: str, export: Export) -> None:
    """A slip of the pen is not an empty table."""
    with pytest.raises(UsageError, match=message):
        export("csv", lines(record({"total": 1})), where=Where([condition]))
