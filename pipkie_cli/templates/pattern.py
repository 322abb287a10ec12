"""Patterns of keys: regular expressions that a whole typed value must match.

They come from strangers and run on strangers' documents, so the engine is the one of Rust, through jsonschema-rs, which
takes time in proportion to the text whatever the pattern. A limit in seconds would make records depend on the machine.
What that engine cannot do (look-around, references back) is refused when the template is loaded.
"""

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jsonschema_rs

MAX_COMPILED_BYTES = 1 << 20  # a nested repetition such as (a{1000}){1000} would take a gigabyte


def whole(pattern: str) -> str:
    """The pattern as JSON Schema writes it, where a pattern may match anywhere."""
    return f"^(?:{pattern})$"


def pattern_fault(pattern: str) -> str | None:
    """What is wrong with a pattern, as the end of a sentence; None for a right one."""
    if "(?" in pattern.replace("(?:", ""):
        return "uses (?...), of which only (?:...) is known"
    try:
        for form in (pattern, whole(pattern)):  # as it stands, too: a)|(?:b is one only within other parentheses
            _compiled(form)
    except ValueError:
        return "is no regular expression that pipkie can run in linear time, or too large a one"
    return None


def matches_pattern(pattern: str, text: str) -> bool:
    """Whether the whole text matches."""
    return _compiled(whole(pattern)).is_valid(text)


@lru_cache(maxsize=1024)
def _compiled(form: str) -> "jsonschema_rs.Draft202012Validator":
    import jsonschema_rs  # 60 ms that templates without patterns are spared

    limits = jsonschema_rs.RegexOptions(size_limit=MAX_COMPILED_BYTES)
    return jsonschema_rs.Draft202012Validator({"pattern": form}, pattern_options=limits)
