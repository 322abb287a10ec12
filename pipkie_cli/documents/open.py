"""`open_document`: one file, its identity, its doubts and its pages."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType

from pipkie_cli.documents.sniff import sniff
from pipkie_cli.documents.source import FileBytes, Reader, read_file, unreadable_page
from pipkie_cli.errors import DamagedFile, DocumentError
from pipkie_cli.nouns import DocumentId, Problem, SourcePage


class OpenDocument:
    """An opened document; a context manager. A page is valid until the next one is asked for."""

    def __init__(self, identity: DocumentId, reader: Reader, max_pages: int) -> None:
        self.id = identity
        self._reader = reader
        self._n_read = min(reader.page_count, max_pages)
        self.problems = reader.problems
        if reader.page_count > max_pages:
            message = f"only the first {max_pages} of {reader.page_count} pages were read (--max-pages)"
            self.problems += (Problem("pages_cut", message),)
        self._probed = self._probe()

    def _probe(self) -> dict[int, SourcePage]:
        """Pages up to the first that loads; raises DamagedFile when none does."""
        probed: dict[int, SourcePage] = {}
        first: DocumentError | None = None
        for index in range(self._n_read):
            page, error = self._load(index)
            probed[index] = page
            if error is None:
                return probed
            first = first or error
        if first is None or self.id.page_count == 1:
            raise first or DamagedFile(f"{self.id.path}: no page can be read")
        hint = "open it in a viewer: save it again from there, or scan it again"
        raise DamagedFile(f"{self.id.path}: no page can be read ({first.message})", hint=hint) from first

    def _load(self, index: int) -> tuple[SourcePage, DocumentError | None]:
        try:
            return self._reader.load(index), None
        except DocumentError as error:
            return unreadable_page(index, error, self._reader.rasterizer), error

    def pages(self) -> Iterator[SourcePage]:
        """The pages in order, as many as `max_pages` allows. A broken one says so in its problems."""
        for index in range(self._n_read):
            yield self._probed.pop(index) if index in self._probed else self._load(index)[0]

    def close(self) -> None:
        self._probed.clear()
        self._reader.close()

    def __enter__(self) -> "OpenDocument":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_document(path: Path, *, shown: str, passwords: Sequence[str] = (), max_pages: int = 50) -> OpenDocument:
    """Opens a PDF or picture, whatever its name; `shown` names it in messages and in the record.

    Passwords are tried after the empty one. At most `max_pages` pages are read, and a problem says that some were
    left. Raises only DocumentError: FileUnavailable, EmptyFile, UnsupportedFormat, DamagedFile, PdfEncrypted, NoPages,
    TooLarge.
    """
    if max_pages < 1:
        raise ValueError(f"max_pages is {max_pages}: at least one page must be read")
    source = read_file(path, shown)
    reader = _open_reader(source, passwords)
    identity = DocumentId(shown, source.sha256, reader.page_count)
    try:
        return OpenDocument(identity, reader, max_pages)
    except BaseException:
        reader.close()
        raise


def _open_reader(source: FileBytes, passwords: Sequence[str]) -> Reader:
    kind = sniff(source.data, source.shown)
    if kind == "pdf":
        from pipkie_cli.documents.pdf import PdfReader

        return PdfReader(source, passwords)
    from pipkie_cli.documents.image import ImageReader

    return ImageReader(source, kind)
