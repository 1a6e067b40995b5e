# SPDX-License-Identifier: MIT
"""Whether a description runs on Linux, or only on Plafond's own kernel, or only on Linux."""

from collections.abc import Iterator, Mapping

from plafond.describe.body import KernelStep, Run
from plafond.describe.kernel import Kernel, Scheduler
from plafond.describe.server import ServerKind
from plafond.describe.system import System, Task


def needs_kernel(system: System) -> str | None:
    """Name the first thing in the description that only Plafond's own kernel can do.

    What only chooses among kernels (its protocol, its status, stacks) means nothing
    elsewhere, and does not count.
    """
    return next(_needs(system), None)


def needs_linux(system: System) -> str | None:
    """Name the first thing in the description that only Linux can do."""
    return next((f"the reservation [server.{each.name}]" for each in system.reservations), None)


def _needs(system: System) -> Iterator[str]:
    if system.scheduler is not Scheduler.PRIORITY:
        yield f'scheduler = "{system.scheduler}"'
    yield from _of_kernel(system.kernel)
    for task in system.tasks:
        yield from _of_task(task)
    for resource in system.resources:
        if resource.linked:
            yield f"resource.{resource.name}.linked"
    yield from _of_servers(system)
    for kind, tables in (
        ("counter", system.counters),
        ("alarm", system.alarms),
        ("schedule_table", system.schedule_tables),
        ("isr", system.isrs),
        ("application", system.applications),
        ("message", system.messages),
        ("ioc", system.iocs),
    ):
        yield from (f"[{kind}.{table.name}]" for table in tables)


# Priorities of SCHED_FIFO from here on are those of mutexes across CPUs: PLF_GLOBAL_BAND.
END_OF_BANDS = 50


def server_priorities(system: System) -> Mapping[str, int]:
    """Return the priority of SCHED_FIFO of each server; those of its tasks count from there.

    The bands of the servers of a CPU lie one above the other, the least urgent from 1 on.
    """
    found: dict[str, int] = {}
    for cpu in range(system.cpus):
        first = 1
        for server in reversed(system.servers_on(cpu)):
            found[server.name] = first
            first += _highest_in(system, server.name) + 1
    return found


def _highest_in(system: System, server: str) -> int:
    return max((task.priority for task in system.tasks_of(server)), default=0)


def _of_servers(system: System) -> Iterator[str]:
    for server in system.servers:
        if server.kind is not ServerKind.IDLING:
            yield f'server.{server.name}.kind = "{server.kind}"'
    for name, first in server_priorities(system).items():
        if first + _highest_in(system, name) >= END_OF_BANDS:
            yield (
                f"server.{name} with priorities up to {_highest_in(system, name)}, above those of "
                f"the less urgent servers ({END_OF_BANDS - 1} in all are for them)"
            )


def _of_kernel(kernel: Kernel) -> Iterator[str]:
    for field in ("console", "hooks", "sources", "trusted", "mixed", "modes"):
        if getattr(kernel, field):
            yield f"kernel.{field}"


def _of_task(task: Task) -> Iterator[str]:
    where = f"task.{task.name}"
    if task.interval is None:
        yield f"{where} without arrival"
    if not any(isinstance(step, Run) for step in task.body):
        yield f"{where} without a run step"
    for index, step in enumerate(task.body):
        if isinstance(step, KernelStep):
            yield f'{where}.body[{index}] "{step}"'
    if not task.is_preemptable:
        yield f"{where}.schedule"
    for field in ("autostart", "queue", "internal", "events"):
        if getattr(task, field):
            yield f"{where}.{field}"
    for field in task.limits:
        yield f"{where}.{field}"
