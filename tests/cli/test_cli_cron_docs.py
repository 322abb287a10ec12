"""What docs/cron.md shows is tried: the line of crontab as cron runs it, the units as systemd reads them."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "cron.md").read_text(encoding="utf-8")
PIPKIE = "/opt/pipkie/bin/pipkie"
STAND_IN = f"{sys.executable} {ROOT / 'tests' / 'faults' / 'stand_in_process.py'}"
FIELDS = (r"[0-5]?\d", r"[01]?\d|2[0-3]", r"\*|\d+", r"\*|\d+", r"\*|[0-7]")  # minute, hour, day, month, weekday


def units() -> dict[str, str]:
    """The files of systemd that the document shows, by name."""
    text = re.sub(r"^    ", "", DOCUMENT, flags=re.MULTILINE)
    found = re.findall(r"^# /etc/systemd/system/(\S+)\n(.*?)(?=^# /etc|\n\n[A-Z])", text, re.MULTILINE | re.DOTALL)
    return dict(found)


def test_the_line_of_crontab_works_as_cron_runs_it(desk: Path) -> None:
    """By sh, with an environment of three names, no terminal and stdin closed: silent, with records, log and report."""
    (line,) = re.findall(rf"^    (\S+ \S+ \S+ \S+ \S+)  ({PIPKIE} .*)$", DOCUMENT, re.MULTILINE)
    times, command = line
    assert all(re.fullmatch(form, one) for form, one in zip(FIELDS, times.split(), strict=True))
    assert "%" not in command  # cron makes a line break of it
    for there, here in ((PIPKIE, STAND_IN), ("/srv/scans", "in"), ("/srv/records/", ""), ("/var/log/", "")):
        command = command.replace(there, here)
    ran = subprocess.run(
        ["/bin/sh", "-c", f"{command} <&-"],
        env={"SHELL": "/bin/sh", "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},  # the last: the sources tested here
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    assert (desk / "scans.jsonl").read_text().count("\n") == 2
    assert "2 documents" in (desk / "pipkie.log").read_text()
    assert json.loads((desk / "last-run.json").read_text())["exit_code"] == 0


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd on this system")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    """systemd-analyze finds nothing to complain of, and understands when the timer runs."""
    assert units().keys() == {"pipkie.service", "pipkie.timer"}
    for name, text in units().items():
        (tmp_path / name).write_text(text.replace(PIPKIE, "/bin/true"))  # it looks for the program
    paths = [str(tmp_path / name) for name in units()]
    read = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *paths], capture_output=True, text=True, check=False, timeout=60
    )
    assert (read.returncode, [line for line in read.stderr.splitlines() if "pipkie" in line]) == (0, [])
    (calendar,) = re.findall(r"^OnCalendar=(.*)$", units()["pipkie.timer"], re.MULTILINE)
    subprocess.run(["systemd-analyze", "calendar", calendar], check=True, capture_output=True, timeout=60)


def test_a_percent_sign_is_told_of() -> None:
    """In a crontab it is a line break: whoever copies the line with `date` must know."""
    assert r"\%F" in DOCUMENT
