"""Keys that a page does not hold although something like their value stands there; and keys that mean the same."""

from pipkie_cli.synth.draft import Draft
from pipkie_cli.synth.tables import Field, fields, more_fields

# Fields of one row may mean the same: where one of them is stated, the others are not asked for as absent.
_ALIKE = tuple(
    row.split()
    for row in """
    schedule_number order_number contract_number invoice_number reference_number receipt_number offer_number
    alternate_order order_number reference_number
    advertiser buyer_name agency_name agency
    agency_name buyer_name agency
    original_date issue_date order_date contract_date revised_date
    revised_date issue_date order_date
    gross_amount grand_total amount_due
    net_amount net_total grand_total amount_due
    agency_commission commission discount
    salesperson contact_person
    station seller_name
    product_name campaign subject
    spot_count quantity_total item_count
    filing_number registration_number reference_number certificate_number case_number
    filing_date issue_date application_date print_date
    registrant_name seller_name full_name employer buyer_name
    registrant_address seller_address home_address buyer_address
    principal_name buyer_name
    filer_person full_name contact_person
    signatory contact_person full_name filer_person
    signatory_title occupation
    signature_date contract_date issue_date application_date
    business_kind subject remarks occupation
    memo_to buyer_name contact_person ship_to_name
    memo_from seller_name contact_person full_name
    memo_company buyer_name seller_name employer
    memo_subject subject remarks
    memo_phone seller_phone buyer_phone mobile_phone
    memo_fax seller_fax
    memo_pages item_count
    seller_order_number order_number offer_number
    port_of_discharge destination
    insurer seller_name carrier
    manufacturer vehicle_make seller_name
    destination departure_airport
    country_of_origin country
    hire_date contract_date
    warranty_end expiry_date
    """.strip().split("\n")
)
# Groups of fields that pages are asked for in vain, by what the page states that looks like their value.
_PLACES = (
    "port_of_loading", "port_of_loading", "port_of_discharge", "birth_place", "court", "destination",
    "departure_airport", "place_of_death", "country_of_origin", "venue",
)  # fmt: skip
_PEOPLE = (
    "witness", "beneficiary", "notary", "captain", "architect", "emergency_contact", "patient_name", "doctor",
    "account_holder", "tenant", "landlord", "guest_name", "insured_name", "cashier",
)  # fmt: skip
_BODIES = ("insurer", "school", "hospital", "manufacturer", "carrier", "vessel", "agency_name", "principal_name")
_CODES = (
    "hs_code", "imei", "container_number", "bill_of_lading", "promo_code", "social_security_number", "passport_number",
    "policy_number", "tracking_number", "meter_number", "license_plate", "seller_order_number", "estimate_number",
    "membership_number", "claim_number", "delivery_note_number", "customer_number", "order_number", "buyer_vat_id",
)  # fmt: skip
_DAYS = (
    "delivery_date", "due_date", "warranty_end", "best_before", "hire_date", "expiry_date", "birth_date",
    "departure_date", "arrival_date", "date_of_loss", "order_date", "period_from", "period_to", "payment_date",
    "revised_date", "signature_date",
)  # fmt: skip
_SUMS = (
    "retention", "customs_duty", "late_fee", "discount", "shipping_cost", "amount_paid", "deposit", "tip",
    "agency_commission", "premium", "gross_salary", "credit_limit", "service_charge",
)  # fmt: skip
_BY_KIND = {
    "address": _PLACES, "city": _PLACES, "country": _PLACES, "company": (*_BODIES, *_PLACES), "name": _PEOPLE,
    "person": _PEOPLE, "doctor": _PEOPLE, "id": _CODES, "vat": _CODES, "taxno": _CODES, "regno": _CODES,
    "date": _DAYS, "amount": _SUMS,
}  # fmt: skip


def near_misses(draft: Draft) -> None:
    """Have some absent fields asked whose kind the page states; keep what would be a matter of taste from being asked.

    To be called when everything is printed.
    """
    rng = draft.rng
    stated = {name for ink in draft.inks for name in ink.names if name[:1] != "@"}
    for first, *others in _ALIKE:
        if first in stated:
            draft.unasked.update(name for name in others if name not in stated)
        elif not stated.isdisjoint(others):
            draft.unasked.add(first)
    if draft.brand:
        draft.unasked.update({"seller_name"} - stated)
    n = rng.choices((0, 1, 2, 3, 5, 9), (0.4, 0.25, 0.15, 0.1, 0.06, 0.04))[0]
    kinds = sorted({draft.find(name).kind for name in stated} & _BY_KIND.keys())
    for _ in range(n if kinds else 0):
        name = rng.choice(_BY_KIND[rng.choice(kinds)])
        if name not in stated:
            draft.empty.add(name)


def absent_elsewhere() -> tuple[Field, ...]:
    """Every field that traps ask for, for tests."""
    table = {**fields(), **more_fields()}
    return tuple(table[name] for group in _BY_KIND.values() for name in group)
