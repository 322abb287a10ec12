"""`read_facts`: one file -> what it states exactly."""

import hashlib
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pipkie_cli.errors import FileUnavailable
from pipkie_cli.facts.attachments import Attachments, read_attachments
from pipkie_cli.facts.codes import CodeReader
from pipkie_cli.facts.invoice_xml import ORDER_RANK, InvoiceTerms, Row, read_invoice_xml
from pipkie_cli.facts.limits import MAX_LINES
from pipkie_cli.facts.payment import payment_facts
from pipkie_cli.facts.tree import BadXml
from pipkie_cli.nouns import Code, DocumentId, Fact, Problem

XML_START = (b"<", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")  # a tag, or a byte order mark

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Facts:
    """The exact statements of one document. Of several for one term the first comes from the surest source."""

    facts: tuple[Fact, ...] = ()
    rows: Mapping[str, tuple[Row, ...]] = field(default_factory=dict)  # group of EN 16931 -> a row each
    codes: tuple[Code, ...] = ()  # those that ask for no payment, from the first page on
    is_credit: bool = False  # a credit note: its amounts are positive, those on the page may have a minus
    document_type: str | None = None  # as the XML states it: the name of a shipped template
    problems: tuple[Problem, ...] = ()
    n_embedded: int = 0  # files in the list of the document
    n_read: int = 0  # of them, those that were read as e-invoices

    def of_part(self, page_numbers: Collection[int], is_first: bool) -> "Facts":
        """The facts of a part of the file: codes belong to the part whose pages hold them, XML to the first part."""
        here = [one for one in self.facts if (one.place.page_number in page_numbers if one.place else is_first)]
        codes = tuple(code for code in self.codes if code.place.page_number in page_numbers)
        if is_first:
            return replace(self, facts=tuple(here), codes=codes)
        return Facts(facts=tuple(here), codes=codes, n_embedded=self.n_embedded, n_read=self.n_read)

    def with_problems(self, problems: Sequence[Problem]) -> tuple[Problem, ...]:
        """The document's problems with those of its facts; an e-invoice that was read is no file left unread."""
        left = self.n_embedded - self.n_read
        told: list[Problem] = []
        for problem in problems:
            if problem.code != "embedded_files" or not self.n_read:
                told.append(problem)
            elif left:
                told.append(Problem(problem.code, f"{left} embedded files were not read, the e-invoice was"))
        return (*told, *self.problems)


def read_facts(
    path: Path, document: DocumentId, passwords: Sequence[str] = (), codes: CodeReader | None = None
) -> Facts:
    """The e-invoice inside a PDF, if there is one, and what the codes on its pages state.

    Raises FileUnavailable where the file was changed meanwhile.
    """
    stated = _invoice_facts(path, document, passwords)
    if codes is None:
        return stated
    paid = {code: payment_facts(code) for code in codes.codes}
    log.info("%s: %d codes, %d of them payments", document.path, len(paid), sum(map(bool, paid.values())))
    return replace(
        stated,
        facts=(*stated.facts, *(fact for facts in paid.values() for fact in facts)),
        codes=tuple(code for code, facts in paid.items() if not facts),
        problems=(*stated.problems, *codes.problems),
    )


def _invoice_facts(path: Path, document: DocumentId, passwords: Sequence[str]) -> Facts:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileUnavailable(f"{document.path} cannot be read: {error.strerror}", hint="is it still there?") from error
    if hashlib.sha256(data).hexdigest() != document.sha256:
        raise FileUnavailable(f"{document.path} was changed while it was read", hint="run the same command again")
    attachments = read_attachments(data, passwords)
    found, problems = _invoices(attachments)
    if not found:
        return Facts(problems=problems, n_embedded=attachments.n_listed)
    chosen = min(found, key=lambda one: one.rank)  # the first of equals
    log.info("%s: e-invoice (%s), %d terms", document.path, chosen.syntax, len(chosen.facts))
    if len({_number(one) for one in found if one.rank < ORDER_RANK}) > 1:
        message = "the file holds e-invoices with different numbers; the first of the newest format was taken"
        problems += (Problem("several_e_invoices", message),)
    if chosen.is_cut:
        message = f"the e-invoice has more lines than are read ({MAX_LINES}): the others are missing"
        problems += (Problem("e_invoice_cut", message),)
    return Facts(
        facts=chosen.facts,
        rows=chosen.rows,
        is_credit=chosen.is_credit,
        document_type=chosen.document_type,
        problems=problems,
        n_embedded=attachments.n_listed,
        n_read=min(len(found), attachments.n_listed),
    )


def _number(invoice: InvoiceTerms) -> str | None:
    return next((fact.text for fact in invoice.facts if fact.term == "BT-1"), None)


def _invoices(attachments: Attachments) -> tuple[list[InvoiceTerms], tuple[Problem, ...]]:
    """The e-invoices among the embedded files, and what is doubtful about the others that look like XML."""
    found: list[InvoiceTerms] = []
    n_bad = 0
    for file in attachments.files:
        if not file.data.lstrip(b" \t\r\n").startswith(XML_START):
            continue
        try:
            invoice = read_invoice_xml(file.data)
        except BadXml as error:
            log.info("an embedded XML was not read: %s", error)
            n_bad += 1
            continue
        if invoice is not None:
            found.append(invoice)
    problems = []
    if n_bad:
        message = f"{n_bad} embedded XML files are damaged or refused; the values are those of the page"
        problems.append(Problem("e_invoice_unreadable", message))
    if attachments.n_too_large:
        message = f"{attachments.n_too_large} embedded files are too large to be looked at"
        problems.append(Problem("embedded_too_large", message))
    return found, tuple(problems)
