# SPDX-License-Identifier: MIT
"""The report of `plafond check` for the terminal."""

from collections.abc import Sequence
from decimal import Decimal

from rich.console import Console

from plafond.check.model import CheckReport, ReservationRow, ResourceRow, ServerRow, TaskRow
from plafond.describe.kernel import Scheduler
from plafond.output import print_table
from plafond.protocols import USERS_IN_WORD
from plafond.units import UNIT_NS, format_duration

_PRIORITY, _FIRST, _JITTER = "priority", "first deadline", "jitter"
TEXT_COLUMNS = (
    "task",
    "server",
    "kind",
    "global",
    "thread",
    "resource",
    "users",
    "tasks",
    "verdict",
)
GLOBAL = "global"
ABOUT_GLOBAL = (
    "global: locked from several CPUs, under plafond above all priorities of each of them"
)
ABOUT_SERVERS = (
    "a server as ceiling: no server up to it takes the core from a task inside; in brackets the "
    "ceiling in each"
)
ABOUT_RESERVATIONS = (
    "a reservation: SCHED_DEADLINE, before all tasks without one; N is the number of an interrupt, "
    "whose thread runs on any CPU"
)
ABOUT_SLOTS = "no ceiling: sections end within their slots; in brackets the ceiling in each"


def print_report(report: CheckReport, console: Console | None = None) -> None:
    """Print what follows from a description that is right."""
    console = console or Console(highlight=False)
    console.print(f"{report.file}: {report.name}", markup=False)
    is_edf = report.scheduler == Scheduler.EDF
    _print_tasks(console, report.tasks, is_edf=is_edf)
    if report.servers:
        _print_servers(console, report.servers)
    if report.reservations:
        print_table(
            console,
            "Reservations",
            ("server", "thread", "period", "budget", "share"),
            map(_reservation_cells, report.reservations),
            TEXT_COLUMNS,
        )
    if report.resources:
        print_table(
            console,
            "Resources",
            ("resource", "floor" if is_edf else "ceiling", "users"),
            map(_resource_cells, report.resources),
            TEXT_COLUMNS,
        )
    if report.reservations:
        console.print(f"- {ABOUT_RESERVATIONS}")
    if any(row.is_global for row in report.resources):
        console.print(f"- {ABOUT_GLOBAL}")
    for about in dict.fromkeys(map(_about_servers, report.resources)):
        if about:
            console.print(f"- {about}")
    for row in report.resources:
        if row.by_cpu:
            console.print(f"- {about_words(row)}")
    print_table(
        console,
        "Processors",
        ("cpu", "utilisation", "verdict"),
        ((str(row.cpu), _share(row.utilisation), _verdict(row.overloaded)) for row in report.cpus),
        TEXT_COLUMNS,
    )
    if report.deadlock and not report.deadlock_is_cycle:
        console.print(f"\nwithout ceilings (inherit, none) a deadlock is {report.deadlock[0]}")
    elif report.deadlock:
        console.print("\nwithout ceilings (inherit, none) these can deadlock:")
        for sentence in report.deadlock:
            console.print(f"- {sentence}")


def about_words(row: ResourceRow) -> str:
    """Return what comes of so many users, where the kernel's tasks lock by MPCP."""
    return (
        f"{row.resource}: {len(row.users)} users, and a word holds {USERS_IN_WORD}: under mpcp on "
        "the kernel each CPU has a word, and the CPU with the most urgent user is next"
    )


def _about_servers(row: ResourceRow) -> str | None:
    if not row.by_server:
        return None
    return ABOUT_SERVERS if row.server_ceiling else ABOUT_SLOTS


def _print_tasks(console: Console, tasks: Sequence[TaskRow], *, is_edf: bool) -> None:
    """Print release jitter only where there is some."""
    cells = [_task_cells(row) for row in tasks]
    needless = {_PRIORITY} if is_edf else {_FIRST}
    if not any(row.jitter_ns for row in tasks):
        needless.add(_JITTER)
    headings = [name for name in cells[0] if name not in needless]
    rows = ([row[name] for name in headings] for row in cells)
    print_table(console, "Tasks", headings, rows, TEXT_COLUMNS)


def _task_cells(row: TaskRow) -> dict[str, str]:
    return {
        "task": row.task,
        "cpu": str(row.cpu),
        _PRIORITY: "-" if row.priority is None else str(row.priority),
        "interval": _span(row.least_interval_ns, row.most_interval_ns),
        _JITTER: _duration(row.jitter_ns or None),
        "deadline": _duration(row.deadline_ns),
        _FIRST: _instant(row.first_deadline_ns),
        "run": _span(row.least_run_ns, row.run_ns),
        "utilisation": _share(row.utilisation),
    }


def _resource_cells(row: ResourceRow) -> tuple[str, ...]:
    if row.is_global:
        users = (f"CPU {cpu}: {', '.join(names)}" for cpu, names in row.users_by_cpu.items())
        return row.resource, GLOBAL, "; ".join(users)
    if row.by_server:
        users = (f"{of.server} ({of.ceiling}): {', '.join(of.users)}" for of in row.by_server)
        return row.resource, row.server_ceiling or "-", "; ".join(users)
    limit = str(row.ceiling) if row.floor_ns is None else format_duration(row.floor_ns)
    name = f"{row.resource} (linked to {row.linked})" if row.linked else row.resource
    named = [*row.users, *(f"interrupt {name}" for name in row.routines)]
    return name, limit, ", ".join(named) or "none"


def _print_servers(console: Console, servers: Sequence[ServerRow]) -> None:
    """Print CPUs, priorities, the starts of slots, and what is shared only where there are any."""
    cells = [_server_cells(row) for row in servers]
    needless = {"cpu": "0", "priority": "-", "start": "-", "global": "-", "hold": "-"}
    headings = [
        name
        for name in cells[0]
        if name not in needless or any(row[name] != needless[name] for row in cells)
    ]
    rows = ([row[name] for name in headings] for row in cells)
    print_table(console, "Servers", headings, rows, TEXT_COLUMNS)


def _server_cells(row: ServerRow) -> dict[str, str]:
    return {
        "server": row.server,
        "cpu": str(row.cpu),
        "kind": row.kind,
        "priority": "-" if row.priority is None else str(row.priority),
        "start": "0" if row.start_ns == 0 else _duration(row.start_ns),
        "period": _duration(row.period_ns),
        "budget": _duration(row.budget_ns),
        "global": row.sharing or "-",
        "hold": _duration(row.hold_ns),
        "share": _share(row.share),
        "asked": _share(row.utilisation),
        "tasks": ", ".join(row.tasks) or "none",
    }


def _span(least_ns: int | None, most_ns: int | None) -> str:
    least, most = _duration(least_ns), _duration(most_ns)
    return least if least == most else f"{least}..{most}"


def _reservation_cells(row: ReservationRow) -> tuple[str, ...]:
    period, budget = _duration(row.period_ns), _duration(row.budget_ns)
    return row.server, row.thread, period, budget, _share(row.share)


def _duration(value_ns: int | None) -> str:
    return "-" if value_ns is None else format_duration(value_ns)


def _instant(value_ns: int | None) -> str:
    """With all its digits: instants are compared."""
    return "-" if value_ns is None else f"{(Decimal(value_ns) / UNIT_NS['ms']).normalize():f}ms"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _verdict(overloaded: bool | None) -> str:
    if overloaded is None:
        return "not known"
    return "overloaded" if overloaded else "fits"
