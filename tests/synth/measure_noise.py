"""How our OCR misreads, beside how `synth/noise.py` imitates it; run as a command it prints both.

    python tests/synth/measure_noise.py --pages 20
    python tests/synth/measure_noise.py --kept runs/kept --words DATA/sroie/train/words.jsonl

Pages are drawn from made-up documents, with and without the wear of a scan, and read by the pipeline that extraction
uses. Every printed line is compared with the words that were found in its place: characters confused, dropped, made up,
blanks lost and made up, lines unseen, and how far boxes lie from the print.
"""

import argparse
import itertools
import json
import pickle
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from noise_tally import Printed, Tally
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from pipkie_cli.nouns import Box, Input, RunOptions, Word
from pipkie_cli.pages import read_pages
from pipkie_cli.synth import example as maker
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.letter import write_letter
from pipkie_cli.synth.memo import write_memo
from pipkie_cli.synth.noise import _lines, _typeset, spots
from pipkie_cli.synth.receipt import write_receipt
from pipkie_cli.synth.schedule import write_schedule
from pipkie_cli.templates import find_templates
from pipkie_cli.words import join_words

FACES = {  # where fonts lie; the first that exist are taken, else Pillow's own
    False: ("NimbusSans-Regular", "DejaVuSans", "LiberationSans-Regular", "NimbusRoman-Regular"),
    True: ("NimbusMonoPS-Regular", "DejaVuSansMono", "LiberationMono-Regular"),
}


def made_up(seed: int) -> Draft:
    """A draft of one of the layouts."""
    rng = random.Random(seed)
    kind_of = ("receipt", "letter", "receipt", "memo", "schedule")[seed % 5]
    draft = maker._draft(rng, kind_of)
    draft.manner.upper = draft.manner.upper and kind_of == "receipt"
    if kind_of == "receipt":
        write_receipt(draft)
    elif kind_of == "memo":
        write_memo(draft)
    elif kind_of == "schedule":
        write_schedule(draft, 0, 1)
    else:
        write_letter(draft, "invoice", 0, 1)
    draft.settle()
    draft.fit()
    return draft


def lines_of(draft: Draft) -> list[Printed]:
    """The lines of a draft as they are printed."""
    found = []
    for inks in _lines(draft.inks, random.Random(0), 0.0):
        line, size = _typeset(draft, inks), max(ink.size for ink in inks)
        top, bottom = inks[0].y / draft.height, (inks[0].y + size) / draft.height
        text = "".join(line.texts).strip()
        if not text:
            continue
        box = Box(line.lefts[0] / draft.width, top, line.rights[-1] / draft.width, bottom)
        words, first = [], 0
        for at, char in enumerate([*line.texts, " "]):
            if char == " ":
                if at > first:
                    place = Box(line.lefts[first] / draft.width, top, line.rights[at - 1] / draft.width, bottom)
                    words.append(("".join(line.texts[first:at]), place))
                first = at + 1
        found.append(Printed(text, box, words))
    return found


def drawn(draft: Draft, rng: random.Random, worn: bool) -> Image.Image:
    """The page as a picture; `worn`: blurred, noisy, a little turned, as scans are."""
    dpi = rng.choice((150, 180, 200)) if worn else 200
    scale = dpi / 72
    shot = Image.new("L", (round(draft.width * scale), round(draft.height * scale)), 255)
    pen = ImageDraw.Draw(shot)
    face = _face(rng, bool(draft.mono))
    for ink in draft.inks:
        size = ink.size * scale
        wide = _font(face, size).getlength(ink.text)
        font = _font(face, size * min(1.25, max(0.7, ink.width * scale / max(1.0, wide))))
        pen.text(
            (ink.x * scale, (ink.y + ink.size * 0.86) * scale),
            ink.text,
            fill=rng.choice((0, 0, 30)),
            font=font,
            anchor="ls",
        )
    if not worn:
        return shot.convert("RGB")
    turned = shot.rotate(rng.gauss(0, 0.4), Image.Resampling.BICUBIC, fillcolor=255)
    soft = turned.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 1.2)))
    grey = np.asarray(soft, dtype=np.float32)
    paper, ink_grey = rng.uniform(215, 255), rng.uniform(0, 90)
    grey = ink_grey + grey / 255 * (paper - ink_grey)
    grey += np.random.default_rng(rng.randrange(10**6)).normal(0, rng.uniform(2, 14), grey.shape)
    return Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8)).convert("RGB")


def _face(rng: random.Random, mono: bool) -> str:
    usable = []
    for name in FACES[mono]:
        try:
            ImageFont.truetype(f"{name}.ttf" if "DejaVu" in name or "Liberation" in name else f"{name}.otf", 12)
        except OSError:
            continue
        usable.append(name)
    return rng.choice(usable) if usable else ""


