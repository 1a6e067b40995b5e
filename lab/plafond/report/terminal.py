# SPDX-License-Identifier: MIT
"""The report in the terminal."""

from dataclasses import replace

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from plafond.output import show
from plafond.report.alarm import alarm_lines
from plafond.report.cells import count_table, ratio_table, time_tables
from plafond.report.conditions import condition_rows, cut_lines, place_words
from plafond.report.gantt import make_gantt
from plafond.report.gantt_terminal import print_gantt
from plafond.report.gantt_words import about
from plafond.report.headline import headline
from plafond.report.histograms import Measure
from plafond.report.sharing import sharing_tables
from plafond.report.summary import summary_table
from plafond.report.tail import make_tail
from plafond.report.threads import left_out, thread_tables
from plafond.rows import Table
from plafond.run.model import Execution
from plafond.run.stops import not_judged_notes
from plafond.trace.verdicts import Verdict

WIDE = 100  # characters; a narrower terminal shows the bounds in a separate table
PROTOCOL = 0  # the first column
# Times of a tail in a wide and in a narrow terminal.
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
        _show(console, ratio_table(execution))
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
    """Print the outcome: a few sentences, and a table of deadlines and bounds."""
    console = console or Console(highlight=False)
    title = f"{execution.report.name}, {place_words(execution)}{execution.times}"
    console.print(Text(title, style="bold"))
    for sentence in headline(execution):
        console.print(Text(sentence))
    for note in not_judged_notes(execution.report.rows):
        console.print(Text(note))
    _print_cuts(console, execution)
    _print_alarms(console, execution)
    _show(console, summary_table(execution))


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
            f"{table.title}: {table.caption}": [*here, *after] if is_wide else here,
            **({} if is_wide else {f"{table.title}: bounds": after}),
            f"{table.title}: latency and blocking": before,
        }
        for heading, columns in parts.items():
            _show(console, Table(heading, [table.columns[PROTOCOL], *columns]))
    _show(console, count_table(execution))
    for table in sharing_tables(execution) if execution.report.sharing else ():
        _show(console, table)
    for table in thread_tables(execution):
        _show(console, table)
    if left_out(execution):
        console.print(Text(f"\n{left_out(execution)}"))
    for measure in (Measure.LATENCY, Measure.RESPONSE):
        _show(console, make_tail(execution, measure, TAIL_WIDE if is_wide else TAIL_NARROW).table)


def _show(console: Console, table: Table) -> None:
    """Print a table; only the cells of an alarm have markup."""
    columns = [replace(column, cells=list(map(_marked, column.cells))) for column in table.columns]
    show(console, Table(escape(table.title), columns))


def _marked(cell: str) -> str:
    return f"[bold red]{cell}[/]" if cell == Verdict.EXCEEDED else escape(cell)
