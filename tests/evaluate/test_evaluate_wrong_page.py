"""report.html and the crops on it: hostile texts stay texts, the worst comes first, the right place is shown."""

import base64
import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pipkie_cli.errors import OutputError
from pipkie_cli.evaluate.compare import Judgement
from pipkie_cli.evaluate.crops import NARROWEST_PX, RIGHT, TAKEN, crops_of, find_text
from pipkie_cli.evaluate.datasets import Labelled
from pipkie_cli.evaluate.judged import NOTHING, Given, Judged
from pipkie_cli.evaluate.measure import Measured
from pipkie_cli.evaluate.report import figures_of
from pipkie_cli.evaluate.wrong_page import MAX_SHOWN, worst_answers, write_page
from pipkie_cli.nouns import Box, DocumentId, Page, Place, RunOptions, SourcePage, Word
from pipkie_cli.pages import ReadDocument

HOSTILE = "</dd><script>alert(1)</script>\u202e\x1b[31m"
WORDS = tuple(
    Word(text, Box(0.1 + 0.1 * place, 0.4, 0.18 + 0.1 * place, 0.42), 0, 0, "ocr")
    for place, text in enumerate(("Total:", "1", "234,50", "paid"))
)


class OpenedDocument:
    """A page of grey pixels, 400 wide and 800 high."""

    def __enter__(self) -> "OpenedDocument":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def pages(self) -> list[SourcePage]:
        return [SourcePage(0, 400, 800, (), (), lambda: np.full((800, 400, 3), 200, np.uint8), "pillow")]


class ReadRoad:
    """Knows the words of every page."""

    options = RunOptions(templates=())

    def read(self, document: Labelled) -> ReadDocument:
        page = Page(0, 400.0, 800.0, 0, WORDS, "ocr", "pillow")
        return ReadDocument(DocumentId(document.shown, "", 1), (page,), ())


@pytest.fixture
def road(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("pipkie_cli.documents.open_document", lambda *_, **__: OpenedDocument())
    return ReadRoad()


def judged(key: str, expected: tuple[str, ...], raw: str | None, confidence: float, anls: float = 0.0) -> Judged:
    given = NOTHING if raw is None else Given(raw, raw, confidence, Place(1, (Box(0.1, 0.4, 0.18, 0.42),)))
    return Judged(key, "labelled" if expected else "absent", expected, given, Judgement(anls, False, False))


def measured(shown: str, *answers: Judged, failure: str | None = None) -> Measured:
    return Measured(Labelled(Path(shown), shown, "bill", {}, {}), answers, None, failure)


def page_of(tmp_path: Path, road: Any, *documents: Measured) -> str:
    write_page({HOSTILE: (documents, figures_of(documents))}, road, tmp_path / "out" / "report.html")
    return (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_hostile_texts_stay_texts(tmp_path: Path, road: Any) -> None:
    """Names, keys, labels, answers and titles are escaped; control and direction marks are spelt out."""
    answer = judged(HOSTILE, (HOSTILE,), HOSTILE, 0.9)
    page = page_of(tmp_path, road, measured(HOSTILE, answer, failure=None))
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 5
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert r"\u202e" in page
    assert "default-src 'none'" in page


def test_it_needs_nothing_else(tmp_path: Path, road: Any) -> None:
    """Pictures are inside, and nothing points elsewhere."""
    page = page_of(tmp_path, road, measured("a.png", judged("total", ("1 234,50",), "Total:", 0.8)))
    (source,) = re.findall(r'src="([^"]*)"', page)
    assert source.startswith("data:image/jpeg;base64,")
    assert not re.search(r"https?:|href=|url\(", page)
    Image.open(io.BytesIO(base64.b64decode(source.partition(",")[2]))).verify()


def test_the_worst_comes_first(tmp_path: Path, road: Any) -> None:
    """A sure wrong value before a doubtful one before none; a document that failed has no picture."""
    documents = (
        measured("a", judged("none", ("x",), None, 0.0), judged("sure", ("x",), "y", 0.9)),
        measured("b", judged("doubtful", ("x",), "y", 0.3), judged("near", ("abcd",), "abcx", 0.3, anls=0.75)),
        measured("c", judged("unread", ("x",), None, 0.0), failure="damaged_file"),
    )
    assert [one.key for _, one in worst_answers(documents)] == ["sure", "doubtful", "none", "unread", "near"]
    page = page_of(tmp_path, road, *documents)
    assert re.findall(r"<article><div><b>(\w+)</b>", page) == ["sure", "doubtful", "none", "unread", "near"]
    assert "<b>damaged_file</b>" in page
    assert "5 wrong answers." in page
    assert '<dd class="right">x</dd><dt>got</dt><dd class="taken">y</dd><dt>confidence</dt><dd>0.90' in page
    assert page.count("<img") == 3  # nothing was taken, and the right text "x" stands nowhere: no picture


def test_a_long_list_is_cut(tmp_path: Path, road: Any) -> None:
    """The worst are shown, the number of all is told."""
    answers = [judged(f"key{number}", ("x",), None, 0.0) for number in range(MAX_SHOWN + 5)]
    page = page_of(tmp_path, road, measured("a", *answers))
    assert page.count("<article>") == MAX_SHOWN
    assert f"{MAX_SHOWN + 5} wrong answers, the worst {MAX_SHOWN} shown." in page


def test_a_page_that_cannot_be_written(tmp_path: Path, road: Any) -> None:
    """A folder that is a file is an output error with a hint."""
    (tmp_path / "out").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        page_of(tmp_path, road, measured("a"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1 234.50", ["1", "234,50"]),  # blanks, marks and words are cut otherwise
        ("TOTAL", ["Total:"]),
        ("1 234", []),
        ("", []),
    ],
)
def test_the_right_text_is_found(text: str, found: list[str]) -> None:
    """By its letters and digits, over any number of words."""
    assert [word.text for word in find_text(WORDS, text)] == found


def test_crops_frame_what_was_taken_and_what_is_right(road: Any) -> None:
    """Red around the answer, green around the right text; a small piece is enlarged."""
    wrong = judged("total", ("1 234,50",), "Total:", 0.8)
    nowhere = judged("other", ("not on the page",), None, 0.0)
    missed = judged("missed", ("paid",), None, 0.0)
    crops = crops_of(measured("a"), [wrong, nowhere, missed], road)
    assert set(crops) == {0, 2}
    picture = np.asarray(Image.open(io.BytesIO(crops[0])).convert("RGB")).astype(int)
    assert picture.shape[1] >= NARROWEST_PX

    def drawn(colour: tuple[int, int, int]) -> bool:
        return bool((np.abs(picture - np.array(colour)).sum(axis=2) < 90).any())

    assert drawn(TAKEN)
    assert drawn(RIGHT)
