# SPDX-License-Identifier: MIT
"""The tables of Mueller 2014."""

from collections.abc import Iterable, Iterator

from plafond.bench.kernel.model import GrowthRow, KernelReport, TransitionRow, UsersRow
from plafond.bench.kernel.variants import SCHEDULED, Variant
from plafond.bench.tables import Table
from plafond.describe.kernel import Scheduler
from plafond.protocols import GlobalProtocol

TEXT_COLUMNS = ("transition",)
UNORDERED_CYCLES = "5 to 8"  # a swap and a branch: the footnote of Table III
BY = {Scheduler.PRIORITY: "software", Scheduler.HARDWARE: "hardware"}
GROWING = ("activated", "starts", "next starts", "starts there")
USED = ("Get", "Release", "unblock there")


def mueller_tables(report: KernelReport) -> Iterator[Table]:
    """Yield all of them."""
    yield _transitions(
        "Mueller 2014, Tables I and II: by software, and by hardware (instructions; the paper: "
        "cycles)",
        report.transitions,
    )
    yield _transitions(
        "Mueller 2014, two cores: by software, and by hardware (instructions; the paper: cycles)",
        report.across_cores,
    )
    yield Table(
        "Mueller 2014, a system that grows: by software, and by hardware (instructions)",
        (
            "tasks",
            *(f"{by}: {what}" for by in BY.values() for what in GROWING),
        ),
        _growth_cells(report.growth),
        TEXT_COLUMNS,
    )
    yield from _global_tables(report)


def _global_tables(report: KernelReport) -> Iterator[Table]:
    yield Table(
        "Mueller 2014, Table III: resources of two cores (instructions; the paper: cycles)",
        ("transition", *map(_global_heading, SCHEDULED), "paper"),
        (
            (
                row.transition,
                *(str(row.instructions[variant]) for variant in SCHEDULED),
                str(row.paper or ""),
            )
            for row in report.across_locks
        ),
        TEXT_COLUMNS,
    )
    yield Table(
        "Mueller 2014, Table III: system calls",
        ("transition", *map(_global_heading, SCHEDULED)),
        (
            (row.transition, *(str(row.system_calls[variant]) for variant in SCHEDULED))
            for row in report.across_locks
        ),
        TEXT_COLUMNS,
    )
    yield Table(
        "Mueller 2014, spinlocks: GetSpinlock + ReleaseSpinlock (instructions; the paper: cycles)",
        ("protocol", "instructions", "system calls", "paper, without a service"),
        (
            (
                row.protocol,
                f"{row.instructions}",
                f"{row.system_calls}",
                UNORDERED_CYCLES if row.protocol == GlobalProtocol.SPIN_UNORDERED else "",
            )
            for row in report.spinlocks
        ),
        ("protocol",),
    )
    yield Table(
        "Mueller 2014, a resource with more users: by software, and by hardware (instructions)",
        ("users", *(f"{by}: {what}" for by in BY.values() for what in USED)),
        _users_cells(report.users),
        TEXT_COLUMNS,
    )


def _transitions(title: str, rows: Iterable[TransitionRow]) -> Table:
    return Table(
        title,
        ("transition", *map(_heading, SCHEDULED), "paper: basic", "extended"),
        (
            (
                row.transition,
                *(str(row.instructions[variant]) for variant in SCHEDULED),
                *(str(each or "") for each in (row.paper_basic, row.paper_extended)),
            )
            for row in rows
        ),
        TEXT_COLUMNS,
    )


def _heading(variant: Variant) -> str:
    return f"{BY[variant.scheduler]}: {variant.protocol}"


def _global_heading(variant: Variant) -> str:
    protocol = variant.protocol.traits.globals[0]
    return f"{BY[variant.scheduler]}: {protocol}, {variant.protocol}"


def _users_cells(rows: list[UsersRow]) -> Iterator[tuple[str, ...]]:
    for users in dict.fromkeys(row.users for row in rows):
        counts = (
            count
            for scheduler in BY
            for row in rows
            if (row.scheduler, row.users) == (scheduler, users)
            for count in (row.get, row.release, row.release_to_there)
        )
        yield (f"{users}", *map(str, counts))


def _growth_cells(rows: list[GrowthRow]) -> Iterator[tuple[str, ...]]:
    """A row for each system; under both schedulers."""
    for tasks in dict.fromkeys(row.tasks for row in rows):
        counts = (
            count
            for scheduler in BY
            for row in rows
            if (row.scheduler, row.tasks) == (scheduler, tasks)
            for count in (row.activated, row.started, row.next_started, row.started_there)
        )
        yield (f"{tasks}", *map(str, counts))
