"""Real pages as training examples: right spans, other digits, keys that are not there."""

import json
import random
from pathlib import Path

import pytest
from tiny import VALUES, page_of, real_page

from pipkie_cli.nouns import Example, Key
from pipkie_cli.train.real import (
    NEVER,
    SETS,
    TUNE_SHARE,
    is_tune_group,
    labels_of,
    make_real_example,
    to_real_page,
)

SHIPPED = {"total": Key("total", "amount", "total", ("TOTAL", "Amount"))}
SEEDS = range(60)


def examples() -> list[Example]:
    page = real_page()
    return [make_real_example(page, SHIPPED, random.Random(seed)) for seed in SEEDS]


def digits(text: str) -> bool:
    return any(char.isdigit() for char in text)


def test_labels_become_spans() -> None:
    """A list of right values gives the places of all; what is not printed and what is no key of the set is left out."""
    values = {**VALUES, "date": ["14 MAR 2018", "2018-03-15"], "address": "elsewhere", "total": None, "colour": "TOTAL"}
    page = page_of()
    spans = to_real_page("receipt", "g", page, 1, values).spans
    texts = {key: [" ".join(w.text for w in page.words[a : b + 1]) for a, b in found] for key, found in spans.items()}
    assert texts == {"company": ["KEDAI MELUR"], "date": ["14 MAR 2018", "2018-03-15"]}


def test_equal_words_get_equal_digits() -> None:
    """4711 is printed twice and stays one number; over the seeds it becomes many."""
    seen = set()
    for example in examples():
        (first, second) = (word.text for word in (example.page.words[6], example.page.words[-1]))
        assert first == second
        assert len(first) == 4
        seen.add(first)
    assert len(seen) > 10


def test_the_form_of_a_number_stays() -> None:
    """Marks, zeros and length are those of the original; a digit that counts never becomes a zero."""
    for example in examples():
        total = example.page.words[-2].text
        assert (len(total), total[2], total[4]) == (5, ".", "0")
        assert "0" not in total[:2] + total[3]


def test_dates_are_untouched() -> None:
    """With marks or as words: a day 83 is printed nowhere."""
    for example in examples():
        texts = [word.text.upper() for word in example.page.words]
        assert texts[8:11] == ["14", "MAR", "2018"]
        assert texts[12] == "2018-03-15"


def test_words_without_digits_keep_their_letters() -> None:
    """Case may change, nothing else, and no place moves."""
    original = page_of()
    for example in examples():
        for word, before in zip(example.page.words, original.words, strict=True):
            assert digits(before.text) or word.text.lower() == before.text.lower()
            assert (word.box, word.line, word.segment) == (before.box, before.line, before.segment)


def test_labelled_keys_are_asked_with_their_spans() -> None:
    """Every labelled key once, under one of its prompts or as the shipped template asks it."""
    page = real_page()
    for example in examples():
        present = {question.key.name: question for question in example.questions if question.spans}
        assert {name: question.spans for name, question in present.items()} == page.spans
        for name, question in present.items():
            assert question.key.prompt in SETS["receipt"][name][1]
            assert question.key.type == SETS["receipt"][name][0]
    assert any(question.key == SHIPPED["total"] for example in examples() for question in example.questions)


def test_never_keys_are_asked_and_absent() -> None:
    """One to four keys that such a document surely does not hold, with no right span."""
    prompts = {prompt for _, known in SETS["receipt"].values() for prompt in known}
    seen = set()
    for example in examples():
        absent = [question.key for question in example.questions if not question.spans]
        assert 1 <= len(absent) <= 4
        assert not {key.prompt for key in absent} & prompts
        seen |= {key.prompt for key in absent}
    assert len(seen) > 20  # a short list would be learnt by heart


@pytest.mark.parametrize("kind", sorted(SETS))
def test_never_keys_are_no_keys_of_their_set(kind: str) -> None:
    """Else the same key would be taught to be present and absent."""
    prompts = {prompt for _, known in SETS[kind].values() for prompt in known}
    assert not prompts & {prompt for prompt, _ in NEVER[kind]}
    assert not set(SETS[kind]) & {prompt.replace(" ", "_") for prompt, _ in NEVER[kind]}


def test_no_more_keys_than_wanted() -> None:
    """`n_keys` bounds the questions of a page."""
    assert len(make_real_example(real_page(), SHIPPED, random.Random(1), n_keys=3).questions) == 3


def test_the_tune_split_is_stable() -> None:
    """Which shops are held back is fixed for ever: another hash would let tune pages into training."""
    groups = [f"shop {number}" for number in range(40)]
    assert [group for group in groups if is_tune_group(group, "receipt")] == ["shop 4", "shop 5"]
    many = [f"group {number}" for number in range(4000)]
    for kind, share in TUNE_SHARE.items():
        assert sum(is_tune_group(group, kind) for group in many) / len(many) == pytest.approx(share, abs=0.02)


def test_only_the_named_part_is_read(tmp_path: Path) -> None:
    """A split may name documents by path, name or stem."""
    lines = [{"file": f"documents/{name}", "values": {}} for name in ("a.jpg", "b.jpg", "c.pdf", "d.pdf")]
    (tmp_path / "labels.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    (tmp_path / "split.json").write_text(json.dumps({"train": ["a", "c.pdf"], "dev": ["documents/d.pdf"]}))
    assert [line["file"] for line in labels_of(tmp_path, "train")] == ["documents/a.jpg", "documents/c.pdf"]
    assert [line["file"] for line in labels_of(tmp_path, "dev")] == ["documents/d.pdf"]
    assert len(labels_of(tmp_path, None)) == len(lines)


def test_the_made_up_page_is_what_these_tests_think() -> None:
    """The places named above."""
    assert [word.text for word in page_of().words][6:13:2] == ["4711", "14", "2018", "2018-03-15"]
