"""The exception tree and the exit codes. A message says what happened, a hint what to do."""

from enum import IntEnum
from typing import ClassVar


class ExitCode(IntEnum):
    """Exit codes of `pipkie`, part of its interface (README has the same table)."""

    OK = 0
    INTERNAL = 1
    USAGE = 2
    DOCUMENTS_FAILED = 3
    BAD_TEMPLATE = 4
    OUTPUT = 5
    MODEL = 6
    INPUT = 7
    INVALID_RECORDS = 8
    WRONG_VALUES = 9
    INTERRUPTED = 130
    TERMINATED = 143


class PipkieError(Exception):
    """Base of everything that pipkie raises on purpose."""

    code: ClassVar[str] = "internal"
    exit_code: ClassVar[ExitCode] = ExitCode.INTERNAL

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class DocumentError(PipkieError):
    """Ends one document: its record says `failed` with this code, the run goes on."""

    code = "unreadable"
    exit_code = ExitCode.DOCUMENTS_FAILED


class EmptyFile(DocumentError):
    code = "empty_file"


class UnsupportedFormat(DocumentError):
    """The content is no format that pipkie reads (whatever the suffix says)."""

    code = "unsupported_format"


class DamagedFile(DocumentError):
    """The format is known, the content cannot be read."""

    code = "damaged_file"


class PdfEncrypted(DocumentError):
    code = "password_needed"


class NoPages(DocumentError):
    code = "no_pages"


class TooLarge(DocumentError):
    """A limit on bytes, pixels or pages was passed."""

    code = "too_large"


class FileUnavailable(DocumentError):
    """Permission denied, vanished, broken link, not a regular file."""

    code = "file_unavailable"


class TimedOut(DocumentError):
    code = "timed_out"


class WorkerCrashed(DocumentError):
    """The process that read the document ended: a native library crashed, or the system killed it."""

    code = "worker_crashed"


class OutOfMemory(DocumentError):
    code = "out_of_memory"


class TemplateError(PipkieError):
    code = "bad_template"
    exit_code = ExitCode.BAD_TEMPLATE


class OutputError(PipkieError):
    code = "output"
    exit_code = ExitCode.OUTPUT


class ModelError(PipkieError):
    code = "model"
    exit_code = ExitCode.MODEL


class InputError(PipkieError):
    code = "input"
    exit_code = ExitCode.INPUT


class UsageError(PipkieError):
    code = "usage"
    exit_code = ExitCode.USAGE
