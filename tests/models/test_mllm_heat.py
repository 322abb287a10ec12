"""Where slots look: the same weights that the eager kernel keeps, laid on the page as it is displayed."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from mllm_tiny import FAMILIES, build_tiny

from pipkie_cli.models.mllm import bidirectional, collate, encode_prompt, load_checkpoint, slot_states
from pipkie_cli.models.mllm.backend import MllmBackend
from pipkie_cli.models.mllm.families import ImageInputs
from pipkie_cli.models.mllm.forward import fill_slots
from pipkie_cli.models.mllm.heat import watched
from pipkie_cli.models.mllm.internvl import InternVL
from pipkie_cli.models.mllm.places import KeyHeat, over_pages
from pipkie_cli.nouns import Box, Key, Picture, Sheet

KEYS = (Key("total", "amount", "total"), Key("date", "date", "date"))
SHAPES = ((120, 90), (60, 200))


@pytest.fixture(scope="module", params=FAMILIES)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny(request.param, tmp_path_factory.mktemp(request.param), scale=5.0)


def pixels(height: int, width: int) -> Any:
    return np.random.default_rng(height).integers(0, 255, (height, width, 3)).astype(np.uint8)


def rows_of(checkpoint: Any) -> list[Any]:
    """Two documents of different lengths, the second with two pages."""
    first = encode_prompt(checkpoint, [pixels(*SHAPES[0])], KEYS, [4, 3])
    return [first, encode_prompt(checkpoint, [pixels(*shape) for shape in SHAPES], KEYS[:1], [4])]


@pytest.mark.parametrize("attention", ["sdpa", "eager"])
def test_weights_are_those_of_the_eager_kernel(folder: Path, attention: str) -> None:
    """Every layer, head, slot and token of a picture, in a batch with padding; the hooks change no output."""
    eager = load_checkpoint(folder, attention="eager")
    batch = collate(rows_of(eager), eager.pad_id)
    with torch.inference_mode(), bidirectional(eager.model):
        inputs = eager.family.forward_inputs(batch)
        whole = eager.model.model(**inputs, use_cache=False, output_attentions=True).attentions
    checkpoint = load_checkpoint(folder, attention=attention)
    with torch.inference_mode():
        plain = slot_states(checkpoint, batch)
        with watched(checkpoint, batch, (0, 1), by_head=True) as looked:
            watched_states = slot_states(checkpoint, batch)
    assert torch.equal(plain, watched_states)
    text = [one for one in whole if one is not None and one.shape[-1] == batch["slots"].shape[1]]
    for number, layer in enumerate(text):
        for row in range(2):
            wanted = layer[row][:, batch["slots"][row]][:, :, batch["token_types"][row].bool()]
            torch.testing.assert_close(looked.layers[number][row], wanted, atol=1e-6, rtol=1e-4)
    assert len(text) == 2


def test_hooks_are_taken_away(folder: Path) -> None:
    """Also after a forward that fails."""
    checkpoint = load_checkpoint(folder)
    batch = collate(rows_of(checkpoint), checkpoint.pad_id)
    with pytest.raises(ZeroDivisionError), watched(checkpoint, batch, (0, 1)):
        raise ZeroDivisionError
    layers = checkpoint.family.language_layers(checkpoint.model)
    assert not any(layer.self_attn._forward_pre_hooks for layer in layers)


def test_heat_lies_on_the_pages(folder: Path) -> None:
    """Per page and slot a map of the page's cells; a slot's maps sum to one over all pages."""
    checkpoint = load_checkpoint(folder)
    rows = rows_of(checkpoint)
    for row, filled in zip(rows, fill_slots(checkpoint, rows), strict=True):
        heat = over_pages(checkpoint.family, filled.looks, row.images)
        n = sum(len(place) for place in row.slots)
        assert [one.shape for one in heat.pictures] == [(n, *cells) for cells in row.images.cells]
        np.testing.assert_allclose(sum(one.sum((1, 2)) for one in heat.pictures), 1, rtol=1e-5)


def test_written_values_have_places(folder: Path) -> None:
    """On the right page, within it; batches change no place; a value that is absent has none."""
    backend = MllmBackend(load_checkpoint(folder))
    pages = tuple(Picture(at, pixels(*shape)) for at, shape in zip((3, 4), SHAPES, strict=True))
    batch = [backend.prepare(Sheet(pages, 9, KEYS)), backend.prepare(Sheet(pages[:1], 9, KEYS))]
    answers = backend.forward(batch)
    assert [one.place for one in backend.forward(batch[1:])[0]] == [one.place for one in answers[1]]
    for answer, last in zip(answers, (5, 4), strict=True):
        for one in answer:
            assert (one.place is None) == (one.text is None)
            if one.place is not None:
                assert 4 <= one.place.page_number <= last
                assert len(one.place.boxes) <= 1
                for box in one.place.boxes:
                    assert 0 <= box.left < box.right <= 1
                    assert 0 <= box.top < box.bottom <= 1


def test_the_slots_of_a_value_are_told(folder: Path) -> None:
    """For explain: per key a text and a map for every slot that the value uses."""
    backend = MllmBackend(load_checkpoint(folder))
    asked = backend.prepare(Sheet((Picture(0, pixels(*SHAPES[0])),), 1, KEYS))
    for texts, heat in backend.look(asked):
        assert [len(one) for one in heat.pictures] == [len(texts)]
        assert all(isinstance(text, str) for text in texts)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_painted_cell_is_where_its_token_lies(family: str, tmp_path: Path) -> None:
    """A bright spot of the page changes the pixels of one token, and the map puts that token on the spot."""
    checkpoint = load_checkpoint(build_tiny(family, tmp_path / family))
    page = np.zeros((224, 224 * 2, 3), np.uint8)
    plain, cap = checkpoint.family.image_inputs([page], 28 * 28 * 256), 28 * 28 * 256
    rows, columns = plain.cells[0]
    row, column = rows - 1, 1
    high, wide = page.shape[0] // rows, page.shape[1] // columns
    spot = page.copy()
    spot[row * high + 2 : (row + 1) * high - 2, column * wide + 2 : (column + 1) * wide - 2] = 255
    lit = checkpoint.family.image_inputs([spot], cap)
    difference = np.abs(lit.pixel_values - plain.pixel_values)
    if family == "internvl":
        n = checkpoint.family.cells_per_side
        tokens = difference.mean(1).reshape(len(difference), n, 28, n, 28).mean((2, 4)).reshape(1, -1)
    else:
        tokens = difference.mean(1).reshape(1, -1, checkpoint.family.merge**2).mean(2)
    (heat,) = over_pages(checkpoint.family, tokens.astype(np.float32), plain).pictures
    assert np.unravel_index(heat[0].argmax(), heat[0].shape) == (row, column)
    assert heat.sum() == pytest.approx(1)


def test_the_thumbnail_is_spread_over_the_page() -> None:
    """2 x 3 tiles of 2 x 2 cells: one cell of the thumbnail covers two rows and three columns of the tiles' cells."""
    family = InternVL("internvl", 56, 2, 12, (0.0,) * 3, (1.0,) * 3, 7)
    weights = np.zeros((1, 28), np.float32)
    weights[0, 24 + 1] = 1.0  # upper right quarter
    page = family.over_page(weights, (4, 6))[0]
    assert page[:2, 3:] == pytest.approx(1 / 6)
    assert page.sum() == pytest.approx(1)


