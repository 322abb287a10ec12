"""Pairs of a picture and its text, in the forms that they are published in; what stage mask learns from.

- a folder: every picture or PDF with a .txt of the same name beside it, however deep
- a JSONL: {"image": "page.png", "text": "..."} ("caption" will do), paths from the folder of the file
- WebDataset: a .tar, or a folder of them; members of one name are a pair (page.png, page.txt or page.json)
- a folder that `datasets.save_to_disk` wrote: columns image and text (or caption)

Nothing is unpacked: samples are read where they lie, one by its number, so training can go on anywhere. A text that is
not UTF-8, or longer than MAX_TEXT_BYTES, is a damaged sample in every form: it would teach what nobody wrote.
"""

import json
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any

from pipkie_cli.errors import DamagedFile, FileUnavailable, InputError, UsageError
from pipkie_cli.train.pip_sources import Joined, Sample, Source, read_picture_bytes, read_pictures, text_sample

PICTURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp", ".gif", ".pdf")
TEXTS = ("text", "caption", "txt")  # fields that hold the text, the first that is there
MAX_TEXT_BYTES = 256 * 1024  # of one sample; a dense page has 10 kB
MAX_PICTURE_BYTES = 64 * 1024 * 1024
MAX_LINE_BYTES = 1024 * 1024
FIRST_LINES = 20  # of which one at least must be a JSON object, or the file is none of lines


def open_pairs(data: Path) -> Source:
    """The pairs of a folder or file, in whichever form. Raises InputError, UsageError (a missing extra)."""
    if not data.exists():
        raise InputError(f"{data} is not there", hint="name a folder of pictures with texts, a JSONL or a .tar")
    source = _opened(data)
    if not len(source):
        raise InputError(
            f"{data} holds no pair of a picture and a text",
            hint="put page.txt beside page.png, or name a JSONL of {image, text}, a WebDataset .tar, a saved dataset",
        )
    return source


def _opened(data: Path) -> Source:
    if data.is_file():
        return _tar(data) if data.suffix == ".tar" else _lines(data)
    if (data / "dataset_info.json").is_file() and (data / "state.json").is_file():
        return _saved(data)
    if tars := sorted(path for path in data.glob("*.tar") if path.is_file()):
        return Joined(tuple(_tar(path) for path in tars))
    return _folder(data)


@dataclass(frozen=True, slots=True)
class FilePairs:
    """Pictures with their texts in files."""

    pairs: tuple[tuple[Path, Path], ...]  # picture, text

    def __len__(self) -> int:
        return len(self.pairs)

    def __getitem__(self, number: int) -> Sample:
        picture, text = self.pairs[number]
        written = _decoded(_read(text, 0, MAX_TEXT_BYTES + 1), str(text))
        return text_sample(read_pictures(picture, str(picture), 1)[0], written)


def _folder(folder: Path) -> FilePairs:
    texts = {path.with_suffix("") for path in folder.rglob("*.txt") if path.is_file()}  # a pipe is not waited for
    pictures = (path for path in folder.rglob("*") if path.suffix.lower() in PICTURES)
    found = {path.with_suffix(""): path for path in sorted(pictures, reverse=True)}
    return FilePairs(tuple((found[name], Path(f"{name}.txt")) for name in sorted(texts & found.keys())))


@dataclass(frozen=True, slots=True)
class LinePairs:
    """Lines of a JSONL, by their offsets: the file may be larger than memory."""

    file: Path
    offsets: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.offsets)

    def __getitem__(self, number: int) -> Sample:
        row, shown = self.row(number), self._shown(number)
        name = row.get("image")
        if not isinstance(name, str):
            raise DamagedFile(f"{shown}: no image is named")
        path = self.file.parent / name
        try:
            inside = path.resolve().is_relative_to(self.file.parent.resolve())
        except (OSError, RuntimeError, ValueError) as error:  # a link to itself, a NUL, half a character
            raise DamagedFile(f"{shown}: the image's name is no path") from error
        if not inside:
            raise DamagedFile(f"{shown}: the image lies outside the folder of the file")
        return text_sample(read_pictures(path, name, 1)[0], _text(row, shown))

    def row(self, number: int) -> Mapping[str, Any]:
        """What stands in a line. Raises DamagedFile, FileUnavailable."""
        line, _, _ = _read(self.file, self.offsets[number], MAX_LINE_BYTES).partition(b"\n")
        return _json(line, self._shown(number))

    def _shown(self, number: int) -> str:
        return f"{self.file}, byte {self.offsets[number]}"


def _lines(file: Path) -> LinePairs:
    offsets, at, begins = [], 0, True
    try:
        with file.open("rb") as stream:
            while piece := stream.readline(MAX_LINE_BYTES):  # a line may be longer than memory
                if begins and piece.strip():
                    offsets.append(at)
                begins = piece.endswith(b"\n")
                at += len(piece)
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}", hint="check its permissions") from error
    pairs = LinePairs(file, tuple(offsets))
    if offsets and not any(_is_row(pairs, number) for number in range(min(FIRST_LINES, len(pairs)))):
        raise InputError(
            f"{file} is no JSONL of pairs",
            hint='a line is {"image": path, "text": text}; an archive is a .tar that is not compressed',
        )
    return pairs


