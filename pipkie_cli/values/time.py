"""Times of the day: `14:30`, `2:30 pm`, `14h30`, `14.30 Uhr`, `1430 hrs`, `14時30分` -> `HH:MM` or `HH:MM:SS`.

The printed clock counts: a zone beside it is left out, and without `am` or `pm` the hours are those of a day of 24.
Parts of a second are left out. 24:00 belongs to two days and is refused.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from pipkie_cli.nouns import Value
from pipkie_cli.values.date import parse as parse_date
from pipkie_cli.values.flags import AMBIGUOUS_TIME, EXTRA_TEXT, MAX_CHARS, NOT_READ, REPAIRED_DIGITS
from pipkie_cli.values.folding import WIDE_SPACE, canonical, fold
from pipkie_cli.values.locale import ValueContext
from pipkie_cli.values.months import is_month, weekdays_of
from pipkie_cli.values.named_dates import FILLERS, WORD

SCHEMA: Final[Mapping[str, Any]] = {
    "type": ["string", "null"],
    "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$",
}

# A zone; behind hours and minutes alone `-12:00` is no zone but the end of a period.
_ZONE: Final = r"(?: ?(?:utc|gmt)?\+\d\d:?\d\d(?![\d:])|(?<=:\d\d:\d\d)-\d\d:?\d\d(?![\d:])| ?z(?![a-z]))?"
_HALF_BEFORE: Final = r"(?:(?P<before>午前|午後|上午|下午|오전|오후) ?)?"
_TIME: Final = re.compile(
    rf"(?<![\d.,:oil|])(?:(?<![a-z])t)?{_HALF_BEFORE}(?:"  # o, i, l: digits misread, `l4:30` is not 4:30
    r"(?P<h1>\d{1,2}) ?: ?(?P<m1>\d\d)(?: ?: ?(?P<s1>\d\d)(?:[.,]\d{1,9})?)?(?!\d|:)"  # 14:30, 14:30:05.250
    r"|(?P<h2>\d{1,2}) ?h(?:rs?)? ?(?P<m2>\d\d)(?: ?min)?(?![a-z\d])"  # 14h30
    r"|(?P<h3>\d{1,2})\.(?P<m3>\d\d)(?:\.(?P<s3>\d\d))? ?(?=(?:uhr|hrs?|h|[ap]\.? ?m)(?![a-z]))"  # 14.30 uhr
    r"|(?P<h4>\d{1,2}) ?uhr ?(?P<m4>\d\d)?(?!\d)"  # 14 uhr 30
    r"|(?P<h5>\d\d)(?P<m5>\d\d) ?(?=(?:uhr|hrs?|h)(?![a-z]))"  # 1430 hrs
    r"|(?P<h6>\d{1,2}) ?[時点點시](?: ?(?P<m6>\d{1,2}) ?[分분](?: ?(?P<s6>\d{1,2}) ?[秒초])?)?"
    r"|(?P<h7>\d{1,2}) ?(?=[ap]\.? ?m(?![a-z])|(?:hrs?|h)(?![a-z\d]))"  # 2 pm, 14 h
    rf")(?: ?(?:uhr|hrs?|h)(?![a-z]))?(?: ?(?P<half>[ap])\.? ?m(?![a-z])\.?)?{_ZONE}"
)
_DOTTED: Final = re.compile(r"(?<![\d.,:/-])(?P<h1>\d{1,2})\.(?P<m1>[0-5]\d)(?![\d.,:/-])")
_DOTTED_SECONDS: Final = re.compile(r"(?P<h1>\d{1,2})\.(?P<m1>\d\d)\.(?P<s1>\d\d)")
_MORNING: Final = ("a", "午前", "上午", "오전")
_LABEL_WORDS: Final = "time uhrzeit zeit heure hora ora tijd godz godzina cas klokken kell clock"
_SAYS_NOTHING: Final = FILLERS | frozenset(_LABEL_WORDS.split())
_ZONE_WORDS: Final = "utc gmt cet cest mez mesz est edt cst cdt mst mdt pst pdt bst wet eet ist jst"
_ZONES: Final = frozenset(_ZONE_WORDS.split())
_SHORT_WORD: Final = re.compile(r" ?[^\W\d_](?:[^\W\d_]{0,3}|(?:\. ?[^\W\d_]){1,2})\.?(?![^\W_])")
NOON = 12
_LOOK_ALIKES: Final = str.maketrans("OolI|", "00111")
_MISREAD: Final = re.compile(r"[\dOolI|]{1,2}:[\dOolI|]{2}(?::[\dOolI|]{2})?(?= ?(?:[AaPp]\.? ?[Mm]\.?)?$)")


class Clock(NamedTuple):
    """A time as printed and its place in the text. `text` None: in the form of a time, but none."""

    text: str | None
    start: int
    end: int


def folded(raw: str) -> str:
    """Lower case, without accents, with single spaces."""
    return " ".join(fold(canonical(raw).replace(WIDE_SPACE, " ")).split())


def clocks(text: str, dotted: bool = False) -> list[Clock]:
    """Every time of the day in a folded text. dotted: `14.30` without a word that says so is a time as well."""
    matches = list(_TIME.finditer(text)) or (list(_DOTTED.finditer(text)) if dotted else [])
    return [Clock(_clock(match), *match.span()) for match in matches]


def without(text: str, times: list[Clock]) -> str:
    """The text with a blank in the place of each time."""
    for time in reversed(times):
        text = f"{text[: time.start]} {text[time.end :]}"
    return text


def _clock(match: re.Match[str]) -> str | None:
    named = {name: part for name, part in match.groupdict().items() if part}
    parts = {name[0]: int(part) for name, part in named.items() if name[0] in "hms" and name[1:].isdigit()}
    half = named.get("half") or named.get("before")
    if half is None and parts["h"] <= NOON and _is_other_half(match.string[match.end() :]):
        return None
    hour = _hour(parts["h"], half)
    minute, second = parts.get("m", 0), parts.get("s")
    if hour is None or minute > 59 or (second or 0) > 59:
        return None
    return f"{hour:02}:{minute:02}" + ("" if second is None else f":{second:02}")


def _is_other_half(rest: str) -> bool:
    """Whether a short word behind the time may be `pm` of a language that is not known here (`PTG`, `em`, `م`)."""
    word = _SHORT_WORD.match(rest)
    if word is None:
        return False
    plain = word[0].strip(" .").replace(".", "").replace(" ", "")
    return not (plain in _SAYS_NOTHING or plain in _ZONES or weekdays_of(plain) or is_month(plain))


def _hour(hour: int, half: str | None) -> int | None:
    """The hour of the day, 0 to 23; None if there is none. `13:05 pm` says twice that it is afternoon."""
    if hour > 23:
        return None
    if half is None:
        return hour
    if half in _MORNING:
        return None if hour > 12 else hour % 12
    if hour == 0:  # 午後0時 is noon; nobody agrees on 0:30 pm
        return None if half == "p" else 12
    return hour + 12 if hour < 12 else hour


def parse(raw: str, context: ValueContext) -> Value:
    """The one time of the day that is printed; a date beside it is understood and left out."""
    if len(raw) > MAX_CHARS:
        return NOT_READ
    text = folded(raw)
    flags: tuple[str, ...] = ()
    found = clocks(text, dotted=True) or _not_a_date(text, context)
    if not found:
        text = folded(_mended(raw))
        found, flags = clocks(text), (REPAIRED_DIGITS,)
    times = tuple(dict.fromkeys(time.text for time in found))
    if not times or None in times:
        return NOT_READ
    if len(times) > 1:
        return Value(None, (AMBIGUOUS_TIME,), tuple(time for time in times if time))
    return Value(times[0], (*flags, EXTRA_TEXT) if _has_strangers(without(text, found), context) else flags)


def _not_a_date(text: str, context: ValueContext) -> list[Clock]:
    """`14.30.05` as a time, where it is no day: `12.05.24` may be one."""
    match = _DOTTED_SECONDS.fullmatch(text)
    if match is None:
        return []
    date = parse_date(text, context)
    return [] if date.value or date.readings else [Clock(_clock(match), 0, len(text))]


def _mended(raw: str) -> str:
    """`1O:30` with the digits that the letters look like; at least two are printed as digits."""
    text = canonical(raw).strip()
    match = _MISREAD.match(text)
    if match is None or sum(char.isdigit() for char in match[0]) < 2:
        return ""
    return match[0].translate(_LOOK_ALIKES) + text[match.end() :]


def _has_strangers(rest: str, context: ValueContext) -> bool:
    words = WORD.findall(rest)
    if all(word in _SAYS_NOTHING or weekdays_of(word) for word in words):
        return False
    date = parse_date(rest, context)
    return EXTRA_TEXT in date.flags or not (date.value or date.readings)
