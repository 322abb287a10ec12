"""How often OCR misreads a value that it doubts: labels found on pages that were read before, one rate each."""

import json
import math
import pickle
from pathlib import Path

import numpy as np
import pytest

from pipkie_cli.nouns import Box, Page, Word
from pipkie_cli.train.calibrate_reading import SENDER_VALUES, ReadValue, misread_rates, read_values


def drawn(rate: float, is_text: bool, n: int = 4000) -> list[ReadValue]:
    """Values that are right with exp(-rate * unsure), each of a sender of its own."""
    random = np.random.default_rng(0)
    unsure = random.exponential(0.5, n)
    right = random.random(n) < np.exp(-rate * unsure)
    return [ReadValue(str(i), is_text, float(u), bool(r)) for i, (u, r) in enumerate(zip(unsure, right, strict=True))]


def test_rates_are_found() -> None:
    """Of names and of numbers apart, within what 4000 values can tell; 0 where there is nothing to learn from."""
    text, other = misread_rates(drawn(0.8, True) + drawn(0.1, False))
    assert text == pytest.approx(0.8, rel=0.1)
    assert other == pytest.approx(0.1, rel=0.3)
    assert misread_rates([]) == (0.0, 0.0)


def test_a_mistake_that_no_doubt_told_is_possible() -> None:
    """A sure value that is wrong says nothing about doubts, and the fit lives on."""
    sure = [ReadValue(f"sure {n}", True, 0.0, False) for n in range(3)]
    assert math.isclose(misread_rates(sure + drawn(0.8, True))[0], misread_rates(drawn(0.8, True))[0], rel_tol=0.02)


def test_a_sender_counts_for_a_few_values() -> None:
    """One shop with a bad scanner does not decide for all."""
    bad = [ReadValue("bad", True, 1.0, False)] * 1000
    good = [ReadValue(str(n), True, 1.0, n % 10 > 0) for n in range(100 * SENDER_VALUES)]
    assert misread_rates(bad + good)[0] < 0.2


def words(text: str, score: float) -> tuple[Word, ...]:
    return tuple(
        Word(one, Box(0.1 * i, 0.1, 0.1 * i + 0.08, 0.12), 0, 0, "ocr", score) for i, one in enumerate(text.split())
    )


def test_values_are_found_on_kept_pages(tmp_path: Path) -> None:
    """A company with a misread letter is wrong, an amount without its comma right; text layers are left out."""
    folder = tmp_path / "sroie" / "train"
    (folder / "documents").mkdir(parents=True)
    for name in "ab":
        (folder / "documents" / f"{name}.png").write_bytes(b"never opened")
    rows = [
        {
            "file": f"documents/{name}.png",
            "document_type": "receipt",
            "values": {"company": "POPULAR BOOK CO", "total": "1,012.50"},
        }
        for name in "ab"
    ]
    (folder / "labels.jsonl").write_text("\n".join(map(json.dumps, rows)))
    kept = tmp_path / "kept"
    kept.mkdir()
    page = Page(0, 600, 800, 0, words("P0PULAR BOOK CO total 1012.50", 0.9), "ocr", "pillow")
    clean = Page(0, 600, 800, 0, words("POPULAR BOOK CO", 1.0), "text", None)
    (kept / "sroie_a.as_is.pickle").write_bytes(pickle.dumps([page]))
    (kept / "sroie_b.as_is.pickle").write_bytes(pickle.dumps([clean]))
    (kept / "sroie_b.pixels.pickle").write_bytes(pickle.dumps([]))
    company, total = read_values(folder, None, kept)
    assert company == ReadValue("POPULAR BOOK CO", True, pytest.approx(1.3), False)  # type: ignore[arg-type]
    assert (total.is_text, total.unsure) == (False, pytest.approx(0.7))
