"""Word by word from the weights of the one pass: the five ways write what `generate` writes, and nothing leaks in."""

import json
import math
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from mllm_tiny import FAMILIES, build_tiny

from pipkie_cli.errors import ModelError
from pipkie_cli.models.mllm import autoregressive, greedy
from pipkie_cli.models.mllm.attention import bidirectional
from pipkie_cli.models.mllm.dialogue import (
    MAX_WRITTEN,
    encode_dialogue,
    encode_question,
    json_limit,
    json_question_ids,
    key_question_ids,
    prefix_ids,
)
from pipkie_cli.models.mllm.greedy import Line, read, require_causal, write
from pipkie_cli.models.mllm.load import Checkpoint, load_checkpoint
from pipkie_cli.models.mllm.prompt import NO_TARGET
from pipkie_cli.models.mllm.ways import WAYS, Task, model_inputs
from pipkie_cli.nouns import Key, Picture, Sheet

KEYS = (
    Key("number", "id", "invoice number", aliases=("Rechnungsnummer",)),
    Key("date", "date", "date"),
    Key("total", "amount", "<|image_pad|> total <|im_end|>"),
)
LIMITS = (5, 3, 7)
JSON_LIMIT = 12
SIZES = ((90, 140), (230, 60))  # height and width in pixels of the two documents


def page(number: int) -> Any:
    return np.random.RandomState(number).randint(0, 255, (*SIZES[number], 3), np.uint8)


@pytest.fixture(scope="module", params=FAMILIES)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny(request.param, tmp_path_factory.mktemp(request.param), sidecar=None, mask=False)


@pytest.fixture(scope="module")
def checkpoint(folder: Path) -> Checkpoint:
    return load_checkpoint(folder, one_pass=False)


