# SPDX-License-Identifier: MIT
"""The analysis as a table for the terminal."""

from rich.console import Console
from rich.markup import escape

from plafond.analyse.model import AnalysisReport, AnalysisRow, DemandRow, Verdict
from plafond.output import print_table
from plafond.units import format_duration

COLUMNS = ("task", "protocol", "blocking", "response", "deadline", "verdict")
TEXT_COLUMNS = ("task", "protocol", "verdict")
DEMAND_COLUMNS = (
    "cpu",
    "utilisation",
    "busy period",
    "verdict",
    "late within",
    "demand",
    "blocking",
)


def print_report(report: AnalysisReport, console: Console | None = None) -> None:
    """Print the table, under EDF the demand of each CPU, and the notes below."""
    console = console or Console(highlight=False)
    print_table(console, escape(_title(report)), COLUMNS, map(_cells, report.rows), TEXT_COLUMNS)
    if report.demand:
        rows = map(_demand_cells, report.demand)
        print_table(console, "Processor demand", DEMAND_COLUMNS, rows, ("verdict",))
    for note in report.notes:
        console.print(f"- {note}", markup=False)


def _title(report: AnalysisReport) -> str:
    included = "without overheads" if report.overheads is None else "with measured overheads"
    return f"{report.name}: bounds {included}"


def _cells(row: AnalysisRow) -> tuple[str, ...]:
    bounds = (row.blocking_bound_ns, row.response_bound_ns, row.deadline_ns)
    return (row.task, row.protocol.value, *map(_duration, bounds), row.verdict.value)


def _demand_cells(row: DemandRow) -> tuple[str, ...]:
    verdict = Verdict.SCHEDULABLE if row.schedulable else Verdict.LATE
    late = (row.window_ns, row.demand_ns, row.blocking_ns)
    load = f"{row.utilisation:.1%}"
    return (str(row.cpu), load, _duration(row.busy_period_ns), verdict.value, *map(_duration, late))


def _duration(value_ns: int | None) -> str:
    return "-" if value_ns is None else format_duration(value_ns)
