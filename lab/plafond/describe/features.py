# SPDX-License-Identifier: MIT
"""Features of descriptions for the table of combine.py, and the fields that ask for each.

A feature belongs to the description as a whole. Rules between fields of one object are in the file
of that object.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from plafond.describe.body import CallBack, Increment, KernelStep, Run, Sleep
from plafond.describe.kernel import SCHEDULER, Scheduler
from plafond.describe.problems import Where, field_name
from plafond.describe.server import ServerKind
from plafond.describe.subject import Subject
from plafond.protocols import InKernel, KernelProtocol
from plafond.units import format_exactly


@dataclass(frozen=True)
class Use:
    """A field that asks for a feature."""

    where: Where
    found: str  # the field's value, for a message
    what: str  # names the feature in a message about another feature


@dataclass(frozen=True)
class Feature:
    """A property that a description has or does not have."""

    name: str  # for pages and tests
    uses: Callable[[Subject], Iterator[Use]]
    schedulers: tuple[Scheduler, ...] = ()  # the schedulers that have the feature
    protocols: tuple[KernelProtocol, ...] = ()
    implies: tuple["Feature", ...] = ()  # features that a description with this one has, too

    @property
    def with_implied(self) -> frozenset["Feature"]:
        """This feature, and all features that it implies."""
        return frozenset([self]).union(*(each.with_implied for each in self.implies))

    def excludes(self, other: "Feature") -> bool:
        """Whether no description can have both, because of their schedulers or protocols."""
        if self.schedulers and other.schedulers:
            return not {*self.schedulers} & {*other.schedulers}
        if self.protocols and other.protocols:
            return not {*self.protocols} & {*other.protocols}
        schedulers = self.schedulers or other.schedulers
        protocols = self.protocols or other.protocols
        if not (schedulers and protocols):
            return False
        return not any({*each.traits.schedulers} & {*schedulers} for each in protocols)


def _scheduled(*schedulers: Scheduler) -> Callable[[Subject], Iterator[Use]]:
    def uses(subject: Subject) -> Iterator[Use]:
        if subject.scheduler in schedulers:
            found = f'"{subject.scheduler}"'
            yield Use(("scheduler",), found, f"scheduler = {found}")

    return uses


def _scheduler(name: str, *schedulers: Scheduler) -> Feature:
    return Feature(name, _scheduled(*schedulers), schedulers=schedulers)


def _protocol(name: str, trait: Callable[[InKernel], object]) -> Feature:
    """Return a feature for the kernel's protocols that have a trait."""
    protocols = tuple(each for each in KernelProtocol if trait(each.traits))

    def uses(subject: Subject) -> Iterator[Use]:
        if subject.protocol in protocols:
            yield Use(("kernel", "protocol"), subject.protocol, subject.protocol)

    return Feature(name, uses, protocols=protocols)


def _cores(subject: Subject) -> Iterator[Use]:
    if subject.cpus > 1:
        yield Use(("cpus",), str(subject.cpus), f"cpus = {subject.cpus}")


def _servers(subject: Subject) -> Iterator[Use]:
    for name in list(subject.servers)[:1]:
        yield Use(("server", name), name, "servers")


def _slots(subject: Subject) -> Iterator[Use]:
    for name, kind in subject.servers.items():
        if kind == ServerKind.SLOT:
            yield Use(("server", name, "kind"), f'"{kind}"', f"the slot {name}")


def _reservations(subject: Subject) -> Iterator[Use]:
    for name in subject.reservations:
        yield Use(
            ("server", name, "kind"), f'"{ServerKind.RESERVATION}"', f"the reservation {name}"
        )


def _limits(subject: Subject) -> Iterator[Use]:
    for name, task in subject.tasks.items():
        for field in task.limits[:1]:
            yield Use(("task", name, field), "a limit", field)


def _budgets(subject: Subject) -> Iterator[Use]:
    for name, task in subject.tasks.items():
        for field in task.limits[:1]:
            if field != "time_frame":
                yield Use(("task", name, field), "a limit", field)


def _budgets_of_sections(subject: Subject) -> Iterator[Use]:
    field = "resource_lock_budgets"
    for name, task in subject.tasks.items():
        if field in task.limits:
            yield Use(("task", name, field), "a limit", field)


def _internal(subject: Subject) -> Iterator[Use]:
    for name, task in subject.tasks.items():
        if task.internal:
            what = f"the internal resource {task.internal}"
            yield Use(("task", name, "internal"), task.internal, what)
    for name, resource in subject.resources.items():
        if resource.internal and subject.cpus_of[name]:
            yield Use(("resource", name, "internal"), "true", f"the internal resource {name}")


