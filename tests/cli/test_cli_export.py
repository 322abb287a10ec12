"""`pipkie export`: from a file of records to files that open in a spreadsheet."""

import csv
import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Pipkie

from pipkie_cli.batch import WholeFiles
from pipkie_cli.errors import OutputError


@pytest.fixture
def records(pipkie: Pipkie, desk: Path) -> Path:
    """What `pipkie extract` wrote of the desk's two documents."""
    assert pipkie("extract", "in", "-t", "note.yaml", "-o", "out.jsonl", "-q").code == 0
    return desk / "out.jsonl"


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def test_records_become_a_table(pipkie: Pipkie, records: Path) -> None:
    """Beside them under their name; stdout stays empty, stderr says what was written."""
    ended = pipkie("export", "out.jsonl", "--to", "csv", "-t", "note.yaml")
    assert (ended.code, ended.out) == (0, "")
    assert ended.err == "2 records, 0 rows of tables: out.csv\n"
    assert [(row["document"], row["number"], row["total"]) for row in rows(Path("out.csv"))] == [
        ("in/a.pdf", "A-1", ""),
        ("in/b.pdf", "B-2", "12.5"),
    ]


@pytest.mark.parametrize("to", ["csv", "xlsx", "parquet"])
def test_every_format_is_written_where_it_is_wanted(to: str, pipkie: Pipkie, records: Path) -> None:
    """-o names the file, -q says nothing, and nothing else is left in the folder."""
    before = set(os.listdir())
    ended = pipkie("export", "out.jsonl", "--to", to, "-o", f"tables.{to}", "-q")
    assert ended == (0, "", "")
    assert set(os.listdir()) - before == {f"tables.{to}"}


def test_rows_of_tables_lie_beside(pipkie: Pipkie, records: Path) -> None:
    """out.csv and out.items.csv."""
    record = json.loads(records.read_text().splitlines()[0])
    record["values"]["items"] = [{"name": "a"}, {"name": "b"}]
    records.write_text(json.dumps(record) + "\n")
    ended = pipkie("export", "out.jsonl", "--to", "csv")
    assert ended.err.splitlines()[-1] == "1 records, 2 rows of tables: out.csv, out.items.csv"
    assert [(row["document"], row["row"], row["name"]) for row in rows(Path("out.items.csv"))] == [
        ("in/a.pdf", "1", "a"),
        ("in/a.pdf", "2", "b"),
    ]


def test_where_and_what_is_left_out(pipkie: Pipkie, records: Path) -> None:
    """Names of records and of keys; what is left out is counted; a slip is exit code 2 and a suggestion."""
    ended = pipkie("export", "out.jsonl", "--to", "csv", "--where", "number=B-2", "--where", "status=ok")
    assert ended.err.splitlines()[-1].endswith("(1 records left out)")
    assert [row["number"] for row in rows(Path("out.csv"))] == ["B-2"]
    ended = pipkie("export", "out.jsonl", "--to", "csv", "--where", "numbr=B-2")
    assert (ended.code, 'did you mean "number"?' in ended.err) == (2, True)


def test_an_unknown_template_is_said(pipkie: Pipkie, records: Path) -> None:
    """With what to do about it; --templates finds it in a folder."""
    ended = pipkie("export", "out.jsonl", "--to", "csv")
    assert ended.err.splitlines()[0].startswith("note@")
    assert "--templates" in ended.err
    Path("mine").mkdir()
    Path("note.yaml").rename("mine/note.yaml")
    assert pipkie("export", "out.jsonl", "--to", "csv", "--templates", "mine").err.count("\n") == 1


def test_a_line_that_is_no_record(pipkie: Pipkie, records: Path) -> None:
    """Exit code 7, its number, and an earlier export stays as it was."""
    Path("out.csv").write_text("earlier")
    with records.open("a") as file:
        file.write('{"torn')
    ended = pipkie("export", "out.jsonl", "--to", "csv")
    assert (ended.code, "out.jsonl, line 3: no whole JSON object" in ended.err) == (7, True)
    assert Path("out.csv").read_text() == "earlier"


def test_records_that_cannot_be_read(pipkie: Pipkie, desk: Path) -> None:
    """Missing, a folder, a pipe: exit code 7."""
    os.mkfifo("pipe")
    keep = os.open("pipe", os.O_RDWR)  # else opening it waits for a writer
    for name in ("none.jsonl", "in", "pipe"):
        ended = pipkie("export", name, "--to", "csv")
        assert (ended.code, f"{name} " in ended.err) == (7, True)
    os.close(keep)


def test_outputs_that_cannot_be_written(pipkie: Pipkie, records: Path) -> None:
    """The records themselves, a folder, a document, a device, a place that is not there: exit code 5, all stay."""
    before = records.read_bytes()
    Path("scan.csv").write_bytes(b"%PDF-1.4\n%%EOF\n")
    for name in ("out.jsonl", "in", "scan.csv", "/dev/null", "none/out.csv"):
        ended = pipkie("export", "out.jsonl", "--to", "csv", "-o", name)
        assert ended.code == 5, name
    assert records.read_bytes() == before
    assert Path("scan.csv").read_bytes().startswith(b"%PDF")


def test_a_full_disk_leaves_the_earlier_files(tmp_path: Path) -> None:
    """All of them, and no part of the new ones; a second export then replaces all."""
    for name in ("a", "b"):
        (tmp_path / name).write_text("earlier")

    def fill() -> None:
        with WholeFiles() as files:
            for name in ("a", "b"):
                files.open(tmp_path / name).write(b"new")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(OutputError, match="No space left"):
        fill()
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "earlier", "b": "earlier"}
    (tmp_path / "a").chmod(0o640)
    with WholeFiles() as files:
        for name in ("a", "b"):
            files.open(tmp_path / name).write(b"new")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "new", "b": "new"}
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


PEAK = """
import re
from pathlib import Path
from pipkie_cli.__main__ import main
code = main()
print(re.search("VmHWM:[^0-9]*([0-9]+)", Path("/proc/self/status").read_text())[1])  # getrusage counts the parent's
raise SystemExit(code)
"""


@pytest.mark.nightly
def test_memory_does_not_grow_with_the_records(records: Path) -> None:
    """Of 30,000 it needs hardly more than of 300."""
    line = records.read_bytes().splitlines(keepends=True)[1]
    peaks_mib = []
    for n in (300, 30_000):
        with Path("many.jsonl").open("wb") as file:
            file.writelines([line] * n)
        arguments = [sys.executable, "-c", PEAK, "export", "many.jsonl", "--to", "xlsx", "-q"]
        told = subprocess.run(arguments, capture_output=True, text=True, check=True)
        peaks_mib.append(int(told.stdout) / 1024)
    assert peaks_mib[1] - peaks_mib[0] < 5
