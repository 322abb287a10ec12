"""The stream of training documents: seeded, resumable, cut as extraction cuts."""

import itertools
import random
from dataclasses import replace

import pytest
from made_tokenizer import tokenizer_json
from tiny import LINES, page_of, real_page

from pipkie_cli.models.mini import MAX_SPAN, PieceReader
from pipkie_cli.nouns import Example, Key, Question
from pipkie_cli.train.batches import Batch
from pipkie_cli.train.calibrate import HELD_OUT_SEEDS
from pipkie_cli.train.stream import POOL, Stream, cut, read_mix

TOKENIZER = tokenizer_json()
TOTAL, NUMBER = Key("total", "amount", "total"), Key("number", "text", "number")


def a_stream(first: int = 0, seed: int = 5, real_share: float = 1.0) -> Stream:
    pages = [
        real_page([f"SHOP {letter}", *LINES[1:]], {"company": f"SHOP {letter}", "total": "55.50"}) for letter in "ABC"
    ]
    return Stream(read_mix(pages, (), real_share=real_share, batch_size=2), TOKENIZER, seed, first)


def asked(line: str, span: tuple[int, int], key: Key = TOTAL) -> Example:
    return Example(page_of([line]), 1, (Question(key, (span,)),))


def printed(example: Example) -> list[str]:
    return [
        " ".join(word.text for word in example.page.words[first : last + 1])
        for question in example.questions
        for first, last in question.spans
    ]


@pytest.mark.parametrize("real_share", [0.0, 1.0])
def test_an_index_is_a_document(real_share: float) -> None:
    """The same number gives the same document whenever it is asked for, another number or seed another one."""
    documents = [a_stream(real_share=real_share).example(index) for index in range(4)]
    stream = a_stream(real_share=real_share)
    assert [stream.example(index) for index in (3, 2, 1, 0)] == documents[::-1]
    assert len({str(document) for document in documents}) == 4
    assert a_stream(seed=6, real_share=real_share).example(0) != documents[0]


def test_real_and_made_up_documents_are_mixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """`real_share` of the documents are real ones; every made-up one has a seed of its own."""
    seeds: list[int] = []

    def made_up(seed: int) -> Example:
        seeds.append(seed)
        return asked("Total 12.50", (1, 1))

    monkeypatch.setattr("pipkie_cli.synth.make_example", made_up)
    stream = a_stream(real_share=0.25)
    documents = [stream.example(index) for index in range(200)]
    assert 0.15 < sum(document.page.words[0].text.upper() == "SHOP" for document in documents) / 200 < 0.35
    assert len(set(seeds)) == len(seeds) > 100
    assert all(seed < HELD_OUT_SEEDS for seed in seeds)  # the rest is for calibration


def same(one: Batch, other: Batch) -> bool:
    return bool(one.words.shape == other.words.shape and (one.places == other.places).all() and one.upto == other.upto)


def test_a_stream_repeats_itself_and_goes_on() -> None:
    """Two iterations give the same batches; one that starts at `upto` of a batch gives what followed its pool."""
    once = list(itertools.islice(a_stream(), 2 * POOL))
    again = list(itertools.islice(a_stream(), 2 * POOL))
    assert all(same(one, other) for one, other in zip(once, again, strict=True))
    resumed = list(itertools.islice(a_stream(first=once[3].upto), POOL))
    assert all(same(one, other) for one, other in zip(once[POOL:], resumed, strict=True))


def test_no_document_is_seen_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that was killed in the middle of a pool goes on behind it, whatever was left out on the way."""
    made: list[int] = []
    example = Stream.example

    def watched(self: Stream, index: int) -> Example:
        made.append(index)
        document = example(self, index)
        return document if index % 5 else replace(document, questions=())  # nothing to ask: left out

    monkeypatch.setattr(Stream, "example", watched)
    batch = next(iter(a_stream()))
    seen, made[:] = set(made), []
    assert len(seen) == POOL * 2
    next(iter(a_stream(first=batch.upto)))
    assert not seen & set(made)


def test_a_batch_holds_documents_of_like_length() -> None:
    """Padding is wasted time: the batches of a pool follow one list that is sorted by length."""
    pages = [real_page([*LINES, *("word " * 5 for _ in range(more))]) for more in range(9)]
    stream = Stream(read_mix(pages, (), real_share=1.0, batch_size=2), TOKENIZER, 5)
    batches = list(itertools.islice(stream, POOL))
    bounds = sorted((int(batch.is_word.sum(1).min()), int(batch.is_word.sum(1).max())) for batch in batches)
    assert bounds[0][0] < bounds[-1][0] - 30
    assert all(longest <= shortest for (_, longest), (shortest, _) in itertools.pairwise(bounds))


def test_only_spans_that_can_be_pointed_at_are_taught() -> None:
    """A value that is longer than the longest span is left out: it must not be taught as absent."""
    stream, reader = a_stream(), PieceReader(TOKENIZER)
    page = page_of([" ".join("ab" for _ in range(200))])
    long, right = (0, MAX_SPAN), (3, 3 + MAX_SPAN - 1)

    def taught(*spans: tuple[int, int]) -> list[tuple[tuple[int, int], ...]] | None:
        prepared = stream._prepared(Example(page, 1, (Question(TOTAL, spans),)), reader, random.Random(0))
        return prepared and prepared[1]

    assert taught(long) is None
    assert taught(long, right) == [(right,)]
    assert taught() == [()]


def test_a_long_page_is_cut_as_extraction_cuts_it() -> None:
    """Every window is drawn; what stands in another one is absent, what the cut tears is not asked, rows go along."""
    page = page_of([" ".join(f"w{n}" for n in range(600))])  # windows: 0 to 511, 448 to 599
    questions = (
        Question(TOTAL, ((500, 500), (10, 11))),
        Question(NUMBER, ((590, 591),)),
        Question(Key("torn", "text", "torn"), ((510, 513),)),
        Question(Key("cell", "text", "cell"), ((597, 598),), (596, 597, 598)),
    )
    seen = {}
    for seed in range(20):
        part = cut(Example(page, 1, questions), random.Random(seed))
        asked = {question.key.name: (question.spans, question.row) for question in part.questions}
        seen[part.page.words[0].text] = asked
    assert seen == {
        "w0": {"total": (((500, 500), (10, 11)), ()), "number": ((), ())},
        "w448": {"total": (((52, 52),), ()), "number": (((142, 143),), ()), "torn": (((62, 65),), ()),
                 "cell": (((149, 150),), (148, 149, 150))},
    }  # fmt: skip


def test_cells_are_asked_of_their_rows() -> None:
    """The columns come behind the keys, each with the words of its row."""
    page = page_of(["Total 12.50", "Hammer 2 7.00"])
    row = (2, 3, 4)
    questions = (Question(NUMBER, ((3, 3),), row), Question(TOTAL, ((1, 1),)))
    prepared = a_stream()._prepared(Example(page, 1, questions), PieceReader(TOKENIZER), random.Random(0))
    assert prepared is not None
    assert prepared[1] == [((1, 1),), ((3, 3),)]
    assert prepared[0].in_row.tolist() == [[0, 0, 0, 0, 0], [0, 0, 1, 1, 1]]
