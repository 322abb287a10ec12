"""One YAML file -> the nodes of its only document, every scalar as it is written. Nothing is looked at beyond YAML.

`yaml.safe_load` would turn a Norwegian `no:` into False, `12:30` into 750, `0123` into 83, and keep the last of two
equal keys. So nodes are composed without implicit resolvers, within limits on bytes, depth and number.

libyaml parses ten times faster than PyYAML does, but says less about what is wrong: what it refuses is read again by
PyYAML, whose word holds.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from yaml.composer import Composer

from pipkie_cli.errors import TemplateError

MAX_FILE_BYTES = 256 * 1024  # a template of 500 keys with 20 aliases each has 150 kB
MAX_DEPTH = 10  # the deepest legal place is an alias of a column of a table: 6
MAX_NODES = 20_000  # scalars, lists and mappings of one file


def read_nodes(path: Path) -> yaml.Node:
    """The root of the file; raises TemplateError with file, line and what to do."""
    return _compose(path, _read_text(path))


def _read_text(path: Path) -> str:
    try:
        if not path.is_file():
            what = (
                "is a folder" if path.is_dir() else "does not exist" if not path.exists() else "is not a regular file"
            )
            hint = "name a .yaml file in it, or give it as --templates" if path.is_dir() else "check the path"
            raise TemplateError(f"{path} {what}", hint=hint)
        if path.stat().st_size > MAX_FILE_BYTES:
            raise TemplateError(
                f"{path} is larger than {MAX_FILE_BYTES // 1024} kB, the limit of a template",
                hint="split it into several templates",
            )
        raw = path.read_bytes()
    except OSError as error:
        raise TemplateError(f"{path} cannot be read: {error.strerror}", hint="check its permissions") from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise TemplateError(f"{path}:{line}: not UTF-8 text", hint="save the file as UTF-8") from error


def _compose(path: Path, text: str) -> yaml.Node:
    """The tree of the file's only YAML document, within limits on depth and size."""
    root = _composed_fast(path, text)
    if root is None:
        root = _composed(path, text)
    if root is None:
        raise TemplateError(f"{path} is empty", hint="write at least name: and keys:")
    return root


def _composed_fast(path: Path, text: str) -> yaml.Node | None:
    """The tree by libyaml; None where PyYAML came without it, or it finds a fault or nothing."""
    if not yaml.__with_libyaml__:
        return None
    try:
        root: yaml.Node | None = _fast_loader()(text, path).get_single_node()
        return root
    except (yaml.YAMLError, ValueError, OverflowError):
        return None


def _composed(path: Path, text: str) -> yaml.Node | None:
    """The tree by PyYAML; None for an empty file. A fault is a TemplateError at its line."""
    try:
        return _Loader(text, path).get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{path}:{mark.line + 1}" if mark else str(path)
        problem = error.problem or "unreadable"
        if "\\t" in problem:
            hint = "indent with spaces, not with tabs"
        elif "single document" in (error.context or ""):
            problem, hint = "a second YAML document begins", "keep one template per file"
        else:
            hint = "look at this line and the one above: indentation, quotes, brackets, a blank after the colon"
        raise TemplateError(f"{where}: not valid YAML ({problem})", hint=hint) from error
    except (ValueError, OverflowError) as error:  # PyYAML hands "\UFFFFFFFF" to chr() as it is
        hint = "look at the escapes (\\U...) in texts in double quotes"
        raise TemplateError(f"{path} has an escape that stands for no character", hint=hint) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise TemplateError(f"{path}:{line}: a character that YAML does not allow", hint="delete it") from error


class _Limits:
    """What both loaders have in common: every scalar is a string, and what would make the tree deep or endless is
    refused.

    Events come one by one while the tree is built, so a bomb is never unfolded.
    """

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012  (PyYAML's own form)
    path: Path
    depth = count = 0

    def get_event(self) -> yaml.Event:
        event: yaml.Event = super().get_event()  # type: ignore[misc]
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            message = "anchors (&) and references (*) are not allowed in a template"
            raise self.refused(event, message, "write the value out, or put it in quotes if it is text")
        self.depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        self.count += 1
        if self.depth > MAX_DEPTH:
            raise self.refused(event, f"nested more than {MAX_DEPTH} deep", "a template needs 6 levels at most")
        if self.count > MAX_NODES:
            raise self.refused(event, f"more than {MAX_NODES} entries", "split it into several templates")
        return event

    def refused(self, event: yaml.Event, message: str, hint: str) -> TemplateError:
        line = event.start_mark.line + 1 if event.start_mark else 1
        return TemplateError(f"{self.path}:{line}: {message}", hint=hint)


class _Loader(_Limits, yaml.SafeLoader):
    """PyYAML alone."""

    def __init__(self, text: str, path: Path) -> None:
        super().__init__(text)
        self.path = path


@cache
def _fast_loader() -> Any:
    """libyaml's parser under PyYAML's composer, which takes events one by one."""

    class Loader(_Limits, Composer, yaml.CSafeLoader):
        def __init__(self, text: str, path: Path) -> None:
            yaml.CSafeLoader.__init__(self, text)
            Composer.__init__(self)
            self.path = path

    return Loader
