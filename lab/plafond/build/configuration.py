# SPDX-License-Identifier: MIT
"""The values for the templates of the generated C, in the terms of kernel/config.h."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from plafond.board.boards import Board
from plafond.board.queues import queue_of, queues_of
from plafond.board.recording import Recording
from plafond.build.applications import (
    FunctionTable,
    ObjectKind,
    cores_of_applications,
    function_tables,
    object_kinds,
)
from plafond.build.functions import Domain, ProtectedFunction, domains_of, protected_functions
from plafond.build.iocs import Share, shares_of
from plafond.build.levels import MOST_OF_HARDWARE, Levels
from plafond.build.locks import Locks
from plafond.build.messages import (
    ReceiverTable,
    SentTable,
    flags_of,
    receiver_tables,
    sent_tables,
)
from plafond.build.sharing import hold_on, local_ceilings, row_of, server_ceiling
from plafond.describe.alarm import Alarm
from plafond.describe.application import Application
from plafond.describe.body import (
    Activate,
    CallBack,
    Chain,
    ClearEvent,
    Lock,
    Run,
    SetEvent,
    Step,
    Unlock,
    WaitEvent,
)
from plafond.describe.combine import Place, combines
from plafond.describe.features import RESTARTS
from plafond.describe.fields import MOST_QUEUED
from plafond.describe.isr import Isr
from plafond.describe.kernel import Hook, Scheduler
from plafond.describe.schedule_table import ScheduleTable
from plafond.describe.subject import subject_of
from plafond.describe.system import Pending, Resource, System, Task
from plafond.protocols import USERS_IN_WORD, GlobalProtocol, KernelProtocol

DEFAULT_STACK = 4096


@dataclass(frozen=True)
class TaskLevels:
    """A struct plf_urgency_config for fixed priorities."""

    base: int
    internal: int
    highest: int


@dataclass(frozen=True)
class TaskDeadlines:
    """A struct plf_urgency_config for EDF."""

    deadline_ns: int
    least_ns: int  # the least of the deadline and its resources' floors


@dataclass(frozen=True)
class ResourceLock:
    """Longest time that a task may hold a resource; `resource` is its number."""

    resource: int
    budget_ns: int


@dataclass(frozen=True)
class TaskTable:
    """An entry of plf_task_config: a task with its numbers in the kernel."""

    task: Task
    queue: int
    urgency: TaskLevels | TaskDeadlines
    activations: int
    claim: int  # highest server level of its resources of several servers; 0: none
    resource_names: tuple[str, ...]  # resources that it may enter
    resources: int  # the same as a bit set
    stack_bytes: int  # 0: the board provides the stack
    lines: tuple[str, ...]  # statements of its body; empty: a C file has it
    notes: int  # capacity for trace notes; 0: it makes none

    @property
    def name(self) -> str:
        """The name of the task."""
        return self.task.name


@dataclass(frozen=True)
class Ring:
    """An entry of plf_ring_config."""

    queue: int
    level: int
    priority: int
    size: int


@dataclass(frozen=True)
class SourceLevel:
    """An entry of plf_level_config."""

    core: int
    level: int
    priority: int
    only: str | None  # the only task that begins at it, if there is one
    size: int  # size of its ring, if `only` is None


@dataclass(frozen=True)
class Inbox:
    """An entry of plf_inbox_config."""

    core: int
    size: int


@dataclass(frozen=True)
class GlobalUser:
    """A user of a global resource, by its number: kernel/config.h."""

    number: int
    task: str


@dataclass(frozen=True)
class GlobalTable:
    """An entry of plf_global_config."""

    name: str
    ceiling: int
    users: tuple[GlobalUser, ...]  # the least urgent first
    on_cores: tuple[int, ...]  # users by core; the core with the most urgent user is last
    user_ceiling: int  # level to which user code raises itself
    successors: int  # of spinlocks: bit set of those that may be entered inside


@dataclass(frozen=True)
class Configuration:
    """All values of an image: the system, and its numbers in the kernel."""

    system: System
    title: str
    board: Board
    protocol: KernelProtocol
    global_protocol: GlobalProtocol | None  # None: no global resources
    modes: Mapping[str, int]  # from name to number; empty: no modes
    hooks: dict[str, bool]  # the error hook is also set if only applications have it
    has_application_hooks: bool
    tasks: tuple[TaskTable, ...]
    rings: tuple[Ring, ...]  # software scheduler
    source_levels: tuple[SourceLevel, ...]  # hardware scheduler
    server_signals: tuple[int, ...]  # by server: bit set of servers that it may signal
    server_holds: tuple[int, ...]  # by server, longest hold of a resource of several; 0: none
    server_rows: tuple[int, ...]  # by server, row of local ceilings; 0: all its tasks are kept out
    applications: tuple[Application, ...]
    cores_of_applications: Mapping[str, int]
    terminates: bool  # whether applications can be terminated
    object_kinds: tuple[ObjectKind, ...]  # empty without applications
    functions: tuple[FunctionTable, ...]  # trusted functions
    protected: tuple[ProtectedFunction, ...]
    domains: tuple[Domain, ...]  # tasks in applications; empty without protected functions
    local_ceilings: tuple[tuple[int, ...], ...]  # by row and resource
    of_servers: int  # bit set of resources with users in several servers
    counter_signals: tuple[int, ...]  # by counter: bit set of servers whose tasks its alarms signal
    first_servers: tuple[int, ...]  # index by core; last: number of servers
    resource_locks: tuple[ResourceLock, ...]  # grouped by task
    first_resource_locks: tuple[int, ...]  # index by task; last: number of locks
    timer_levels: tuple[tuple[int, int], ...]  # by core: level of alarms, level of arrivals
    inboxes: tuple[Inbox, ...]  # empty on a single core
    resources: tuple[Resource, ...]  # with users on a single core
    ceilings: tuple[str, ...]  # of `resources`, in C: a level, or a floor in ns
    server_ceilings: tuple[int, ...]  # of `resources`: server level; 0: a single server
    resource_cores: tuple[int, ...]  # of `resources`: bit set of cores whose tasks may enter
    globals: tuple[GlobalTable, ...]
    by_core: int  # bit set of `globals` whose queue has a word for each core
    events: Mapping[str, int]  # masks by name
    tasks_events: frozenset[str]  # events of tasks; other events need no code
    callbacks: tuple[str, ...]
    sent: tuple[SentTable, ...]
    received: tuple[ReceiverTable, ...]  # grouped by sent message
    flags: tuple[str, ...]
    ioc_shares: tuple[Share, ...]
    isr_levels: tuple[int, ...]
    isr_resources: tuple[int, ...]  # by routine: bit set of resources that it may enter
    nesting: int  # most routines begun at once on a core; 0: they do not nest
    category_1: int  # bit set of routines of category 1
    levels: int  # 0 under EDF
    has_internal: bool  # whether a task runs above its base priority
    defines: tuple[str, ...]  # macros of a recording
    recording: str | None  # text of recording.c
    by_clock: bool  # run steps end by the clock, not after a number of instructions

    @property
    def callees(self) -> tuple[Domain, ...]:
        """The domains after the home domains of tasks."""
        return self.domains[len(self.tasks) :]

    @property
    def has_budgets(self) -> bool:
        """Whether the kernel limits the time of executions, or of parts of them."""
        return any(task.has_budgets for task in self.system.tasks)

    @property
    def has_frames(self) -> bool:
        """Whether the kernel checks the time between arrivals."""
        return any(task.frame_ns for task in self.system.tasks)


def configuration_of(
    system: System, board: Board, locks: Locks, recording: Recording | None
) -> Configuration:
    """Return the configuration of an image."""
    levels = Levels(system) if system.scheduler.has_priorities else None
    by_hardware = system.scheduler is Scheduler.HARDWARE
    waits = locks.global_protocol is not None and not locks.global_protocol.traits.spins
    waiters = locks.waiters(system)
    subject = subject_of(system, locks.protocol, locks.global_protocol)
    activations = {
        task.name: _activations(task, recording, may_wait=task.name in waiters)
        for task in system.tasks
    }
    by_clock = recording is not None and board.shares_time and system.cpus > 1
    across = tuple(_globals(system, levels)) if levels else ()
    of_one_core = tuple(each for each in system.entered_resources if not each.is_global)
    hooks = set(system.kernel.hooks)
    if any(Hook.ERROR in each.hooks for each in system.applications):
        hooks.add(Hook.ERROR)
    modes = {mode: number for number, mode in enumerate(system.kernel.modes)}
    return Configuration(
        system=system,
        title=system.name.replace("*/", "* /"),  # it appears in comments
        board=board,
        protocol=locks.protocol,
        global_protocol=locks.global_protocol,
        modes=modes,
        hooks={hook.upper(): hook in hooks for hook in Hook},
        has_application_hooks=any(each.hooks for each in system.applications),
        tasks=tuple(
            _task(system, task, levels, activations[task.name], board, recording, locks, by_clock)
            for task in system.tasks
        ),
        rings=tuple(_rings(system, levels, activations, waits)) if levels else (),
        source_levels=(
            tuple(_source_levels(system, levels, activations, waits))
            if levels and by_hardware
            else ()
        ),
        server_signals=tuple(_bits_of(system, each.signals) for each in system.servers),
        server_holds=tuple(hold_on(board, system, each) for each in system.servers),
        server_rows=tuple(row_of(system, each) for each in system.servers),
        applications=system.applications,
        cores_of_applications=cores_of_applications(system),
        terminates=bool(system.applications) and combines(RESTARTS, subject, Place.KERNEL),
        object_kinds=tuple(object_kinds(system)),
        functions=tuple(function_tables(system)),
        protected=protected_functions(system),
        domains=domains_of(system, board.stack_unit),
        local_ceilings=tuple(local_ceilings(system, levels)) if levels else (),
        of_servers=_bits(system.resources_of_servers, system.entered_resources),
        counter_signals=tuple(_counter_signals(system)),
        first_servers=tuple(
            sum(server.cpu < core for server in system.servers) for core in range(system.cpus + 1)
        ),
        resource_locks=tuple(_resource_locks(system)),
        first_resource_locks=tuple(
            accumulate((len(task.resource_locks) for task in system.tasks), initial=0)
        ),
        timer_levels=tuple(_timer_levels(system, levels if by_hardware else None)),
        inboxes=tuple(_inboxes(system, activations)) if system.cpus > 1 else (),
        resources=of_one_core,
        ceilings=tuple(_ceiling(each, levels) for each in of_one_core),
        server_ceilings=tuple(server_ceiling(system, each) for each in of_one_core),
        resource_cores=tuple(_cores(system, each) for each in of_one_core),
        globals=across,
        by_core=sum(1 << index for index, each in enumerate(across) if each.on_cores),
        events=system.events,
        tasks_events=frozenset(event for task in system.tasks for event in task.events),
        callbacks=tuple(_callbacks(system)),
        sent=tuple(sent_tables(system)),
        received=tuple(receiver_tables(system, _callbacks(system))),
        flags=tuple(flags_of(system)),
        ioc_shares=tuple(shares_of(system)),
        isr_levels=tuple(levels.isr(isr) if levels else 1 for isr in system.isrs),
        isr_resources=tuple(
            _bits(_locked_by(system, isr), system.entered_resources) for isr in system.isrs
        ),
        nesting=levels.nesting if levels else 0,
        category_1=sum(1 << index for index, isr in enumerate(system.isrs) if isr.category == 1),
        levels=levels.count if levels else 0,
        has_internal=levels is not None and any(map(levels.has_internal, system.tasks)),
        defines=tuple(recording.defines())
        if recording
        else ("#define PLF_TRACE 0", "#define PLF_ARRIVALS 0"),
        recording=recording.tables_c() if recording else None,
        by_clock=by_clock,
    )


@dataclass(frozen=True)
class _Beginning:
    """A level of a core at which tasks begin, or continue in a global section."""

    queue: int
    core: int
    level: int
    priority: int
    tasks: tuple[Task, ...]
    most: int  # most of these tasks at once


def _beginnings(
    system: System, levels: Levels, activations: dict[str, int], waits: bool
) -> Iterator[_Beginning]:
    for queue, (core, in_queue) in enumerate(queues_of(system)):
        for level, priority in levels.priorities(core).items():
            tasks = tuple(task for task in in_queue if task.priority == priority)
            most = sum(activations[task.name] for task in tasks)
            if tasks:
                yield _Beginning(queue, core, level, priority, tasks, most)
        on_core = system.tasks_on(core)
        for ceiling in sorted({each.ceiling for each in system.globals_on(core) if waits}):
            same = [each for each in system.globals_on(core) if each.ceiling == ceiling]
            users = tuple(task for task in on_core if any(task.name in each.users for each in same))
            level = levels.ceiling(same[0].name)
            yield _Beginning(queue, core, level, ceiling, users, len(users))


def _rings(
    system: System, levels: Levels, activations: dict[str, int], waits: bool
) -> Iterator[Ring]:
    """Yield the levels at which tasks wait for their start, with room for all of them."""
    for each in _beginnings(system, levels, activations, waits):
        yield Ring(each.queue, each.level, each.priority, _above(each.most))


def _source_levels(
    system: System, levels: Levels, activations: dict[str, int], waits: bool
) -> Iterator[SourceLevel]:
    """Yield the same levels. A level with a single task that is active at most once has no ring.

    A task that returns to its internal resource may wait beside the task that begins, so its level
    needs a ring.
    """
    internal = {
        (task.cpu, levels.internal(task))
        for task in system.tasks
        if waits and levels.has_internal(task)
    }
    for each in _beginnings(system, levels, activations, waits):
        is_one = each.most == 1 and (each.core, each.level) not in internal
        only = each.tasks[0].name if is_one else None
        yield SourceLevel(each.core, each.level, each.priority, only, _above(each.most))


def _locked_by(system: System, isr: Isr) -> Sequence[Resource]:
    return [each for each in system.entered_resources if each.name in isr.resources]


def _bits(some: Sequence[Resource], of: Sequence[Resource]) -> int:
    return sum(1 << index for index, resource in enumerate(of) if resource in some)


def _bits_of(system: System, servers: Collection[str | None]) -> int:
    return sum(1 << index for index, each in enumerate(system.servers) if each.name in servers)


def _counter_signals(system: System) -> Iterator[int]:
    server_of = {task.name: task.server for task in system.tasks}
    for counter in system.counters:
        tasks = {alarm.task for alarm in system.alarms if alarm.counter == counter.name}
        yield _bits_of(system, {server_of[task] for task in tasks if task})


def _globals(system: System, levels: Levels) -> Iterator[GlobalTable]:
    index = {resource.name: index for index, resource in enumerate(system.global_resources)}
    for resource in system.global_resources:
        words = _words_of(system, resource)
        ceiling = levels.ceiling(resource.name)
        yield GlobalTable(
            name=resource.name,
            ceiling=ceiling,
            users=tuple(_numbered(words)),
            on_cores=tuple(map(len, words)) if resource.is_by_cpu else (),
            user_ceiling=ceiling if resource.keeps_tasks_out else 0,
            successors=sum(1 << index[name] for name in system.successors_of(resource.name)),
        )


def _words_of(system: System, resource: Resource) -> Sequence[Sequence[str]]:
    """The users in each word, the least urgent first; the word of the most urgent user is last."""
    if resource.is_by_cpu:
        return [users[::-1] for users in system.users_by_cpu(resource).values()][::-1]
    return [[task.name for task in reversed(system.tasks) if task.name in resource.users]]


def _numbered(words: Sequence[Sequence[str]]) -> Iterator[GlobalUser]:
    for place, users in enumerate(words):
        for bit, task in enumerate(users):
            yield GlobalUser(place * USERS_IN_WORD + bit, task)


def _timer_levels(system: System, levels: Levels | None) -> Iterator[tuple[int, int]]:
    """Yield the levels of alarms and arrivals; arrivals are above all tasks, if a level is left."""
    for cpu in range(system.cpus):
        arrivals = min(levels.above(cpu), MOST_OF_HARDWARE) if levels else 1
        yield (levels.alarms(cpu) if levels else 1, arrivals)


def _inboxes(system: System, activations: dict[str, int]) -> Iterator[Inbox]:
    """Yield room for all activations of a core's tasks, because other cores may request them at
    once."""
    for core in range(system.cpus):
        most = sum(activations[task.name] for task in system.tasks_on(core))
        yield Inbox(core, _above(most))


def _above(count: int) -> int:
    """Return the least power of two above `count`."""
    return 1 << count.bit_length()


def _activations(task: Task, recording: Recording | None, *, may_wait: bool) -> int:
    """Return the most activations at once; 1 if the task may wait, because another would begin."""
    if task.queue:
        return task.queue
    has_queue = recording and task.interval and task.pending is Pending.QUEUE
    return MOST_QUEUED if has_queue and not task.events and not may_wait else 1


def _task(
    system: System,
    task: Task,
    levels: Levels | None,
    activations: int,
    board: Board,
    recording: Recording | None,
    locks: Locks,
    by_clock: bool,
) -> TaskTable:
    notes = recording.notes(task.name) if recording else 0
    entered = system.entered_resources
    used = [index for index, each in enumerate(entered) if each.may_be_entered_by(task.name)]
    return TaskTable(
        task=task,
        queue=queue_of(system, task),
        urgency=_levels(task, levels) if levels else _deadlines(system, task),
        activations=activations,
        claim=max((server_ceiling(system, entered[index]) for index in used), default=0),
        resource_names=tuple(entered[index].name for index in used),
        resources=sum(1 << index for index in used),
        stack_bytes=stack_of(task, board),
        lines=tuple(_lines(system, task, bool(notes), locks, by_clock)),
        notes=notes,
    )


def _resource_locks(system: System) -> Iterator[ResourceLock]:
    numbers = {each.name: number for number, each in enumerate(system.entered_resources)}
    for task in system.tasks:
        for name, budget_ns in task.resource_locks:
            yield ResourceLock(numbers[name], budget_ns)


def _ceiling(resource: Resource, levels: Levels | None) -> str:
    return str(levels.ceiling(resource.name)) if levels else f"UINT64_C({resource.floor})"


def _cores(system: System, resource: Resource) -> int:
    cpus = {task.cpu for task in system.tasks if resource.may_be_entered_by(task.name)}
    cpus |= {isr.cpu for isr in system.routines_of(resource.name)}
    return sum(1 << cpu for cpu in cpus)


def _levels(task: Task, levels: Levels) -> TaskLevels:
    return TaskLevels(levels.base(task), levels.internal(task), levels.most(task))


def _deadlines(system: System, task: Task) -> TaskDeadlines:
    deadline_ns = task.deadline_from_release_ns
    open_to = (each for each in system.resources if each.may_be_entered_by(task.name))
    floors = (each.floor for each in open_to if each.floor)
    return TaskDeadlines(deadline_ns, min([deadline_ns, *floors]))


def stack_of(task: Task, board: Board) -> int:
    """Return the bytes of a task's stack on a board."""
    if not board.stack_unit:
        return 0
    return -(-(task.stack or DEFAULT_STACK) // board.stack_unit) * board.stack_unit


def _callbacks(system: System) -> Sequence[str]:
    """The functions of alarms and messages, each once."""
    actions: list[object] = [alarm.action for alarm in system.alarms]
    actions += [message.action for message in system.messages]
    return list(dict.fromkeys(each.function for each in actions if isinstance(each, CallBack)))


def started_in(system: System, what: Task | Alarm | ScheduleTable) -> int:
    """Return the bit set of modes with autostart; without modes bit 0 stands for all."""
    if not what.autostart:
        return 0
    known = system.kernel.modes or ("",)
    return sum(1 << number for number, mode in enumerate(known) if mode in (what.modes or known))


def _lines(
    system: System, task: Task, has_notes: bool, locks: Locks, by_clock: bool
) -> Iterator[str]:
    """The C statements of a body."""
    kinds = _kinds(system, locks)

    def note(kind: str, resource: str) -> Iterator[str]:
        if has_notes:
            yield f"plf_note({task.name}, PLF_NOTE_{kind}, {resource});"

    if task.has_ranges:
        yield f"const uint64_t activation = plf_begin_activation({task.name});"
    for step in task.body:
        if isinstance(step, Lock):
            yield from note("REQUEST", step.resource)
            yield f"Get{kinds[step.resource]}({step.resource});"
            yield from note("GRANT", step.resource)
        elif isinstance(step, Unlock):
            yield from note("UNLOCK", step.resource)
            yield f"Release{kinds[step.resource]}({step.resource});"
        else:
            yield f"{_call(step, by_clock)};"
    if task.body:  # also after ChainTask, which returns on an error
        yield "TerminateTask();"


def _kinds(system: System, locks: Locks) -> dict[str, str]:
    """The part of the service's name that depends on the kind of resource."""
    spins = locks.global_protocol is not None and locks.global_protocol.traits.spins
    across = "Spinlock" if spins else "MPCPResource"
    return {each.name: across if each.is_global else "Resource" for each in system.resources}


def _length(step: Run) -> str:
    most = f"UINT64_C({step.duration_ns})"
    if step.least_ns is None:
        return most
    return f"plf_range_ns(UINT64_C({step.least_ns}), {most}, UINT64_C({step.key}), activation)"


def _call(step: Step, by_clock: bool) -> str:
    match step:
        case Run():
            return f"plf_spend{'_by_clock' if by_clock else ''}({_length(step)})"
        case Activate(task):
            return f"ActivateTask({task})"
        case SetEvent(task, event):
            return f"SetEvent({task}, {event})"
        case WaitEvent(event):
            return f"WaitEvent({event})"
        case ClearEvent(event):
            return f"ClearEvent({event})"
        case Chain(task):
            return f"ChainTask({task})"
    raise AssertionError(step)
