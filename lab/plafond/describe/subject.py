# SPDX-License-Identifier: MIT
"""The view that combine.py has of a description: during reading, or as a whole system."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from plafond.describe.alarm import Alarm
from plafond.describe.application import Application
from plafond.describe.isr import Isr
from plafond.describe.kernel import SCHEDULER, Scheduler
from plafond.describe.resource import Resource
from plafond.describe.system import System
from plafond.describe.task import Task
from plafond.protocols import GlobalProtocol, KernelProtocol

OF_KERNEL = ("console", "hooks", "sources", "trusted", "mixed", "modes")


class Named(Protocol):
    """An object of a system."""

    @property
    def name(self) -> str:
        """The name of its table."""


Object = TypeVar("Object", bound=Named)


@dataclass(frozen=True)
class Subject:
    """Objects by name; malformed tables are missing."""

    scheduler: Scheduler | None  # None: malformed
    cpus: int
    tasks: Mapping[str, Task]
    resources: Mapping[str, Resource]
    isrs: Mapping[str, Isr]
    alarms: Mapping[str, Alarm]
    applications: Mapping[str, Application]
    servers: Mapping[str, str]  # servers with tasks, and the kind of each
    reservations: Collection[str]
    schedule_tables: Collection[str]
    messages: Collection[str]
    mutexes: Collection[str]
    counters: Collection[str]
    iocs: Collection[str]
    cpus_of: Mapping[str, tuple[int, ...]]  # from resource to the CPUs of its users, ascending
    servers_of: Mapping[str, Sequence[str]]  # from resource to the servers of its users
    of_kernel: Collection[str]  # fields of [kernel] for the application's C, console and modes
    # From each task that may have several pending activations to its resources.
    queued: Mapping[str, Sequence[str]] = field(default_factory=dict)
    working_sets: Collection[str] = ()  # tasks that have one
    protocol: KernelProtocol | None = None  # of the image; None: there is no image
    across: GlobalProtocol | None = None

    @property
    def global_resources(self) -> Mapping[str, tuple[int, ...]]:
        """Resources with users on several CPUs, and these CPUs; RES_SCHEDULER is separate on each
        CPU."""
        return {
            name: cpus for name, cpus in self.cpus_of.items() if len(cpus) > 1 and name != SCHEDULER
        }

    @property
    def shared_resources(self) -> Mapping[str, Sequence[str]]:
        """Resources with users in several servers of a CPU; RES_SCHEDULER is separate in each
        server."""
        return {
            name: servers
            for name, servers in self.servers_of.items()
            if len(servers) > 1 and len(self.cpus_of[name]) == 1 and name != SCHEDULER
        }


def subject_of(
    system: System,
    protocol: KernelProtocol | None = None,
    across: GlobalProtocol | None = None,
) -> Subject:
    """Return the subject of a system, with the protocols of its image."""
    return Subject(
        scheduler=system.scheduler,
        cpus=system.cpus,
        tasks=_by_name(system.tasks),
        resources=_by_name(system.resources),
        isrs=_by_name(system.isrs),
        alarms=_by_name(system.alarms),
        applications=_by_name(system.applications),
        servers={each.name: each.kind for each in system.servers},
        reservations=[each.name for each in system.reservations],
        schedule_tables=[each.name for each in system.schedule_tables],
        messages=[each.name for each in system.messages],
        mutexes=(),
        counters=[each.name for each in system.counters],
        iocs=[each.name for each in system.iocs],
        cpus_of={each.name: each.cpus for each in system.resources},
        servers_of={each.name: each.servers for each in system.resources},
        of_kernel=[each for each in OF_KERNEL if getattr(system.kernel, each)],
        queued={
            task.name: [each.name for each in system.resources if task.name in each.users]
            for task in system.tasks
            if (task.queue or 1) > 1
        },
        working_sets=[each.name for each in system.tasks if each.working_set is not None],
        protocol=protocol,
        across=across,
    )


def _by_name(objects: Iterable[Object]) -> Mapping[str, Object]:
    return {each.name: each for each in objects}
