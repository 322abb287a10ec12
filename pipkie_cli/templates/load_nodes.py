"""One YAML file -> the nodes of its only document, every scalar as it is written. Nothing is looked at beyond YAML.

`yaml.safe_load` would turn a Norwegian `no:` into False, `12:30` into 750, `0123` into 83, and keep the last of two
equal keys. So nodes are composed without implicit resolvers, within limits on bytes, depth and number.
"""

import re
from pathlib import Path

import yaml

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
    try:
        root = _TemplateLoader(text, path).get_single_node()
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
    if root is None:
        raise TemplateError(f"{path} is empty", hint="write at least name: and keys:")
    return root


class _TemplateLoader(yaml.SafeLoader):
    """A SafeLoader for which every scalar is a string, and which refuses what would make the tree deep or endless.

    Events come one by one while the tree is built, so a bomb is never unfolded.
    """

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012  (PyYAML's own form)

    def __init__(self, text: str, path: Path) -> None:
        super().__init__(text)
        self.path = path
        self.depth = self.count = 0

    def get_event(self) -> yaml.Event:
        event: yaml.Event = super().get_event()  # type: ignore[no-untyped-call]
        where = f"{self.path}:{event.start_mark.line + 1 if event.start_mark else 1}"
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise TemplateError(
                f"{where}: anchors (&) and references (*) are not allowed in a template",
                hint="write the value out, or put it in quotes if it is text",
            )
        self.depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        self.count += 1
        if self.depth > MAX_DEPTH:
            raise TemplateError(f"{where}: nested more than {MAX_DEPTH} deep", hint="a template needs 6 levels at most")
        if self.count > MAX_NODES:
            raise TemplateError(f"{where}: more than {MAX_NODES} entries", hint="split it into several templates")
        return event
