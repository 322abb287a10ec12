"""Published sets: every reader on a miniature archive in the form that its authors publish."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipkie_cli.errors import InputError, UsageError
from pipkie_cli.evaluate.datasets import labels_template, measuring_template, read_set
from pipkie_cli.evaluate.datasets.sets import SETS
from pipkie_cli.evaluate.titles import distinct
from pipkie_cli.nouns import Key


def write(path: Path, content: Any) -> Path:
    """A file with text, bytes, or a value as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def json_lines(*rows: Any) -> str:
    return "\n".join(map(json.dumps, rows)) + "\n"


def entity(number: int, label: str, text: str, top: int, *links: list[int]) -> dict[str, Any]:
    return {"id": number, "label": label, "text": text, "box": [0, top, 9, top + 9], "linking": list(links)}


FORM = [
    entity(0, "header", "REPORT", 0, [0, 1]),
    entity(1, "question", "Date:", 10, [0, 1], [1, 3]),
    entity(2, "question", "Comments", 20, [2, 5], [2, 4]),
    entity(3, "answer", "9/3/92", 10, [1, 3]),
    entity(4, "answer", "first line", 30, [2, 4]),
    entity(5, "answer", "second line", 40, [2, 5]),
    entity(6, "question", "Fax No. :", 50),
    entity(7, "question", "Group", 60, [7, 8]),
    entity(8, "question", "Member", 70, [7, 8]),
    entity(9, "question", ":", 80),
]


def funsd(folder: Path) -> Path:
    for part, stem in (("training_data", "0001"), ("testing_data", "0002")):
        write(folder / part / "annotations" / f"{stem}.json", {"form": FORM})
        write(folder / part / "images" / f"{stem}.png", b"")
    return folder


def test_funsd(tmp_path: Path) -> None:
    """A question has the answers linked to it, from top to bottom; one without a link is an empty field."""
    found = read_set(funsd(tmp_path), "train")
    (one,) = found.documents
    assert (found.rules.name, found.rules.own_keys) == ("funsd", True)
    assert (one.shown, one.path) == (
        "training_data/images/0001.png",
        tmp_path / "training_data" / "images" / "0001.png",
    )
    # "Group" leads only to another question, which hangs below it in turn: neither has an answer that could be missing
    assert one.values == {"Date": ("9/3/92",), "Comments": ("first line", "second line"), "Fax No.": ()}
    assert [read.shown for read in read_set(tmp_path).documents] == [
        "testing_data/images/0002.png",
        "training_data/images/0001.png",
    ]
    assert len(read_set(tmp_path / "testing_data").documents) == 1


def test_funsd_is_asked_its_own_labels(tmp_path: Path) -> None:
    """Each label is a key of type text, asked by its own words."""
    (one,) = read_set(funsd(tmp_path), "test").documents
    template = labels_template(one)
    assert template.keys == tuple(Key(label, "text", label) for label in ("Date", "Comments", "Fax No."))


RECEIPT = {"company": "ACME SDN BHD", "date": "25/12/2018", "address": "NO. 1, JALAN", "total": "9.00"}


@pytest.mark.parametrize(
    ("images", "keys", "name"),
    [
        ("img", "key", "X1.json"),
        ("train/img", "train/entities", "X1.txt"),
        ("0325updated.task1train(626p)", "0325updated.task2train(626p)", "X1.txt"),
    ],
)
def test_sroie(tmp_path: Path, images: str, keys: str, name: str) -> None:
    """The mirrors' and the organisers' layouts; transcriptions and copies without keys are left alone."""
    write(tmp_path / images / "X1.jpg", b"")
    write(tmp_path / images / "X1 (1).jpg", b"")
    write(tmp_path / images / "X1.txt", "1,2,3,4,5,6,7,8,ACME") if images.startswith("0325") else None
    write(tmp_path / keys / name, {**RECEIPT, "address": ""})
    found = read_set(tmp_path)
    (one,) = found.documents
    assert found.rules.name == "sroie"
    assert one.path == tmp_path / images / "X1.jpg"
    assert one.values == {key: (value,) for key, value in RECEIPT.items() if key != "address"}


