"""Every layout of made-up pages states what it says it states, and traps are not on the page."""

import random

import pytest

from pipkie_cli.nouns import Example
from pipkie_cli.synth import example as maker
from pipkie_cli.synth import make_example
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.entry import write_entry
from pipkie_cli.synth.filing import write_filing
from pipkie_cli.synth.memo import write_memo
from pipkie_cli.synth.panels import write_panels
from pipkie_cli.synth.receipt import write_receipt
from pipkie_cli.synth.schedule import write_schedule
from pipkie_cli.synth.tables import LANGUAGES, fields, more_fields, office_labels
from pipkie_cli.synth.traps import absent_elsewhere, near_misses

N_SEEDS = 40
KINDS = ("schedule", "filing", "memo", "panels", "entry")


def draft_of(kind: str, seed: int) -> Draft:
    rng = random.Random(seed)
    draft = maker._draft(rng, kind)
    if kind == "schedule":
        write_schedule(draft, seed % 3, 3)
    elif kind == "filing":
        write_filing(draft, seed % 2)
    elif kind == "panels":
        write_panels(draft)
    elif kind == "entry":
        write_entry(draft)
    elif kind == "receipt":
        write_receipt(draft)
    else:
        write_memo(draft)
    near_misses(draft)
    return draft


def examples_of(kind: str, monkeypatch: pytest.MonkeyPatch) -> list[Example]:
    monkeypatch.setattr(maker, "_KINDS", {kind: 1.0})
    return [make_example(seed) for seed in range(N_SEEDS)]


@pytest.mark.parametrize("kind", KINDS)
def test_spans_of_a_clean_page_are_the_printed_values(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The words of every right span on a clean page are those of a value that was printed for a field."""
    drafts: list[Draft] = []
    plain = maker.spots

    def kept(draft: Draft, ocr: bool) -> list[maker.Spot]:
        drafts.append(draft)
        return plain(draft, False)

    monkeypatch.setattr(maker, "spots", kept)
    n_spans = 0
    examples = examples_of(kind, monkeypatch)
    for example, draft in zip(examples, drafts, strict=True):
        printed: dict[tuple[str, int], str] = {}
        for ink in draft.inks:
            for name in ink.names:
                text = "".join(ink.text.split())
                printed[name, ink.occurrence] = printed.get((name, ink.occurrence), "") + text
        values = set(printed.values())
        inks = ["".join(ink.text.split()) for ink in draft.inks]
        for question in example.questions:
            for first, last in question.spans:
                text = "".join(word.text for word in example.page.words[first : last + 1])
                text = text if text in values else text.rstrip(".,")  # the sentence ends with it
                glued = ":" in text and any(text.endswith(value) for value in values)  # to its label
                bare = question.key.type in ("amount", "currency") and any(text in ink for ink in inks)
                assert text in values or glued or bare, (question.key.prompt, text)
                n_spans += 1
    assert n_spans > N_SEEDS


@pytest.mark.parametrize("kind", KINDS)
def test_pages_have_answers_and_absent_keys(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of every layout are asked for values that they state and for some that they do not."""
    questions = [q for example in examples_of(kind, monkeypatch) for q in example.questions if not q.row]
    assert sum(bool(q.spans) for q in questions) > 3 * N_SEEDS
    assert sum(not q.spans for q in questions) > N_SEEDS


def test_long_pages_occur(monkeypatch: pytest.MonkeyPatch) -> None:
    """Schedules run to more than 300 words on some pages."""
    assert max(len(example.page.words) for example in examples_of("schedule", monkeypatch)) > 300


@pytest.mark.parametrize("kind", KINDS)
def test_traps_are_not_stated(kind: str) -> None:
    """A field that is asked for in vain is stated nowhere unless it is asked for what is stated."""
    n_traps = 0
    for seed in range(N_SEEDS):
        draft = draft_of(kind, seed)
        stated = {name for ink in draft.inks for name in ink.names}
        assert not stated & draft.unasked, "a stated field must be asked for"
        n_traps += len(draft.empty - stated)
    assert n_traps > N_SEEDS / 4


def test_start_and_end_share_a_cell_on_some_orders() -> None:
    """Ranges of dates in one cell occur, each end with a name of its own."""
    rows = 0
    for seed in range(N_SEEDS):
        ends = {n: ink.y for ink in draft_of("schedule", seed).inks for n in ink.names if n.startswith("period_")}
        rows += len(ends) == 2 and len(set(ends.values())) == 1
    assert rows > 5


def test_every_field_is_labelled_and_asked() -> None:
    """Fields of the data files have prompts and labels; layouts' own names differ from everyday ones."""
    assert not fields().keys() & more_fields().keys()
    for field in more_fields().values():
        assert field.prompts
        assert all(field.labels_in(language) for language in LANGUAGES)
    assert absent_elsewhere()
    assert all(len(office_labels(language)) > 10 for language in LANGUAGES)


@pytest.mark.parametrize("name", ["purchase_time", "seller_phone", "seller_name"])
def test_receipts_state_bare_what_tills_print_bare(name: str) -> None:
    """Times, telephones and names stand without a label on many receipts: beside nothing that names them."""
    bare = 0
    for seed in range(4 * N_SEEDS):
        draft = draft_of("receipt", seed)
        stated = any(name in ink.names for ink in draft.inks) and name not in draft.unasked
        bare += stated and name not in draft.shown_labels
    assert bare >= N_SEEDS // 4


def test_some_blocks_of_a_form_are_left_empty_and_asked_in_vain() -> None:
    shares = []
    for seed in range(4 * N_SEEDS):
        draft = draft_of("entry", seed)
        shares.append(len(draft.empty) / (1 + len(draft.facts)))
    assert 0.05 < sum(shares) / len(shares) < 0.4
