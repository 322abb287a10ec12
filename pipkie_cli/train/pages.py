"""Labelled documents -> files of training pages, read by the real pipeline and kept, for OCR takes minutes.

Text-layer documents are also read from pixels: a scan of an invoice is the same invoice with OCR's mistakes.
"""

import dataclasses
import json
import pickle
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pipkie_cli.documents import open_document
from pipkie_cli.nouns import Page, SourcePage
from pipkie_cli.train.real import is_tune_group, labels_of, to_real_page
from pipkie_cli.words import arrange, read_words, split_words

MAX_PAGES = 4  # of a training document: the rest are conditions and line items
LEAST_WORDS = 5


def write_pages(folder: Path, kind: str, part: str | None, groups: Mapping[str, str], kept: Path, output: Path) -> int:
    """Read the documents of one part and write `<output>.train.pages` and `<output>.tune.pages`.

    `groups`: document stem -> group (seller, shop), by which tune is held back; without it, the seller's name is.
    Returns the number of pages written.
    """
    output.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    files = {side: output.with_name(f"{output.name}.{side}.pages").open("wb") for side in ("train", "tune")}
    for label in labels_of(folder, part):
        path = folder / str(label["file"])
        values = _printed_values(label)
        group = groups.get(path.stem) or str(values.get("seller_name") or values.get("company") or path.stem)
        side = "tune" if is_tune_group(group, kind) else "train"
        for pages in readings(path, kept):
            for page in pages:
                if len(page.words) >= LEAST_WORDS:
                    pickle.dump(to_real_page(kind, group, page, len(pages), values), files[side])
                    written += 1
        files[side].flush()
    for file in files.values():
        file.close()
    return written


def _printed_values(label: Mapping[str, object]) -> dict[str, object]:
    values, printed = label["values"], label.get("printed") or {}
    assert isinstance(values, dict)
    assert isinstance(printed, dict)
    return {**values, **printed}


def readings(path: Path, kept: Path) -> Iterator[Sequence[Page]]:
    """The pages of a document as extraction reads them; where that was a text layer, also as OCR reads them."""
    pages = _kept(path, kept, "as_is")
    yield pages
    if any(page.text_source == "text" for page in pages):
        yield _kept(path, kept, "pixels")


def _kept(path: Path, folder: Path, how: str) -> Sequence[Page]:
    entry = folder / f"{path.parent.parent.parent.name}_{path.stem}.{how}.pickle"
    if not entry.exists():
        entry.parent.mkdir(parents=True, exist_ok=True)
        with open_document(path, shown=path.name, max_pages=MAX_PAGES) as document:
            read = [read_words(_only_pixels(page) if how == "pixels" else page) for page in document.pages()]
        part = entry.with_suffix(".part")
        part.write_bytes(pickle.dumps(read))
        part.replace(entry)
    return [rearranged(page) for page in pickle.loads(entry.read_bytes())]


def _only_pixels(page: SourcePage) -> SourcePage:
    return dataclasses.replace(page, glyphs=(), image_boxes=())


def rearranged(page: Page) -> Page:
    """The page in today's reading order: that may change after the words were read and kept."""
    placed = arrange([word.box for word in page.words], page.width, page.height)
    words = [dataclasses.replace(page.words[one.index], line=one.line, segment=one.segment) for one in placed]
    return dataclasses.replace(page, words=split_words(words)[0])


def read_groups(path: Path | None) -> dict[str, str]:
    return json.loads(path.read_text(encoding="utf-8")) if path else {}
