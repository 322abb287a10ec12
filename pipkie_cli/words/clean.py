"""Printed text as it leaves this room: NFC, ligatures spelt out, nothing that is not printed. Pure functions."""

import unicodedata

HYPHENS = frozenset("\x02\u00ad\ufffe")  # how pdfium and fonts write a hyphen at the end of a line
LIGATURES = {
    "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st",
}  # fmt: skip
# Control, format (zero width, direction marks), surrogates, private use, not assigned: nothing of it is printed.
NOT_PRINTED = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0xFFE5: 0xA5, 0x3000: 0x20}
FIRST_CJK = 0x2E80


def is_cjk(char: str) -> bool:
    """Han, kana, hangul: written without spaces, also in columns, and read upright when the line is not."""
    code = ord(char)
    return FIRST_CJK <= code <= 0x9FFF or 0xAC00 <= code <= 0xD7A3 or 0xF900 <= code <= 0xFAFF or code >= 0x20000


def is_undecoded(char: str) -> bool:
    """True where the font's code was not turned into a character: private use, control, surrogate, U+FFFD, nothing."""
    if char in HYPHENS:
        return False
    return not char or char == "\ufffd" or unicodedata.category(char[0]) in ("Cc", "Cs", "Co", "Cn")


def clean_text(raw: str) -> str:
    """`raw` without what is not printed, in NFC. A soft hyphen at the end stays as the hyphen that is seen."""
    if raw.isascii() and raw.isprintable():
        return raw
    if raw and raw[-1] in HYPHENS:
        raw = raw[:-1] + "-"
    kept = (LIGATURES.get(c, c) for c in raw if unicodedata.category(c) not in NOT_PRINTED and c != "\ufffd")
    return unicodedata.normalize("NFC", "".join(kept))


def narrow(text: str) -> str:
    """Full-width punctuation as ASCII, where a line has no CJK letter: the recogniser mixes them up in Latin text."""
    if text.isascii() or any(is_cjk(c) and c.isalpha() for c in text):
        return text
    return text.translate(FULL_WIDTH)
