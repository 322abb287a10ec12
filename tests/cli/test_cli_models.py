"""`pipkie models`: what is here, what it is, whether it is whole; fetching and converting."""

import hashlib
import json
import shutil
from pathlib import Path

import huggingface_hub
import pytest
from command_line import Pipkie
from mllm_tiny import build_tiny

from pipkie_cli.models import mllm

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny("qwen2_vl", tmp_path_factory.mktemp("trained"), sidecar={"base": "Qwen/Tiny", "look": (1,)})


@pytest.fixture(scope="module")
def ordinary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny("internvl", tmp_path_factory.mktemp("ordinary"), mask=False, sidecar=None)


@pytest.fixture
def copied(trained: Path, tmp_path: Path) -> Path:
    return shutil.copytree(trained, tmp_path / "copied")


@pytest.fixture
def cache(trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the hub's client with one model, its weights under their digest, and a data set."""
    repository = tmp_path / "hub" / "models--acme--tiny"
    snapshot, blobs = repository / "snapshots" / COMMIT, repository / "blobs"
    snapshot.mkdir(parents=True)
    blobs.mkdir()
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(COMMIT)
    for path in trained.iterdir():
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[: None if path.suffix == ".safetensors" else 40]
        shutil.copy(path, blobs / digest)
        (snapshot / path.name).symlink_to(blobs / digest)
    (tmp_path / "hub" / "datasets--acme--pages" / "snapshots").mkdir(parents=True)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return snapshot


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "nothing"))


def test_the_list_holds_what_comes_along_and_what_was_fetched(pipkie: Pipkie, cache: Path) -> None:
    """A line each: the name for --model, the name in records, what it does."""
    ended = pipkie("models", "list")
    first, second = ended.out.splitlines()
    assert first.startswith("mini ")
    assert first.split()[1].startswith("mini@")
    assert second.split()[0] == "acme/tiny"
    assert second.split()[1].startswith("qwen2_vl+")
    assert second.endswith("one pass: yes")
    assert (ended.code, ended.err) == (0, "")


def test_the_list_needs_no_cache(pipkie: Pipkie, empty_cache: None) -> None:
    assert [line.split()[0] for line in pipkie("models", "list").out.splitlines()] == ["mini"]


def test_show_tells_how_a_checkpoint_was_trained(pipkie: Pipkie, trained: Path) -> None:
    told = dict(line.split("  ", 1) for line in pipkie("models", "show", str(trained)).out.splitlines())
    told = {what: how.strip() for what, how in told.items()}
    assert told["family"] == "qwen2_vl"
    assert told["one pass"] == "yes, after key-value fine-tuning of Qwen/Tiny"
    assert told["places"] == "attention of layers 1"
    assert told["weights"].endswith("F32, 0.0 GB in 1 file")
    assert "date 12" in told["slots"]


def test_show_tells_what_an_ordinary_checkpoint_can_do(pipkie: Pipkie, ordinary: Path) -> None:
    assert "--decode ar" in pipkie("models", "show", str(ordinary)).out


def test_show_finds_a_model_in_the_cache(pipkie: Pipkie, cache: Path, tmp_path: Path) -> None:
    """By its name, by branch, by the beginning of its commit; nothing is fetched for it."""
    for name in ("acme/tiny", "acme/tiny@main", f"acme/tiny@{COMMIT[:8]}"):
        assert str(cache) in pipkie("models", "show", name).out
    ended = pipkie("models", "show", "acme/other")
    assert ended.code == 6
    assert "pipkie models download acme/other" in ended.err


def test_show_mini(pipkie: Pipkie) -> None:
    ended = pipkie("models", "show", "mini")
    assert ended.out.startswith("revision    mini@")
    assert ended.code == 0


def test_verify_loads_and_checks(pipkie: Pipkie, trained: Path, ordinary: Path) -> None:
    ended = pipkie("models", "verify", str(trained))
    assert ended.out.splitlines()[-1].startswith("one pass: yes")
    assert ended.code == 0
    ended = pipkie("models", "verify", str(ordinary))
    assert ended.out.splitlines()[-1].startswith("one pass: no")
    assert ended.code == 0
    assert pipkie("models", "verify", "mini").out.startswith("mini@")


def test_verify_compares_with_what_was_published(pipkie: Pipkie, cache: Path) -> None:
    """A byte that changed on the disk: the file is whole, its content is not."""
    ended = pipkie("models", "verify", "acme/tiny")
    assert "content: 1 files have the SHA-256" in ended.out
    weights = (cache / "model.safetensors").resolve()
    spoilt = bytearray(weights.read_bytes())
    spoilt[-1] ^= 1
    weights.write_bytes(spoilt)
    ended = pipkie("models", "verify", "acme/tiny")
    assert ended.code == 6
    assert "not the content that was published" in ended.err


def cut_short(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-10])


def huge_header(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"\xff" * 8 + b"{}")


def odd_header(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b'\x0c\0\0\0\0\0\0\0{"a": [1,2]}')


def missing_part(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    told = {"weight_map": {"a": "model-1.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(told))


def part_outside(folder: Path) -> None:
    (folder / "model.safetensors.index.json").write_text('{"weight_map": {"a": "../a.safetensors"}}')


def other_mask(folder: Path) -> None:
    path = folder / "pipkie.json"
    told = json.loads(path.read_text())
    path.write_text(json.dumps({**told, "mask_id": told["mask_id"] - 1}))


@pytest.mark.parametrize("harm", [cut_short, huge_header, odd_header, missing_part, part_outside, other_mask])
def test_verify_names_what_is_damaged(pipkie: Pipkie, copied: Path, harm: object) -> None:
    harm(copied)  # type: ignore[operator]
    ended = pipkie("models", "verify", str(copied))
    assert ended.code == 6
    assert str(copied) in ended.err


def test_the_list_leaves_out_what_is_damaged(pipkie: Pipkie, cache: Path) -> None:
    (cache / "model.safetensors").unlink()
    assert [line.split()[0] for line in pipkie("models", "list").out.splitlines()] == ["mini"]


def test_download_prints_the_folder(pipkie: Pipkie, trained: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """stdout is the folder alone; what can be done with it is for people."""
    monkeypatch.setattr(mllm, "fetch", lambda name: trained)
    ended = pipkie("models", "download", "acme/tiny@v1")
    assert ended.out == f"{trained}\n"
    assert "one pass: yes" in ended.err


def test_download_wants_a_name_of_the_hub(pipkie: Pipkie, trained: Path) -> None:
    assert pipkie("models", "download", "mini").code == 2
    assert pipkie("models", "download", str(trained)).code == 2


def test_convert_and_show(pipkie: Pipkie, tmp_path: Path) -> None:
    """From the chat format to a checkpoint that loads; the list's own words say what is next."""
    from chat_layout import write_chat

    write_chat(tmp_path / "chat")
    assert "pipkie models convert" in pipkie("models", "show", str(tmp_path / "chat")).out
    ended = pipkie("models", "convert", str(tmp_path / "chat"), str(tmp_path / "native"))
    assert (ended.code, ended.out) == (0, "")
    assert pipkie("models", "verify", str(tmp_path / "native")).code == 0
    again = pipkie("models", "convert", str(tmp_path / "chat"), str(tmp_path / "native"))
    assert again.code == 5
    assert pipkie("models", "convert", str(tmp_path / "native"), str(tmp_path / "other")).code == 6


def test_a_model_that_is_nowhere(pipkie: Pipkie, tmp_path: Path) -> None:
    assert pipkie("models", "show", str(tmp_path / "nowhere")).code == 6
