"""One pass against word by word: what is run, what is divided by what, and what is refused."""

from pathlib import Path
from typing import Any

import pytest
from mllm_tiny import build_tiny

from pipkie_cli.errors import ModelError, UsageError
from pipkie_cli.evaluate import bench_pip, pip_table, plan_pip_bench, run_pip_bench
from pipkie_cli.models.mllm import meter, random_model
from pipkie_cli.models.mllm.random_model import SIZES, Size

WAYS = ["per_key", "vision_kept", "prefix_kept", "batched", "json"]
TINY = Size(32, 64, 2, 2, 1, 7_000, False, 1, 32, 2, (56, 84), on_cpu=True)


@pytest.fixture(scope="module")
def figures() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(SIZES, "tiny", TINY)
        plan = plan_pip_bench(None, "tiny", "cpu", (1, 3), (4,), (2,), 1)
        return run_pip_bench(plan, lambda _: None)


def test_every_way_has_its_figures(figures: Any) -> None:
    """Per number of keys: seconds, documents a second, how many times the one pass, peak memory."""
    one, three = figures["rows"]
    assert (one["keys"], three["keys"], one["documents"], one["slots_per_document"]) == (1, 3, 2, 4)
    assert list(three["speed_up"]) == WAYS
    seconds = three["s_per_document"]
    for way in WAYS:
        assert three["speed_up"][way] == pytest.approx(seconds[way] / seconds["one_pass"])
        assert three["documents_per_s"][way] == pytest.approx(1 / seconds[way])
    assert three["image_tokens"] == 6
    assert three["row_tokens"] > one["row_tokens"] > 6 + 4
    assert three["flops_per_document"] > one["flops_per_document"] > 0
    assert three["flops_utilisation"] is None  # nobody knows what this processor could do
    assert figures["parameters"] > 7_000 * 32 * 2
    assert {"torch", "transformers"} <= set(figures["versions"])


def test_the_json_answer_has_as_many_steps_as_it_has_tokens(figures: Any) -> None:
    """Its frame, three tokens and no end a value, one end: not more than a careless count would give."""
    one, three = figures["rows"]
    assert three["json_steps"] - one["json_steps"] >= 2 * (3 + 4)
    assert three["json_steps"] < 3 * (3 + 15)


def test_the_table_says_the_same(figures: Any) -> None:
    """A line of ratios and one of memory per number of keys."""
    lines = pip_table(figures)
    assert lines[2].split()[:5] == ["keys", "slots", "docs", "one", "pass"]
    assert [line.count(" x") for line in lines[3:7:2]] == [5, 5]
    assert lines[3].split()[:3] == ["1", "4", "2"]


def test_utilisation_where_the_device_is_known() -> None:
    """Operations a second over what the maker says; without memory figures their line is left out."""
    row = {"flops_per_document": 4e12, "s_per_document": {"one_pass": 0.02}}
    assert bench_pip._with_utilisation(row, 989e12)["flops_utilisation"] == pytest.approx(0.2022, abs=1e-4)
    assert bench_pip._with_utilisation(row, None)["flops_utilisation"] is None


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"size": "9b"}, "--size 9b is not known"),
        ({"size": "7b"}, "--size 7b takes hours on a CPU"),
        ({"keys": (0,)}, "--keys takes numbers from 1 to 60"),
        ({"keys": ()}, "--keys takes numbers"),
        ({"slots": (1,)}, "--slots takes numbers from 2"),
        ({"documents": (1, 10**6)}, "--documents takes numbers"),
        ({"rounds": 0}, "--rounds takes numbers"),
    ],
)
def test_what_cannot_be_measured_is_refused(changed: dict[str, Any], told: str) -> None:
    """Before anything is built."""
    asked: dict[str, Any] = {
        "model": None, "size": "small", "device": "cpu", "keys": (1,), "slots": (8,), "documents": (1,), "rounds": 1,
    }  # fmt: skip
    with pytest.raises(UsageError, match=told):
        plan_pip_bench(**{**asked, **changed})


@pytest.mark.parametrize("device", ["cuda:99", "abacus"])
def test_a_device_that_is_not_there(device: str) -> None:
    """An error with a way out, no traceback."""
    with pytest.raises(ModelError, match=f"cannot be made on {device}"):
        run_pip_bench(plan_pip_bench(None, "small", device, (1,), (8,), (1,), 1), lambda _: None)


def test_a_checkpoint_of_ones_own(tmp_path: Path) -> None:
    """--model takes a folder that was trained for one pass, of any family."""
    folder = build_tiny("internvl", tmp_path / "tiny")
    figures = run_pip_bench(plan_pip_bench(folder, "small", "cpu", (1,), (3,), (1,), 1), lambda _: None)
    assert figures["model"] == "tiny"
    assert list(figures["rows"][0]["speed_up"]) == WAYS


def test_published_sizes() -> None:
    """The numbers of parameters are those of Qwen2-VL: 2.2 and 8.3 billion."""
    import torch
    from transformers import Qwen2VLConfig, Qwen2VLForConditionalGeneration

    tokenizer = random_model._tokenizer(["total: 12.50"])
    for name, billions in (("2b", 2.21), ("7b", 8.29)):
        config = random_model._config(SIZES[name], tokenizer, Qwen2VLConfig)
        with torch.device("meta"):
            model = Qwen2VLForConditionalGeneration._from_config(config)
        assert sum(one.numel() for one in model.parameters()) / 1e9 == pytest.approx(billions, abs=0.01)


def test_peak_memory_is_that_of_the_run() -> None:
    """What a run held and gave back counts, what was held before does not."""
    import numpy as np

    held = np.ones(8 << 20, np.uint8)
    peak = meter.peak_bytes(lambda: np.ones(64 << 20, np.uint8).sum(), "cpu")
    assert peak is None or 60 << 20 < peak < 80 << 20
    assert held.sum() == 8 << 20
    assert meter.spent(lambda: sum(range(10_000)), "cpu").wall_s > 0
