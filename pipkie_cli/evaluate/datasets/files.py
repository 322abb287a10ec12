"""Files of published sets, read with errors that name file and line."""

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pipkie_cli.errors import InputError, UsageError

IMAGES = (".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".bmp")


def read_text(path: Path) -> str:
    """The text of a label file, gzipped or not. Raises InputError."""
    try:
        data = path.read_bytes()
        return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8-sig")
    except (OSError, EOFError, ValueError) as error:  # a damaged gzip is an OSError or EOFError, bad UTF-8 a ValueError
        raise InputError(f"{path} cannot be read", hint="download the set again") from error


def read_json(path: Path) -> Any:
    """The JSON of a label file. Raises InputError."""
    try:
        return json.loads(read_text(path))
    except ValueError as error:
        raise InputError(f"{path} is not JSON", hint="download the set again") from error


def read_json_lines(path: Path) -> Iterator[tuple[str, Any]]:
    """(where, value) of every line that is not blank. Raises InputError."""
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if line.strip():
            where = f"{path}:{number}"
            try:
                yield where, json.loads(line)
            except ValueError as error:
                raise InputError(f"{where} is not JSON", hint="download the set again") from error


def images_of(folder: Path) -> dict[str, Path]:
    """Stem -> picture of a folder."""
    return {path.stem: path for path in sorted(folder.iterdir()) if path.suffix.lower() in IMAGES}


def chosen_parts(folder: Path, parts: Mapping[str, Path], part: str | None) -> list[Path]:
    """The files or folders of one part of a set; of all without a part. Raises UsageError."""
    there = {name: path for name, path in parts.items() if path.exists()}
    if part is None:
        return list(there.values())
    if part not in there:
        known = f"it has: {', '.join(there)}" if there else "leave the part out to take every document"
        raise UsageError(f"{folder} has no part {part}", hint=known)
    return [there[part]]


def not_of_this_form(where: str, form: str) -> InputError:
    """A line or file that breaks the published form."""
    return InputError(f"{where} is no label as {form} publishes them", hint="download the set again")
