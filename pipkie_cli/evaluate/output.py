"""What `pipkie eval -o FOLDER` leaves behind: every answer, the wrong ones to read through, pictures to look at."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from pipkie_cli.errors import DocumentError, OutputError
from pipkie_cli.evaluate.judged import Judged
from pipkie_cli.evaluate.measure import Measured
from pipkie_cli.nouns import Box, Page, SourcePage

if TYPE_CHECKING:
    from PIL.Image import Image

    from pipkie_cli.evaluate.road import PipelineRoad

CAPTION_PX = 18  # type size of the lines above a picture
CAPTION_MARGIN_PX = 8
CAPTION_MAX_PX = 1600  # a receipt is narrow: its picture gets white beside it rather than lines cut off


def write_answers(measured: Sequence[Measured], folder: Path) -> None:
    """answers.jsonl (every question of every document) and wrong.txt (the wrong ones, worst document first)."""
    lines = [orjson.dumps(_answers(one)) + b"\n" for one in measured]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "answers.jsonl").write_bytes(b"".join(lines))
        (folder / "wrong.txt").write_text("\n".join(_wrong_lines(measured)) + "\n", encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{folder} cannot be written: {error.strerror}", hint="name another with -o") from error


def worst_first(measured: Sequence[Measured]) -> list[Measured]:
    """The documents with something wrong, by what went wrong in sum; the name decides between equals."""
    return sorted((one for one in measured if one.loss), key=lambda one: (-one.loss, one.document.shown))


def _answers(measured: Measured) -> dict[str, Any]:
    return {
        "file": measured.document.shown,
        "failure": measured.failure,
        "chosen_type": measured.chosen_type,
        "loss": round(measured.loss, 4),
        "answers": [_answer(one) for one in measured.judged],
    }


def _answer(judged: Judged) -> dict[str, Any]:
    given = judged.given
    return {
        "key": judged.key,
        "kind": judged.kind,
        "expected": list(judged.expected),
        "got": given.raw,
        "value": given.value,
        "confidence": round(given.confidence, 4),
        "flags": list(given.flags),
        "page": given.place.page_number if given.place else None,
        "anls": round(judged.judgement.anls, 4),
        "exact": judged.judgement.exact,
        "typed": judged.judgement.typed,
        "cause": judged.cause or None,
    }


def _wrong_lines(measured: Sequence[Measured]) -> Iterator[str]:
    for document in worst_first(measured):
        failure = f"  FAILED: {document.failure}" if document.failure else ""
        yield f"{document.document.shown}  loss {document.loss:.2f}{failure}"
        yield from (f"    {sentence_of(one)}" for one in document.judged if not one.right)


def sentence_of(judged: Judged) -> str:
    """One wrong answer: key, expected, got, confidence."""
    given = judged.given
    got = "nothing" if given.raw is None else repr(given.raw)
    expected = " or ".join(map(repr, judged.expected)) or _nothing(judged)
    flags = f" [{', '.join(given.flags)}]" if given.flags else ""
    cause = f" - {judged.cause}" if judged.cause else ""
    return f"{judged.key}: expected {expected}, got {got} ({given.confidence:.2f}){flags}{cause}"


def _nothing(judged: Judged) -> str:
    return f"nothing ({'not on the page' if judged.kind in ('cell', 'entity') else judged.kind})"


def draw_wrong(measured: Sequence[Measured], road: "PipelineRoad", folder: Path) -> int:
    """Pictures of the pages of wrong documents, worst first in the order of their names; returns how many.

    Words and answers are drawn on the page, the wrong answers stand above it in words. A document of several pages
    gives those with an answer on them, else its first.
    """
    drawn = 0
    for rank, one in enumerate(worst_first(measured), 1):
        if one.failure:
            continue
        for page_number, picture in _pictures(one, road):
            _save(picture, folder / f"{rank:04d}-{one.document.path.stem[:60]}-p{page_number}.png")
            drawn += 1
    return drawn


def _save(picture: "Image", path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        picture.save(path)
    except OSError as error:
        raise OutputError(f"{path} cannot be written", hint="name another folder with -o") from error


def _pictures(measured: Measured, road: "PipelineRoad") -> Iterator[tuple[int, "Image"]]:
    from pipkie_cli.documents import open_document

    options, document = road.options, measured.document
    pages = {page.page_index: page for page in road.read(document).pages}
    wanted = {one.given.place.page_number for one in measured.judged if one.given.place} or {1}
    caption = [sentence_of(one) for one in measured.judged if not one.right]
    with open_document(
        document.path, shown=document.shown, passwords=options.passwords, max_pages=options.max_pages
    ) as opened:
        for source in opened.pages():
            if source.page_index + 1 in wanted and source.page_index in pages:
                picture = _picture(source, pages[source.page_index], measured)
                if picture is not None:
                    yield source.page_index + 1, with_caption(picture, caption)


def _picture(source: SourcePage, page: Page, measured: Measured) -> "Image | None":
    from pipkie_cli.words import draw_page

    marks: dict[str, Sequence[Box]] = {
        one.key: one.given.place.boxes
        for one in measured.judged
        if one.given.place and one.given.place.page_number == page.page_index + 1
    }
    try:
        return draw_page(source, page, marks)
    except DocumentError:  # a page without pixels was measured all the same: there is nothing to look at
        return None


def with_caption(picture: "Image", lines: Sequence[str]) -> "Image":
    """The picture under a white band with the lines, on white where they are wider than the picture."""
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(CAPTION_PX)
    longest = max((math.ceil(font.getlength(line)) for line in lines), default=0) + 2 * CAPTION_MARGIN_PX
    height = CAPTION_PX + CAPTION_MARGIN_PX
    band = len(lines) * height + CAPTION_MARGIN_PX
    width = max(picture.width, min(longest, CAPTION_MAX_PX))
    out = Image.new("RGB", (width, picture.height + band), "white")
    out.paste(picture, (0, band))
    draw = ImageDraw.Draw(out)
    for number, line in enumerate(lines):
        draw.text((CAPTION_MARGIN_PX, CAPTION_MARGIN_PX + number * height), line, fill="black", font=font)
    return out
