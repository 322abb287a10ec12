"""What happens after the first pass: unsure slots are masked again, cut values get twice the slots."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from mllm_tiny import build_tiny

from pipkie_cli.models.mllm import TRUNCATED, Checkpoint, Encoded, answer_ids, encode_prompt, load_checkpoint
from pipkie_cli.models.mllm import refine as refine_module
from pipkie_cli.models.mllm.decode import LENGTHENED, written
from pipkie_cli.models.mllm.forward import Filled
from pipkie_cli.models.mllm.prompt import MAX_SLOTS
from pipkie_cli.models.mllm.refine import Asked, read_values
from pipkie_cli.nouns import Key

PAGE = np.zeros((60, 60, 3), np.uint8)
SURE, UNSURE = -0.01, -1.0


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    return load_checkpoint(build_tiny("qwen2_vl", tmp_path_factory.mktemp("model")))


def asked(checkpoint: Checkpoint, **slots: int) -> Asked:
    keys = tuple(Key(name, "text", name) for name in slots)
    return Asked(encode_prompt(checkpoint, [PAGE], keys, list(slots.values())), keys, (0,))


class Model:
    """A stand-in for the forward: gives what each pass is told to, and keeps the rows it was asked."""

    def __init__(self, *passes: list[tuple[list[int], list[float]]]) -> None:
        self.passes, self.rows = list(passes), list[list[Encoded]]()

    def __call__(self, checkpoint: Checkpoint, rows: Sequence[Encoded]) -> list[Filled]:
        self.rows.append(list(rows))
        told = self.passes.pop(0)
        assert [len(tokens) for tokens, _ in told] == [sum(map(len, row.slots)) for row in rows]
        looks = [np.ones((len(one[0]), sum(row.images.n_tokens))) for one, row in zip(told, rows, strict=True)]
        return [Filled(np.asarray(one[0]), np.asarray(one[1]), look) for one, look in zip(told, looks, strict=True)]


def value(checkpoint: Checkpoint, text: str, slots: int) -> list[int]:
    """The tokens of a text, then ends."""
    ids = answer_ids(checkpoint, text)
    return ids + [checkpoint.end_id] * (slots - len(ids))


def test_a_value_is_read_up_to_its_end(checkpoint: Checkpoint) -> None:
    """Fills behind the end count neither as text nor in the score; unknown and empty are absent; no end is a flag."""
    tokens = value(checkpoint, "12", 5)
    one = written(checkpoint, tokens, [-1, -2, -4, -8, -16])
    assert (one.text, one.score, one.flags, one.passes) == ("12", -7, (), 1)
    for text in ("unknown", "Unknown", ""):
        n = len(answer_ids(checkpoint, text))
        one = written(checkpoint, value(checkpoint, text, n + 2), [-1] * (n + 2))
        assert (one.text, one.score) == (None, -(n + 1))
    cut = written(checkpoint, tokens[:2], [-1, -2])
    assert (cut.text, cut.score, cut.flags) == ("12", -3, (TRUNCATED,))


def test_what_a_model_writes_stays_on_one_line_and_printable(checkpoint: Checkpoint) -> None:
    """Control characters, half of a UTF-8 letter and runs of blanks become one blank."""
    text = "a\x1b[31m\n\r\t b\u2028c\x00"
    assert written(checkpoint, value(checkpoint, text, 40), [-1.0] * 40).text == "a [31m b c"
    (half, *_) = answer_ids(checkpoint, "€")
    assert written(checkpoint, [*answer_ids(checkpoint, "5"), half, checkpoint.end_id], [-1.0] * 3).text == "5"


def test_sure_slots_stand_and_unsure_ones_are_asked_again(
    checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only in documents, and for keys, that have an unsure slot up to the end of a value."""
    documents = [asked(checkpoint, a=3, b=4), asked(checkpoint, c=3)]
    a, b, c = value(checkpoint, "12", 3), value(checkpoint, "34", 4), value(checkpoint, "5", 3)
    model = Model(
        [(a + b, [SURE, UNSURE, SURE, SURE, SURE, SURE, UNSURE]), (c, [SURE, SURE, UNSURE])],
        [(answer_ids(checkpoint, "7"), [SURE])],
    )
    monkeypatch.setattr(refine_module, "fill_slots", model)
    (first, second), (third,) = read_values(checkpoint, documents, passes=3)
    assert [one.text for one in (first, second, third)] == ["17", "34", "5"]  # b's unsure slot is a fill, as is c's
    assert [one.passes for one in (first, second, third)] == [2, 1, 1]
    assert first.score == pytest.approx(3 * SURE)
    (again,) = model.rows[1]  # the second document was not asked; a third pass had nothing to do
    position = documents[0].encoded.slots[0][1]
    assert again.slots == (range(position, position + 1),)
    assert np.flatnonzero(again.input_ids == checkpoint.trained.mask_id).tolist() == [position]
    assert again.input_ids[documents[0].encoded.slots[0][0]] == a[0]
    assert (documents[0].encoded.input_ids[list(documents[0].encoded.slots[0])] == checkpoint.trained.mask_id).all()


