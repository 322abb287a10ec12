"""Batches: padding that says so, every text once, the right spans at the right windows."""

from typing import Any

import numpy as np
import pytest
import torch
from made_tokenizer import tokenizer_json
from tiny import words_of

from pipkie_cli.models.mini import MiniInputs, PieceReader, make_inputs
from pipkie_cli.nouns import Key, Window
from pipkie_cli.train.batches import KEYS_MULTIPLE, SEGMENTS_MULTIPLE, WORDS_MULTIPLE, Batch, make_batch

READER = PieceReader(tokenizer_json())
KEYS = (Key("number", "text", "invoice no", ("Invoice No.",)), Key("total", "amount", "total"))


def inputs_of(lines: tuple[str, ...], keys: tuple[Key, ...] = KEYS) -> MiniInputs:
    return make_inputs(Window(0, 1, 600, 800, 0, words_of(lines), keys), READER)


def batch_of(*inputs: MiniInputs, answers: Any = None) -> Batch:
    return make_batch(inputs, answers or [[()] * len(one.prompts) for one in inputs], READER.pad)


def bags(batch: Batch) -> torch.Tensor:
    """(U, V): which pieces every unit averages, as if the text stage changed nothing."""
    size = 1 + max(int(ids.max()) for ids, *_ in batch.pieces)
    units = torch.zeros(len(batch.per_unit), size)
    for ids, _, source, owner in batch.pieces:
        units.index_add_(0, owner, torch.nn.functional.one_hot(ids, size).reshape(-1, size)[source].float())
    return units / batch.per_unit[:, None]


def bag(pieces: list[int], size: int) -> torch.Tensor:
    return torch.bincount(torch.tensor(pieces), minlength=size).float() / len(pieces)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_every_word_and_key_reads_its_own_pieces(order: tuple[int, ...]) -> None:
    """Also where a printed label is the same text as a prompt or an alias: two units there, one here."""
    pages = [inputs_of(lines) for lines in (("invoice no",), ("Invoice No. 17", "Invoice No."), ("total total", "x"))]
    inputs = [pages[index] for index in order]
    batch = batch_of(*inputs)
    units = bags(batch)
    for row, one in enumerate(inputs):
        for ids, owners in zip(one.segments, one.segment_words, strict=True):
            for word in sorted(set(owners) - {-1}):
                pieces = [piece for piece, owner in zip(ids, owners, strict=True) if owner == word]
                torch.testing.assert_close(units[batch.words[row, word]], bag(pieces, units.shape[1]))
        for texts, numbers in ((one.prompts, batch.prompts), (one.aliases, batch.aliases)):
            for key, ids in enumerate(texts):
                torch.testing.assert_close(units[numbers[row, key]], bag(list(ids[1:-1]), units.shape[1]))


def test_equal_texts_are_read_once() -> None:
    """The text stage is most of the work: a batch of the same page costs one page."""
    one = inputs_of(("ACME Tools", "Total 12.50", "ACME Tools"))
    single, double = batch_of(one), batch_of(one, inputs_of(("ACME Tools", "Total 12.50", "ACME Tools")))
    assert len(single.per_unit) == len(double.per_unit)
    assert single.words[0, 0] == single.words[0, 4]
    torch.testing.assert_close(double.words[0], double.words[1])


def test_padding_says_so() -> None:
    """Shapes are multiples, so that there are few; everything behind a page's end is marked."""
    short, long = inputs_of(("a b c",)), inputs_of(tuple(f"{n} {n} {n}" for n in range(11)), KEYS + KEYS + KEYS[:1])
    batch = batch_of(short, long)
    assert batch.is_word.shape == (2, 2 * WORDS_MULTIPLE)
    assert batch.asked.shape == (2, 2 * KEYS_MULTIPLE)
    assert batch.is_word.sum(1).tolist() == [3, 33]
    assert batch.asked.sum(1).tolist() == [2, 5]
    assert not batch.places[0, 3:].any()
    for cue in ("matches", "beside", "below", "in_row"):
        assert not getattr(batch, cue)[0, :, 3:].any()
        assert not getattr(batch, cue)[0, 2:].any()
        np.testing.assert_array_equal(getattr(batch, cue)[1, :5, :33], getattr(long, cue))
    np.testing.assert_array_equal(batch.places[1, :33], long.places)


def test_pieces_are_padded_to_few_shapes() -> None:
    """Rows in multiples; padding pieces are marked, and no row is all padding: its softmax would be undefined."""
    batch = batch_of(inputs_of(("a", "bb cc", "ddddddddd eeeeeeeee ffffff", "a")))
    assert len(batch.pieces) > 1
    for ids, is_piece, source, owner in batch.pieces:
        assert len(ids) % SEGMENTS_MULTIPLE == 0
        assert bool((is_piece.sum(1) > 0).all())
        assert torch.equal(is_piece == 1, ids != READER.pad)
        assert bool((is_piece == 0).any())
        assert bool((is_piece.flatten()[source] == 1).all())
        assert not set(ids.flatten()[source].tolist()) & {READER.bos, READER.eos, READER.pad}
        assert len(source) == len(owner)
    counted = torch.cat([owner for *_, owner in batch.pieces]).bincount(minlength=len(batch.per_unit))
    assert counted.tolist() == batch.per_unit.int().tolist()


def test_right_spans_name_window_and_key() -> None:
    """One row per right span; ABSENT is -1, -1."""
    page = inputs_of(("a b c d",))
    batch = batch_of(page, page, answers=[[((0, 1), (2, 2)), ()], [(), ((3, 3),)]])
    assert batch.right.tolist() == [[0, 0, 0, 1], [0, 0, 2, 2], [0, 1, -1, -1], [1, 0, -1, -1], [1, 1, 3, 3]]
