"""Codes with check digits, telephone numbers, countries, times: made by other libraries, then read here."""

from datetime import time
from typing import Any

import phonenumbers
import pytest
from babel import Locale
from babel.dates import format_time
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from stdnum import ean, iban
from stdnum.de import vat as german_vat
from stdnum.iso7064 import mod_11_10

from pipkie_cli.nouns import Choice
from pipkie_cli.values import ValueContext, parse_value
from pipkie_cli.values.countries import LANGUAGES, iso_countries

NOTHING = ValueContext()
# Length of the account number and the form of the bank's code, from the registry of ISO 13616.
FORMS = {
    "DE": "n" * 18, "AT": "n" * 16, "NO": "n" * 11, "CH": "n" * 17, "PL": "n" * 24, "SE": "n" * 20, "DK": "n" * 14,
    "GB": "aaaa" + "n" * 14, "NL": "aaaa" + "n" * 10, "IE": "aaaa" + "n" * 14,
}  # fmt: skip
digit = st.sampled_from("0123456789")


def read(type_name: str, raw: str) -> tuple[Any, tuple[str, ...]]:
    value = parse_value(type_name, raw, NOTHING)
    return value.value, value.flags


@st.composite
def ibans(draw: st.DrawFn) -> str:
    country = draw(st.sampled_from(sorted(FORMS)))
    letter = st.sampled_from("ABCDEFGHJKMNPQRSTUVWXYZ")
    account = "".join(draw(letter if sign == "a" else digit) for sign in FORMS[country])
    return country + str(iban.calc_check_digits(f"{country}00{account}")) + account


@given(number=ibans(), gap=st.sampled_from(("", " ", "-", "\u00a0")))
def test_an_iban_is_itself_in_any_groups(number: str, gap: str) -> None:
    """Blanks and hyphens between groups of four are left out."""
    grouped = gap.join(number[at : at + 4] for at in range(0, len(number), 4))
    assert read("iban", grouped) == (number, ())
    assert read("iban", f"IBAN: {grouped}") == (number, ())


@given(number=ibans(), at=st.integers(4, 40), other=digit)
def test_a_misread_digit_of_an_iban_is_never_another_account(number: str, at: int, other: str) -> None:
    """Check digits modulo 97 find every single wrong digit: null and flagged."""
    at = 4 + at % (len(number) - 4)
    assume(number[at].isdigit() and number[at] != other)
    assert read("iban", number[:at] + other + number[at + 1 :]) == (None, ("bad_checksum",))


@given(number=ibans(), at=st.integers(0, 40))
def test_a_lost_digit_of_an_iban_is_no_iban(number: str, at: int) -> None:
    """Countries have one length each."""
    at %= len(number)
    value, _ = read("iban", number[:at] + number[at + 1 :])
    assert value is None


@given(account=st.text(digit, min_size=18, max_size=18).filter(lambda text: "0" in text or "1" in text))
def test_letters_for_digits_of_an_iban_are_proved_by_its_check_digits(account: str) -> None:
    """O for 0 and I for 1 are read as the digits, and said."""
    number = "DE" + str(iban.calc_check_digits(f"DE00{account}")) + account
    misread = number[:4] + account.replace("0", "O").replace("1", "I")
    assert read("iban", misread) == (number, ("repaired_digits",))


@given(
    body=st.text(digit, min_size=8, max_size=8).filter(lambda text: text[0] != "0"), other=digit, at=st.integers(0, 8)
)
def test_a_german_vat_number_is_itself_or_flagged(body: str, other: str, at: int) -> None:
    """ISO 7064 mod 11,10 finds every single wrong digit."""
    number = body + mod_11_10.calc_check_digit(body)
    assert german_vat.is_valid(number)
    assert read("tax_id", f"DE {number[:3]} {number[3:6]} {number[6:]}") == (f"DE{number}", ())
    assume(number[at] != other and (at > 0 or other != "0"))
    assert read("tax_id", f"DE{number[:at]}{other}{number[at + 1 :]}") == (None, ("bad_checksum",))


