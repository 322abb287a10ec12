"""The one door, as a process: exit codes, signals, closed pipes, and a stdout that stays clean."""

import fcntl
import json
import os
import pty
import re
import resource
import signal
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path

import pytest

PROCESS = (sys.executable, str(Path(__file__).parents[1] / "faults" / "stand_in_process.py"))
NOTE = ("-t", "note.yaml")
DEADLINE_S = 60


def run(*arguments: str, **more: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*PROCESS, *arguments], capture_output=True, text=True, timeout=DEADLINE_S, **more)  # type: ignore[call-overload,no-any-return]


def test_stdout_holds_records_only(desk: Path) -> None:
    """A library that prints, a C library that puts, a child process: all of it lands on stderr, seen with -vv."""
    (desk / "in" / "a.pdf").write_text("PRINT number: A-1")
    ended = run("extract", "in", *NOTE, "-o", "-", "-vv")
    assert [json.loads(line)["values"]["number"] for line in ended.stdout.splitlines()] == ["A-1", "B-2"]
    for words in ("print was here", "puts was here", "a child was here"):
        assert words in ended.stderr
    assert ended.returncode == 0


def test_libraries_are_not_heard(desk: Path) -> None:
    """What they print is no message of pipkie's: without -vv it is dropped, and -q means silence."""
    (desk / "in" / "a.pdf").write_text("PRINT number: A-1")
    ended = run("extract", "in", *NOTE, "-o", "-", "-q")
    assert len(ended.stdout.splitlines()) == 2
    assert ended.stderr == ""
    assert "was here" not in run("extract", "in", *NOTE).stderr


