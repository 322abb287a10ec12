"""How right a model is: on held-out labelled documents, and on made-up ones for the shipped templates' keys."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import torch

from pipkie_cli.evaluate import Labelled, PipelineRoad, ReadDocument, SetRules, judge
from pipkie_cli.models import Backend
from pipkie_cli.models.mini import MiniInputs, PieceReader, decode, make_inputs
from pipkie_cli.nouns import Calibration, Candidate, Example, Key, RunOptions, Template, Window
from pipkie_cli.synth import make_example
from pipkie_cli.train.batches import ReadTexts, make_batch
from pipkie_cli.train.calibrate import HELD_OUT_SEEDS
from pipkie_cli.train.stream import window_of
from pipkie_cli.train.trainee import Trainee
from pipkie_cli.train.validate import is_right

CHECKED = 1 << 20  # made-up documents from here on measure, those before calibrate


class TraineeBackend:
    """The network while it learns, as a backend: what is measured between two steps goes the road of extraction."""

    revision = "in training"
    calibration = Calibration()

    def __init__(self, trainee: Trainee, reader: PieceReader, texts: ReadTexts) -> None:
        self._trainee, self._reader, self._texts = trainee, reader, texts

    def prepare(self, window: Window) -> MiniInputs:
        return make_inputs(window, self._reader)

    def forward(self, inputs: MiniInputs) -> tuple[tuple[Candidate, ...], ...]:
        n_keys, n_words = len(inputs.prompts), len(inputs.places)
        batch = make_batch([inputs], [[()] * n_keys], self._reader.pad, self._texts)
        with torch.no_grad():
            first, last, absent = (scores[0].float().cpu().numpy() for scores in self._trainee.scores(batch))
        return decode(first[:n_keys, :n_words], last[:n_keys, :n_words], absent[:n_keys], inputs)


@dataclass(frozen=True, slots=True)
class Score:
    """Share of labels answered rightly, per key; `sure` is the mean probability given to right answers."""

    by_key: Mapping[str, float]
    sure: float

    @property
    def mean(self) -> float:
        """Of the keys, as `pipkie eval` means."""
        return sum(self.by_key.values()) / max(1, len(self.by_key))

    @property
    def rank(self) -> tuple[float, float]:
        """What is better: more right answers, among equals the surer ones."""
        return round(self.mean, 4), self.sure


def score_documents(
    documents: Iterable[tuple[Labelled, ReadDocument]], template: Template, rules: SetRules, backend: Backend
) -> Score:
    """Every label against the answer, judged as `pipkie eval` does; a null label is right where nothing is given."""
    road = PipelineRoad(RunOptions((template,), template_given=True), backend, ())
    right: dict[str, list[float]] = defaultdict(list)
    sure: list[float] = []
    for label, read in documents:
        given = road.ask(read, template)
        for key in template.keys:
            if key.name not in label.values:
                continue
            answer, expected = given[key.name], label.values[key.name]
            printed = label.printed.get(key.name, ())
            if expected:
                hit = judge(key, expected, printed, answer.raw, answer.value, rules).exact
            else:
                hit = answer.raw is None
            right[key.name].append(float(hit))
            sure.append(answer.confidence if hit else 0.0)
    return Score({name: sum(rights) / len(rights) for name, rights in right.items()}, sum(sure) / max(1, len(sure)))


def score_made_up(shipped: Sequence[Template], backend: Backend, n_documents: int) -> dict[str, float]:
    """Template name -> share of its keys read right, as text, on made-up documents that no training saw."""
    right: dict[str, list[bool]] = defaultdict(list)
    names = {key: template.name for template in shipped for key in template.keys if not key.columns}
    for number in range(n_documents):
        example = make_example(HELD_OUT_SEEDS + CHECKED + number)
        for key, as_drawn in _judged(example, names, backend):
            right[names[key]].append(as_drawn)
    return {name: sum(rights) / len(rights) for name, rights in sorted(right.items())}


def _judged(example: Example, asked: Mapping[Key, str], backend: Backend) -> list[tuple[Key, bool]]:
    questions = [question for question in example.questions if question.key in asked and not question.row]
    if not questions or not example.page.words:
        return []
    window = window_of(example, [question.key for question in questions])
    guesses = backend.forward(backend.prepare(window))
    return [
        (question.key, is_right(window.words, guess[0].words, question.spans))
        for question, guess in zip(questions, guesses, strict=True)
        if all(last < len(window.words) for _, last in question.spans)
    ]
