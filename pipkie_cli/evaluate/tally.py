"""Right and wrong, key by key: what whoever writes a template wants to know of labelled documents."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipkie_cli.evaluate.judged import Judged
from pipkie_cli.evaluate.measure import Measured
from pipkie_cli.evaluate.output import sentence_of
from pipkie_cli.evaluate.run import Measurements

VERDICTS = ("right", "wrong", "missed", "invented")


@dataclass(frozen=True, slots=True)
class Tally:
    """Verdicts on one set of documents. Every labelled value has one, and every value where none is."""

    keys: dict[str, dict[str, int]]  # key, or table.column -> verdict -> how often
    wrong: tuple[tuple[str, str], ...]  # document, what is wrong there
    failed: tuple[tuple[str, str], ...]  # document, error code
    not_asked: dict[str, int]  # labelled keys that the template does not have -> labels
    figures: dict[str, Any] = field(default_factory=dict)

    @property
    def n_right(self) -> int:
        return sum(row["right"] for row in self.keys.values())

    @property
    def n_values(self) -> int:
        return sum(sum(row.values()) for row in self.keys.values())

    @property
    def share(self) -> float:
        """Of the values, those that are right; 0 where nothing is labelled that the template asks for."""
        return self.n_right / self.n_values if self.n_values else 0.0

    def table(self) -> list[str]:
        """For people: a line a key, then every wrong value."""
        return list(_lines(self))


def tally(measurements: Measurements) -> Tally:
    """The verdicts of a measurement of one set."""
    (only,) = measurements.sets
    keys: dict[str, dict[str, int]] = {}
    for one in (judged for document in only.measured for judged in document.judged if judged.kind != "trap"):
        row = keys.setdefault(one.key, dict.fromkeys(VERDICTS, 0))
        row[verdict_of(one)] += 1
    counted = Tally(
        keys=keys,
        wrong=tuple(_wrong(only.measured)),
        failed=tuple((one.document.shown, one.failure) for one in only.measured if one.failure),
        not_asked=only.figures["not_asked"],
    )
    figures = {
        "command": "templates test",
        "template": only.figures["template"],
        "documents": len(only.measured),
        "values": counted.n_values,
        "right": counted.n_right,
        "keys": keys,
        "failed": dict(counted.failed),
        "not_asked": counted.not_asked,
        **{name: measurements.figures[name] for name in ("model", "words", "versions", "commit")},
    }
    return Tally(keys, counted.wrong, counted.failed, counted.not_asked, figures)


def verdict_of(judged: Judged) -> str:
    """right; wrong: another value; missed: no value where one is labelled; invented: a value where none is."""
    if judged.right:
        return "right"
    if not judged.expected:
        return "invented"
    return "missed" if judged.given.raw is None else "wrong"


def _wrong(measured: Sequence[Measured]) -> Iterator[tuple[str, str]]:
    for document in measured:
        if not document.failure:
            for one in document.judged:
                if one.kind != "trap" and not one.right:
                    yield document.document.shown, sentence_of(one)


def _lines(counted: Tally) -> Iterator[str]:
    width = max((len(key) for key in counted.keys), default=0)
    if counted.keys:
        yield f"{'key':<{width}}  " + "  ".join(f"{verdict:>8}" for verdict in VERDICTS)
    for key, row in counted.keys.items():
        yield f"{key:<{width}}  " + "  ".join(f"{row[verdict]:>8}" for verdict in VERDICTS)
    yield f"{counted.n_right} of {counted.n_values} values are right ({100 * counted.share:.1f} %)"
    for shown, code in counted.failed:
        yield f"{shown}: failed, {code}"
    for shown, sentence in counted.wrong:
        yield f"{shown}: {sentence}"
    for key, labels in counted.not_asked.items():
        yield f"{key} has {labels} label{'' if labels == 1 else 's'}, but the template does not ask for it"
