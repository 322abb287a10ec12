"""What every reader of a set yields: one document with its right values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Row = Mapping[str, str | None]  # column -> right text; None is known to be empty, a missing column is not labelled


@dataclass(frozen=True, slots=True)
class Labelled:
    """One document with its right values.

    `values` has the labelled keys only: () is "known to be absent", several texts are several right answers. A key
    that is missing is not labelled and counts for nothing. `printed` has the text as on the page where it is known.
    """

    path: Path
    shown: str  # as the set names it
    document_type: str
    values: Mapping[str, tuple[str, ...]]
    printed: Mapping[str, tuple[str, ...]]
    tables: Mapping[str, tuple[Row, ...]] = field(default_factory=dict)  # () is a table known to be absent
    unverified: frozenset[str] = frozenset()  # keys whose label nobody found in the text of the page
    group: str = ""  # documents of one group (sender, layout) stay on one side of a cut; "" is a group of its own
    nested: Mapping[str, Any] | None = None  # the whole answer as a tree, where the set is scored by trees
