"""A model that was not heard to say anything of a key: no ABSENT that could be trusted."""

from pipkie_cli.answers import answer_written
from pipkie_cli.nouns import Key, Written

KEY = Key("total", "amount", "total")


def test_a_doubt_without_a_text_stays() -> None:
    """The flags of every sheet, each once, and next to no confidence; one sheet that wrote a text is the answer."""
    unheard = Written(None, -10.0, flags=("answer_missing",))
    cut = Written(None, -10.0, flags=("value_truncated",))
    (answer,) = answer_written((KEY,), [(unheard,), (cut,), (cut,)])
    assert (answer.text, answer.flags) == (None, ("answer_missing", "value_truncated"))
    assert answer.confidence < 0.01
    (answer,) = answer_written((KEY,), [(unheard,), (Written("5.00", -0.1),)])
    assert (answer.text, answer.flags) == ("5.00", ())
