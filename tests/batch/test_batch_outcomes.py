"""What goes wrong around a run, each thing with its defined outcome: disks, folders, links, names, scanners at work."""

import errno
import json
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import make
import pytest
from command_line import Pipkie
from stand_ins import KeyValueBackend

from pipkie_cli.batch import Limits, Summary, Supervisor, open_output, plan_inputs, run_batch
from pipkie_cli.documents import source
from pipkie_cli.errors import OutputError
from pipkie_cli.nouns import Key, Locale, RunOptions, Template

NOTE = ("--template", "note.yaml")
OPTIONS = RunOptions(
    (Template("note", "Note", (Key("number", "text", "number"),), Locale(), (), (), "0" * 12, "note.yaml"),), True
)
LINES = (
    make.Line(50, 60, "A note, printed with enough letters to be a text layer."),
    make.Line(50, 90, "number: N-17"),
)
PROCESS = (sys.executable, str(Path(__file__).parents[1] / "faults" / "stand_in_process.py"))


def run(folder: Path) -> Summary:
    """Everything in the folder, with the records in out.jsonl beside it."""
    output = open_output(folder.parent / "out.jsonl")
    try:
        return run_batch(plan_inputs([str(folder)]).inputs, OPTIONS, output, Limits())
    finally:
        output.close()


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two real PDFs; only the model is made up."""
    monkeypatch.setattr("pipkie_cli.models.load_backend", lambda name, *_, **__: KeyValueBackend())
    (tmp_path / "in").mkdir()
    for name in ("a.pdf", "b.pdf"):
        (tmp_path / "in" / name).write_bytes(make.text_pdf(LINES))
    return tmp_path / "in"


# ---------------------------------------------------------------------------------------------------------------- disks


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_device_that_is_full(pipkie: Pipkie, desk: Path) -> None:
    """A real "no space left": exit code 5, a message, and the device stays one."""
    ended = pipkie("extract", "in", *NOTE, "-o", "/dev/full")
    assert ended.code == 5
    assert "/dev/full cannot be written: No space left on device" in ended.err
    assert Path("/dev/full").is_char_device()


def test_a_quota_ends_the_run_and_the_same_command_goes_on(desk: Path) -> None:
    """The system refuses a write in the middle of a record: no output; later the same bytes as of a calm run."""
    for number in range(12):
        (desk / "in" / f"{number:02}.pdf").write_text(f"number: N{number}")
    command = [*PROCESS, "extract", "in", *NOTE, "-q", "--workers", "1", "-o"]
    subprocess.run([*command, "calm.jsonl"], check=True, timeout=60)
    for limit in (700, 6_000):  # bytes of one file: in the first entry, and further on
        full = subprocess.run(
            [*command, "out.jsonl"],
            preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert (full.returncode, b"cannot be written: File too large" in full.stderr) == (5, True), full.stderr
        assert not (desk / "out.jsonl").exists()
        kept = desk / ".out.jsonl.journal"  # goes when it holds no whole entry
        assert kept.exists() == (limit > 700)
    subprocess.run([*command, "out.jsonl"], check=True, timeout=60)
    assert (desk / "out.jsonl").read_bytes() == (desk / "calm.jsonl").read_bytes()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_a_disk_that_is_full_when_the_output_is_put_together(
    desk: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """The earlier output stands, nothing half lies about, and the records are in the journal."""
    (desk / "out.jsonl").write_text("yesterday\n")
    sync, calls = os.fsync, []

    def full(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == 2:  # the first is the journal's
            raise OSError(number, os.strerror(number))
        sync(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OutputError, match=os.strerror(number)):
            run(desk / "in")
    assert (desk / "out.jsonl").read_text() == "yesterday\n"
    assert not list(desk.glob("*.part"))
    assert run(desk / "in").n_known == 2
    assert len(records(desk / "out.jsonl")) == 2


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.ENOSPC, errno.ENAMETOOLONG])
def test_an_output_that_cannot_be_made_is_told_before_any_work(
    pipkie: Pipkie, desk: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """No permission, a disk that is read only or full: exit code 5, and no document was read."""
    opened = os.open

    def refuse(path: Any, flags: int, *rest: Any, **more: Any) -> int:
        if str(path).endswith(".journal"):
            raise OSError(number, os.strerror(number))
        return opened(path, flags, *rest, **more)

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr("pipkie_cli.batch.run.Supervisor", None)  # would be called by work
    ended = pipkie("extract", "in", *NOTE)
    assert ended.code == 5
    assert f"in.jsonl cannot be written: {os.strerror(number)}" in ended.err


def test_the_folder_of_the_output_vanishes(desk: Path) -> None:
    """An unmounted share while the run works: an OutputError, not a bug."""
    (desk / "share").mkdir()
    output = open_output(desk / "share" / "out.jsonl")
    shutil.rmtree(desk / "share")
    with pytest.raises(OutputError, match=r"the folder of .* does not exist"):
        run_batch(plan_inputs(["in"]).inputs, OPTIONS, output, Limits())
    output.close()


def test_nothing_is_promised_of_a_journal_that_is_gone(
    pipkie: Pipkie, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was done went with the folder: the same command would begin anew."""
    (desk / "share").mkdir()
    outcomes = Supervisor.outcomes

    def vanishing(*arguments: Any) -> Any:
        for one in outcomes(*arguments):
            yield one
            shutil.rmtree(desk / "share", ignore_errors=True)

    monkeypatch.setattr(Supervisor, "outcomes", vanishing)
    ended = pipkie("extract", "in", *NOTE, "-o", "share/out.jsonl")
    assert (ended.code, "the folder of share/out.jsonl does not exist" in ended.err) == (5, True)
    assert "goes on with the rest" not in ended.err


