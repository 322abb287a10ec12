"""Which records are wanted: `status=review`, `currency=EUR`."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from pipkie_cli.errors import UsageError
from pipkie_cli.records.kinds import plain
from pipkie_cli.records.schema import STATUSES

OF_RECORD = ("document", "part", "document_type", "status", "problems")  # columns that every record has
IN_VALUES = "values."  # before a key that is called like one of them


class Where:
    """Conditions on a record: one of the values of every name must be its own. Raises UsageError for what is none."""

    def __init__(self, conditions: Sequence[str] = ()) -> None:
        self._wanted: dict[str, set[str]] = {}
        self._unmet: set[str] = set()  # names of keys that no record had yet
        self._keys: set[str] = set()
        for condition in conditions:
            name, equals, value = condition.partition("=")
            if not equals or not name:
                raise UsageError(f"--where {condition} is no condition", hint="write NAME=VALUE: --where status=review")
            if name == "status" and value not in STATUSES:
                raise UsageError(f'no record has the status "{value}"', hint=f"there are: {', '.join(STATUSES)}")
            self._wanted.setdefault(name, set()).add(value)
        self._unmet = set(self._wanted) - set(OF_RECORD)

    def holds(self, record: Mapping[str, Any]) -> bool:
        if self._unmet:
            self._keys.update(record["values"])
            self._unmet -= {name for name in self._unmet if name.removeprefix(IN_VALUES) in record["values"]}
        return all(not wanted.isdisjoint(_texts(record, name)) for name, wanted in self._wanted.items())

    def check(self) -> None:
        """To be called when all records were seen. Raises UsageError for a name that none of them has."""
        for name in sorted(self._unmet if self._keys else ()):
            known = [*OF_RECORD, *sorted(self._keys)]
            close = get_close_matches(name, known, n=1, cutoff=0.6)
            hint = f'did you mean "{close[0]}"?' if close else f"there are: {', '.join(known[:40])}"
            raise UsageError(f'--where: no record has "{name}"', hint=hint)


def problem_codes(record: Mapping[str, Any]) -> list[str]:
    """Why someone should look, each code once."""
    return list(dict.fromkeys(problem["code"] for problem in record["problems"]))


def _texts(record: Mapping[str, Any], name: str) -> list[str]:
    """What a record has under this name, as text; several where it has several, one empty where it has none."""
    if name == "problems":
        return problem_codes(record) or [""]
    if name in ("document", "part"):
        return [plain(record["document"]["path" if name == "document" else "part"])]
    if name in OF_RECORD:
        return [plain(record[name])]
    value = record["values"].get(name.removeprefix(IN_VALUES))
    return [""] if isinstance(value, list) else [plain(value)]  # rows are no value