def _font(face: str, size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    if not face:
        return ImageFont.load_default(size)
    return ImageFont.truetype(f"{face}.ttf" if "DejaVu" in face or "Liberation" in face else f"{face}.otf", size)


def read_picture(shot: Image.Image, folder: Path) -> tuple[Word, ...]:
    """The words that the pipeline finds on a picture."""
    path = folder / "page.png"
    shot.save(path)
    return words_of(path)


def words_of(path: Path) -> tuple[Word, ...]:
    pages = read_pages(Input(path, path.name), RunOptions(find_templates((), None))).pages
    return pages[0].words


def imitated(draft: Draft) -> tuple[Word, ...]:
    """The words of the same page as the imitation of OCR gives them, laid level."""
    found = spots(draft, True)
    for spot in found:
        spot.box = spot.level
    words, _ = maker._read(draft, found, "ocr")
    return words


def measured_on_pages(n: int) -> dict[str, Tally]:
    """Real and imitated reading of made-up pages, clean and worn."""
    tallies = {name: Tally() for name in ("read, clean print", "read, worn print", "imitated")}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(n):
            draft = made_up(seed)
            lines = lines_of(draft)
            worn = seed % 2 == 1
            words = read_picture(drawn(draft, random.Random(seed), worn), Path(folder))
            tallies["read, worn print" if worn else "read, clean print"].add(lines, words)
            for _ in range(4):
                tallies["imitated"].add(lines, imitated(draft))
    return tallies


def measured_on_kept(folder: Path, words: Path) -> dict[str, Tally]:
    """Reading of real pages that `pipkie_cli.train pages` kept: scans beside their transcribed lines (`words`), and
    PDFs read from pixels beside their own text layers."""
    scans, prints = Tally(), Tally()
    with words.open(encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            for path in folder.glob(f"*{Path(row['file']).stem}.as_is.pickle"):
                page = pickle.loads(path.read_bytes())[0]
                if page.turn == 0:
                    wide, high = row["width"], row["height"]
                    lines = [Printed(t, Box(a / wide, b / high, c / wide, d / high)) for t, a, b, c, d in row["words"]]
                    scans.add(lines, page.words, any_case=True)
    for path in sorted(folder.glob("*.pixels.pickle")):
        layers = pickle.loads(path.with_name(path.name.replace(".pixels", ".as_is")).read_bytes())
        for layer, picture in zip(layers, pickle.loads(path.read_bytes()), strict=False):
            if layer.text_source == "text" and picture.turn == layer.turn == 0:
                prints.add(_layer_lines(layer.words), picture.words)
    imitations = {"imitated receipts": Tally(), "imitated letters": Tally()}
    for seed in range(0, 400, 2):
        draft = made_up(seed - seed % 5 + (0 if seed % 4 else 1))
        tally = imitations["imitated receipts" if seed % 4 else "imitated letters"]
        tally.add(lines_of(draft), imitated(draft))
    return {
        "receipt scans": scans,
        "imitated receipts": imitations.pop("imitated receipts"),
        "PDF pages": prints,
        **imitations,
    }


def _layer_lines(words: Sequence[Word]) -> list[Printed]:
    """Lines of a text layer: words of one segment."""
    lines = []
    for _, group in itertools.groupby(words, key=lambda word: word.segment):
        inside = list(group)
        box = inside[0].box
        for word in inside:
            box = box.union(word.box)
        lines.append(Printed(join_words(inside), box, [(word.text, word.box) for word in inside]))
    return lines


def show(tallies: dict[str, Tally]) -> None:
    """Print the figures side by side, then the commonest confusions and the blanks that get lost most."""
    columns = {name: tally.table() for name, tally in tallies.items()}
    say = sys.stdout.write
    say(f"{'':32}" + "".join(f"{name:>20}" for name in columns) + "\n")
    for figure in next(iter(columns.values())):
        say(f"{figure:32}" + "".join(f"{table[figure]:20.4f}" for table in columns.values()) + "\n")
    for name, tally in tallies.items():
        worst = ", ".join(f"{a or '·'}>{b or '·'} {n}" for (a, b), n in tally.confused.most_common(45))
        say(f"\n{name}: {worst}\n")
        pairs = ", ".join(f"{a}_{b} {tally.lost[a, b]}/{n}" for (a, b), n in tally.blanks.most_common(24))
        say(f"blanks lost: {pairs}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=20, help="made-up pages to draw and read")
    parser.add_argument("--kept", type=Path, help="real pages kept by `python -m pipkie_cli.train pages`, instead")
    parser.add_argument("--words", type=Path, help="words.jsonl with the transcribed lines of kept scans")
    chosen = parser.parse_args()
    show(measured_on_kept(chosen.kept, chosen.words) if chosen.kept else measured_on_pages(chosen.pages))


if __name__ == "__main__":
    main()
