"""Text leaves the room as it is printed: NFC, no invisible characters."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipkie_cli.words.clean import clean_text, is_undecoded, narrow


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("oﬃce", "office"),
        ("Bestäti\u00ad", "Bestäti-"),
        ("Be\u00adstätigung", "Bestätigung"),
        ("Rech\x02", "Rech-"),
        ("u\u0308ber", "über"),
        ("A\u200b1\ufeff", "A1"),
        ("\x00ab\x07c", "abc"),
        ("12\ud835", "12"),
        ("\ufffdx\ue001", "x"),
        ("1.234,50", "1.234,50"),
    ],
)
def test_what_is_not_printed_is_left_out(raw: str, clean: str) -> None:
    """Ligatures are spelt out, soft hyphens inside a word vanish and at its end stay, control characters vanish."""
    assert clean_text(raw) == clean


@given(st.text())
def test_clean_text_can_always_be_written(raw: str) -> None:
    """No lone surrogate, no NUL, always NFC: a UTF-8 writer takes it, and cleaning twice changes nothing."""
    text = clean_text(raw)
    text.encode("utf-8")
    assert "\x00" not in text
    assert unicodedata.is_normalized("NFC", text)
    assert clean_text(text) == text


def test_full_width_signs_are_ascii_in_latin_lines_only() -> None:
    """The recogniser writes full-width signs into Latin lines; beside Han letters they are meant."""
    assert narrow("Total： ￥12（x）") == "Total: ¥12(x)"
    assert narrow("合計：１２") == "合計：１２"


def test_undecoded_characters_are_known() -> None:
    """Private use, control, surrogates and U+FFFD come from a broken font; a soft hyphen does not."""
    assert all(map(is_undecoded, ("", "\ue000", "\x03", "\ufffd", "\ud800")))
    assert not any(map(is_undecoded, ("a", "\u00ad", "\x02", "é", "日", "€")))
