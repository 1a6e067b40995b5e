# SPDX-License-Identifier: MIT
"""Derived slots as tables for the terminal."""

from rich.console import Console
from rich.markup import escape

from plafond.analyse.slots_model import HostTaskRow, PeriodRow, SlotRow, SlotsReport
from plafond.output import show
from plafond.rows import table
from plafond.units import format_duration


def print_slots(report: SlotsReport, console: Console | None = None) -> None:
    """Print the slots, the run times on the host, and what other periods need."""
    console = console or Console(highlight=False)
    title = f"{escape(report.name)}: slots of one processor"
    show(console, table(title, SlotRow, report.slots))
    console.print(f"- period {format_duration(report.period_ns)}, {_host(report)}", markup=False)
    show(console, table("Run times", HostTaskRow, report.tasks))
    show(console, table("Further speed-up for other periods", PeriodRow, report.periods))
    for note in report.notes:
        console.print(f"- {note}", markup=False)


def _host(report: SlotsReport) -> str:
    """Return how fast the processor must be, in words."""
    words = f"on a processor {_number(report.speed_up)} times as fast as the slowest board"
    return words if report.host_mhz is None else f"{words}: {_number(report.host_mhz)} MHz"


def _number(value: float) -> str:
    return f"{value:.4g}"
