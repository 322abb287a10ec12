"""Pairs of pictures and texts in every published form; samples are read where they lie."""

import io
import json
import os
import pickle
import struct
import sys
import tarfile
import types
from pathlib import Path

import numpy as np
import pytest
from make import INVOICE, text_pdf
from PIL import Image

from pipkie_cli.errors import DamagedFile, FileUnavailable, InputError, UsageError
from pipkie_cli.train.pip_pairs import MAX_TEXT_BYTES, open_pairs


def _png(red: int) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (20, 10), (red, 0, 0)).save(data, "PNG")
    return data.getvalue()


def _tar(path: Path, members: dict[str, bytes]) -> None:
    with tarfile.open(path, "w") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))


def _folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    for name, red in (("a", 10), ("deep/b", 20)):
        (tmp_path / f"{name}.png").write_bytes(_png(red))
        (tmp_path / f"{name}.txt").write_text(f"text {red}", encoding="utf-8")
    (tmp_path / "alone.png").write_bytes(_png(30))
    return tmp_path


def _lines(tmp_path: Path) -> Path:
    rows = []
    for red in (10, 20):
        (tmp_path / f"{red}.png").write_bytes(_png(red))
        rows.append(json.dumps({"image": f"{red}.png", "caption": f"text {red}"}))
    (tmp_path / "pairs.jsonl").write_text("\n\n".join(rows) + "\n", encoding="utf-8")
    return tmp_path / "pairs.jsonl"


def _shards(tmp_path: Path) -> Path:
    _tar(tmp_path / "00.tar", {"x/a.png": _png(10), "x/a.txt": b"text 10", "x/only.txt": b"no picture"})
    _tar(tmp_path / "01.tar", {"b.json": b'{"caption": "text 20"}', "b.png": _png(20)})
    return tmp_path


@pytest.mark.parametrize("make", [_folder, _lines, _shards])
def test_pairs_of_every_form(tmp_path: Path, make) -> None:
    """Two pairs each; what is no pair is left out. They can be handed to worker processes."""
    source = pickle.loads(pickle.dumps(open_pairs(make(tmp_path))))
    assert len(source) == 2
    for number, red in ((0, 10), (1, 20)):
        sample = source[number]
        assert (sample.pictures[0] == np.array([red, 0, 0])).all()
        assert [(key.name, value) for key, value in sample.values] == [("text", f"text {red}")]


def test_pages_of_pdfs_are_pictures(tmp_path: Path) -> None:
    (tmp_path / "page.pdf").write_bytes(text_pdf(INVOICE))
    (tmp_path / "page.txt").write_text("INVOICE", encoding="utf-8")
    assert open_pairs(tmp_path)[0].pictures[0].shape == (2339, 1653, 3)


def test_a_saved_dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read through the library that wrote it (a stand-in here): pictures stay bytes until documents/ opens them."""
    (tmp_path / "dataset_info.json").write_text("{}")
    (tmp_path / "state.json").write_text("{}")
    with pytest.raises(UsageError, match="pip install datasets"):
        open_pairs(tmp_path)
    library = types.ModuleType("datasets")

    class Column:
        def __init__(self, decode: bool = True) -> None:
            self.decode = decode

    class Saved(list):
        features = {"image": Column(), "text": None}  # noqa: RUF012

        def cast_column(self, name: str, column: Column) -> "Saved":
            assert (name, column.decode) == ("image", False)
            return self

    library.Image = Column
    library.load_from_disk = lambda _: Saved([{"image": {"bytes": _png(10), "path": None}, "text": "text 10"}])
    monkeypatch.setitem(sys.modules, "datasets", library)
    monkeypatch.setattr("pipkie_cli.train.pip_pairs.find_spec", lambda _: True)
    sample = open_pairs(tmp_path)[0]
    assert (sample.pictures[0] == np.array([10, 0, 0])).all()
    assert sample.values[0][1] == "text 10"


@pytest.mark.parametrize(
    "line",
    [
        '{"image": "../out.png", "text": "x"}', '{"text": "x"}', "nonsense", "[1]", '{"image": "10.png"}',
        '{"image": "a\\u0000", "text": "x"}', '{"image": "\\ud800", "text": "x"}', '{"image": "loop", "text": "x"}',
        '{"image": "10.png", "text": "\\ud800"}', "[" * 100_000,
    ],
)  # fmt: skip
def test_a_bad_line_is_a_damaged_sample(tmp_path: Path, line: str) -> None:
    """Not the end of the training: the samples around it are whole. No path leads out of the folder."""
    (tmp_path.parent / "out.png").write_bytes(_png(1))
    (tmp_path / "loop").symlink_to("loop")
    file = _lines(tmp_path)
    with file.open("a", encoding="utf-8") as stream:
        stream.write(line)
    source = open_pairs(file)
    assert len(source) == 3
    assert source[1].values[0][1] == "text 20"
    with pytest.raises(DamagedFile):
        source[2]


def test_a_picture_that_is_none(tmp_path: Path) -> None:
    _tar(tmp_path / "a.tar", {"a.png": b"\x89PNG\r\n\x1a\nno", "a.txt": b"text"})
    with pytest.raises(DamagedFile):
        open_pairs(tmp_path / "a.tar")[0]


def test_members_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pair with a text or a picture beyond its limit is no pair."""
    monkeypatch.setattr("pipkie_cli.train.pip_pairs.MAX_TEXT_BYTES", 10)
    _tar(tmp_path / "a.tar", {"a.png": _png(1), "a.txt": b"x" * 11, "b.png": _png(1), "b.txt": b"x" * 10})
    assert len(open_pairs(tmp_path / "a.tar")) == 1
    monkeypatch.setattr("pipkie_cli.train.pip_pairs.MAX_PICTURE_BYTES", 20)
    with pytest.raises(InputError, match="holds no pair"):
        open_pairs(tmp_path / "a.tar")


