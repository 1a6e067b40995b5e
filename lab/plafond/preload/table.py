# SPDX-License-Identifier: MIT
"""The learned report for the terminal."""

from rich.console import Console

from plafond.output import show
from plafond.preload.model import LearnReport, LockerRow, MutexRow, TaskRow, WaitRow
from plafond.rows import Table, columns_of, each, table
from plafond.units import format_duration


def print_report(report: LearnReport, console: Console) -> None:
    """Print the proposed changes, the bounds before and after, and the notes."""
    duration = format_duration(report.duration_ns)
    console.print(f"\n{report.file}: {report.program}, {duration}", markup=False, soft_wrap=True)
    show(console, table("Mutexes", MutexRow, report.mutexes))
    show(console, _locked_by(report))
    waits = _waits(report)
    if waits.columns[0].cells:
        show(console, waits)
    if report.tasks:
        show(console, table("Tasks", TaskRow, report.tasks))
    for note in report.notes:
        console.print(f"- {note}", markup=False, soft_wrap=True)


def _locked_by(report: LearnReport) -> Table:
    lines = [(mutex, locker) for mutex in report.mutexes for locker in mutex.lockers]
    mutexes = each("mutex", (mutex.mutex for mutex, _ in lines), text=True)
    lockers = columns_of(LockerRow, (locker for _, locker in lines))
    return Table("Locked by", [mutexes, *lockers])


def _waits(report: LearnReport) -> Table:
    lines = [
        (mutex, locker, wait)
        for mutex in report.mutexes
        for locker in mutex.lockers
        for wait in locker.waited_for
    ]
    lockers = [locker for _, locker, _ in lines]
    return Table(
        "Waits",
        [
            each("mutex", (mutex.mutex for mutex, _, _ in lines), text=True),
            each("thread", (locker.thread for locker in lockers), text=True),
            each("runs as", map(_runs_as, lockers), text=True),
            *columns_of(WaitRow, (wait for _, _, wait in lines)),
        ],
    )


def _runs_as(row: LockerRow) -> str:
    return row.policy if row.priority is None else f"{row.policy} {row.priority}"
