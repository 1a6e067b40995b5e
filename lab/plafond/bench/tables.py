# SPDX-License-Identifier: MIT
"""The report of every benchmark: its conditions, a line each, and its tables."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from rich.console import Console

from plafond.bench.model import Target
from plafond.output import print_table

VERDICTS = {True: "reached", False: "not reached", None: ""}


@dataclass(frozen=True)
class Table:
    """One table; columns that are not text are numbers, flush right; some texts may wrap."""

    title: str
    columns: Sequence[str]
    rows: Iterable[Sequence[str]]
    text_columns: Collection[str]
    wrapped: Collection[str] = ()


def print_tables(
    conditions: Iterable[str], tables: Iterable[Table], console: Console | None = None
) -> None:
    """Print the conditions, then all tables."""
    console = console or Console(highlight=False)
    for line in conditions:
        console.print(line)
    for table in tables:
        print_table(
            console, table.title, table.columns, table.rows, table.text_columns, table.wrapped
        )


def noted(notes: Iterable[str]) -> list[str]:
    """Return a line for each note."""
    return [f"- {note}" for note in notes]


def targets_table(
    targets: Iterable[Target], value: Callable[[float], str], unit: str = ""
) -> Table:
    """Return the figures to reach; `value` writes one."""

    def cells(target: Target) -> tuple[str, ...]:
        shown = "not counted" if target.value is None else value(target.value)
        limit = "" if target.limit is None else f"{target.limit:g}"
        return (target.name, shown, limit, VERDICTS[target.reached])

    return Table(
        f"Figures to reach{unit}",
        ("figure", "value", "at most", "verdict"),
        map(cells, targets),
        ("figure", "verdict"),
    )
