"""Rows: what a draw shows the model, and what it has to fill in."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from mllm_tiny import FAMILIES, build_tiny

from pipkie_cli.errors import DamagedFile, InputError
from pipkie_cli.models.mllm import (
    Checkpoint,
    add_mask_token,
    bidirectional,
    collate,
    load_checkpoint,
    never_written,
    slot_logits,
)  # fmt: skip
from pipkie_cli.nouns import Key
from pipkie_cli.train.pip_loss import weighted_loss
from pipkie_cli.train.pip_recipe import Recipe
from pipkie_cli.train.pip_rows import Row, Rows
from pipkie_cli.train.pip_sources import Sample, text_sample

RECIPE = Recipe(batch=2, drop=0.0, alias=0.0, max_pixels=28 * 28 * 8)
TOTAL, DAY = Key("total", "amount", "total", ("Sum",)), Key("day", "date", "day")


def _picture(width: int) -> np.ndarray:
    return np.full((56, width, 3), 255, np.uint8)


class Slips:
    """Two samples of pictures of different sizes."""

    def __len__(self) -> int:
        return 2

    def __getitem__(self, number: int) -> Sample:
        return Sample((_picture(56 + 56 * number),), ((TOTAL, "1.50"), (DAY, None)))


class Texts(Slips):
    def __getitem__(self, number: int) -> Sample:
        return text_sample(_picture(56), "total 12.50 " * (1 + 9 * number))


@pytest.fixture(scope="module", params=FAMILIES)
def any_family(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    return load_checkpoint(build_tiny(request.param, tmp_path_factory.mktemp("any") / request.param))


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    """An ordinary one that got its mask token."""
    folder = build_tiny("qwen2_vl", tmp_path_factory.mktemp("one") / "tiny", mask=False, sidecar=None)
    return add_mask_token(load_checkpoint(folder, one_pass=False))


def _rows(checkpoint: Checkpoint, source=None, **changed) -> Rows:
    told = {"stage": "kv", "attention": "bidirectional", "seed": 3, "recipe": RECIPE} | changed
    return Rows(replace(checkpoint, model=None), source or Slips(), **told)


def _shown(checkpoint: Checkpoint, row: Row) -> str:
    return checkpoint.tokenizer.decode(row.encoded.input_ids)


def test_a_draw_is_always_the_same(checkpoint: Checkpoint) -> None:
    rows = _rows(checkpoint, recipe=replace(RECIPE, all_masked=0.5))
    drawn = [[rows[draw][0][0] for draw in range(8)] for _ in range(2)]
    for one, other in zip(*drawn, strict=True):
        assert np.array_equal(one.encoded.input_ids, other.encoded.input_ids)
        assert np.array_equal(one.keep, other.keep)
    assert len({row.keep.tobytes() for row in drawn[0]}) > 1


def test_masked_slots_hide_their_value_and_others_show_it(checkpoint: Checkpoint) -> None:
    """Every kept position holds [mask]; no value is seen where all is masked, and a part of it elsewhere."""
    mask_id = checkpoint.trained.mask_id
    for share in (1.0, 0.0):
        rows = _rows(checkpoint, recipe=replace(RECIPE, all_masked=share))
        for draw in range(6):
            ((row,), _) = rows[draw]
            assert (row.encoded.input_ids[row.keep] == mask_id).all()
            assert (row.encoded.input_ids == mask_id).sum() == len(row.keep)
            assert len(row.keep) == len(row.targets) == len(row.weights)
            if share == 1.0:
                assert "1.50" not in _shown(checkpoint, row)
                assert "unknown" not in _shown(checkpoint, row).split("assistant")[1]


def test_targets_are_values_ends_and_unknown(checkpoint: Checkpoint) -> None:
    """In the order of the keys as asked; behind the end come fills, which weigh less."""
    rows = _rows(checkpoint, recipe=replace(RECIPE, all_masked=1.0))
    ((row,), _) = rows[0]
    end = checkpoint.end_id
    for place in row.encoded.slots:
        inside = (row.keep >= place.start) & (row.keep < place.stop)
        targets, weights = row.targets[inside].tolist(), row.weights[inside]
        length = targets.index(end)
        assert checkpoint.tokenizer.decode(targets[:length]) in ("1.50", "unknown")
        assert (weights[: length + 1] == 1).all()
        assert np.allclose(weights[length + 1 :], RECIPE.fill_weight)
        assert set(targets[length:]) == {end}
    assert row.share == len(row.targets)


def test_complementary_rows_show_what_the_other_hides(checkpoint: Checkpoint) -> None:
    rows = _rows(checkpoint, Texts(), stage="mask", recipe=replace(RECIPE, complementary=True))
    pair, _ = rows[0]
    assert len(pair) == 2
    slots = {at for place in pair[0].encoded.slots for at in place}
    assert set(pair[0].keep) | set(pair[1].keep) == slots
    assert not set(pair[0].keep) & set(pair[1].keep)


def test_the_twin_foretells_every_token_of_its_answer(checkpoint: Checkpoint) -> None:
    """A question and its JSON answer: what is kept is the position before each token of the answer."""
    ((row,), _) = _rows(checkpoint, attention="causal")[0]
    assert np.array_equal(row.encoded.input_ids[row.keep + 1], row.targets)
    said = checkpoint.tokenizer.decode(row.targets[:-1])
    assert '"total": "1.50"' in said
    assert '"day": null' in said
    assert row.targets[-1] == checkpoint.end_id
    ((text,), _) = _rows(checkpoint, Texts(), attention="causal", stage="mask", recipe=replace(RECIPE, max_tokens=9))[1]
    assert len(text.targets) <= 10
    assert checkpoint.trained.mask_id not in row.encoded.input_ids


def test_the_loss_of_a_batch_is_that_of_its_slots(any_family: Checkpoint) -> None:
    """Pictures of different sizes in one batch, every family: rows of logits stand beside their targets."""
    rows = _rows(any_family, recipe=replace(RECIPE, all_masked=0.3))
    drawn = [rows[draw] for draw in range(3)]
    never = never_written(any_family)

    def loss(batch) -> torch.Tensor:
        with torch.no_grad(), bidirectional(any_family.model):
            logits = any_family.model(**batch.inputs, logits_to_keep=batch.keep, use_cache=False).logits
        return weighted_loss(logits, batch.targets, batch.weights, never)

    whole = rows.collate(drawn)
    assert whole.share == sum(row.share for made, _ in drawn for row in made)
    alone = sum(loss(rows.collate([one])) for one in drawn)
    assert torch.allclose(loss(whole), alone, rtol=1e-4)


def test_all_masked_is_what_reading_asks(checkpoint: Checkpoint) -> None:
    """The logits that training sees are those of a forward as values are read."""
    rows = _rows(checkpoint, recipe=replace(RECIPE, all_masked=1.0))
    batch = rows.collate([rows[0], rows[1]])
    encoded = [rows[draw][0][0].encoded for draw in (0, 1)]
    with torch.no_grad():
        read = slot_logits(checkpoint, collate(encoded, checkpoint.pad_id))
        with bidirectional(checkpoint.model):
            learnt = checkpoint.model(**batch.inputs, logits_to_keep=batch.keep, use_cache=False).logits
    keep = ~never_written(checkpoint)
    assert torch.allclose(read[:, keep], learnt[:, keep], atol=1e-5)


def test_a_damaged_sample_gives_its_place_to_another(checkpoint: Checkpoint) -> None:
    """And is counted; where nothing can be opened, that is said."""

    class Torn(Slips):
        def __getitem__(self, number: int) -> Sample:
            if number == 0:
                raise DamagedFile("torn.png is damaged")
            return super().__getitem__(number)

    rows = _rows(checkpoint, Torn())
    skipped = [rows[draw][1] for draw in range(4)]
    assert sorted(skipped) == [0, 0, 1, 1]
    assert rows.collate([rows[draw] for draw in range(4)]).skipped == 2

    class Gone(Slips):
        def __getitem__(self, number: int) -> Sample:
            raise DamagedFile("torn.png is damaged")

    with pytest.raises(InputError, match=r"^2 samples in a row .*torn\.png is damaged"):
        _rows(checkpoint, Gone())[0]


def test_damaged_samples_side_by_side_are_passed_over(checkpoint: Checkpoint) -> None:
    """A broken folder among good ones, half of all samples: every draw finds another."""

    class Half(Slips):
        def __len__(self) -> int:
            return 60

        def __getitem__(self, number: int) -> Sample:
            if number < 30:
                raise DamagedFile("torn.png is damaged")
            return super().__getitem__(0)

    rows = _rows(checkpoint, Half())
    assert sum(rows[draw][1] > 0 for draw in range(60)) == 30
