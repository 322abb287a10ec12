"""Hostile and odd files, all in one run of the real command: each gives its record, none stops the others.

Reads `$PIPKIE_DATA/odd`: 63 files with a README that says what a good tool should do with each. The tables below are
its last column in pipkie's words.
"""

import json
import os
import subprocess
import sys
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ODD = Path(os.environ.get("PIPKIE_DATA", "nowhere"), "odd")
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not ODD.is_dir(), reason="PIPKIE_DATA names no folder with odd/"),
]

RUN_S = 1800.0  # the whole set takes minutes; a hang takes for ever
INVOICE = {"invoice_number": "A-1001", "issue_date": "2026-05-04", "grand_total": 120.5}
NO_VALUES: dict[str, Any] = {}  # nothing on the page answers the keys: nothing may be answered


@dataclass(frozen=True)
class Expect:
    """What a record should say. Failed with one of `codes`, or read with so many pages, problems and values."""

    codes: tuple[str, ...] = ()  # of a failed record; () with `read` True: it must be read
    read: bool = True
    pages: int | None = 1  # page_count; None: not stated
    problems: tuple[str, ...] = ()  # that a read document must name
    values: dict[str, Any] | None = None  # None: not checked


def failed(*codes: str) -> Expect:
    return Expect(codes, read=False)


def either(*codes: str, pages: int | None = None) -> Expect:
    """Both are right: a failed record with one of the codes, or a read one without a value made up."""
    return Expect(codes, read=True, pages=pages, values=NO_VALUES)


EXPECTED = {
    "enc-user-password-r6.pdf": either("password_needed"),  # its owner password is empty
    "enc-both-passwords-r6.pdf": failed("password_needed"),
    "enc-user-password-r2.pdf": failed("password_needed"),
    "enc-owner-only-r6.pdf": Expect(),
    "enc-owner-only-no-extract.pdf": Expect(values=INVOICE),
    "truncated-half.pdf": Expect(
        ("damaged_file", "no_pages"), values={"seller_name": "Acme Tools Ltd"}
    ),  # what is left
    "truncated-tail.pdf": Expect(values=INVOICE, problems=("repaired",)),
    "zero-bytes.pdf": failed("empty_file"),
    "header-only.pdf": failed("damaged_file", "no_pages"),
    "xref-missing.pdf": Expect(values=NO_VALUES),
    "xref-corrupt-rotated.pdf": Expect(),
    "fuzzed-395.pdf": failed("damaged_file", "no_pages"),
    "fuzzed-937.pdf": failed("damaged_file", "no_pages"),
    "page-tree-loop.pdf": Expect(pages=2, problems=("page_unreadable",), values=NO_VALUES),
    "page-tree-bad.pdf": failed("damaged_file", "no_pages"),
    "rotate-0-90-180-270.pdf": Expect(pages=5, values=NO_VALUES),
    "rotate-270.pdf": Expect(),
    "rotate-180-invoice.pdf": Expect(values=INVOICE),
    "mediabox-2147483648.pdf": either("too_large", "damaged_file", pages=1),
    "jbig2-35000x35000.pdf": Expect(values=NO_VALUES),
    "mediabox-4pt-ccitt.pdf": Expect(values=NO_VALUES),
    "cropbox-offset-negative-origin.pdf": Expect(values=INVOICE),
    "userunit-3.pdf": Expect(),
    "text-as-outlines.pdf": Expect(),
    "ocr-layer-noisy.pdf": Expect(),
    "garbled-no-tounicode.pdf": Expect(),
    "type3-font.pdf": Expect(values=NO_VALUES),
    "garbled-utf16-cmyk.pdf": Expect(),
    "arabic-rotated-4-pages.pdf": Expect(pages=4),
    "japanese-vertical.pdf": Expect(pages=3),
    "acroform-values-not-in-content.pdf": Expect(),
    "xfa-dynamic.pdf": Expect(problems=("xfa_form",)),
    "annotation-freetext.pdf": Expect(values=NO_VALUES),
    "embedded-attachment.pdf": Expect(problems=("embedded_files",)),
    "jpx-image.pdf": Expect(),
    "ccitt-g4-scan.pdf": Expect(),
    "pages-500.pdf": Expect(pages=500, problems=("pages_cut",), values=INVOICE),
    "html-named.pdf": failed("unsupported_format"),
    "docx-named.pdf": failed("unsupported_format"),
    "junk-700-bytes-before-header.pdf": Expect(values=INVOICE),
    "mediabox-zero-or-invalid.pdf": Expect(pages=3),
    "slow-render.pdf": Expect(),
    "png-named.jpg": Expect(values=INVOICE),
    "one-pixel.png": either("too_small", pages=1),
    "palette.gif": Expect(values=NO_VALUES),
    "cmyk.jpg": Expect(values=NO_VALUES),
    "exif-orientation-6.jpg": Expect(values=INVOICE),
    "tiff-16bit.tif": Expect(values=NO_VALUES),
    "tiff-two-pages-g4.tif": Expect(pages=2),
    "truncated.jpg": either("damaged_file"),
    "bomb.gif": failed("too_large"),
    "animated.gif": Expect(pages=None, problems=("first_frame_only",), values=NO_VALUES),
    "heif-29x100.heif": failed("unsupported_format"),
    "dpi-zero.jpg": Expect(values=INVOICE),
    "alpha.webp": Expect(values=INVOICE),
    "name with spaces & (brackets) 100%.png": Expect(values=INVOICE),
    "Rechnung Größe é 発票 №5.pdf": Expect(values=INVOICE),
    unicodedata.normalize("NFD", "Rechnung Größe é.pdf"): Expect(values=INVOICE),
    "portfolio.pdf": Expect(problems=("portfolio",)),
    "acroform-needappearances.pdf": Expect(),
    "interlaced.png": Expect(values=INVOICE),
    "png-text-chunk-bomb.png": either("damaged_file", "too_large", "unsupported_format"),
    "tiff-missing-dimensions.tif": failed("damaged_file", "unsupported_format"),
}

