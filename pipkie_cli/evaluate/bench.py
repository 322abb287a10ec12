"""What a page costs: CPU seconds of OCR, model and whole pages, measured in one process and one run.

CPU seconds, not wall clock: other work on the machine changes the clock four times over, and ratios are what counts.
Whatever is compared runs on the same page, one right after the other, in turns of who goes first.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any, TypeVar

import orjson

from pipkie_cli.errors import DocumentError, InputError
from pipkie_cli.evaluate.metrics import fold, mean
from pipkie_cli.evaluate.traps import TRAPS
from pipkie_cli.nouns import Input, Page, RunOptions, SourcePage, Template
from pipkie_cli.pipeline import process
from pipkie_cli.templates import find_templates

if TYPE_CHECKING:
    import numpy as np

    from pipkie_cli.models import Backend

T = TypeVar("T")
Figures = dict[str, Any]
KEY_COUNTS = (4, 8, 16, 24)  # of the measure "time per page is flat in the number of keys"
KEY_REPEATS = 3  # forwards are short: the median of three
_TOKEN = re.compile(r"[^\W\d_]+|\d+")
MAX_RASTER_PAGES = 3  # of one document: a long scan must not stand for the whole set


@dataclass(frozen=True, slots=True)
class RasterPage:
    """One page with its pixels held, and its transcription where the set has one."""

    shown: str
    source: SourcePage
    pixels: "np.ndarray[Any, Any]"
    transcription: str | None


def cpu_seconds(action: Callable[[], T]) -> tuple[float, T]:
    """CPU seconds of this process, all threads, and what the action returned."""
    start = process_time()
    returned = action()
    return process_time() - start, returned


def ocr_pages(inputs: Sequence[Input], options: RunOptions) -> Iterator[RasterPage]:
    """The picture pages of the inputs: those without any text layer. One page is held at a time."""
    from pipkie_cli.documents import open_document

    for item in inputs:
        transcriptions = _transcriptions(item.path)
        try:
            with open_document(item.path, shown=item.shown, max_pages=MAX_RASTER_PAGES) as document:
                for source in document.pages():
                    if not source.glyphs:
                        pixels = source.raster()
                        yield RasterPage(
                            item.shown, _holding(source, pixels), pixels, transcriptions.get(item.path.name)
                        )
        except DocumentError:  # a bench of what pages cost has nothing to say about a file that cannot be read
            continue


def _holding(source: SourcePage, pixels: "np.ndarray[Any, Any]") -> SourcePage:
    """The page with its pixels decoded: decoding belongs to neither side of a comparison."""
    return replace(source, raster=lambda: pixels)


def _transcriptions(document: Path) -> Mapping[str, str]:
    """File name -> text, where the set has a words.jsonl beside the documents folder."""
    path = document.parent.parent / "words.jsonl"
    if not path.is_file():
        return {}
    rows = map(orjson.loads, path.read_bytes().splitlines())
    return {Path(row["file"]).name: " ".join(word[0] for word in row["words"]) for row in rows}


def bench_pictures(pages: Iterator[RasterPage], template: Template, backend: "Backend") -> Figures | None:
    """Tuned OCR against the engine's defaults, and the model against the OCR, on the same pages; None without pages."""
    from pipkie_cli.words import build_engine, read_words

    default = build_engine(tuned=False)
    rows: list[Figures] = []
    for number, page in enumerate(pages):
        if number == 0:  # sessions, kernels and caches are built at the first call: not what a page costs
            _default_text(default, page)
            _bench_model(read_words(page.source), template, backend)
        rows.append(_bench_page(page, default, template, backend, default_first=number % 2 == 0))
    if not rows:
        return None
    tuned, slow, model = (sum(row[name] for row in rows) / len(rows) for name in ("tuned", "default", "model"))
    return {
        "pages": len(rows),
        "tuned_cpu_s": tuned,
        "default_cpu_s": slow,
        "tuned_share_of_default": tuned / slow,
        "recall": {name: mean(row["recall"][name] for row in rows if row["recall"]) for name in _RECALLS},
        "transcribed_pages": sum(bool(row["recall"]) for row in rows),
        "model_cpu_s": model,
        "model_share_of_ocr": model / tuned,
        "model_parts_cpu_s": {part: mean(row["parts"][part] for row in rows) for part in rows[0]["parts"]},
        "words_per_page": mean(row["words"] for row in rows),
        "keys": _key_figures(rows, tuned),
    }


def _bench_page(page: RasterPage, default: Any, template: Template, backend: "Backend", default_first: bool) -> Figures:
    from pipkie_cli.words import read_words

    actions: dict[str, Callable[[], Any]] = {
        "default": lambda: _default_text(default, page),
        "tuned": lambda: read_words(page.source),
    }
    seconds: dict[str, float] = {}
    readings: dict[str, Any] = {}
    for name in sorted(actions, reverse=not default_first):
        seconds[name], readings[name] = cpu_seconds(actions[name])
    read: Page = readings["tuned"]
    parts = _bench_model(read, template, backend)
    texts = {"default": readings["default"], "tuned": " ".join(word.text for word in read.words)}
    return {
        **seconds,
        "model": sum(parts.values()),
        "parts": parts,
        "words": len(read.words),
        "recall": _recalls(texts, page.transcription),
        "keys": {count: _bench_keys(read, template, backend, count) for count in KEY_COUNTS},
    }