def test_a_place_is_the_hottest_cell_with_its_warm_neighbours() -> None:
    heat = np.zeros((2, 4, 5), np.float32)
    heat[:, 2, 1], heat[:, 2, 2], heat[:, 1, 3] = 0.4, 0.3, 0.2  # a run that goes up at its end
    heat[:, 0, 0] = 0.3  # warm, but not of this run
    place = KeyHeat((np.zeros((2, 3, 3), np.float32), heat)).place((6, 7))
    assert place is not None
    assert place.page_number == 8
    assert place.boxes == (Box(1 / 5, 1 / 4, 4 / 5, 3 / 4),)


def test_heat_all_over_the_page_is_no_box() -> None:
    """The page is named, for another page may be cooler still."""
    place = KeyHeat((np.ones((1, 4, 5), np.float32), 0.9 * np.ones((1, 2, 2), np.float32))).place((2, 3))
    assert place is not None
    assert (place.page_number, place.boxes) == (3, ())


def test_a_value_of_no_slot_has_no_place() -> None:
    assert KeyHeat((np.zeros((0, 2, 2), np.float32),)).place((0,)) is None


def test_pages_share_the_weight() -> None:
    images = ImageInputs(np.zeros((0,), np.float32), None, (2, 4), ((1, 2), (2, 2)))
    family: Any = SimpleNamespace(over_page=lambda weights, cells: weights.reshape(-1, *cells))
    heat = over_pages(family, np.array([[1, 1, 2, 2, 2, 2]], np.float32), images)
    assert [one.sum() for one in heat.pictures] == pytest.approx([0.2, 0.8])
