"""Signs that a text may have and a table must not."""

import re

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # no tab, no line end: XML and databases refuse these


def without_controls(text: str) -> str:
    """Control characters become U+FFFD."""
    return text if text.isprintable() else _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
