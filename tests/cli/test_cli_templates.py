"""`pipkie templates`: look at what there is."""

import json
from pathlib import Path

from command_line import TEMPLATE, Pipkie


def test_list_names_shipped_and_own(pipkie: Pipkie, desk: Path) -> None:
    """Name, title, number of keys, where it lies."""
    (desk / "mine").mkdir()
    (desk / "note.yaml").rename(desk / "mine" / "note.yaml")
    ended = pipkie("templates", "list", "--templates", "mine")
    lines = ended.out.splitlines()
    listed = [line.split()[0] for line in lines]
    assert listed == sorted(listed)
    assert {"invoice", "note", "receipt"} < set(listed)
    assert lines[listed.index("note")].endswith("Note (2 keys)  mine/note.yaml")
    assert (ended.code, ended.err) == (0, "")


def test_show_prints_the_file(pipkie: Pipkie, desk: Path) -> None:
    """As it is, comments included: a start for one's own."""
    assert pipkie("templates", "show", "note.yaml").out == TEMPLATE


def test_schema_is_json(pipkie: Pipkie, desk: Path) -> None:
    """The schema that `values` of a record validates against."""
    assert set(json.loads(pipkie("templates", "schema", "note.yaml").out)["properties"]) == {"number", "total"}


def test_show_and_schema_find_an_own_template_by_its_name(pipkie: Pipkie, desk: Path) -> None:
    """--templates names the folder, as for extract."""
    (desk / "mine").mkdir()
    (desk / "note.yaml").rename(desk / "mine" / "other.yaml")
    assert pipkie("templates", "show", "note", "--templates", "mine").out == TEMPLATE
    schema = json.loads(pipkie("templates", "schema", "note", "--templates", "mine").out)
    assert set(schema["properties"]) == {"number", "total"}
    assert pipkie("templates", "schema", "note").code == 4


def test_an_unknown_name(pipkie: Pipkie, desk: Path) -> None:
    """Exit code 4 and a suggestion."""
    ended = pipkie("templates", "show", "invoise")
    assert ended.code == 4
    assert "invoice" in ended.err