def _default_text(engine: Any, page: RasterPage) -> str:
    """What the engine reads with its own settings; it takes pixels as BGR."""
    texts = engine(page.pixels[..., ::-1].copy()).txts
    return " ".join(texts or ())


def _bench_model(page: Page, template: Template, backend: "Backend") -> dict[str, float]:
    """CPU seconds of the model's stops on one page: windows, prepare, forward, decode."""
    from pipkie_cli.answers import answer_keys
    from pipkie_cli.prompts import make_windows

    parts: dict[str, float] = {}
    parts["windows"], windows = cpu_seconds(lambda: make_windows((page,), template))
    parts["prepare"], inputs = cpu_seconds(lambda: [backend.prepare(window) for window in windows])
    parts["forward"], candidates = cpu_seconds(lambda: [backend.forward(one) for one in inputs])
    parts["decode"], _ = cpu_seconds(lambda: answer_keys(windows, candidates, backend.calibration))
    return parts


def _bench_keys(page: Page, template: Template, backend: "Backend", count: int) -> float:
    asked = template_of(template, count)
    return median(sum(_bench_model(page, asked, backend).values()) for _ in range(KEY_REPEATS))


def template_of(template: Template, count: int) -> Template:
    """The template with its first keys, filled up with keys of the shipped templates, then of other types."""
    others = (key for shipped in find_templates([], None) for key in shipped.keys)
    keys = {key.name: key for key in (*template.keys, *others, *(trap.key for trap in TRAPS)) if not key.columns}
    if len(keys) < count:
        raise InputError(f"{template.name} has too few keys for a run with {count}", hint="name a larger --template")
    return replace(template, keys=tuple(keys.values())[:count])


def _key_figures(rows: Sequence[Figures], ocr: float) -> Figures:
    model = {count: mean(row["keys"][count] for row in rows) for count in KEY_COUNTS}
    page = {count: ocr + seconds for count, seconds in model.items()}
    return {
        "model_cpu_s": {str(count): seconds for count, seconds in model.items()},
        "page_cpu_s": {str(count): seconds for count, seconds in page.items()},
        "model_growth": model[KEY_COUNTS[-1]] / model[KEY_COUNTS[0]] - 1,
        "page_growth": page[KEY_COUNTS[-1]] / page[KEY_COUNTS[0]] - 1,
    }


_RECALLS = ("tuned_words", "default_words", "tuned_numbers", "default_numbers")


def _recalls(texts: Mapping[str, str], transcription: str | None) -> dict[str, float]:
    """Share of the transcribed words, and of numbers, that each text holds; {} without transcription."""
    if transcription is None:
        return {}
    wanted = tokens(transcription)
    numbers = [token for token in wanted if token[0].isdigit()]
    return {
        f"{name}_{kind}": word_recall(asked, tokens(text))
        for name, text in texts.items()
        for kind, asked in (("words", wanted), ("numbers", numbers))
    }


def tokens(text: str) -> list[str]:
    """Runs of letters and runs of digits: where a reading puts its spaces ("RM9.00", "RM 9.00") does not count."""
    return _TOKEN.findall(fold(text))


def word_recall(wanted: Sequence[str], found: Sequence[str]) -> float:
    """Share of the wanted words that are found, each as often as it is found; NaN of nothing."""
    left = list(found)
    hits = []
    for token in wanted:
        hits.append(token in left)
        if hits[-1]:
            left.remove(token)
    return mean(map(float, hits))


def bench_text_pages(inputs: Sequence[Input], options: RunOptions, backend: "Backend") -> Figures:
    """Whole documents with a text layer through the pipeline: CPU seconds a page, from file to record."""
    seconds: list[tuple[float, int]] = []
    failed = 0
    texts = [item for item in inputs if _all_text(item, options)]
    if texts:
        process(texts[0], options, backend)  # once unmeasured: what the first call builds is not what a page costs
    for item in texts:
        spent, record = _timed_record(item, options, backend)
        if record["status"] == "failed":
            failed += 1
        else:
            seconds.append((spent, len(record["document"]["pages"])))
    pages = sum(count for _, count in seconds)
    return {
        "documents": len(texts),
        "failed": failed,
        "pages": pages,
        "cpu_s_per_page": sum(spent for spent, _ in seconds) / pages if pages else None,
        "worst_cpu_s_per_page": max((spent / count for spent, count in seconds), default=None),
    }


def _timed_record(item: Input, options: RunOptions, backend: "Backend") -> tuple[float, Figures]:
    return cpu_seconds(lambda: process(item, options, backend)[0])


def _all_text(item: Input, options: RunOptions) -> bool:
    """Whether every page of a document is read from its text layer (pages are read here, unmeasured)."""
    from pipkie_cli.documents import open_document
    from pipkie_cli.words import read_words

    try:
        with open_document(item.path, shown=item.shown, max_pages=options.max_pages) as document:
            return all(source.glyphs and read_words(source).text_source == "text" for source in document.pages())
    except DocumentError:
        return False
