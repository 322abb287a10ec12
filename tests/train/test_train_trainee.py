"""The network while it learns: what moves, what stays, what a checkpoint brings back."""

import copy
import json
from dataclasses import asdict
from pathlib import Path

import pytest
import torch
from made_tokenizer import tokenizer_json
from tiny import SHAPE, real_page, write_start

from pipkie_cli.models.mini import PieceReader, make_inputs
from pipkie_cli.nouns import Example, Key
from pipkie_cli.train.batches import Batch, make_batch
from pipkie_cli.train.network import PageStage
from pipkie_cli.train.stream import window_of
from pipkie_cli.train.trainee import Trainee, average_runs, load_page_stage, load_text_stage

KEYS = (Key("total", "amount", "total", ("TOTAL",)), Key("iban", "text", "iban"))


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_start(tmp_path_factory.mktemp("start"))


@pytest.fixture
def batch() -> Batch:
    reader, page = PieceReader(tokenizer_json()), real_page()
    inputs = make_inputs(window_of(Example(page.page, 1, ()), KEYS), reader)
    return make_batch([inputs], [[page.spans["total"], ()]], reader.pad)


def a_trainee(start: Path, seed: int = 0) -> Trainee:
    torch.manual_seed(seed)
    stage = PageStage(SHAPE.width, SHAPE.heads, SHAPE.layers)
    return Trainee(load_text_stage(start / "text_stage.safetensors"), stage, "cpu")


def test_it_learns_one_page_by_heart(start: Path, batch: Batch) -> None:
    """The loss of a page that is shown again and again falls to nearly nothing."""
    trainee = a_trainee(start)
    losses = [trainee.learn(batch, 1e-2) for _ in range(16)]
    assert losses[0] > 2
    assert losses[-1] < 0.2
    with torch.no_grad():
        first, last, absent = trainee.scores(batch)
    (total,) = real_page().spans["total"]
    assert (int(first[0, 0].argmax()), int(last[0, 0].argmax())) == total
    assert float(absent[0, 1]) > float(first[0, 1].max() + last[0, 1].max())


def test_only_the_page_stage_learns(start: Path, batch: Batch) -> None:
    """The text stage stays what it was: extraction computes its key texts once."""
    trainee = a_trainee(start)
    text, page = copy.deepcopy(trainee.text.state_dict()), copy.deepcopy(trainee.master.state_dict())
    trainee.learn(batch, 1e-2)
    for name, tensor in trainee.text.state_dict().items():
        assert torch.equal(tensor, text[name]), name
    moved = [name for name, tensor in trainee.master.state_dict().items() if not torch.equal(tensor, page[name])]
    assert {"word_in.weight", "from_slot.weight", "absent.weight", "mask"} <= set(moved)


def test_the_working_copy_follows_the_master(start: Path, batch: Batch) -> None:
    """bfloat16 works, float32 remembers: steps too small for bfloat16 add up."""
    trainee = a_trainee(start)
    for _ in range(3):
        trainee.learn(batch, 1e-5)
    for master, working in zip(trainee.master.parameters(), trainee.working.parameters(), strict=True):
        assert (master.dtype, working.dtype) == (torch.float32, torch.bfloat16)
        assert torch.equal(master.to(torch.bfloat16), working)
    assert any(not torch.equal(one, one.to(torch.bfloat16).float()) for one in trainee.master.parameters())


def test_a_checkpoint_brings_everything_back(start: Path, batch: Batch) -> None:
    """Weights and the optimiser's memory: the next step is the same to the last bit."""
    trainee, other = a_trainee(start), a_trainee(start, seed=1)
    for _ in range(3):
        trainee.learn(batch, 1e-3)
    other.restore(copy.deepcopy(trainee.state()))
    assert [trainee.learn(batch, 1e-3) for _ in range(3)] == [other.learn(batch, 1e-3) for _ in range(3)]
    for one, two in zip(trainee.master.parameters(), other.master.parameters(), strict=True):
        assert torch.equal(one, two)


def test_runs_are_averaged(start: Path, tmp_path: Path) -> None:
    """The mean of the weights; what the first run did not have is the second one's."""
    trainees = [a_trainee(start, seed) for seed in (0, 1)]
    for name, trainee in zip(("one", "two"), trainees, strict=True):
        (tmp_path / name).mkdir()
        state = trainee.state()
        if name == "one":
            state["page"] = {key: value for key, value in state["page"].items() if key != "ends"}
        torch.save({**state, "done": {"seen": 7}}, tmp_path / name / "checkpoint.pt")
        (tmp_path / name / "plan.json").write_text(json.dumps({"plan": {}, "shape": asdict(SHAPE)}))
    average_runs([tmp_path / "one", tmp_path / "two"], tmp_path / "mean")
    mean = load_page_stage(tmp_path / "mean").state_dict()
    one, two = (trainee.master.state_dict() for trainee in trainees)
    torch.testing.assert_close(mean["mask"], (one["mask"] + two["mask"]) / 2)
    assert torch.equal(mean["ends"], two["ends"])


def test_stages_are_loaded_from_their_files(start: Path, tmp_path: Path) -> None:
    """The text stage is frozen and as deep as its file; the page stage is the checkpoint's master."""
    text = load_text_stage(start / "text_stage.safetensors")
    assert len(text.layers) == 1
    assert not any(parameter.requires_grad for parameter in text.parameters())
    trainee = a_trainee(start)
    torch.save({**trainee.state(), "done": {}}, tmp_path / "checkpoint.pt")
    (tmp_path / "plan.json").write_text(json.dumps({"plan": {}, "shape": asdict(SHAPE)}))
    loaded = load_page_stage(tmp_path).state_dict()
    assert all(torch.equal(tensor, loaded[name]) for name, tensor in trainee.master.state_dict().items())
