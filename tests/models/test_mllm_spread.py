"""Templates of very many keys: several rows, one forward each, answers in the order of the keys."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from mllm_tiny import FAMILIES, build_tiny

from pipkie_cli.models import load_backend
from pipkie_cli.models.mllm import MllmBackend, autoregressive, prompt
from pipkie_cli.models.mllm.spread import Spread, in_turn, spread
from pipkie_cli.nouns import Key, Picture, Sheet, Written

MANY = 500  # as many as a template may have


def sheet(count: int, seed: int = 0) -> Sheet:
    pixels = np.random.default_rng(seed).integers(0, 255, (80, 90, 3)).astype(np.uint8)
    keys = tuple(Key(f"key_{at}", "text", f"number {at} of the invoice", ("Rechnungsnummer",)) for at in range(count))
    return Sheet((Picture(0, pixels),), 1, keys)


@pytest.fixture(scope="module", params=FAMILIES)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(build_tiny(request.param, tmp_path_factory.mktemp(request.param)))


def said(answers: Sequence[Written]) -> list[tuple[str | None, float]]:
    return [(one.text, one.score) for one in answers]


@pytest.mark.parametrize(
    ("costs", "expected"),
    [
        ([], [(0, 0)]),
        ([5], [(0, 1)]),
        ([50], [(0, 1)]),
        ([5, 5, 1, 9, 50, 1], [(0, 2), (2, 4), (4, 5), (5, 6)]),
        ([50, 50], [(0, 1), (1, 2)]),
    ],
)
def test_neighbours_share_a_room(costs: list[int], expected: list[tuple[int, int]]) -> None:
    assert spread(costs, 10) == [slice(*one) for one in expected]


def test_no_row_is_longer_than_its_room(folder: str) -> None:
    """500 keys of text make several rows, and keys of one row are asked as they would be alone."""
    backend = load_backend(folder)
    assert isinstance(backend, MllmBackend)
    asked = backend.prepare(sheet(MANY))
    assert len(asked.parts) > 1
    assert [key for part in asked.parts for key in part.keys] == list(sheet(MANY).keys)
    pages = sum(asked.parts[0].encoded.images.n_tokens)
    assert asked.cost == max(part.encoded.n_tokens for part in asked.parts) < prompt.KEY_TOKENS + pages + 200
    answers = backend.forward([asked])[0]
    assert len(answers) == MANY
    first = len(asked.parts[0].keys)
    assert said(answers[:first]) == said(backend.forward([backend.prepare(sheet(first))])[0])


def test_a_template_that_fits_is_asked_as_ever(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One row, the same tokens, whatever room is left."""
    backend: Any = load_backend(folder)
    (part,) = backend.prepare(sheet(5)).parts
    monkeypatch.setattr(prompt, "KEY_TOKENS", 10**9)
    (whole,) = backend.prepare(sheet(5)).parts
    assert part.encoded.input_ids.tolist() == whole.encoded.input_ids.tolist()


def test_documents_of_many_and_few_keys_share_forwards(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is answered as alone."""
    monkeypatch.setattr(prompt, "KEY_TOKENS", 120)
    backend = load_backend(folder)
    assert isinstance(backend, MllmBackend)
    inputs = [backend.prepare(sheet(count, count)) for count in (2, 9, 5)]
    assert len({len(one.parts) for one in inputs}) == 3
    together = backend.forward(inputs)
    for one, answers in zip(inputs, together, strict=True):
        alone = backend.forward([one])[0]
        assert [each.text for each in answers] == [each.text for each in alone]
        assert [each.score for each in answers] == pytest.approx([each.score for each in alone], abs=2e-3)
    looks = backend.look(inputs[1])
    assert len(looks) == 9


def test_an_answer_in_json_is_as_long_as_it_may_be(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Word by word too, keys that one answer has no tokens for are asked in another one."""
    monkeypatch.setattr(autoregressive, "MAX_WRITTEN", 100)
    backend: Any = load_backend(folder, decode="ar")
    asked = backend.prepare(sheet(4))
    assert len(asked.parts) > 1
    assert [name for part in asked.parts for name in part.names] == [key.name for key in sheet(4).keys]
    assert len(backend.forward([asked])[0]) == 4


def test_parts_go_in_turn() -> None:
    """First ones together, and so on: a budget of positions that was kept for one part is kept for all."""
    forwards: list[list[str]] = []

    def ask(parts: Sequence[Any]) -> list[tuple[Written, ...]]:
        forwards.append(list(parts))
        return [(Written(part, -1.0),) for part in parts]

    batch = [Spread(("a", "b", "c")), Spread(("d",)), Spread(("e", "f"))]
    answers = in_turn(batch, ask)
    assert forwards == [["a", "d", "e"], ["b", "f"], ["c"]]
    assert [[one.text for one in row] for row in answers] == [["a", "b", "c"], ["d"], ["e", "f"]]