def _is_row(pairs: LinePairs, number: int) -> bool:
    try:
        pairs.row(number)
    except DamagedFile:
        return False
    return True


@dataclass(frozen=True, slots=True)
class TarPairs:
    """Pairs inside an archive that is not compressed, by offset and size of their members."""

    file: Path
    pairs: tuple[tuple[str, tuple[int, int], tuple[int, int], bool], ...]  # name, picture, text, the text is JSON

    def __len__(self) -> int:
        return len(self.pairs)

    def __getitem__(self, number: int) -> Sample:
        name, picture, text, is_json = self.pairs[number]
        shown = f"{self.file}:{name}"
        written = _read(self.file, *text)
        said = _text(_json(written, shown), shown) if is_json else _decoded(written, shown)
        return text_sample(read_picture_bytes(_read(self.file, *picture), shown), said)


def _tar(file: Path) -> TarPairs:
    members: dict[str, dict[str, tuple[int, int]]] = {}
    try:
        with tarfile.open(file, "r:") as archive:
            for member in archive:
                if member.size < 0:  # would lead back to itself, without end
                    break
                path = PurePosixPath(member.name)
                stem, dot, suffix = path.name.partition(".")  # as WebDataset cuts names
                if not member.isreg() or not dot or member.size > _limit(suffix):
                    continue
                members.setdefault(str(path.parent / stem), {})[f".{suffix.lower()}"] = member.offset_data, member.size
            end = archive.offset
        broken = bool(_read(file, end, tarfile.BLOCKSIZE).strip(b"\0"))  # tarfile takes a torn header for the end
    except (OSError, tarfile.TarError) as error:
        if not members:
            raise InputError(f"{file} is no tar that can be read", hint="it must not be compressed") from error
        broken = True
    if broken:
        raise InputError(f"{file} breaks off, or is damaged inside", hint="fetch it again, or leave it out")
    pairs = []
    for name, parts in members.items():
        picture = next((parts[suffix] for suffix in PICTURES if suffix in parts), None)
        text = parts.get(".txt") or parts.get(".json")
        if picture and text:
            pairs.append((name, picture, text, ".txt" not in parts))
    return TarPairs(file, tuple(pairs))


def _limit(suffix: str) -> int:
    return MAX_TEXT_BYTES if suffix.lower() in ("txt", "json") else MAX_PICTURE_BYTES


class SavedPairs:
    """A dataset on disk, read through the library that wrote it; pictures stay bytes until documents/ opens them."""

    def __init__(self, folder: Path) -> None:
        import datasets

        try:
            loaded = datasets.load_from_disk(str(folder))
        except (OSError, ValueError, KeyError, TypeError) as error:  # Arrow's own are ValueErrors
            raise InputError(f"{folder} is no dataset that can be read", hint="write it with save_to_disk") from error
        columns = dict(loaded.features)
        if not isinstance(columns.get("image"), datasets.Image) or not columns.keys() & set(TEXTS):
            raise InputError(
                f"{folder} needs a column image of pictures, and one of: {', '.join(TEXTS)}",
                hint=f"it has: {', '.join(columns)}",
            )
        self._rows = loaded.cast_column("image", datasets.Image(decode=False))
        self._shown = str(folder)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, number: int) -> Sample:
        shown = f"{self._shown}, row {number}"
        row = self._rows[number]
        image = row["image"] or {}
        if image.get("bytes"):
            picture = read_picture_bytes(image["bytes"], shown)
        else:
            picture = read_pictures(Path(str(image.get("path"))), shown, 1)[0]
        return text_sample(picture, _text(row, shown))


def _saved(folder: Path) -> SavedPairs:
    if find_spec("datasets") is None:
        raise UsageError(f"{folder} needs the library datasets, which is not installed", hint="pip install datasets")
    return SavedPairs(folder)


def _read(file: Path, at: int, size: int) -> bytes:
    """Some bytes of a file that may have gone since it was found."""
    try:
        with file.open("rb") as stream:
            stream.seek(at)
            return stream.read(size)
    except OSError as error:
        raise FileUnavailable(f"{file} cannot be read: {error.strerror}", hint="is the disk or share there?") from error


def _decoded(text: bytes, shown: str) -> str:
    if len(text) > MAX_TEXT_BYTES:
        raise DamagedFile(f"{shown}: the text is longer than {MAX_TEXT_BYTES // 1024} kB")
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DamagedFile(f"{shown}: the text is not UTF-8") from error


def _json(line: bytes, shown: str) -> Mapping[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DamagedFile(f"{shown}: no JSON") from error
    if not isinstance(row, dict):
        raise DamagedFile(f"{shown}: no JSON object")
    return row


def _text(row: Mapping[str, Any], shown: str) -> str:
    text = next((row[name] for name in TEXTS if isinstance(row.get(name), str)), None)
    if text is None:
        raise DamagedFile(f"{shown}: neither text nor caption")
    return str(text)
