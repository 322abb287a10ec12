"""Labels that somebody looked at and found wrong: the same answers judged again by what the page shows.

A file of changes has a line for each label: `{"set", "file", "key", "labelled", "right", "why"}`. `right` is a list of
texts, any of which counts; null where the page holds no value; "undecided" where nobody can tell: such a label does not
count. `labelled` must be the label of the set, so that a file for another edition is noticed. All other labels stay.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pipkie_cli.errors import InputError
from pipkie_cli.evaluate.datasets import Labelled, SetRules, labels_template
from pipkie_cli.evaluate.measure import Measured, judge_document
from pipkie_cli.nouns import Template

UNDECIDED = "undecided"
HINT = 'a line is {"set", "file", "key", "labelled", "right", "why"}; right: texts, null or "undecided"'


@dataclass(frozen=True, slots=True)
class Change:
    """What one label is taken for."""

    labelled: tuple[str, ...]  # () for a label that says that the page has none
    right: tuple[str, ...] | None  # None: undecided


Changes = Mapping[tuple[str, str, str], Change]  # by set, file and key


def read_changes(path: Path) -> Changes:
    """The changes of a file. Raises InputError for a line that is none, or a label that is changed twice."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read", hint="name a file of lines of JSON") from error
    changes: dict[tuple[str, str, str], Change] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            place = (str(row["set"]), str(row["file"]), str(row["key"]))
            right = row["right"]
            change = Change(_texts(row["labelled"]), None if right == UNDECIDED else _texts(right))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path}:{number} is no change of a label", hint=HINT) from error
        if place in changes:
            raise InputError(f"{path}:{number} changes a label for the second time", hint="keep one of the lines")
        changes[place] = change
    return changes


def _texts(value: Any) -> tuple[str, ...]:
    texts = [] if value is None else value if isinstance(value, list) else [value]
    if not all(isinstance(text, str) and text for text in texts) or value == []:
        raise TypeError
    return tuple(texts)


def audited(
    measured: Sequence[Measured], changes: Changes, template: Template | None, rules: SetRules
) -> tuple[tuple[Measured, ...], int, int]:
    """The documents judged by the changed labels, how many labels were changed and how many left out.

    Causes are not told. Raises InputError for a change of a label that the set does not have.
    """
    judged, changed, left_out = [], 0, 0
    for one in measured:
        own = {
            key: change
            for (name, file, key), change in changes.items()
            if (name, file) == (rules.name, one.document.shown)
        }
        document = _changed(one.document, own)
        left_out += sum(change.right is None for change in own.values())
        changed += sum(change.right is not None for change in own.values())
        asked = template or labels_template(one.document)
        traps = tuple(answer for answer in one.judged if answer.kind == "trap")
        answers = judge_document(document, one.given, asked, rules)
        judged.append(replace(one, document=document, judged=(*answers, *traps)))
    return tuple(judged), changed, left_out


def _changed(document: Labelled, changes: Mapping[str, Change]) -> Labelled:
    values, printed = dict(document.values), dict(document.printed)
    for key, change in changes.items():
        if values.get(key) != change.labelled:
            reason = "is labelled otherwise" if key in values else "is not labelled"
            raise InputError(
                f"{document.shown}: the key {key} of a changed label {reason}", hint="take the set's own file"
            )
        printed.pop(key, None)
        if change.right is None:
            del values[key]
        else:
            values[key] = change.right
    return replace(document, values=values, printed=printed)
