# SPDX-License-Identifier: MIT
"""The proposal as a table for the terminal, and its tables of a description."""

from rich.console import Console
from rich.markup import escape

from plafond.output import print_table
from plafond.reserve.model import Proposal, Row, ThreadRows
from plafond.units import format_duration

COLUMNS = ("thread", "samples", "from", "C", "P", "budget", "share", "N_c", "lost")
TEXT_COLUMNS = ("thread", "from")


def print_proposal(proposal: Proposal, console: Console | None = None) -> None:
    """Print what each thread needs, notes, and the tables to paste."""
    console = console or Console(highlight=False)
    period = format_duration(proposal.period_ns)
    title = f"{escape(proposal.name)}: reservations in each {period}"
    rows = (cells for thread in proposal.threads for cells in _cells(thread))
    print_table(console, title, COLUMNS, rows, TEXT_COLUMNS)
    for thread in proposal.threads:
        for row in thread.rows:
            if row.why_not:
                console.print(f"- {thread.thread}, {row.source}: {row.why_not}", markup=False)
    for note in proposal.notes:
        console.print(f"- {note}", markup=False)
    for thread in proposal.threads:
        console.print(f"\n{thread.toml}", markup=False, soft_wrap=True)


def _cells(thread: ThreadRows) -> list[tuple[str, ...]]:
    first = (thread.thread, str(thread.samples))
    return [
        (*(first if row is thread.rows[0] else ("", "")), *_cells_of(row)) for row in thread.rows
    ]


def _cells_of(row: Row) -> tuple[str, ...]:
    return (
        row.source,
        format_duration(row.execution_ns),
        format_duration(row.interval_ns),
        "-" if row.budget_ns is None else format_duration(row.budget_ns, digits=6),
        "-" if row.share is None else f"{row.share:.2%}",
        "-" if row.pending is None else str(row.pending),
        "-" if row.lost is None else f"{row.lost:.2%}",
    )
