"""How a key is asked: its prompt, its aliases, and the printed labels that point at it."""

import unicodedata
from functools import lru_cache

from pipkie_cli.nouns import Key

MAX_ALIASES_READ = 6  # read by the text stage as one sequence; all of them count as printed labels


def prompt_text(key: Key) -> str:
    """What the text stage reads for a key."""
    return key.prompt


def alias_text(key: Key) -> str:
    """The first aliases as one text; the prompt again where a key has none."""
    return ", ".join(key.aliases[:MAX_ALIASES_READ]) or key.prompt


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Letters and digits only, lower case, without accents: what two printings of one label share."""
    if text.isascii():
        return "".join(char for char in text.lower() if char.isalnum())
    decomposed = unicodedata.normalize("NFKD", text.casefold().replace("°", "o"))  # n° is typed for nº
    return "".join(char for char in decomposed if char.isalnum())


def label_phrases(key: Key) -> tuple[str, ...]:
    """Folded phrases that count as a printed label of the key."""
    return tuple(dict.fromkeys(folded for phrase in (key.prompt, *key.aliases) if (folded := fold(phrase))))
