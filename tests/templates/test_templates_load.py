"""One YAML file becomes one template, with everything that it says."""

from pathlib import Path

import pytest
from yaml_files import GOOD, RICH, write

from pipkie_cli.nouns import Choice, Key, Locale
from pipkie_cli.templates import load_template


def test_every_field_is_read_and_scalars_stay_as_written(tmp_path: Path) -> None:
    """No value is turned into a number, a truth value or minutes: `no`, `0123` and `12:30` stay text."""
    template = load_template(write(tmp_path, GOOD))
    assert (template.name, template.title) == ("supplier_invoice", "Supplier invoice")
    assert template.keys == (
        Key("invoice_number", "text", "the number", ("Invoice no.", "0123", "12:30", "yes"), True),
        Key("issue_date", "date", "issue date"),
        Key("grand_total", "amount", "grand total", description="with tax"),
    )
    assert template.locale == Locale(("de", "no"), "dmy", ",", None)
    assert (template.detect_words, template.detect_not) == (("invoice", "rechnung"), ("pro forma",))
    assert template.origin == str(tmp_path / "t.yaml")


def test_name_and_keys_are_enough(tmp_path: Path) -> None:
    """Title, prompt, locale and cues have defaults."""
    template = load_template(write(tmp_path, "name: delivery_note\nkeys: {delivery_date: date}\n"))
    assert template.title == "Delivery note"
    assert template.keys == (Key("delivery_date", "date", "delivery date"),)
    assert template.locale == Locale()
    assert template.detect_words == template.detect_not == ()


def test_pixels_may_be_capped(tmp_path: Path) -> None:
    """For models that read pixels; a template without a cap says nothing of it in its digest."""
    plain = load_template(write(tmp_path, "name: a\nkeys: {b: text}\n"))
    capped = load_template(write(tmp_path, "name: a\nmax_pixels: 2_000_000\nkeys: {b: text}\n"))
    assert (plain.max_pixels, capped.max_pixels) == (None, 2_000_000)
    assert plain.digest != capped.digest


def test_a_table_has_columns_in_short_and_long_form(tmp_path: Path) -> None:
    """Columns are keys of their own kind, in the order of the file; the digest tells a table by all that it says."""
    text = """\
name: bill
keys:
  number: text
  line_items:
    type: table
    required: true
    description: What was sold.
    columns:
      description: text
      unit_price: {type: amount, aliases: [Einzelpreis, Price], required: yes}
"""
    template = load_template(write(tmp_path, text))
    assert template.keys[1] == Key(
        "line_items",
        "table",
        "line items",
        required=True,
        description="What was sold.",
        columns=(
            Key("description", "text", "description"),
            Key("unit_price", "amount", "unit price", ("Einzelpreis", "Price"), True),
        ),
    )
    for old, new in (("Einzelpreis", "Preis"), ("description: text", "description: number"), ("unit_price", "price")):
        assert load_template(write(tmp_path, text.replace(old, new))).digest != template.digest


def test_patterns_terms_and_rules_are_read(tmp_path: Path) -> None:
    """Rules stay as written, but for blanks; all of it belongs to the digest."""
    template = load_template(write(tmp_path, RICH))
    assert template.rules == ("sum(line_items.amount) == net_total", "net_total > 0")
    number, _, items = template.keys
    assert (number.pattern, number.term, items.columns[0].term) == (r"R-\d+", "BT-1", "BT-131")
    for old, new in ((r"R-\d+", r"\d+"), ("BT-1}", "BT-2}"), ("BT-131", "BT-146"), ("  - net_total > 0\n", "")):
        assert load_template(write(tmp_path, RICH.replace(old, new))).digest != template.digest


@pytest.mark.parametrize(
    ("choices", "read"),
    [
        ("[paid, open]", (Choice("paid"), Choice("open"))),
        ("{paid: [bezahlt, payé], open: offen}", (Choice("paid", ("bezahlt", "payé")), Choice("open", ("offen",)))),
        ("{'yes': [ja, x], 'no':, later: ~}", (Choice("yes", ("ja", "x")), Choice("no"), Choice("later"))),
    ],
)
def test_choices_are_a_list_or_say_how_each_is_printed(tmp_path: Path, choices: str, read: tuple[Choice, ...]) -> None:
    """Values in the order of the file; `no` stays a word; columns have them, too; the digest knows them."""
    text = f"name: a\nkeys:\n  b: {{type: choice, choices: {choices}}}\n"
    template = load_template(write(tmp_path, text))
    assert template.keys[0].choices == read
    table = f"name: a\nkeys:\n  b: {{type: table, columns: {{c: {{type: choice, choices: {choices}}}}}}}\n"
    assert load_template(write(tmp_path, table)).keys[0].columns[0].choices == read
    assert load_template(write(tmp_path, text.replace("[", "[more, ", 1))).digest != template.digest


@pytest.mark.parametrize("mark", ["null", "~", ""])
def test_an_empty_locale_hint_means_decide_from_the_document(tmp_path: Path, mark: str) -> None:
    """null, ~ and nothing at all are the same for every hint."""
    hints = "".join(f"  {hint}: {mark}\n" for hint in ("languages", "dates", "decimal", "currency"))
    text = f"name: a\nlocale:\n{hints}keys: {{b: text}}"
    assert load_template(write(tmp_path, text)).locale == Locale()


def test_a_byte_order_mark_and_dos_line_ends_do_no_harm(tmp_path: Path) -> None:
    """Files saved on Windows give the same template."""
    unix = load_template(write(tmp_path, GOOD, "unix.yaml"))
    dos = load_template(write(tmp_path, b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode(), "dos.yaml"))
    assert unix.digest == dos.digest


@pytest.mark.parametrize("text", [GOOD, RICH], ids=["GOOD", "RICH"])
def test_without_libyaml_everything_is_the_same_but_slower(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PyYAML comes without it on some systems: the same template, the same null."""
    path = write(tmp_path, text)
    fast = load_template(path)
    monkeypatch.setattr("yaml.__with_libyaml__", False)
    assert load_template(path) == fast


def test_a_table_with_headers_of_eight_languages() -> None:
    """A table as one would write it for invoices of anywhere."""
    (items,) = load_template(Path(__file__).with_name("line_items.yaml")).keys
    assert [(column.name, column.type) for column in items.columns] == [
        ("description", "text"),
        ("quantity", "number"),
        ("unit_price", "amount"),
        ("amount", "amount"),
    ]
    headers = (("Bezeichnung", "Désignation"), ("Menge", "Ilość"), ("Einzelpreis", "Prezzo"), ("Bedrag", "Importe"))
    for column, printed in zip(items.columns, headers, strict=True):
        assert set(printed) < set(column.aliases)
