"""How often the right document type is chosen among the shipped templates, over a mixed lot of labelled folders.

Read like `eval` (page cache, sample, parts), but no model is asked and no folder's name helps: the pages alone. A
document that fails has no type and counts as wrong, but for one that no template fits.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from pipkie_cli.errors import DocumentError
from pipkie_cli.evaluate.datasets import Labelled, read_set
from pipkie_cli.evaluate.setting import setting
from pipkie_cli.evaluate.titles import SEED, distinct, title_of
from pipkie_cli.nouns import Input, RunOptions, Template
from pipkie_cli.pages import PageCache, read_pages, reader_revision
from pipkie_cli.templates import choose_type, find_templates

NONE = "none fits"
# Labelled type -> shipped templates that are right for it. A type of its own name needs no line; any other has none.
RIGHT: dict[str, frozenset[str]] = {
    "ad_buy_form": frozenset({"tv_ad_invoice"}),
    "fara_amendment": frozenset({"registration_form"}),
    "fara_dissemination_report": frozenset({"registration_form"}),
    "fara_short_form": frozenset({"registration_form"}),
    "partial_invoice": frozenset({"invoice"}),
    "self_billed_invoice": frozenset({"invoice", "credit_note"}),  # its title is Gutschrift, the law's word for both
    "corrected_invoice": frozenset({"invoice", "credit_note"}),
    "order_response": frozenset({"order_confirmation"}),
    "order_change": frozenset({"purchase_order"}),
}


@dataclass(frozen=True, slots=True)
class TypePlan:
    """Documents of one set whose types are to be chosen."""

    title: str
    documents: tuple[Labelled, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """One document: what its label says, what was chosen."""

    label: str
    chosen: str  # a template's name or NONE

    @property
    def right(self) -> bool:
        return self.chosen in self.expected

    @property
    def expected(self) -> frozenset[str]:
        return RIGHT.get(self.label, frozenset({self.label}))


@dataclass(frozen=True, slots=True)
class TypeMeasurements:
    """What came out."""

    figures: dict[str, Any]

    def table(self) -> list[str]:
        """The figures as lines for people."""
        sets = [*self.figures["sets"], {"title": "all", **self.figures["all"]}]
        width = max(len(one["title"]) for one in sets)
        lines = [f"{'set':<{width}}  documents  right  share"]
        lines += [
            f"{one['title']:<{width}}  {one['documents']:>9}  {one['right']:>5}  {one['accuracy']:.1%}" for one in sets
        ]
        lines += [""] + [
            f"{one['title']}: {wrong['count']} x {wrong['label']} -> {wrong['chosen']}"
            for one in self.figures["sets"]
            for wrong in one["wrong"]
        ]
        return lines


def plan_types(folder: Path, part: str | None, limit: int | None) -> TypePlan:
    """Read the labels of one folder or a sample of them. Raises InputError, UsageError."""
    found = read_set(folder, part)
    documents = found.documents
    if limit is not None and limit < len(documents):
        documents = tuple(sorted(Random(SEED).sample(documents, limit), key=lambda one: one.shown))
    return TypePlan(title_of(folder, found.rules, part), documents)


def run_types(plans: Sequence[TypePlan], cache: Path | None, step: Callable[[], None]) -> TypeMeasurements:
    """Choose the type of every document; `step` is called after each. Raises OutputError (cache), TemplateError."""
    from pipkie_cli.words import words_revision

    words = reader_revision(words_revision())
    pages = PageCache(cache, words) if cache else None
    shipped = find_templates([], None)
    sets = []
    everything: list[Chosen] = []
    for title, plan in zip(distinct([plan.title for plan in plans]), plans, strict=True):
        chosen = []
        for document in plan.documents:
            chosen.append(_choose(document, shipped, pages))
            step()
        everything += chosen
        sets.append({"title": title, **_figures(chosen)})
    shared = {"templates": [one.label for one in shipped], "words": words, "seed": SEED, **setting()}
    return TypeMeasurements({"command": "eval --types", "sets": sets, "all": _figures(everything), **shared})


def _choose(document: Labelled, shipped: Sequence[Template], cache: PageCache | None) -> Chosen:
    known = {one.name for one in shipped} | set(RIGHT)
    label = document.document_type if document.document_type in known else NONE
    try:
        read = read_pages(Input(document.path, document.shown), RunOptions(tuple(shipped)), cache=cache)
    except DocumentError:
        return Chosen(label, NONE)
    template = choose_type(read.pages, shipped).template
    return Chosen(label, template.name if template else NONE)


def _figures(chosen: Sequence[Chosen]) -> dict[str, Any]:
    right = sum(one.right for one in chosen)
    wrong = Counter((one.label, one.chosen) for one in chosen if not one.right)
    return {
        "documents": len(chosen),
        "right": right,
        "accuracy": right / max(1, len(chosen)),
        "wrong": [{"label": label, "chosen": other, "count": count} for (label, other), count in sorted(wrong.items())],
    }
