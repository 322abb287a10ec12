"""Records reach their file whole or not at all; a stream gets each at once."""

import errno
import os
import stat
from pathlib import Path

import pytest

from pipkie_cli.batch import default_output, open_output, open_stream
from pipkie_cli.errors import OutputError


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    """Until finish the old content stands; then the new one, and nothing else is left."""
    target = tmp_path / "out.jsonl"
    target.write_bytes(b"old\n")
    output = open_output(target)
    output.write(b"new\n")
    assert target.read_bytes() == b"old\n"
    output.finish()
    output.close()
    assert target.read_bytes() == b"new\n"
    assert list(tmp_path.iterdir()) == [target]


def test_an_interrupted_run_keeps_what_it_has(tmp_path: Path) -> None:
    """Closed without finish: the output is untouched, the records lie in .part."""
    output = open_output(tmp_path / "out.jsonl")
    output.write(b"one\n")
    output.close()
    assert output.part is not None
    assert output.part.read_bytes() == b"one\n"
    assert not (tmp_path / "out.jsonl").exists()


def test_an_interrupted_run_without_records_leaves_nothing(tmp_path: Path) -> None:
    """An empty .part says nothing and goes."""
    output = open_output(tmp_path / "out.jsonl")
    output.close()
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk takes half of the second record: it is cut off again, and the error says what to do."""
    output = open_output(tmp_path / "out.jsonl")
    output.write(b"first\n")
    write, left = os.write, [3]

    def almost_full(descriptor: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = write(descriptor, bytes(data)[: left[0]])
        left[0] -= taken
        return taken

    monkeypatch.setattr(os, "write", almost_full)
    with pytest.raises(OutputError, match="No space left on device") as caught:
        output.write(b"second\n")
    output.close()
    assert caught.value.exit_code == 5
    assert (tmp_path / "out.jsonl.part").read_bytes() == b"first\n"


def test_a_signal_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C between two parts of a record: the part that was written is cut off again."""
    output = open_output(tmp_path / "out.jsonl")
    output.write(b"first\n")
    write = os.write

    def interrupted(descriptor: int, data: bytes) -> int:
        write(descriptor, bytes(data)[:3])
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        output.write(b"second\n")
    output.close()
    assert (tmp_path / "out.jsonl.part").read_bytes() == b"first\n"


@pytest.mark.parametrize("name", ["missing/out.jsonl", ".", "x" * 300])
def test_a_place_that_cannot_be_written_is_told_before_any_work(tmp_path: Path, name: str) -> None:
    """A missing folder, a folder, a name that the disk refuses: at opening, not after hours."""
    with pytest.raises(OutputError, match=r"cannot be written|is a folder"):
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
    output.write(b"new\n")
    output.finish()
    assert (tmp_path / "link.jsonl").is_symlink()
    assert (tmp_path / "real.jsonl").read_bytes() == b"new\n"


def test_permissions_of_the_old_file_stay(tmp_path: Path) -> None:
    """Records that only their owner may read stay so."""
    target = tmp_path / "out.jsonl"
    target.write_bytes(b"")
    target.chmod(0o600)
    output = open_output(target)
    output.finish()
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_device_is_written_and_not_replaced(tmp_path: Path) -> None:
    """-o /dev/null must not become a file: here a FIFO stands for it."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    output = open_output(pipe)
    output.write(b"one\n")
    output.finish()
    output.close()
    assert os.read(reader, 100) == b"one\n"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_stream_whose_reader_has_gone_is_an_output_error() -> None:
    """`pipkie extract … -o - | head -1`: a message, no traceback."""
    reader, writer = os.pipe()
    os.close(reader)
    output = open_stream(writer)
    with pytest.raises(OutputError, match="the reader of standard output has gone"):
        output.write(b"one\n")
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
    first.write(b"{}\n")
    with pytest.raises(OutputError, match="another run is writing"):
        open_output(path)
    first.finish()
    assert path.read_bytes() == b"{}\n"
    open_output(path).close()
    assert path.read_bytes() == b"{}\n"
