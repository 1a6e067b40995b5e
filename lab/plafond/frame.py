# SPDX-License-Identifier: MIT
"""Columns of values by name, as pandas and polars take them; neither is needed."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import import_module
from typing import Any

from plafond.errors import PlafondError


class Frame(dict[str, list[Any]]):
    """A data frame: a list for each column, all of the same length. None: there is no value.

    `pandas.DataFrame(frame)` and `polars.DataFrame(frame)` accept it, and a notebook shows it as a
    table. Times are in nanoseconds, and their columns end in `_ns`.
    """

    @classmethod
    def of(cls, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> "Frame":
        """Return the frame of rows that each have all columns; without rows it has them, too."""
        listed = list(rows)
        return cls({name: [row[name] for row in listed] for name in columns})

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary for each row."""
        return [dict(zip(self, values, strict=True)) for values in zip(*self.values(), strict=True)]

    def where(self, **wanted: Any) -> "Frame":
        """Return the rows with these values; KeyError for an unknown column."""
        unknown = [name for name in wanted if name not in self]
        if unknown:
            raise KeyError(f"found column {unknown[0]!r}; expected some of {', '.join(self)}")
        rows = [row for row in self.rows if all(row[name] == each for name, each in wanted.items())]
        return Frame.of(list(self), rows)

    def to_pandas(self) -> Any:
        """Return a `pandas.DataFrame`; PlafondError if pandas is not installed."""
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise PlafondError(
                "to_pandas(): found no package pandas; expected it, as by pip install pandas"
            ) from None
        return pandas.DataFrame(dict(self))

    def _repr_html_(self) -> str:
        """Return the table that a notebook shows."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self)
        lines = (
            "".join(f"<td>{'' if value is None else escape(str(value))}</td>" for value in values)
            for values in zip(*self.values(), strict=True)
        )
        body = "".join(f"<tr>{line}</tr>" for line in lines)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
