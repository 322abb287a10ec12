"""Does a text layer read like writing? Catches layers that decode to garbage although every glyph has a Unicode.

Three measured tests, none of which knows a language: pairs of Latin letters, characters that are text only after a
swap of their bytes, words that mix alphabets. Pure functions; too little text to tell is never called garbage.
"""

import math
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from pipkie_cli.words.clean import is_cjk

# log2(frequency / chance) of letter pairs (row: first letter), in halves from A = -6, over the names of countries,
# languages, currencies, months in 32 languages of CLDR. On real invoices, receipts and orders the mean over a page is
# 0.24 to 1.5; the same pages with every letter moved by one at most -1.7, by the luckiest number -0.4.
PAIRS = (
    "NOOPLMQNRMOSRVMOITQQOMLFOM"
    "QGHEQCCIODDKCEOCCPHGNFJCGC"
    "PCJFOHCROEJGEGPCCMGJMDCCGI"
    "RDEIQDFIRIFGGJQDCIKDMEFCHL"
    "OMNONGMHOJNQQSLMGTSPMLJIJM"
    "LCCDMEIDMCDHCCLECPEFJCCCDC"
    "QHDHNDHLOFHKFIPDCMIEPHHCJC"
    "QCDEPCCDPFFIJHNCCJGMNDGCEC"
    "SOPNRKMHKNOQNTOLJPSPLMHEJK"
    "PFFGLCDCLEGDEGLECCMFODCCCD"
    "RCECNFCLQDIIJEPGCMKLNGKCKD"
    "SKGLQELISHJOHHOGCCLLOHDCJD"
    "SQGEQDCIOECDGFPICEJFLFECIC"
    "SGORRDRJSKLHHMQFEDQPNKFELJ"
    "LMMLKILHLKNROSLMERPONOJDIJ"
    "PCGCOFCINEDHCFNHCMIMLECCFC"
    "FCCCECCCECCCCCCCCCCCMCCCCC"
    "SLMORGMHTFLKMLQGEMNOQIJCKK"
    "QEQLRDDOQIRMJJPKEKMQOJJCKK"
    "SDIGQFENREFHEIQDCNNLPHGGJG"
    "PMJONFOHNILOMQILDQONKKHHIL"
    "OCEEPCDCODCDCGKCCJGCGCCCGD"
    "OCDCLCEELCEDCEKCCFFEECCCHC"
    "EGCCICCGICCCCCFCCCCFDCCCCC"
    "ODIGKDFDJIHIHIJICJIGJEDCEE"
    "OGEFNCEENGGHDIKECEHGJDFCHF"
)  # one text, 26 letters a row
LEAST = -0.2  # mean below which a page is no writing, less twice the error of the mean
SPREAD = 2.0  # standard deviation of one pair's score on real pages
MIN_PAIRS = 24
SWAPPED_SHARE = 0.5  # of the characters beyond ASCII
MIN_SWAPPED = 8
MIXED_SHARE = 0.3  # of the words in letters
MIN_MIXED = 5
FOLDED = str.maketrans({"ß": "ss", "ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})


def implausible(text: str) -> str | None:
    """Why `text` (words with white space between) cannot be what is printed, or None."""
    if _swapped(text):
        return "its characters have their bytes swapped"
    if _mixed(text):
        return "its words mix alphabets"
    score, n_pairs = pair_score(text)
    if n_pairs >= MIN_PAIRS and score + 2 * SPREAD / math.sqrt(n_pairs) < LEAST:
        return "its letters do not form words"
    return None


def pair_score(text: str) -> tuple[float, int]:
    """Mean log2(frequency / chance) of the letter pairs inside Latin words, and how many pairs there are."""
    total, n_pairs = 0.0, 0
    for word in _latin_words(text):
        for first, second in pairwise(word):
            total += (ord(PAIRS[26 * (ord(first) - 97) + ord(second) - 97]) - 65) / 2 - 6
            n_pairs += 1
    return (total / n_pairs if n_pairs else 0.0), n_pairs


def _latin_words(text: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFD", text.lower().translate(FOLDED))
    word: list[str] = []
    for char in folded:
        if "a" <= char <= "z":
            word.append(char)
        elif not unicodedata.combining(char):
            yield "".join(word)
            word = []
    yield "".join(word)


def _swapped(text: str) -> bool:
    """UTF-16 read in the wrong byte order: 'A' becomes U+4100."""
    beyond = [ord(c) for c in text if ord(c) > 0xFF]
    if len(beyond) < MIN_SWAPPED:
        return False
    ascii_behind = sum(1 for code in beyond if code & 0xFF == 0 and 0x20 <= code >> 8 < 0x7F)
    return ascii_behind > SWAPPED_SHARE * len(beyond)


def _mixed(text: str) -> bool:
    words = [word for word in text.split() if sum(map(str.isalpha, word)) >= 3]
    mixed = sum(1 for word in words if len({_script(c) for c in word if c.isalpha()}) > 1)
    return mixed >= MIN_MIXED and mixed > MIXED_SHARE * len(words)


def _script(char: str) -> str:
    if char.isascii():
        return "LATIN"
    if is_cjk(char):
        return "CJK"
    return unicodedata.name(char, "?").split(" ", 1)[0]
