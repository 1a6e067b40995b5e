# SPDX-License-Identifier: MIT
"""The report of `plafond check` for the terminal."""

from decimal import Decimal

from rich.console import Console

from plafond.check.model import CheckReport, ResourceRow, ServerRow, TaskRow
from plafond.describe.kernel import Scheduler
from plafond.output import print_table
from plafond.units import UNIT_NS, format_duration

_TASK_HEADINGS = ("task", "cpu", "priority", "interval", "deadline", "run", "utilisation")
_TASK_HEADINGS_EDF = ("task", "cpu", "interval", "deadline", "first deadline", "run", "utilisation")
_SERVER_HEADINGS = (
    *("server", "cpu", "kind", "priority", "start", "period", "budget"),
    *("share", "asked", "tasks"),
)
TEXT_COLUMNS = ("task", "server", "kind", "resource", "users", "tasks", "verdict")
GLOBAL = "global"
ABOUT_GLOBAL = (
    "global: locked from several CPUs, under plafond above all priorities of each of them"
)


def print_report(report: CheckReport, console: Console | None = None) -> None:
    """Print what follows from a description that is right."""
    console = console or Console(highlight=False)
    console.print(f"{report.file}: {report.name}", markup=False)
    is_edf = report.scheduler == Scheduler.EDF
    print_table(
        console,
        "Tasks",
        _TASK_HEADINGS_EDF if is_edf else _TASK_HEADINGS,
        map(_task_cells_edf if is_edf else _task_cells, report.tasks),
        TEXT_COLUMNS,
    )
    if report.servers:
        rows = map(_server_cells, report.servers)
        print_table(console, "Servers", _SERVER_HEADINGS, rows, TEXT_COLUMNS)
    if report.resources:
        print_table(
            console,
            "Resources",
            ("resource", "floor" if is_edf else "ceiling", "users"),
            map(_resource_cells, report.resources),
            TEXT_COLUMNS,
        )
    if any(row.is_global for row in report.resources):
        console.print(f"- {ABOUT_GLOBAL}")
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


def _task_cells(row: TaskRow) -> tuple[str, ...]:
    return (
        row.task,
        str(row.cpu),
        str(row.priority),
        _interval(row),
        _duration(row.deadline_ns),
        _duration(row.run_ns),
        _share(row.utilisation),
    )


def _task_cells_edf(row: TaskRow) -> tuple[str, ...]:
    return (
        row.task,
        str(row.cpu),
        _interval(row),
        _duration(row.deadline_ns),
        _instant(row.first_deadline_ns),
        _duration(row.run_ns),
        _share(row.utilisation),
    )


def _resource_cells(row: ResourceRow) -> tuple[str, ...]:
    if row.is_global:
        users = (f"CPU {cpu}: {', '.join(names)}" for cpu, names in row.users_by_cpu.items())
        return row.resource, GLOBAL, "; ".join(users)
    limit = str(row.ceiling) if row.floor_ns is None else format_duration(row.floor_ns)
    return row.resource, limit, ", ".join(row.users) or "none"


def _server_cells(row: ServerRow) -> tuple[str, ...]:
    return (
        row.server,
        str(row.cpu),
        row.kind,
        "-" if row.priority is None else str(row.priority),
        "0" if row.start_ns == 0 else _duration(row.start_ns),
        _duration(row.period_ns),
        _duration(row.budget_ns),
        _share(row.share),
        _share(row.utilisation),
        ", ".join(row.tasks) or "none",
    )


def _interval(row: TaskRow) -> str:
    least, most = _duration(row.least_interval_ns), _duration(row.most_interval_ns)
    return least if least == most else f"{least}..{most}"


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
