# SPDX-License-Identifier: MIT
"""How every command prints: tables for people, JSON for programs."""

from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table


class Format(StrEnum):
    """How a report is printed."""

    TABLE = "table"
    JSON = "json"


FormatOption = Annotated[Format, typer.Option("--format", help="How to print the report.")]


def print_table(
    console: Console,
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    text_columns: Collection[str],
    wrapped: Collection[str] = (),
) -> None:
    """Print one titled table; columns that are not text are numbers, flush right."""
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        text = column in text_columns
        table.add_column(
            column,
            justify="left" if text else "right",
            no_wrap=text and column not in wrapped,
            overflow="fold" if column in wrapped else "ellipsis",
            min_width=max(map(len, column.split())),
        )
    for cells in rows:
        table.add_row(*cells)
    console.print(f"\n[bold]{title}[/bold]")
    console.print(table)
