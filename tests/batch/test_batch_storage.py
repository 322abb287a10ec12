"""Documents and records that lie in a store: `memory://` for one process, `file://` for stores that workers see."""

import errno
import json
import os
import sys
from pathlib import Path
from typing import Any

import fsspec
import fsspec.asyn
import make
import pytest
from command_line import Pipkie
from stand_ins import KeyValueBackend

from pipkie_cli.batch import Limits, StoreOutput, open_output, plan_inputs, run_batch, storage
from pipkie_cli.batch.plan import as_listed, listed_paths
from pipkie_cli.batch.storage import Store, fetched, is_url
from pipkie_cli.batch.store_output import COPIED_EVERY_S, beside
from pipkie_cli.batch.supervisor import START_METHOD
from pipkie_cli.batch.worker import Outcome, Told
from pipkie_cli.errors import FileUnavailable, InputError, OutputError, TooLarge, UsageError
from pipkie_cli.nouns import Input, Key, Locale, RunOptions, Template
from pipkie_cli.pipeline import process

NOTE = Template("note", "Note", (Key("number", "text", "number"),), Locale(), (), (), "0" * 12, "note.yaml")
OPTIONS = RunOptions((NOTE,), template_given=True)
DONE = Outcome(b'{"a":1}\n', Told(("ok",), 1, "0" * 64))


@pytest.fixture
def memory() -> Any:
    """A store of this process, empty before and after."""
    files = fsspec.filesystem("memory")
    files.store.clear()
    yield files
    files.store.clear()


def put(files: Any, path: str, text: str) -> None:
    with files.open(path, "wb") as file:
        file.write(text.encode())


# -------------------------------------------------------------------------------------------------------------- planned


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("s3://bucket/in", True), ("memory://in", True), ("abfs://c@account/in", True),
        ("in/a.pdf", False), ("/srv/in", False), ("C:\\scans", False), ("a://b", False), ("s3:/bucket", False),
    ],
)  # fmt: skip
def test_urls_are_told_from_paths(given: str, wanted: bool) -> None:
    """A drive letter is no store."""
    assert is_url(given) is wanted


def test_documents_below_a_url(memory: Any) -> None:
    """As in a folder: by suffix, hidden and own files out, each once, sorted; their names are their URLs."""
    for name in ("b.PDF", "sub/a.pdf", ".hidden/c.pdf", "sub/.d.pdf", "out.jsonl", "notes.txt"):
        put(memory, f"/in/{name}", "x")
    plan = plan_inputs(["memory://in", "memory://in/b.PDF", "memory://in/"])
    assert [item.shown for item in plan.inputs] == ["memory://in/b.PDF", "memory://in/sub/a.pdf"]
    assert [item.path.name for item in plan.inputs] == ["b.PDF", "a.pdf"]
    assert plan.left_out == ("memory://in/notes.txt",)
    assert all(item.stamp for item in plan.inputs)


def test_patterns_and_single_objects(memory: Any) -> None:
    """What is named itself is an input whatever its suffix."""
    for name in ("a/1.pdf", "a/2.txt", "b/3.pdf", "b/c/4.pdf"):
        put(memory, f"/in/{name}", "x")
    found = {
        url: [item.shown for item in plan_inputs([url]).inputs] for url in ("memory://in/*/*.pdf", "memory://in/?")
    }
    assert found["memory://in/*/*.pdf"] == ["memory://in/a/1.pdf", "memory://in/b/3.pdf"]
    assert found["memory://in/?"] == ["memory://in/a/1.pdf", "memory://in/b/3.pdf", "memory://in/b/c/4.pdf"]
    assert [item.shown for item in plan_inputs(["memory://in/a/2.txt"]).inputs] == ["memory://in/a/2.txt"]
    (item,) = plan_inputs(["memory://in/a/1.pdf"]).inputs
    assert listed_paths(as_listed(item), null=False) == ["memory://in/a/1.pdf"]


def test_nothing_there(memory: Any) -> None:
    """A bucket that is empty or misspelt: an input error, as for a folder that is missing."""
    with pytest.raises(InputError, match="nothing is stored at memory://nowhere"):
        plan_inputs(["memory://nowhere"])


