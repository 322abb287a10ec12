"""What a run did, in numbers that must add up, and in the words that end it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pipkie_cli.errors import ExitCode

LISTED = 10  # failed or left-out files named on the screen; the records name all


@dataclass(frozen=True, slots=True)
class Failure:
    """A document without values, as its record says it."""

    shown: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Summary:
    """One run. Made by `run_batch`, which checks that the counts add up."""

    n_inputs: int
    n_ok: int
    n_review: int
    failures: tuple[Failure, ...]
    n_pages: int  # read by this run
    seconds: float
    n_invalid: int = 0  # records of documents that were read, which break the schema or a rule of their template
    n_known: int = 0  # inputs that an earlier run had read
    n_records: int = 0  # one of each input, or several of those that were split
    problems: Mapping[str, int] = field(default_factory=dict)  # of all records, by code
    hashes: Mapping[str, str | None] = field(default_factory=dict)  # input -> SHA-256 of what was read

    def exit_code(self, strict: bool = False, allowed: float = 0.0) -> ExitCode:
        """A failed document counts more than an invalid record, which counts in a strict run only.

        `allowed`: the share of documents that may fail.
        """
        if self.failures and len(self.failures) / self.n_inputs > allowed:  # 0.29 * 100 is less than 29
            return ExitCode.DOCUMENTS_FAILED
        return ExitCode.INVALID_RECORDS if strict and self.n_invalid else ExitCode.OK

    def line(self, output: str) -> str:
        """The whole story in one line."""
        speed = self.n_pages / self.seconds if self.seconds > 0 else 0.0
        n_records = self.n_records or self.n_inputs
        n_failed = n_records - self.n_ok - self.n_review
        split = f" in {count(self.n_inputs, 'file')}" if n_records != self.n_inputs else ""
        inputs = count(n_records, "document") + split
        counts = f"{self.n_ok} ok, {self.n_review} review, {n_failed} failed"
        if self.n_known == self.n_inputs:
            again = " (--retry all reads what failed three times again)" if n_failed else ""
            return f"{inputs}: {counts}; nothing new to read{again}; {output}"
        known = f"{self.n_known} read before; " if self.n_known else ""
        return f"{inputs}: {counts}; {known}{speed:.1f} pages/s; {output}"

    def invalid_line(self) -> str:
        """What a strict run complains of."""
        verb = "breaks" if self.n_invalid == 1 else "break"
        return f"{count(self.n_invalid, 'record')} {verb} schema or rules: see `problems` there"

    def failed_lines(self) -> Iterator[str]:
        """The failed documents with what to do, not more than a screen holds."""
        for failure in self.failures[:LISTED]:
            named = "" if failure.shown in failure.message else f"{failure.shown}: "
            yield f"  {failure.code}: {named}{failure.message}"
        if len(self.failures) > LISTED:
            yield f"  and {len(self.failures) - LISTED} more; their records have the status failed"


def left_out_line(left_out: tuple[str, ...]) -> str:
    """Files of the folders that are no documents, named: a mistake in a suffix should be seen."""
    names = ", ".join(left_out[:LISTED])
    more = f" and {len(left_out) - LISTED} more" if len(left_out) > LISTED else ""
    return f"left out, not documents: {names}{more}"


def count(number: int, noun: str) -> str:
    """`1 document`, `2 documents`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