def test_one_pass_is_one_forward(checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """However unsure."""
    model = Model([(value(checkpoint, "12", 3), [UNSURE] * 3)])
    monkeypatch.setattr(refine_module, "fill_slots", model)
    ((one,),) = read_values(checkpoint, [asked(checkpoint, a=3)])
    assert (one.text, one.passes) == ("12", 1)


def test_a_cut_value_is_asked_again_with_twice_the_slots(
    checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alone, without the keys that had their end; still cut, it keeps its flag; what had begun is not absent."""
    documents = [asked(checkpoint, a=2, b=2), asked(checkpoint, c=2), asked(checkpoint, d=3), asked(checkpoint, e=2)]
    ids = {text: answer_ids(checkpoint, text) for text in ("12", "1234", "56", "unknown")}
    unknown = value(checkpoint, "unknown", max(4, len(ids["unknown"]) + 1))[:4]
    model = Model(
        [
            (ids["12"] + value(checkpoint, "9", 2), [SURE] * 4),
            (ids["12"], [SURE] * 2),
            (value(checkpoint, "12", 3), [SURE] * 3),
            (ids["56"], [UNSURE] * 2),
        ],
        [(value(checkpoint, "123", 4), [SURE] * 4), (ids["1234"], [SURE] * 4), (unknown, [SURE] * 4)],
    )
    monkeypatch.setattr(refine_module, "fill_slots", model)
    (a, b), (c,), (d,), (e,) = read_values(checkpoint, documents)
    assert [len(row.slots) for row in model.rows[1]] == [1, 1, 1]
    assert (a.text, a.flags, a.passes) == ("123", (LENGTHENED,), 1)
    assert (b.text, b.passes) == ("9", 1)
    assert (c.text, c.flags, c.passes) == ("1234", (LENGTHENED, TRUNCATED), 1)
    assert (d.text, d.flags, d.passes) == ("12", (), 1)
    assert (e.text, e.flags, e.passes) == ("56", (TRUNCATED,), 1)


def test_longer_slots_are_not_called_refined(checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value asked again with twice the slots is said to be that; refined is what was read in doubt, of either."""
    model = Model(
        [(answer_ids(checkpoint, "12"), [SURE] * 2)],
        [(value(checkpoint, "123", 4), [SURE, UNSURE, SURE, SURE])],
        [([answer_ids(checkpoint, "9")[0]], [SURE])],
    )
    monkeypatch.setattr(refine_module, "fill_slots", model)
    ((one,),) = read_values(checkpoint, [asked(checkpoint, a=2)], passes=2)
    assert (one.text, one.flags, one.passes) == ("193", (LENGTHENED,), 2)


def test_slots_do_not_grow_without_end(checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the largest number of slots a cut value is asked once."""
    model = Model([(answer_ids(checkpoint, "1") * MAX_SLOTS, [SURE] * MAX_SLOTS)])
    monkeypatch.setattr(refine_module, "fill_slots", model)
    ((one,),) = read_values(checkpoint, [asked(checkpoint, a=10 * MAX_SLOTS)])
    assert one.flags == (TRUNCATED,)


def test_a_random_model_is_refined(tmp_path: Path) -> None:
    """The real forward under all of it: more passes, the same keys, every score a log-probability."""
    checkpoint = load_checkpoint(build_tiny("internvl", tmp_path))
    ((one, other),) = read_values(checkpoint, [asked(checkpoint, a=3, b=4)], passes=3)
    assert one.passes >= 3
    assert other.score < 0
