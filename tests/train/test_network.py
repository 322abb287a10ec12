"""The network: nothing leaks through a mask, a key never changes another, ONNX equals torch."""

import copy
from pathlib import Path

import numpy as np
import pytest
import torch

from pipkie_cli.models.mini.backend import load
from pipkie_cli.nouns import Box, Key, Window, Word
from pipkie_cli.train.batches import make_batch
from pipkie_cli.train.export import example_inputs, export, quantise_rows, store_linears
from pipkie_cli.train.losses import span_loss, span_scores
from pipkie_cli.train.network import PageStage, TextStage

WIDTH = 48
CUES = ("matches", "beside", "below", "in_row")
NAMES = ("words", "places", "centres", "is_word", "prompts", "aliases", "types", *CUES)


def small_page_stage() -> PageStage:
    torch.manual_seed(0)
    return PageStage(width=WIDTH, heads=2, layers=2, pointer=16).eval()


def run(stage: PageStage, inputs: dict[str, torch.Tensor]) -> tuple[torch.Tensor, ...]:
    with torch.no_grad():
        return stage(*(inputs[name] for name in NAMES))  # type: ignore[no-any-return]


def test_padding_changes_nothing() -> None:
    """Scores are the same to the last digits whatever stands behind the last word."""
    stage, inputs = small_page_stage(), example_inputs(20, 3, WIDTH)
    padded = dict(inputs)
    for name in ("words", "places", "centres"):
        padded[name] = torch.cat([inputs[name], 100 * torch.randn(1, 12, inputs[name].shape[-1])], 1)
    padded["is_word"] = torch.cat([inputs["is_word"], torch.zeros(1, 12)], 1)
    for name in ("matches", "beside", "below"):
        padded[name] = torch.cat([inputs[name], torch.ones(1, 3, 12)], 2)
    padded["in_row"] = torch.cat([inputs["in_row"], torch.zeros(1, 3, 12)], 2)
    first, last, absent = run(stage, inputs)
    padded_first, padded_last, padded_absent = run(stage, padded)
    torch.testing.assert_close(padded_first[:, :, :20], first, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(padded_last[:, :, :20], last, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(padded_absent, absent, rtol=1e-5, atol=1e-5)
    assert float(padded_first[:, :, 20:].max()) < -9000


def test_a_new_key_never_changes_another() -> None:
    """Slots attend to the page and to their own key only."""
    stage, inputs = small_page_stage(), example_inputs(15, 4, WIDTH)
    fewer = dict(inputs)
    for name in ("prompts", "aliases", "types", *CUES):
        fewer[name] = inputs[name][:, :2]
    for many, few in zip(run(stage, inputs), run(stage, fewer), strict=True):
        torch.testing.assert_close(many[:, :2], few, rtol=1e-5, atol=1e-5)


def test_page_attention_sees_the_whole_page() -> None:
    """Bidirectional: the first word's score changes with the last word."""
    stage, inputs = small_page_stage(), example_inputs(15, 1, WIDTH)
    changed = dict(inputs, words=inputs["words"].clone())
    changed["words"][0, -1] += 5
    assert not torch.allclose(run(stage, inputs)[0][0, 0, 0], run(stage, changed)[0][0, 0, 0])


def test_a_value_begins_and_ends_beside_its_label_or_below_it() -> None:
    """Both cues add to the scores of the first and of the last word as they are pointed at, not to that of ABSENT."""
    stage, inputs = small_page_stage(), example_inputs(15, 3, WIDTH)
    with torch.no_grad():
        for layer in stage.layers:  # what the slots attend to is left out
            layer.beside.zero_()
            layer.below.zero_()
    without = dict(inputs, beside=torch.zeros(1, 3, 15), below=torch.zeros(1, 3, 15))
    (first, last, absent), plain = run(stage, inputs), run(stage, without)
    for scores, before, weights in ((first, plain[0], stage.begins), (last, plain[1], stage.ends)):
        added = weights[0] * inputs["beside"] + weights[1] * inputs["below"]
        torch.testing.assert_close(scores - before, added.detach(), rtol=1e-3, atol=2e-3)  # FAR swallows digits
        assert bool((weights > 0).all())
    torch.testing.assert_close(absent, plain[2])


@pytest.mark.parametrize("cue", ["matches", "beside", "below"])
def test_slots_look_where_labels_stand(cue: str) -> None:
    """Each of the cues changes what is read of its own key, and of no other."""
    stage, inputs = small_page_stage(), example_inputs(15, 3, WIDTH)
    changed = dict(inputs, **{cue: inputs[cue].clone()})
    changed[cue][0, 1, 4] += 1
    before, after = run(stage, inputs), run(stage, changed)
    assert not torch.allclose(before[2][0, 1], after[2][0, 1], rtol=1e-5, atol=1e-6)
    for one, other in zip(before, after, strict=True):
        torch.testing.assert_close(one[:, ::2], other[:, ::2])


def test_span_scores_and_loss_by_hand() -> None:
    """Three words, one key: the loss is minus the log of the right spans' share of all spans and ABSENT."""
    first, last, absent = torch.tensor([[[1.0, 2.0, 0.0]]]), torch.tensor([[[0.0, 1.0, 3.0]]]), torch.tensor([[0.5]])
    spans = {(i, j): float(first[0, 0, i] + last[0, 0, j]) for i in range(3) for j in range(i, 3)}
    assert float(span_scores(first, last)[0, 0, 0, 2]) == spans[0, 2]
    total = sum(np.exp(score) for score in spans.values()) + np.exp(0.5)
    right = torch.tensor([[0, 0, 0, 1], [0, 0, 2, 2]])
    loss = span_loss(first, last, absent, right, torch.tensor([[True]]))
    assert float(loss) == pytest.approx(-np.log((np.exp(spans[0, 1]) + np.exp(spans[2, 2])) / total), rel=1e-5)
    loss = span_loss(first, last, absent, torch.tensor([[0, 0, -1, -1]]), torch.tensor([[True]]))
    assert float(loss) == pytest.approx(-np.log(np.exp(0.5) / total), rel=1e-5)


def test_quantised_rows_are_near() -> None:
    """A weight is off by at most half a step of its row."""
    weight = torch.randn(7, 33)
    rows, scales = quantise_rows(weight)
    assert float((rows.float() * scales[:, None] - weight).abs().max()) <= float(scales.max()) / 2 + 1e-6


TOKENIZER = (
    '{"version":"1.0","added_tokens":[{"id":0,"content":"<s>","single_word":false,"lstrip":false,"rstrip":false,'
    '"normalized":false,"special":true},{"id":1,"content":"<pad>","single_word":false,"lstrip":false,"rstrip":false,'
    '"normalized":false,"special":true},{"id":2,"content":"</s>","single_word":false,"lstrip":false,"rstrip":false,'
    '"normalized":false,"special":true},{"id":3,"content":"<unk>","single_word":false,"lstrip":false,"rstrip":false,'
    '"normalized":false,"special":true}],"normalizer":null,"pre_tokenizer":{"type":"Metaspace","replacement":"_",'
    '"prepend_scheme":"always","split":true},"post_processor":null,"decoder":null,"model":{"type":"Unigram","unk_id":3,'
    '"vocab":[["<s>",0],["<pad>",0],["</s>",0],["<unk>",0],["_",-3],["to",-4],["tal",-4],["_to",-3],["9",-5],["0",-5]]}}'
)


def a_window(n_words: int, keys: tuple[Key, ...]) -> Window:
    texts = ["total", "9.00", "to", "to:9", "tal", "0"]
    words = tuple(
        Word(texts[i % 6], Box(i % 7 / 8, i // 7 / 50, i % 7 / 8 + 0.1, i // 7 / 50 + 0.015), i // 7, i // 3, "ocr")
        for i in range(n_words)
    )
    return Window(0, 1, 600, 800, 0, words, keys)


@pytest.mark.parametrize(("n_words", "n_keys"), [(5, 1), (173, 9)])
def test_onnx_equals_torch(tmp_path: Path, n_words: int, n_keys: int) -> None:
    """The exported stages give the scores of the torch stages (with the stored int8 weights) at two lengths."""
    torch.manual_seed(1)
    text, page = TextStage(10, width=WIDTH, heads=4, ffn=96, layers=2).eval(), small_page_stage()
    torch.nn.init.normal_(text.positions, 0, 0.1)
    export(copy.deepcopy(text), copy.deepcopy(page), TOKENIZER, tmp_path, {})
    backend = load(tmp_path)
    keys = tuple(Key(f"k{i}", "amount", "to tal"[: 2 + i % 5], ("total",) * (i % 2)) for i in range(n_keys))
    inputs = backend.prepare(a_window(n_words, keys))
    scores = backend.scores(inputs)

    rows, scales = quantise_rows(text.embed.weight.detach())
    text.embed.weight.data = rows.float() * scales[:, None]
    store_linears(text)
    store_linears(page)
    batch = make_batch([inputs], [[()] * n_keys], pad=1)
    units = torch.zeros(len(batch.per_unit), WIDTH)
    with torch.no_grad():
        for ids, is_piece, source, owner in batch.pieces:
            units.index_add_(0, owner, text(ids, is_piece).reshape(-1, WIDTH)[source])
        units /= batch.per_unit[:, None]
        expected = page(
            units[batch.words], batch.places, batch.centres, batch.is_word,
            units[batch.prompts], units[batch.aliases], batch.types, *(getattr(batch, name) for name in CUES),
        )  # fmt: skip
    np.testing.assert_allclose(scores[0], expected[0][0, :n_keys, :n_words], atol=2e-4)
    np.testing.assert_allclose(scores[1], expected[1][0, :n_keys, :n_words], atol=2e-4)
    np.testing.assert_allclose(scores[2], expected[2][0, :n_keys], atol=2e-4)
