"""What a model is, from its small files alone: no weight is loaded, no library of models imported, nothing fetched."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipkie_cli.errors import ModelError
from pipkie_cli.models.checkpoint import multimodal_revision, read_sidecar, revision_of
from pipkie_cli.models.limits import read_json
from pipkie_cli.models.registry import ON_A_HUB, folder_of
from pipkie_cli.models.weights import Weights, read_weights

if TYPE_CHECKING:
    from pipkie_cli.models.mllm import Sidecar

CHAT = "internvl_chat"  # model_type of a folder that has to be converted


@dataclass(frozen=True, slots=True)
class About:
    """A model that is on this machine."""

    name: str  # what --model takes
    revision: str  # what records say
    folder: Path
    facts: tuple[tuple[str, str], ...]  # what, and how it is


def about_model(name: str) -> About:
    """What there is to say of a model. Raises ModelError for a damaged one, or one that is not on this machine."""
    folder = local_folder(name)
    if not (folder / "config.json").is_file():
        told = read_sidecar(folder, shipped=name == "mini")
        return About(name, revision_of(folder, told), folder, tuple(_facts_of_mini(told)))
    return About(name, multimodal_revision(folder), folder, tuple(_facts_of_multimodal(folder)))


def models_here() -> tuple[About, ...]:
    """The model that comes along, and those of the hub's cache that pipkie can use, by name. Damaged ones stay out."""
    from pipkie_cli.models.mllm import FAMILIES, cached_models

    found = [about_model("mini")]
    for one in cached_models():
        try:
            if read_json(one.folder / "config.json").get("model_type") in (*FAMILIES, CHAT):
                found.append(about_model(one.name))
        except ModelError:
            continue  # other people's folders lie in that cache, half-fetched ones too
    return tuple(found)


def local_folder(name: str) -> Path:
    """Where a model lies. One on a hub is not fetched for this: several gigabytes are asked for by name only."""
    if Path(name).is_dir() or not ON_A_HUB.fullmatch(name):
        return folder_of(name)
    from pipkie_cli.models.mllm import cached_models

    asked, _, revision = name.partition("@")
    for one in cached_models():
        if one.repository == asked and one.is_revision(revision):
            return one.folder
    raise ModelError(f"{name} is not on this machine", hint=f"fetch it: pipkie models download {name}")


def _facts_of_mini(told: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "reads", "words of the page, and points at values"
    yield "method", str(told.get("method", "unknown"))
    yield "calibrated", "yes" if told.get("calibration") else "no"


def _facts_of_multimodal(folder: Path) -> Iterator[tuple[str, str]]:
    from pipkie_cli.models.mllm import FAMILIES
    from pipkie_cli.models.mllm import read_sidecar as read_trained

    kind = read_json(folder / "config.json").get("model_type")
    yield "family", str(kind)
    yield "reads", "pages as pixels, and writes values"
    yield "weights", _size(read_weights(folder))
    if kind == CHAT:
        yield "usable", f"after pipkie models convert {folder} NEW_FOLDER"
        return
    if kind not in FAMILIES:
        yield "usable", f"no: pipkie runs {', '.join(FAMILIES)}"
        return
    sidecar = read_trained(folder)
    if sidecar is None:
        yield "one pass", "no: it was not trained for it (pipkie train --stage kv); it reads with --decode ar"
        return
    yield from _facts_of_training(sidecar)


def _facts_of_training(sidecar: "Sidecar") -> Iterator[tuple[str, str]]:
    of = f" of {sidecar.base}" if sidecar.base else ""
    stage = "key-value fine-tuning" if sidecar.stage == "kv" else "mask pre-training alone: values come after stage kv"
    yield "one pass", f"yes, after {stage}{of}"
    yield "mask, end", f"{sidecar.mask_token} ({sidecar.mask_id}), {sidecar.end_token} ({sidecar.end_id})"
    yield "unknown", sidecar.unknown
    yield "slots", ", ".join(f"{kind} {n}" for kind, n in sidecar.slots.items())
    yield "pages", f"{sidecar.max_pictures} a forward, {sidecar.max_pixels:,} pixels each"
    yield "places", f"attention of layers {', '.join(map(str, sidecar.look)) or 'that are late'}"
    if sidecar.versions:
        yield "made with", ", ".join(f"{name} {version}" for name, version in sidecar.versions.items())


def _size(weights: Weights) -> str:
    files = f"{len(weights.files)} file{'' if len(weights.files) == 1 else 's'}"
    return f"{weights.n_numbers / 1e6:,.1f} million numbers, {weights.kind}, {weights.n_bytes / 1e9:,.1f} GB in {files}"
