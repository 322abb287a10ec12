"""Figures of a measured set: a table for people, one JSON object for machines. Measured documents in, text out."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import isnan
from typing import Any

from pipkie_cli.evaluate.measure import Judged, Measured
from pipkie_cli.evaluate.metrics import calibration_error, coverage_at_precision, f1, invented_rate, mean

Figures = dict[str, Any]
COLUMNS = ("n", "given", "anls", "exact", "typed", "f1", "absent", "invented")


def figures_of(measured: Sequence[Measured]) -> Figures:
    """All figures as one JSON object: rates 0 to 1, null where there was nothing to measure."""
    judged = [one for document in measured for one in document.judged]
    own = [one for one in judged if one.kind != "trap"]
    labelled = [one for one in own if one.kind == "labelled"]
    by_key = {key: _key_figures([one for one in own if one.key == key]) for key in dict.fromkeys(o.key for o in own)}
    asked = [row for row in by_key.values() if row["n"]]
    given = [(one.given.confidence, one.right) for one in labelled if one.given.raw is not None]
    figures: Figures = without_nan(
        {
            "documents": len(measured),
            "failed": dict(sorted(Counter(one.failure for one in measured if one.failure).items())),
            "keys": by_key,
            "mean": {name: mean(row[name] for row in asked) for name in ("anls", "exact", "typed", "f1")},
            "absent": _invented(one for one in own if one.kind == "absent"),
            "traps": _invented(one for one in judged if one.kind == "trap"),
            "invented": _invented(one for one in judged if one.kind != "labelled"),
            "traps_with_a_value": _trap_values(judged),
            "calibration_error": calibration_error([(one.given.confidence, one.right) for one in own]),
            "coverage_at_99_precision": coverage_at_precision(given, len(labelled)),
            "types": _types(measured),
        }
    )
    return figures


def _key_figures(judged: Sequence[Judged]) -> Figures:
    labelled = [one for one in judged if one.kind == "labelled"]
    absent = [one for one in judged if one.kind == "absent"]
    right = sum(one.right for one in labelled)
    given = sum(one.given.raw is not None for one in labelled)
    return {
        "n": len(labelled),
        "given": given,
        "anls": mean(one.judgement.anls for one in labelled),
        "exact": mean(one.judgement.exact for one in labelled),
        "typed": mean(one.judgement.typed for one in labelled),
        "f1": f1(right, given, len(labelled)),
        "absent": len(absent),
        "invented": sum(one.given.raw is not None for one in absent),
    }


def _invented(judged: Iterable[Judged]) -> Figures:
    answers = [one.given.raw for one in judged]
    count = sum(answer is not None for answer in answers)
    return {"n": len(answers), "invented": count, "rate": invented_rate(answers)}


def _trap_values(judged: Sequence[Judged]) -> dict[str, int]:
    return dict(Counter(one.key for one in judged if one.kind == "trap" and one.given.raw is not None).most_common())


def _types(measured: Sequence[Measured]) -> dict[str, dict[str, int]]:
    """Labelled document type -> chosen type -> documents; documents that failed are left out."""
    pairs = Counter((one.document.document_type, one.chosen_type or "none") for one in measured if not one.failure)
    types: dict[str, dict[str, int]] = {}
    for (label, chosen), count in sorted(pairs.items()):
        types.setdefault(label, {})[chosen] = count
    return types


def without_nan(value: Any) -> Any:
    """NaN is no JSON: null says that nothing was measured. Rates are cut to six digits."""
    if isinstance(value, dict):
        return {key: without_nan(one) for key, one in value.items()}
    if isinstance(value, float):
        return None if isnan(value) else round(value, 6)
    return value


def table_of(figures: Figures) -> list[str]:
    """The lines of the table for people; rates in per cent."""
    width = max((len(key) for key in figures["keys"]), default=0) + 2
    width = max(width, len("mean of keys") + 2)
    lines = ["key".ljust(width) + "".join(name.rjust(9) for name in COLUMNS)]
    for key, row in figures["keys"].items():
        lines.append(key.ljust(width) + "".join(_cell(name, row[name]) for name in COLUMNS))
    means = figures["mean"]
    lines.append("mean of keys".ljust(width) + "".join(_cell(name, means.get(name, "")) for name in COLUMNS))
    lines.append("")
    for name, title in (("absent", "keys labelled as absent"), ("traps", "trap keys"), ("invented", "both together")):
        row = figures[name]
        lines.append(f"values invented on {title}: {row['invented']} of {row['n']} ({_percent(row['rate'])} %)")
    lines.append(f"expected calibration error: {_percent(figures['calibration_error'])} %")
    lines.append(f"coverage at 99 % precision: {_percent(figures['coverage_at_99_precision'])} %")
    for label, chosen in figures["types"].items():
        lines.append(f"type of {label}: " + ", ".join(f"{count} {name}" for name, count in chosen.items()))
    failed = figures["failed"]
    causes = f" ({', '.join(f'{count} {code}' for code, count in failed.items())})" if failed else ""
    lines.append(f"{figures['documents']} documents, {sum(failed.values())} failed{causes}")
    return lines


def _cell(name: str, value: object) -> str:
    if name in ("anls", "exact", "typed", "f1") and not isinstance(value, str):
        return _percent(value).rjust(9)
    return str(value).rjust(9)


def _percent(rate: object) -> str:
    return f"{100 * rate:.1f}" if isinstance(rate, float) else "-"
