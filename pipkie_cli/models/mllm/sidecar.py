"""`pipkie.json` of a multimodal checkpoint: what one-pass use needs to know and its config.json does not say.

Written by training, read before any weight is loaded. Standard library only.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from pipkie_cli.errors import ModelError
from pipkie_cli.models.limits import read_json
from pipkie_cli.nouns import Calibration

METHOD = "pip-mask/1"  # slots are [mask] tokens, filled from the vocabulary in one bidirectional pass
SIDECAR = "pipkie.json"
FORMAT = 1
MOST_CALIBRATION = 40  # a fitted number is a few; of log-odds up to 14, exp() bears this
UNKNOWN = "unknown"  # the answer of a key that the pages do not hold, as in the paper

# Tokens per value with its end token. The tokenizers of Qwen and InternLM spend one token a digit: "2024-03-05" is 10.
SLOTS = {
    "text": 32, "date": 12, "time": 12, "datetime": 20, "amount": 12, "number": 12, "integer": 8, "percent": 8,
    "currency": 4, "email": 24, "phone": 20, "url": 32, "iban": 36, "bic": 12, "tax_id": 20, "country": 8,
    "choice": 12, "boolean": 4,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sidecar:
    """How a checkpoint was trained to be asked."""

    family: str  # a name of `families.FAMILIES`
    mask_token: str
    mask_id: int
    end_token: str  # ends a value and fills the slots behind it
    end_id: int
    attention: Literal["bidirectional"] = "bidirectional"
    stage: Literal["mask", "kv"] = "kv"  # the last stage of training: mask pre-training, or key-value fine-tuning
    unknown: str = UNKNOWN
    slots: Mapping[str, int] = field(default_factory=lambda: dict(SLOTS))  # by value type; the rest as "text"
    max_pixels: int = 1280 * 28 * 28  # of one page's picture: 1,280 tokens of Qwen2-VL
    max_pictures: int = 4  # pages that share one forward
    table_rows: int = 0  # tables are not asked
    calibration: Calibration = field(default_factory=Calibration)
    look: tuple[int, ...] = ()  # decoder layers whose attention tells places; () means: late ones
    versions: Mapping[str, str] = field(default_factory=dict)  # of the libraries that trained it
    base: str = ""  # the checkpoint that training started from

    def __post_init__(self) -> None:
        """Raises ValueError for what no training writes."""
        if self.attention != "bidirectional":
            raise ValueError(f"attention {self.attention!r}")
        if self.stage not in ("mask", "kv"):
            raise ValueError(f"stage {self.stage!r}")
        if not all(isinstance(n, int) and 2 <= n <= 512 for n in self.slots.values()) or "text" not in self.slots:
            raise ValueError("slots")
        if not 28 * 28 <= self.max_pixels <= 2**25 or not 1 <= self.max_pictures <= 64:
            raise ValueError("max_pixels or max_pictures")


def read_sidecar(folder: Path) -> Sidecar | None:
    """None where there is none. Raises ModelError for a damaged one and for that of another method or format."""
    path = folder / SIDECAR
    if not path.is_file():
        return None
    told = read_json(path)
    if told.get("method") != METHOD or told.get("format") != FORMAT:
        raise ModelError(
            f"{folder} is a checkpoint for {told.get('method')!r}, format {told.get('format')!r}, not for {METHOD!r},"
            f" format {FORMAT}",
            hint="use the version of pipkie that made it, or train anew: pipkie train --model DIR --stage kv",
        )
    try:
        return _sidecar(told)
    except (TypeError, ValueError, AttributeError) as error:
        raise ModelError(f"{path} is damaged", hint="fetch the checkpoint again, or train anew") from error


def write_sidecar(folder: Path, sidecar: Sidecar) -> None:
    """Beside the weights, as readable JSON."""
    told = {"method": METHOD, "format": FORMAT, **asdict(sidecar)}
    text = json.dumps(told, indent=2, ensure_ascii=False) + "\n"
    (folder / SIDECAR).write_text(text, encoding="utf-8")


def _sidecar(told: Mapping[str, Any]) -> Sidecar:
    given = {one.name: told[one.name] for one in fields(Sidecar) if one.name in told}
    for name in ("family", "mask_token", "end_token", "unknown", "base"):
        if not isinstance(given.get(name, ""), str):
            raise TypeError(name)
    for name in ("mask_id", "end_id", "max_pixels", "max_pictures", "table_rows"):
        if not isinstance(given.get(name, 0), int):
            raise TypeError(name)
    if "look" in given:
        given["look"] = tuple(int(one) for one in given["look"])
    if "calibration" in given:
        given["calibration"] = Calibration(**{name: _numbers(one) for name, one in given["calibration"].items()})
    for name in {"slots", "versions"} & given.keys():
        given[name] = dict(given[name])
    return Sidecar(**given)


def _numbers(value: Any) -> Any:
    """A calibration's number, or its pair of scale and shift."""
    if isinstance(value, list):
        scale, shift = map(_number, value)
        return scale, shift
    return _number(value)


def _number(value: Any) -> float:
    number = float(value)
    if abs(number) > MOST_CALIBRATION:
        raise ValueError("calibration")
    return number
