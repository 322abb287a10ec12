"""The proof of one-pass reading: its slips, its rows, and that a training goes on exactly where it was stopped."""

import random
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from pipkie_cli.models.mllm import INSTRUCTION, NO_TARGET, UNKNOWN, Checkpoint, collate, load_checkpoint
from pipkie_cli.train import proof_learn
from pipkie_cli.train.proof import prove
from pipkie_cli.train.proof_learn import ProofPlan, learn_proof
from pipkie_cli.train.proof_model import SLOTS, quick_patches, write_start
from pipkie_cli.train.proof_rows import FILL_WEIGHT, causal_row, one_pass_row, pictures_of
from pipkie_cli.train.proof_score import causal_states, score_passes, score_slips
from pipkie_cli.train.proof_slips import KEYS, LABELS, Slip, draw_crop, draw_slip, words

ANY_FACE = (None,)  # Pillow's own: a machine without fonts runs these tests


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("proof") / "start"
    write_start(folder, INSTRUCTION.format(unknown=UNKNOWN), 0)
    return folder


@pytest.fixture(scope="module")
def checkpoint(start: Path) -> Checkpoint:
    return load_checkpoint(start)


@pytest.fixture
def any_face(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_learn, "draw_slip", partial(draw_slip, faces=ANY_FACE))
    monkeypatch.setattr(proof_learn, "draw_crop", partial(draw_crop, faces=ANY_FACE))


def slip_of(seed: int) -> Slip:
    return draw_slip(random.Random(seed), words("test"), ANY_FACE)


def test_no_name_of_the_test_is_learnt() -> None:
    """Held out means held out."""
    assert not set(words("train")) & set(words("test"))
    assert len(words("test")) == 200
    assert words("train") == words("train")


def test_a_slip_prints_what_it_says_it_prints() -> None:
    """Four keys, some absent; the same seed draws the same slip; a value fits its slots with an end."""
    slips = [slip_of(seed) for seed in range(200)]
    assert all(len(slip.keys) == 4 and slip.picture.shape == (112, 224) for slip in slips)
    values = [value for slip in slips for value in slip.values]
    assert 0.05 < sum(value is None for value in values) / len(values) < 0.2
    assert max(len(value) for value in values if value) < SLOTS
    for slip in slips:  # a face of other widths moves values along their lines, not off them
        for value, place in zip(slip.values, slip.places, strict=True):
            assert (value is None) == (place is None)
            if place:
                top, bottom = (round(edge * len(slip.picture)) for edge in (place.top, place.bottom))
                assert slip.picture[top:bottom].min() < 128
                assert 0 <= place.left < place.right <= 1
    again = slip_of(3)
    assert np.array_equal(again.picture, slips[3].picture)
    assert again.values == slips[3].values


def test_every_label_and_value_fits_its_line() -> None:
    """Sixteen letters a line: the longest label before the longest value of its key."""
    longest = {"name": 8, "city": 8, "date": 8, "due": 8, "total": 6, "tax": 6, "number": 7, "table": 2}
    for key, labels in LABELS.items():
        assert max(map(len, labels)) + len(": ") + longest[key] <= 16


def test_pictures_are_those_of_the_family(checkpoint: Checkpoint) -> None:
    """The short way to patches gives the numbers that extraction gives."""
    slip = slip_of(5)
    colour = np.asarray(Image.fromarray(slip.picture).convert("RGB"))
    theirs = checkpoint.family.image_inputs([colour], checkpoint.trained.max_pixels)
    ours = pictures_of(slip)
    assert np.array_equal(ours.grid, theirs.grid)
    assert ours.n_tokens == theirs.n_tokens
    assert np.allclose(ours.pixel_values, theirs.pixel_values, atol=1e-5)


def test_a_product_of_matrices_embeds_patches_as_the_convolution_does(start: Path) -> None:
    """The quick way changes no number of the checkpoint."""
    model = load_checkpoint(start).model
    stem, patches = model.model.visual.patch_embed, torch.from_numpy(pictures_of(slip_of(1)).pixel_values)
    slow = stem(patches)
    quick_patches(model)
    assert torch.allclose(stem(patches), slow, atol=1e-4)


def test_a_phrase_is_one_token_and_a_value_one_a_letter(checkpoint: Checkpoint) -> None:
    """Prompts are short, values are spelt."""
    encode = partial(checkpoint.tokenizer.encode, add_special_tokens=False, split_special_tokens=True)
    assert all(len(encode(text)) == 1 for text in (*KEYS, ": ", UNKNOWN, "\n" + INSTRUCTION.format(unknown=UNKNOWN)))
    assert all(len(encode(text)) == len(text) for text in ("A-12345", "31.12.29", *words("test")[:50]))


