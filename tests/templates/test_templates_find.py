"""Templates are found by name and by path; a user's folder wins over what is shipped."""

import shutil
import time
from pathlib import Path

import pytest

from pipkie_cli.errors import PipkieError, TemplateError
from pipkie_cli.templates import find, find_templates, load_template, shipped_folder


def put(folder: Path, file: str, name: str, key: str = "total") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / file
    path.write_text(f"name: {name}\nkeys: {{{key}: text}}\n")
    return path


def names(*args: str, folder: Path | None = None) -> list[str]:
    return [template.name for template in find_templates(args, folder)]


def test_without_names_all_templates_come_sorted_by_name(tmp_path: Path) -> None:
    """Shipped ones and those of the folder; hidden files and other suffixes are no templates."""
    put(tmp_path, "z.yml", "a_letter")
    put(tmp_path, ".hidden.yaml", "hidden")
    (tmp_path / "notes.txt").write_text("no template")
    shipped = sorted(path.stem for path in shipped_folder().glob("*.yaml"))
    assert names() == shipped
    assert {"invoice", "receipt", "registration_form", "tv_ad_invoice"} <= set(shipped)
    assert names(folder=tmp_path) == ["a_letter", *shipped]


def test_the_folder_wins_over_the_shipped_template_of_the_same_name(tmp_path: Path) -> None:
    """By the name in the file, whatever the file is called; asked for by name or not."""
    own = put(tmp_path, "mine.yaml", "invoice", "my_key")
    for asked in ((), ("invoice",)):
        found = {template.name: template for template in find_templates(asked, tmp_path)}
        assert found["invoice"].origin == str(own)


def test_names_keep_the_order_given_and_count_once(tmp_path: Path) -> None:
    """A name, a path, both mixed; the same template twice is one."""
    path = put(tmp_path, "d.yaml", "my_note")
    assert names("receipt", "invoice", "receipt") == ["receipt", "invoice"]
    assert names(str(path), "invoice", str(path)) == ["my_note", "invoice"]


