# SPDX-License-Identifier: MIT
"""Actors, the machine that executes them, the kernel that schedules them, and the oracle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from explore import NOBODY, Interned, Moment, ViolationError

import oracle
import schedule
from image import Image
from machine import ActorState, Answer, Machine, words_of
from oracle import Oracle
from processor import CLEAR
from schedule import Condition, Schedule, Task


class Mark(IntEnum):
    """Those of marks.h."""

    LOOK = 0
    IN = 1
    CHANGED = 2
    TORN = 3
    OUT = 4
    LEFT = 5
    REFUSED = 6
    END = 7
    SUSPEND = 8
    WAIT = 9
    WAKE = 10
    LOWER = 11
    SET_PRIORITY = 12
    PREEMPT_OFF = 13
    PREEMPT_ON = 14
    COUNTED = 15
    DETOUR = 16


# Of a driver's proof_sizes: bytes of an actor's words that are as before in the end; of the locks'
# words, which come first in the shared memory, 8 bytes each; where the data of the locks begin.
WORDS, LOCKS, DATA, DATA_SIZE = range(4)
DATA_FIRST, DATA_COUNT, DATA_SECOND = 0, 32, 64
UNLIMITED = 99
NO_MARK_LIMIT = 20_000  # instructions between two marks; the longest way has hundreds


@dataclass(frozen=True, slots=True)
class Actor:
    """Runs this function of the driver once, at this base priority."""

    name: str
    script: str
    priority: int
    locks: tuple[int, ...] = ()
    suspends: bool = False  # it sleeps once inside a section
    is_refused: bool = False  # its locks are none for it
    limit: int = UNLIMITED  # the kernel raises it no higher


@dataclass(frozen=True, slots=True)
class Scenario:
    """Actor 0 is there from the start, the others arrive. Locks are R1, R2 and so on."""

    name: str
    ceilings: tuple[int, ...]
    actors: tuple[Actor, ...]

    @property
    def is_timed(self) -> bool:
        """Nobody suspends itself, and all get the priority that they are owed."""
        return not any(a.suspends or a.limit != UNLIMITED for a in self.actors)


@dataclass(frozen=True, slots=True)
class Habits:
    """What a protocol's driver does that others do not."""

    is_frugal: bool = True  # no kernel call is in vain
    is_raise_first: bool = True  # the kernel raises to the head of a level
    is_deferred: bool = True  # preemption that is off defers a switch


class State(NamedTuple):
    """The whole: numbers of the actors' states, the shared memory's, the schedule's and notes'."""

    actors: tuple[int, ...]
    shared: int
    system: int


class _Frozen(NamedTuple):
    schedule: schedule.Frozen
    oracle: oracle.Frozen


