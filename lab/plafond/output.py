# SPDX-License-Identifier: MIT
"""How every command prints: tables for people, JSON for programs."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from pydantic import BaseModel

Report = TypeVar("Report", bound="BaseModel")
INTERRUPTED = 130  # as a shell reports Ctrl-C


class Format(StrEnum):
    """How a report is printed."""

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
    """Print the report: as JSON, or as that function does."""
    if output_format is Format.JSON:
        print(report.model_dump_json(indent=2))
    else:
        print_tables(report)


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
