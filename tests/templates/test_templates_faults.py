"""A template that is wrong is an error that names the line and says what to do."""

from pathlib import Path

import pytest
from yaml_files import GOOD, write

from pipkie_cli.errors import ExitCode, TemplateError
from pipkie_cli.templates import load_template

# Each case: the file, the line that is named, what the message says, what the hint says.
FAULTS = {
    "empty": ("", None, "is empty", "name: and keys:"),
    "only a comment": ("# nothing\n", None, "is empty", "name: and keys:"),
    "a list": ("- a\n- b\n", 1, "must be a mapping", "templates show"),
    "two documents": ("name: a\n---\nname: b\n", 2, "a second YAML document", "one template per file"),
    "open quote": ('name: a\ntitle: "b\nkeys: {c: text}\n', 4, "not valid YAML", "quotes"),
    "tab": ("name: a\nkeys:\n\tb: text\n", 3, "not valid YAML", "not with tabs"),
    "bad indent": ("name: a\n title: b\nkeys: {c: text}\n", 2, "not valid YAML", "indentation"),
    "control character": ("name: a\ntitle: b\x07\n", 2, "a character that YAML does not allow", "delete it"),
    "half a character": ('name: a\ntitle: "\\uD800"\nkeys: {b: text}\n', 2, "a character that no text has", "escape"),
    "NUL": ('name: a\nkeys: {b: {type: text, aliases: ["c\\0"]}}\n', 2, "a character that no text has", "escape"),
    "no character": ('name: a\ntitle: "\\UFFFFFFFF"\nkeys: {b: text}\n', None, "stands for no character", "escapes"),
    "long type": (f"name: a\nkeys: {{b: {'c' * 9000}}}\n", 2, f'type "{"c" * 64}..." of key', "use text, date"),
    "latin 1": (b"name: a\ntitle: Quittung f\xfcr\n", 2, "not UTF-8", "save the file as UTF-8"),
    "no name": ("keys: {a: text}\n", 1, "has no name:", "name: supplier_invoice"),
    "no keys": ("name: a\n", 1, "has no keys:", "keys: {invoice_number: text}"),
    "keys empty": ("name: a\nkeys: {}\n", 2, "keys: is empty", "invoice_number: text"),
    "keys a list": ("name: a\nkeys: [b, c]\n", 2, "keys must be a mapping", "templates show"),
    "keys text": ("name: a\nkeys: b\n", 2, "keys must be a mapping", "templates show"),
    "upper case name": (
        "name: Supplier Invoice\nkeys: {a: text}\n",
        1,
        "cannot be the template's name",
        "supplier_invoice",
    ),
    "name without letters": ("name: 12\nkeys: {a: text}\n", 1, "cannot be the template's name", "a to z"),
    "name too long": (f"name: {'a' * 65}\nkeys: {{a: text}}\n", 1, "at most 64", "write aaa"),
    "name a list": ("name: [a]\nkeys: {a: text}\n", 1, "name must be one piece of text", "in quotes"),
    "few pixels": (
        "name: a\nmax_pixels: 9_999\nkeys: {b: text}\n",
        2,
        "max_pixels cannot be",
        "from 10000 to 16000000",
    ),
    "many pixels": ("name: a\nmax_pixels: 16000001\nkeys: {b: text}\n", 2, "max_pixels cannot be", "from 10000"),
    "pixels a word": ("name: a\nmax_pixels: 2e6\nkeys: {b: text}\n", 2, "max_pixels cannot be", "from 10000"),
    "name empty": ("name:\nkeys: {a: text}\n", 1, "name is empty", "write a text"),
    "key name": ("name: a\nkeys:\n  Größe-Nr.: text\n", 3, "cannot be a key's name", "write groe_nr"),
    "key with blanks": ("name: a\nkeys:\n  'Invoice No.': text\n", 3, "cannot be a key's name", "invoice_no"),
    "field": ("name: a\nkey: {b: text}\n", 2, 'unknown field "key" of the template', 'mean "keys"'),
    "field far off": ("name: a\nxyz: b\nkeys: {b: text}\n", 2, 'unknown field "xyz"', "use name, title, detect"),
    "key field": (
        "name: a\nkeys:\n  b: {type: text, promt: c}\n",
        3,
        'unknown field "promt" of key "b"',
        'mean "prompt"',
    ),
    "detect field": ("name: a\ndetect: {word: [x]}\nkeys: {b: text}\n", 2, 'unknown field "word" of detect', '"words"'),
    "locale field": ("name: a\nlocale: {date: dmy}\nkeys: {b: text}\n", 2, 'unknown field "date" of locale', '"dates"'),
    "rules": (
        "name: a\nkeys: {b: text}\nrules: [b > 0]\n",
        3,
        "the rule b > 0: > compares a text with a number",
        "compare numbers with numbers",
    ),
    "rule of an unknown key": (
        "name: a\nkeys: {net_total: amount}\nrules:\n  - net_total > 0\n  - net_totl > 0\n",
        5,
        'the rule net_totl > 0: unknown key "net_totl"',
        'mean "net_total"',
    ),
    "rules no list": ("name: a\nkeys: {b: amount}\nrules: b > 0\n", 3, "rules must be a list", "[one]"),
    "rule a mapping": ("name: a\nkeys: {b: amount}\nrules:\n  - b: 0\n", 4, "must be one piece of text", "in quotes"),
    "many rules": (
        "name: a\nkeys: {b: amount}\nrules:\n" + "".join(f"  - b > {n}\n" for n in range(101)),
        4,
        "rules has more than 100 entries",
        "commonest",
    ),
    "choices of a text": (
        "name: a\nkeys: {b: {type: text, choices: [c]}}\n",
        2,
        'key "b" has choices, but its type is text',
        "write type: choice",
    ),
    "no choices": ("name: a\nkeys:\n  b: choice\n", 3, 'key "b" has no choices', "add choices: [one, another]"),
    "no choices, long form": ("name: a\nkeys:\n  b: {type: choice}\n", 3, 'key "b" has no choices', "add choices:"),
    "choices empty": (
        "name: a\nkeys:\n  b:\n    type: choice\n    choices: []\n",
        5,
        'the choices of key "b" are empty',
        "write choices: [one, another]",
    ),
    "choices that print alike": (
        "name: a\nkeys:\n  b:\n    type: choice\n    choices: [1, é, 1.]\n",
        5,
        '"1." stands for two choices of key "b"',
        'keep one of them and "1"',
    ),
    "choices of accents": (
        "name: a\nkeys:\n  b:\n    type: choice\n    choices: {payé: [], open: [offen, Paye]}\n",
        5,
        '"Paye" stands for two choices',
        "case, accents and punctuation",
    ),
    "choice of nothing": (
        'name: a\nkeys:\n  b:\n    type: choice\n    choices: [paid, "\\u200b"]\n',
        5,
        'a choice of key "b" has no visible character',
        "how it is printed",
    ),
    "choices text": ("name: a\nkeys: {b: {type: choice, choices: c}}\n", 2, "must be a list", "[one]"),
    "choice printed twice": (
        "name: a\nkeys:\n  b:\n    type: choice\n    choices: {c: [x, Y], d: [y]}\n",
        5,
        '"y" stands for two choices of key "b"',
        "keep one of them",
    ),
    "many choices": (
        "name: a\nkeys:\n  b:\n    type: choice\n    choices: {" + ", ".join(f"c{n}: x{n}" for n in range(201)) + "}\n",
        5,
        'key "b" has more than 200 choices',
        "use type: text",
    ),
    "pattern of a number": (
        "name: a\nkeys: {b: {type: amount, pattern: '[0-9]+'}}\n",
        2,
        'key "b" has a pattern, but its values are no texts (type amount)',
        "leave it out",
    ),
    "pattern of a table": (
        "name: a\nkeys: {b: {type: table, columns: {c: text}, pattern: x}}\n",
        2,
        "has a pattern, but its values are no texts (type table)",
        "leave it out",
    ),
    "pattern open": (
        "name: a\nkeys: {b: {type: text, pattern: '[A-Z'}}\n",
        2,
        'the pattern of key "b" is no regular expression',
        "single quotes",
    ),
    "pattern of two halves": (
        "name: a\nkeys: {b: {type: text, pattern: 'a)|(?:b'}}\n",
        2,
        'the pattern of key "b" is no regular expression',
        "single quotes",
    ),
    "pattern that looks back": (
        "name: a\nkeys: {b: {type: text, pattern: '(a)\\1'}}\n",
        2,
        "that pipkie can run in linear time",
        "single quotes",
    ),
    "pattern that looks ahead": ("name: a\nkeys: {b: {type: text, pattern: 'a(?=b)'}}\n", 2, "uses (?...)", "quotes"),
    "pattern too large": (
        "name: a\nkeys: {b: {type: text, pattern: '(a{1000}){1000}'}}\n",
        2,
        "or too large a one",
        "single quotes",
    ),
    "term": (
        "name: a\nkeys:\n  b:\n    type: text\n    term: BT1\n",
        5,
        '"BT1" is no business term of EN 16931',
        "write BT-1",
    ),
    "term of a table": (
        "name: a\nkeys: {b: {type: table, columns: {c: text}, term: BT-1}}\n",
        2,
        'key "b" cannot have a term',
        "to its columns",
    ),
    "columns of no table": (
        "name: a\nkeys:\n  b:\n    type: text\n    columns: {c: text}\n",
        5,
        'key "b" has columns, but its type is text',
        "write type: table",
    ),
    "field twice": (
        "name: a\ntitle: b\ntitle: c\nkeys: {d: text}\n",
        3,
        '"title" stands twice in the template (first in line 2)',
        "keep one",
    ),
    "key twice": (
        "name: a\nkeys:\n  b: text\n  c: text\n  b: date\n",
        5,
        '"b" stands twice in keys (first in line 3)',
        "keep one",
    ),
    "key field twice": (
        "name: a\nkeys:\n  b: {type: text, type: date}\n",
        3,
        '"type" stands twice in key "b"',
        "keep one",
    ),
    "no type": (
        "name: a\nkeys:\n  b: {prompt: c}\n",
        3,
        'key "b" has no type',
        "add type: text (or date, time, datetime, amount,",
    ),
    "type left empty": ("name: a\nkeys:\n  b:\n  c: text\n", 3, 'key "b" has no type', "write b: text"),
    "type misspelt": ("name: a\nkeys: {b: ammount}\n", 2, 'unknown type "ammount" of key "b"', 'mean "amount"'),
    "type of another program": ("name: a\nkeys: {b: money}\n", 2, 'unknown type "money"', 'mean "amount"'),
    "type unknown": ("name: a\nkeys: {b: foo}\n", 2, 'unknown type "foo"', "use text, date, time"),
    "type a list": ("name: a\nkeys: {b: {type: [text]}}\n", 2, 'the type of key "b" must be one piece', "in quotes"),
    "key a list": ("name: a\nkeys: {b: [text]}\n", 2, 'key "b" must be a mapping', "templates show"),
    "table without columns": (
        "name: a\nkeys: {b: table}\n",
        2,
        'table "b" has no columns',
        "write b: {type: table, columns: {description: text, amount: amount}}",
    ),
    "table without columns, long form": (
        "name: a\nkeys:\n  b: {type: table, required: yes}\n",
        3,
        'table "b" has no columns',
        "columns: {description: text",
    ),
    "table with empty columns": (
        "name: a\nkeys:\n  b:\n    type: table\n    columns: {}\n",
        5,
        'the columns of "b" are empty',
        "amount: amount",
    ),
    "columns a list": (
        "name: a\nkeys: {b: {type: table, columns: [c, d]}}\n",
        2,
        'the columns of "b" must be a mapping',
        "templates show",
    ),
    "column without type": (
        "name: a\nkeys:\n  b:\n    type: table\n    columns:\n      c: {aliases: [d]}\n",
        6,
        'column "c" of table "b" has no type',
        "add type: text (or date, time, datetime, amount,",
    ),
    "column left empty": (
        "name: a\nkeys:\n  b:\n    type: table\n    columns:\n      c:\n      d: text\n",
        6,
        'column "c" of table "b" has no type',
        "write c: text (or",
    ),
    "column misspelt": (
        "name: a\nkeys:\n  b:\n    type: table\n    columns: {c: ammount}\n",
        5,
        'unknown type "ammount" of column "c" of table "b"',
        'mean "amount"',
    ),
    "column name": (
        "name: a\nkeys: {b: {type: table, columns: {Unit Price: amount}}}\n",
        2,
        "cannot be a column's name",
        "write unit_price",
    ),
    "column twice": (
        "name: a\nkeys:\n  b:\n    type: table\n    columns:\n      c: text\n      c: date\n",
        7,
        '"c" stands twice in the columns of "b" (first in line 6)',
        "keep one",
    ),
    "column field": (
        "name: a\nkeys: {b: {type: table, columns: {c: {type: text, alias: [d]}}}}\n",
        2,
        'unknown field "alias" of column "c" of table "b"',
        'mean "aliases"',
    ),
    "nested tables": (
        "name: a\nkeys:\n  b:\n    type: table\n    columns:\n      c: {type: table, columns: {d: text}}\n",
        6,
        'column "c" of table "b" cannot be a table itself',
        "make this table a key of its own",
    ),
    "columns of a column": (
        "name: a\nkeys: {b: {type: table, columns: {c: {type: text, columns: {d: text}}}}}\n",
        2,
        'column "c" of table "b" has columns',
        "tables are not nested",
    ),
    "aliases of a table": (
        "name: a\nkeys:\n  b:\n    type: table\n    aliases: [items]\n    columns: {c: text}\n",
        5,
        'table "b" cannot have aliases',
        "give aliases to its columns",
    ),
    "many columns": (
        "name: a\nkeys:\n  b:\n    type: table\n    columns:\n" + "".join(f"      c{n}: text\n" for n in range(21)),
        6,
        '"b" has more than 20 columns',
        "two tables",
    ),
    "prompt empty": ("name: a\nkeys: {b: {type: text, prompt: ''}}\n", 2, "prompt is empty", "leave prompt out"),
    "prompt long": (f"name: a\nkeys: {{b: {{type: text, prompt: {'x' * 301}}}}}\n", 2, "longer than 300", "shorten"),
    "aliases text": ("name: a\nkeys: {b: {type: text, aliases: c}}\n", 2, "aliases must be a list", "[one]"),
    "alias empty": (
        "name: a\nkeys: {b: {type: text, aliases: [c, '']}}\n",
        2,
        "an entry of aliases is empty",
        "write a text",
    ),
    "alias a mapping": (
        "name: a\nkeys: {b: {type: text, aliases: [{c: d}]}}\n",
        2,
        "must be one piece of text",
        "in quotes",
    ),
    "many aliases": (
        "name: a\nkeys:\n  b:\n    type: text\n    aliases: [" + ", ".join(map(str, range(201))) + "]\n",
        5,
        "more than 200",
        "commonest",
    ),
    "required": (
        "name: a\nkeys: {b: {type: text, required: maybe}}\n",
        2,
        'required cannot be "maybe"',
        "true, yes, false or no",
    ),
    "language": (
        "name: a\nlocale: {languages: [german]}\nkeys: {b: text}\n",
        2,
        '"german" is not a language code',
        "[en, de, fr]",
    ),
    "dates": (
        "name: a\nlocale: {dates: dd.mm.yy}\nkeys: {b: text}\n",
        2,
        'dates cannot be "dd.mm.yy"',
        "dmy, mdy or ymd",
    ),
    "decimal": ("name: a\nlocale: {decimal: comma}\nkeys: {b: text}\n", 2, 'decimal cannot be "comma"', "write . or ,"),
    "currency": ("name: a\nlocale: {currency: €}\nkeys: {b: text}\n", 2, '"€" is not a currency code', "EUR"),
    "words text": ("name: a\ndetect: {words: invoice}\nkeys: {b: text}\n", 2, "detect words must be a list", "[one]"),
    "detect a list": ("name: a\ndetect: [invoice]\nkeys: {b: text}\n", 2, "detect must be a mapping", "templates show"),
    "tag": ("name: !!python/name:os.system a\nkeys: {b: text}\n", 1, "has a YAML tag", "delete the tag"),
    "list tag": (
        "name: a\ndetect: {words: !!python/tuple [x]}\nkeys: {b: text}\n",
        2,
        "detect words must be a list",
        "[one]",
    ),
    "mapping tag": ("name: a\nkeys: !!set {b: text}\n", 2, "keys must be a mapping", "templates show"),
    "anchor": ("name: &x a\ntitle: *x\nkeys: {b: text}\n", 1, "anchors (&) and references (*)", "write the value out"),
    "reference": ("name: a\ntitle: *x\nkeys: {b: text}\n", 2, "anchors (&) and references (*)", "in quotes"),
    "billion laughs": ("a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n", 1, "anchors", "write the value out"),
    "deep": (f"name: a\nkeys: {'[' * 100_000}\n", 2, "nested more than 10 deep", "6 levels"),
    "many entries": ("name: a\nkeys: [" + "b, " * 20_001 + "]\n", 2, "more than 20000 entries", "several templates"),
    "many keys": (
        "name: a\nkeys:\n" + "".join(f"  b{n}: text\n" for n in range(501)),
        3,
        "more than 500 keys",
        "several templates",
    ),
    "large": ("# " + "x" * 256 * 1024, None, "larger than 256 kB", "several templates"),
}


