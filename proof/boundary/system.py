# SPDX-License-Identifier: MIT
"""Actors, the machine that executes them, the kernel that schedules them, and the oracle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from proof.boundary import oracle, schedule
from proof.boundary.image import Image
from proof.boundary.machine import ActorState, Answer, Step, words_of
from proof.boundary.moves import Mark, Moves, State
from proof.boundary.oracle import Oracle
from proof.boundary.schedule import Condition, Schedule, Task
from proof.engine.explore import Moment, ViolationError
from proof.engine.processor import CLEAR

# Indices in a driver's proof_sizes. WORDS: bytes of an actor's words that must be as before in the
# end. LOCKS: bytes of the locks' words, which come first in the shared memory, 8 bytes each. DATA:
# the offset of the locks' data.
WORDS, LOCKS, DATA, DATA_SIZE = range(4)
UNLIMITED = 99


@dataclass(frozen=True, slots=True)
class Actor:
    """Runs this function of the driver once, at this base priority."""

    name: str
    script: str
    priority: int
    locks: tuple[int, ...] = ()
    suspends: bool = False  # it sleeps once inside a section
    is_refused: bool = False  # it must not use its locks
    limit: int = UNLIMITED  # the highest priority that the kernel gives it


@dataclass(frozen=True, slots=True)
class Scenario:
    """Actor 0 is ready at the start, the others arrive. Locks are R1, R2 and so on."""

    name: str
    ceilings: tuple[int, ...]
    actors: tuple[Actor, ...]

    @property
    def is_timed(self) -> bool:
        """Whether no actor suspends itself and all actors get the priority that they are owed."""
        return not any(a.suspends or a.limit != UNLIMITED for a in self.actors)


@dataclass(frozen=True, slots=True)
class Habits:
    """Differences between the drivers of protocols."""

    is_frugal: bool = True  # no kernel call is in vain
    is_raise_first: bool = True  # the kernel raises to the head of a level
    is_deferred: bool = True  # a switch waits while preemption is off


class _Frozen(NamedTuple):
    schedule: schedule.Frozen
    oracle: oracle.Frozen


class System(Moves[_Frozen]):
    """The actors of a scenario under one CPU of Linux."""

    def __init__(self, image: Image, scenario: Scenario, habits: Habits) -> None:
        """Prepare each actor's words, and a lock for each ceiling."""
        names = tuple(a.name for a in scenario.actors)
        super().__init__(image, names, tuple(f"{name} arrives" for name in names))
        self.scenario = scenario
        self._habits = habits
        bases = tuple(a.priority for a in scenario.actors)
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
        self.initial = self._prepared()

    # ---- Preparation ---------------------------------------------------------------

    def _prepared(self) -> State:
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
        numbers = tuple(machine.actors.number(s) for s in states)
        return self.wake(State(numbers, shared, self._freeze()), 0)

    def _words_in(self, state: ActorState) -> bytes:
        start = len(state.private) - (0x1000 - words_of(0) % 0x1000)
        return state.private[start : start + self._sizes[WORDS]]

    # ---- The system's part of a state ------------------------------------------------

    def _frozen(self) -> _Frozen:
        return _Frozen(self._schedule.freeze(), self._oracle.freeze())

    def _adopt(self, frozen: _Frozen) -> None:
        self._schedule.thaw(frozen.schedule)
        self._oracle.thaw(frozen.oracle)

    def _runs_now(self) -> int | None:
        return self._schedule.running

    def _can_arrive(self) -> tuple[int, ...]:
        tasks = self._schedule.tasks
        return tuple(i for i, t in enumerate(tasks) if t.condition == Condition.ASLEEP)

    def _can_sleep_yet(self) -> bool:
        return any(
            actor.suspends and task.condition != Condition.DONE
            for actor, task in zip(self.scenario.actors, self._schedule.tasks, strict=True)
        )

    # ---- Moves ---------------------------------------------------------------------

    def _arrive(self, running: int | None, actor: int, shared: int, index: int) -> Moment:
        self._schedule.wake(index)
        return self._switched(running, actor, shared)

    # ---- The kernel ----------------------------------------------------------------

    def _switched(self, outgoing: int | None, actor: int, shared: int) -> Moment:
        """The entry of __schedule(), if it is due: the outgoing actor's hook, then the pick."""
        plan = self._schedule
        if plan.may_switch:
            if outgoing is not None:
                actor, shared = self._settle(outgoing, actor, shared)
            plan.pick()
            self._oracle.judge_switch(plan)
            if plan.running is not None and plan.running != outgoing:
                self._say(f"{self.names[plan.running]} runs")
        return actor, shared, self._freeze()

    def _ask_kernel(self, function: str, index: int, actor: int, shared: int) -> Answer:
        """Ask the kernel's half for the actor's priority."""
        known = (
            self._oracle.bases[index],
            self._schedule.tasks[index].priority,
            self._limits[index],
        )
        return self.machine.kernel(f"proof_{function}", actor, shared, *known)

    def _settle(self, index: int, actor: int, shared: int) -> tuple[int, int]:
        before = self._schedule.tasks[index].priority
        answer = self._ask_kernel("settle", index, actor, shared)
        if answer.value != before:
            self._say(f"the kernel gives {self.names[index]} priority {answer.value}")
            if index in self._schedule.order:
                self._schedule.set_priority(index, answer.value)
            else:
                self._schedule.tasks[index].priority = answer.value
        return answer.actor, answer.shared

    def _leave_cpu(
        self, index: int, actor: int, shared: int, condition: Condition, lock: int = 0
    ) -> Moment:
        """The actor leaves the CPU by itself. The hook comes first."""
        actor, shared = self._settle(index, actor, shared)
        self._schedule.stop(index, condition, lock)
        _, shared, system = self._switched(None, -1, shared)
        return actor, shared, system

    # ---- Marks ---------------------------------------------------------------------

    def _on_mark(self, index: int, ran: Step, mark: Mark) -> Moment:
        notes, plan = self._oracle, self._schedule
        actor, shared, (lock, second) = ran.actor, ran.shared, ran.arguments
        name = notes.names[index]
        match mark:
            case Mark.IN:
                if self.scenario.actors[index].is_refused:
                    raise ViolationError(f"{name} enters R{lock + 1}, which is none for it")
                notes.enters(index, lock)
                notes.judge_priority(index, plan)
                self._say(f"{name} is inside R{lock + 1}")
            case Mark.CHANGED:
                notes.changes_data(index, lock)
                notes.judge_priority(index, plan)
            case Mark.TORN:
                raise ViolationError(f"{name} sees the data of R{lock + 1} half written")
            case Mark.OUT:
                notes.judge_priority(index, plan)
                notes.leaves(index, lock)
                self._say(f"{name} leaves R{lock + 1}")
            case Mark.LEFT:
                notes.has_left(index)
                notes.judge_priority(index, plan)
                self._say(f"{name} has left R{lock + 1}")
            case Mark.LOOK:
                notes.judge_priority(index, plan)
            case Mark.COUNTED:
                notes.changes[lock] += 1
            case Mark.DETOUR:
                notes.takes_detour(index)
            case Mark.REFUSED:
                if not self.scenario.actors[index].is_refused:
                    raise ViolationError(f"{name} is refused R{lock + 1}")
            case Mark.LOWER:
                answer = self._ask_kernel("lower", index, actor, shared)
                actor, shared = answer.actor, answer.shared
                return self._set_priority(index, actor, shared, answer.value)
            case Mark.SET_PRIORITY:
                return self._set_priority(index, actor, shared, lock)
            case Mark.PREEMPT_OFF:
                plan.is_preemption_off = self._habits.is_deferred
            case Mark.PREEMPT_ON:
                plan.is_preemption_off = False
                if plan.may_switch:
                    return self._switched(index, actor, shared)
            case Mark.WAIT:
                if self._lock_word(shared, lock) == second:
                    self._say(f"{name} waits for R{lock + 1}")
                    return self._leave_cpu(index, actor, shared, Condition.WAITING, lock)
            case Mark.WAKE:
                plan.wake_waiting(lock)
                if plan.may_switch:
                    return self._switched(index, actor, shared)
            case Mark.SUSPEND:
                self._say(f"{name} sleeps inside")
                return self._leave_cpu(index, actor, shared, Condition.ASLEEP)
            case Mark.END:
                return self._end(index, actor, shared)
        return actor, shared, self._freeze()

    def _set_priority(self, index: int, actor: int, shared: int, priority: int) -> Moment:
        before = self._schedule.tasks[index].priority
        self._oracle.calls_kernel(index, before, priority)
        self._say(f"{self.names[index]}: K.Set_Priority({priority})")
        self._schedule.set_priority(index, priority)
        if self._schedule.may_switch:
            return self._switched(index, actor, shared)
        return actor, shared, self._freeze()

    def _lock_word(self, shared: int, lock: int) -> int:
        memory = self.machine.shared.values[shared]
        return int.from_bytes(memory[8 * lock : 8 * lock + 8], "little")

    def _end(self, index: int, actor: int, shared: int) -> Moment:
        name = self.names[index]
        self._oracle.ends(index)
        self._oracle.judge_priority(index, self._schedule)
        words = self._words_in(self.machine.actors.values[actor])
        if words != self._words[index]:
            raise ViolationError(f"{name}'s words are not as before: {words.hex(' ', 4)}")
        self._say(f"{name} ends")
        actor, shared, system = self._leave_cpu(index, actor, shared, Condition.DONE)
        return self.machine.actors.number(ActorState(index, (), b"", CLEAR)), shared, system

    # ---- The end -------------------------------------------------------------------

    def judge_rest(self, shared: int, system: int) -> None:
        """No actor runs, and no actor can arrive any more: all must be as it was."""
        self._thaw(system)
        for index, task in enumerate(self._schedule.tasks):
            name, base = self.names[index], self._oracle.bases[index]
            if task.condition == Condition.WAITING:
                raise ViolationError(f"{name} waits for R{task.lock + 1} for ever")
            if task.priority != base:
                raise ViolationError(f"{name} is left at priority {task.priority}, not {base}")
        size = self._sizes[LOCKS]
        memory = self.machine.shared.values[shared]
        before = self.machine.shared.values[self.initial.shared]
        if memory[:size] != before[:size]:
            raise ViolationError(f"the locks are not left free: {memory[:size].hex(' ', 8)}")
        self._judge_data(shared, self._sizes[DATA], self._sizes[DATA_SIZE], self._oracle.changes)
