# SPDX-License-Identifier: MIT
"""The learned report for the terminal."""

from collections.abc import Iterator

from rich.console import Console

from plafond.output import print_table
from plafond.preload.model import LearnReport, LockerRow, MutexRow, TaskRow, WaitRow
from plafond.units import format_duration

MUTEX_COLUMNS = ("mutex", "today", "proposed", "lifts")
LOCKER_COLUMNS = ("mutex", "thread", "priority", "cpu", "locks", "waits", "preempted", "held")
WAIT_COLUMNS = ("mutex", "thread", "runs as", "waited for", "which ran as", "waits", "longest")
TASK_COLUMNS = ("task", "priority", "cpu", "activations", "blocked today", "with ceilings")
TEXT_COLUMNS = (
    "mutex",
    "today",
    "proposed",
    "lifts",
    "thread",
    "runs as",
    "waited for",
    "which ran as",
    "task",
)


def print_report(report: LearnReport, console: Console) -> None:
    """Print what would change, bounds before and after, and the notes."""
    duration = format_duration(report.duration_ns)
    console.print(f"\n{report.file}: {report.program}, {duration}", markup=False, soft_wrap=True)
    print_table(
        console,
        "Mutexes",
        MUTEX_COLUMNS,
        map(_mutex_cells, report.mutexes),
        TEXT_COLUMNS,
        ("lifts",),
    )
    print_table(console, "Locked by", LOCKER_COLUMNS, _all_lockers(report), TEXT_COLUMNS)
    if waits := list(_all_waits(report)):
        print_table(console, "Waits", WAIT_COLUMNS, waits, TEXT_COLUMNS)
    if report.tasks:
        print_table(console, "Tasks", TASK_COLUMNS, map(_task_cells, report.tasks), TEXT_COLUMNS)
    for note in report.notes:
        console.print(f"- {note}", markup=False, soft_wrap=True)


def _mutex_cells(row: MutexRow) -> tuple[str, ...]:
    today = row.protocol if row.ceiling_today is None else f"ceiling {row.ceiling_today}"
    proposed = "as it is" if row.ceiling is None else f"ceiling {row.ceiling}"
    return row.mutex, today, proposed, ", ".join(row.lifted) or "none"


def _all_lockers(report: LearnReport) -> Iterator[tuple[str, ...]]:
    for mutex in report.mutexes:
        yield from (_locker_cells(mutex.mutex, locker) for locker in mutex.lockers)


def _locker_cells(mutex: str, row: LockerRow) -> tuple[str, ...]:
    return (
        mutex,
        row.thread,
        row.policy if row.priority is None else str(row.priority),
        "-" if row.cpu is None else str(row.cpu),
        str(row.locks),
        str(row.waits),
        str(row.preempted),
        format_duration(row.longest_hold_ns),
    )


def _all_waits(report: LearnReport) -> Iterator[tuple[str, ...]]:
    for mutex in report.mutexes:
        for locker in mutex.lockers:
            yield from (_wait_cells(mutex.mutex, locker, wait) for wait in locker.waited_for)


def _wait_cells(mutex: str, row: LockerRow, wait: WaitRow) -> tuple[str, ...]:
    return (
        mutex,
        row.thread,
        row.policy if row.priority is None else f"{row.policy} {row.priority}",
        wait.thread or "-",
        wait.runs_as or "-",
        str(wait.waits),
        format_duration(wait.longest_ns),
    )


def _task_cells(row: TaskRow) -> tuple[str, ...]:
    return (
        row.task,
        str(row.priority),
        "-" if row.cpu is None else str(row.cpu),
        str(row.activations),
        format_duration(row.blocking_before_ns),
        format_duration(row.blocking_after_ns),
    )
