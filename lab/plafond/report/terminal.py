# SPDX-License-Identifier: MIT
"""The report in the terminal."""

from collections.abc import Iterable
from dataclasses import replace

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from plafond.columns import Column
from plafond.output import print_table, show
from plafond.report.alarm import alarm_lines
from plafond.report.cells import TEXT_COLUMNS, count_columns, ratio_columns, time_tables
from plafond.report.conditions import condition_rows, cut_lines, place_words
from plafond.report.gantt import make_gantt
from plafond.report.gantt_terminal import print_gantt
from plafond.report.gantt_words import about
from plafond.report.headline import headline
from plafond.report.histograms import Measure
from plafond.report.sharing import (
    KEPT_OUT,
    KEPT_OUT_COLUMNS,
    SHARING,
    SHARING_COLUMNS,
    kept_out_lines,
    sharing_lines,
)
from plafond.report.sharing import TEXT_COLUMNS as TEXT_OF_SHARING
from plafond.report.summary import SUMMARY_COLUMNS, summary_lines
from plafond.report.tail import Tail, make_tail
from plafond.report.threads import TEXT_COLUMNS as OF_THREADS
from plafond.report.threads import left_out, thread_tables
from plafond.rows import Table
from plafond.run.model import Execution
from plafond.run.stops import not_judged_notes
from plafond.trace.verdicts import Verdict
from plafond.units import format_duration

WIDE = 100  # characters; in a narrower terminal the bounds are a table of their own
SUMMARY = "Deadlines and bounds"
RATIOS = "Ratios: the longest response without stops over the bound with overheads"
PROTOCOL = 0  # the first column
# How many times a tail has, in a wide and in a narrow terminal.
TAIL_WIDE, TAIL_NARROW = 12, 7


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
    if execution.report.arrivals_are_worst:
        show(console, Table(RATIOS, ratio_columns(execution)))
    _print_alarms(console, execution)
    gantt = make_gantt(execution)
    heading = about(gantt, execution.shown_task.name)
    console.print(Text(f"\n{heading}{times}\n", style="bold"))
    print_gantt(gantt, console)
    if report.notes:
        console.print()
    for note in report.notes:
        console.print(Text(f"- {note}"))
    _print_cuts(console, execution)


def print_brief(execution: Execution, console: Console | None = None) -> None:
    """Print the outcome: a few sentences, and a table of what was kept."""
    console = console or Console(highlight=False)
    title = f"{execution.report.name}, {place_words(execution)}{execution.times}"
    console.print(Text(title, style="bold"))
    for sentence in headline(execution):
        console.print(Text(sentence))
    for note in not_judged_notes(execution.report.rows):
        console.print(Text(note))
    _print_cuts(console, execution)
    _print_alarms(console, execution)
    lines = map(_marked, summary_lines(execution))
    print_table(console, SUMMARY, SUMMARY_COLUMNS, lines, TEXT_COLUMNS)


def _print_cuts(console: Console, execution: Execution) -> None:
    for line in cut_lines(execution):
        console.print(Text(f"\n{line}", style="bold red"))


def _print_alarms(console: Console, execution: Execution) -> None:
    for line in alarm_lines(execution):
        console.print(Text(f"\n{line}", style="bold red"))


def _print_tables(console: Console, execution: Execution) -> None:
    is_wide = console.width >= WIDE
    for table in time_tables(execution):
        names = [column.heading for column in table.columns]
        response, bound = names.index("response avg"), names.index("bound")
        before, here = table.columns[1:response], table.columns[response:bound]
        after = table.columns[bound:]
        parts = {
            f"{table.task}: {table.description}": [*here, *after] if is_wide else here,
            **({} if is_wide else {f"{table.task}: bounds": after}),
            f"{table.task}: latency and blocking": before,
        }
        for heading, columns in parts.items():
            protocol = table.columns[PROTOCOL]
            show(console, Table(escape(heading), _of_text(protocol, *columns)))
    show(console, Table("Counts", _of_text(*count_columns(execution))))
    if execution.report.sharing:
        _print_sharing(console, execution)
    _print_threads(console, execution)
    for measure in (Measure.LATENCY, Measure.RESPONSE):
        _print_tail(console, make_tail(execution, measure, TAIL_WIDE if is_wide else TAIL_NARROW))


def _print_sharing(console: Console, execution: Execution) -> None:
    for title, columns, lines in (
        (SHARING, SHARING_COLUMNS, sharing_lines(execution)),
        (KEPT_OUT, KEPT_OUT_COLUMNS, kept_out_lines(execution)),
    ):
        print_table(console, title, columns, map(_marked, lines), TEXT_OF_SHARING)


def _print_threads(console: Console, execution: Execution) -> None:
    for table in thread_tables(execution):
        lines = ([escape(cell) for cell in line] for line in table.lines)
        print_table(console, escape(table.title), table.columns, lines, OF_THREADS)
    if left_out(execution):
        console.print(Text(f"\n{left_out(execution)}"))


def _print_tail(console: Console, tail: Tail) -> None:
    print_table(
        console,
        escape(f"Activations of {tail.task} with a {tail.measure} of at least"),
        ("protocol", *map(format_duration, tail.times_ns)),
        ((protocol, *map(str, counts)) for protocol, counts in tail.counts.items()),
        TEXT_COLUMNS,
    )


def _of_text(*columns: Column) -> list[Column]:
    """Return columns whose cells have no markup but that of an alarm."""
    return [replace(column, cells=_marked(column.cells)) for column in columns]


def _marked(cells: Iterable[str]) -> list[str]:
    return [f"[bold red]{cell}[/]" if cell == Verdict.EXCEEDED else escape(cell) for cell in cells]
