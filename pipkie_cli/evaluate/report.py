"""Figures of a measured set: a table for people, one JSON object for machines. Measured documents in, text out."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import isnan
from typing import Any

from pipkie_cli.evaluate.causes import CAUSES
from pipkie_cli.evaluate.judged import Judged
from pipkie_cli.evaluate.measure import Measured
from pipkie_cli.evaluate.metrics import (
    calibration_error,
    coverage_at_precision,
    coverage_curve,
    f1,
    invented_rate,
    mean,
    micro_f1,
)

Figures = dict[str, Any]
COLUMNS = ("n", "given", "anls", "exact", "typed", "f1", "absent", "invented")
RATES = ("anls", "exact", "typed", "f1")
CURVE_POINTS = 100  # of coverage against precision in the report
AUDITED = (
    "keys", "mean", "answers", "entities", "cells", "absent", "invented", "calibration_error",
    "coverage_at_99_precision",
)  # fmt: skip
ALL_LABELS = "labels of the page"  # the one row of a set whose documents have no keys in common


def figures_of(measured: Sequence[Measured], own_keys: bool = False) -> Figures:
    """All figures as one JSON object: rates 0 to 1, null where there was nothing to measure.

    With `own_keys` the documents have no keys in common: they are one row.
    """
    judged = [one for document in measured for one in document.judged]
    own = [one for one in judged if one.kind in ("labelled", "absent")]
    labelled = [one for one in own if one.kind == "labelled"]
    rows: dict[str, list[Judged]] = {}
    for one in own:
        rows.setdefault(ALL_LABELS if own_keys else one.key, []).append(one)
    by_key = {key: _key_figures(row) for key, row in rows.items()}
    asked = [row for row in by_key.values() if row["n"]]
    given = [(one.given.confidence, one.right) for one in labelled if one.given.raw is not None]
    figures: Figures = without_nan(
        {
            "documents": len(measured),
            "failed": dict(sorted(Counter(one.failure for one in measured if one.failure).items())),
            "keys": by_key,
            "mean": {name: mean(row[name] for row in asked) for name in RATES},
            "answers": _answer_figures(labelled),
            "chosen_by_rule": _chosen_by_rule(labelled),
            "verified": _verified(own),
            "entities": _entities([one for one in judged if one.kind in ("labelled", "absent", "entity")]),
            "cells": _cells([one for one in judged if one.kind == "cell"]),
            "tree_accuracy": mean(one.tree_accuracy for one in measured if one.tree_accuracy is not None),
            "groups": _groups(measured),
            "absent": _invented(one for one in own if one.kind == "absent"),
            "traps": _invented(one for one in judged if one.kind == "trap"),
            "invented": _invented(one for one in judged if one.kind in ("absent", "trap")),
            "traps_with_a_value": _trap_values(judged),
            "calibration_error": calibration_error([(one.given.confidence, one.right) for one in own]),
            "coverage_at_99_precision": coverage_at_precision(given, len(labelled)),
            "coverage_curve": thinned(coverage_curve(given, len(labelled))),
            "causes": _causes(judged),
            "types": _types(measured),
        }
    )
    return figures


def audit_figures(measured: Sequence[Measured], own_keys: bool) -> Figures:
    """What changed labels change: the figures that are given twice."""
    return {name: value for name, value in figures_of(measured, own_keys).items() if name in AUDITED}


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


def _answer_figures(labelled: Sequence[Judged]) -> Figures:
    """The same over all answers, so that a frequent key weighs more."""
    return {
        "n": len(labelled),
        "anls": mean(one.judgement.anls for one in labelled),
        "exact": mean(one.judgement.exact for one in labelled),
        "typed": mean(one.judgement.typed for one in labelled),
    }


def _chosen_by_rule(labelled: Sequence[Judged]) -> Figures:
    """Answers that took the place of a likelier one because a rule of the template wanted it."""
    chosen = [one for one in labelled if "chosen_by_rule" in one.given.flags]
    return {"n": len(chosen), "right": sum(one.right for one in chosen)}


def _verified(own: Sequence[Judged]) -> Figures | None:
    """The figures without the labels that nobody found on the page; None where every label was."""
    doubtful = sum(one.unverified for one in own)
    if not doubtful:
        return None
    left = [one for one in own if one.kind == "labelled" and not one.unverified]
    keys = dict.fromkeys(one.key for one in left)
    rows = [_key_figures([one for one in left if one.key == key]) for key in keys]
    return {
        "left_out": doubtful,
        "mean": {name: mean(row[name] for row in rows) for name in RATES},
        "answers": _answer_figures(left),
    }


def _counts(judged: Sequence[Judged]) -> tuple[int, int, int]:
    """Right, given and wanted values."""
    wanted = [one for one in judged if one.expected]
    return sum(one.right for one in wanted), sum(one.given.raw is not None for one in judged), len(wanted)


def _entities(judged: Sequence[Judged]) -> Figures:
    """Micro F1 over keys and single values of columns; a value on a key known to be absent was given and not wanted."""
    counts = _counts(judged)
    return dict(zip(("right", "given", "wanted"), counts, strict=True)) | {
        "f1": micro_f1([counts]),
        "f1_without_columns": micro_f1([_counts([one for one in judged if one.kind != "entity"])]),
        "columns": {key: micro_f1([_counts(row)]) for key, row in _by_key(judged, "entity").items()},
    }


def _cells(judged: Sequence[Judged]) -> Figures | None:
    """F1 of the cells of tables, in all and per column."""
    if not judged:
        return None
    counts = {key: _counts(row) for key, row in _by_key(judged, "cell").items()}
    return {
        "f1": micro_f1(counts.values()),
        "columns": {
            key: {"right": right, "given": given, "wanted": wanted, "f1": f1(right, given, wanted)}
            for key, (right, given, wanted) in counts.items()
        },
    }


def _by_key(judged: Sequence[Judged], kind: str) -> dict[str, list[Judged]]:
    rows: dict[str, list[Judged]] = {}
    for one in judged:
        if one.kind == kind:
            rows.setdefault(one.key, []).append(one)
    return rows


def _groups(measured: Sequence[Measured]) -> dict[str, Figures]:
    """Documents and exact answers of every group of documents (a layout), where the set names groups."""
    groups: dict[str, list[Measured]] = {}
    for one in measured:
        if one.document.group:
            groups.setdefault(one.document.group, []).append(one)
    return {
        name: {
            "documents": len(members),
            "exact": mean(one.right for member in members for one in member.judged if one.kind == "labelled"),
        }
        for name, members in sorted(groups.items())
    }


def thinned(curve: Sequence[tuple[float, float, float]], points: int = CURVE_POINTS) -> list[tuple[float, ...]]:
    """At most so many points of a curve, evenly over it, its end among them; four digits are plenty."""
    step = max(1, -(-len(curve) // points))
    return [tuple(round(number, 4) for number in point) for point in curve[::-1][::step][::-1]]


def _invented(judged: Iterable[Judged]) -> Figures:
    answers = [one.given.raw for one in judged]
    count = sum(answer is not None for answer in answers)
    return {"n": len(answers), "invented": count, "rate": invented_rate(answers)}


def _trap_values(judged: Sequence[Judged]) -> dict[str, int]:
    return dict(Counter(one.key for one in judged if one.kind == "trap" and one.given.raw is not None).most_common())


def _causes(judged: Sequence[Judged]) -> dict[str, int]:
    """Wrong answers on labelled keys and cells by their cause; those of trap keys are told apart."""
    counts = Counter(one.cause for one in judged if one.cause and one.kind != "trap")
    return {cause: counts[cause] for cause in CAUSES if counts[cause]}


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
    return [*_key_lines(figures), "", *_other_lines(figures)]


def _key_lines(figures: Figures) -> list[str]:
    width = max((len(key) for key in figures["keys"]), default=0) + 2
    width = max(width, len("mean of keys") + 2)
    lines = ["key".ljust(width) + "".join(name.rjust(9) for name in COLUMNS)]
    for key, row in figures["keys"].items():
        lines.append(key.ljust(width) + "".join(_cell(name, row[name]) for name in COLUMNS))
    means = figures["mean"]
    lines.append("mean of keys".ljust(width) + "".join(_cell(name, means.get(name, "")) for name in COLUMNS))
    return lines


def _other_lines(figures: Figures) -> list[str]:
    lines = [_entity_line(figures["entities"])]
    for key, row in ((figures["cells"] or {}).get("columns") or {}).items():
        lines.append(f"cells of {key}: F1 {_percent(row['f1'])} ({row['right']} right of {row['wanted']})")
    if figures["cells"]:
        lines.append(f"cells of all columns: F1 {_percent(figures['cells']['f1'])}")
    if figures["tree_accuracy"] is not None:
        lines.append(f"accuracy by tree edit distance: {_percent(figures['tree_accuracy'])} %")
    if figures["verified"]:
        verified = figures["verified"]
        told = f"without the {verified['left_out']} labels that were not found on their page"
        lines.append(f"{told}: exact {_percent(verified['mean']['exact'])} % (mean of keys)")
    for name, title in (("absent", "keys labelled as absent"), ("traps", "trap keys"), ("invented", "both together")):
        row = figures[name]
        lines.append(f"values invented on {title}: {row['invented']} of {row['n']} ({_percent(row['rate'])} %)")
    lines.append(f"expected calibration error: {_percent(figures['calibration_error'])} %")
    lines.append(f"coverage at 99 % precision: {_percent(figures['coverage_at_99_precision'])} %")
    causes = ", ".join(f"{count} {cause}" for cause, count in figures["causes"].items())
    lines.append(f"wrong answers by cause: {causes or 'none'}")
    lines += _audit_lines(figures.get("audited"))
    for label, chosen in figures["types"].items():
        lines.append(f"type of {label}: " + ", ".join(f"{count} {name}" for name, count in chosen.items()))
    failed = figures["failed"]
    causes = f" ({', '.join(f'{count} {code}' for code, count in failed.items())})" if failed else ""
    lines.append(f"{figures['documents']} documents, {sum(failed.values())} failed{causes}")
    return lines


def _audit_lines(audit: Figures | None) -> list[str]:
    if not audit:
        return []
    mean, invented = audit["mean"], audit["invented"]
    return [
        f"after the audit ({audit['changed']} labels changed, {audit['left_out']} left out), means of keys: "
        f"ANLS {_percent(mean['anls'])} %, exact {_percent(mean['exact'])} %",
        f"after the audit, entity F1: {_percent(audit['entities']['f1'])} %; "
        f"invented {invented['invented']} of {invented['n']} ({_percent(invented['rate'])} %); "
        f"calibration error {_percent(audit['calibration_error'])} %",
    ]


def summary_of(sets: Mapping[str, Figures]) -> list[str]:
    """One line a set, for a run over several; rates in per cent."""
    width = max((len(title) for title in sets), default=0) + 2
    names = ("documents", "anls", "exact", "entities", "cells", "invented", "ece", "cov@99")
    lines = ["set".ljust(width) + "".join(name.rjust(11) for name in names)]
    for title, figures in sets.items():
        rates = (
            figures["mean"]["anls"],
            figures["mean"]["exact"],
            figures["entities"]["f1"],
            (figures["cells"] or {}).get("f1"),
            figures["invented"]["rate"],
            figures["calibration_error"],
            figures["coverage_at_99_precision"],
        )
        cells = [str(figures["documents"]), *(_percent(rate) for rate in rates)]
        lines.append(title.ljust(width) + "".join(cell.rjust(11) for cell in cells))
    return lines


def _entity_line(entities: Figures) -> str:
    counts = f"{entities['right']} right, {entities['given']} given, {entities['wanted']} wanted"
    without = f"; without columns {_percent(entities['f1_without_columns'])} %" if entities["columns"] else ""
    return f"entity F1 (micro): {_percent(entities['f1'])} % ({counts}){without}"


def _cell(name: str, value: object) -> str:
    if name in ("anls", "exact", "typed", "f1") and not isinstance(value, str):
        return _percent(value).rjust(9)
    return str(value).rjust(9)


def _percent(rate: object) -> str:
    return f"{100 * rate:.1f}" if isinstance(rate, float) else "-"