def test_a_line_is_read_no_further_than_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = _lines(tmp_path)
    with file.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps({"image": "10.png", "text": "x" * 200}))
    source = open_pairs(file)
    assert len(source[2].values[0][1]) == 200
    monkeypatch.setattr("pipkie_cli.train.pip_pairs.MAX_LINE_BYTES", 100)
    with pytest.raises(DamagedFile, match="no JSON"):
        source[2]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        (None, b"", "is not there"),
        ("empty", None, "holds no pair"),
        ("a.jsonl", b"not json\n", "is no JSONL of pairs"),
        ("a.tar", b"no tar at all", "is no tar that can be read"),
    ],
)
def test_what_is_no_training_data_is_told(tmp_path: Path, name: str | None, data: bytes | None, said: str) -> None:
    path = tmp_path / (name or "nowhere")
    if data is None:
        path.mkdir()
    elif name:
        path.write_bytes(data)
    with pytest.raises(InputError, match=said):
        open_pairs(path)


@pytest.mark.parametrize("text", ["h\u00e4".encode("latin-1"), "hello".encode("utf-16"), b"x" * (MAX_TEXT_BYTES + 1)])
def test_a_text_that_teaches_nonsense_is_a_damaged_sample(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "a.png").write_bytes(_png(1))
    (tmp_path / "a.txt").write_bytes(text)
    with pytest.raises(DamagedFile):
        open_pairs(tmp_path)[0]


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(_png(1))
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfhello")
    assert open_pairs(tmp_path)[0].values[0][1] == "hello"


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(_png(1))
    os.mkfifo(tmp_path / "a.txt")
    with pytest.raises(InputError, match="holds no pair"):
        open_pairs(tmp_path)


@pytest.mark.parametrize("first", [b"nonsense\n", b"\n", b"\xef\xbb\xbf"])
def test_a_bad_first_line_is_not_the_end(tmp_path: Path, first: bytes) -> None:
    file = _lines(tmp_path)
    file.write_bytes(first + file.read_bytes())
    source = open_pairs(file)
    assert source[len(source) - 1].values[0][1] == "text 20"


def test_a_file_that_goes_while_it_is_learnt_from(tmp_path: Path) -> None:
    """A share that is gone: each of its samples is left out, and says so."""
    sources = [open_pairs(_lines(tmp_path)), open_pairs(_shards(tmp_path))]
    for path in (*tmp_path.glob("*.tar"), *tmp_path.glob("*.jsonl")):
        path.unlink()
    for source in sources:
        with pytest.raises(FileUnavailable, match="No such file"):
            source[0]


@pytest.mark.parametrize("cut", [lambda data: data[:1000], lambda data: data[:2048] + b"\xff" * 512 + data[2560:]])
def test_a_tar_that_breaks_off_is_told(tmp_path: Path, cut) -> None:
    """Half a download is not taken for a whole one."""
    _tar(tmp_path / "a.tar", {f"{name}.{kind}": b"x" * 400 for name in "abc" for kind in ("png", "txt")})
    data = (tmp_path / "a.tar").read_bytes()
    (tmp_path / "a.tar").write_bytes(cut(data))
    with pytest.raises(InputError, match="breaks off, or is damaged inside"):
        open_pairs(tmp_path / "a.tar")


def test_a_tar_that_leads_back_to_itself(tmp_path: Path) -> None:
    """A negative size: without an end, where it is believed."""
    _tar(tmp_path / "a.tar", {"a.png": _png(1), "a.txt": b"text"})
    data = bytearray((tmp_path / "a.tar").read_bytes())
    head = data[1024:1536]
    head[124:136] = b"\xff" * 10 + struct.pack(">h", -512)
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    data[1024:1536] = head
    (tmp_path / "a.tar").write_bytes(bytes(data))
    with pytest.raises(InputError, match="breaks off, or is damaged inside"):
        open_pairs(tmp_path / "a.tar")
