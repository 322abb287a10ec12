"""What is known about each published set: which template asks for it, and how its labels are written.

The one table to extend for another set in folder form.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pipkie_cli.nouns import Locale


@dataclass(frozen=True, slots=True)
class SetRules:
    """How the labels of one set are to be read; the defaults suit a folder that nobody described."""

    name: str
    template: str | None = None  # asked unless the caller names another: one of `templates/` here, or a shipped one
    keys: Mapping[str, str] = field(default_factory=dict)  # label key -> template key, where the two differ
    normalised: bool = False  # labels are ISO dates and 1234.56, not the text as printed
    locale: Locale = field(default_factory=Locale)  # the set's own conventions, to read labels and ambiguous answers
    contains: frozenset[str] = frozenset()  # keys whose label need only be contained in the answer
    compact: frozenset[str] = frozenset()  # keys whose label is written without its spaces and separators
    no_traps: frozenset[str] = frozenset()  # trap keys that its documents hold, whatever words stand on them
    spaces: bool = True  # False: the transcriptions have no blanks, so blanks count for nothing
    joined: bool = False  # of a list of texts the whole list, joined, is a right answer too
    own_keys: bool = False  # each document has keys of its own: its labels are what it is asked
    columns: Mapping[str, str] = field(default_factory=dict)  # label key with a text per row -> "table.column"

    def template_key(self, label_key: str) -> str:
        return self.keys.get(label_key, label_key)


_EUROPE = Locale(dates="dmy", decimal=",")
_US = Locale(languages=("en",), dates="mdy", decimal=".")
_CORD = {  # the keys that its measuring template asks for
    "sub_total": ("subtotal_price", "discount_price", "service_price", "tax_price"),
    "total": ("total_price", "cashprice", "changeprice", "creditcardprice", "emoneyprice", "menuqty_cnt"),
}
_COMPACT = frozenset({"iban", "seller_vat_id", "buyer_vat_id"})
_AD_BUY = frozenset({"trap_contract_number", "trap_flight_from", "trap_advertiser"})
_REGISTRATION = frozenset({"trap_registrant_name"})
SETS = {
    "sroie": SetRules("sroie", "receipt", locale=Locale(languages=("en",), dates="dmy", decimal=".", currency="MYR")),
    "receipts_de": SetRules(
        "receipts_de",
        "receipt",
        locale=Locale(languages=("de",), dates="dmy", decimal=",", currency="EUR"),
        contains=frozenset({"company"}),
    ),
    "zugferd": SetRules("zugferd", "invoice", normalised=True, locale=_EUROPE, compact=_COMPACT),
    "misc_invoices": SetRules("misc_invoices", "invoice", normalised=True, compact=_COMPACT),
    "wildreceipt": SetRules(
        "wildreceipt",
        "wildreceipt",
        locale=_US,
        spaces=False,
        columns={
            "prod_item": "line_items.description",
            "prod_quantity": "line_items.quantity",
            "prod_price": "line_items.amount",
        },
    ),
    "poie": SetRules("poie", locale=Locale(languages=("en",), decimal=".")),
    "cord": SetRules(
        "cord",
        "cord",
        keys={f"{parent}.{name}": name for parent, names in _CORD.items() for name in names},
        locale=Locale(languages=("id", "en"), dates="dmy", currency="IDR"),
    ),
    # its transcriptions tear numbers and dates apart: "10/ 11/ 87", "C273- 82- 7"
    "funsd": SetRules("funsd", locale=_US, joined=True, own_keys=True, spaces=False),
    "adbuy": SetRules("adbuy", "tv_ad_invoice", normalised=True, locale=_US, no_traps=_AD_BUY),
    "registration": SetRules("registration", "registration_form", normalised=True, locale=_US, no_traps=_REGISTRATION),
    "vrdu_adbuy": SetRules("vrdu_adbuy", "tv_ad_invoice", locale=_US, no_traps=_AD_BUY),
    "vrdu_registration": SetRules("vrdu_registration", "registration_form", locale=_US, no_traps=_REGISTRATION),
}


def rules_of(folder: Path) -> SetRules:
    """The rules of the set a folder belongs to, by the names of the folder and the folders above it."""
    resolved = folder.resolve()
    for part in (resolved.name, *(parent.name for parent in resolved.parents)):
        if part in SETS:
            return SETS[part]
    return SetRules(resolved.name)
