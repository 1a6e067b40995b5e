# SPDX-License-Identifier: MIT
"""The analysis as a table for the terminal."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.markup import escape

from plafond.analyse.model import AnalysisReport, AnalysisRow, DemandRow, ServerRow
from plafond.analyse.on_target import CostsRow, TargetReport, TargetRow
from plafond.output import show
from plafond.rows import table
from plafond.units import format_duration


def print_report(report: AnalysisReport, console: Console | None = None) -> None:
    """Print the tables of tasks, servers and, under EDF, demand, and then the notes."""
    console = console or Console(highlight=False)
    title = f"{escape(report.name)}: bounds without overheads"
    without = () if report.servers else ("server",)
    optional = ("end_to_end_ns", "claimed_run_ns")
    unused = (name for name in optional if all(getattr(row, name) is None for row in report.rows))
    show(console, table(title, AnalysisRow, report.rows, without=(*without, *unused)))
    if report.servers:
        is_shared = any(row.kept_out_ns is not None for row in report.servers)
        unshared = () if is_shared else ("sharing", "hold_ns", "kept_out_ns")
        show(console, table("Servers", ServerRow, report.servers, without=unshared))
    if report.demand:
        show(console, table("Processor demand", DemandRow, report.demand, without=without))
    for note in report.notes:
        console.print(f"- {note}", markup=False)


def print_target_report(report: TargetReport, console: Console | None = None) -> None:
    """Print the bounds without and with overheads, the overheads, and the notes."""
    console = console or Console(highlight=False)
    title = f"{escape(report.name)}: bounds with the overheads of {report.target}"
    show(console, table(title, TargetRow, report.rows))
    show(console, table(f"Overheads of {report.target}", CostsRow, report.costs))
    if report.ticks:
        console.print(f"- ticks take at most {', '.join(_ticks(report.ticks))}", markup=False)
    for note in report.notes:
        console.print(f"- {note}", markup=False)


def _ticks(ticks: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Yield the points at which the curve rises, in words."""
    last_ns = 0
    for window_ns, stolen_ns in ticks:
        if stolen_ns > last_ns:
            yield f"{format_duration(stolen_ns)} of {format_duration(window_ns)}"
        last_ns = stolen_ns
