"""Tax numbers that say themselves, by prefix or form, what they are; and labels that say it for them."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

# How a form is written: # a digit, A a letter, * either, anything else itself. Blanks, full stops, hyphens between.
# VAT numbers of the EU (and Northern Ireland, XI), as the Commission's VIES lists them, with Greece under both codes.
VAT_FORMS: Final[Mapping[str, tuple[str, ...]]] = {
    "AT": ("U########",), "BE": ("##########", "#########"), "BG": ("##########", "#########"), "CY": ("########A",),
    "CZ": ("##########", "#########", "########"), "DE": ("#########",), "DK": ("########",), "EE": ("#########",),
    "EL": ("#########",), "GR": ("#########",), "ES": ("*#######*",), "FI": ("########",), "FR": ("**#########",),
    "HR": ("###########",), "HU": ("########",), "IE": ("#*#####AA", "#*#####A"), "IT": ("###########",),
    "LT": ("############", "#########"), "LU": ("########",), "LV": ("###########",), "MT": ("########",),
    "NL": ("#########B##",), "PL": ("##########",), "PT": ("#########",), "RO": ("##########", "#########", "########",
    "#######", "######"), "SE": ("############",), "SI": ("########",), "SK": ("##########",),
    "XI": ("############", "#########"),
}  # fmt: skip
_GAP: Final = r"[ .-]{0,2}"
DIGIT: Final = r"[0-9OolI|]"  # or a letter that OCR takes for one
_CLASSES: Final = {"#": DIGIT, "A": "[A-Z]", "*": "[0-9A-Z]"}
_START, _END = r"(?<![^\W_])", r"(?![^\W_])"


def _form(signs: str) -> str:
    return _GAP.join(_CLASSES.get(sign, re.escape(sign)) for sign in signs)


class Kind(NamedTuple):
    """What a text in this form is: the module of python-stdnum that checks it, and a prefix that it takes first."""

    pattern: re.Pattern[str]
    module: str
    has_check_digit: bool = True


def _kind(pattern: str, module: str, has_check_digit: bool = True) -> Kind:
    return Kind(re.compile(f"{_START}{pattern}{_END}"), module, has_check_digit)


_EU: Final = "|".join(f"{land}{_GAP}(?:{'|'.join(map(_form, forms))})" for land, forms in VAT_FORMS.items())
# In this order: a number that says most about itself comes first.
SELF_EVIDENT: Final = (
    _kind(rf"(?:{_EU})", "eu.vat"),
    _kind(rf"GB{_GAP}(?:{_form('############')}|{_form('#########')}|(?:GD|HA)[0-9]{{3}})", "gb.vat"),
    _kind(rf"CHE{_GAP}{_form('#########')}(?: ?(?:MWST|TVA|IVA))?", "ch.uid"),
    _kind(rf"(?:NO{_GAP})?{_form('#########')} ?MVA", "no.mva"),
    _kind(r"[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]Z[0-9A-Z]", "in_.gstin"),
    _kind(rf"{_form('#########')}B[0-9]{{2}}", "nl.btw"),
    _kind(r"[0-9]{2}\.[0-9]{3}\.[0-9]{3}/[0-9]{4}-[0-9]{2}", "br.cnpj"),
    _kind(r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}", "br.cpf"),
    _kind(r"[A-Z]{6}[0-9]{2}[A-Z][0-9]{2}[A-Z][0-9]{3}[A-Z]", "it.codicefiscale"),
    _kind(rf"{_form('#########')} ?R[CMPRTZ] ?[0-9]{{4}}", "ca.bn"),
    _kind(r"[0-9]{2}-[0-9]{7}", "us.ein", has_check_digit=False),
    _kind(r"[0-9]{2,3}/[0-9]{3,4}/[0-9]{4,5}", "de.stnr", has_check_digit=False),
)

# Labels in folded text -> the modules of what they can announce. A number that none of them accepts was misread.
LABELLED: Final[tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]] = tuple(
    (re.compile(rf"{_START}(?:{label}){_END}"), tuple(modules.split()))
    for label, modules in {
        r"gstin": "in_.gstin",
        r"a\.?b\.?n": "au.abn",
        r"cnpj(?:/mf)?": "br.cnpj",
        r"cpf": "br.cpf",
        r"siret": "fr.siret",
        r"siren": "fr.siren",
        r"p\.? ?iva|part(?:ita|\.) iva": "it.iva",
        r"cod(?:ice|\.) fisc(?:ale|\.)": "it.codicefiscale it.iva",
        r"nip": "pl.nip",
        r"n\.?i\.?f": "es.nif pt.nif",
        r"c\.?i\.?f": "es.cif ro.cui",
        r"nipc": "pt.nif",
        r"cvr(?:-?nr)?": "dk.cvr",
        r"dic": "cz.dic sk.dph",
        r"oib": "hr.oib",
        r"adoszam": "hu.anum",
        r"y-tunnus": "fi.ytunnus",
        r"uid(?:-?nr)?": "at.uid ch.uid",
        r"f?ein|federal (?:tax )?id|employer id(?:entification)?": "us.ein",
        r"rfc": "mx.rfc",
        r"r\.?u\.?t": "cl.rut uy.rut",
        r"cuit": "ar.cuit",
        r"ruc": "pe.ruc ec.ruc",
        r"αφμ|α\.φ\.μ": "gr.vat",
        r"mva": "no.mva no.orgnr",
        r"org(?:anisasjons|anisations)?\.?-?n(?:umme)?r": "se.orgnr no.orgnr",
    }.items()
)
