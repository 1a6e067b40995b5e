# SPDX-License-Identifier: MIT
"""The proposal as a table for the terminal, and as tables for a description."""

from rich.console import Console
from rich.markup import escape

from plafond.columns import Column
from plafond.output import show
from plafond.reserve.model import Proposal, Row
from plafond.rows import Table, columns_of, each
from plafond.units import format_duration


def print_proposal(proposal: Proposal, console: Console | None = None) -> None:
    """Print the needs of each thread, the notes, and the tables to paste."""
    console = console or Console(highlight=False)
    period = format_duration(proposal.period_ns)
    title = f"{escape(proposal.name)}: reservations in each {period}"
    show(console, Table(title, _columns(proposal)))
    for thread in proposal.threads:
        for row in thread.rows:
            if row.why_not:
                console.print(f"- {thread.thread}, {row.source}: {row.why_not}", markup=False)
    for note in proposal.notes:
        console.print(f"- {note}", markup=False)
    for thread in proposal.threads:
        console.print(f"\n{thread.toml}", markup=False, soft_wrap=True)


def _columns(proposal: Proposal) -> list[Column]:
    """Name each thread in its first row."""
    rows = [row for thread in proposal.threads for row in thread.rows]
    named = [
        thread if row is thread.rows[0] else None
        for thread in proposal.threads
        for row in thread.rows
    ]
    return [
        each("thread", (thread and thread.thread for thread in named), text=True),
        each("samples", (thread and thread.samples for thread in named)),
        *columns_of(Row, rows),
    ]