@pytest.mark.parametrize(("text", "line", "message", "hint"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_names_file_and_line_and_what_to_do(
    tmp_path: Path, text: str | bytes, line: int | None, message: str, hint: str
) -> None:
    """Every fault is a TemplateError (exit code 4) at its own line, with a hint that helps."""
    path = write(tmp_path, text)
    with pytest.raises(TemplateError) as caught:
        load_template(path)
    error = caught.value
    assert error.message.startswith(f"{path}:{line}: " if line else f"{path} "), error
    assert message in error.message
    assert len(error.message) < len(str(path)) + 300
    assert hint in error.hint
    assert error.exit_code == ExitCode.BAD_TEMPLATE


def test_a_path_that_is_no_file_says_what_it_is(tmp_path: Path) -> None:
    """Missing, a folder, unreadable: three different sentences."""
    with pytest.raises(TemplateError, match=r"no\.yaml does not exist; check the path"):
        load_template(tmp_path / "no.yaml")
    with pytest.raises(TemplateError, match=r"is a folder; name a \.yaml file in it"):
        load_template(tmp_path)
    with pytest.raises(TemplateError, match="is not a regular file"):
        load_template(Path("/dev/null"))


def test_a_file_that_cannot_be_opened_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's own reason is kept, without a traceback."""
    path = write(tmp_path, GOOD)

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(TemplateError, match=r"t\.yaml cannot be read: Permission denied; check its permissions"):
        load_template(path)
