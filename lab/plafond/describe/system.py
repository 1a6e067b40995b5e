# SPDX-License-Identifier: MIT
"""A system as the rest of the lab uses it: valid, times in nanoseconds, ceilings computed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from plafond.describe.alarm import Alarm
from plafond.describe.application import Application, Object, Owner
from plafond.describe.arrival import Interval, Pending
from plafond.describe.body import Activate, Chain, Lock, Run, Sleep, Step, Unlock
from plafond.describe.counter import Counter
from plafond.describe.defaults import NO_DEFAULTS, Defaults
from plafond.describe.ioc import Ioc
from plafond.describe.isr import Isr
from plafond.describe.kernel import DEFAULT_PROTOCOLS, Scheduler
from plafond.describe.kernel_table import KERNEL, Kernel
from plafond.describe.message import COM, Com, Message
from plafond.describe.needs import Needs
from plafond.describe.resource import Resource
from plafond.describe.schedule_table import ScheduleTable
from plafond.describe.server import Server, Sharing
from plafond.describe.splitmix import key_of
from plafond.describe.task import Task
from plafond.errors import ArgumentError
from plafond.protocols import KernelProtocol
from plafond.units import UNIT_NS, format_duration

__all__ = [
    "Interval",
    "Lock",
    "Pending",
    "Resource",
    "Run",
    "Sleep",
    "Step",
    "System",
    "Task",
    "Unlock",
]

SHORTEST_SCALED_NS = UNIT_NS["us"]


@dataclass(frozen=True)
class System:
    """Processors, resources and tasks; the most urgent task is first."""

    name: str
    cpus: int
    seed: int
    tasks: tuple[Task, ...]
    resources: tuple[Resource, ...]
    scheduler: Scheduler = Scheduler.PRIORITY
    kernel: Kernel = KERNEL
    events: Mapping[str, int] = field(default_factory=dict, hash=False)  # event's name -> mask
    counters: tuple[Counter, ...] = ()
    alarms: tuple[Alarm, ...] = ()
    schedule_tables: tuple[ScheduleTable, ...] = ()
    isrs: tuple[Isr, ...] = ()
    messages: tuple[Message, ...] = ()
    com: Com = COM
    iocs: tuple[Ioc, ...] = ()
    servers: tuple[Server, ...] = ()
    applications: tuple[Application, ...] = ()
    owners: Mapping[Object, Owner] = field(default_factory=dict, hash=False)
    reservations: tuple[Server, ...] = ()  # reservations for threads of interrupts and tasks
    file: Path | None = None  # the file of the description
    folders: tuple[Path, ...] = field(default=(), compare=False)  # to read the file again
    needs: Needs | None = field(default=None, compare=False)  # None: it has all that a build needs
    defaults: Defaults = NO_DEFAULTS  # with which the file was read

    @cached_property
    def activators(self) -> Mapping[str, str]:
        """From task to its first activator besides arrivals, in words."""
        found = {task.name: "its autostart" for task in self.tasks if task.autostart}
        for task in self.tasks:
            for step in task.body:
                if isinstance(step, Activate | Chain):
                    found.setdefault(step.task, task.name)
        for alarm in self.alarms:
            if isinstance(alarm.action, Activate):
                found.setdefault(alarm.action.task, f"the alarm {alarm.name}")
        for table in self.schedule_tables:
            for signal in table.signals:
                if isinstance(signal, Activate):
                    found.setdefault(signal.task, f"the schedule table {table.name}")
        for message in self.messages:
            if isinstance(message.action, Activate):
                found.setdefault(message.action.task, f"the message {message.name}")
        return found

    @property
    def sent_messages(self) -> tuple[Message, ...]:
        """The sent messages; all other messages are receivers of a sent message."""
        return tuple(message for message in self.messages if message.sender is None)

    def receivers_of(self, sent: Message) -> tuple[Message, ...]:
        """The receivers of a sent message."""
        return tuple(message for message in self.messages if message.sender == sent.name)

    @property
    def entered_resources(self) -> tuple[Resource, ...]:
        """Resources that steps lock, by number in the kernel: local before global."""
        entered = (resource for resource in self.resources if not resource.internal)
        return tuple(sorted(entered, key=lambda resource: resource.is_global))

    def paths(self, files: Iterable[str]) -> tuple[Path, ...]:
        """Return the absolute paths of files beside the description."""
        folder = self.file.parent if self.file else Path()
        return tuple((folder / file).resolve() for file in files)

    @property
    def user_files(self) -> tuple[Path, ...]:
        """The C files that run in user mode; the files of applications come last."""
        own = (file for each in self.applications for file in each.sources)
        return self.paths((*self.kernel.sources, *own))

    @cached_property
    def c_files(self) -> tuple[Path, ...]:
        """All C files of the description."""
        return (*self.user_files, *self.paths((*self.kernel.trusted, *self.kernel.mixed)))

    @property
    def protocol(self) -> KernelProtocol:
        """The protocol for the resources of a core."""
        return self.kernel.protocol or DEFAULT_PROTOCOLS[self.scheduler]

    @property
    def ioc_headers(self) -> list[Path]:
        """Return the headers with the types of IOCs, each once."""
        return list(dict.fromkeys(path for ioc in self.iocs for path in self.paths(ioc.headers)))

    def counter(self, name: str) -> Counter:
        """Return the counter of that name."""
        return next(counter for counter in self.counters if counter.name == name)

    def routines_of(self, resource: str) -> tuple[Isr, ...]:
        """Return the routines of interrupts that lock a resource."""
        return tuple(isr for isr in self.isrs if resource in isr.resources)

    @property
    def resources_of_routines(self) -> tuple[Resource, ...]:
        """The resources that routines of interrupts lock."""
        return tuple(each for each in self.resources if self.routines_of(each.name))

    @property
    def global_resources(self) -> tuple[Resource, ...]:
        """The resources with users on several CPUs."""
        return tuple(resource for resource in self.resources if resource.is_global)

    def users_by_cpu(self, resource: Resource) -> Mapping[int, tuple[str, ...]]:
        """Return the users of each CPU, the most urgent first; the CPU of the most urgent user is
        first."""
        users = [task for task in self.tasks if task.name in resource.users]
        return {
            cpu: tuple(task.name for task in users if task.cpu == cpu)
            for cpu in dict.fromkeys(task.cpu for task in users)
        }

    def successors_of(self, name: str) -> tuple[str, ...]:
        """Return the spinlocks that may be locked inside this spinlock, in the order of
        successors."""
        next_of = {resource.name: resource.successor for resource in self.resources}
        found: list[str] = []
        successor = next_of[name]
        while successor:
            found.append(successor)
            successor = next_of[successor]
        return tuple(found)

    def globals_on(self, cpu: int) -> tuple[Resource, ...]:
        """The global resources with a user on the CPU."""
        return tuple(resource for resource in self.global_resources if cpu in resource.cpus)

    def cpus_beside(self, cpu: int) -> tuple[int, ...]:
        """Return a CPU, then all CPUs that share a resource with it."""
        shared = {other for resource in self.globals_on(cpu) for other in resource.cpus}
        return (cpu, *sorted(shared - {cpu}))

    def tasks_on(self, cpu: int) -> tuple[Task, ...]:
        """The tasks of a CPU, the most urgent first."""
        return tuple(task for task in self.tasks if task.cpu == cpu)

    def servers_on(self, cpu: int) -> tuple[Server, ...]:
        """The servers of a CPU: the most urgent first, or slots in their order."""
        return tuple(server for server in self.servers if server.cpu == cpu)

    def reserved_on(self, cpu: int) -> tuple[tuple[Server, Task], ...]:
        """The tasks of a CPU that have a reservation, each after its reservation."""
        return tuple(
            (each, task)
            for task in self.tasks_on(cpu)
            for each in self.reservations
            if each.task == task.name
        )

    @property
    def reserved_interrupts(self) -> tuple[Server, ...]:
        """The reservations of threads of interrupts."""
        return tuple(each for each in self.reservations if each.task is None)

    @property
    def reserved_tasks(self) -> tuple[Server, ...]:
        """The reservations of tasks."""
        return tuple(each for each in self.reservations if each.task is not None)

    @property
    def payers(self) -> tuple[Server, ...]:
        """All payers for time of tasks: servers and reservations of tasks."""
        return (*self.servers, *self.reserved_tasks)

    def tasks_of(self, server: str) -> tuple[Task, ...]:
        """The tasks of a server or reservation, the most urgent first."""
        return tuple(task for task in self.tasks if task.server == server)

    def server(self, name: str) -> Server:
        """The server of that name."""
        return next(server for server in self.servers if server.name == name)

    @property
    def resources_of_servers(self) -> tuple[Resource, ...]:
        """The resources with users in several servers."""
        return tuple(resource for resource in self.resources if resource.is_of_servers)

    def shared_by(self, server: str) -> tuple[Resource, ...]:
        """The resources that this server's tasks share with other servers."""
        return tuple(each for each in self.resources_of_servers if server in each.servers)

    def local_ceiling(self, resource: Resource, server: str) -> int:
        """Return the priority of a server's task while it holds a resource of several servers.

        Under overrun no other task of the server preempts it. Under skip, tasks above all the
        server's users of the resource preempt it, unless the description gives a higher ceiling.
        """
        tasks = self.tasks_of(server)
        if self.server(server).sharing is not Sharing.SKIP:
            return max(task.priority for task in tasks)
        users = (task.priority for task in tasks if task.name in resource.users)
        return max(resource.given_ceiling or 0, *users)

    def utilisation(self, cpu: int) -> Fraction:
        """The largest share of a CPU that the arrivals of its tasks can ask for."""
        tasks = (task for task in self.tasks_on(cpu) if not task.background)
        return sum((task.utilisation for task in tasks), Fraction(0))

    def seeded(self, seed: int) -> "System":
        """Return the system with streams of this seed; each range of a body gets a separate
        stream."""

        def keyed(task: Task) -> Task:
            steps = (
                step
                if not isinstance(step, Run) or step.least_ns is None
                else replace(step, key=key_of(seed, task.name, place))
                for place, step in enumerate(task.body)
            )
            return task.changed(body=tuple(steps))

        return replace(self, seed=seed, tasks=tuple(map(keyed, self.tasks)))

    def at_longest(self) -> "System":
        """Return the system with each range replaced by its longest duration."""

        def longest(task: Task) -> Task:
            steps = (Run(step.duration_ns) if isinstance(step, Run) else step for step in task.body)
            return task.changed(body=tuple(steps))

        return replace(self, tasks=tuple(map(longest, self.tasks)))

    def scaled(self, factor: Fraction) -> "System":
        """Return the system with all times multiplied by `factor`, rounded down to nanoseconds.

        Reservations of interrupts keep their times, because their devices keep their pace.
        ArgumentError names a time that a factor below 1 makes too short.
        """
        _refuse_too_short(self, factor)

        def times(value_ns: int) -> int:
            return max(int(value_ns * factor), 1) if value_ns else 0

        def step(old: Step) -> Step:
            if isinstance(old, Run) and old.least_ns is not None:
                least_ns = times(old.least_ns)
                return replace(old, duration_ns=times(old.duration_ns), least_ns=least_ns)
            if isinstance(old, Run | Sleep):
                return replace(old, duration_ns=times(old.duration_ns))
            return old

        return replace(
            self,
            tasks=tuple(
                task.changed(
                    interval=task.interval
                    and replace(
                        task.interval,
                        least_ns=times(task.interval.least_ns),
                        most_ns=times(task.interval.most_ns),
                    ),
                    offset_ns=times(task.offset_ns),
                    jitter_ns=times(task.jitter_ns),
                    deadline_ns=task.deadline_ns and times(task.deadline_ns),
                    body=tuple(map(step, task.body)),
                )
                for task in self.tasks
            ),
            resources=tuple(
                resource.changed(floor=resource.floor and times(resource.floor))
                for resource in self.resources
            ),
            servers=tuple(
                server.changed(
                    period_ns=times(server.period_ns),
                    budget_ns=times(server.budget_ns),
                    start_ns=server.start_ns and times(server.start_ns),
                    hold_ns=server.hold_ns and times(server.hold_ns),
                )
                for server in self.servers
            ),
            reservations=tuple(
                each.changed(period_ns=times(each.period_ns), budget_ns=times(each.budget_ns))
                if each.task
                else each
                for each in self.reservations
            ),
            counters=tuple(
                counter.changed(tick_ns=counter.tick_ns and times(counter.tick_ns))
                for counter in self.counters
            ),
        )