def _without_preemption(subject: Subject) -> Iterator[Use]:
    for name, task in subject.tasks.items():
        if not task.is_preemptable:
            yield Use(("task", name, "schedule"), '"non"', f"{name}, which is not preempted")


def _sleeps(subject: Subject) -> Iterator[Use]:
    for name, task in subject.tasks.items():
        for index, step in enumerate(task.body):
            if isinstance(step, Sleep):
                yield Use(("task", name, "body", index), "sleep", f"{name}, which sleeps")


def _background(subject: Subject) -> Iterator[Use]:
    for name, task in subject.tasks.items():
        if task.background:
            what = f"{name}, which is in the background"
            yield Use(("task", name, "background"), "true", what)


def _working_sets(subject: Subject) -> Iterator[Use]:
    for name in subject.working_sets:
        yield Use(("task", name, "working_set"), "a working set", f"the working set of {name}")


def _jitter(subject: Subject) -> Iterator[Use]:
    for name, task in subject.tasks.items():
        if task.jitter_ns:
            yield Use(("task", name, "jitter"), "jitter", f"{name}, which has release jitter")


def _ceilings(subject: Subject) -> Iterator[Use]:
    for name, resource in subject.resources.items():
        if resource.given_ceiling:
            found = str(resource.given_ceiling)
            yield Use(("resource", name, "ceiling"), found, f"a ceiling of {name}")


def _floors(subject: Subject) -> Iterator[Use]:
    for name, resource in subject.resources.items():
        if resource.given_floor:
            found = format_exactly(resource.given_floor)
            yield Use(("resource", name, "floor"), found, f"a floor of {name}")


def _globals(subject: Subject) -> Iterator[Use]:
    for name, cpus in subject.global_resources.items():
        found = _users_on(cpus)
        yield Use(("resource", name), found, f"{name}, which has {found}")


def _users_on(cpus: Iterable[int]) -> str:
    return f"users on the CPUs {' and '.join(map(str, cpus))}"


def _preempted(subject: Subject) -> Iterator[Use]:
    for name in subject.global_resources:
        if not subject.resources[name].keeps_tasks_out:
            yield Use(("resource", name, "lock"), "nothing", f"{name}, which keeps no task out")


def _shared(subject: Subject) -> Iterator[Use]:
    for name, servers in subject.shared_resources.items():
        found = f"users in the servers {' and '.join(servers)}"
        yield Use(("resource", name), found, f"{name}, which has {found}")


def _queued(subject: Subject) -> Iterator[Use]:
    for name, resources in subject.queued.items():
        for resource in resources[:1]:
            yield _second_activation(subject, name, resource)


def _queued_across(subject: Subject) -> Iterator[Use]:
    for name, resources in subject.queued.items():
        for resource in [each for each in resources if each in subject.global_resources][:1]:
            user_of = f"{resource}, which has {_users_on(subject.cpus_of[resource])}"
            yield _second_activation(subject, name, user_of)


def _second_activation(subject: Subject, name: str, resource: str) -> Use:
    found = f"{subject.tasks[name].queue} for a user of {resource}"
    return Use(("task", name, "queue"), found, f"a queue of {name}, which uses {resource}")


def _linked(subject: Subject) -> Iterator[Use]:
    for name, resource in subject.resources.items():
        if resource.linked:
            what = f"the linked resource {name}"
            yield Use(("resource", name, "linked"), resource.linked, what)


def _res_scheduler(subject: Subject) -> Iterator[Use]:
    if SCHEDULER in subject.resources:
        yield Use(("resource", SCHEDULER), SCHEDULER, SCHEDULER)


def _res_schedulers(subject: Subject) -> Iterator[Use]:
    cpus = subject.cpus_of.get(SCHEDULER, ())
    if len(cpus) > 1:
        yield Use(("resource", SCHEDULER), _users_on(cpus), f"{SCHEDULER} with {_users_on(cpus)}")


def _priorities_of_isrs(subject: Subject) -> Iterator[Use]:
    for name, isr in subject.isrs.items():
        if isr.priority is not None:
            yield Use(("isr", name, "priority"), str(isr.priority), f"a priority of {name}")


