"""Documents and records in stores that a URL names (`s3://bucket/scans`), through fsspec: listed, fetched, written.

Credentials are the store's own business (its environment variables and files): a URL that holds a password is refused,
because URLs stand in records. Each store raises errors of its own, so here, around its library, all are caught.
"""

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple
from urllib.parse import urlsplit

from pipkie_cli.errors import FileUnavailable, InputError, OutputError, PipkieError, TooLarge, UsageError
from pipkie_cli.nouns import Input

MAX_FETCHED_BYTES = 256 << 20  # of one document: what is read of a file of this machine, too
_BLOCK_BYTES = 1 << 20
_URL = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_GLOB_LETTER = re.compile(r"[*?[]")
_TAGS = ("ETag", "etag", "md5Hash", "content_md5", "generation")  # what stores call the state of a content
_TIMES = ("LastModified", "last_modified", "mtime", "updated", "created")


class Stored(NamedTuple):
    """An object of a store."""

    url: str
    below: str  # its path below what was named; "" where it was named itself
    stamp: str | None  # another one for another content; None where the store tells nothing of that


def is_url(given: str) -> bool:
    """Whether this names a place in a store and no file of this machine."""
    return _URL.match(given) is not None


def url_name(url: str) -> str:
    """The last part of a URL that is no pattern."""
    parts = [part for part in urlsplit(url).path.split("/") if part and not _GLOB_LETTER.search(part)]
    return parts[-1] if parts else urlsplit(url).netloc


def has_threads() -> bool:
    """Whether a store runs threads in this process, which must then not be forked."""
    asyn = sys.modules.get("fsspec.asyn")
    return asyn is not None and asyn.iothread[0] is not None


