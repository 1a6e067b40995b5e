# SPDX-License-Identifier: MIT
"""A drawn system: seven tasks, four resources, two counters, six alarms, perhaps tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from .messages import Receiver, draw_receivers, message_lines
from .rights import HANDLERS, ObjectKind, Rights, application_line, draw_rights, owner_fields
from .schedule_tables import TABLES, ScheduleTable, draw_tables, table_fields

LAST = 6  # the task that is always ready, below all others
TASKS = [*(f"T{number}" for number in range(LAST)), "LAST"]
RES_SCHEDULER = 3
RESOURCES = ["R0", "R1", "R2", "RES_SCHEDULER"]
EVENTS = ["E0", "E1", "E2"]
CALLBACKS = ["CB0", "CB1"]
MODES = ["M0", "M1"]
HOOKS = ("error", "pretask", "posttask")
FIRST_WITH_APPLICATIONS = 32
FIRST_BY_DEADLINE = 128
FIRST_WITH_TABLES = 256  # otherwise as the system whose number is less by this
FIRST_WITH_MESSAGES = 512  # the same, for systems without applications
DEADLINES_NS = (10_000, 20_000, 20_000, 50_000, 100_000)
TICK_NS = 10_000
LAST_DEADLINE_NS = 3_600_000_000_000
NONE: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Task:
    """A task. A larger priority is more urgent."""

    priority: int
    queue: int
    is_extended: bool
    is_non_preemptive: bool
    internal: str  # "": the task has none
    resources: frozenset[int]
    modes: frozenset[int]  # modes of its autostart
    deadline_ns: int = 0  # relative to the arrival; 0: not under EDF


@dataclass(frozen=True)
class Counter:
    """A counter of software, or of time."""

    highest: int
    ticks_per_base: int
    min_cycle: int
    tick_ns: int = 0  # 0: a software counter


@dataclass(frozen=True)
class Alarm:
    """An alarm that can `activate` or `set` a task, `call` a callback, or `increment` a counter."""

    counter: int
    action: str
    object: int
    event: int
    first: int
    cycle: int
    modes: frozenset[int]


@dataclass(frozen=True)
class System:
    """The parts of a system from which an image is built."""

    is_extended: bool
    hooks: frozenset[str]
    has_parameters: bool
    tasks: tuple[Task, ...]
    counters: tuple[Counter, ...]
    alarms: tuple[Alarm, ...]
    tables: tuple[ScheduleTable, ...] = ()
    receivers: tuple[Receiver, ...] = ()  # receivers of messages
    rights: Rights | None = None  # if the system has applications

    def ceiling(self, resource: int) -> int:
        """The priority of its most urgent user."""
        return max(
            task.priority
            for task in self.tasks
            if resource in task.resources or resource == RES_SCHEDULER
        )

    @property
    def is_edf(self) -> bool:
        """Whether the scheduler is EDF."""
        return any(task.deadline_ns for task in self.tasks)

    def floor(self, resource: int) -> int:
        """The least deadline of its users."""
        return min(
            task.deadline_ns
            for task in self.tasks
            if resource in task.resources or resource == RES_SCHEDULER
        )

    def internal_ceiling(self, task: Task) -> int:
        """The priority of a running task outside all sections."""
        if task.is_non_preemptive:
            return max(other.priority for other in self.tasks)
        if task.internal:
            return max(o.priority for o in self.tasks if o.internal == task.internal)
        return task.priority


def draw_system(number: int) -> System:
    """Return the system of this number, which is always the same."""
    kind = number % FIRST_WITH_TABLES
    drawn = _draw_objects(kind)
    if kind >= FIRST_BY_DEADLINE:
        drawn = _by_deadline(Random(f"deadlines {kind}"), drawn)
    if number & FIRST_WITH_TABLES:
        drawn = replace(drawn, tables=draw_tables(Random(f"tables {number}"), drawn))
    if FIRST_WITH_APPLICATIONS <= kind < FIRST_BY_DEADLINE:
        return replace(drawn, rights=draw_rights(Random(f"rights {number}"), drawn))
    if number >= FIRST_WITH_MESSAGES:
        return replace(drawn, receivers=draw_receivers(Random(f"messages {number}"), drawn))
    return drawn


def _draw_objects(number: int) -> System:
    """Draw the objects that all systems have."""
    random = Random(f"system {number}")
    tasks = [_draw_task(random) for _ in range(LAST)]
    has_applications = FIRST_WITH_APPLICATIONS <= number < FIRST_BY_DEADLINE
    if has_applications:  # so tasks are often preempted in a section, and end there
        tasks = [replace(t, resources=NONE) if t.priority > 3 else t for t in tasks]
    for resource in range(RES_SCHEDULER):
        if not any(resource in task.resources for task in tasks):
            tasks[resource] = _with_resource(tasks[resource], resource)
    every = frozenset(range(len(MODES)))
    some = frozenset(r for r in range(RES_SCHEDULER) if random.random() < 0.4)
    tasks.append(Task(1, 1, False, False, "", some, every))
    counters = tuple(_draw_counter(random) for _ in range(2))
    has_chain = random.random() < 0.6
    alarms = [_draw_alarm(random, tasks, counters) for _ in range(6)]
    if has_chain:
        alarms[2] = Alarm(0, "increment", 1, 0, 2, max(2, counters[0].min_cycle), every)
    return System(
        is_extended=number % 3 != 2,  # each third system is in standard status
        hooks=frozenset(HOOKS) if number % 4 != 3 else frozenset(random.sample(HOOKS, k=1)),
        has_parameters=random.random() < 0.7,
        tasks=tuple(tasks),
        counters=counters,
        alarms=tuple(alarms),
    )


def _by_deadline(random: Random, system: System) -> System:
    """Tasks get deadlines. The second counter counts time, and may increment the first."""
    clock = replace(system.counters[1], tick_ns=TICK_NS)
    alarms = [
        replace(alarm, counter=1, object=0, cycle=max(2, clock.min_cycle))
        if alarm.action == "increment"
        else alarm
        for alarm in system.alarms
    ]
    return replace(
        system,
        tasks=tuple(_with_deadlines(random, list(system.tasks))),
        counters=(system.counters[0], clock),
        alarms=tuple(alarms),
    )


def _with_deadlines(random: Random, tasks: list[Task]) -> Iterator[Task]:
    """The last task has the latest deadline. EDF has no internal resources."""
    for number, task in enumerate(tasks):
        drawn = LAST_DEADLINE_NS if number == LAST else random.choice(DEADLINES_NS)
        yield replace(task, deadline_ns=drawn, internal="", is_non_preemptive=False)


def _draw_modes(random: Random, likely: float) -> frozenset[int]:
    return frozenset(mode for mode in range(len(MODES)) if random.random() < likely)


def _draw_task(random: Random) -> Task:
    is_extended = random.random() < 0.4
    is_non_preemptive = random.random() < 0.2
    internal = random.choice(["", "", "N0", "N1"])
    return Task(
        priority=random.randint(2, 5),
        queue=1 if is_extended else random.randint(1, 3),
        is_extended=is_extended,
        is_non_preemptive=is_non_preemptive,
        internal="" if is_non_preemptive else internal,
        resources=frozenset(r for r in range(RES_SCHEDULER) if random.random() < 0.5),
        modes=_draw_modes(random, 0.3),
    )


def _with_resource(task: Task, resource: int) -> Task:
    return Task(
        task.priority,
        task.queue,
        task.is_extended,
        task.is_non_preemptive,
        task.internal,
        task.resources | {resource},
        task.modes,
    )


def _draw_counter(random: Random) -> Counter:
    highest = random.choice([3, 7, 9, 4294967294])
    return Counter(highest, random.randint(1, 5), random.randint(1, 3))


def _draw_alarm(random: Random, tasks: list[Task], counters: tuple[Counter, ...]) -> Alarm:
    extended = [number for number, task in enumerate(tasks) if task.is_extended]
    actions = ["activate", "activate", "call", *(["set", "set"] if extended else [])]
    action, counter = random.choice(actions), random.randrange(2)
    of = {
        "activate": range(len(TASKS)),
        "call": range(len(CALLBACKS)),
        "set": extended,
    }
    least = counters[counter].min_cycle
    return Alarm(
        counter=counter,
        action=action,
        object=random.choice(of[action]),
        event=random.randrange(len(EVENTS)) if action == "set" else 0,
        first=random.randint(1, 3),
        cycle=random.choice([0, least, least]),
        modes=_draw_modes(random, 0.3),
    )


def description_of(system: System, sources: str) -> str:
    """Return the system in the language of descriptions. `sources` is the folder of fuzz.c."""
    hooks = ", ".join(f'"{hook}"' for hook in ("startup", "shutdown", *sorted(system.hooks)))
    lines = [
        *(['scheduler = "edf"'] if system.is_edf else []),
        "[kernel]",
        f'status = "{"extended" if system.is_extended else "standard"}"',
        f"hooks = [{hooks}]",
        f"parameters = {_flag(system.has_parameters and 'error' in system.hooks)}",
        f"modes = [{_names(MODES, range(len(MODES)))}]",
        f'sources = ["{sources}/fuzz.c"]',
        f'trusted = ["{sources}/trusted.c"]',
        *_application_lines(system),
        "[resource]",
        *(
            _line(system, ObjectKind.RESOURCE, number, name, [])
            for number, name in enumerate(RESOURCES)
        ),
        *(f"{name} = {{ internal = true }}" for name in _internals(system)),
        "[counter]",
        *(
            _line(system, ObjectKind.COUNTER, number, f"C{number}", _counter_fields(counter))
            for number, counter in enumerate(system.counters)
        ),
        "[isr]",
        *(
            _line(system, ObjectKind.ISR, number, f"I{number}", [f"source = {5 + number}"])
            for number in range(HANDLERS)
        ),
        "[alarm]",
        *(
            _line(system, ObjectKind.ALARM, number, f"A{number}", _alarm_fields(alarm))
            for number, alarm in enumerate(system.alarms)
        ),
        *_table_lines(system),
        *(message_lines(system.receivers, TASKS, EVENTS) if system.receivers else []),
        "[task]",
        *(
            _line(system, ObjectKind.TASK, number, TASKS[number], _task_fields(task))
            for number, task in enumerate(system.tasks)
        ),
    ]
    return "\n".join([*lines, ""])


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _names(names: list[str], numbers: frozenset[int] | range) -> str:
    return ", ".join(f'"{names[number]}"' for number in sorted(numbers))


def _internals(system: System) -> list[str]:
    return sorted({task.internal for task in system.tasks if task.internal})


def _application_lines(system: System) -> list[str]:
    if system.rights is None:
        return []
    applications = enumerate(system.rights.applications)
    return [
        "[application]",
        *(application_line(number, each, TASKS) for number, each in applications),
    ]


def _table_lines(system: System) -> list[str]:
    if not system.tables:
        return []
    modes = [
        [f"modes = [{_names(MODES, table.modes)}]"] if table.modes else []
        for table in system.tables
    ]
    return [
        "[schedule_table]",
        *(
            _line(
                system,
                ObjectKind.SCHEDULETABLE,
                number,
                TABLES[number],
                [*table_fields(table, TASKS, EVENTS), *modes[number]],
            )
            for number, table in enumerate(system.tables)
        ),
    ]


def _line(system: System, kind: ObjectKind, number: int, name: str, fields: list[str]) -> str:
    """Return the table of an object."""
    return f"{name} = {{ {', '.join([*fields, *owner_fields(system.rights, kind, number)])} }}"


def _counter_fields(counter: Counter) -> list[str]:
    return [
        f"highest = {counter.highest}",
        f"ticks_per_base = {counter.ticks_per_base}",
        f"min_cycle = {counter.min_cycle}",
        *([f'tick = "{counter.tick_ns}ns"'] if counter.tick_ns else []),
    ]


def _alarm_fields(alarm: Alarm) -> list[str]:
    objects = {"activate": TASKS, "set": TASKS, "call": CALLBACKS, "increment": ["C0", "C1"]}
    action = f"{alarm.action} {objects[alarm.action][alarm.object]}"
    if alarm.action == "set":
        action += f" {EVENTS[alarm.event]}"
    fields = [f'counter = "C{alarm.counter}"', f'action = "{action}"']
    if alarm.modes:
        fields.append(f"autostart = [{alarm.first}, {alarm.cycle}]")
        fields.append(f"modes = [{_names(MODES, alarm.modes)}]")
    return fields


def _task_fields(task: Task) -> list[str]:
    fields = [
        f'deadline = "{task.deadline_ns}ns"' if task.deadline_ns else f"priority = {task.priority}",
        f"resources = [{_names(RESOURCES, task.resources)}]",
    ]
    if task.queue > 1:
        fields.append(f"queue = {task.queue}")
    if task.is_extended:
        fields.append(f"events = [{_names(EVENTS, range(len(EVENTS)))}]")
    if task.is_non_preemptive:
        fields.append('schedule = "non"')
    if task.internal:
        fields.append(f'internal = "{task.internal}"')
    if task.modes:
        fields += ["autostart = true", f"modes = [{_names(MODES, task.modes)}]"]
    return fields
