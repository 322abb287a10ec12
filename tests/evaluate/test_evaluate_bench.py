"""What pages cost: the arithmetic of a bench, and that it measures children and not itself."""

from math import isnan
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pipkie_cli.errors import InputError
from pipkie_cli.evaluate import bench, bench_process
from pipkie_cli.evaluate.bench_report import bench_table
from pipkie_cli.evaluate.run import sample_inputs
from pipkie_cli.evaluate.setting import setting
from pipkie_cli.evaluate.traps import TRAPS
from pipkie_cli.nouns import Input, Key, Locale, Template
from pipkie_cli.templates import find_templates

TEMPLATE = Template("t", "T", tuple(Key(f"k{n}", "text", f"k{n}") for n in range(10)), Locale(), (), (), "0" * 12, "t")


def test_word_recall_counts_each_word_once() -> None:
    """Two of the three wanted words are found: "9.00" is wanted twice and was read once."""
    assert bench.word_recall(["total", "9.00", "9.00"], ["9.00", "total", "cash"]) == pytest.approx(2 / 3)
    assert isnan(bench.word_recall([], ["total"]))


def test_tokens_do_not_depend_on_spaces() -> None:
    """Letters and digits are told apart, punctuation and case are gone."""
    assert bench.tokens("RM9.00 Größe") == bench.tokens("rm 9. 00 GRÖSSE") == ["rm", "9", "00", "grösse"]


def test_templates_of_any_number_of_keys() -> None:
    """Fewer keys are the first ones, more are filled up, tables left out; a number that cannot be reached is said."""
    assert [key.name for key in bench.template_of(TEMPLATE, 4).keys] == ["k0", "k1", "k2", "k3"]
    filled = bench.template_of(TEMPLATE, 16)
    assert len(filled.keys) == 16
    shipped = {key.name for one in find_templates([], None) for key in one.keys if not key.columns}
    assert filled.keys[10].name in shipped
    many = bench.template_of(TEMPLATE, 10 + len(shipped) + 6).keys
    assert len({key.name for key in many} & {trap.key.name for trap in TRAPS}) > 5
    assert not any(key.columns for key in many)
    with pytest.raises(InputError, match="too few keys for a run with 999"):
        bench.template_of(TEMPLATE, 999)


def test_a_sample_is_always_the_same() -> None:
    """The same inputs each time, in their order; all of them when there are not more."""
    inputs = tuple(Input(Path(f"{n}.png"), f"{n:02d}.png") for n in range(20))
    sample = sample_inputs(inputs, 5)
    assert sample == sample_inputs(inputs, 5)
    assert len(sample) == 5
    assert list(sample) == sorted(sample, key=lambda item: item.shown)
    assert sample_inputs(inputs, 20) == inputs


def test_a_scan_of_many_pages(tmp_path: Path) -> None:
    """The pictures in turn, one page each, in one TIFF."""
    for name, colour in (("a.png", "red"), ("b.png", "blue")):
        Image.new("RGB", (40, 30), colour).save(tmp_path / name)
    bench_process.write_scan([tmp_path / "a.png", tmp_path / "b.png"], 5, tmp_path / "scan.tif")
    with Image.open(tmp_path / "scan.tif") as scan:
        assert scan.n_frames == 5


def test_the_cost_of_a_child() -> None:
    """CPU time, peak memory and exit code are those of the child; a usage error is 2."""
    cost = bench_process.child_cost(("--no-such-option",))
    assert cost.exit_code == 2
    assert 0 < cost.cpu_s < 10
    assert 5 << 20 < cost.peak_bytes < 1 << 30


def test_the_setting_names_versions_and_machine() -> None:
    """Every JSON of a measure says what it was measured with."""
    found = setting()
    assert set(found) == {"versions", "commit", "machine"}
    machine: Any = found["machine"]
    assert machine["cores"] >= 1


def test_the_table_leaves_out_what_was_not_measured() -> None:
    """Without pictures, text pages, memory run and wheel the table has the help time alone."""
    figures = {
        "documents": 0,
        "pictures": None,
        "text_pages": {"documents": 0, "failed": 0, "pages": 0},
        "stages": {"pictures": None, "text_pages": None},
        "decoding": None,
        "help_cpu_s": 0.2,
        "memory": None,
        "wheel_bytes": None,
    }
    assert [line.split("  ")[0] for line in bench_table(figures)[1:]] == ["pipkie --help"]
    figures["text_pages"] = {"documents": 2, "failed": 2, "pages": 0}
    assert "2 of 2 documents with a text layer failed" in bench_table(figures)
    figures |= {"wheel_bytes": 70_000_000, "memory": {"peak_mib": 900.0, "pages": 100, "exit_code": 6}}
    assert "exit code 6" in bench_table(figures)[-2]
    assert "70.0 MB" in bench_table(figures)[-1]