class System:
    """All actors of one scenario, from their preparation to the end of their scripts."""

    leap = NO_MARK_LIMIT

    def __init__(self, image: Image, scenario: Scenario, habits: Habits) -> None:
        """Prepare each actor's words, and a lock for each ceiling."""
        self.scenario = scenario
        self.machine = Machine(image, len(scenario.actors))
        self.tell: Callable[[str], None] | None = None
        self._habits = habits
        bases = tuple(a.priority for a in scenario.actors)
        names = tuple(a.name for a in scenario.actors)
        self._schedule = Schedule([Task(b) for b in bases], habits.is_raise_first)
        self._limits = tuple(a.limit for a in scenario.actors)
        self._oracle = Oracle(
            names,
            bases,
            self._limits,
            scenario.ceilings,
            scenario.is_timed,
            habits.is_frugal,
        )
        self._systems: Interned[_Frozen] = Interned()
        self._running: list[int | None] = []
        self._asleep: list[tuple[int, ...]] = []
        self._is_open: list[bool] = []
        self._prepare()

    # ---- Preparation ---------------------------------------------------------------

    def _prepare(self) -> None:
        machine = self.machine
        for lock, ceiling in enumerate(self.scenario.ceilings):
            machine.prepare(0, "proof_lock", lock, ceiling)
        for i, actor in enumerate(self.scenario.actors):
            machine.prepare(i, "proof_prepare", words_of(i), i, actor.priority)
        self._sizes = [machine.constant("proof_sizes", i) for i in range(4)]
        shared = machine.finish_set_up()
        states = [
            machine.entry(i, a.script, words_of(i), i + 1, *a.locks)
            for i, a in enumerate(self.scenario.actors)
        ]
        self._words = [self._words_in(s) for s in states]
        self.initial = self.wake(
            State(tuple(machine.actors.number(s) for s in states), shared, self._freeze()), 0
        )

    def _words_in(self, state: ActorState) -> bytes:
        start = len(state.private) - (0x1000 - words_of(0) % 0x1000)
        return state.private[start : start + self._sizes[WORDS]]

    # ---- The system part of a state --------------------------------------------------

    def _freeze(self) -> int:
        number = self._systems.number(_Frozen(self._schedule.freeze(), self._oracle.freeze()))
        if number == len(self._running):
            self._running.append(self._schedule.running)
            tasks = self._schedule.tasks
            asleep = tuple(i for i, t in enumerate(tasks) if t.condition == Condition.ASLEEP)
            self._asleep.append(asleep)
            self._is_open.append(bool(asleep) or self._may_sleep_yet())
        return number

    def _may_sleep_yet(self) -> bool:
        return any(
            actor.suspends and task.condition != Condition.DONE
            for actor, task in zip(self.scenario.actors, self._schedule.tasks, strict=True)
        )

    def _thaw(self, number: int) -> None:
        frozen = self._systems.values[number]
        self._schedule.thaw(frozen.schedule)
        self._oracle.thaw(frozen.oracle)

    def running_in(self, system: int) -> int | None:
        """Who has the CPU."""
        return self._running[system]

    def asleep_in(self, system: int) -> tuple[int, ...]:
        """Who can arrive."""
        return self._asleep[system]

    def is_open(self, system: int) -> bool:
        """Whether anybody can arrive, now or after sleeping in a section."""
        return self._is_open[system]

    def running(self, state: State) -> int | None:
        """Who has the CPU."""
        return self._running[state.system]

    def asleep(self, state: State) -> tuple[int, ...]:
        """Who can arrive."""
        return self._asleep[state.system]

    def _say(self, text: str) -> None:
        if self.tell is not None:
            self.tell(text)

    # ---- Moves ---------------------------------------------------------------------

    def wake(self, state: State, who: int) -> State:
        """An interrupt wakes it."""
        running = self._running[state.system] if self._running else None
        actor = NOBODY if running is None else state.actors[running]
        return self._moved(
            state, running, self.arrive(running, (actor, state.shared, state.system), who)
        )

    def step(self, state: State, limit: int) -> State | None:
        """Run whoever runs for up to `limit` instructions or to one mark; None: nobody runs."""
        running = self._running[state.system]
        if running is None:
            return None
        moment = (state.actors[running], state.shared, state.system)
        return self._moved(state, running, self.go(running, moment, limit))

    def _moved(self, state: State, running: int | None, to: Moment) -> State:
        actors = state.actors
        if running is not None and actors[running] != to[0]:
            actors = (*actors[:running], to[0], *actors[running + 1 :])
        return State(actors, to[1], to[2])

    def arrive(self, running: int | None, moment: Moment, who: int) -> Moment:
        """An interrupt wakes `who`; of whoever ran, what it becomes."""
        actor, shared, system = moment
        if running is not None:
            actor = self.machine.interrupted(actor)
        self._thaw(system)
        self._schedule.wake(who)
        return self._switched(running, actor, shared)

    def go(self, running: int, moment: Moment, limit: int) -> Moment:
        """Run who runs for up to `limit` instructions or to one mark; of it, what it becomes."""
        actor, shared, system = moment
        ran = self.machine.run(actor, shared, limit)
        if ran.mark is None:
            if limit >= NO_MARK_LIMIT:
                raise ViolationError(f"{self._oracle.names[running]} runs in circles")
            return ran.actor, ran.shared, system
        self._thaw(system)
        return self._on_mark(running, ran.actor, ran.shared, Mark(ran.mark), ran.arguments)

    # ---- The kernel ----------------------------------------------------------------

    def _switched(self, outgoing: int | None, actor: int, shared: int) -> tuple[int, int, int]:
        """The entry of __schedule(), if it is due: the hook for the outgoing one, then the pick."""
        plan = self._schedule
        if plan.may_switch:
            if outgoing is not None:
                actor, shared = self._settle(outgoing, actor, shared)
            plan.pick()
            self._oracle.judge_switch(plan)
            if plan.running is not None and plan.running != outgoing:
                self._say(f"{self._oracle.names[plan.running]} runs")
        return actor, shared, self._freeze()

    def _ask_kernel(self, function: str, who: int, actor: int, shared: int) -> Answer:
        """Which priority it should have."""
        known = (self._oracle.bases[who], self._schedule.tasks[who].priority, self._limits[who])
        return self.machine.kernel(f"proof_{function}", actor, shared, *known)

    def _settle(self, who: int, actor: int, shared: int) -> tuple[int, int]:
        before = self._schedule.tasks[who].priority
        answer = self._ask_kernel("settle", who, actor, shared)
        if answer.value != before:
            self._say(f"the kernel gives {self._oracle.names[who]} priority {answer.value}")
            if who in self._schedule.order:
                self._schedule.set_priority(who, answer.value)
            else:
                self._schedule.tasks[who].priority = answer.value
        return answer.actor, answer.shared

    def _leave_cpu(
        self, who: int, actor: int, shared: int, condition: Condition, lock: int = 0
    ) -> tuple[int, int, int]:
        """By itself; the hook comes first."""
        actor, shared = self._settle(who, actor, shared)
        self._schedule.stop(who, condition, lock)
        _, shared, system = self._switched(None, -1, shared)
        return actor, shared, system

    # ---- Marks ---------------------------------------------------------------------

    def _on_mark(
        self, who: int, actor: int, shared: int, mark: Mark, arguments: tuple[int, int]
    ) -> tuple[int, int, int]:
        notes, plan, lock = self._oracle, self._schedule, arguments[0]
        name = notes.names[who]
        match mark:
            case Mark.IN:
                if self.scenario.actors[who].is_refused:
                    raise ViolationError(f"{name} enters R{lock + 1}, which is none for it")
                notes.enters(who, lock)
                notes.judge_priority(who, plan)
                self._say(f"{name} is inside R{lock + 1}")
            case Mark.CHANGED:
                notes.changes_data(who, lock)
                notes.judge_priority(who, plan)
            case Mark.TORN:
                raise ViolationError(f"{name} sees the data of R{lock + 1} half written")
            case Mark.OUT:
                notes.judge_priority(who, plan)
                notes.leaves(who, lock)
                self._say(f"{name} leaves R{lock + 1}")
            case Mark.LEFT:
                notes.has_left(who)
                notes.judge_priority(who, plan)
                self._say(f"{name} has left R{lock + 1}")
            case Mark.LOOK:
                notes.judge_priority(who, plan)
            case Mark.COUNTED:
                notes.changes[lock] += 1
            case Mark.DETOUR:
                notes.takes_detour(who)
            case Mark.REFUSED:
                if not self.scenario.actors[who].is_refused:
                    raise ViolationError(f"{name} is refused R{lock + 1}")
            case Mark.LOWER:
                answer = self._ask_kernel("lower", who, actor, shared)
                actor, shared = answer.actor, answer.shared
                return self._set_priority(who, actor, shared, answer.value)
            case Mark.SET_PRIORITY:
                return self._set_priority(who, actor, shared, lock)
            case Mark.PREEMPT_OFF:
                plan.is_preemption_off = self._habits.is_deferred
            case Mark.PREEMPT_ON:
                plan.is_preemption_off = False
                if plan.may_switch:
                    return self._switched(who, actor, shared)
            case Mark.WAIT:
                if self._lock_word(shared, lock) == arguments[1]:
                    self._say(f"{name} waits for R{lock + 1}")
                    return self._leave_cpu(who, actor, shared, Condition.WAITING, lock)
            case Mark.WAKE:
                plan.wake_waiting(lock)
                if plan.may_switch:
                    return self._switched(who, actor, shared)
            case Mark.SUSPEND:
                self._say(f"{name} sleeps inside")
                return self._leave_cpu(who, actor, shared, Condition.ASLEEP)
            case Mark.END:
                return self._end(who, actor, shared)
        return actor, shared, self._freeze()

    def _set_priority(
        self, who: int, actor: int, shared: int, priority: int
    ) -> tuple[int, int, int]:
        before = self._schedule.tasks[who].priority
        self._oracle.calls_kernel(who, before, priority)
        self._say(f"{self._oracle.names[who]}: K.Set_Priority({priority})")
        self._schedule.set_priority(who, priority)
        if self._schedule.may_switch:
            return self._switched(who, actor, shared)
        return actor, shared, self._freeze()

    def _lock_word(self, shared: int, lock: int) -> int:
        memory = self.machine.shared.values[shared]
        return int.from_bytes(memory[8 * lock : 8 * lock + 8], "little")

    def _end(self, who: int, actor: int, shared: int) -> tuple[int, int, int]:
        name = self._oracle.names[who]
        self._oracle.ends(who)
        self._oracle.judge_priority(who, self._schedule)
        words = self._words_in(self.machine.actors.values[actor])
        if words != self._words[who]:
            raise ViolationError(f"{name}'s words are not as before: {words.hex(' ', 4)}")
        self._say(f"{name} ends")
        actor, shared, system = self._leave_cpu(who, actor, shared, Condition.DONE)
        return self.machine.actors.number(ActorState(who, (), b"", CLEAR)), shared, system

    # ---- The end -------------------------------------------------------------------

    def judge_rest(self, shared: int, system: int) -> None:
        """Nobody runs and nobody is left to arrive: all is as it was."""
        self._thaw(system)
        for who, task in enumerate(self._schedule.tasks):
            name, base = self._oracle.names[who], self._oracle.bases[who]
            if task.condition == Condition.WAITING:
                raise ViolationError(f"{name} waits for R{task.lock + 1} for ever")
            if task.priority != base:
                raise ViolationError(f"{name} is left at priority {task.priority}, not {base}")
        size = self._sizes[LOCKS]
        memory = self.machine.shared.values[shared]
        before = self.machine.shared.values[self.initial.shared]
        if memory[:size] != before[:size]:
            raise ViolationError(f"the locks are not left free: {memory[:size].hex(' ', 8)}")
        for lock, expected in enumerate(self._oracle.changes):
            data = self._sizes[DATA] + lock * self._sizes[DATA_SIZE]
            first, count, second = (
                int.from_bytes(memory[data + at : data + at + 2], "little")
                for at in (DATA_FIRST, DATA_COUNT, DATA_SECOND)
            )
            if count != expected or first != second:
                raise ViolationError(
                    f"{count} of {expected} changes of R{lock + 1}'s data are left"
                )

    def describe(self, state: State) -> str:
        """Who is about to execute what."""
        running = self.running(state)
        if running is None:
            return "nobody runs"
        name = self._oracle.names[running]
        return f"{name} is about to execute {self.machine.describe(state.actors[running])}"
