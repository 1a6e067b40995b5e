# SPDX-License-Identifier: MIT
"""Rows that define their columns: a field has its heading, its unit and its format.

    class Row(BaseModel):
        task: Annotated[str, Column("task")]
        response_ns: Annotated[int | None, Column("response ms", "ms", ".2f", missing="-")]

A field without a Column is only in JSON and CSV. A field may have several Columns. A property may
have a Column, too, but is only in tables. A dictionary gives a column for each key, and its heading
is a function of the key. If a row is None, all its cells are the text of None.
"""

import csv
import io
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from plafond.columns import Column as Shown
from plafond.units import UNIT_NS, format_duration


@dataclass(frozen=True)
class Column:
    """The presentation of a field in a table.

    unit: the unit shown; the field's own unit is the end of its name, as in `response_ns`.
    format: a format specification, or a function that returns the text.
    of: takes the value from the whole row instead of the field.
    place: fields with a lower place come first.
    needless: a table omits the column if all of its cells are this text.
    """

    heading: str | Callable[[str], str]
    unit: str = ""
    format: str | Callable[[Any], str] = ""
    missing: str = ""  # text of None
    of: Callable[[Any], Any] | None = None
    is_text: bool | None = None  # None: determined by the type
    wraps: bool = False
    place: int = 0
    needless: str | None = None


def duration(heading: str, **more: Any) -> Column:
    """Return the column of a time; each cell has the unit that fits."""
    return Column(heading, **{"format": format_duration, "missing": "-", **more})


@dataclass(frozen=True)
class Table:
    """A table as a list of columns."""

    title: str
    columns: Sequence[Shown]
    caption: str = ""  # shown only in a page

    @property
    def lines(self) -> list[tuple[str, ...]]:
        """Return its cells, line by line."""
        return lines_of(self.columns)


def lines_of(columns: Iterable[Shown]) -> list[tuple[str, ...]]:
    """Return the cells of columns, line by line."""
    return list(zip(*(column.cells for column in columns), strict=True))


def with_lines(columns: Sequence[Shown], lines: Sequence[Sequence[str]]) -> list[Shown]:
    """Return copies of the columns with other cells."""
    cells = list(zip(*lines, strict=True)) or [()] * len(columns)
    return [replace(column, cells=below) for column, below in zip(columns, cells, strict=True)]


# changes of a table's columns: by field, then by attribute
Change = Mapping[str, Mapping[str, Any]]


def table(
    title: str,
    row_class: type,
    rows: Iterable[Any],
    *,
    without: Collection[str] = (),
    change: Change | None = None,
) -> Table:
    """Return the table of rows, without the fields in `without`."""
    return Table(title, columns_of(row_class, rows, without=without, change=change))


def columns_of(
    row_class: type,
    rows: Iterable[Any],
    *,
    without: Collection[str] = (),
    change: Change | None = None,
) -> list[Shown]:
    """Return the columns of rows."""
    given, changes = list(rows), change or {}
    return [
        shown
        for field in _fields(row_class)
        if field.name not in without
        for shown in field.changed(changes.get(field.name, {})).columns(given)
        if any(cell != field.column.needless for cell in shown.cells) or not field.column.needless
    ]


def each(
    heading: str, cells: Iterable[Any], form: str | Callable[[Any], str] = "", *, text: bool = False
) -> Shown:
    """Return a column of values from no row, as in a comparison or a table with two keys."""
    return Shown(heading, [_text(cell, form, "") for cell in cells], text)


def csv_of(row_class: type[BaseModel], rows: Iterable[BaseModel]) -> str:
    """Return rows as CSV: all fields in order, below their names."""
    file = io.StringIO()
    writer = csv.DictWriter(file, list(row_class.model_fields), lineterminator="\n")
    writer.writeheader()
    writer.writerows(row.model_dump(mode="json") for row in rows)
    return file.getvalue()


@dataclass(frozen=True)
class _Field:
    """A field or property that has a Column."""

    name: str
    column: Column
    is_text: bool
    is_mapping: bool

    def changed(self, change: Mapping[str, Any]) -> "_Field":
        """Return a copy with a changed Column."""
        return replace(self, column=replace(self.column, **change))

    def columns(self, rows: Sequence[Any]) -> Iterable[Shown]:
        """Yield its columns: a single column, or a column for each key."""
        values = [self._value(row) for row in rows]
        if not self.is_mapping:
            yield self._column(self._heading(self.name), values)
            return
        for key in values[0] if values else ():
            yield self._column(self._heading(key), [value[key] for value in values])

    def _value(self, row: Any) -> Any:
        if row is None:
            return None
        return self.column.of(row) if self.column.of else getattr(row, self.name)

    def _heading(self, key: str) -> str:
        heading = self.column.heading
        return heading if isinstance(heading, str) else heading(key)

    def _column(self, heading: str, values: Iterable[Any]) -> Shown:
        shown = (self._in_unit(value) for value in values)
        cells = [_text(value, self.column.format, self.column.missing) for value in shown]
        return Shown(heading, cells, self.is_text, self.column.wraps)

    def _in_unit(self, value: Any) -> Any:
        own = UNIT_NS.get(self.name.rpartition("_")[2])
        if value is None or own is None or self.column.unit not in UNIT_NS:
            return value
        divisor = UNIT_NS[self.column.unit] // own
        return value if divisor == 1 else value / divisor


def _text(value: Any, form: str | Callable[[Any], str], missing: str) -> str:
    if value is None:
        return missing
    return format(value, form) if isinstance(form, str) else form(value)


@cache
def _fields(row_class: type) -> list[_Field]:
    """Return the fields with a Column, by place, then in their order; properties come last."""
    hints = get_type_hints(row_class, include_extras=True)
    for name in dir(row_class):
        value = getattr(row_class, name, None)
        if isinstance(value, property) and value.fget:
            hints[name] = get_type_hints(value.fget, include_extras=True).get("return")
    found = [
        _Field(name, column, _is_text(hint, column), _is_mapping(hint))
        for name, hint in hints.items()
        for column in getattr(hint, "__metadata__", ())
        if isinstance(column, Column)
    ]
    return sorted(found, key=lambda field: field.column.place)


def _plain(hint: Any) -> Any:
    """Return a type without its annotation and without None."""
    if get_origin(hint) is Annotated:
        return _plain(get_args(hint)[0])
    if get_origin(hint) in (Union, UnionType):
        return next(_plain(each) for each in get_args(hint) if each is not type(None))
    return hint


def _is_text(hint: Any, column: Column) -> bool:
    if column.is_text is not None:
        return column.is_text
    plain = _plain(hint)
    return isinstance(plain, type) and issubclass(plain, str)


def _is_mapping(hint: Any) -> bool:
    return get_origin(_plain(hint)) is dict
