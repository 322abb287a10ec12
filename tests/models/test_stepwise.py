"""Word by word, on shipped and on tiny weights: the first step is the one pass; keys together are keys alone."""

import random
from dataclasses import replace

import numpy as np
import pytest

from pipkie_cli.models.mini import MiniInputs, Stepwise, one_pass_of
from pipkie_cli.models.mini.backend import MiniBackend, load
from pipkie_cli.nouns import Box, Cell, Key, Window, Word
from pipkie_cli.prompts import printed_rows

KEYS = tuple(
    Key(name, kind, name.replace("_", " "))
    for name, kind in (("total", "amount"), ("invoice_number", "text"), ("issue_date", "date"), ("seller", "text"))
)


def window(with_cells: bool) -> Window:
    """Forty words of an invoice in lines of four, with labels of keys among them; two cells of a table."""
    rng = random.Random(0)
    texts = ["Melur", "Trading", "Ltd.", "Invoice", "number", "R-17", "Date", "14.03.2018", "Total", "55.50"]
    words = [*texts, *(rng.choice(texts) + str(rng.randint(1, 99)) for _ in range(30))]
    boxes = [
        Box(0.1 + 0.2 * (i % 4), 0.05 + 0.02 * (i // 4), 0.25 + 0.2 * (i % 4), 0.065 + 0.02 * (i // 4))
        for i in range(40)
    ]
    placed = tuple(
        Word(text, box, i // 4, i // 4, "text") for i, (text, box) in enumerate(zip(words, boxes, strict=True))
    )
    row = printed_rows(placed)[4]
    cells = tuple(Cell("items", key, row) for key in KEYS[:2]) if with_cells else ()
    return Window(0, 1, 600, 800, 0, placed, KEYS, cells)


@pytest.fixture(scope="module", params=["shipped", "tiny"])
def which(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def model(which: str, tmp_path_factory: pytest.TempPathFactory) -> MiniBackend:
    if which == "shipped":
        return load(None)
    pytest.importorskip("torch", reason="a checkpoint is made by pipkie[train]")
    from finetune_tiny import write_checkpoint

    return load(write_checkpoint(tmp_path_factory.mktemp("tiny")))


@pytest.fixture(scope="module")
def stepwise(model: MiniBackend) -> Stepwise:
    return Stepwise(model.folder / "page.onnx")


@pytest.fixture(scope="module")
def inputs(model: MiniBackend, which: str) -> MiniInputs:
    return model.prepare(window(with_cells=which == "tiny"))


def test_the_first_step_is_the_one_pass(model: MiniBackend, stepwise: Stepwise, inputs: MiniInputs) -> None:
    """Scores of the first word and of ABSENT are those of page.onnx, all keys together or each alone."""
    texts = model.texts(inputs)
    first, _, absent = model.page_scores(inputs, texts)
    asked = range(len(inputs.types))
    assert min(float(cue.max()) for cue in (inputs.matches, inputs.beside, inputs.below)) > 0  # what both treat alike
    state = stepwise.read_page(texts, inputs, asked)
    following, ended = stepwise.step(state, asked, [()] * len(asked))
    np.testing.assert_allclose(following, first, atol=1e-3)
    np.testing.assert_allclose(ended, absent, atol=1e-3)
    alone = stepwise.read_page(texts, inputs, [2])
    following, ended = stepwise.step(alone, [0], [()])
    np.testing.assert_allclose(following[0], first[2], atol=1e-3)
    np.testing.assert_allclose(ended[0], absent[2], atol=1e-3)


def test_a_label_says_where_a_value_begins_not_how_it_goes_on(
    model: MiniBackend, stepwise: Stepwise, inputs: MiniInputs
) -> None:
    """What stands beside a label or below it is likelier as long as no word is chosen."""
    state = stepwise.read_page(model.texts(inputs), inputs, range(4))
    more = replace(state, begins=state.begins + 1)
    for value, added in (((), 1.0), ((8,), 0.0)):
        for key in range(4):
            (before, _), (after, _) = (stepwise.step(one, [key], [value]) for one in (state, more))
            np.testing.assert_allclose(after - before, added, atol=1e-3)


def test_keys_together_are_keys_alone(model: MiniBackend, stepwise: Stepwise, inputs: MiniInputs) -> None:
    """Values of unlike length in one forward: what pads the shorter ones is not seen; what was chosen is."""
    state = stepwise.read_page(model.texts(inputs), inputs, range(4))
    values = [(8, 9), (), (3,), (0, 1, 2)]
    following, ended = stepwise.step(state, range(4), values)
    for key, value in enumerate(values):
        one, end = stepwise.step(state, [key], [value])
        np.testing.assert_allclose(following[key], one[0], atol=1e-3)
        np.testing.assert_allclose(ended[key], end[0], atol=1e-3)
    assert not np.allclose(following[0], stepwise.step(state, [0], [()])[0][0], atol=1e-2)


def test_the_next_word_is_the_likeliest_or_end(
    model: MiniBackend, stepwise: Stepwise, inputs: MiniInputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word where it is likelier than END, else -1."""
    scores = np.array([[0.0, 3.0], [5.0, 1.0]], np.float32), np.array([2.0, 9.0], np.float32)
    monkeypatch.setattr(stepwise, "step", lambda state, keys, values: scores)
    state = stepwise.read_page(model.texts(inputs), inputs, [0, 1])
    assert stepwise.next_words(state, [0, 1], [(), ()]) == [1, -1]


def test_other_backends_are_not_cut(model: MiniBackend) -> None:
    """Whoever has no stages to run apart is told so by None."""
    assert one_pass_of(model) is model
    assert one_pass_of(object()) is None
