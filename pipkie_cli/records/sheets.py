"""Records as flat sheets: one row a record, and one sheet more for the rows of every table.

A first walk over all records finds the columns (`Survey.note`), a second one makes the rows (`Layout.rows`). Sheets are
either those of each template, or one for all of them, with every column that any template has.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipkie_cli.errors import InputError
from pipkie_cli.nouns import Key, Template
from pipkie_cli.records.kinds import KINDS, Cell, Kind, Scalar, cell, common_kind, own_kind, plain
from pipkie_cli.records.where import IN_VALUES, OF_RECORD, problem_codes

OF_ROW = ("document", "part", "row")
MAX_COLUMNS = 10_000  # in all sheets together; a template has at most 500 keys
SHORT = 8  # letters of a number that has so many digits at most on either side of the point
MAX_TABLES = 100  # each is a file or a sheet


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a sheet. `whole`, `fraction`: most digits of its numbers before and behind the point.

    Numbers written with at most SHORT letters are not counted.
    """

    name: str
    kind: Kind
    whole: int = SHORT
    fraction: int = SHORT


@dataclass(frozen=True, slots=True)
class Sheet:
    """`table` None: a row a record; else the rows of that table. `template` None: of all, or of no template."""

    template: str | None
    table: str | None
    columns: tuple[Column, ...]


@dataclass(slots=True)
class _Seen:
    """What the records hold of one key or column of a table."""

    declared: Kind | None  # by the template; None: not known, or it was another template then
    kinds: set[Kind] = field(default_factory=set)
    whole: int = SHORT
    fraction: int = SHORT

    def note(self, value: Scalar, surely: bool) -> None:
        """Raises ValueError where the value does not fit and `surely` ought to."""
        if value is None:
            return
        if self.declared is not None:
            try:
                cell(self.declared, value)
            except ValueError:
                if surely:
                    raise
                self.declared = None
        kind = own_kind(value)
        self.kinds.add(kind)
        if kind == "number" and (len(written := repr(value)) > SHORT or "e" in written):
            whole, _, fraction = plain(value).removeprefix("-").partition(".")
            self.whole, self.fraction = max(self.whole, len(whole)), max(self.fraction, len(fraction))

    @property
    def kind(self) -> Kind:
        return self.declared or common_kind(frozenset(self.kinds))

    def column(self, name: str) -> Column:
        return Column(name, self.kind, self.whole, self.fraction)

    def merged(self, other: "_Seen") -> "_Seen":
        kinds = {seen.kind for seen in (self, other) if seen.declared or seen.kinds}
        whole, fraction = max(self.whole, other.whole), max(self.fraction, other.fraction)
        return _Seen(common_kind(frozenset(kinds)) if kinds else None, set(), whole, fraction)


Columns = dict[str, _Seen]


@dataclass(slots=True)
class _Group:
    """The records of one template name."""

    keys: Columns = field(default_factory=dict)
    tables: dict[str, Columns] = field(default_factory=dict)


class Survey:
    """Which columns the records have, and of what kind: as their templates say, where these are known."""

    def __init__(self, templates: Sequence[Template]) -> None:
        self._exact = {template.label: template for template in templates}
        self._named = {template.name: template for template in reversed(templates)}  # the first one counts
        self._groups: dict[str | None, _Group] = {}
        self.unknown: dict[str, bool] = {}  # labels of templates not at hand -> whether another of that name is
        self._room = MAX_COLUMNS

    def note(self, record: Mapping[str, Any], where: str) -> None:
        """Take in one record; `where` begins the message of an InputError."""
        name, label = record["document_type"], record["template"]
        template = self._exact.get(label) or self._named.get(name)
        surely = template is not None and template.label == label
        if label is not None and not surely:
            self.unknown[label] = template is not None
        group = self._groups.setdefault(name, _Group())
        keys = {key.name: key for key in template.keys} if template else {}
        for key_name, value in record["values"].items():
            key = keys.get(key_name)
            if not isinstance(value, list):
                self._note(group.keys, key, key_name, value, surely, f"{where}: values.{key_name}")
                continue
            columns = group.tables.setdefault(key_name, {})
            known = {column.name: column for column in key.columns} if key else {}
            for column in known.values() if surely and not columns else ():
                self._note(columns, column, column.name, None, surely, where)  # a table without rows has columns, too
            for row in value:
                for column_name, at in row.items():
                    place = f"{where}: values.{key_name}.{column_name}"
                    self._note(columns, known.get(column_name), column_name, at, surely, place)

    def _note(self, seen: Columns, key: Key | None, name: str, value: Scalar, surely: bool, where: str) -> None:
        column = seen.get(name)
        if column is None:
            self._room -= 1
            if self._room < 0 or sum(len(group.tables) for group in self._groups.values()) > MAX_TABLES:
                raise InputError(f"{where}: more keys than records have", hint="export a part of them with --where")
            column = seen[name] = _Seen(KINDS.get(key.type, "text") if key and not key.columns else None)
        try:
            column.note(value, surely)
        except ValueError as error:
            hint = "mend the value (`pipkie templates schema` tells what fits), or leave the record out with --where"
            raise InputError(f"{where}: {error}, which the template asks for", hint=hint) from None

    def layout(self, by_template: bool, confidences: bool) -> "Layout":
        """The sheets of all records that were noted."""
        if by_template:
            named = sorted(self._groups.items(), key=lambda item: (item[0] is None, item[0] or ""))
            return Layout(dict(named or [(None, _Group())]), by_template, confidences)
        union = _Group()
        for group in self._groups.values():
            _merge(union.keys, group.keys)
            for table, columns in group.tables.items():
                _merge(union.tables.setdefault(table, {}), columns)
        return Layout({None: union}, by_template, confidences)