@given(body=st.text(digit, min_size=12, max_size=12), other=digit, at=st.integers(0, 12))
def test_an_ean_is_itself_or_flagged(body: str, other: str, at: int) -> None:
    """The check digit of GS1 finds every single wrong digit."""
    number = body + ean.calc_check_digit(body)
    assert read("barcode", f"{number[0]} {number[1:7]} {number[7:]}") == (number, ())
    assume(number[at] != other)
    assert read("barcode", number[:at] + other + number[at + 1 :]) == (None, ("bad_checksum",))


PHONES = {
    "DE": "03012345678", "CH": "0446681800", "FR": "0123456789", "GB": "02079460958", "IT": "0669882662",
    "US": "2125550199", "ES": "912345678", "NL": "0201234567", "PL": "221234567", "PT": "211234567",
    "AT": "013456789", "IN": "02212345678",
}  # fmt: skip


@pytest.mark.parametrize("country", PHONES)
def test_a_number_with_its_country_is_e164(country: str) -> None:
    """As Google's library prints it for people abroad, whatever the signs of the country code."""
    number = phonenumbers.parse(PHONES[country], country)
    e164 = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    printed = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.INTERNATIONAL)
    for form in (
        printed,
        printed.replace("+", "00 "),
        printed.replace(" ", ""),
        printed.replace(" ", "\u00a0"),
        f"Tel.: {printed}",
    ):
        assert read("phone", form) == (e164, ()), form
    national = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.NATIONAL)
    assert read("phone", national) == ("".join(filter(str.isdigit, national)), ())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_country_is_read_in_ten_languages(language: str) -> None:
    """The name as CLDR has it, in capitals and without accents: its code, or several where a name means several."""
    for code, name in Locale(language).territories.items():
        if code in iso_countries():
            for form in (name, name.upper()):
                value = parse_value("country", form, NOTHING)
                assert value.value == code or code in value.readings, form


def test_codes_of_countries_are_themselves() -> None:
    """Every alpha-2 code of ISO 3166 in capitals; there are 249, and Kosovo's."""
    assert len(iso_countries()) == 250
    for code in iso_countries():
        assert read("country", code) == (code, ())


_COUNTRIES = """
    en_US en_GB en_IN de_DE fr_FR es_ES es_MX it_IT nl_NL pt_PT pt_BR pl_PL cs_CZ sv_SE da_DK nb_NO fi_FI hu_HU ro_RO
    tr_TR ja_JP zh_CN ko_KR id_ID
"""
TIMES = _COUNTRIES.split()


@pytest.mark.parametrize("country", TIMES)
@settings(deadline=None, max_examples=30)
@given(clock=st.times(min_value=time(0), max_value=time(23, 59, 59)))
def test_times_come_back_or_are_flagged(country: str, clock: time) -> None:
    """A time in any country's form is itself, or null; never another."""
    short, medium = (format_time(clock, width, locale=country) for width in ("short", "medium"))
    assert read("time", short)[0] == f"{clock:%H:%M}", short
    dotted = "." in medium.rstrip("m.")  # Danish, Finnish: `12.05.24` may be a day
    assert read("time", medium)[0] in ({f"{clock:%H:%M:%S}", None} if dotted else {f"{clock:%H:%M:%S}"}), medium


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=5, unique=True), st.data())
def test_a_choice_is_one_of_the_choices(values: list[str], data: st.DataObject) -> None:
    """Whatever is printed, the value is one that the template names, or null; its own print is never another."""
    choices = tuple(map(Choice, values))
    printed = data.draw(st.sampled_from(values))
    value = parse_value("choice", printed, NOTHING, choices)
    assert value.value in (printed, None)
    other = parse_value("choice", data.draw(st.text(max_size=20)), NOTHING, choices)
    assert other.value in (*values, None)
