# SPDX-License-Identifier: MIT
"""The report of `plafond preload --learn`."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict

from plafond.preload.bounds import bounds_of
from plafond.preload.evidence import Evidence, Locker, Thread, WaitedFor
from plafond.preload.learned import Learned
from plafond.preload.notes import notes_of
from plafond.preload.proposal import Proposal
from plafond.rows import Column, duration


def _or_none(name: str) -> str:
    return name or "-"


def _names(names: list[str]) -> str:
    return ", ".join(names) or "none"


def _priority(row: "LockerRow") -> str:
    return row.policy if row.priority is None else str(row.priority)


def _today(row: "MutexRow") -> str:
    return row.protocol if row.ceiling_today is None else f"ceiling {row.ceiling_today}"


def _proposed(row: "MutexRow") -> str:
    return "as it is" if row.ceiling is None else f"ceiling {row.ceiling}"


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True)


class WaitRow(_Row):
    """Waits for the thread that had a mutex when they began; None if it was not seen."""

    thread: Annotated[str | None, Column("waited for", format=_or_none, missing="-")]
    runs_as: Annotated[str | None, Column("which ran as", format=_or_none, missing="-")]
    waits: Annotated[int, Column("waits")]
    longest_ns: Annotated[int, duration("longest")]


class LockerRow(_Row):
    """A thread that locked a mutex. Its priority or CPU is None if it has none."""

    thread: Annotated[str, Column("thread")]
    start: str
    policy: str
    priority: Annotated[int | None, Column("priority", of=_priority)]
    cpu: Annotated[int | None, Column("cpu", missing="-")]
    locks: Annotated[int, Column("locks")]
    waits: Annotated[int, Column("waits")]
    preempted: Annotated[int, Column("preempted")]
    longest_hold_ns: Annotated[int, duration("held")]
    longest_wait_ns: int
    waited_for: list[WaitRow]  # the longest first


class MutexRow(_Row):
    """A mutex: its protocol today, and the proposed change."""

    mutex: Annotated[str, Column("mutex")]
    module: str
    offset: str
    symbol: str
    order: int
    protocol: Literal["none", "inherit", "protect"]
    ceiling_today: Annotated[int | None, Column("today", of=_today, is_text=True)]
    place: str | None  # of the mutex itself, if it is recognised by that
    run_as: str
    # Proposed; None if the mutex stays as it is.
    ceiling: Annotated[int | None, Column("proposed", of=_proposed, is_text=True)]
    why: str | None  # reason why it stays, or which thread does not gain
    # The threads whose priority is higher inside than outside.
    lifted: Annotated[list[str], Column("lifts", format=_names, is_text=True, wraps=True)]
    lockers: list[LockerRow]


class TaskRow(_Row):
    """A task: the bounds of its blocking, today and with the proposed ceilings."""

    task: Annotated[str, Column("task")]
    priority: Annotated[int, Column("priority")]
    cpu: Annotated[int | None, Column("cpu", missing="-")]
    activations: Annotated[int, Column("activations")]
    least_gap_ns: int | None
    blocking_before_ns: Annotated[int, duration("blocked today")]
    blocking_after_ns: Annotated[int, duration("with ceilings")]


class LearnReport(_Row):
    """The report: all rows and notes."""

    program: str
    file: str
    duration_ns: int
    mutexes: list[MutexRow]
    tasks: list[TaskRow]
    notes: list[str]


def report_of(learned: Learned, file: Path, others: list[Evidence]) -> LearnReport:
    """Return the report of the results. `others`: processes whose evidence was not used."""
    bounds = bounds_of(learned)
    return LearnReport(
        program=learned.evidence.program,
        file=str(file),
        duration_ns=learned.evidence.duration_ns,
        mutexes=[_mutex_row(learned, proposal) for proposal in learned.proposals],
        tasks=[
            TaskRow(
                task=learned.threads[task.thread],
                priority=task.priority,
                cpu=None if task.cpu < 0 else task.cpu,
                activations=task.activations,
                least_gap_ns=task.shortest_gap_ns or None,
                blocking_before_ns=bounds[task.thread].before_ns,
                blocking_after_ns=bounds[task.thread].after_ns,
            )
            for task in learned.tasks
        ],
        notes=notes_of(learned, file, others),
    )


def _mutex_row(learned: Learned, proposal: Proposal) -> MutexRow:
    mutex = proposal.mutex
    return MutexRow(
        mutex=proposal.name,
        module=mutex.module,
        offset=mutex.offset,
        symbol=mutex.symbol,
        order=mutex.order,
        protocol=mutex.protocol,
        ceiling_today=mutex.ceiling if mutex.protocol == "protect" else None,
        place=proposal.place,
        run_as=proposal.run_as,
        ceiling=proposal.ceiling if proposal.use else None,
        why=proposal.why,
        lifted=[learned.name_of(thread) for thread in proposal.lifted],
        lockers=[_locker_row(learned, thread, locker) for thread, locker in proposal.lockers],
    )


def _locker_row(learned: Learned, thread: Thread, locker: Locker) -> LockerRow:
    return LockerRow(
        thread=learned.name_of(thread),
        start=thread.start,
        policy=thread.policy,
        priority=thread.priority if thread.is_real_time else None,
        cpu=None if thread.cpu < 0 else thread.cpu,
        locks=locker.locks,
        waits=locker.waits,
        preempted=locker.preempted,
        longest_hold_ns=locker.longest_hold_ns,
        longest_wait_ns=locker.longest_wait_ns,
        waited_for=[
            _wait_row(learned, wait)
            for wait in sorted(locker.waited_for, key=lambda wait: -wait.longest_ns)
        ],
    )


def _wait_row(learned: Learned, wait: WaitedFor) -> WaitRow:
    holder = learned.evidence.thread_of(wait) if wait.thread else None
    return WaitRow(
        thread=learned.name_of(holder) if holder else None,
        runs_as=holder.runs_as if holder else None,
        waits=wait.waits,
        longest_ns=wait.longest_ns,
    )