def _merge(into: Columns, columns: Columns) -> None:
    for name, seen in columns.items():
        into[name] = into[name].merged(seen) if name in into else seen


@dataclass(frozen=True, slots=True)
class _Plan:
    """How the records of one group become rows: sheets by number, and what is taken for each cell."""

    number: int
    keys: tuple[tuple[str, Kind], ...]
    tables: tuple[tuple[str, int, tuple[tuple[str, Kind], ...]], ...]


class Layout:
    """Sheets, and the rows of a record in them."""

    def __init__(self, groups: Mapping[str | None, _Group], by_template: bool, confidences: bool) -> None:
        self._by_template, self._confidences = by_template, confidences
        self._sheets: list[Sheet] = []
        self._plans = {name: self._plan(name, group) for name, group in groups.items()}

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        return tuple(self._sheets)

    def _plan(self, template: str | None, group: _Group) -> _Plan:
        columns = [Column(name, "integer" if name == "part" else "text") for name in OF_RECORD]
        for name, seen in group.keys.items():
            column = seen.column(_apart(name, OF_RECORD))
            columns += [column, Column(f"{column.name}.confidence", "number")] if self._confidences else [column]
        number = self._add(Sheet(template, None, tuple(columns)))
        tables = []
        for table, cells in group.tables.items():
            own = tuple(seen.column(_apart(name, OF_ROW)) for name, seen in cells.items())
            head = (Column("document", "text"), Column("part", "integer"), Column("row", "integer"))
            tables.append((table, self._add(Sheet(template, table, head + own)), _kinds(cells)))
        return _Plan(number, _kinds(group.keys), tuple(tables))

    def _add(self, sheet: Sheet) -> int:
        self._sheets.append(sheet)
        return len(self._sheets) - 1

    def rows(self, record: Mapping[str, Any]) -> Iterator[tuple[int, list[Cell]]]:
        """Number of the sheet and cells of every row, for a record that was noted."""
        plan = self._plans[record["document_type"] if self._by_template else None]
        values, fields = record["values"], record["fields"]
        document = (record["document"]["path"], record["document"]["part"])
        codes = ", ".join(problem_codes(record))
        cells: list[Cell] = [*document, record["document_type"], record["status"], codes or None]
        for name, kind in plan.keys:
            value = values.get(name)
            cells.append(None if isinstance(value, list) else cell(kind, value))
            if self._confidences:
                told = fields.get(name)
                cells.append(told["confidence"] if isinstance(told, dict) else None)
        yield plan.number, cells
        for table, number, columns in plan.tables:
            rows = values.get(table)
            for at, row in enumerate(rows if isinstance(rows, list) else (), start=1):
                yield number, [*document, at, *(cell(kind, row.get(name)) for name, kind in columns)]


def _kinds(columns: Columns) -> tuple[tuple[str, Kind], ...]:
    return tuple((name, seen.kind) for name, seen in columns.items())


def _apart(name: str, taken: Sequence[str]) -> str:
    """A key that is called like a column of pipkie's own is told by its place in the record."""
    return IN_VALUES + name if name in taken else name
