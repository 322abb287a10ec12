"""Made-up documents: the same from a seed everywhere, with answers that stand where they say."""

import subprocess
import sys
from collections import Counter

import pytest

from pipkie_cli.nouns import Example
from pipkie_cli.synth import make_example

SEEDS = range(150)


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    return [make_example(seed) for seed in SEEDS]


def test_spans_lie_inside_the_page(examples: list[Example]) -> None:
    """Every right span is a run of words of its page."""
    for example in examples:
        for question in example.questions:
            assert all(0 <= first <= last < len(example.page.words) for first, last in question.spans)


def test_about_a_third_of_the_questions_is_absent(examples: list[Example]) -> None:
    """Between a fifth and two fifths of the questions ask for what the page does not hold."""
    spans = [question.spans for example in examples for question in example.questions]
    assert 0.2 < sum(not one for one in spans) / len(spans) < 0.4


def test_every_page_is_asked_something_and_no_key_twice(examples: list[Example]) -> None:
    """Key names are unique within an example, and there is at least one."""
    for example in examples:
        names = Counter(question.key.name for question in example.questions)
        assert names
        assert max(names.values()) == 1


def test_no_faker_at_import() -> None:
    """Importing the room loads neither Faker nor torch: help and batch runs stay fast."""
    code = "import sys, pipkie_cli.synth; sys.exit('faker' in sys.modules or 'torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_seed_gives_the_same_example_in_another_process(examples: list[Example]) -> None:
    """Nothing but the seed matters: hash randomisation, earlier draws and the process do not."""
    code = "from pipkie_cli.synth import make_example; print(make_example(7))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == str(examples[7])