def _refuse_too_short(system: System, factor: Fraction) -> None:
    for what, time_ns in _times_of(system) if factor < 1 else ():
        if time_ns * factor < SHORTEST_SCALED_NS:
            raise ArgumentError(
                f"--scale: found {float(factor):g}, which makes {what} "
                f"{format_duration(float(time_ns * factor))}; "
                f"expected at least {format_duration(SHORTEST_SCALED_NS)}"
            )


def _times_of(system: System) -> Iterator[tuple[str, int]]:
    """Yield all times that must not become too short, each after its name."""
    for task in system.tasks:
        for index, step in enumerate(task.body):
            if isinstance(step, Run | Sleep):
                name = type(step).__name__.lower()
                shortest_ns = (isinstance(step, Run) and step.least_ns) or step.duration_ns
                yield f"the {name} step body[{index}] of task {task.name}", shortest_ns
        if task.interval:
            yield f"the least interval of task {task.name}", task.interval.least_ns
        if task.deadline_ns:
            yield f"the deadline of task {task.name}", task.deadline_ns
    for resource in system.resources:
        if resource.floor:
            yield f"the floor of resource {resource.name}", resource.floor
    for payer in system.payers:
        yield f"the period of server {payer.name}", payer.period_ns
        yield f"the budget of server {payer.name}", payer.budget_ns
    for server in system.servers:
        if server.hold_ns:
            yield f"the longest hold of server {server.name}", server.hold_ns
    for counter in system.counters:
        if counter.tick_ns:
            yield f"the tick of counter {counter.name}", counter.tick_ns
