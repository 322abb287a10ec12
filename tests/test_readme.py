"""What README and docs name is there: commands with their options, files, links, the template and the record shown.

tests/cli/test_cli_readme.py holds the exit codes and the test command.
"""

import json
import re
import shlex
from pathlib import Path

import pytest
from command_line import Pipkie

from pipkie_cli.records import RECORD_SCHEMA
from pipkie_cli.templates import load_template

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = ("README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")))
GROUPS = {  # commands that have commands; `bench` without one is `bench pages`
    "bench": ("pages", "pip", "run"),
    "models": ("list", "show", "verify", "download", "convert"),
    "templates": ("list", "show", "check", "schema", "new", "try", "test"),
}


def block(language: str) -> str:
    """The only code block of a language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    return str(found)


def calls(text: str) -> set[tuple[str, ...]]:
    """Every call of pipkie in running text and code, as its arguments; a mere mention of a command is one, too."""
    text = re.sub(r"\\\n\s*", "", text)  # a line that goes on
    found = re.findall(r"(?:^    |`|bin/)pipkie ([a-z][^`\n]*)", text, re.MULTILINE)
    return {tuple(shlex.split(re.split(r" (?:>|&&|\|) ", call)[0])) for call in found}


CALLS = sorted({call for name in DOCUMENTS for call in calls((ROOT / name).read_text(encoding="utf-8"))})


def test_calls_are_seen() -> None:
    """In a code block, in running text, behind a virtual environment; not the name of the program alone."""
    text = "    pipkie extract a \\\n -q > x\n\nsee `pipkie eval --data D`\n.venv/bin/pipkie bench && rm\npipkie reads"
    assert calls(text) == {("extract", "a", "-q"), ("eval", "--data", "D"), ("bench",)}
    assert len(CALLS) > 5


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_every_call_that_is_shown_exists(call: tuple[str, ...], pipkie: Pipkie) -> None:
    """Its command answers to --help, its options stand there, and files of the repository that it names are there."""
    command = call[: 2 if call[1:2] and call[1] in GROUPS.get(call[0], ()) else 1]
    if command == ("bench",):
        command = ("bench", "pages")
    helped = pipkie(*command, "--help")
    assert helped.code == 0
    options = [word.strip("[]") for word in call if re.match(r"\[?-", word)]
    assert [option for option in options if not re.search(rf"(?<![\w-]){option}(?![\w-])", helped.out)] == []
    for word in call:
        assert not word.startswith("samples/") or (ROOT / word).exists(), word


LINKS = [
    (name, target)
    for name in DOCUMENTS
    for target in re.findall(r"\]\(([^)#]+)", (ROOT / name).read_text(encoding="utf-8"))
    if "://" not in target
]


@pytest.mark.parametrize(("name", "target"), LINKS)
def test_links_lead_somewhere(name: str, target: str) -> None:
    """Relative to the document that they stand in."""
    assert ((ROOT / name).parent / target).exists()


def test_the_template_shown_is_one(tmp_path: Path) -> None:
    """It loads, and is the one that lies beside the samples, shortened."""
    (tmp_path / "mine.yaml").write_text(block("yaml"), encoding="utf-8")
    shown, whole = load_template(tmp_path / "mine.yaml"), load_template(ROOT / "samples/templates/membership_form.yaml")
    assert (shown.name, shown.detect_words, shown.locale) == (whole.name, whole.detect_words, whole.locale)
    assert set(shown.keys) < set(whole.keys)


def test_the_record_shown_has_the_fields_of_a_record() -> None:
    """The same names in the same order as the schema's; what is shortened stays a record in form."""
    record = json.loads(block("json"))
    schema = RECORD_SCHEMA["properties"]
    assert list(record) == list(schema)
    assert list(record["document"]) == list(schema["document"]["properties"])
    field = record["fields"]["grand_total"]
    assert list(field) == list(schema["fields"]["additionalProperties"]["else"]["properties"])
    assert record["schema"] == schema["schema"]["const"]
    assert record["status"] in schema["status"]["enum"]
    assert (ROOT / record["document"]["path"]).exists()
