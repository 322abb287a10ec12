"""One pass against word-by-word (autoregressive) decoding on the same weights, per number of keys.

Word by word, a value is a run of steps. A step is a forward of the page stage whose inputs are the key's two slots and
the words chosen so far, and whose output is the next word of the page, or END. A value takes as many steps as the one
pass read words of it, and one more for END; ABSENT is one step. The network was not trained to go on from chosen words,
so those that the one pass read are put in, whatever a step says: cost is compared, not quality. What is shared between
steps makes the baselines:

    per_key     nothing: every step reads the page anew (the baseline of the paper's speed-ups, arXiv 2601.19613)
    text_kept   the text stage's vectors of the page
    page_kept   also the page's keys and values of every layer: only slots and chosen words run
    batched     as page_kept, with all keys that have not ended in one forward

A key's own text is read once per template in all of them, the one pass too. Every figure runs from the arrays of a page
to all its values, on one thread of one process, in turns.
"""

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

from pipkie_cli.evaluate.bench import template_of
from pipkie_cli.evaluate.metrics import mean
from pipkie_cli.models.mini import MiniInputs, Stepwise, one_pass_of
from pipkie_cli.nouns import Page, Template

if TYPE_CHECKING:
    from pipkie_cli.models import Backend

Figures = dict[str, Any]
Value = tuple[int, ...]  # indices of its words; () is ABSENT

KEY_COUNTS = (1, 4, 8, 16, 25)
ROUNDS = 3
BASELINES = ("per_key", "text_kept", "page_kept", "batched")


def bench_decoding(pages: Sequence[Page], template: Template, backend: "Backend") -> Figures | None:
    """CPU and wall seconds a page; None without pages, or for a backend that is not decoded word by word."""
    model = one_pass_of(backend)
    if model is None or not pages:
        return None
    stepwise = Stepwise(model.folder / "page.onnx")
    rows = {
        count: [_page_row(page, template_of(template, count), model, stepwise) for page in pages]
        for count in KEY_COUNTS
    }
    return {
        "pages": len(pages),
        "words_per_page": mean(row["words"] for row in rows[KEY_COUNTS[0]]),
        "rounds": ROUNDS,
        "keys": {str(count): _figures(of_count) for count, of_count in rows.items()},
    }


def _page_row(page: Page, template: Template, model: Any, stepwise: Stepwise) -> Figures:
    from pipkie_cli.prompts import make_windows

    window = make_windows((page,), template)[0]
    inputs = model.prepare(window)
    values = [_value(candidates[0].words) for candidates in model.forward(inputs)]
    actions: dict[str, Callable[[], object]] = {
        "one_pass": lambda: model.forward(inputs),
        "per_key": lambda: decode_alone(model, stepwise, inputs, values, keep_text=False),
        "text_kept": lambda: decode_alone(model, stepwise, inputs, values, keep_text=True),
        "page_kept": lambda: decode_kept(model, stepwise, inputs, values),
        "batched": lambda: decode_batched(model, stepwise, inputs, values),
    }
    names = list(actions)
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for number in range(ROUNDS):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            spent[name].append(_seconds(actions[name]))
    steps = [len(value) + 1 for value in values]
    return {"words": len(window.words), "steps": sum(steps), "longest": max(steps), "spent": spent}


def _value(words: tuple[int, int] | None) -> Value:
    return tuple(range(words[0], words[1] + 1)) if words else ()


def _seconds(action: Callable[[], object]) -> tuple[float, float]:
    cpu, wall = process_time(), perf_counter()
    action()
    return process_time() - cpu, perf_counter() - wall


def decode_alone(
    model: Any, stepwise: Stepwise, inputs: MiniInputs, values: Sequence[Value], keep_text: bool
) -> list[list[int]]:
    """Key after key, the page stage anew in every step; and the text stage, unless it is kept."""
    kept = model.texts(inputs) if keep_text else None
    said = []
    for key, value in enumerate(values):
        words = []
        for number in range(len(value) + 1):
            texts = kept or model.texts(inputs)
            state = stepwise.read_page(texts, inputs, [key])
            words += stepwise.next_words(state, [0], [value[:number]])
        said.append(words)
    return said


def decode_kept(model: Any, stepwise: Stepwise, inputs: MiniInputs, values: Sequence[Value]) -> list[list[int]]:
    """Key after key, on the page as it was read once."""
    state = stepwise.read_page(model.texts(inputs), inputs, range(len(values)))
    return [
        [stepwise.next_words(state, [key], [value[:number]])[0] for number in range(len(value) + 1)]
        for key, value in enumerate(values)
    ]


def decode_batched(model: Any, stepwise: Stepwise, inputs: MiniInputs, values: Sequence[Value]) -> list[list[int]]:
    """All keys at once, step by step; one that has ended is left out."""
    state = stepwise.read_page(model.texts(inputs), inputs, range(len(values)))
    said: list[list[int]] = [[] for _ in values]
    for number in range(max(map(len, values)) + 1):
        going = [key for key, value in enumerate(values) if len(value) >= number]
        words = stepwise.next_words(state, going, [values[key][:number] for key in going])
        for key, word in zip(going, words, strict=True):
            said[key].append(word)
    return said


def _figures(rows: Sequence[Figures]) -> Figures:
    """Means of the pages: of the fastest round and of the median one; a speed-up is a ratio of two means."""
    seconds: dict[str, dict[str, float]] = {}
    for name in ("one_pass", *BASELINES):
        spent = [row["spent"][name] for row in rows]
        seconds[name] = {
            "cpu_s": mean(min(cpu for cpu, _ in rounds) for rounds in spent),
            "cpu_median_s": mean(median(cpu for cpu, _ in rounds) for rounds in spent),
            "wall_s": mean(min(wall for _, wall in rounds) for rounds in spent),
        }
    return {
        "steps": mean(row["steps"] for row in rows),
        "longest": mean(row["longest"] for row in rows),
        "seconds": seconds,
        "speed_up": {name: _ratios(seconds[name], seconds["one_pass"]) for name in BASELINES},
    }


def _ratios(slow: Mapping[str, float], fast: Mapping[str, float]) -> dict[str, float]:
    return {name.removesuffix("_s"): slow[name] / fast[name] for name in slow}
