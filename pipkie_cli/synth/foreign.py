"""Keys of other kinds of document, to ask real receipts and invoices for in vain.

They are drawn from the whole table: a short list would be learnt by heart, and its keys never found anywhere again.
"""

import random
from functools import cache

from pipkie_cli.nouns import Key
from pipkie_cli.synth.tables import LANGUAGES, Field, attributes, compound, fields, subjects

_FOREIGN = {  # areas that a kind of document has nothing to do with
    "receipt": {"insurance", "medical", "employment", "utility", "vehicle", "certificate", "rental", "event", "court",
                "travel", "person"},
    "invoice": {"medical", "employment", "certificate", "event", "court", "travel", "person"},
}  # fmt: skip
_ANYWHERE = frozenset(  # might stand on any page, under another name
    ("city", "postal_code", "country", "full_name", "first_name", "last_name", "home_address", "mobile_phone",
     "occupation", "employer", "status", "subject", "remarks", "duration", "account_holder", "account_number",
     "seat", "room_number", "guest_name", "expiry_date", "deposit", "contact_person", "full_name", "license_plate")
)  # fmt: skip
_SUBJECTS = frozenset(  # of compounds; the others may be what an invoice is about
    ("device", "building", "member", "course", "sample", "permit", "license", "student", "property", "inspection",
     "event", "room", "meeting", "applicant", "filing", "treatment", "prescription", "patient", "laboratory", "grant",
     "assessment", "fine", "lease", "tender", "author", "budget", "case", "application", "machine")
)  # fmt: skip
_COMPOUND_SHARE = 0.5  # of the keys: a subject and an attribute, such as the end of a tender


def foreign_key(kind: str, rng: random.Random) -> Key:
    """A key that a real document of the kind ("receipt", "invoice") does not hold."""
    if rng.random() < _COMPOUND_SHARE:
        field = compound(rng.choice(_foreign_subjects()), rng.randrange(len(attributes())))
    else:
        field = rng.choice(_foreign_fields(kind))
    prompt = rng.choice(field.prompts)
    n = rng.choice((0, 0, 1, 3))
    aliases = tuple(dict.fromkeys(rng.choice(field.labels_in(rng.choice(LANGUAGES))) for _ in range(n)))
    return Key(prompt.lower().replace(" ", "_"), field.type, prompt, aliases)


@cache
def _foreign_subjects() -> tuple[int, ...]:
    return tuple(number for number, about in enumerate(subjects()) if about["en"] in _SUBJECTS)


@cache
def _foreign_fields(kind: str) -> tuple[Field, ...]:
    home = {"invoice", "order", "delivery", "credit", "receipt", "party", "period"}
    return tuple(
        field
        for field in fields().values()
        if field.areas & _FOREIGN[kind] and not field.areas & home and field.name not in _ANYWHERE
    )