@dataclass(frozen=True, slots=True)
class Store:
    """One URL, opened. Raises UsageError where its library is missing, or where it cannot be a URL of pipkie's."""

    url: str
    files: Any  # fsspec's file system
    path: str  # in it

    @classmethod
    def at(cls, url: str) -> "Store":
        shown = _without_password(url)
        if shown != url:
            hint = "put them where the store's library looks for them, such as ~/.aws/credentials"
            raise UsageError(f"{shown}: a URL must not hold credentials: it stands in records", hint=hint)
        if "::" in url:
            raise UsageError(f"{url}: chained URLs are not read", hint="name the store alone")
        if find_spec("fsspec") is None:
            raise UsageError(f"{url} needs fsspec, which is not installed", 'pip install "pipkie[cluster]"')
        import fsspec

        try:
            files, path = fsspec.core.url_to_fs(url)
        except ImportError as error:
            library = {"s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "az": "adlfs", "abfs": "adlfs"}
            name = library.get(urlsplit(url).scheme.lower())
            hint = f"pip install {name}" if name else str(error)
            raise UsageError(f"{url}: the library of this store is not installed", hint=hint) from error
        except Exception as error:  # a store has errors of its own
            raise UsageError(f"{url} cannot be opened ({_reason(error)})", hint="is the URL right?") from error
        return cls(url.rstrip("/"), files, path)

    def listed(self) -> list[Stored]:
        """The object of this name, or the objects below it or that match it. Raises InputError."""
        try:
            found, base = self._found()
        except FileNotFoundError:
            found, base = {}, ""
        except Exception as error:  # a store has errors of its own
            hint = "check the network, and the store's credentials"
            raise InputError(f"{self.url} cannot be listed ({_reason(error)})", hint=hint) from error
        if not found:
            raise InputError(f"nothing is stored at {self.url}", hint="check bucket and path")
        start = self.url[: len(self.url) - len(self.path) + len(base)] if self.url.endswith(self.path) else None
        objects = []
        for path, info in found.items():
            url = start + path[len(base) :] if start is not None else str(self.files.unstrip_protocol(path))
            objects.append(Stored(url, path[len(base) :].lstrip("/"), _stamp(info)))
        return objects

    def _found(self) -> tuple[dict[str, dict[str, Any]], str]:
        """Objects by path, and the path that all of them are below."""
        if _GLOB_LETTER.search(self.path):
            matches = self.files.glob(self.path, detail=True)
            base = self.path[: _GLOB_LETTER.search(self.path).start()].rpartition("/")[0]  # type: ignore[union-attr]
            found = {path: info for path, info in matches.items() if info["type"] == "file"}
            for path, info in matches.items():
                if info["type"] == "directory":
                    found |= self.files.find(path, detail=True)
            return found, base
        if self.files.isfile(self.path):
            return {self.path: self.files.info(self.path)}, self.path
        return self.files.find(self.path, detail=True), self.path.rstrip("/")

    def read_into(self, target: BinaryIO | IO[bytes], most_bytes: int | None = None) -> bool:
        """Copy the object; False, with a part of it copied, where it is larger than that."""
        n_bytes = 0
        with self.files.open(self.path, "rb") as source:
            while block := source.read(_BLOCK_BYTES):
                n_bytes += len(block)
                if most_bytes is not None and n_bytes > most_bytes:
                    return False
                target.write(block)
        return True

    def read_if_there(self, target: BinaryIO) -> None:
        """Copy the object, if there is one. Raises OutputError: it belongs to an output."""
        try:
            self._forget()
            if self.files.exists(self.path):
                self.read_into(target)
        except Exception as error:  # a store has errors of its own
            hint = "check the network, and the store's credentials"
            raise OutputError(f"{self.url} cannot be read ({_reason(error)})", hint=hint) from error

    def write(self, source: BinaryIO | IO[bytes]) -> None:
        """Replace the object as a whole, where the store can: who reads it sees the old one or the new one.

        Raises OutputError.
        """
        try:
            with self.files.transaction, self.files.open(self.path, "wb") as target:
                while block := source.read(_BLOCK_BYTES):
                    target.write(block)
        except Exception as error:  # a store has errors of its own
            hint = "the same command goes on with what is done"
            raise OutputError(f"{self.url} cannot be written ({_reason(error)})", hint=hint) from error

    def delete(self) -> None:
        """The object, if there is one. Raises OutputError."""
        try:
            self._forget()
            if self.files.exists(self.path):
                self.files.rm_file(self.path)
        except Exception as error:  # a store has errors of its own
            raise OutputError(f"{self.url} cannot be deleted ({_reason(error)})") from error

    def stamp(self) -> str | None:
        """Of the object as it is now."""
        self._forget()
        return _stamp(self.files.info(self.path))

    def _forget(self) -> None:
        """Listings that the library keeps: another machine may write there."""
        self.files.invalidate_cache(self.files._parent(self.path))


@contextmanager
def fetched(item: Input) -> Iterator[Input]:
    """The input as a file of this machine, which is gone at the end, also at that of the process.

    Raises FileUnavailable where it cannot be fetched or is changed meanwhile, TooLarge; UsageError as `Store.at`.
    """
    if item.url is None:
        yield item
        return
    with _scratch() as file:
        _fetch(Store.at(item.url), item.shown, file)
        file.flush()
        path = Path(f"/proc/{os.getpid()}/fd/{file.fileno()}") if sys.platform == "linux" else Path(file.name)
        yield replace(item, path=path)


def _scratch() -> Any:
    """A file without a name where the system has such: a worker that is killed leaves no document behind."""
    if sys.platform == "linux":
        return tempfile.TemporaryFile(prefix="pipkie-")
    return tempfile.NamedTemporaryFile(prefix="pipkie-")


def _fetch(store: Store, shown: str, file: IO[bytes]) -> None:
    try:
        before = store.stamp()
        whole = store.read_into(file, MAX_FETCHED_BYTES)
        after = store.stamp()
    except PipkieError:
        raise
    except Exception as error:  # a store has errors of its own
        hint = "is it still there? run the same command again"
        raise FileUnavailable(f"{shown} cannot be fetched ({_reason(error)})", hint=hint) from error
    if not whole:
        raise TooLarge(f"{shown} has more than {MAX_FETCHED_BYTES >> 20} MiB", hint="split the document")
    if before != after:
        raise FileUnavailable(f"{shown} was changed while it was fetched", hint="run the same command again")


def _stamp(info: dict[str, Any]) -> str | None:
    """Size and what the store knows of the content's state: its tag, else its time."""
    known = next((str(info[name]) for name in (*_TAGS, *_TIMES) if info.get(name) is not None), None)
    return None if known is None else f"{info.get('size')} {known}"


def _without_password(url: str) -> str:
    user, at, _ = urlsplit(url).netloc.rpartition("@")
    return url.replace(f"{user}@", "…@", 1) if at and ":" in user else url


def _reason(error: Exception) -> str:
    """Class and first line of a store's error; it knows names of objects, never what stands in them."""
    said = str(error).strip().splitlines()
    return f"{type(error).__name__}: {said[0][:200]}" if said else type(error).__name__
