"""report.html: the figures of every set, and the wrong answers cut out of their pages, worst first.

One file that needs nothing else. Whatever comes from a document is hostile: it is escaped, control characters and
direction marks are spelt out, and the page forbids itself scripts and everything from elsewhere.
"""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipkie_cli.errors import OutputError
from pipkie_cli.evaluate.crops import crops_of
from pipkie_cli.evaluate.judged import Judged
from pipkie_cli.evaluate.measure import Measured
from pipkie_cli.evaluate.report import summary_of, table_of

if TYPE_CHECKING:
    from pipkie_cli.evaluate.road import PipelineRoad

MAX_SHOWN = 300  # wrong answers of one set: some 10 MB of pictures
MAX_TEXT = 300  # characters of one text
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; color: #222 }
pre { background: #f5f5f5; padding: 1em; overflow-x: auto }
article { border-top: 1px solid #ccc; padding: .8em 0; display: flex; gap: 1.5em; flex-wrap: wrap }
article div { flex: 1 1 18em; overflow-wrap: anywhere } article img { max-width: 100%; border: 1px solid #ddd }
dl { display: grid; grid-template-columns: 6em 1fr; margin: 0 } dt { color: #777 } dd { margin: 0 }
.right { color: #1a7a1a } .taken { color: #b3201f } small { color: #777 }
"""

Sets = Mapping[str, tuple[Sequence[Measured], Mapping[str, Any]]]


def write_page(sets: Sets, road: "PipelineRoad", path: Path) -> None:
    """Write the page; documents with wrong answers are opened once more for their pictures. Raises OutputError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.writelines(_page(sets, road))
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}", hint="name another folder with -o") from error


def _page(sets: Sets, road: "PipelineRoad") -> Iterator[str]:
    yield f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="referrer" content="no-referrer"><title>pipkie eval</title><style>{STYLE}</style></head><body>
<h1>pipkie eval</h1>
"""
    if len(sets) > 1:
        yield _lines(summary_of({title: dict(figures) for title, (_, figures) in sets.items()}))
    for title, (measured, figures) in sets.items():
        yield f"<h2>{_text(title)}</h2>\n" + _lines(table_of(dict(figures)))
        yield from _wrong(measured, road)
    yield "</body></html>\n"


def _wrong(measured: Sequence[Measured], road: "PipelineRoad") -> Iterator[str]:
    """Articles, worst answer first. Pictures are cut document by document, so that no page is drawn twice."""
    ranked = worst_answers(measured)
    shown = ranked[:MAX_SHOWN]
    left_out = f", the worst {len(shown)} shown" if len(shown) < len(ranked) else ""
    legend = "Red: taken. Green: the right text, where it stands on the page."
    yield f"<p>{len(ranked)} wrong answers{left_out}. {legend}</p>\n"
    pictures: dict[tuple[str, int], bytes] = {}
    for one in measured:
        mine = [judged for document, judged in shown if document is one]
        if mine and not one.failure:
            for place, picture in crops_of(one, mine, road).items():
                pictures[one.document.shown, id(mine[place])] = picture
    for document, judged in shown:
        yield _article(document, judged, pictures.get((document.document.shown, id(judged))))


def worst_answers(measured: Sequence[Measured]) -> list[tuple[Measured, Judged]]:
    """Every wrong answer with its document, the largest loss first; names decide between equals."""
    wrong = [(one, judged) for one in measured for judged in one.judged if not judged.right]
    return sorted(wrong, key=lambda pair: (-pair[1].loss, pair[0].document.shown, pair[1].key))


def _article(document: Measured, judged: Judged, picture: bytes | None) -> str:
    given = judged.given
    expected = " <i>or</i> ".join(_text(one) for one in judged.expected) or f"<i>nothing</i> ({judged.kind})"
    got = "<i>nothing</i>" if given.raw is None else _text(given.raw)
    value = "" if given.value is None or str(given.value) == given.raw else f" <small>{_text(str(given.value))}</small>"
    where = f", page {given.place.page_number}" if given.place else ""
    failure = f" <b>{_text(document.failure)}</b>" if document.failure else ""
    unverified = " <small>the label was not found on its page</small>" if judged.unverified else ""
    image = f'<img alt="" src="data:image/jpeg;base64,{b64encode(picture).decode()}">' if picture else ""
    return (
        f"<article><div><b>{_text(judged.key)}</b> <small>{_text(document.document.shown)}{where}</small>{failure}"
        f'<dl><dt>expected</dt><dd class="right">{expected}{unverified}</dd>'
        f'<dt>got</dt><dd class="taken">{got}{value}</dd>'
        f"<dt>confidence</dt><dd>{given.confidence:.2f} {_text(', '.join(given.flags))}</dd></dl></div>"
        f"<div>{image}</div></article>\n"
    )


def _lines(lines: Sequence[str]) -> str:
    return "<pre>" + "\n".join(map(_text, lines)) + "</pre>\n"


def _text(text: str) -> str:
    """Text of a document or a set as harmless HTML, cut where it is very long."""
    cut = text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "…"
    return escape("".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in cut))
