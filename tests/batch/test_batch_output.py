"""Records reach their file whole or not at all; a stream gets each at once."""

import errno
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from pipkie_cli.batch import Output, default_output, open_output, open_stream
from pipkie_cli.batch.journal import Journal
from pipkie_cli.batch.output import FileOutput, StreamOutput
from pipkie_cli.batch.worker import Outcome, Told
from pipkie_cli.errors import OutputError


def outcome(lines: bytes) -> Outcome:
    return Outcome(lines, Told(("ok",) * lines.count(b"\n"), 1, None))


def add(output: Output, path: str, lines: bytes) -> None:
    output.add(path, "run", 1, outcome(lines))


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    """Until finish the old content stands; then the new one in the order of the inputs, and a hidden journal."""
    target = tmp_path / "out.jsonl"
    target.write_bytes(b"old\n")
    output = open_output(target)
    add(output, "b", b"second\nthird\n")
    add(output, "a", b"first\n")
    assert target.read_bytes() == b"old\n"
    assert output.finish(["a", "b"]) == 3
    output.close()
    assert target.read_bytes() == b"first\nsecond\nthird\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == [".out.jsonl.journal", "out.jsonl"]


def test_an_interrupted_run_keeps_what_it_has(tmp_path: Path) -> None:
    """Closed without finish: the output is untouched, the next run knows what was done."""
    output = open_output(tmp_path / "out.jsonl")
    add(output, "a", b"one\n")
    output.close()
    assert not (tmp_path / "out.jsonl").exists()
    output = open_output(tmp_path / "out.jsonl")
    assert output.known("a") is not None
    assert output.known("b") is None
    output.close()


def test_an_interrupted_run_without_records_leaves_nothing(tmp_path: Path) -> None:
    """An empty journal says nothing and goes."""
    output = open_output(tmp_path / "out.jsonl")
    output.close()
    assert list(tmp_path.iterdir()) == []


def test_a_journal_forgets_what_was_replaced(tmp_path: Path) -> None:
    """Ten runs over a changing folder do not make it ten times as long."""
    sizes = []
    for number in range(5):
        output = open_output(tmp_path / "out.jsonl")
        add(output, "a", f"{number}\n".encode() * 100)
        add(output, f"gone{number}", b"x\n")
        output.finish(["a"])
        output.close()
        sizes.append((tmp_path / ".out.jsonl.journal").stat().st_size)
    assert max(sizes) - min(sizes) < 20
    assert (tmp_path / "out.jsonl").read_bytes() == b"4\n" * 100


def test_a_journal_that_cannot_be_shortened_stays_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The output is whole by then: a disk that is full now fails no run."""
    output = open_output(tmp_path / "out.jsonl")
    add(output, "a", b"1\n")
    add(output, "gone", b"x\n")
    add_entry = Journal.add

    def full(journal: Journal, *entry: Any) -> object:
        if journal.path.suffix == ".new":
            raise OutputError("No space left on device")
        return add_entry(journal, *entry)

    monkeypatch.setattr(Journal, "add", full)
    assert output.finish(["a"]) == 1
    output.close()
    assert (tmp_path / "out.jsonl").read_bytes() == b"1\n"
    assert sorted(os.listdir(tmp_path)) == [".out.jsonl.journal", "out.jsonl"]


def test_an_entry_of_ten_thousand_records_is_found_again(tmp_path: Path) -> None:
    """A file of as many pages that was split."""
    output = open_output(tmp_path / "out.jsonl")
    output.add("a", "run", 1, Outcome(b"{}\n" * 20_000, Told(("review",) * 20_000, 20_000, None)))
    output.close()
    output = open_output(tmp_path / "out.jsonl")
    entry = output.known("a")
    assert entry is not None
    assert len(entry.told.statuses) == 20_000
    output.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_pipe_in_the_place_of_the_part_holds_nothing_up(tmp_path: Path) -> None:
    """Nobody reads it: writing into it would wait for ever."""
    os.mkfifo(tmp_path / "out.jsonl.part")
    output = open_output(tmp_path / "out.jsonl")
    add(output, "a", b"1\n")
    output.finish(["a"])
    output.close()
    assert (tmp_path / "out.jsonl").read_bytes() == b"1\n"


def test_a_stranger_in_the_place_of_the_journal_is_left_alone(tmp_path: Path) -> None:
    """Somebody's file is not cut off."""
    (tmp_path / ".out.jsonl.journal").write_text("my diary")
    with pytest.raises(OutputError, match="is no journal of pipkie"):
        open_output(tmp_path / "out.jsonl")
    assert (tmp_path / ".out.jsonl.journal").read_text() == "my diary"


