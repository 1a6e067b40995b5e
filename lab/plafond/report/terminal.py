# SPDX-License-Identifier: MIT
"""The report in the terminal."""

from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from plafond.output import print_table
from plafond.report.cells import (
    COUNT_COLUMNS,
    TEXT_COLUMNS,
    TIME_COLUMNS,
    count_lines,
    time_tables,
)
from plafond.report.conditions import condition_rows, cut_lines, place_words
from plafond.report.gantt import make_gantt
from plafond.report.gantt_terminal import print_gantt
from plafond.run.model import Execution
from plafond.trace.measures import Verdict

WIDE = 112  # characters; in a narrower terminal each table of times becomes two
TIMES = tuple(range(len(TIME_COLUMNS)))
LATENCY_AND_BLOCKING = TIMES[:5]
RESPONSE = (TIMES[0], *TIMES[5:])


def print_execution(execution: Execution, console: Console | None = None) -> None:
    """Print conditions, tables, the Gantt chart and the notes."""
    console = console or Console(highlight=False)
    report = execution.report
    times = execution.times
    console.print(Text(f"{report.name}, {place_words(execution)}{times}", style="bold"))
    for name, value in condition_rows(execution):
        console.print(Text(f"{name}: {value}"))
    _print_cuts(console, execution)
    _print_tables(console, execution)
    shown = execution.shown_task.name
    console.print(Text(f"\nThe worst activation of {shown}{times}\n", style="bold"))
    print_gantt(make_gantt(execution), console)
    if report.notes:
        console.print()
    for note in report.notes:
        console.print(Text(f"- {note}"))
    _print_cuts(console, execution)


def _print_cuts(console: Console, execution: Execution) -> None:
    for line in cut_lines(execution):
        console.print(Text(f"\n{line}", style="bold red"))


def _print_tables(console: Console, execution: Execution) -> None:
    is_wide = console.width >= WIDE
    parts = (TIMES,) if is_wide else (LATENCY_AND_BLOCKING, RESPONSE)
    for table in time_tables(execution):
        for part in parts:
            title = escape(f"{table.task}: {table.description}")
            lines = (_marked(line[index] for index in part) for line in table.lines)
            columns = [TIME_COLUMNS[index] for index in part]
            print_table(console, title, columns, lines, TEXT_COLUMNS)
    print_table(
        console, "Counts", COUNT_COLUMNS, map(_marked, count_lines(execution)), TEXT_COLUMNS
    )


def _marked(cells: Iterable[str]) -> list[str]:
    return [f"[bold red]{cell}[/]" if cell == Verdict.EXCEEDED else escape(cell) for cell in cells]
