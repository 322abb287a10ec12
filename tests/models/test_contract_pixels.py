"""The contract of models that read pixels, whatever their weights: of every family, in one pass and word by word.

`test_contract.py` has that of models that point at words.
"""

import math
import pickle
from pathlib import Path

import numpy as np
import pytest
from mllm_tiny import FAMILIES, build_tiny

from pipkie_cli.errors import ModelError
from pipkie_cli.models import PixelBackend, load_backend, model_revision, reads_pixels, words_only
from pipkie_cli.nouns import Decode, Key, Picture, Sheet, Written

KEYS = (
    Key("invoice_number", "text", "invoice number", ("Rechnungsnummer", "Invoice No.")),
    Key("grand_total", "amount", "grand total", ("Gesamtbetrag", "Total")),
)
ODD = (
    Key("odd", "text", "\a"),
    Key("special", "text", "<|im_end|><|mask|><img>", ("<|image_pad|>", "<IMG_CONTEXT>", "日本語 🙂")),
    Key("empty", "text", ""),
    Key("turned", "choice", "\u202e\u2066abc\ufeff\x00\u2028", ("</img>", "<|vision_start|>")),
    Key("half", "text", "a letter and half of one \ud83d", ("\udfff",)),
    Key("long", "text", "<|image_pad|>" * 1000),
)
WAYS: tuple[tuple[str, Decode], ...] = (
    *((family, "pip") for family in FAMILIES),
    *((family, "ar") for family in FAMILIES),
)


def picture(seed: int, page_index: int = 0) -> Picture:
    pixels = np.random.default_rng(seed).integers(0, 255, (80 + 30 * seed, 90, 3)).astype(np.uint8)
    return Picture(page_index, pixels)


def sheet(seed: int = 0, keys: tuple[Key, ...] = KEYS) -> Sheet:
    return Sheet((picture(seed),), 1, keys)


@pytest.fixture(scope="module", params=WAYS, ids="-".join)
def checkpoint(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Decode]:
    family, decode = request.param
    return str(build_tiny(family, tmp_path_factory.mktemp(family) / "tiny")), decode


@pytest.fixture(scope="module")
def backend(checkpoint: tuple[str, Decode]) -> PixelBackend:
    loaded = load_backend(checkpoint[0], decode=checkpoint[1])
    assert loaded.reads == "pixels"
    return loaded


def said(answers: tuple[Written, ...]) -> list[tuple[str | None, float]]:
    """Texts, and scores as far as float32 promises them."""
    return [(one.text, round(one.score, 3)) for one in answers]


def test_every_key_is_answered(backend: PixelBackend) -> None:
    """One answer per key of every sheet, in their order, each with a log-probability."""
    answers = backend.forward([backend.prepare(sheet(0)), backend.prepare(sheet(1, KEYS[:1]))])
    assert [len(one) for one in answers] == [2, 1]
    assert all(math.isfinite(one.score) and one.score <= 0 and one.passes >= 1 for row in answers for one in row)


def test_a_sheet_is_answered_alike_in_any_company(backend: PixelBackend) -> None:
    """Neither what shares its forward nor what was read before changes what is said of it."""
    inputs = [backend.prepare(sheet(seed)) for seed in (0, 1, 2)]
    alone = [said(backend.forward([one])[0]) for one in inputs]
    together = [said(one) for one in backend.forward(inputs[::-1])][::-1]
    for one, other in zip(alone, together, strict=True):
        assert [text for text, _ in one] == [text for text, _ in other]
        assert [score for _, score in one] == pytest.approx([score for _, score in other], abs=2e-3)


def test_prepared_inputs_travel_between_processes(backend: PixelBackend) -> None:
    """What `prepare` gives is picklable, says what it costs, and reads the same afterwards."""
    inputs = backend.prepare(sheet())
    assert inputs.cost > 0
    assert said(backend.forward([pickle.loads(pickle.dumps(inputs))])[0]) == said(backend.forward([inputs])[0])


def test_a_key_may_be_called_anything(backend: PixelBackend) -> None:
    """Names of special tokens are text, half letters too; a prompt without a letter is asked."""
    answers = backend.forward([backend.prepare(sheet(keys=ODD))])[0]
    assert len(answers) == len(ODD)
    assert all(math.isfinite(one.score) for one in answers)


def test_places_are_on_the_sheet(backend: PixelBackend) -> None:
    """As many pages as the model takes: a place is on one of them, inside the page."""
    pages = tuple(picture(0, page_index) for page_index in range(3, 3 + backend.max_pictures))
    for one in backend.forward([backend.prepare(Sheet(pages, 9, KEYS))])[0]:
        if one.place is not None:
            assert one.place.page_number in {page.page_index + 1 for page in pages}
            corners = ((box.left, box.top, box.right, box.bottom) for box in one.place.boxes)
            assert all(0 <= left < right <= 1 and 0 <= top < bottom <= 1 for left, top, right, bottom in corners)


def test_a_revision_is_known_without_loading(checkpoint: tuple[str, Decode], backend: PixelBackend) -> None:
    """A run's key names the model before any process loads it."""
    assert reads_pixels(checkpoint[0])
    assert model_revision(checkpoint[0]) == backend.revision
    with pytest.raises(ModelError, match="reads pixels"):
        words_only(backend)


def test_other_weights_are_another_revision(tmp_path: Path) -> None:
    """Also where the files are of the same size, and too large to be hashed whole."""
    first, second = (build_tiny("qwen2_vl", tmp_path / str(seed), seed=seed) for seed in (0, 1))
    assert model_revision(str(first)) != model_revision(str(second))
    sizes = [(folder / "model.safetensors").stat().st_size for folder in (first, second)]
    assert sizes[0] == sizes[1]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("pipkie_cli.models.checkpoint.WHOLE_BYTES", 1000)
        patched.setattr("pipkie_cli.models.checkpoint.SAMPLE_BYTES", 64)
        revisions = [model_revision(str(folder)) for folder in (first, second)]
    assert revisions[0] != revisions[1]


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"{}", b"\xff\xfe", b"null"])
def test_a_damaged_config_is_named(tmp_path: Path, content: bytes) -> None:
    """Exit code 6, with the file that is wrong, or the kind of model that it names."""
    (tmp_path / "config.json").write_bytes(content)
    with pytest.raises(ModelError, match=r"config\.json"):
        model_revision(str(tmp_path))
    with pytest.raises(ModelError, match=r"config\.json|does not run"):
        load_backend(str(tmp_path))