LINES = [  # of the published form; a receipt of one item with an extra
    {"category": "menu.nm", "group_id": 3, "words": [{"text": "Nasi", "is_key": 0}, {"text": "Goreng", "is_key": 0}]},
    {"category": "menu.cnt", "group_id": 3, "words": [{"text": "2x", "is_key": 0}]},
    {"category": "menu.sub_nm", "group_id": 3, "words": [{"text": "extra hot", "is_key": 0}]},
    {"category": "menu.price", "group_id": 3, "words": [{"text": "50.000", "is_key": 0}]},
    {
        "category": "total.total_price",
        "group_id": 9,
        "words": [{"text": "TOTAL", "is_key": 1}, {"text": "50.000", "is_key": 0}],
    },
]
TREE = {
    "menu": [{"nm": "Nasi Goreng", "cnt": "2x", "sub": {"nm": "extra hot"}, "price": "50.000"}],
    "total": {"total_price": "50.000"},
}


def cord_json(folder: Path) -> None:
    write(folder / "train" / "json" / "receipt_00000.json", {"valid_line": LINES, "meta": {"split": "train"}})
    write(folder / "train" / "image" / "receipt_00000.png", b"")


def cord_with_parse(folder: Path) -> None:
    write(folder / "train" / "json" / "receipt_00000.json", {"valid_line": [], "gt_parse": TREE})
    write(folder / "train" / "image" / "receipt_00000.png", b"")


def cord_of_donut(folder: Path) -> None:
    truth = json.dumps({"gt_parse": {**TREE, "menu": TREE["menu"][0]}})  # type: ignore[index]
    row = {"file_name": "receipt_00000.png", "ground_truth": truth}
    write(folder / "train" / "metadata.jsonl", json_lines(row))