def _nesting(subject: Subject) -> Iterator[Use]:
    """Exclude the hardware scheduler, because with it no routine interrupts another routine."""
    seconds = [isr for isr in subject.isrs.values() if isr.category == 2]
    cpus = {isr.cpu for isr in seconds}
    several = [cpu for cpu in cpus if len({i.priority for i in seconds if i.cpu == cpu}) > 1]
    if several and subject.scheduler is not Scheduler.HARDWARE:
        yield Use(("isr",), "different priorities", "interrupts that nest")


def _category_1(subject: Subject) -> Iterator[Use]:
    for name, isr in subject.isrs.items():
        if isr.category == 1:
            yield Use(("isr", name, "category"), "1", f"{name}, which is of category 1")


def _resources_of_isrs(subject: Subject) -> Iterator[Use]:
    for name, isr in subject.isrs.items():
        for index, resource in enumerate(isr.resources):
            where: Where = ("isr", name, "resources", index)
            yield Use(where, resource, f"the routine {name}, which locks {resource}")


def _calling_alarms(subject: Subject) -> Iterator[Use]:
    for name, alarm in subject.alarms.items():
        if isinstance(alarm.action, CallBack | Increment):
            yield Use(("alarm", name, "action"), str(alarm.action), f"the alarm {name}")


def _schedule_tables(subject: Subject) -> Iterator[Use]:
    for name in subject.schedule_tables:
        yield Use(("schedule_table", name), "a schedule table", f"the schedule table {name}")


def _messages(subject: Subject) -> Iterator[Use]:
    for name in subject.messages:
        yield Use(("message", name), "a message", f"the message {name}")


def _mutexes(subject: Subject) -> Iterator[Use]:
    for name in subject.mutexes:
        yield Use(("mutex", name), "a mutex of Linux", f"the mutex {name}")


def _restarts(subject: Subject) -> Iterator[Use]:
    for name, application in subject.applications.items():
        if application.restart:
            where: Where = ("application", name, "restart")
            yield Use(where, application.restart, f"the application {name}, which restarts")


def _functions(subject: Subject) -> Iterator[Use]:
    for name, application in subject.applications.items():
        for index, function in enumerate(application.functions):
            where: Where = ("application", name, "functions", index)
            yield Use(where, function, f"the trusted function {function}")


def _protected(subject: Subject) -> Iterator[Use]:
    for name, application in subject.applications.items():
        for function in application.function:
            where: Where = ("application", name, "function", function)
            yield Use(where, function, f"the protected function {function}")


def _suspending(subject: Subject) -> Iterator[Use]:
    if subject.across and not subject.across.traits.spins:
        yield Use(("kernel", "global"), subject.across, subject.across)


def _fair(subject: Subject) -> Iterator[Use]:
    if subject.across and subject.across.traits.is_fair:
        yield Use(("kernel", "global"), subject.across, subject.across)


def _of_kernel(subject: Subject) -> Iterator[Use]:
    for field in subject.of_kernel:
        yield Use(("kernel", field), "it", f"kernel.{field}")


def _activated(subject: Subject) -> Iterator[Use]:
    for name, task in subject.tasks.items():
        if not task.interval:
            yield Use(("task", name), "no arrival", f"task.{name} without arrival")


def _without_run(subject: Subject) -> Iterator[Use]:
    for name, task in subject.tasks.items():
        if not any(isinstance(step, Run) for step in task.body):
            yield Use(("task", name), "no run step", f"task.{name} without a run step")


def _services(subject: Subject) -> Iterator[Use]:
    for name, task in subject.tasks.items():
        for index, step in enumerate(task.body):
            if isinstance(step, KernelStep):
                where: Where = ("task", name, "body", index)
                yield Use(where, str(step), f'{field_name(where)} "{step}"')


def _autostart(subject: Subject) -> Iterator[Use]:
    for name, task in subject.tasks.items():
        if task.autostart:
            yield Use(("task", name, "autostart"), "true", f"task.{name}.autostart")


def _queues(subject: Subject) -> Iterator[Use]:
    for name, task in subject.tasks.items():
        if task.queue:
            yield Use(("task", name, "queue"), str(task.queue), f"task.{name}.queue")


def _events(subject: Subject) -> Iterator[Use]:
    for name, task in subject.tasks.items():
        if task.events:
            yield Use(("task", name, "events"), ", ".join(task.events), f"task.{name}.events")


def _not_idling(subject: Subject) -> Iterator[Use]:
    for name, kind in subject.servers.items():
        if kind != ServerKind.IDLING:
            where: Where = ("server", name, "kind")
            yield Use(where, f'"{kind}"', f'server.{name}.kind = "{kind}"')


