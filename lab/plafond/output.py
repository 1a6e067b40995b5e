# SPDX-License-Identifier: MIT
"""Print the reports of all commands: tables for people, JSON for programs."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from plafond.columns import Column, split, widths

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console
    from rich.table import Table

    from plafond.rows import Table as RowTable

Report = TypeVar("Report", bound="BaseModel")
INTERRUPTED = 130  # as a shell reports Ctrl-C


class Format(StrEnum):
    """The format of a printed report."""

    TABLE = "table"
    JSON = "json"


FormatOption = Annotated[Format, typer.Option("--format", help="How to print the report.")]


@contextmanager
def ended_by_ctrl_c() -> Iterator[None]:
    """End the command quietly if Ctrl-C comes meanwhile."""
    try:
        yield
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None


def print_as(output_format: Format, report: Report, print_tables: Callable[[Report], None]) -> None:
    """Print the report as JSON or with `print_tables`."""
    if output_format is Format.JSON:
        print(report.model_dump_json(indent=2))
    else:
        print_tables(report)


def show(console: "Console", table: "RowTable") -> None:
    """Print a table, divided into several if it is wider than the console."""
    for number, part in enumerate(split(table.columns, console.width)):
        console.print(f"\n[bold]{table.title}[/bold]{', continued' if number else ''}")
        console.print(_table(part, console.width))


def _table(columns: Sequence[Column], width: int) -> "Table":
    # Imported late, because commands that print no table should not wait for them.
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for column, given in zip(columns, widths(columns, width), strict=True):
        table.add_column(
            column.heading,
            justify="left" if column.is_text else "right",
            width=given,
            overflow="fold",
        )
    for cells in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*cells)
    return table
