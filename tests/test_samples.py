"""The samples: every document has its right values, and the command reads them."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pipkie_cli.nouns import Input, RunOptions, Template
from pipkie_cli.pipeline import prepare
from pipkie_cli.prompts import fold
from pipkie_cli.templates import find_templates, load_template, shipped_folder, values_schema

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "samples"
EXPECTED: dict[str, dict[str, Any]] = {
    line["file"]: line
    for line in map(json.loads, (SAMPLES / "expected.jsonl").read_text(encoding="utf-8").splitlines())
}
RIGHT = 0.6  # share of the values; a floor against breakage, not the figure to reach


@cache
def templates() -> dict[str, Template]:
    return {template.name: template for template in find_templates((), SAMPLES / "templates")}


def test_every_sample_has_its_line() -> None:
    """Documents in the folder, lines of expected.jsonl and names in make.py are the same."""
    documents = {path.name for path in SAMPLES.iterdir() if path.suffix not in (".py", ".jsonl") and path.is_file()}
    drawn = re.findall(r'"(\w+\.(?:pdf|tif|jpg|png))"', (SAMPLES / "make.py").read_text(encoding="utf-8"))
    assert documents == set(EXPECTED) == set(drawn)
    assert len(drawn) == len(documents)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_right_values_fit_their_template(name: str) -> None:
    """One for every key of the document's template, in its order, of its type; a required one is never null."""
    expected = EXPECTED[name]
    template = templates()[expected["document_type"]]
    assert list(expected["values"]) == [key.name for key in template.keys]
    assert [
        error.message for error in Draft202012Validator(values_schema(template)).iter_errors(expected["values"])
    ] == []
    assert not [key.name for key in template.keys if key.required and expected["values"][key.name] is None]


@pytest.mark.parametrize(
    "path",
    sorted([*shipped_folder().glob("*.yaml"), *(SAMPLES / "templates").glob("*.yaml")]),
    ids=lambda path: path.name,
)
def test_every_template_loads_and_has_a_sample(path: Path) -> None:
    """A template that comes along can be tried at once."""
    template = load_template(path)
    assert template.name == path.stem
    assert template.name in {line["document_type"] for line in EXPECTED.values()}


TEXT_PDFS = [name for name in sorted(EXPECTED) if name.endswith(".pdf") and "scan" not in name]


@pytest.mark.parametrize("name", TEXT_PDFS)
def test_the_type_of_a_sample_is_found(name: str) -> None:
    """Among all templates, without the model; every shipped one but those of photographs."""
    options = RunOptions(tuple(templates().values()))
    choice = prepare(Input(SAMPLES / name, f"samples/{name}"), options).choice
    assert choice.template is not None
    assert choice.template.name == EXPECTED[name]["document_type"]
    assert choice.score > 0.5


def extracted(paths: list[str], output: Path) -> dict[str, dict[str, Any]]:
    """Records of the real command, in a process of its own, with the weights that come along."""
    command = [sys.executable, "-m", "pipkie_cli", "extract", *paths, "--templates", "samples/templates", "-q"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    ended = subprocess.run([*command, "-o", str(output)], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
    records = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    return {Path(record["document"]["path"]).name: record for record in records}


def assert_whole(record: dict[str, Any]) -> None:
    """Read, of the right type, every value with a place on a page of the document."""
    expected = EXPECTED[Path(record["document"]["path"]).name]
    assert record["status"] in ("ok", "review"), record["problems"]
    assert record["document_type"] == expected["document_type"]
    assert list(record["values"]) == list(record["fields"]) == list(expected["values"])
    for key, value, field in answers_of(record):
        assert (field["raw"] is None) == (field["page"] is None) == (not field["boxes"]), key
        assert field["page"] is None or field["page"] in record["document"]["pages"], key
        for left, top, right, bottom in field["boxes"]:
            assert 0 <= left < right <= 1, key
            assert 0 <= top < bottom <= 1, key
        assert value is None or field["raw"], key


def answers_of(record: dict[str, Any]) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Name, value and field of every key and of every cell of its tables."""
    for key, field in record["fields"].items():
        if isinstance(field, list):
            for number, row in enumerate(field):
                for column, cell in row.items():
                    yield f"{key}[{number}].{column}", record["values"][key][number][column], cell
        else:
            yield key, record["values"][key], field


def test_a_text_layer_and_a_photo_are_read(tmp_path: Path) -> None:
    """The real command on two documents: exit code 0, silence, two whole records."""
    names = ["invoice_german.pdf", "receipt_photo.jpg"]
    records = extracted([f"samples/{name}" for name in names], tmp_path / "records.jsonl")
    assert list(records) == names
    for record in records.values():
        assert_whole(record)
        assert any(field["raw"] for _, _, field in answers_of(record))
        assert record["values"]["line_items"]
    sources = [{field["source"] for _, _, field in answers_of(record)} - {None} for record in records.values()]
    assert sources == [{"text"}, {"ocr"}]


def is_right(value: Any, expected: Any) -> bool:
    """Texts by their letters and digits, everything else exactly."""
    if isinstance(value, str) and isinstance(expected, str):
        return fold(value) == fold(expected)
    return bool(value == expected)


def compared(values: dict[str, Any], expected: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Every value beside its right one; cells of tables row by row, a row too many as one wrong value."""
    for key, right in expected.items():
        if not isinstance(right, list):
            yield key, values[key], right
            continue
        for number, (row, right_row) in enumerate(zip_longest(values[key], right)):
            if right_row is None:
                yield f"{key}[{number}]", row, None
            else:
                yield from ((f"{key}[{number}].{name}", (row or {}).get(name), one) for name, one in right_row.items())


@pytest.mark.nightly
def test_all_samples_are_read_right(tmp_path: Path) -> None:
    """README's first command: whole records, and at least RIGHT of their values are those of expected.jsonl.

    `pytest -m nightly -rP tests/test_samples.py` tells how many, and which are wrong.
    """
    records = extracted(["samples"], tmp_path / "records.jsonl")
    assert set(records) == set(EXPECTED)
    wrong, n_values = [], 0
    for name, record in records.items():
        assert_whole(record)
        for key, value, expected in compared(record["values"], EXPECTED[name]["values"]):
            n_values += 1
            if not is_right(value, expected):
                wrong.append(f"{name} {key}: {value!r}, not {expected!r}")
    sys.stdout.write("\n".join([f"{n_values - len(wrong)} of {n_values} values are right", *wrong]))
    assert len(wrong) <= (1 - RIGHT) * n_values
