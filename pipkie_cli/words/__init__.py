"""Words of a page in reading order.

Comes in: pages as `documents` gives them, or bare boxes. Goes out: pages of words with line and segment, pictures of
them. Never opens a document, and never decides what a word means.
"""

from pipkie_cli.words.draw import draw_page
from pipkie_cli.words.ocr_engine import build_engine, words_revision
from pipkie_cli.words.order import Placed, arrange
from pipkie_cli.words.read import read_words
from pipkie_cli.words.split import is_currency_word, join_words, split_words

__all__ = [
    "Placed",
    "arrange",
    "build_engine",
    "draw_page",
    "is_currency_word",
    "join_words",
    "read_words",
    "split_words",
    "words_revision",
]
