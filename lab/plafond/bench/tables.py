# SPDX-License-Identifier: MIT
"""The report of every benchmark: its conditions, a line each, and its tables."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from rich.console import Console

from plafond.bench.model import Target
from plafond.output import print_table, show
from plafond.rows import Table as RowTable
from plafond.rows import table


@dataclass(frozen=True)
class Table:
    """One table; columns that are not text are numbers, flush right; some texts may wrap."""

    title: str
    columns: Sequence[str]
    rows: Iterable[Sequence[str]]
    text_columns: Collection[str]
    wrapped: Collection[str] = ()


def print_tables(
    conditions: Iterable[str],
    tables: Iterable[Table | RowTable],
    console: Console | None = None,
) -> None:
    """Print the conditions, then all tables."""
    console = console or Console(highlight=False)
    for line in conditions:
        console.print(line)
    for given in tables:
        if isinstance(given, RowTable):
            show(console, given)
        else:
            print_table(
                console, given.title, given.columns, given.rows, given.text_columns, given.wrapped
            )


def noted(notes: Iterable[str]) -> list[str]:
    """Return a line for each note."""
    return [f"- {note}" for note in notes]


def targets_table(
    targets: Iterable[Target], value: Callable[[float], str], unit: str = ""
) -> RowTable:
    """Return the figures to reach; `value` writes one."""
    change = {"value": {"format": value}}
    return table(f"Figures to reach{unit}", Target, targets, change=change)