def test_a_full_disk_leaves_no_half_entry(tmp_path: Path) -> None:
    """The disk takes a part of the second entry: it is cut off again, and the error says what to do."""
    output = open_output(tmp_path / "out.jsonl")
    assert isinstance(output, FileOutput)
    add(output, "a", b"first\n")
    size = output.journal.path.stat().st_size
    file = output.journal._file

    class AlmostFull:
        """Takes three bytes, then no more."""

        def write(self, data: bytes) -> int:
            if len(data) < 20:
                raise OSError(errno.ENOSPC, "No space left on device")
            return file.write(bytes(data)[:-19])  # type: ignore[no-any-return]

        def __getattr__(self, name: str) -> object:
            return getattr(file, name)

    output.journal._file = AlmostFull()  # type: ignore[assignment]
    with pytest.raises(OutputError, match="No space left on device") as caught:
        add(output, "b", b"second\n")
    assert caught.value.exit_code == 5
    output.close()
    assert output.journal.path.stat().st_size == size


def test_a_stream_gets_records_in_the_order_of_inputs(tmp_path: Path) -> None:
    """What comes early waits for those before it."""
    reader, writer = os.pipe()
    output = open_stream(writer)
    output.begin(["a", "b", "c"])
    add(output, "c", b"3\n")
    add(output, "a", b"1\n")
    assert os.read(reader, 100) == b"1\n"
    add(output, "b", b"2\n")
    assert os.read(reader, 100) == b"2\n3\n"
    output.close()
    os.close(reader)


@pytest.mark.parametrize("name", ["missing/out.jsonl", ".", "x" * 300])
def test_a_place_that_cannot_be_written_is_told_before_any_work(tmp_path: Path, name: str) -> None:
    """A missing folder, a folder, a name that the disk refuses: at opening, not after hours."""
    with pytest.raises(OutputError, match=r"cannot be written|is a folder|does not exist"):
        open_output(tmp_path / name)


def test_a_write_protected_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rename would pass over its protection."""
    target = tmp_path / "out.jsonl"
    target.write_bytes(b"precious")
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)  # root may write everywhere
    with pytest.raises(OutputError, match="write-protected"):
        open_output(target)


def test_a_document_is_never_overwritten(tmp_path: Path) -> None:
    """`-o scan.pdf` is a slip of the hand."""
    target = tmp_path / "scan.pdf"
    target.write_bytes(b"%PDF-1.7")
    with pytest.raises(OutputError, match="is a document and would be overwritten"):
        open_output(target)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """Its target gets the records."""
    (tmp_path / "real.jsonl").write_bytes(b"old\n")
    (tmp_path / "link.jsonl").symlink_to("real.jsonl")
    output = open_output(tmp_path / "link.jsonl")
    add(output, "a", b"new\n")
    output.finish(["a"])
    output.close()
    assert (tmp_path / "link.jsonl").is_symlink()
    assert (tmp_path / "real.jsonl").read_bytes() == b"new\n"


def test_permissions_of_the_old_file_stay(tmp_path: Path) -> None:
    """Records that only their owner may read stay so."""
    target = tmp_path / "out.jsonl"
    target.write_bytes(b"")
    target.chmod(0o600)
    output = open_output(target)
    add(output, "a", b"new\n")
    output.finish(["a"])
    output.close()
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / ".out.jsonl.journal").stat().st_mode) == 0o600


def test_a_device_is_written_and_not_replaced(tmp_path: Path) -> None:
    """-o /dev/null must not become a file: here a FIFO stands for it."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    output = open_output(pipe)
    assert isinstance(output, StreamOutput)
    output.begin(["a"])
    add(output, "a", b"one\n")
    output.close()
    assert os.read(reader, 100) == b"one\n"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_stream_whose_reader_has_gone_is_an_output_error() -> None:
    """`pipkie extract … -o - | head -1`: a message, no traceback."""
    reader, writer = os.pipe()
    os.close(reader)
    output = open_stream(writer)
    output.begin(["a"])
    with pytest.raises(OutputError, match="the reader of standard output has gone"):
        add(output, "a", b"one\n")
    output.close()


def test_default_output_is_named_after_the_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder's name, a file's name without its suffix, for several files the name of their folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("in/may", "other"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("in/may/a.b.pdf", "in/may/c.pdf"):
        (tmp_path / name).write_bytes(b"")
    assert default_output(["in/"]) == Path("in.jsonl")
    assert default_output(["."]) == Path(f"{tmp_path.name}.jsonl")
    assert default_output(["in/may/a.b.pdf"]) == Path("a.b.jsonl")
    assert default_output(["in/may/a.b.pdf", "in/may/c.pdf"]) == Path("may.jsonl")
    assert default_output(["in/may/*.pdf"]) == Path("may.jsonl")
    assert default_output(["in/**/*.pdf"]) == Path("in.jsonl")
    assert default_output(["/"]) == Path("pipkie.jsonl")


def test_two_runs_never_write_one_output(tmp_path: Path) -> None:
    """The second is told before any work, and the first keeps its records; afterwards the place is free."""
    path = tmp_path / "out.jsonl"
    first = open_output(path)
    add(first, "a", b"{}\n")
    with pytest.raises(OutputError, match="another run is writing"):
        open_output(path)
    first.finish(["a"])
    first.close()
    assert path.read_bytes() == b"{}\n"
    open_output(path).close()
    assert path.read_bytes() == b"{}\n"
