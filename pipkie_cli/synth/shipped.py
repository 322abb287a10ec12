"""The keys and columns of the shipped templates that made-up documents are asked for: what users will ask most."""

from functools import cache

from pipkie_cli.nouns import Key

# Sets of such papers measure what the model never learnt: their keys are not asked in training, not even in vain.
NEVER_ASKED = frozenset({"tv_ad_invoice", "registration_form"})
_ANYWHERE = ("invoice", "receipt")  # asked of every document: their keys are fields of this room's tables
_NAMES = {  # a template's name for a field, where it differs
    "company": "seller_name", "address": "seller_address", "date": "issue_date",
    "total": "grand_total", "tax": "tax_total", "purchase_order_number": "order_number",
}  # fmt: skip


@cache
def shipped_templates() -> tuple[tuple[tuple[str, Key], ...], ...]:
    """Those that any document is asked for, each as its keys with the fields that they ask for."""
    from pipkie_cli.templates import find_templates

    return tuple(
        tuple((_NAMES.get(key.name, key.name), key) for key in template.keys)
        for template in find_templates((), None)
        if template.name in _ANYWHERE
    )


@cache
def shipped_keys() -> dict[str, tuple[Key, ...]]:
    """The keys that are no tables, by field."""
    keys: dict[str, tuple[Key, ...]] = {}
    for name, key in (pair for template in shipped_templates() for pair in template):
        if not key.columns:
            keys[name] = (*keys.get(name, ()), key)
    return keys


@cache
def shipped_columns() -> dict[str, tuple[Key, ...]]:
    """The columns of their tables, by name."""
    columns: dict[str, tuple[Key, ...]] = {}
    for template in shipped_templates():
        for column in (column for _, key in template for column in key.columns):
            columns[column.name] = (*columns.get(column.name, ()), column)
    return columns
