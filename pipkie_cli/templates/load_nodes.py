"""One YAML file -> the nodes of its only document, every scalar as it is written. Nothing is looked at beyond YAML.

`yaml.safe_load` would turn a Norwegian `no:` into False, `12:30` into 750, `0123` into 83, and keep the last of two
equal keys. So nodes are composed without implicit resolvers, within limits on bytes, depth and number.

libyaml parses ten times faster than PyYAML does, but says less about what is wrong: what it refuses is read again by
PyYAML, whose word holds.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from pipkie_cli.errors import TemplateError

MAX_FILE_BYTES = 256 * 1024  # a template of 500 keys with 20 aliases each has 150 kB
MAX_DEPTH = 10  # the deepest legal place is an alias of a column of a table: 6
MAX_NODES = 20_000  # scalars, lists and mappings of one file
NO_TAG = (None, "!")


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
    """The tree of the file's only YAML document; a fault is a TemplateError at its line."""
    root = None
    if yaml.__with_libyaml__:
        with suppress(yaml.YAMLError, ValueError, OverflowError):
            root = _Composer(path, yaml.CSafeLoader(text)).root()
    if root is None:
        try:
            root = _Composer(path, yaml.SafeLoader(text)).root()
        except yaml.MarkedYAMLError as error:
            raise _fault(path, error) from error
        except (ValueError, OverflowError) as error:  # PyYAML hands "\UFFFFFFFF" to chr() as it is
            hint = "look at the escapes (\\U...) in texts in double quotes"
            raise TemplateError(f"{path} has an escape that stands for no character", hint=hint) from error
        except yaml.reader.ReaderError as error:
            line = text.count("\n", 0, error.position) + 1
            raise TemplateError(f"{path}:{line}: a character that YAML does not allow", hint="delete it") from error
    if root is None:
        raise TemplateError(f"{path} is empty", hint="write at least name: and keys:")
    return root


def _fault(path: Path, error: yaml.MarkedYAMLError) -> TemplateError:
    mark = error.problem_mark or error.context_mark
    where = f"{path}:{mark.line + 1}" if mark else str(path)
    problem = error.problem or "unreadable"
    tab = "\\t" in problem
    hint = "look at this line and the one above: indentation, quotes, brackets, a blank after the colon"
    return TemplateError(
        f"{where}: not valid YAML ({problem})", hint="indent with spaces, not with tabs" if tab else hint
    )


class _Composer:
    """Builds the tree from a parser's events; what would make it deep or endless is refused.

    Events come one by one, so a bomb is never unfolded. PyYAML's own composer resolves every scalar against tables that
    are empty here, and takes three times as long.
    """

    def __init__(self, path: Path, parser: Any) -> None:
        self.path = path
        self.next_event: Callable[[], Any] = parser.get_event
        self.count = 0

    def root(self) -> yaml.Node | None:
        """The only document, None where there is none."""
        self.next_event()  # begin of the stream
        if isinstance(self.next_event(), yaml.StreamEndEvent):
            return None
        root = self.node(self.next_event(), 0)
        self.next_event()  # end of the document
        after = self.next_event()
        if not isinstance(after, yaml.StreamEndEvent):
            raise self.refused(after, "a second YAML document begins", "keep one template per file")
        return root

    def node(self, event: Any, depth: int) -> yaml.Node:
        """The node that an event begins, with all below it."""
        self.count += 1
        if self.count > MAX_NODES:
            raise self.refused(event, f"more than {MAX_NODES} entries", "split it into several templates")
        if event.anchor is not None:  # of an alias, too
            message = "anchors (&) and references (*) are not allowed in a template"
            raise self.refused(event, message, "write the value out, or put it in quotes if it is text")
        tag, mark = event.tag, event.start_mark
        if isinstance(event, yaml.ScalarEvent):
            tag = "tag:yaml.org,2002:str" if tag in NO_TAG else tag
            return yaml.ScalarNode(tag, event.value, mark, None, event.style)
        if depth == MAX_DEPTH:
            raise self.refused(event, f"nested more than {MAX_DEPTH} deep", "a template needs 6 levels at most")
        below = []
        while not isinstance(inner := self.next_event(), yaml.CollectionEndEvent):
            below.append(self.node(inner, depth + 1))
        if isinstance(event, yaml.SequenceStartEvent):
            return yaml.SequenceNode("tag:yaml.org,2002:seq" if tag in NO_TAG else tag, below, mark)
        pairs = list(zip(below[::2], below[1::2], strict=True))
        return yaml.MappingNode("tag:yaml.org,2002:map" if tag in NO_TAG else tag, pairs, mark)

    def refused(self, event: Any, message: str, hint: str) -> TemplateError:
        return TemplateError(f"{self.path}:{event.start_mark.line + 1}: {message}", hint=hint)
