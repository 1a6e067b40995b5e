# SPDX-License-Identifier: MIT
"""Print the report of any benchmark: a line for each condition, and its tables."""

from collections.abc import Callable, Iterable

from rich.console import Console

from plafond.bench.model import Target
from plafond.output import show
from plafond.rows import Table, table


def print_tables(
    conditions: Iterable[str],
    tables: Iterable[Table],
    console: Console | None = None,
) -> None:
    """Print the conditions, then all tables."""
    console = console or Console(highlight=False)
    for line in conditions:
        console.print(line)
    for shown in tables:
        show(console, shown)


def noted(notes: Iterable[str]) -> list[str]:
    """Return a line for each note."""
    return [f"- {note}" for note in notes]


def targets_table(
    targets: Iterable[Target], value: Callable[[float], str], unit: str = ""
) -> Table:
    """Return the table of the figures to reach; `value` formats a figure."""
    change = {"value": {"format": value}}
    return table(f"Figures to reach{unit}", Target, targets, change=change)
