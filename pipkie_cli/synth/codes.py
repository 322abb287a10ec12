"""Numbers and codes as programs and offices make them: document numbers, tax ids, accounts, plates."""

import random
import string

# In a pattern # is a digit, @ a capital letter, ~ a year of four digits; everything else stands for itself.
_IDS = (
    "####", "#####", "#####", "######", "######", "#######", "########", "########", "#########", "##########",
    "############", "###",
    "@####", "@######", "@@#####", "@@@####", "@@#######", "@-####", "@@-#####", "@@-######", "@@@-#####",
    "@@-##-####", "@@~-###",
    "@@-~-####", "@@/~/###", "@/~/#####", "~-####", "~-#####", "~/###", "~/#####", "~####", "~######", "@@~####",
    "####/~", "##/~",
    "@@/#####/##", "@-####/##", "######-##", "####-####", "#####-#", "@@ #####", "@ ####", "#@@@##@###", "#####",
    "@@##@###", "### ### ###",
    "## ### ###", "##.###.###", "###.###.###", "####.##.##", "@@@/##/####", "@@@@-######", "@@@@##########",
    "##-@@-####", "#-######", "@#-#####",
    "@@@ ######", "##@####", "@@-@@-####", "#####/#", "######@", "@########-#", "@@#####@@",
)  # fmt: skip
_PLATES = (
    "@@-@@ ###",
    "@-@@ ####",
    "@@ ### @@",
    "@@-###-@@",
    "@@@ ####",
    "@@## @@@",
    "####@@@",
    "@@ #####",
    "@@@ ###@",
    "##-@@-##",
)
_TAX_NUMBERS = ("###/###/#####", "##/###/#####", "##########", "###/####/####", "##/###/####", "### ### ####")
_PHONES = {
    "de": ("0### ######", "0###/######", "+49 ### ######", "0##-########", "+49 (0)## #######", "(0####) #####"),
    "fr": ("0# ## ## ## ##", "+33 # ## ## ## ##", "0#.##.##.##.##", "0#########"),
    "ms": (
        "03-########",
        "07-#######",
        "+603-########",
        "01#-#######",
        "03-#### ####",
        "0#-### ####",
        "+6 03 #### ####",
    ),
    "en": ("(###) ###-####", "###-###-####", "+1 ### ### ####", "0### ### ####", "01### ######", "+44 (0)## #### ####"),
}
_VAT = {
    "en_US": "##-#######", "en_GB": "GB#########", "de_DE": "DE#########", "de_AT": "ATU########",
    "de_CH": "CHE-###.###.###",
    "fr_FR": "FR###########", "es_ES": "@########", "it_IT": "IT###########", "nl_NL": "NL#########B##",
    "pt_PT": "PT#########",
    "pl_PL": "PL##########", "ms_MY": "############",
}  # fmt: skip
_REGISTERED = {
    "de": ("HRB ####", "HRB #####", "HRB ######", "HRA ####"),
    "fr": ("### ### ###", "### ### ### #####", "#########", "##############"),
    "ms": ("######-@", "######-@", "#####-@", "#######-@", "@@#######-@", "######@", "######-@"), "nl": ("########",),
}  # fmt: skip
_IBANS = {
    "DE": "####################", "AT": "################", "CH": "#################",
    "FR": "#######################", "ES": "####################",
    "IT": "@######################", "NL": "@@@@##########", "PT": "#####################",
    "PL": "########################", "GB": "@@@@##############",
}  # fmt: skip


def digits(rng: random.Random, n: int) -> str:
    return "".join(rng.choices(string.digits, k=n))


def filled(rng: random.Random, pattern: str) -> str:
    """A pattern with its signs drawn; a number does not begin with a lone zero."""
    parts: list[str] = []
    for sign in pattern:
        if sign == "#":
            parts.append(rng.choice(string.digits if parts else string.digits[1:]))
        elif sign == "@":
            parts.append(rng.choice(string.ascii_uppercase))
        else:
            parts.append(str(rng.randint(2008, 2026)) if sign == "~" else sign)
    return "".join(parts)


def identifier(rng: random.Random) -> str:
    """A document or customer number."""
    return filled(rng, rng.choice(_IDS))


def vat_id(rng: random.Random, locale: str) -> str:
    """A VAT identification number; at times without its country, or with a blank behind it."""
    text = filled(rng, _VAT[locale])
    if not text[:2].isalpha() or rng.random() < 0.6:
        return text
    return text[2:] if rng.random() < 0.6 else f"{text[:2]} {text[2:]}"


def tax_number(rng: random.Random) -> str:
    return filled(rng, rng.choice(_TAX_NUMBERS))


def registration(rng: random.Random, locale: str) -> str:
    """A number in the register of companies."""
    return filled(rng, rng.choice(_REGISTERED.get(locale[:2], ("#######", "########", "##########"))))


def iban(rng: random.Random, locale: str) -> str:
    country = locale[-2:] if locale[-2:] in _IBANS else "DE"
    text = f"{country}{digits(rng, 2)}{filled(rng, _IBANS[country])}"
    return text if rng.random() < 0.35 else " ".join(text[i : i + 4] for i in range(0, len(text), 4))


def bic(rng: random.Random, locale: str) -> str:
    return filled(rng, f"@@@@{locale[-2:]}{rng.choice(('@@', '@#', '##'))}{rng.choice(('', 'XXX'))}")


def plate(rng: random.Random) -> str:
    return filled(rng, rng.choice(_PLATES))


def phone(rng: random.Random, language: str) -> str:
    return filled(rng, rng.choice(_PHONES.get(language, _PHONES["fr"])))