def test_a_path_is_read_even_where_a_template_has_that_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What ends in .yaml or .yml, in any case, is a file of the current folder."""
    put(tmp_path, "invoice.YAML", "mine")
    monkeypatch.chdir(tmp_path)
    assert names("invoice.YAML") == ["mine"]


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        ("invoce", 'did you mean "invoice"?'),
        ("Invoice", 'did you mean "invoice"?'),
        ("xyz", "there are: bank_statement, credit_note, "),
        ("folder/invoice", "A file needs a path that ends in .yaml"),
    ],
)
def test_an_unknown_name_suggests_a_known_one(asked: str, hint: str) -> None:
    """A mistyped name is an error with the nearest name, never another template."""
    with pytest.raises(TemplateError, match=f'no template is named "{asked}"') as caught:
        find_templates([asked], None)
    assert hint in caught.value.hint


def test_a_name_that_is_a_file_of_another_name_says_so(tmp_path: Path) -> None:
    """Templates go by the name: line; whoever asks by file name learns it."""
    path = put(tmp_path, "acme.yaml", "acme_invoice")
    with pytest.raises(TemplateError) as caught:
        find_templates(["acme"], tmp_path)
    assert caught.value.hint == f'the file {path} holds the template "acme_invoice": ask for that'


def test_a_broken_template_in_the_folder_is_never_skipped(tmp_path: Path) -> None:
    """Even when another one is asked for."""
    (tmp_path / "broken.yaml").write_text("name: a\n")
    with pytest.raises(TemplateError, match=r"broken\.yaml:1: the template has no keys:"):
        find_templates(["invoice"], tmp_path)


def test_two_templates_of_one_name_are_an_error(tmp_path: Path) -> None:
    """In one folder, or named side by side; both files are told."""
    put(tmp_path, "a.yaml", "order", "one")
    other = put(tmp_path / "more", "b.yaml", "order", "two")
    with pytest.raises(TemplateError, match=r'two templates are named "order": .*a\.yaml and .*b\.yaml'):
        find_templates([str(tmp_path / "a.yaml"), str(other)], None)
    put(tmp_path, "c.yaml", "order", "three")
    with pytest.raises(TemplateError, match=r'two templates are named "order": .*a\.yaml and .*c\.yaml'):
        find_templates([], tmp_path)


def test_a_folder_that_is_none_or_empty_is_an_error(tmp_path: Path) -> None:
    """A mistyped --templates must not silently mean the shipped ones."""
    with pytest.raises(TemplateError, match="nowhere is not a folder"):
        find_templates([], tmp_path / "nowhere")
    with pytest.raises(TemplateError, match=r"holds no \.yaml file"):
        find_templates([], tmp_path)


def test_a_folder_that_cannot_be_listed_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's reason, as a TemplateError."""

    def refuse(self: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(TemplateError, match="cannot be read: Permission denied"):
        find_templates([], tmp_path)


def place(monkeypatch: pytest.MonkeyPatch, root: Path) -> Path:
    """Pretend that pipkie is installed below `root`."""
    room = root / "pipkie_cli" / "templates"
    room.mkdir(parents=True)
    monkeypatch.setattr(find, "__file__", str(room / "find.py"))
    return room


def test_a_wheel_has_its_templates_inside_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They win even where a `templates/` lies two levels up."""
    room = place(monkeypatch, tmp_path)
    shutil.copytree(Path(__file__).parents[2] / "templates", room / "shipped")
    (tmp_path / "templates").mkdir()
    (tmp_path / "pyproject.toml").touch()
    assert shipped_folder() == room / "shipped"


def test_a_checkout_has_them_beside_its_pyproject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkout and editable install read the repository's folder: edits show at once."""
    place(monkeypatch, tmp_path)
    (tmp_path / "templates").mkdir()
    (tmp_path / "pyproject.toml").touch()
    assert shipped_folder() == tmp_path / "templates"


def test_a_strangers_folder_in_site_packages_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pyproject.toml beside it the installation is damaged, and says so."""
    place(monkeypatch, tmp_path)
    (tmp_path / "templates").mkdir()
    with pytest.raises(PipkieError, match="the installation is damaged") as caught:
        shipped_folder()
    assert "--force-reinstall" in caught.value.hint


@pytest.mark.parametrize("path", sorted(shipped_folder().iterdir()), ids=lambda path: path.name)
def test_a_shipped_template_is_named_like_its_file(path: Path) -> None:
    """Every shipped file loads; no two keys share a prompt, no alias stands twice in a key or repeats the prompt."""
    template = load_template(path)
    assert path.name == f"{template.name}.yaml"
    prompts = [key.prompt for key in template.keys]
    assert len(set(prompts)) == len(prompts)
    for key in template.keys:
        # what tv_ad_invoice asks was measured with labels that repeat prompts: without them it is another question
        asked = key.aliases if template.name == "tv_ad_invoice" else (key.prompt, *key.aliases)
        phrases = [phrase.casefold() for phrase in asked]
        assert len(set(phrases)) == len(phrases), key.name
        assert key.description, key.name


def test_the_shipped_templates_ask_for_these_keys() -> None:
    """Users' databases hang on them; the order is the order of the record."""
    asked = {
        template.name: [key.name + "!" * key.required for key in template.keys] for template in find_templates([], None)
    }
    assert asked == {
        "bank_statement": [
            "bank_name", "account_holder", "account_number", "iban", "bic", "statement_number", "statement_date",
            "period_from", "period_to", "opening_balance!", "closing_balance!", "total_debits", "total_credits",
            "currency", "transactions",
        ],
        "credit_note": [
            "credit_note_number!", "issue_date!", "original_invoice_number", "original_invoice_date", "reason",
            "customer_number", "seller_name", "seller_vat_id", "buyer_name", "net_total", "tax_total", "grand_total!",
            "currency", "line_items",
        ],
        "delivery_note": [
            "delivery_note_number!", "issue_date!", "delivery_date", "purchase_order_number", "customer_number",
            "seller_name", "ship_to_name", "ship_to_address", "carrier", "tracking_number", "packages", "weight",
            "line_items",
        ],
        "id_document": [
            "document_kind", "document_number!", "last_name!", "first_name!", "birth_date!", "birth_place", "gender",
            "nationality", "issuing_country", "issuing_authority", "issue_date", "expiry_date!", "home_address",
            "height",
        ],
        "insurance_claim_form": [
            "policy_number!", "claim_number", "insurer", "insured_name!", "birth_date", "home_address", "phone",
            "email", "date_of_loss!", "time_of_loss", "place_of_loss", "description_of_loss", "license_plate",
            "estimated_value", "police_informed", "injuries", "account_holder", "iban", "signature_date",
        ],
        "invoice": [
            "invoice_number!", "issue_date!", "due_date", "purchase_order_number", "seller_name", "seller_vat_id",
            "buyer_name", "net_total", "tax_total", "grand_total!", "amount_due", "currency", "iban", "line_items",
        ],
        "order_confirmation": [
            "confirmation_number!", "issue_date!", "purchase_order_number", "purchase_order_date", "customer_number",
            "seller_name", "buyer_name", "delivery_date", "ship_to_address", "payment_terms", "net_total", "tax_total",
            "grand_total", "currency", "line_items",
        ],
        "payslip": [
            "employer!", "employee_name!", "employee_number", "social_security_number", "pay_period", "pay_date",
            "gross_salary!", "income_tax", "total_deductions", "net_salary!", "currency", "iban", "pay_items",
        ],
        "purchase_order": [
            "purchase_order_number!", "order_date!", "buyer_name", "seller_name", "supplier_number", "delivery_date",
            "ship_to_address", "contact_person", "payment_terms", "incoterms", "net_total", "tax_total", "grand_total",
            "currency", "line_items",
        ],
        "receipt": [
            "company!", "address", "date!", "receipt_number", "total!", "tax", "currency", "payment_method",
            "line_items",
        ],
        "registration_form": ["registrant_name!", "file_date", "registration_num", "short_form_person"],
        "remittance_advice": [
            "payer_name!", "payee_name", "supplier_number", "payment_reference!", "payment_date!", "payment_method",
            "bank_name", "iban", "bic", "payment_total!", "currency", "invoices",
        ],
        "tv_ad_invoice": ["contract_num!", "advertiser!", "gross_amount", "flight_from", "flight_to"],
        "utility_bill": [
            "seller_name!", "buyer_name", "customer_number", "contract_number", "invoice_number", "issue_date!",
            "due_date", "period_from", "period_to", "utility", "supply_address", "meter_number", "previous_reading",
            "meter_reading", "consumption", "tariff", "net_total", "tax_total", "grand_total!", "amount_due",
            "currency", "iban",
        ],
    }  # fmt: skip


def test_all_shipped_templates_load_in_no_time() -> None:
    """14 of them in 37 ms of a busy machine; every command that reads documents waits for that."""
    taken = []
    for _ in range(5):
        begun = time.process_time()
        find_templates([], None)
        taken.append(time.process_time() - begun)
    assert min(taken) < 0.15
