"""Limits that no test of a room covers, and the page that lists them all: docs/security.md says what the code says."""

import importlib
import os
import re
import signal
from collections.abc import Sequence
from pathlib import Path

import make
import numpy as np
import pytest
from stand_ins import KeyValueBackend

from pipkie_cli.batch import Limits
from pipkie_cli.batch.supervisor import Supervisor
from pipkie_cli.documents import open_document
from pipkie_cli.errors import ModelError
from pipkie_cli.facts import codes
from pipkie_cli.facts.rows import align
from pipkie_cli.nouns import Box, Input, Key, Locale, Page, RunOptions, Template, Word
from pipkie_cli.prompts import make_windows

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| [^|]+ \| ([^|]+) \| `([\w/]+\.py)` `(\w+(?:\.\w+)?)` \| `([\w/.]+)` `(\w+)` \|$", re.MULTILINE)
UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "million": 1_000_000}
NOTE = Template("note", "Note", (Key("number", "text", "number"),), Locale(), (), (), "0" * 12, "note.yaml")
OPTIONS = RunOptions((NOTE,), template_given=True)


# ------------------------------------------------------------------------------------------------------------- the page


def rows() -> list[tuple[str, str, str, str, str]]:
    """Value as printed, file and name of the constant, file and name of the test."""
    return ROW.findall(PAGE)


@pytest.mark.parametrize(("printed", "module", "name", "test", "function"), rows(), ids=lambda text: text)
def test_a_limit_is_what_the_page_says_and_has_its_test(
    printed: str, module: str, name: str, test: str, function: str
) -> None:
    number, *unit = printed.replace(",", "").split(" ")
    wanted = float(number) * UNITS.get(unit[0] if unit else "", 1)
    found = importlib.import_module(f"pipkie_cli.{module.removesuffix('.py').replace('/', '.')}")
    owner, _, field = name.partition(".")
    value = getattr(found, owner)
    assert (value.__dataclass_fields__[field].default if field else value) == wanted
    assert re.search(rf"^ *def {function}\(", (ROOT / "tests" / test).read_text(encoding="utf-8"), re.MULTILINE)


def test_every_limit_of_a_document_is_on_the_page() -> None:
    """A table row that is badly written is not overlooked, and a new constant is not forgotten."""
    listed = {(module, name) for _, module, name, _, _ in rows()}
    assert len(listed) == len(re.findall(r"^\| .*\.py` \|.*\.py", PAGE.replace("` `", "` | `"), re.MULTILINE))
    for module in ("documents/limits", "facts/limits"):
        names = vars(importlib.import_module(f"pipkie_cli.{module.replace('/', '.')}"))
        constants = {(f"{module}.py", name) for name in names if re.match(r"(MAX|PROBE|CHILD|POPPLER)_", name)}
        assert constants <= listed, constants - listed


# ------------------------------------------------------------------------------------------------------------ documents


def _forms(depth: int, n_images: int = 1) -> bytes:
    """Images within `depth` forms within each other."""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Resources << /XObject << /X 5 0 R >> >> "
        "/Contents 4 0 R >>",
        make.stream(b"q 50 0 0 50 9 9 cm /X Do Q\n" * n_images if not depth else b"/X Do"),
    ]
    for level in range(depth):
        paints = b"/X Do" if level < depth - 1 else b"q 50 0 0 50 9 9 cm /X Do Q\n" * n_images
        inner = f"/Resources << /XObject << /X {6 + level} 0 R >> >>"
        objects.append(make.stream(paints, f"/Type /XObject /Subtype /Form /BBox [0 0 100 100] {inner}"))
    objects.append(make.stream(b"\0", "/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8"))
    return make.raw_pdf(objects)


def _images(path: Path, data: bytes) -> int:
    path.write_bytes(data)
    with open_document(path, shown="a") as document:
        return len(next(document.pages()).image_boxes)


