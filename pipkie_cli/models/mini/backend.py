"""The mini model on ONNX Runtime: a folder of weights -> candidates per key. CPU, one thread, one window per forward.

A checkpoint's folder holds `pieces.npz` (the text stage's embedding, int8 rows with a scale each), `text.onnx`,
`page.onnx`, `tokenizer.json` and the sidecar `pipkie.json`.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pipkie_cli.errors import ModelError
from pipkie_cli.models.checkpoint import damaged, read_sidecar, revision_of
from pipkie_cli.models.mini import METHOD, SEGMENT_LENGTHS, SHIPPED, MiniInputs, PieceReader, decode, make_inputs
from pipkie_cli.nouns import Calibration, Candidate, Window

Array = npt.NDArray[Any]
Texts = tuple[Array, Array, Array]
Scores = tuple[Array, Array, Array]


def load(folder: Path | None) -> "MiniBackend":
    """The shipped checkpoint, or that of a folder. Raises ModelError."""
    where = folder or SHIPPED
    sidecar = read_sidecar(where, shipped=folder is None)
    if sidecar.get("method") != METHOD:
        raise ModelError(
            f"{where} is a checkpoint for {sidecar.get('method')!r}, not for {METHOD!r}",
            hint="use the version of pipkie that made it, or train anew: pipkie train --init mini",
        )
    return MiniBackend(where, sidecar)


class MiniBackend:
    """One process, one session per stage. Not for several threads at once. Raises ModelError for a damaged folder."""

    reads: Literal["words"] = "words"

    def __init__(self, folder: Path, sidecar: dict[str, Any]) -> None:
        self.folder = folder
        with _damage(folder / "tokenizer.json"):
            self._reader = PieceReader((folder / "tokenizer.json").read_text(encoding="utf-8"))
        # opened here: of a damaged archive NumPy leaves its own file open
        with _damage(folder / "pieces.npz"), (folder / "pieces.npz").open("rb") as file, np.load(file) as table:
            self._rows, self._scales = table["rows"], table["scales"]  # (V, D) int8, (V,) float32
        self._text, self._page = _session(folder / "text.onnx"), _session(folder / "page.onnx")
        self.revision = revision_of(folder, sidecar)
        with _damage(folder / "pipkie.json"):
            self.calibration = Calibration(**{name: _numbers(value) for name, value in sidecar["calibration"].items()})
        self._key_text = lru_cache(maxsize=4096)(self._read_key_text)

    def prepare(self, window: Window) -> MiniInputs:
        return make_inputs(window, self._reader)

    def forward(self, inputs: MiniInputs) -> tuple[tuple[Candidate, ...], ...]:
        return decode(*self.scores(inputs), inputs)

    def scores(self, inputs: MiniInputs) -> Scores:
        """Raw scores of first word (K, N), last word (K, N) and ABSENT (K,), float32."""
        return self.page_scores(inputs, self.texts(inputs))

    def texts(self, inputs: MiniInputs) -> Texts:
        """The text stage: words of the page (N, D), prompts (K, D), aliases (K, D)."""
        prompts, aliases = (
            np.stack([self._key_text(ids) for ids in asked]) for asked in (inputs.prompts, inputs.aliases)
        )
        return self._words(inputs), prompts, aliases

    def page_scores(self, inputs: MiniInputs, texts: Texts) -> Scores:
        """The page stage."""
        words, prompts, aliases = texts
        first, last, absent = self._page.run(
            None,
            {
                "words": words[None],
                "places": inputs.places[None],
                "centres": inputs.centres[None],
                "is_word": np.ones((1, len(words)), np.float32),
                "prompts": prompts[None],
                "aliases": aliases[None],
                "types": inputs.types[None],
                **{name: getattr(inputs, name)[None] for name in ("matches", "beside", "below", "in_row")},
            },
        )
        return first[0], last[0], absent[0]

    def _words(self, inputs: MiniInputs) -> Array:
        """(N, D): the contextual pieces of every word, averaged."""
        n = len(inputs.places)
        total, count = np.zeros((n, self._rows.shape[1]), np.float32), np.zeros(n, np.float32)
        for shorter, length in zip((0, *SEGMENT_LENGTHS), SEGMENT_LENGTHS, strict=False):
            group = [at for at, ids in enumerate(inputs.segments) if shorter < len(ids) <= length]
            if not group:
                continue
            contextual = self._contextual([inputs.segments[at] for at in group], length)
            owners = np.full((len(group), length), -1, np.int64)
            for row, at in enumerate(group):
                owners[row, : len(inputs.segment_words[at])] = inputs.segment_words[at]
            held = owners >= 0
            np.add.at(total, owners[held], contextual[held])
            np.add.at(count, owners[held], 1)
        return total / count[:, None]

    def _read_key_text(self, ids: tuple[int, ...]) -> Array:
        """(D,): alone in its forward, so that a key's vector never depends on other keys."""
        return self._contextual([ids], len(ids))[0, 1:-1].mean(0)  # type: ignore[no-any-return]

    def _contextual(self, segments: Sequence[tuple[int, ...]], length: int) -> Array:
        ids = np.full((len(segments), length), self._reader.pad, np.int64)
        is_piece = np.zeros((len(segments), length), np.float32)
        for row, segment in enumerate(segments):
            ids[row, : len(segment)] = segment
            is_piece[row, : len(segment)] = 1
        pieces = self._rows[ids].astype(np.float32) * self._scales[ids][..., None]
        return self._text.run(None, {"pieces": pieces, "is_piece": is_piece})[0]  # type: ignore[no-any-return]


def _session(path: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # workers share the cores by documents
    options.log_severity_level = 3
    with _damage(path):
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


@contextmanager
def _damage(path: Path) -> Iterator[None]:
    """A file of a checkpoint that cannot be loaded ends the run as a ModelError that names it."""
    try:
        yield
    except ModelError:
        raise
    except Exception as error:  # onnxruntime and tokenizers raise classes of their C libraries without a common base
        raise damaged(path) from error


def _numbers(value: Any) -> Any:
    """A calibration's number, or its pair of scale and shift; raises TypeError or ValueError for anything else."""
    if isinstance(value, list):
        scale, shift = map(float, value)
        return scale, shift
    return float(value)
