"""Decoding word by word: as many forwards as the definition says, and figures that are ratios of sums."""

from typing import Any

import pytest

from pipkie_cli.evaluate import bench_decoding
from pipkie_cli.evaluate.bench_decoding import decode_alone, decode_batched, decode_kept
from pipkie_cli.evaluate.bench_report import bench_table
from pipkie_cli.evaluate.bench_stages import STAGES, bench_stages
from pipkie_cli.evaluate.run import spread
from pipkie_cli.models import load_backend
from pipkie_cli.nouns import Box, Input, Page, RunOptions, Word
from pipkie_cli.templates import find_templates

VALUES = [(4, 5), (), (7,)]  # three steps, one, two


class Counting:
    """Counts what is read; says its step's number as the next word."""

    def __init__(self) -> None:
        self.texts_read = self.pages_read = 0
        self.steps: list[tuple[int, ...]] = []

    def texts(self, inputs: Any) -> tuple[str, str, str]:
        self.texts_read += 1
        return "words", "prompts", "aliases"

    def read_page(self, texts: Any, inputs: Any, keys: Any) -> list[int]:
        self.pages_read += 1
        return list(keys)

    def next_words(self, state: list[int], keys: Any, values: Any) -> list[int]:
        self.steps.append(tuple(state[key] for key in keys))
        return [len(value) for value in values]


@pytest.mark.parametrize(
    ("decode", "texts_read", "pages_read", "steps"),
    [
        (lambda c: decode_alone(c, c, None, VALUES, keep_text=False), 6, 6, 6),  # type: ignore[arg-type]
        (lambda c: decode_alone(c, c, None, VALUES, keep_text=True), 1, 6, 6),  # type: ignore[arg-type]
        (lambda c: decode_kept(c, c, None, VALUES), 1, 1, 6),  # type: ignore[arg-type]
        (lambda c: decode_batched(c, c, None, VALUES), 1, 1, 3),  # type: ignore[arg-type]
    ],
)
def test_every_baseline_takes_its_steps(decode: Any, texts_read: int, pages_read: int, steps: int) -> None:
    """A step per word and one for END; what is kept is read once; together, as many as the longest value takes."""
    counting = Counting()
    assert decode(counting) == [[0, 1, 2], [0], [0, 1]]
    assert (counting.texts_read, counting.pages_read, len(counting.steps)) == (texts_read, pages_read, steps)
    assert sum(map(len, counting.steps)) == 6


def test_together_a_key_that_ended_is_left_out() -> None:
    """The last step is for the longest value alone."""
    counting = Counting()
    decode_batched(counting, counting, None, VALUES)  # type: ignore[arg-type]
    assert counting.steps == [(0, 1, 2), (0, 2), (0,)]


def page() -> Page:
    texts = ["Melur", "Trading", "Ltd.", "Invoice", "number", "R-17", "Date", "14.03.2018", "Total", "55.50"]
    words = tuple(Word(text, Box(0.1, 0.03 * i, 0.3, 0.03 * i + 0.02), i, i, "text") for i, text in enumerate(texts))
    return Page(0, 600, 800, 0, words, "text", None)


def test_figures_of_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every count of keys has its steps, its seconds and how much slower each way is; the table says the same."""
    monkeypatch.setattr(bench_decoding, "KEY_COUNTS", (1, 4))
    monkeypatch.setattr(bench_decoding, "ROUNDS", 1)
    (template,) = find_templates(["receipt"], None)
    figures = bench_decoding.bench_decoding([page()], template, load_backend("mini"))
    assert figures is not None
    assert (figures["pages"], figures["words_per_page"], list(figures["keys"])) == (1, 10, ["1", "4"])
    row = figures["keys"]["4"]
    assert row["steps"] >= 4
    assert row["longest"] <= row["steps"] - 3
    seconds = row["seconds"]
    assert row["speed_up"]["per_key"]["cpu"] == pytest.approx(
        seconds["per_key"]["cpu_s"] / seconds["one_pass"]["cpu_s"]
    )
    rest = {"documents": 1, "pictures": None, "text_pages": {"failed": 0, "pages": 0}, "help_cpu_s": 0.1}
    stages = {"pictures": None, "text_pages": None}
    table = bench_table({**rest, "stages": stages, "decoding": figures, "memory": None, "wheel_bytes": None})
    assert any(line.startswith("     4") and line.count(" x") == 4 for line in table)


def test_without_pages_or_for_another_backend_nothing_is_compared() -> None:
    """None, not zeros."""
    (template,) = find_templates(["receipt"], None)
    assert bench_decoding.bench_decoding([], template, load_backend("mini")) is None
    assert bench_decoding.bench_decoding([page()], template, object()) is None  # type: ignore[arg-type]


def test_every_stage_is_timed(made_up: Any, tmp_path: Any) -> None:
    """Documents and pages by kind; a backend of one piece is all page stage; a locked one has no part in it."""
    (template,) = find_templates(["receipt"], None)
    options = RunOptions(templates=(template,), template_given=True)
    names = ("a.png", "b.png", "c.png", "empty.png")
    for name, text in zip(names, ("total: 12.50", "date: 2018-03-14", "LOCKED", ""), strict=True):
        (tmp_path / name).write_text(text)
    inputs = [Input(tmp_path / name, name) for name in names]
    from pipkie_cli.models import load_backend as made_up_backend

    figures, pages = bench_stages(inputs, options, made_up_backend("mini"))
    assert figures["text_pages"] is None
    assert figures["pictures"]["pages"] == len(pages) == 3
    assert set(figures["pictures"]["cpu_s"]) == set(figures["pictures"]["wall_s"]) == set(STAGES)
    assert figures["pictures"]["wall_s"]["text_stage"] == 0
    assert figures["pictures"]["wall_s"]["records"] > 0


def test_pages_are_taken_from_the_short_to_the_long() -> None:
    """Evenly by number of words, none without words; all of them when there are not more."""
    word = Word("a", Box(0, 0, 0.1, 0.1), 0, 0, "text")
    pages = [Page(0, 1, 1, 0, (word,) * count, "text", None) for count in (50, 0, 10, 40, 20, 30, 60)]
    assert [len(one.words) for one in spread(pages, 2)] == [20, 50]
    assert [len(one.words) for one in spread(pages, 1)] == [40]
    assert [len(one.words) for one in spread(pages, 9)] == [10, 20, 30, 40, 50, 60]
    assert spread(pages, 0) == ()
