"""From ink to words: clean pages say what is printed, noisy ones as much less as our OCR does."""

import random
from collections import defaultdict

import pytest
from rapidfuzz.distance import Levenshtein

from pipkie_cli.synth import example as maker
from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.letter import write_letter
from pipkie_cli.synth.noise import spots
from pipkie_cli.synth.receipt import write_receipt

N_DRAFTS = 40


def draft_of(seed: int) -> Draft:
    rng = random.Random(seed)
    draft = maker._draft(rng, "receipt" if seed % 2 else "letter")
    if seed % 2:
        write_receipt(draft)
    else:
        write_letter(draft, "invoice", 0, 1)
    draft.settle()
    draft.fit()
    return draft


@pytest.fixture(scope="module")
def drafts() -> list[Draft]:
    return [draft_of(seed) for seed in range(N_DRAFTS)]


def test_a_clean_page_says_what_is_printed(drafts: list[Draft]) -> None:
    """Every printed value is the words that carry its mark, in the order in which it was printed."""
    n_values = 0
    for draft in drafts:
        printed: dict[int, str] = defaultdict(str)
        for ink in draft.inks:
            if ink.names:
                printed[ink.occurrence] += ink.text.replace(" ", "")
        found: dict[int, str] = defaultdict(str)
        for spot in sorted(spots(draft, False), key=lambda spot: (spot.level.top, spot.level.left)):
            for char, owner in zip(spot.text, spot.owners, strict=True):
                if owner:
                    found[owner[1]] += char
        assert found == printed
        n_values += len(printed)
    assert n_values > 200


def test_noise_is_as_strong_as_measured(drafts: list[Draft]) -> None:
    """Between 0.2 and 4 per cent of the characters are misread, and some blanks get lost."""
    wrong = total = n_clean = n_noisy = 0
    for draft in drafts:
        clean = sorted(spots(draft, False), key=lambda spot: (round(spot.level.top * 500), spot.level.left))
        noisy = spots(draft, True)
        n_clean, n_noisy = n_clean + len(clean), n_noisy + len(noisy)
        read, said = sorted("".join(s.text for s in noisy)), sorted("".join(s.text for s in clean))
        wrong += Levenshtein.distance(read, said) / 2
        total += len(said)
    assert 0.002 < wrong / total < 0.04
    assert 0.8 < n_noisy / n_clean < 1
