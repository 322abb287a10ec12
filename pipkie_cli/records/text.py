"""Text that any JSON reader and any database takes."""

import re

SURROGATE = re.compile("[\ud800-\udfff]")
ESCAPED_BYTE = re.compile("[\udc80-\udcff]")  # how Python holds a byte of a file name that is not UTF-8


def without_surrogates(text: str) -> str:
    """Lone surrogates, which UTF-8 cannot hold, become U+FFFD."""
    return text if text.isascii() else SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def shown_path(path: str) -> str:
    r"""A path for the record: a byte that is not UTF-8 is shown as `\xe4`, so that two such names stay two."""
    return without_surrogates(ESCAPED_BYTE.sub(lambda match: f"\\x{ord(match[0]) - 0xDC00:02x}", path))
