"""Trap keys are asked only where the page shows no sign of them."""

from pipkie_cli.evaluate.traps import TRAPS, traps_for
from pipkie_cli.nouns import Box, Page, Word


def page_of(text: str) -> Page:
    """A page with these words."""
    box = Box(0, 0, 1, 1)
    words = tuple(Word(one, box, 0, 0, "text") for one in text.split())
    return Page(0, 600.0, 800.0, 0, words, "text", None)


def test_a_sign_on_the_page_takes_the_trap_away() -> None:
    """A page that names a contract is not asked for the contract's number; all other traps stay."""
    asked = {key.name for key in traps_for([page_of("Summe 12,00"), page_of("VERTRAGSNUMMER: 17")])}
    assert asked == {trap.key.name for trap in TRAPS} - {"trap_contract_number"}


def test_traps_have_names_and_signs_of_their_own() -> None:
    """Every trap can be told from template keys by its name, and has signs in folded form."""
    names = [trap.key.name for trap in TRAPS]
    assert len(set(names)) == len(names)
    assert all(name.startswith("trap_") for name in names)
    assert all(trap.signs and all(sign == sign.casefold() for sign in trap.signs) for trap in TRAPS)
