"""The contract of every model family, run over the registry: what a backend promises whatever its weights are."""

import json
import math
import pickle
import shutil
from pathlib import Path

import pytest

from pipkie_cli.errors import ModelError
from pipkie_cli.models import Backend, load_backend
from pipkie_cli.models.mini import METHOD, SHIPPED
from pipkie_cli.models.registry import BUILT_IN
from pipkie_cli.nouns import Box, Key, Window, Word

KEYS = (
    Key("invoice_number", "text", "invoice number", ("Rechnungsnummer", "Invoice No.")),
    Key("issue_date", "date", "issue date", ("Rechnungsdatum",)),
    Key("grand_total", "amount", "grand total", ("Gesamtbetrag", "Total")),
    Key("policy_number", "text", "policy number"),
)
LINES = ("ACME GmbH", "Hauptstr. 5", "Rechnungsnummer: A-1001", "Rechnungsdatum: 04.05.2026", "Gesamtbetrag 120,50 €")


def window_of(lines: tuple[str, ...] = LINES, keys: tuple[Key, ...] = KEYS) -> Window:
    words = []
    for line, text in enumerate(lines):
        left = 0.1
        for word in text.split():
            width = 0.011 * len(word)
            box = Box(left, 0.1 + 0.03 * line, left + width, 0.115 + 0.03 * line)
            words.append(Word(word, box, line, line, "text"))
            left += width + 0.01
    return Window(0, 1, 595, 842, 0, tuple(words), keys)


@pytest.fixture(scope="module", params=BUILT_IN)
def backend(request: pytest.FixtureRequest) -> Backend:
    return load_backend(request.param)


def test_every_key_is_answered_with_probabilities(backend: Backend) -> None:
    """Per key: candidates best first, one of them ABSENT, probabilities of at most 1 in all, spans inside the page."""
    window = window_of()
    answers = backend.forward(backend.prepare(window))
    assert len(answers) == len(KEYS)
    for candidates in answers:
        assert [one.words is None for one in candidates].count(True) == 1
        assert sum(math.exp(one.score) for one in candidates) <= 1 + 1e-6
        assert [one.score for one in candidates] == sorted((one.score for one in candidates), reverse=True)
        assert all(0 <= one.words[0] <= one.words[1] < len(window.words) for one in candidates if one.words)


def test_a_new_key_never_changes_the_others(backend: Backend) -> None:
    """Any number of keys may be asked in one pass: each is answered as if it were alone."""
    together = backend.forward(backend.prepare(window_of()))
    for number, key in enumerate(KEYS):
        (alone,) = backend.forward(backend.prepare(window_of(keys=(key,))))
        assert [one.words for one in alone][:3] == [one.words for one in together[number]][:3]
        assert alone[0].score == pytest.approx(together[number][0].score, abs=1e-4)


def test_the_same_window_gives_the_same_answer(backend: Backend) -> None:
    """Whatever was read before: no state is kept between documents."""
    first = backend.forward(backend.prepare(window_of()))
    backend.forward(backend.prepare(window_of(LINES[::-1] * 7)))
    assert backend.forward(backend.prepare(window_of())) == first


def test_prepared_inputs_travel_between_processes(backend: Backend) -> None:
    """What `prepare` gives is picklable and reads the same afterwards."""
    inputs = backend.prepare(window_of())
    assert backend.forward(pickle.loads(pickle.dumps(inputs))) == backend.forward(inputs)


def test_odd_words_are_read(backend: Backend) -> None:
    """One word, a word of 5,000 letters, letters of no known script: an answer, not a crash."""
    for lines in (("x",), ("y" * 5000,), ("日本語 🙂 \u0627\u0644",)):
        assert len(backend.forward(backend.prepare(window_of(lines)))) == len(KEYS)


def test_a_prompt_that_holds_no_letter_is_asked(backend: Backend) -> None:
    """A key may be called anything: scores are numbers still."""
    (candidates,) = backend.forward(backend.prepare(window_of(keys=(Key("odd", "text", "\a"),))))
    assert all(math.isfinite(one.score) for one in candidates)


def test_the_shipped_model_reads_a_plain_invoice(backend: Backend) -> None:
    """The weights in the package are trained ones: labelled values are found, what is not there is ABSENT."""
    window = window_of()
    number, date, total, policy = (candidates[0].words for candidates in backend.forward(backend.prepare(window)))
    texts = [word.text for word in window.words]
    assert number is not None
    assert texts[number[0] : number[1] + 1] == ["A-1001"]
    assert date is not None
    assert texts[date[0] : date[1] + 1] == ["04.05.2026"]
    assert total is not None
    assert texts[total[0]] == "120,50"
    assert policy is None


def test_damaged_checkpoints_are_named(tmp_path: Path) -> None:
    """A missing file, another method or a broken graph end the run with what to do, not with a traceback."""
    with pytest.raises(ModelError, match="no model called nonesuch"):
        load_backend("nonesuch")
    folder = tmp_path / "model"
    shutil.copytree(SHIPPED, folder)
    (folder / "page.onnx").write_bytes(b"not a graph")
    with pytest.raises(ModelError, match="damaged"):
        load_backend(str(folder))
    (folder / "pipkie.json").write_text(json.dumps({"method": "autoregressive"}))
    with pytest.raises(ModelError, match="autoregressive"):
        load_backend(str(folder))
    (folder / "text.onnx").unlink()
    with pytest.raises(ModelError, match=r"text\.onnx"):
        load_backend(str(folder))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pipkie.json", b"[1, 2]"),
        ("pipkie.json", b"\xff"),
        ("pipkie.json", b'{"method": "%b", "name": "mini"}' % METHOD.encode()),
        (
            "pipkie.json",
            b'{"method": "%b", "name": "m", "version": "1", "calibration": {"ocr": [1]}}' % METHOD.encode(),
        ),
        ("tokenizer.json", b"{}"),
        ("pieces.npz", b"PK\x03\x04"),
    ],
)
def test_every_file_of_a_checkpoint_may_be_damaged(tmp_path: Path, name: str, content: bytes) -> None:
    """Whichever it is, the message names it and the run ends as with any model that is unfit (exit code 6)."""
    for file in SHIPPED.iterdir():
        if file.name != name:
            (tmp_path / file.name).symlink_to(file)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ModelError, match=rf"{name} is damaged"):
        load_backend(str(tmp_path))