@pytest.mark.parametrize("make", [cord_json, cord_with_parse, cord_of_donut])
def test_cord(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """A tree of the receipt, given or made of its lines; paths as keys, the menu as a table, the rest absent."""
    make(tmp_path)
    found = read_set(tmp_path, "train")
    (one,) = found.documents
    assert found.rules.name == "cord"
    assert one.path.name == "receipt_00000.png"
    assert one.values["total.total_price"] == ("50.000",)
    assert one.values["sub_total.tax_price"] == ()
    assert one.tables == {"menu": ({"nm": "Nasi Goreng", "cnt": "2x", "price": "50.000"},)}
    assert one.nested is not None
    assert one.nested["total"] == TREE["total"]


def test_cord_repeats_become_lists(tmp_path: Path) -> None:
    """Two lines of one class in one group are two texts of one key."""
    cord_json(tmp_path)
    twice = [*LINES, {"category": "total.total_price", "group_id": 9, "words": [{"text": "50000"}]}]
    write(tmp_path / "train" / "json" / "receipt_00000.json", {"valid_line": twice})
    (one,) = read_set(tmp_path).documents
    assert one.values["total.total_price"] == ("50.000", "50000")


def poie(folder: Path) -> Path:
    write(folder / "class_list.json", ["SS", "CE-PS", "TF-D"])
    tagged = {"polygon": [0] * 8, "text": "kcal 120", "entity": ["O"] * 5 + ["B-CE-PS", "I-CE-PS", "I-CE-PS"]}
    size = {"polygon": [0] * 8, "text": "30g", "entity": ["B-SS", "I-SS", "I-SS"]}
    row = {"file_name": "image_files/a.jpg", "height": 9, "width": 9, "annotations": [tagged, size]}
    write(folder / "train.txt", json_lines({**row, "entity_dict": {"SS": "30 g", "CE-PS": "120"}}))
    write(folder / "test.txt", json_lines(row))
    return folder


def test_poie(tmp_path: Path) -> None:
    """The authors' values where they are given, else the tagged characters; a class without any is absent."""
    poie(tmp_path)
    assert read_set(tmp_path, "train").documents[0].values == {"ss": ("30 g",), "ce_ps": ("120",), "tf_d": ()}
    found = read_set(tmp_path, "test")
    assert found.rules.name == "poie"
    assert found.documents[0].values == {"ss": ("30g",), "ce_ps": ("120",), "tf_d": ()}
    assert found.documents[0].path == tmp_path / "image_files" / "a.jpg"


def box(text: str, label: int, left: int, top: int) -> dict[str, Any]:
    right, bottom = left + 50, top + 10
    return {"box": [left, top, right, top, right, bottom, left, bottom], "text": text, "label": label}


def wildreceipt(folder: Path) -> Path:
    names = ["Ignore", "Store_name_value", "Store_name_key", "Prod_item_value", "Tips_value", "Store_addr_value"]
    write(folder / "class_list.txt", "\n".join(f"{number} {name}" for number, name in enumerate(names)) + "\n")
    boxes = [
        box("TEA", 3, 0, 60), box("CAFE", 1, 0, 0), box("MAINST", 5, 100, 21), box("12", 5, 0, 20),
        box("COFFEE", 3, 0, 80), box("Name", 2, 0, 0),
    ]  # fmt: skip
    row = {"file_name": "image_files/Image_1/0/a.jpeg", "height": 99, "width": 99, "annotations": boxes}
    write(folder / "test.txt", json_lines(row))
    return folder


def test_wildreceipt(tmp_path: Path) -> None:
    """Lines of name and address make one value, items one each, in reading order; classes without a box are absent."""
    found = read_set(wildreceipt(tmp_path))
    (one,) = found.documents
    assert found.rules.name == "wildreceipt"
    assert one.values == {
        "store_name": ("CAFE",),
        "prod_item": ("TEA", "COFFEE"),
        "tips": (),
        "store_addr": ("12 MAINST",),
    }
    with pytest.raises(UsageError, match="has no part train; it has: test"):
        read_set(tmp_path, "train")


def candidate(text: str) -> list[Any]:
    return [text, [0, 0.1, 0.1, 0.2, 0.2], [[0, 4]]]


def vrdu(folder: Path, gzipped: bool = False) -> Path:
    rows = [
        {
            "filename": f"{name}.pdf",
            "ocr": {"pages": []},
            "annotations": [
                ["advertiser", [candidate("Friends of\nAnn\n"), candidate("FRIENDS OF ANN")]],
                [["channel", "sub_amount"], [[candidate("KNXV"), candidate("$50.00")]]],
                [["channel", "sub_amount"], [[candidate("KSAZ"), candidate("$70.00")]]],
            ],
        }
        for name in ("a", "b")
    ]
    lines = json_lines(*rows)
    if gzipped:
        write(folder / "main" / "dataset.jsonl.gz", gzip.compress(lines.encode()))
    else:
        write(folder / "main" / "dataset.jsonl", lines)
    split = {"train": ["a.pdf"], "valid": [], "test": ["b.pdf"]}
    write(folder / "few_shot-splits" / "unk-SD_0.json", split)
    return folder


@pytest.mark.parametrize("gzipped", [False, True])
def test_vrdu(tmp_path: Path, gzipped: bool) -> None:
    """Every candidate is a right text, line items are rows, a split file's test documents are a part."""
    found = read_set(vrdu(tmp_path, gzipped), "unk-SD_0")
    (one,) = found.documents
    assert (found.rules.name, found.rules.template) == ("vrdu_adbuy", "tv_ad_invoice")
    assert one.path == tmp_path / "main" / "pdfs" / "b.pdf"
    assert one.values == {"advertiser": ("Friends of Ann", "FRIENDS OF ANN")}
    rows = ({"channel": "KNXV", "sub_amount": "$50.00"}, {"channel": "KSAZ", "sub_amount": "$70.00"})
    assert one.tables == {"line_items": rows}
    assert [one.shown for one in read_set(tmp_path, "unk-SD_0/train").documents] == ["a.pdf"]
    assert len(read_set(tmp_path).documents) == 2
    with pytest.raises(UsageError, match="has no split other"):
        read_set(tmp_path, "other")
    with pytest.raises(UsageError, match="has no list dev; it has: train, valid, test"):
        read_set(tmp_path, "unk-SD_0/dev")


def test_vrdu_registration(tmp_path: Path) -> None:
    """The other corpus is told by its keys."""
    row = {"filename": "a.pdf", "annotations": [["registrant_name", [candidate("Ann")]]]}
    write(tmp_path / "dataset.jsonl", json_lines(row))
    assert read_set(tmp_path).rules.template == "registration_form"


def test_an_unknown_form_is_an_error_that_lists_what_is_known(tmp_path: Path) -> None:
    """A folder without labels, and a path that is no folder."""
    with pytest.raises(InputError, match=r"no known form of labels; name a folder .*funsd: annotations/"):
        read_set(tmp_path)
    with pytest.raises(InputError, match="is not a folder"):
        read_set(tmp_path / "missing")


@pytest.mark.parametrize(
    ("make", "file", "content"),
    [
        (funsd, "training_data/annotations/0001.json", {"form": [{"id": 1}]}),
        (funsd, "training_data/annotations/0001.json", "{"),
        (poie, "train.txt", '{"file_name": "a"}\n'),
        (poie, "class_list.json", {}),
        (wildreceipt, "test.txt", '{"file_name": "a", "annotations": [{"text": "x", "label": 1}]}\n'),
        (wildreceipt, "class_list.txt", "Store_name_value\n"),
        (wildreceipt, "test.txt", "[\n"),
        (vrdu, "main/dataset.jsonl", '{"filename": "a.pdf", "annotations": [["advertiser"]]}\n'),
    ],
)
def test_a_damaged_archive_names_file_and_line(
    tmp_path: Path, make: Callable[[Path], Path], file: str, content: Any
) -> None:
    """What breaks the published form is an input error, never a traceback."""
    make(tmp_path)
    path = write(tmp_path / file, content)
    with pytest.raises(InputError, match=path.name):
        read_set(tmp_path)


def test_damaged_gzip_and_pictures_that_are_missing(tmp_path: Path) -> None:
    """A half download, and labels without their picture."""
    vrdu(tmp_path / "v", gzipped=True)
    packed = (tmp_path / "v" / "main" / "dataset.jsonl.gz").read_bytes()
    write(tmp_path / "v" / "main" / "dataset.jsonl.gz", packed[: len(packed) // 2])
    with pytest.raises(InputError, match="cannot be read"):
        read_set(tmp_path / "v")
    write(tmp_path / "s" / "key" / "X1.json", RECEIPT)
    (tmp_path / "s" / "img").mkdir()
    with pytest.raises(InputError, match="has no picture"):
        read_set(tmp_path / "s")
    write(tmp_path / "s" / "key" / "X1.json", "[]")
    write(tmp_path / "s" / "img" / "X1.jpg", b"")
    with pytest.raises(InputError, match="is no label as SROIE publishes them"):
        read_set(tmp_path / "s")


@pytest.mark.parametrize("rules", [rules for rules in SETS.values() if rules.template], ids=lambda rules: rules.name)
def test_every_set_can_be_asked(rules: Any) -> None:
    """The template of each set exists, and what its rules map to are keys and columns of it."""
    template = measuring_template(rules.template)
    keys = {key.name: key for key in template.keys}
    assert set(rules.keys.values()) <= set(keys)
    assert all(
        name.partition(".")[2] in {column.name for column in keys[name.partition(".")[0]].columns}
        for name in rules.columns.values()
    )


def test_titles_name_folders_of_their_own() -> None:
    """The same set twice, or two sets of one name, do not overwrite each other."""
    assert distinct(["a/train", "b", "a/train", "a/train"]) == ["a/train", "b", "a/train 2", "a/train 3"]