def test_the_twin_sees_the_same_keys_and_values(checkpoint: Checkpoint) -> None:
    """Both rows ask the same; their targets spell the same values; only the one pass has fills, which weigh less."""
    slip = slip_of(8)
    masked, weights = one_pass_row(checkpoint, slip)
    spelt, _ = causal_row(checkpoint, slip)
    assert masked.targets is not None
    assert spelt.targets is not None
    for number, value in enumerate(slip.values):
        letters = checkpoint.tokenizer.encode(UNKNOWN if value is None else value, add_special_tokens=False)
        ended = [*letters, checkpoint.end_id]
        there = masked.targets[masked.slots[number].start : masked.slots[number].stop].tolist()
        assert there == ended + [checkpoint.end_id] * (SLOTS - len(ended))
        assert spelt.targets[spelt.slots[number].start : spelt.slots[number].stop].tolist() == ended
        assert weights[number * SLOTS :][:SLOTS].tolist() == pytest.approx(
            [1.0] * len(ended) + [FILL_WEIGHT] * (SLOTS - len(ended))
        )
    assert (masked.input_ids[[at for place in masked.slots for at in place]] == checkpoint.trained.mask_id).all()


def test_what_a_row_shows_is_not_asked(checkpoint: Checkpoint) -> None:
    """Stage 1 masks a random share: a shown token has no target and no weight."""
    pen, shares = random.Random(4), []
    for seed in range(12):
        crop = draw_crop(random.Random(seed), words("train"), 8, ANY_FACE)
        row, weights = one_pass_row(checkpoint, crop, pen=pen)
        assert row.targets is not None
        at = np.asarray([at for place in row.slots for at in place])
        masked = row.input_ids[at] == checkpoint.trained.mask_id
        assert (row.targets[at][~masked] == NO_TARGET).all()
        assert ((weights > 0) == masked).all()
        shares.append(masked.mean())
    assert min(shares) < 1.0
    assert max(shares) == 1.0


def test_the_twin_never_sees_what_comes_later(checkpoint: Checkpoint) -> None:
    """A changed last value moves no earlier state of it."""
    slip = slip_of(2)
    other = replace(slip, values=(*slip.values[:-1], "ZZZ"))
    rows = [causal_row(checkpoint, one)[0] for one in (slip, other)]
    with torch.inference_mode():
        first, second = (causal_states(checkpoint, collate([row], checkpoint.pad_id))[0] for row in rows)
    before = rows[0].slots[-1].start + 1
    assert torch.allclose(first[:before], second[:before], atol=1e-5)


@pytest.mark.usefixtures("any_face")
@pytest.mark.parametrize("way", ["one_pass", "causal"])
def test_a_stopped_training_ends_with_the_same_weights(
    start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: proof_learn.Way
) -> None:
    """The pictures of a step hang on seed and step alone, and the optimiser is kept."""
    plan = ProofPlan(way, 2, 2, batch=2, look_every=100)
    monkeypatch.setattr(proof_learn, "LOOK_SLIPS", 2)
    monkeypatch.setattr(proof_learn, "CHECKPOINT_S", 0.0)
    whole = learn_proof(start, plan, tmp_path / "whole", lambda line: None)
    stops, draw = iter(range(7)), proof_learn.draw_slip

    def stop(*told: object) -> Slip:
        if next(stops) == 5:  # in the fourth step, after two slips to look at and two of the third step
            raise KeyboardInterrupt
        return draw(*told)

    with monkeypatch.context() as broken:
        broken.setattr(proof_learn, "draw_slip", stop)
        with pytest.raises(KeyboardInterrupt):
            learn_proof(start, plan, tmp_path / "stopped", lambda line: None)
    assert torch.load(tmp_path / "stopped" / "training.pt", weights_only=True)["step"] == 3
    resumed = learn_proof(start, plan, tmp_path / "stopped", lambda line: None)
    kept = resumed.model.state_dict()
    assert all(torch.equal(weight, kept[name]) for name, weight in whole.model.state_dict().items())


@pytest.mark.usefixtures("any_face")
def test_a_model_learns_and_its_folder_is_a_checkpoint(
    start: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loss of a few steps falls; what is written loads for one pass with the same answers, and may be a start."""
    monkeypatch.setattr(proof_learn, "LOOK_SLIPS", 2)
    told: list[str] = []
    learnt = learn_proof(start, ProofPlan("one_pass", 12, 1, batch=4, look_every=4), tmp_path / "it", told.append)
    slips = [slip_of(seed) for seed in range(4)]
    again = load_checkpoint(tmp_path / "it")
    assert score_slips(again, slips, "one_pass") == score_slips(learnt, slips, "one_pass")
    assert score_passes(again, slips, 1) == score_slips(learnt, slips, "one_pass")  # as `pipkie extract` reads it
    losses = [float(line.split('"loss": ')[1].split(",")[0]) for line in told]
    assert losses[-1] < losses[0]
    further = learn_proof(tmp_path / "it", ProofPlan("one_pass", 0, 1, batch=1), tmp_path / "further", told.append)
    kept = torch.load(tmp_path / "further" / "training.pt", weights_only=True)
    assert kept["step"] == 1  # of its own training, not of the one it went on from
    before, after = (one.model.get_output_embeddings().weight for one in (learnt, further))
    assert 0 < (before - after).abs().max() < 0.1  # it went on from there


@pytest.mark.nightly
def test_the_proof_runs_from_end_to_end(tmp_path: Path) -> None:
    """All four trainings at a thousandth of their length; needs the fonts that the slips are printed in."""
    figures = prove(tmp_path, 0.002, lambda line: None)
    assert {"one_pass", "causal", "converted", "without_stage_1"} <= figures.keys()
    assert 900_000 < figures["parameters"] < 4_000_000
