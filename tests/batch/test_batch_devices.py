"""Where a model runs: what --devices says, within CUDA_VISIBLE_DEVICES, before torch is loaded."""

from pathlib import Path

import pytest

from pipkie_cli.batch import choose_devices, devices
from pipkie_cli.batch.devices import environment_of, torch_name
from pipkie_cli.errors import ModelError, UsageError


@pytest.fixture
def pixels(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Every model reads pixels; this machine has four GPUs."""
    monkeypatch.setattr("pipkie_cli.models.reads_pixels", lambda name: name != "mini")
    monkeypatch.setattr(devices, "_may_have_cuda", lambda: True)
    monkeypatch.setattr(devices, "_cuda_count", lambda: 4)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    return monkeypatch


def test_devices_as_they_are_said(pixels: pytest.MonkeyPatch) -> None:
    """auto and cuda are every GPU; numbers are taken as they are."""
    every = ("cuda:0", "cuda:1", "cuda:2", "cuda:3")
    said = {"auto": every, "cuda": every, "cpu": ("cpu",), "cuda:2": ("cuda:2",), "cuda:0,3": ("cuda:0", "cuda:3")}
    assert {one: choose_devices(one, "big") for one in said} == said


def test_without_a_gpu_auto_is_the_cpu(pixels: pytest.MonkeyPatch) -> None:
    """Torch is not even asked where no driver is; who asks for a GPU is told."""
    pixels.setattr(devices, "_cuda_count", lambda: 0)
    assert choose_devices("auto", "big") == ("cpu",)
    with pytest.raises(ModelError, match="finds no GPU"):
        choose_devices("cuda", "big")
    pixels.setattr(devices, "_may_have_cuda", lambda: False)
    pixels.setattr(devices, "_cuda_count", None)
    assert choose_devices("auto", "big") == ("cpu",)


def test_workers_hold_a_model_that_points_at_words(pixels: pytest.MonkeyPatch) -> None:
    assert choose_devices("auto", "mini") == choose_devices("cpu", "mini") == ()
    with pytest.raises(UsageError, match="mini runs on the CPU"):
        choose_devices("cuda:0", "mini")


@pytest.mark.parametrize("said", ["gpu", "cuda:", "cuda:x", "cuda:0,", "cuda:-1", "cuda:²", "", "cuda:0,0"])
def test_what_is_no_device_is_said(pixels: pytest.MonkeyPatch, said: str) -> None:
    with pytest.raises(UsageError, match="--devices"):
        choose_devices(said, "big")


def test_numbers_count_among_the_visible_ones(pixels: pytest.MonkeyPatch) -> None:
    """As torch would count them; CUDA stops reading its list at a -1."""
    pixels.setenv("CUDA_VISIBLE_DEVICES", "5,GPU-7f3a,-1,2")
    assert choose_devices("cuda:1", "big") == ("cuda:1",)
    with pytest.raises(UsageError, match="leaves 2 devices"):
        choose_devices("cuda:2", "big")


def test_a_process_sees_its_device_alone() -> None:
    """Set before torch loads, so that it is cuda:0 there, and a mistake elsewhere cannot take another's."""
    visible = {"CUDA_VISIBLE_DEVICES": "5,GPU-7f3a"}
    assert environment_of("cuda:1", visible) == {"CUDA_VISIBLE_DEVICES": "GPU-7f3a"}
    assert environment_of("cuda:3", {}) == {"CUDA_VISIBLE_DEVICES": "3"}
    assert environment_of("cpu", visible) == {"CUDA_VISIBLE_DEVICES": ""}
    assert (torch_name("cuda:3"), torch_name("cpu")) == ("cuda:0", "cpu")


def test_nothing_is_asked_where_no_device_is_visible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "-1")
    assert not devices._may_have_cuda()
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert not devices._may_have_cuda()


def test_torch_is_counted_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whatever goes wrong there, there is no GPU to use."""
    monkeypatch.setattr(devices, "_COUNT", "print(3)")
    assert devices._cuda_count() == 3
    monkeypatch.setattr(devices, "_COUNT", "import a_torch_that_is_not_there")
    assert devices._cuda_count() == 0
    monkeypatch.setattr(devices, "PROBE_S", 0.2)
    monkeypatch.setattr(devices, "_COUNT", "import time; time.sleep(60)")
    assert devices._cuda_count() == 0