def _objects(kind: str, names: Callable[[Subject], Iterable[str]]) -> Feature:
    def uses(subject: Subject) -> Iterator[Use]:
        for name in names(subject):
            yield Use((kind, name), name, f"[{kind}.{name}]")

    return Feature(f"{kind}s", uses)


SCHEDULED_BY_PRIORITY = _scheduler("fixed priorities", Scheduler.PRIORITY, Scheduler.HARDWARE)
EDF = _scheduler("EDF", Scheduler.EDF)
HARDWARE = _scheduler("tasks by hardware", Scheduler.HARDWARE)
CORES = Feature("several cores", _cores)
SERVERS = Feature("servers", _servers)
SLOTS = Feature("slots", _slots, implies=(SERVERS,))
RESERVATIONS = Feature("reservations", _reservations)
LIMITS = Feature("timing protection", _limits)
BUDGETS = Feature("budgets of tasks", _budgets, implies=(LIMITS,))
BUDGETS_OF_SECTIONS = Feature("budgets of sections", _budgets_of_sections, implies=(BUDGETS,))
INTERNAL = Feature("internal resources", _internal)
NON = Feature("tasks without preemption", _without_preemption)
SLEEPS = Feature("sleeps", _sleeps)
BACKGROUND = Feature("tasks in the background", _background)
WORKING_SETS = Feature("working sets", _working_sets)
JITTER = Feature("release jitter", _jitter)
CEILINGS = Feature("ceilings that are given", _ceilings)
FLOORS = Feature("floors that are given", _floors)
GLOBALS = Feature("global resources", _globals, implies=(CORES,))
PREEMPTED = Feature("preemptable spinlocks", _preempted, implies=(GLOBALS,))
SHARED = Feature("resources of servers", _shared, implies=(SERVERS,))
QUEUED = Feature("users with a queue", _queued)
QUEUED_ACROSS = Feature("global users with a queue", _queued_across, implies=(GLOBALS, QUEUED))
LINKED = Feature("linked resources", _linked)
RES_SCHEDULER = Feature(SCHEDULER, _res_scheduler)
RES_SCHEDULERS = Feature(f"{SCHEDULER} of several CPUs", _res_schedulers)
PRIORITIES_OF_ISRS = Feature("priorities of interrupts", _priorities_of_isrs)
NESTING = Feature("interrupts that nest", _nesting, implies=(PRIORITIES_OF_ISRS,))
CATEGORY_1 = Feature("category 1", _category_1)
RESOURCES_OF_ISRS = Feature("routines that lock", _resources_of_isrs)
CALLING_ALARMS = Feature("alarms that call", _calling_alarms)
SCHEDULE_TABLES = Feature("schedule tables", _schedule_tables)
MESSAGES = Feature("messages", _messages)
MUTEXES = Feature("mutexes of Linux", _mutexes)
RESTARTS = Feature("restarted applications", _restarts)
FUNCTIONS = Feature("trusted functions", _functions)
PROTECTED = Feature("protected functions", _protected)
SUSPENDING = Feature("mpcp", _suspending, implies=(GLOBALS,))
FAIR = Feature("msrp, spin-priority, mpcp", _fair, implies=(GLOBALS,))
OF_KERNEL = Feature("C files, hooks and modes", _of_kernel)
ACTIVATED = Feature("tasks without arrivals", _activated)
WITHOUT_RUN = Feature("tasks without run steps", _without_run)
SERVICES = Feature("steps that call services", _services)
AUTOSTART = Feature("tasks with autostart", _autostart)
QUEUES = Feature("tasks with a queue", _queues)
EVENTS = Feature("events", _events)
NOT_IDLING = Feature("servers that do not idle", _not_idling, implies=(SERVERS,))
COUNTERS = _objects("counter", lambda subject: subject.counters)
ALARMS = _objects("alarm", lambda subject: subject.alarms)
ISRS = _objects("isr", lambda subject: subject.isrs)
APPLICATIONS = _objects("application", lambda subject: subject.applications)
IOCS = _objects("ioc", lambda subject: subject.iocs)
# Features of the protocol for resources of one core.
IRQ_OFF = _protocol("irq-off", lambda row: row is KernelProtocol.IRQ_OFF.traits)
WAITING = _protocol("inherit, none", lambda row: row.waits)
BY_USERS = _protocol("sections of user code", lambda row: not row.is_called)
OF_ONE_CORE = _protocol("protocols of one core", lambda row: not row.globals)
OF_ONE_SERVER = _protocol("protocols of one server", lambda row: not row.is_of_servers)