def test_a_report_to_a_pipe_leaves_it_a_pipe(pipkie: Pipkie, desk: Path) -> None:
    """`--report /dev/null`, as root of a container, must not put a file in its place."""
    os.mkfifo(desk / "pipe")
    reader = os.open(desk / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert pipkie("extract", "in", *NOTE, "--report", "pipe").code == 0
    assert json.loads(os.read(reader, 100_000))["documents"] == 2
    os.close(reader)
    assert (desk / "pipe").is_fifo()
    assert not list(desk.glob("*.part"))


def test_nothing_is_put_beside_a_device(pipkie: Pipkie, desk: Path) -> None:
    """The list of failed inputs belongs to a file of records, not to /dev."""
    os.mkfifo(desk / "pipe")
    reader = os.open(desk / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    (desk / "in" / "locked.pdf").write_text("LOCKED")
    assert pipkie("extract", "in", *NOTE, "-o", "pipe").code == 3
    assert os.read(reader, 100_000).count(b"\n") == 3
    os.close(reader)
    assert sorted(os.listdir(desk)) == ["in", "note.yaml", "pipe"]


# --------------------------------------------------------------------------------------------------------------- inputs


def test_the_folder_of_the_inputs_vanishes(real: Path) -> None:
    """Each document that was planned has its record, which says that it is gone."""
    target = real.parent / "out.jsonl"
    output = open_output(target)
    inputs = plan_inputs([str(real)]).inputs
    shutil.rmtree(real)
    summary = run_batch(inputs, OPTIONS, output, Limits())
    output.close()
    assert [one.code for one in summary.failures] == ["file_unavailable"] * 2
    assert all("No such file" in one["problems"][0]["message"] for one in records(target))


def test_a_scanner_still_writes(real: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Size or time change while the file is read: failed with a reason, and read by the next run."""
    read = source._read_blocks

    def read_slowly(file: Any, shown: str) -> tuple[bytes, str]:
        found = read(file, shown)
        if shown.endswith("b.pdf"):
            with (real / "b.pdf").open("ab") as scanner:
                scanner.write(b"%more\n")
        return found

    with monkeypatch.context() as patch:
        patch.setattr(source, "_read_blocks", read_slowly)
        summary = run(real)
    assert [(Path(one.shown).name, one.code) for one in summary.failures] == [("b.pdf", "file_unavailable")]
    assert "still being written" in summary.failures[0].message
    assert run(real).failures == ()


def test_a_file_is_replaced_between_reading_and_its_facts(real: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Page and e-invoice of one record come from the same bytes, or the document fails."""
    from pipkie_cli.documents import open_document

    def open_and_replace(path: Path, **more: Any) -> Any:
        document = open_document(path, **more)
        path.write_bytes(make.text_pdf(make.INVOICE))
        return document

    with monkeypatch.context() as patch:
        patch.setattr("pipkie_cli.documents.open_document", open_and_replace)
        summary = run(real)
    assert {one.code for one in summary.failures} == {"file_unavailable"}
    assert all("was changed while it was read" in one.message for one in summary.failures)
    assert run(real).failures == ()


def test_permission_denied(real: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That document fails with the system's reason, the others are read."""
    opened = os.open

    def refuse(path: Any, flags: int, *rest: Any, **more: Any) -> int:  # root may read everything
        if str(path).endswith("a.pdf"):
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(path, flags, *rest, **more)

    monkeypatch.setattr("pipkie_cli.documents.source.os.open", refuse)
    summary = run(real)
    assert [(one.code, Path(one.shown).name) for one in summary.failures] == [("file_unavailable", "a.pdf")]
    assert "Permission denied" in summary.failures[0].message
    assert summary.n_ok + summary.n_review == 1


def test_links(real: Path) -> None:
    """To nowhere, to itself, in a ring: a failed record each. To a folder or a ring of folders: left out and named."""
    links = {"gone.pdf": "nowhere.pdf", "self.pdf": "self.pdf", "ring1.pdf": "ring2.pdf", "ring2.pdf": "ring1.pdf"}
    for name, target in links.items():
        (real / name).symlink_to(target)
    (real / "good.pdf").symlink_to("a.pdf")
    (real / "sub").mkdir()
    (real / "sub" / "up").symlink_to("..")
    plan = plan_inputs([str(real)])
    assert plan.left_out == (f"{real}/sub/up (a link to a folder)",)
    summary = run(real)
    assert {Path(one.shown).name: one.code for one in summary.failures} == dict.fromkeys(links, "file_unavailable")
    assert summary.n_inputs == len(records(real.parent / "out.jsonl")) == 7


# ---------------------------------------------------------------------------------------------------------------- names


NAMES = (
    b"latin1-\xe9.pdf",
    rb"latin1-\xe9.pdf",  # what the one above is shown as, were its own backslash not
    rb"latin1-\x5cxe9.pdf",
    b"-rf.pdf",
    b"tab\tand \x1b[31mcolour.pdf",
    "\N{RIGHT-TO-LEFT OVERRIDE}fdp.exe.pdf".encode(),
    b"\xed\xa0\x80.pdf",  # a lone surrogate, as UTF-8 forbids it
    b"x" * 251 + b".pdf",
)


def test_names_of_every_kind_stay_apart_and_lead_back(pipkie: Pipkie, desk: Path) -> None:
    """Each has its own record under a name of its own, and the list of failed inputs names the very file."""
    folder = os.fsencode(desk / "in")
    for name in NAMES:
        with open(os.path.join(folder, name), "wb") as file:
            file.write(b"LOCKED")
    assert pipkie("extract", "in", *NOTE).code == 3
    shown = [one["document"]["path"] for one in records(desk / "in.jsonl")]
    assert len(set(shown)) == len(shown) == 2 + len(NAMES)
    assert r"in/latin1-\xe9.pdf" in shown
    assert r"in/latin1-\x5cxe9.pdf" in shown
    listed = (desk / "in.failed.txt").read_bytes().splitlines()
    assert sorted(listed) == sorted(b"in/" + name for name in NAMES)
    ended = pipkie("extract", "--files-from", "in.failed.txt", *NOTE, "--password", "sesame", "-o", "again.jsonl")
    assert (ended.code, len(records(desk / "again.jsonl"))) == (0, len(NAMES))
    assert "\x1b" not in ended.err


@pytest.mark.parametrize("path", ["in/a.pdf\0", "\0", "in/*\0", "in\0/b.pdf"])
def test_nul_in_a_path_names_no_file(pipkie: Pipkie, desk: Path, path: str) -> None:
    """No system has such a file: an input error, as for any other that is missing."""
    (desk / "list").write_text(path)
    assert pipkie("extract", "--files-from", "list", *NOTE).code == 7


# ----------------------------------------------------------------------------------------------------------------- text


def test_nul_and_lone_surrogates_of_a_page_reach_no_record(real: Path) -> None:
    """A font may say that a sign is NUL or half a character: the record is UTF-8 that every database takes."""
    lines = b"\n".join(b"<%02X> <%04X>" % (code, code) for code in range(0x20, 0x7F))
    cmap = b"1 begincodespacerange <00> <FF> endcodespacerange\n98 beginbfchar\n" + lines
    cmap += b"\n<01> <0000>\n<02> <D835>\n<03> <DC00>\nendbfchar"
    text = " ".join(line.text for line in LINES).encode() + b"\x01\x02X\x03"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 900 842] /Resources << /Font << /F1 3 0 R >> >> "
        "/Contents 5 0 R >>",
        make.stream(b"BT /F1 11 Tf 50 700 Td <" + text.hex().encode() + b"> Tj ET"),
        make.stream(cmap),
    ]
    (real / "a.pdf").write_bytes(make.raw_pdf(objects))
    run(real)
    data = (real.parent / "out.jsonl").read_bytes()
    value = records(real.parent / "out.jsonl")[0]["values"]["number"]
    assert value.startswith("N-17")
    assert "\0" not in value
    data.decode("utf-8")
    assert b"\\u0000" not in data
    assert b"\\ud8" not in data.lower()


def test_nul_in_a_code_reaches_no_record(real: Path) -> None:
    """A QR code may hold any byte."""
    from PIL import Image

    zxingcpp = pytest.importorskip("zxingcpp")
    code = zxingcpp.create_barcode(b"AB\0CD\x1dEF", zxingcpp.BarcodeFormat.QRCode)
    import numpy as np

    from pipkie_cli.facts.codes import decode

    picture = Image.fromarray(np.asarray(code.to_image(scale=6))).convert("RGB")
    assert [one.text for one in decode(np.asarray(picture), 1, False)] == ["ABCD\x1dEF"]