TEXTS = {  # what must stand among the words, where the README states it
    "xref-missing.pdf": ("Reduced",),
    "xref-corrupt-rotated.pdf": ("Beautiful is better than ugly",),
    "page-tree-loop.pdf": ("Pages loop",),
    "rotate-0-90-180-270.pdf": ("Hello",),
    "japanese-vertical.pdf": ("日本語",),
    "annotation-freetext.pdf": ("FreeText",),
    "acroform-needappearances.pdf": ("Otto Kern", "77.10"),
    "tiff-two-pages-g4.tif": ("A-1001", "120.50", "BL/77", "89.90"),
}


def extract(folder: Path, output: Path, *more: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """One run of the command; the exit code, and the records by path within the folder."""
    command = [sys.executable, "-m", "pipkie_cli", "extract", str(folder), "-t", "invoice", "-o", str(output), *more]
    done = subprocess.run(command, capture_output=True, timeout=RUN_S, check=False)
    assert b"Traceback" not in done.stderr
    records = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    return done.returncode, {record["document"]["path"].removeprefix(f"{folder}/"): record for record in records}


@pytest.fixture(scope="module")
def odd_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, dict[str, dict[str, Any]]]:
    """All files in one run."""
    return extract(ODD / "documents", tmp_path_factory.mktemp("odd") / "odd.jsonl")


def test_every_file_has_one_record(odd_run: tuple[int, dict[str, dict[str, Any]]]) -> None:
    """63 files, 63 records under unchanged names, and the exit code for a run with failed documents."""
    exit_code, records = odd_run
    names = {os.fsencode(path.name).decode("utf-8") for path in (ODD / "documents").iterdir()}
    assert set(records) == names
    assert len(EXPECTED) == len(names)
    assert exit_code == 3


INVENTED = {"annotation-freetext.pdf": {"seller_name"}}  # known faults of the model


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_each_file_gets_what_it_deserves(name: str, odd_run: tuple[int, dict[str, dict[str, Any]]]) -> None:
    """Read, or failed under a code that says why; pages, problems and values as stated; nothing made up."""
    expect, record = EXPECTED[name], odd_run[1][name]
    codes = [problem["code"] for problem in record["problems"]]
    if record["status"] == "failed":
        assert codes[0] in expect.codes
        assert "; " in record["problems"][0]["message"], "a message says what to do"
        return
    assert expect.read, f"read although it should have failed with {expect.codes}"
    assert expect.pages in (None, record["document"]["page_count"])
    assert set(expect.problems) <= set(codes)
    if expect.values is not None:
        found = {key: value for key, value in record["values"].items() if value not in (None, [])}
        if name in INVENTED:
            assert set(found) == INVENTED[name], "better or worse than known"
            pytest.xfail("mini 2.1 takes the first of three words for the seller; of 'Acme Tools Ltd' alone, it is")
        assert {key: found.get(key) for key in expect.values} == expect.values
        assert expect.values or not found, "nothing on this page answers the keys"


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_the_words_of_the_page_are_read(name: str) -> None:
    """Where the page's text is known, it stands among the words: upright, repaired, with filled fields."""
    from pipkie_cli.nouns import Input, RunOptions
    from pipkie_cli.pages import read_pages

    pages = read_pages(Input(ODD / "documents" / name, name), RunOptions(())).pages
    text = " ".join(word.text for page in pages for word in page.words)
    squeezed = "".join(text.split())
    assert [wanted for wanted in TEXTS[name] if "".join(wanted.split()) not in squeezed] == []


@pytest.mark.parametrize("name", ["enc-user-password-r6.pdf", "enc-user-password-r2.pdf"])
def test_the_right_password_opens(name: str, tmp_path: Path) -> None:
    """With --password the file is read like any other."""
    _, records = extract(ODD / "documents" / name, tmp_path / "out.jsonl", "--password", "asdfzxcv")
    (record,) = records.values()
    assert record["status"] != "failed"


def test_hostile_names(tmp_path: Path) -> None:
    """Newline, tab, leading dash, 255 bytes, Latin-1, right-to-left: every regular file is read, names stay apart.

    What is no regular file (a pipe, a link to nowhere) fails at once, a link to a folder is not followed, a hidden file
    is left out.
    """
    folder = tmp_path / "names"
    folder.mkdir()
    subprocess.run([sys.executable, str(ODD / "make_names.py"), str(folder)], check=True, timeout=60)
    exit_code, records = extract(folder, tmp_path / "out.jsonl")
    unavailable = {name for name, record in records.items() if record["status"] == "failed"}
    codes = {records[name]["problems"][0]["code"] for name in unavailable}
    assert codes == {"file_unavailable"}
    assert unavailable - {"unreadable.pdf"} == {"dangling-link.pdf", "fifo.pdf"}
    read = {name: record for name, record in records.items() if name not in unavailable | {"unreadable.pdf"}}
    assert set(read) == {
        *("new\nline.pdf", "tab\tname.pdf", "-rf.pdf", "latin1-\\xe9.pdf", "x" * 251 + ".pdf", "UPPER.PDF"),
        *("trailing space .pdf", "no-extension", "\N{RIGHT-TO-LEFT OVERRIDE}fdp.exe.pdf", "quote'\"$(x).pdf"),
    }
    assert {record["values"]["invoice_number"] for record in read.values()} == {"A-1001"}
    assert exit_code == 3
