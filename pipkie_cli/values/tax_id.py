"""Tax numbers: VAT numbers of the EU, GST, EIN, ABN and others -> without blanks and marks, check digits tested.

What kind a number is must be printed: a country's prefix, a form that no other kind has, or a label beside it. Other
numbers stay as they are and say that nothing was tested (`unchecked`); a country is never inferred from the digits.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

from pipkie_cli.nouns import Value
from pipkie_cli.values.flags import BAD_CHECKSUM, EXTRA_TEXT, MAX_CHARS, NOT_READ, REPAIRED_DIGITS, UNCHECKED
from pipkie_cli.values.folding import WIDE_SPACE, canonical, fold
from pipkie_cli.values.locale import ValueContext
from pipkie_cli.values.several import only_one
from pipkie_cli.values.tax_kinds import DIGIT, LABELLED, SELF_EVIDENT, VAT_FORMS, Kind

SCHEMA: Final[Mapping[str, Any]] = {"type": ["string", "null"], "pattern": r"^[0-9A-Z&+*Ññ]{5,20}$"}

_LABEL_WORDS: Final = re.compile(
    r"\b(?:vat|gst|hst|tax|tin|ust|uid|mwst|mva|tva|iva|btw|nif|nip|cif|ein|abn|eu|reg(?:istration)?|ident(?:ification|ifikations)?"
    r"|id|ids?nr|idnr|nr|no|num(?:ber|mer|ero|éro)?|n°|nº|code|steuer(?:nummer|nr)?|umsatzsteuer|st|company|intracom\w*|intra)\b\.?",
    re.IGNORECASE,
)
_WHOLE: Final = re.compile(r"[0-9A-Z](?:[ ./-]?[0-9A-Z]){4,19}")
_LOOK_ALIKES: Final = str.maketrans("OolI|", "00111")
_COUNTRY_FIRST: Final = re.compile(rf"(?:{'|'.join(VAT_FORMS)}|GB|CHE)[0-9]")
PREFIX_LETTERS: Final = {"eu.vat": 2, "gb.vat": 2, "no.mva": 2, "ch.uid": 3}
MIN_DIGITS = 5


def parse(raw: str, context: ValueContext) -> Value:
    """The number that is printed; null where its check digits are wrong, or where its label says what it is not."""
    if len(raw) > MAX_CHARS:
        return NOT_READ
    text = " ".join(canonical(raw).replace(WIDE_SPACE, " ").split())
    if value := _self_evident(text):
        return value
    folded = fold(text)
    for label, modules in LABELLED:
        if match := label.search(folded):
            return _announced(_without_labels(text if len(folded) != len(text) else _cut(text, match)), modules)
    return _other(_without_labels(text))


def _cut(text: str, match: re.Match[str]) -> str:
    return f"{text[: match.start()]} {text[match.end() :]}"


def _without_labels(text: str) -> str:
    return _LABEL_WORDS.sub(" ", text).strip(" .:,;#-/()").upper()


def _self_evident(text: str) -> Value | None:
    """The number of the first kind that stands in the text; None if there is none."""
    for cased in dict.fromkeys((text, text.upper() if text.isascii() else text)):  # `l` may be a digit, `L` is none
        for kind in SELF_EVIDENT:
            matches = [m for m in kind.pattern.finditer(cased) if sum(map(str.isdigit, m[0])) >= MIN_DIGITS]
            if matches:
                return _of_kind(kind, text, matches)
    return None


def _of_kind(kind: Kind, text: str, matches: list[re.Match[str]]) -> Value:
    read = {match[0]: _checked(match[0], kind) for match in matches}
    good = [value for value in read.values() if isinstance(value.value, str)]
    if not good:
        return next(iter(read.values()))
    one = only_one(str(value.value) for value in good)
    if one.value is None:
        return one
    rest = text
    for match in reversed(matches):
        rest = _cut(rest, match)
    extra = (EXTRA_TEXT,) if re.search(r"\w", _LABEL_WORDS.sub(" ", rest)) else ()
    return Value(one.value, (*good[0].flags, *extra))


def _checked(printed: str, kind: Kind) -> Value:
    """The number as printed, else with letters as the digits they look like; python-stdnum tests both."""
    flags = () if kind.has_check_digit else (UNCHECKED,)
    as_printed = _tested(printed, kind.module)
    if as_printed.value is not None:
        return Value(as_printed.value, flags)
    mended = _mended(printed, kind)
    if mended != printed and (repaired := _tested(mended, kind.module)).value is not None:
        return Value(repaired.value, (REPAIRED_DIGITS, *flags))
    return as_printed


def _mended(printed: str, kind: Kind) -> str:
    """Letters among digits as the digits they look like; the two or three letters of a country stay."""
    at = PREFIX_LETTERS.get(kind.module, 0)
    at = at if printed[:at].isalpha() else 0
    return printed[:at] + re.sub(DIGIT, lambda match: match[0].translate(_LOOK_ALIKES), printed[at:])


@lru_cache(maxsize=4096)
def _tested(printed: str, module: str) -> Value:
    from stdnum.exceptions import InvalidChecksum, ValidationError

    number = re.sub(r"(?:MWST|TVA|IVA)$", "", printed).strip() if module == "ch.uid" else printed
    try:
        valid: str = import_module(f"stdnum.{module}").validate(number)
    except InvalidChecksum:
        return Value(None, (BAD_CHECKSUM,))
    except ValidationError:
        return NOT_READ
    country = "GB" if module == "gb.vat" and printed.startswith("GB") else ""
    return Value(country + re.sub(r"[^0-9A-Z&+*Ñ]", "", valid.upper()))


def _announced(number: str, modules: tuple[str, ...]) -> Value:
    tested = [_tested(number, module) for module in modules]
    good = next((value for value in tested if value.value is not None), None)
    if good is not None:
        return good
    return next((value for value in tested if BAD_CHECKSUM in value.flags), NOT_READ)


def _other(number: str) -> Value:
    """A number of a kind that is not printed, without its blanks and marks."""
    if not _WHOLE.fullmatch(number) or sum(map(str.isdigit, number)) < MIN_DIGITS:
        return NOT_READ
    compact = re.sub(r"[ ./-]", "", number)
    # A country before it, but not in that country's form: a digit is lost.
    return NOT_READ if _COUNTRY_FIRST.match(compact) else Value(compact, (UNCHECKED,))
