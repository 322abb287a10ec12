"""Multimodal checkpoints behind the backend's protocol, over every family, on tiny random weights."""

import math
import pickle

import numpy as np
import pytest
from mllm_tiny import FAMILIES, build_tiny

from pipkie_cli.models import load_backend
from pipkie_cli.models.backend import PixelBackend
from pipkie_cli.nouns import Key, Picture, Sheet

KEYS = (
    Key("total", "amount", "total", ("Sum", "amount due")),
    Key("date", "date", "issue date"),
    Key("vendor", "text", "vendor"),
)
SIZES = ((90, 120), (60, 300), (200, 57), (1, 1))  # height and width


def picture(height: int, width: int, page_index: int = 0) -> Picture:
    pixels = np.random.default_rng(height).integers(0, 255, (height, width, 3))
    return Picture(page_index, pixels.astype(np.uint8))


def sheets() -> list[Sheet]:
    """Pictures of different sizes, one to three keys, and two pages that share a forward."""
    several = [Sheet((picture(*size),), 1, KEYS[: 1 + at % 3]) for at, size in enumerate(SIZES)]
    return [*several, Sheet((picture(90, 120), picture(60, 90, 1)), 2, KEYS)]


@pytest.fixture(scope="module", params=FAMILIES)
def backend(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> PixelBackend:
    folder = build_tiny(request.param, tmp_path_factory.mktemp(request.param))
    loaded = load_backend(str(folder))
    assert loaded.reads == "pixels"
    return loaded


def test_every_key_is_answered(backend: PixelBackend) -> None:
    """One answer per key of every sheet, in their order, each with a log-probability."""
    batch = [backend.prepare(sheet) for sheet in sheets()]
    answers = backend.forward(batch)
    assert [len(one) for one in answers] == [len(sheet.keys) for sheet in sheets()]
    assert all(math.isfinite(one.score) and one.score <= 0 for answer in answers for one in answer)


def test_results_do_not_depend_on_the_batch(backend: PixelBackend) -> None:
    """In float32 the same texts and scores, whatever shares the forward and in whichever order."""
    batch = [backend.prepare(sheet) for sheet in sheets()]
    alone = [backend.forward([one])[0] for one in batch]
    together, backwards = backend.forward(batch), backend.forward(batch[::-1])[::-1]
    for one, *others in zip(alone, together, backwards, strict=True):
        for other in others:
            assert [written.text for written in other] == [written.text for written in one]
            assert [written.score for written in other] == pytest.approx([written.score for written in one], abs=1e-3)


def test_prepared_sheets_travel_between_processes(backend: PixelBackend) -> None:
    """What `prepare` gives is picklable and reads the same afterwards; its cost is the length of its row."""
    prepared = backend.prepare(sheets()[0])
    assert backend.forward([pickle.loads(pickle.dumps(prepared))]) == backend.forward([prepared])
    assert prepared.cost == len(prepared.parts[0].encoded.input_ids)


def test_pixels_are_capped(backend: PixelBackend) -> None:
    """A sheet's own cap makes fewer tokens of the same page."""
    page = picture(400, 300)
    full, capped = (backend.prepare(Sheet((page,), 1, KEYS, cap)) for cap in (None, 56 * 56))
    assert capped.cost < full.cost
    assert len(backend.forward([capped])[0]) == len(KEYS)
