# SPDX-License-Identifier: MIT
"""Derived slots as tables for the terminal."""

from rich.console import Console
from rich.markup import escape

from plafond.analyse.slots_model import HostTaskRow, PeriodRow, SlotRow, SlotsReport
from plafond.output import print_table
from plafond.units import format_duration

SLOT_COLUMNS = ("server", "board", "utilisation", "alpha", "share", "start", "budget")
TASK_COLUMNS = ("task", "server", "period", "run", "on the host")


def print_slots(report: SlotsReport, console: Console | None = None) -> None:
    """Print the slots, the run times on the host, and what other periods need."""
    console = console or Console(highlight=False)
    title = f"{escape(report.name)}: slots of one processor"
    print_table(console, title, SLOT_COLUMNS, map(_slot_cells, report.slots), ("server",))
    console.print(f"- period {format_duration(report.period_ns)}, {_host(report)}", markup=False)
    rows = map(_task_cells, report.tasks)
    print_table(console, "Run times", TASK_COLUMNS, rows, ("task", "server"))
    columns = ("period", *(slot.server for slot in report.slots), "speed-up")
    title = "Further speed-up for other periods"
    print_table(console, title, columns, map(_period_cells, report.periods), ())
    for note in report.notes:
        console.print(f"- {note}", markup=False)


def _host(report: SlotsReport) -> str:
    """Say how fast the processor must be."""
    words = f"on a processor {_number(report.speed_up)} times as fast as the slowest board"
    return words if report.host_mhz is None else f"{words}: {_number(report.host_mhz)} MHz"


def _slot_cells(row: SlotRow) -> tuple[str, ...]:
    board = "-" if row.clock_mhz is None else f"{row.clock_mhz} MHz"
    shares = (f"{row.utilisation:.1%}", _number(row.alpha), f"{row.share:.1%}")
    return (row.server, board, *shares, *map(format_duration, (row.start_ns, row.budget_ns)))


def _task_cells(row: HostTaskRow) -> tuple[str, ...]:
    times = (row.period_ns, row.run_ns, row.host_run_ns)
    return (row.task, row.server, *map(format_duration, times))


def _period_cells(row: PeriodRow) -> tuple[str, ...]:
    needed = (*row.speed_ups.values(), row.speed_up)
    return (format_duration(row.period_ns), *map(_number, needed))


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"
