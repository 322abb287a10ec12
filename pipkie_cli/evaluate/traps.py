"""Trap keys: keys of other document types, asked on pages that surely do not hold them.

A key is asked on a page only if none of its signs stands in the page's text, so that a receipt that does print an
insurance number never counts as an invention. Signs are folded pieces of words in the languages of the sets.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pipkie_cli.evaluate.metrics import fold
from pipkie_cli.nouns import Key, Page


@dataclass(frozen=True, slots=True)
class Trap:
    key: Key
    signs: tuple[str, ...]  # any of these in the page's folded text: not asked


def _trap(name: str, type_name: str, prompt: str, *signs: str) -> Trap:
    return Trap(Key(name=name, type=type_name, prompt=prompt), signs)


TRAPS = (
    _trap("trap_flight_from", "date", "flight start date", "flight", "flug", "vol "),
    _trap("trap_departure_airport", "text", "departure airport", "airport", "flughafen", "aéroport", "aeropuerto"),
    _trap("trap_policy_number", "text", "insurance policy number", "policy", "insur", "versicher", "assur", "seguro"),
    _trap("trap_contract_number", "text", "contract number", "contract", "vertrag", "contrat"),
    _trap("trap_advertiser", "text", "advertiser", "advert", "werbe", "publicit", "campaign"),
    _trap("trap_registrant_name", "text", "name of registrant", "registrant", "foreign agent", "anmelder"),
    _trap("trap_gross_vehicle_weight", "number", "gross vehicle weight", "weight", "gewicht", "poids", "vehicle", "kg"),
    _trap("trap_patient_name", "text", "patient name", "patient", "doctor", "clinic", "klinik", "hospital", "arzt"),
    _trap("trap_blood_type", "text", "blood group", "blood", "blut", "sang "),
    _trap("trap_passport_number", "text", "passport number", "passport", "reisepass", "passeport", "pasaporte"),
    _trap("trap_date_of_birth", "date", "date of birth", "birth", "geburt", "geb.", "naissance", "dob"),
    _trap("trap_net_salary", "amount", "net salary", "salar", "wage", "lohn", "gehalt", "payroll", "employee"),
    _trap("trap_loan_balance", "amount", "remaining loan balance", "loan", "darlehen", "kredit", "credit", "balance"),
    _trap("trap_meter_reading", "number", "electricity meter reading", "meter", "zähler", "kwh", "compteur"),
    _trap("trap_university_degree", "text", "university degree", "univers", "degree", "hochschule", "diplom"),
    _trap("trap_port_of_loading", "text", "port of loading", "port", "hafen", "vessel", "shipment"),
)


def traps_for(pages: Sequence[Page]) -> tuple[Key, ...]:
    """The trap keys whose signs the pages do not show."""
    text = fold(" ".join(word.text for page in pages for word in page.words))
    return tuple(trap.key for trap in TRAPS if not any(sign in text for sign in trap.signs))