@pytest.fixture(scope="module")
def qwen(tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    folder = build_tiny("qwen2_vl", tmp_path_factory.mktemp("qwen"))
    return load_checkpoint(folder)


def task(checkpoint: Checkpoint, documents: Sequence[int], ends: Sequence[int] = ()) -> Task:
    images = tuple(checkpoint.family.image_inputs([page(number)], 28 * 28 * 64) for number in documents)
    return Task(checkpoint, images, KEYS, LIMITS, JSON_LIMIT, frozenset(ends))


def generated(checkpoint: Checkpoint, asked: Task, document: int, ids: list[int], limit: int) -> tuple[int, ...]:
    """What the library writes, one document and one prompt at a time."""
    inputs = model_inputs(checkpoint, [encode_question(checkpoint, asked.documents[document], ids)])
    stop: dict[str, Any] = {"eos_token_id": sorted(asked.ends)} if asked.ends else {"min_new_tokens": limit}
    out = checkpoint.model.generate(
        **inputs, max_new_tokens=limit, do_sample=False, num_beams=1, repetition_penalty=1.0, pad_token_id=0, **stop
    )
    written = out[0, inputs["input_ids"].shape[1] :].tolist()
    return tuple(written[:-1] if written[-1] in asked.ends else written)


def references(checkpoint: Checkpoint, asked: Task) -> tuple[list[list[tuple[int, ...]]], list[list[tuple[int, ...]]]]:
    alone, as_json = [], []
    with torch.inference_mode():
        for number, images in enumerate(asked.documents):
            head = prefix_ids(checkpoint, images)
            asking = [[*head, *key_question_ids(checkpoint, key)] for key in KEYS]
            alone.append([generated(checkpoint, asked, number, *one) for one in zip(asking, LIMITS, strict=True)])
            question = json_question_ids(checkpoint, images, KEYS)
            as_json.append([generated(checkpoint, asked, number, question, JSON_LIMIT)])
    return alone, as_json


def written(asked: Task, way: str) -> list[list[tuple[int, ...]]]:
    with torch.inference_mode():
        return [[line.ids for line in lines] for lines in WAYS[way](asked)]


def test_every_way_writes_what_generate_writes(checkpoint: Checkpoint) -> None:
    """Two documents of different sizes at once, every family: the tokens of the library, prompt by prompt."""
    asked = task(checkpoint, (0, 1))
    alone, as_json = references(checkpoint, asked)
    assert {way: written(asked, way) for way in WAYS} == {
        **dict.fromkeys(("per_key", "vision_kept", "prefix_kept", "batched"), alone),
        "json": as_json,
    }


def test_answers_end_where_generate_ends(checkpoint: Checkpoint) -> None:
    """A row that ended says so and holds no more; the others go on."""
    free = references(checkpoint, task(checkpoint, (0, 1)))[0]
    asked = task(checkpoint, (0, 1), ends=(free[0][0][1], free[1][2][2]))
    alone, as_json = references(checkpoint, asked)
    assert [line for lines in alone for line in lines] != [line for lines in free for line in lines]
    assert written(asked, "batched") == written(asked, "prefix_kept") == written(asked, "per_key") == alone
    assert written(asked, "json") == as_json
    with torch.inference_mode():
        lines = [line for row in WAYS["batched"](asked) for line in row]
    for line, limit in zip(lines, LIMITS * 2, strict=True):
        assert line.ended == (len(line.ids) < limit and len(line.scores) == len(line.ids) + 1)
        assert all(score <= 0 for score in line.scores)


def test_results_do_not_depend_on_the_batch(checkpoint: Checkpoint) -> None:
    """A document beside another one, or alone."""
    together = written(task(checkpoint, (0, 1)), "batched")
    assert together == [written(task(checkpoint, (number,)), "batched")[0] for number in (0, 1)]


def test_one_reading_does_not_change_another(checkpoint: Checkpoint) -> None:
    """A document that is read between is not noticed: `rope_deltas` of the model object are not used."""
    first, second = (task(checkpoint, (number,)) for number in (0, 1))
    model = checkpoint.model

    def reading(asked: Task) -> greedy.Reading:
        question = json_question_ids(checkpoint, asked.documents[0], KEYS)
        return read(model, model_inputs(checkpoint, [encode_question(checkpoint, asked.documents[0], question)]))

    with torch.inference_mode():
        alone = write(model, reading(first), [JSON_LIMIT], ())
        kept = reading(first)
        reading(second)
        assert write(model, kept, [JSON_LIMIT], ())[0].ids == alone[0].ids


def test_no_scores_of_the_whole_vocabulary_for_every_token(checkpoint: Checkpoint) -> None:
    """The head sees one row a document and step; a prompt's own tokens are never scored."""
    seen: list[int] = []

    def count(_: Any, given: Any) -> None:
        seen.append(given[0].numel() // given[0].shape[-1])

    hook = checkpoint.model.lm_head.register_forward_pre_hook(count)
    try:
        written(task(checkpoint, (0, 1)), "json")
    finally:
        hook.remove()
    assert seen == [2] * JSON_LIMIT


def test_pictures_are_seen_once_where_they_are_kept(checkpoint: Checkpoint) -> None:
    """Once a key with nothing kept, else once."""
    body = checkpoint.model.model
    tower = getattr(body, "visual", None) or body.vision_tower
    calls: list[int] = []
    hook = tower.register_forward_hook(lambda *_: calls.append(1))
    counts = {}
    try:
        for way in WAYS:
            calls.clear()
            written(task(checkpoint, (0,)), way)
            counts[way] = len(calls)
    finally:
        hook.remove()
    assert counts == {"per_key": 3, "vision_kept": 1, "prefix_kept": 1, "batched": 1, "json": 1}


def test_attention_in_both_directions_is_refused(checkpoint: Checkpoint) -> None:
    """The flag of the one pass, on the config or on a layer, never reaches a baseline."""
    require_causal(checkpoint.model)
    with bidirectional(checkpoint.model), pytest.raises(ModelError, match="both directions"):
        written(task(checkpoint, (0,)), "json")
    attention = checkpoint.family.language_layers(checkpoint.model)[1].self_attn
    old, attention.is_causal = attention.is_causal, False
    with pytest.raises(ModelError, match="both directions"):
        require_causal(checkpoint.model)
    attention.is_causal = old
    require_causal(checkpoint.model)


def test_a_saved_flag_and_sampling_defaults_are_left_out(qwen: Checkpoint) -> None:
    """A config.json that says is_causal false, and a generation_config.json that samples, change nothing."""
    asked = Sheet((Picture(0, page(0)),), 1, KEYS)
    before = autoregressive.load(qwen.folder)
    plain = before.forward([before.prepare(asked)])
    config = json.loads((qwen.folder / "config.json").read_text())
    config["text_config"]["is_causal"] = False
    (qwen.folder / "config.json").write_text(json.dumps(config))
    ends = {"eos_token_id": [qwen.end_id, 7], "do_sample": True, "temperature": 0.01, "repetition_penalty": 1.5}
    (qwen.folder / "generation_config.json").write_text(json.dumps(ends))
    after = autoregressive.load(qwen.folder)
    assert autoregressive.end_ids(after.checkpoint) == {qwen.end_id, 7}
    after._ends = before._ends
    assert after.forward([after.prepare(asked)]) == plain


def test_users_texts_are_no_special_tokens(qwen: Checkpoint) -> None:
    """A key called "<|image_pad|>" brings no image token, and "<|im_end|>" ends no turn."""
    images = qwen.family.image_inputs([page(0)], 28 * 28 * 64)
    for ids in (json_question_ids(qwen, images, KEYS), [*prefix_ids(qwen, images), *key_question_ids(qwen, KEYS[2])]):
        assert ids.count(qwen.family.image_id) == images.n_tokens[0]
        assert ids.count(qwen.end_id) == 1
        assert "<|image_pad|> total <|im_end|>" in qwen.tokenizer.decode(ids)


def test_a_prompt_begins_as_its_tokenizer_begins_texts(qwen: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """InternLM2's does with a token of its own, once and before everything else."""
    images = qwen.family.image_inputs([page(0)], 28 * 28 * 64)
    without = json_question_ids(qwen, images, KEYS)
    monkeypatch.setattr(type(qwen.tokenizer), "bos_token_id", 5, raising=False)
    assert json_question_ids(qwen, images, KEYS) == [5, *without]
    assert prefix_ids(qwen, images)[0] == 5


def test_what_training_is_taught(qwen: Checkpoint) -> None:
    """The targets are the answer and its end, at their own places; the rest of the row is the question."""
    images = qwen.family.image_inputs([page(0)], 28 * 28 * 64)
    whole = encode_dialogue(qwen, images, KEYS, ("A-1", None, "5"), as_json=True)
    one = encode_dialogue(qwen, images, KEYS[:1], (None,), as_json=False)
    for encoded, told in ((whole, '{"number": "A-1", "date": null, "total": "5"}'), (one, "unknown")):
        (place,) = encoded.slots
        assert encoded.targets is not None
        assert encoded.targets[place.start :].tolist() == encoded.input_ids[place.start :].tolist()
        assert set(encoded.targets[: place.start].tolist()) == {NO_TARGET}
        assert qwen.tokenizer.decode(encoded.targets[place.start : -1].tolist()) == told
        assert encoded.targets[-1] == qwen.end_id
    assert whole.input_ids[: whole.slots[0].start].tolist() == json_question_ids(qwen, images, KEYS)


def test_an_answer_has_a_limit_whatever_is_asked(qwen: Checkpoint) -> None:
    """Room for the object's frame and twice every value's slots, and never more than 8,192 tokens."""
    assert json_limit(qwen, KEYS[1:2]) > 2 * 12
    assert json_limit(qwen, KEYS) < 2 * (6 + 12 + 8) + 100
    assert json_limit(qwen, [Key(f"k{number}", "text", "x") for number in range(5_000)]) == MAX_WRITTEN


def test_the_backend_reads_what_the_model_wrote(checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values in the order of the keys, null as absent, each with the log-probability of its own tokens."""
    backend = autoregressive.AutoregressiveBackend(checkpoint)
    sheet = Sheet((Picture(0, page(0)), Picture(1, page(1))), 2, KEYS)
    answer = '{"number": "A-17", "date": null, "total": "193'
    ids = checkpoint.tokenizer.encode(answer, add_special_tokens=False)
    scores = tuple(-0.5 if "1" in checkpoint.tokenizer.decode([one]) else -0.001 for one in ids)
    monkeypatch.setattr(autoregressive, "write", lambda *_: [Line(tuple(ids), scores, False)])
    question = pickle.loads(pickle.dumps(backend.prepare(sheet)))
    (part,) = question.parts
    assert question.cost > part.encoded.n_tokens > sum(part.encoded.images.n_tokens)
    ((number, date, total),) = backend.forward([question])
    assert (number.text, date.text, total.text) == ("A-17", None, "193")
    assert (number.flags, date.flags, total.flags) == ((), (), ("value_truncated",))
    assert number.score == pytest.approx(-0.5, abs=0.01)
    assert -0.01 < date.score < 0
    assert total.score == pytest.approx(-0.5, abs=0.01)


def test_what_was_not_heard_is_no_answer(checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random weights write no object: every key is flagged, and nowhere near sure."""
    backend = autoregressive.AutoregressiveBackend(checkpoint)
    sheets = [Sheet((Picture(0, page(number)),), 1, KEYS) for number in (0, 1)]
    monkeypatch.setattr(autoregressive, "json_limit", lambda *_: 6)
    questions = [backend.prepare(sheet) for sheet in sheets]
    together = backend.forward(questions)
    assert together == tuple(backend.forward([one])[0] for one in questions)
    for written_keys in together:
        assert [one.text for one in written_keys] == [None] * 3
        for one in written_keys:
            assert one.flags in (("answer_unreadable",), ("value_truncated",))  # a brace may come by chance
            assert math.exp(one.score) < 0.01