def test_pictures_are_searched_in_so_many_forms_and_objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deeper ones, and more, cost nothing."""
    assert [_images(tmp_path / "a.pdf", _forms(depth)) for depth in (0, 4, 5)] == [1, 1, 0]
    monkeypatch.setattr("pipkie_cli.documents.pdf_pictures.MAX_OBJECTS", 3)
    assert [_images(tmp_path / "a.pdf", _forms(depth, 9)) for depth in (0, 1)] == [3, 2]


# ---------------------------------------------------------------------------------------------------------------- facts


def test_codes_of_a_page_are_counted_and_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two codes where one is allowed; a text longer than a code may have."""
    import zxingcpp

    code = np.asarray(zxingcpp.create_barcode("A long text", zxingcpp.BarcodeFormat.QRCode).to_image(scale=4))
    page = np.repeat(np.concatenate([code, code])[..., None], 3, axis=2)
    assert len(codes.decode(page, 1, False)) == 2
    monkeypatch.setattr(codes, "MAX_CODES", 1)
    assert len(codes.decode(page, 1, False)) == 1
    monkeypatch.setattr(codes, "MAX_CODE_CHARS", 5)
    assert codes.decode(page, 1, False) == []


def test_tables_of_thousands_of_rows_are_not_compared() -> None:
    """The time grows as the product of the rows."""

    def never(row: int, at: int) -> int:
        raise AssertionError

    assert align(range(501), range(500), never) == {}
    assert align(range(3), range(3), lambda row, at: int(row == at)) == {0: 0, 1: 1, 2: 2}


# ---------------------------------------------------------------------------------------------------- words and windows


def test_a_window_asks_for_so_many_cells() -> None:
    """A page of many short rows, a table of twenty columns."""
    columns = tuple(Key(f"c{number}", "text", f"c{number}") for number in range(20))
    table = Template("t", "T", (Key("t", "table", "t", columns=columns),), Locale(), (), (), "0", "t.yaml")
    words = tuple(Word("w", Box(0, row / 400, 0.1, (row + 0.9) / 400), row, row, "text") for row in range(400))
    (window,) = make_windows([Page(0, 100, 100, 0, words, "text", None)], table)
    assert len(window.cells) == 600


# -------------------------------------------------------------------------------------------------------------- workers


def _supervise(inputs: Sequence[Input]) -> list[str]:
    with Supervisor(OPTIONS, Limits()) as supervisor:
        return [outcome.told.statuses[0] for _, outcome in supervisor.outcomes(inputs)]


def test_workers_that_die_while_they_load_end_the_run(tmp_path: Path, made_up: pytest.MonkeyPatch) -> None:
    """Three in a row: an error that says so, not a loop."""
    started = tmp_path / "started"

    def die(name: str, *_: object, **__: object) -> KeyValueBackend:
        with started.open("a") as file:
            file.write("x")
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError

    made_up.setattr("pipkie_cli.models.load_backend", die)
    (tmp_path / "a.pdf").write_text("number: 1")
    with pytest.raises(ModelError, match="workers end while they load the model"):
        _supervise([Input(tmp_path / "a.pdf", "a.pdf")])
    assert started.read_text() == "xxx"


def test_a_model_that_never_loads_ends_the_run(tmp_path: Path, made_up: pytest.MonkeyPatch) -> None:
    """Each worker has its time for that."""
    import time

    made_up.setattr("pipkie_cli.models.load_backend", lambda name, *_, **__: time.sleep(600))
    made_up.setattr("pipkie_cli.batch.supervisor.START_S", 0.2)
    (tmp_path / "a.pdf").write_text("number: 1")
    with pytest.raises(ModelError, match="could not load the model"):
        _supervise([Input(tmp_path / "a.pdf", "a.pdf")])


@pytest.mark.parametrize(("after", "grown", "n_workers"), [(500, 1 << 40, 1), (2, 1 << 40, 3), (500, -(1 << 40), 5)])
def test_workers_are_replaced_in_time(
    tmp_path: Path, made_up: pytest.MonkeyPatch, after: int, grown: int, n_workers: int
) -> None:
    """After so many documents, or when one has grown; every document is read all the same."""
    made_up.setattr("pipkie_cli.batch.supervisor.RECYCLED_AFTER", after)
    made_up.setattr("pipkie_cli.batch.supervisor.GROWN_BYTES", grown)
    loaded = tmp_path / "loaded"

    def load(name: str, *_: object, **__: object) -> KeyValueBackend:
        with loaded.open("a") as file:
            file.write("x")
        return KeyValueBackend()

    made_up.setattr("pipkie_cli.models.load_backend", load)
    (tmp_path / "a.pdf").write_text("number: 1")
    assert _supervise([Input(tmp_path / "a.pdf", f"{number}.pdf") for number in range(5)]) == ["ok"] * 5
    assert len(loaded.read_text()) == n_workers