@pytest.mark.parametrize(
    ("number", "code", "word"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
)
def test_a_signal_ends_the_run_in_order(desk: Path, number: int, code: int, word: str) -> None:
    """The output is not there, what is done is kept, and the message says how to go on."""
    (desk / "in" / "z.pdf").write_text("WAIT")
    os.mkfifo("waiting")
    before = signal.signal(number, signal.default_int_handler)  # a job in the background ignores Ctrl-C, and so do its
    process = subprocess.Popen([*PROCESS, "extract", "in", *NOTE, "--workers", "1"], stderr=subprocess.PIPE, text=True)
    signal.signal(number, before)  # children
    Path("waiting").read_text()  # until the last document is being read
    process.send_signal(number)
    _, err = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == code
    assert err == f"2 of 3 documents are done; the same command goes on with the rest\npipkie: {word}\n"
    assert not (desk / "in.jsonl").exists()
    (desk / "in" / "z.pdf").unlink()
    assert "2 documents: 2 ok, 0 review, 0 failed; nothing new to read" in run("extract", "in", *NOTE).stderr


def test_a_bug_leaves_a_message_and_a_file(desk: Path, tmp_path: Path) -> None:
    """The screen names the class only; the traceback lies in a file that only the user can read."""
    (tmp_path / "temp").mkdir()
    ended = run("explain", "in/a.pdf", *NOTE, env={**os.environ, "TMPDIR": str(tmp_path / "temp")})
    (desk / "in" / "a.pdf").write_text("BREAK SENTINEL-1")
    ended = run("explain", "in/a.pdf", *NOTE, env={**os.environ, "TMPDIR": str(tmp_path / "temp")})
    [report] = (tmp_path / "temp").iterdir()
    assert ended.returncode == 1
    assert ended.stderr.startswith("pipkie: stopped by a bug in pipkie (ValueError)\n")
    assert str(report) in ended.stderr
    assert "SENTINEL" not in ended.stderr + ended.stdout
    assert "Traceback" not in ended.stderr
    assert "SENTINEL" in report.read_text()
    assert report.stat().st_mode & 0o077 == 0


def test_a_reader_that_goes_ends_the_run_with_a_message(desk: Path) -> None:
    """`pipkie extract … -o - | true`: exit code 5, no traceback."""
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run(
        [*PROCESS, "extract", "in", *NOTE, "-o", "-"], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60
    )
    os.close(writer)
    assert ended.returncode == 5
    assert ended.stderr.startswith("pipkie: the reader of standard output has gone\n")
    assert "Traceback" not in ended.stderr


def test_help_into_a_closed_pipe_is_quiet() -> None:
    """`pipkie --help | head -1` writes nothing on stderr."""
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run([*PROCESS, "--help"], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(writer)
    assert ended.stderr == ""


def test_closed_standard_streams_spoil_nothing(desk: Path) -> None:
    """Cron and daemons close 0, 1 and 2: no record and no message may end up in a file opened later."""
    command = " ".join([*PROCESS, "extract in", *NOTE, "<&- >&- 2>&-"])
    assert subprocess.run(["sh", "-c", command], timeout=DEADLINE_S).returncode == 0
    assert [json.loads(line)["status"] for line in (desk / "in.jsonl").read_text().splitlines()] == ["ok", "ok"]


def test_records_for_a_closed_stdout_are_not_lost_in_silence(desk: Path) -> None:
    """`-o -` with nothing behind it is an output that cannot be written."""
    command = " ".join([*PROCESS, "extract in", *NOTE, "-o - >&-"])
    ended = subprocess.run(["sh", "-c", command], timeout=DEADLINE_S, stderr=subprocess.PIPE, text=True)
    assert ended.returncode == 5
    assert "standard output cannot be written" in ended.stderr


def test_it_works_without_an_environment(desk: Path) -> None:
    """`env -i`, LANG=C: names that are not ASCII still reach file and screen."""
    (desk / "in" / "Größe.pdf").write_text("LOCKED")
    ended = run("extract", "in", *NOTE, env={"LANG": "C"})
    assert ended.returncode == 3
    assert "Größe.pdf" in (desk / "in.jsonl").read_text(encoding="utf-8")
    assert "in/Gr" in ended.stderr


@pytest.mark.parametrize(("more", "shown"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_progress_is_for_terminals(desk: Path, more: dict[str, str], shown: bool) -> None:
    """A bar on a terminal unless NO_COLOR is set; the summary is the same either way."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 25, 80, 0, 0))
    environment = {**{key: value for key, value in os.environ.items() if key != "NO_COLOR"}, **more}
    process = subprocess.Popen([*PROCESS, "extract", "in", *NOTE], stderr=theirs, env=environment)
    os.close(theirs)
    seen = b""
    with suppress(OSError):  # Linux reports the end of a terminal as an error
        while data := os.read(ours, 4096):
            seen += data
    os.close(ours)
    assert process.wait(DEADLINE_S) == 0
    assert (b"document/s]" in seen or b"2/2" in seen) == shown
    assert b"2 documents: 2 ok" in seen


HEAVY = (
    "torch transformers onnxruntime rapidocr pypdfium2 pdf2image numpy cv2 PIL yaml jsonschema jsonschema_rs babel"
    " orjson tqdm rich pyarrow xlsxwriter"
)
PROBE = f"""
import sys
sys.argv = ["pipkie", *sys.argv[1:]]
from pipkie_cli.__main__ import main
code = main()
sys.stderr.write(repr(sorted(set({HEAVY.split()!r}) & set(sys.modules))))
sys.exit(code)
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("--version",),
        *((name, "--help") for name in ("extract", "explain", "templates", "eval", "bench", "export")),
    ],
)
def test_help_loads_nothing_heavy(arguments: tuple[str, ...]) -> None:
    """Help is on stdout, and none of the libraries that read documents is imported for it."""
    ended = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments], capture_output=True, text=True, timeout=DEADLINE_S, check=True
    )
    assert ended.stderr == "[]"
    assert "pipkie" in ended.stdout


@pytest.mark.parametrize("command", ["extract", "explain"])
def test_the_example_in_help_works_on_the_samples(command: str) -> None:
    """Every samples/ path that help names is there."""
    ended = subprocess.run(
        [sys.executable, "-m", "pipkie_cli", command, "--help"], capture_output=True, text=True, timeout=DEADLINE_S
    )
    named = set(re.findall(r"\bsamples[\w./]*", ended.stdout))
    assert named
    assert [path for path in named if not (Path(__file__).parents[2] / path).exists()] == []


def test_help_answers_at_once() -> None:
    """`python -m pipkie_cli --help` takes less than half a second of CPU."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "pipkie_cli", "--help"], capture_output=True, check=True, timeout=DEADLINE_S)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.5
