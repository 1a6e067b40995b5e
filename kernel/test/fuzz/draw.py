# SPDX-License-Identifier: MIT
"""Random programs for a system."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from .calls import ALLOWED
from .messages import RECEIVED, SENT
from .program import POINTERS, SCRIPTS, TASK_PLACES, Code, Place, Program, Step
from .rights import APPLICATIONS, ObjectKind, Rights
from .system import LAST, RES_SCHEDULER, RESOURCES, System

FUEL = 300
LONGEST = {
    Place.TASK_LAST: 48,
    Place.ERROR: 2,
    Place.PRE_TASK: 2,
    Place.POST_TASK: 2,
    Place.CALLBACK_0: 3,
    Place.CALLBACK_1: 3,
}
USUAL_LENGTH = 7
HOSTILE_TICKS = (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
HOSTILE_EVENTS = (0, 1 << 31, 1 << 63, (1 << 64) - 1, 8)

OF_TASKS = {
    Code.NOTHING: 2,
    Code.ACTIVATE_TASK: 14,
    Code.TERMINATE_TASK: 3,
    Code.CHAIN_TASK: 5,
    Code.SCHEDULE: 6,
    Code.GET_TASK_ID: 2,
    Code.GET_TASK_STATE: 6,
    Code.GET_RESOURCE: 10,
    Code.RELEASE_RESOURCE: 10,
    Code.SET_EVENT: 10,
    Code.CLEAR_EVENT: 4,
    Code.GET_EVENT: 4,
    Code.WAIT_EVENT: 8,
    Code.GET_ALARM_BASE: 1,
    Code.GET_ALARM: 6,
    Code.SET_REL_ALARM: 7,
    Code.SET_ABS_ALARM: 5,
    Code.CANCEL_ALARM: 3,
    Code.INCREMENT_COUNTER: 16,
    Code.DISABLE_ALL_INTERRUPTS: 1,
    Code.ENABLE_ALL_INTERRUPTS: 2,
    Code.SUSPEND_ALL_INTERRUPTS: 1,
    Code.RESUME_ALL_INTERRUPTS: 2,
    Code.SUSPEND_OS_INTERRUPTS: 1,
    Code.RESUME_OS_INTERRUPTS: 2,
    Code.GET_ACTIVE_APPLICATION_MODE: 1,
    Code.GET_ISR_ID: 1,
    Code.GET_COUNTER_VALUE: 2,
    Code.GET_ELAPSED_VALUE: 2,
}
OF_APPLICATIONS = {
    Code.GET_APPLICATION_ID: 3,
    Code.CHECK_OBJECT_ACCESS: 4,
    Code.CHECK_OBJECT_OWNERSHIP: 2,
    Code.GET_APPLICATION_STATE: 4,
    Code.TERMINATE_APPLICATION: 5,
    Code.ALLOW_ACCESS: 4,
}
OF_TABLES = {
    Code.START_TABLE_REL: 9,
    Code.START_TABLE_ABS: 6,
    Code.STOP_TABLE: 4,
    Code.NEXT_TABLE: 9,
    Code.GET_TABLE_STATUS: 8,
    Code.INCREMENT_COUNTER: 40,
}
OF_MESSAGES = {Code.SEND_MESSAGE: 24, Code.RECEIVE_MESSAGE: 16, Code.GET_MESSAGE_STATUS: 8}
# In hooks the services that hold interrupts back do nothing, and callbacks may not call all of
# them.
OF_TRUSTED = {code: weight for code, weight in OF_TASKS.items() if code != Code.NOTHING} | {
    Code.RAISE: 25
}
OF_HOOKS = {
    code: weight
    for code, weight in OF_TRUSTED.items()
    if code
    not in (
        Code.DISABLE_ALL_INTERRUPTS,
        Code.ENABLE_ALL_INTERRUPTS,
        Code.SUSPEND_OS_INTERRUPTS,
        Code.RESUME_OS_INTERRUPTS,
    )
}
EVERY = frozenset(Place)
REFUSED_ENDS = frozenset({Place.PRE_TASK, Place.POST_TASK, Place.CALLBACK_0, Place.CALLBACK_1})


@dataclass(frozen=True)
class _Drawer:
    random: Random
    system: System

    def number(self, count: int) -> int:
        """Return mostly a number that an object has."""
        if self.random.random() < 0.05:
            return self.random.choice([count, count + 1, 0x7F, 0xFE, 0xFF])
        return self.random.randrange(count)

    def ticks(self, counter: int) -> int:
        if self.random.random() < 0.1:
            return self.random.choice([*HOSTILE_TICKS, self.system.counters[counter].highest + 1])
        return self.random.randint(1, 4)

    def events(self) -> int:
        if self.random.random() < 0.06:
            return self.random.choice(HOSTILE_EVENTS)
        return self.random.choice([1, 2, 4, 3, 5, 7])

    def step(self, code: Code, place: Place) -> Step:
        random = self.random
        is_null = code in POINTERS and place in TASK_PLACES and random.random() < 0.05
        if code in (Code.GET_RESOURCE, Code.RELEASE_RESOURCE):
            return Step(code, self.resource(place))
        if code in (Code.SET_EVENT, Code.GET_EVENT):
            first = self.events() if code == Code.SET_EVENT else 0
            return Step(code, self.extended(), is_null, first)
        if code in (Code.CLEAR_EVENT, Code.WAIT_EVENT):
            return Step(code, first=self.events())
        if code in (Code.SET_REL_ALARM, Code.SET_ABS_ALARM):
            return self.alarm(code)
        if code in (Code.GET_ALARM, Code.GET_ALARM_BASE, Code.CANCEL_ALARM):
            return Step(code, self.number(len(self.system.alarms)), is_null)
        if code in (Code.GET_COUNTER_VALUE, Code.GET_ELAPSED_VALUE):
            return self.counter(code, is_null)
        if code in OF_MESSAGES:
            return self.message(code)
        if code in OF_TABLES and code != Code.INCREMENT_COUNTER:
            return self.table(code, is_null)
        if code in OF_APPLICATIONS:
            return self.application(code, place, is_null)
        if code in (Code.INCREMENT_COUNTER, Code.RAISE):
            return Step(code, random.randrange(2) if code == Code.RAISE else self.number(2))
        if code == Code.SPEND:
            return Step(code, first=random.choice([1_000, 5_000, 10_000, 20_000]))
        if code == Code.SHUTDOWN_OS:
            return Step(code, first=17)
        return Step(code, self.number(len(self.system.tasks)), is_null)

    def resource(self, place: Place) -> int:
        """Return mostly a resource that the task uses."""
        if place in TASK_PLACES and self.random.random() < 0.85:
            own = self.system.tasks[place].resources | {RES_SCHEDULER}
            return self.random.choice(sorted(own))
        return self.number(len(RESOURCES))

    def extended(self) -> int:
        """Return mostly a task with events."""
        extended = [n for n, task in enumerate(self.system.tasks) if task.is_extended]
        if extended and self.random.random() < 0.8:
            return self.random.choice(extended)
        return self.number(len(self.system.tasks))

    def alarm(self, code: Code) -> Step:
        number = self.number(len(self.system.alarms))
        alarm = self.system.alarms[number % len(self.system.alarms)]
        cycle = self.ticks(alarm.counter) if self.random.random() < 0.5 else 0
        return Step(code, number, first=self.ticks(alarm.counter), second=cycle)

    def counter(self, code: Code, is_null: bool) -> Step:
        """A step with a past value of the counter. `second` chooses the pointer that is NULL."""
        number = self.number(2)
        highest = self.system.counters[number % 2].highest
        first = self.random.choice([0, 1, 3, highest - 1, highest, highest + 1])
        if code == Code.GET_COUNTER_VALUE:
            return Step(code, number, is_null)
        return Step(code, number, is_null, first, int(is_null and self.random.random() < 0.5))

    def message(self, code: Code) -> Step:
        """Mostly a message of the kind that the service needs."""
        random = self.random
        number = random.randrange(len(SENT))
        if code != Code.SEND_MESSAGE:
            number = len(SENT) + random.randrange(len(RECEIVED))
        if random.random() < 0.08:
            number = self.number(len(SENT) + len(RECEIVED))
        is_null = code != Code.GET_MESSAGE_STATUS and random.random() < 0.05
        first = random.randrange(1 << 32) if code == Code.SEND_MESSAGE else 0
        return Step(code, number, is_null, first)

    def table(self, code: Code, is_null: bool) -> Step:
        """The next table mostly has the same counter. A start is sometimes as late as possible."""
        number, tables = self.number(len(self.system.tables)), self.system.tables
        table = tables[number % len(tables)]
        counter = table.counter
        if code in (Code.START_TABLE_REL, Code.START_TABLE_ABS):
            latest = self.system.counters[counter].highest
            latest -= table.points[0].offset if code == Code.START_TABLE_REL else 0
            is_late = self.random.random() < 0.2
            ticks = latest + self.random.randrange(2) if is_late else self.ticks(counter)
            return Step(code, number, first=ticks)
        if code != Code.NEXT_TABLE:
            return Step(code, number, is_null)
        others = [n for n, table in enumerate(tables) if table.counter == counter and n != number]
        if others and self.random.random() < 0.8:
            return Step(code, number, first=self.random.choice(others))
        return Step(code, number, first=self.number(len(tables)))

    def application(self, code: Code, place: Place, is_null: bool) -> Step:
        """Mostly ends the caller's application, or another that may end, and mostly restarts it."""
        random, rights = self.random, self.system.rights
        number = self.number(len(APPLICATIONS))
        assert rights is not None
        if code == Code.TERMINATE_APPLICATION:
            if place in TASK_PLACES and random.random() < 0.4:
                number = rights.application(ObjectKind.TASK, place)
            option = random.choices([1, 0, random.choice([2, 0xFF])], [12, 2, 1])[0]
            return Step(code, number, first=option)
        if code == Code.GET_APPLICATION_ID:
            return Step(code, first=random.randrange(2))
        if code in (Code.CHECK_OBJECT_ACCESS, Code.CHECK_OBJECT_OWNERSHIP):
            kind = random.choice([*ObjectKind, *ObjectKind, *ObjectKind, 6, 0xFF])
            named = self.number(len(rights.owners[kind]) if kind in rights.owners else 1)
            return Step(code, number, first=kind, second=named)
        return Step(code, number, is_null)

    def script(self, place: Place) -> tuple[Step, ...]:
        is_task = place in TASK_PLACES
        weights = dict(OF_TASKS if is_task else OF_TRUSTED if place <= Place.ISR_1 else OF_HOOKS)
        if place in (Place.CALLBACK_0, Place.CALLBACK_1):
            weights = dict(OF_TRUSTED)
        if self.system.rights is not None:
            weights |= OF_APPLICATIONS
        if self.system.tables:
            weights |= OF_TABLES
        if self.system.receivers:
            weights |= OF_MESSAGES
        if self.system.is_edf and is_task:
            weights[Code.SPEND] = 14
        if place in (Place.PRE_TASK, Place.POST_TASK):
            weights[Code.GET_ISR_ID] = 12
        if place in REFUSED_ENDS:
            weights[Code.SHUTDOWN_OS] = 1
        if place == Place.TASK_LAST:
            weights[Code.TERMINATE_TASK] = weights[Code.CHAIN_TASK] = 0
        if not is_task:  # mostly services that it may call, else all were refused
            weights = {c: w if place in ALLOWED.get(c, EVERY) else 1 for c, w in weights.items()}
        length = self.random.randint(0, LONGEST.get(place, USUAL_LENGTH))
        if place == Place.TASK_LAST:
            length = LONGEST[place]
        elif place >= Place.ERROR and self.random.random() < 0.6:
            length = 0
        codes = self.random.choices(list(weights), list(weights.values()), k=length)
        steps = [self.step(code, place) for code in codes]
        if is_task:
            steps += self.pattern(place)
        if is_task and self.system.tables and self.random.random() < 0.4:
            steps += self.followed()
        if is_task and self.system.rights is not None and self.random.random() < 0.5:
            pattern = self.random.choice([self.closed, self.overtaken])
            steps += pattern(place, self.system.rights)
        if is_task and place != Place.TASK_LAST:
            steps = self.with_section(steps, place)
            if self.restarts(place) and self.random.random() < 0.4:
                steps.insert(0, Step(Code.ALLOW_ACCESS))
            steps += self.end()
        return tuple(steps)

    def restarts(self, place: Place) -> bool:
        """Whether an application restarts with this task."""
        rights = self.system.rights
        return rights is not None and place in [each.restart for each in rights.applications]

    def with_section(self, steps: list[Step], place: Place) -> list[Step]:
        """Often put some steps into a section, well nested."""
        if self.random.random() < 0.5:
            return steps
        first, last = sorted(self.random.choices(range(len(steps) + 1), k=2))
        resource = self.resource(place)
        get, release = Step(Code.GET_RESOURCE, resource), Step(Code.RELEASE_RESOURCE, resource)
        return [*steps[:first], get, *steps[first:last], release, *steps[last:]]

    def pattern(self, place: Place) -> list[Step]:
        """Sometimes a pattern that single steps seldom form."""
        chance = self.random.random()
        if chance < 0.15:
            return self.masked(place)
        if chance < 0.3:
            return self.refused_inside(place)
        if chance < 0.4 and self.system.tasks[place].is_extended:
            get = Step(Code.GET_EVENT, int(place))
            set_own = Step(Code.SET_EVENT, int(place), first=7)
            return [set_own, get, Step(Code.CLEAR_EVENT, first=self.events()), get]
        if chance < 0.7:
            return self.yielding(place)
        return []

    def followed(self) -> list[Step]:
        """A table that starts, its next table, and often the later states of both."""
        random, tables = self.random, self.system.tables
        number = random.randrange(len(tables))
        counter = tables[number].counter
        others = [n for n, table in enumerate(tables) if table.counter == counter and n != number]
        named = [Step(Code.NEXT_TABLE, number, first=other) for other in others]
        ticks = [Step(Code.INCREMENT_COUNTER, counter)] * random.randint(
            1, tables[number].duration + 1
        )
        asks = [Step(Code.GET_TABLE_STATUS, each) for each in (number, *others)]
        start = Step(Code.START_TABLE_REL, number, first=1)
        return [start, *random.sample(named, k=len(named)), asks[-1], *ticks, *asks]

    def overtaken(self, place: Place, rights: Rights) -> list[Step]:
        """A more urgent task that may terminate the caller's application."""
        least = self.system.tasks[place].priority
        above = [
            number
            for number, task in enumerate(self.system.tasks)
            if task.priority > least
            and rights.of_task(number).is_trusted
            and rights.application(ObjectKind.TASK, place)
            in rights.owners[ObjectKind.TASK][number].access
        ]
        return [Step(Code.ACTIVATE_TASK, self.random.choice(above))] if above else []

    def closed(self, place: Place, rights: Rights) -> list[Step]:
        """An application ends, often while a task of it is preempted. Then its objects are used."""
        random, priority = self.random, self.system.tasks[place].priority
        below = [n for n, task in enumerate(self.system.tasks) if task.priority < priority]
        is_trusted = rights.of_task(place).is_trusted
        task = random.choice(below) if is_trusted and below else int(place)
        number = rights.application(ObjectKind.TASK, task)
        allowed = random.choice(sorted(rights.owners[ObjectKind.TASK][task].access))
        asks = [
            Step(Code.GET_APPLICATION_STATE, number),
            Step(Code.CHECK_OBJECT_ACCESS, allowed, first=ObjectKind.TASK, second=task),
            Step(Code.ACTIVATE_TASK, task),
            Step(Code.TERMINATE_APPLICATION, number, first=random.randrange(2)),
        ]
        restart = Step(Code.TERMINATE_APPLICATION, number, first=1)
        return [restart, *random.sample(asks, k=2)]

    def yielding(self, place: Place) -> list[Step]:
        """A task that an internal resource keeps out, and that Schedule() lets run."""
        task, others = self.system.tasks[place], enumerate(self.system.tasks)
        ceiling = self.system.internal_ceiling(task)
        kept_out = [n for n, other in others if task.priority < other.priority <= ceiling]
        if not kept_out:
            return []
        number = self.random.choice(kept_out)
        state = Step(Code.GET_TASK_STATE, number)
        return [Step(Code.ACTIVATE_TASK, number), state, Step(Code.SCHEDULE), state]

    def masked(self, place: Place) -> list[Step]:
        """Interrupts are held back twice, and let through twice, with services in between."""
        suspend, resume = self.random.choice(
            [
                (Code.SUSPEND_ALL_INTERRUPTS, Code.RESUME_ALL_INTERRUPTS),
                (Code.SUSPEND_OS_INTERRUPTS, Code.RESUME_OS_INTERRUPTS),
            ]
        )
        asks = [self.step(Code.GET_TASK_STATE, place) for _ in range(3)]
        late = [Step(Code.SPEND, first=25_000)] if self.system.is_edf else []
        return [
            *(Step(suspend), Step(suspend), asks[0], *late),
            *(Step(resume), asks[1], Step(resume), asks[2]),
        ]

    def refused_inside(self, place: Place) -> list[Step]:
        """A service that must not be called in a section, with any parameters."""
        resource = self.resource(place)
        codes = [Code.TERMINATE_TASK, Code.CHAIN_TASK, Code.SCHEDULE, Code.WAIT_EVENT]
        refused = self.step(self.random.choice(codes), place)
        if refused.code == Code.CHAIN_TASK and self.random.random() < 0.5:
            refused = Step(Code.CHAIN_TASK, 0xFF)
        if place == Place.TASK_LAST:
            refused = Step(Code.SCHEDULE)
        return [Step(Code.GET_RESOURCE, resource), refused, Step(Code.RELEASE_RESOURCE, resource)]

    def end(self) -> list[Step]:
        """Mostly the end that the standard demands."""
        chance = self.random.random()
        if chance < 0.7:
            return [Step(Code.TERMINATE_TASK)]
        if chance < 0.9:
            return [self.step(Code.CHAIN_TASK, Place.TASK_0), Step(Code.TERMINATE_TASK)]
        return []


def draw_program(system: System, seed: str) -> Program:
    """Return the program of this seed, which is always the same."""
    drawer = _Drawer(Random(seed), system)
    scripts = {
        place: tuple(drawer.script(place) for _ in range(1 if place == LAST else SCRIPTS))
        for place in Place
    }
    return Program(FUEL, drawer.random.randrange(2), scripts)
