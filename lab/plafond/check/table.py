# SPDX-License-Identifier: MIT
"""The report of `plafond check` for the terminal."""

from rich.console import Console

from plafond.check.model import CheckReport, CpuRow, ReservationRow, ResourceRow, ServerRow, TaskRow
from plafond.describe.kernel import Scheduler
from plafond.describe.needs import TITLE
from plafond.output import show
from plafond.protocols import USERS_IN_WORD
from plafond.rows import table

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
ABOUT_BACKGROUND = (
    "without a priority: in the background, as SCHED_OTHER: it runs only while no task with a "
    "priority wants its CPU, has no bound, and no part in the utilisation of processors"
)
ABOUT_SLOTS = "no ceiling: sections end within their slots; in brackets the ceiling in each"


def print_report(report: CheckReport, console: Console | None = None) -> None:
    """Print the report of a description without mistakes."""
    console = console or Console(highlight=False)
    console.print(f"{report.file}: {report.name}", markup=False)
    is_edf = report.scheduler == Scheduler.EDF
    hidden = "priority" if is_edf else "first_deadline_ns"
    if report.interrupts:
        console.print(f"\nno tasks; interrupts: {', '.join(report.interrupts)}", markup=False)
        return _print_to_build(report, console)
    show(console, table("Tasks", TaskRow, report.tasks, without=[hidden]))
    if report.servers:
        show(console, table("Servers", ServerRow, report.servers))
    if report.reservations:
        show(console, table("Reservations", ReservationRow, report.reservations))
    if report.resources:
        change = {"ceiling": {"heading": "floor" if is_edf else "ceiling"}}
        show(console, table("Resources", ResourceRow, report.resources, change=change))
    if any(row.background for row in report.tasks):
        console.print(f"- {ABOUT_BACKGROUND}")
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
    show(console, table("Processors", CpuRow, report.cpus))
    if report.deadlock and not report.deadlock_is_cycle:
        console.print(f"\nwithout ceilings (inherit, none) a deadlock is {report.deadlock[0]}")
    elif report.deadlock:
        console.print("\nwithout ceilings (inherit, none) these can deadlock:")
        for sentence in report.deadlock:
            console.print(f"- {sentence}")
    _print_to_build(report, console)


def _print_to_build(report: CheckReport, console: Console) -> None:
    if report.to_build:
        console.print(f"\n{TITLE}")
        for line in report.to_build:
            console.print(f"  {line}", markup=False, soft_wrap=True)


def about_words(row: ResourceRow) -> str:
    """Return the note on MPCP for a resource with more users than a word can hold."""
    return (
        f"{row.resource}: {len(row.users)} users, and a word holds {USERS_IN_WORD}: under mpcp on "
        "the kernel each CPU has a word, and the CPU with the most urgent user is next"
    )


def _about_servers(row: ResourceRow) -> str | None:
    if not row.by_server:
        return None
    return ABOUT_SERVERS if row.server_ceiling else ABOUT_SLOTS
