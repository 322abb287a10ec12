"""The same answers by the labels of a set and by labels that somebody looked at: both counts, each change named."""

import json
from pathlib import Path
from typing import Any

import pytest
from test_evaluate_report import DOCUMENTS, ROAD, RULES, TEMPLATE

from pipkie_cli.errors import InputError
from pipkie_cli.evaluate.audit import Changes, audited, read_changes
from pipkie_cli.evaluate.measure import measure
from pipkie_cli.evaluate.report import audit_figures, figures_of, table_of


def changes(tmp_path: Path, *rows: dict[str, Any]) -> Changes:
    file = tmp_path / "audit.jsonl"
    whole = [{"set": "mine", "why": "printed so", **row} for row in rows]
    file.write_text("".join(json.dumps(row) + "\n" for row in whole), encoding="utf-8")
    return read_changes(file)


def judged_again(found: Changes) -> dict[str, Any]:
    again, changed, left_out = audited(list(measure(DOCUMENTS, ROAD, TEMPLATE, RULES)), found, TEMPLATE, RULES)
    return {"changed": changed, "left_out": left_out, **audit_figures(again, False)}


def test_a_changed_label_changes_its_figure_only(tmp_path: Path) -> None:
    """BETX is printed where BETA is labelled; the total that b is said not to have stands there."""
    before = figures_of(list(measure(DOCUMENTS, ROAD, TEMPLATE, RULES)))
    found = judged_again(
        changes(
            tmp_path,
            {"file": "b", "key": "company", "labelled": "BETA", "right": ["BETA", "BETX"]},
            {"file": "b", "key": "total", "labelled": None, "right": ["3.00"]},
        )
    )
    assert (found["changed"], found["left_out"]) == (2, 0)
    assert before["keys"]["company"]["exact"] == pytest.approx(1 / 3, abs=1e-6)
    assert found["keys"]["company"]["exact"] == pytest.approx(2 / 3, abs=1e-6)
    assert (before["absent"]["invented"], found["absent"]["n"]) == (1, 0)
    assert found["keys"]["total"]["n"] == before["keys"]["total"]["n"] + 1
    assert found["invented"]["n"] == before["invented"]["n"] - 1  # the traps stay as they were


def test_a_label_can_become_absent_or_undecided(tmp_path: Path) -> None:
    found = judged_again(
        changes(
            tmp_path,
            {"file": "a", "key": "company", "labelled": "ACME LTD", "right": None},
            {"file": "c", "key": "company", "labelled": ["GAMMA"], "right": "undecided"},
        )
    )
    assert (found["changed"], found["left_out"]) == (1, 1)
    assert (found["keys"]["company"]["n"], found["keys"]["company"]["absent"]) == (1, 1)
    assert found["keys"]["company"]["invented"] == 1


def test_changes_of_other_sets_and_documents_are_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    row = {"file": "a", "key": "company", "labelled": "ACME LTD", "right": None, "why": ""}
    file.write_text(json.dumps({"set": "other", **row}) + "\n\n" + json.dumps({"set": "mine", **row, "file": "z"}))
    assert judged_again(read_changes(file))["changed"] == 0


def test_both_counts_stand_in_the_table(tmp_path: Path) -> None:
    found = judged_again(changes(tmp_path, {"file": "b", "key": "company", "labelled": "BETA", "right": ["BETX"]}))
    lines = table_of({**figures_of(list(measure(DOCUMENTS, ROAD, TEMPLATE, RULES))), "audited": found})
    assert any(line.startswith("after the audit (1 labels changed, 0 left out), means of keys:") for line in lines)


@pytest.mark.parametrize("row", [{"key": "company", "labelled": "ACME"}, {"key": "phone", "labelled": "1"}], ids=repr)
def test_a_change_of_a_label_that_the_set_has_not_is_refused(tmp_path: Path, row: dict[str, Any]) -> None:
    """Another edition of the set, or a slip of the pen: the second count would be of something else."""
    with pytest.raises(InputError, match="a changed label"):
        judged_again(changes(tmp_path, {"file": "a", "right": None, **row}))


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"set": "mine"}', '{"set": "s", "file": "f", "key": "k", "labelled": "a", "right": []}',
             '{"set": "s", "file": "f", "key": "k", "labelled": 3, "right": null}']
)  # fmt: skip
def test_a_line_that_is_no_change_is_told_with_its_number(tmp_path: Path, line: str) -> None:
    file = tmp_path / "audit.jsonl"
    file.write_text("\n" + line, encoding="utf-8")
    with pytest.raises(InputError, match=r"audit\.jsonl:2 is no change"):
        read_changes(file)


def test_two_changes_of_one_label_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    row = {"file": "a", "key": "total", "labelled": "9.00", "right": ["9"]}
    with pytest.raises(InputError, match="second time"):
        changes(tmp_path, row, row)
    with pytest.raises(InputError, match="cannot be read"):
        read_changes(tmp_path / "none.jsonl")