def test_a_store_that_does_not_answer(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its library raises is a message with the URL."""

    def refuse(*_: Any, **__: Any) -> None:
        raise RuntimeError("AccessDenied\nand more")

    monkeypatch.setattr(type(memory), "find", refuse)
    with pytest.raises(InputError, match=r"memory://in cannot be listed \(RuntimeError: AccessDenied\)"):
        plan_inputs(["memory://in"])


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("ftp://me:secret@host/in", r"ftp://…@host/in: a URL must not hold credentials"),
        ("zip://a.pdf::memory://in.zip", "chained URLs are not read"),
        ("nosuchstore://in", "cannot be opened"),
    ],
)
def test_urls_that_are_refused(url: str, said: str) -> None:
    """A password would stand in every record; an archive is not unpacked."""
    with pytest.raises(UsageError, match=said) as caught:
        plan_inputs([url])
    assert "secret" not in str(caught.value)


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the command that installs it."""

    def missing(url: str) -> None:
        raise ImportError("Install s3fs to access S3")

    monkeypatch.setattr(fsspec.core, "url_to_fs", missing)
    with pytest.raises(UsageError, match="pip install s3fs"):
        Store.at("s3://bucket/in")
    monkeypatch.setattr(storage, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r'pip install "pipkie\[cluster\]"'):
        Store.at("s3://bucket/in")


# -------------------------------------------------------------------------------------------------------------- fetched


def test_a_fetched_document_is_a_file_while_it_is_read(memory: Any) -> None:
    """With no name on disk where the system can: a worker that is killed leaves nothing behind."""
    put(memory, "/in/a.pdf", "number: 1")
    (item,) = plan_inputs(["memory://in/a.pdf"]).inputs
    with fetched(item) as here:
        assert here.path.read_text() == "number: 1"
        assert (here.shown, here.url) == (item.shown, item.url)
        if sys.platform == "linux":
            assert "(deleted)" in os.readlink(here.path) or not os.path.exists(os.readlink(here.path))
    assert not here.path.exists()


def test_a_file_of_this_machine_is_left_where_it_is(tmp_path: Path) -> None:
    """Nothing is copied."""
    item = Input(tmp_path / "a.pdf", "a.pdf")
    with fetched(item) as here:
        assert here is item


def test_a_real_pdf_is_read_from_a_store(memory: Any) -> None:
    """pdfium, poppler and the facts open it by its path."""
    with memory.open("/in/a.pdf", "wb") as file:
        file.write(make.text_pdf((make.Line(50, 60, "A note with letters enough."), make.Line(50, 90, "number: N-17"))))
    (item,) = plan_inputs(["memory://in/a.pdf"]).inputs
    with fetched(item) as here:
        (record,) = process(here, OPTIONS, KeyValueBackend())  # type: ignore[arg-type]
    assert record["document"]["path"] == "memory://in/a.pdf"
    assert record["values"]["number"] == "N-17"


def test_what_cannot_be_fetched(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gone, too large, changed meanwhile: a document's error each."""
    put(memory, "/in/a.pdf", "number: 1")
    (item,) = plan_inputs(["memory://in/a.pdf"]).inputs
    with monkeypatch.context() as patch:
        patch.setattr(storage, "MAX_FETCHED_BYTES", 5)
        with pytest.raises(TooLarge, match=r"memory://in/a\.pdf"), fetched(item):
            pass
    stamps = iter(["one", "two"])
    with monkeypatch.context() as patch:
        patch.setattr(Store, "stamp", lambda self: next(stamps))
        with pytest.raises(FileUnavailable, match="was changed while it was fetched"), fetched(item):
            pass
    memory.rm("/in/a.pdf")
    with pytest.raises(FileUnavailable, match="cannot be fetched"), fetched(item):
        pass


# ---------------------------------------------------------------------------------------------------------- a whole run


def test_a_run_from_a_store_into_a_store(pipkie: Pipkie, desk: Path) -> None:
    """The records of the folder, but for the paths; the list of failed inputs lies beside; again: nothing to do."""
    (desk / "in" / "locked.pdf").write_text("LOCKED")
    (desk / "out").mkdir()
    source, target = (desk / "in").as_uri(), (desk / "out" / "records.jsonl").as_uri()
    command = ("extract", source, "-t", "note.yaml", "-o", target)
    ended = pipkie(*command)
    assert (ended.code, f"all of them are listed in {(desk / 'out').as_uri()}/records.failed.txt" in ended.err) == (
        3,
        True,
    )
    assert pipkie("extract", "in", "-t", "note.yaml", "-o", "local.jsonl").code == 3
    there = (desk / "out" / "records.jsonl").read_text()
    assert there.replace(f"{source}/", "in/") == (desk / "local.jsonl").read_text()
    assert (desk / "out" / "records.failed.txt").read_text() == f"{source}/locked.pdf\n"
    (desk / "in" / "locked.pdf").unlink()
    again = pipkie(*command)
    assert (again.code, "nothing new to read" in again.err) == (0, True)
    assert sorted(path.name for path in (desk / "out").iterdir()) == [".records.jsonl.journal", "records.jsonl"]


def test_a_changed_object_alone_is_read_again(desk: Path) -> None:
    """What the store says of its state tells: nothing is fetched to be compared."""
    url = (desk / "in").as_uri()

    def run() -> tuple[int, int]:
        output = open_output(desk / "out.jsonl")
        summary = run_batch(plan_inputs([url]).inputs, OPTIONS, output, Limits())
        output.close()
        return summary.n_known, summary.n_pages

    assert [run(), run()] == [(0, 2), (2, 0)]
    (desk / "in" / "a.pdf").write_text("number: another")
    assert run() == (1, 1)
    assert "another" in (desk / "out.jsonl").read_text()


def test_an_object_that_went_away_has_its_record(desk: Path) -> None:
    """Between listing and reading: failed, with the reason."""
    inputs = plan_inputs([(desk / "in").as_uri()]).inputs
    (desk / "in" / "a.pdf").unlink()
    output = open_output(desk / "out.jsonl")
    summary = run_batch(inputs, OPTIONS, output, Limits())
    output.close()
    assert [failure.code for failure in summary.failures] == ["file_unavailable"]
    assert json.loads((desk / "out.jsonl").read_text().splitlines()[0])["model"] == "made-up@1"


def test_a_process_with_threads_of_a_store_is_not_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fork would hold the locks of threads that it does not have."""
    from pipkie_cli.batch import run

    assert run._here(OPTIONS, Limits(), ()).start_method == START_METHOD
    monkeypatch.setattr(fsspec.asyn, "iothread", ["a thread"])
    assert run._here(OPTIONS, Limits(), ()).start_method == "spawn"


def test_documents_of_a_store_are_not_moved(pipkie: Pipkie, desk: Path) -> None:
    """Said before any work."""
    ended = pipkie("extract", (desk / "in").as_uri(), "-t", "note.yaml", "--move-done", "done")
    assert (ended.code, "documents of a store are not moved" in ended.err) == (2, True)
    assert not (desk / "in.jsonl").exists()


# --------------------------------------------------------------------------------------------------------------- output


def test_records_appear_in_the_store_when_they_are_whole(memory: Any) -> None:
    """Until then it has the journal at most, with which another machine goes on."""
    put(memory, "/out/records.jsonl", "yesterday")
    now = [0.0]
    output = StoreOutput("memory://out/records.jsonl", clock=lambda: now[0])
    output.add("a.pdf", "run", 1, DONE)
    assert not memory.exists("/out/.records.jsonl.journal")
    now[0] += COPIED_EVERY_S
    output.add("b.pdf", "run", 1, DONE)
    assert memory.exists("/out/.records.jsonl.journal")
    output.add("c.pdf", "run", 1, DONE)
    output.close()  # as by Ctrl-C
    assert memory.cat("/out/records.jsonl") == b"yesterday"
    output = StoreOutput("memory://out/records.jsonl")
    assert all(output.known(f"{name}.pdf") for name in "abc")
    assert output.finish(["a.pdf", "b.pdf", "c.pdf"]) == 3
    output.close()
    assert memory.cat("/out/records.jsonl") == DONE.lines * 3


def test_two_runs_of_a_machine_onto_one_url_do_not_meet(memory: Any) -> None:
    """The second ends at once; another URL is free, and so is this one when the first has ended."""
    first = StoreOutput("memory://out/records.jsonl")
    with pytest.raises(OutputError, match=r"another run is writing memory://out/records\.jsonl"):
        StoreOutput("memory://out/records.jsonl")
    StoreOutput("memory://out/others.jsonl").close()
    first.close()
    StoreOutput("memory://out/records.jsonl").close()


def test_a_store_that_refuses_records(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An output error; the next run goes on with what the journal has there."""
    output = StoreOutput("memory://out/records.jsonl")
    output.add("a.pdf", "run", 1, DONE)

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left")

    with monkeypatch.context() as patch:
        patch.setattr(type(memory), "_open", full)
        with pytest.raises(OutputError, match=r"memory://out/records\.jsonl cannot be written"):
            output.finish(["a.pdf"])
    output.close()
    again = StoreOutput("memory://out/records.jsonl")
    assert again.known("a.pdf") is not None
    again.close()


@pytest.mark.parametrize("url", ["memory://", "memory://out/"])
def test_an_output_url_names_an_object(url: str) -> None:
    """A bucket or folder is none."""
    with pytest.raises(OutputError, match="names no object"):
        StoreOutput(url)


def test_what_lies_beside() -> None:
    """In the same place of the same store."""
    assert beside("s3://bucket/out/records.jsonl", "x") == "s3://bucket/out/x"
