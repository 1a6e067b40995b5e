# SPDX-License-Identifier: MIT
"""Tasks that execute their scripts, the compiled kernel below them, and the notes that judge both.

The image holds the memory of the kernel and of the tasks. The task that the kernel names runs, and
the notes judge this choice. The model owns the clock. The clock moves only with arrivals and system
calls.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

from proof.boundary.image import Image
from proof.boundary.machine import ActorState, Machine, Step, words_of
from proof.boundary.moves import Mark, Moves, State
from proof.engine.explore import Moment, ViolationError
from proof.engine.processor import CLEAR
from proof.kernel.asked import Asked
from proof.kernel.notes import NEVER, Frozen, Notes, Status, Task

NAMES = ("T8", "T7", "T6", "T5", "T4", "E4", "M4", "T3", "T2", "T2I", "T2N", "T1")
T8, T7, T6, T5, T4, E4, M4, T3, T2, T2I, T2N, T1 = range(12)
R3, R5, R7, R5B, R5C = range(5)
RESOURCES = 5
EVENT = 1  # the event of E4 that interrupts set


class Layout(NamedTuple):
    """The driver's proof_layout: offsets and sizes in the words and in a task block."""

    word: int
    word_size: int
    kept: int
    kept_size: int
    task: int
    words: int
    resource: int
    block: int
    data: int


class Call(IntEnum):
    """The driver's proof_calls, in its order."""

    PREEMPT = 0
    GET_RESOURCE = 1
    RELEASE_RESOURCE = 2
    ACTIVATE_TASK = 3
    CHAIN_TASK = 4
    SCHEDULE = 5
    SET_EVENT = 6
    CLEAR_EVENT = 7
    WAIT_EVENT = 8
    TERMINATE_TASK = 9
    MISSING_TERMINATE = 10
    ERROR = 11
    SUSPEND_ALL_INTERRUPTS = 12
    AWAIT_BUDGET = 13


FOR_RESOURCES = (Call.PREEMPT, Call.GET_RESOURCE, Call.RELEASE_RESOURCE)


@dataclass(frozen=True, slots=True)
class Actor:
    """The task of this number runs this function of the driver in each activation.

    `times`: the number of interrupts that activate it. Other tasks may activate it, too.
    """

    task: int
    script: str
    argument: int = 0
    times: int = 1

    @property
    def name(self) -> str:
        """The task's name, as in the driver."""
        return NAMES[self.task]


@dataclass(frozen=True, slots=True)
class Garbage:
    """A value that actor 0 puts into its words, or into the words of `resource`."""

    place: int  # offset from the beginning of the words, in bytes
    value: int
    size: int = 4
    resource: int | None = None

    @property
    def name(self) -> str:
        """For a trace."""
        where = "its words" if self.resource is None else f"the words of R{self.resource + 1}"
        return f"{self.value:#x} at byte {self.place} of {where}"


@dataclass(frozen=True, slots=True)
class Time:
    """The instants of a scenario, from `start`: `at` has the first arrival of each actor.

    `late`: the delay until the kernel handles an arrival; `step`: the time of a system call;
    `signal`: the earliest instant of a signal.
    """

    at: tuple[int, ...] = ()
    late: int = 0
    step: int = 0
    start: int = 0
    signal: int = 0

    GAP = 5  # between two arrivals of an actor

    def arrival(self, index: int, number: int) -> int:
        """The instant of an actor's arrival. Numbers count from 0."""
        return self.start + (self.at[index] + self.GAP * number if self.at else 0)


@dataclass(frozen=True, slots=True)
class Scenario:
    """Actor 0 is ready at the start. The others arrive, and at most one piece of garbage does.

    `signals`: the number of interrupts that set the event of E4. `timers`: the number of times that
    the timer of servers comes while a task runs.
    """

    name: str
    actors: tuple[Actor, ...]
    garbage: tuple[Garbage, ...] = ()
    signals: int = 0
    time: Time = Time()
    timers: int = 0


class _Frozen(NamedTuple):
    notes: Frozen
    running: int | None
    is_spoilt: bool
    signals: int
    now: int
    more: Hashable


MakeNotes = Callable[[Machine, tuple[Actor, ...]], Notes]


def fresh(actors: tuple[Actor, ...]) -> list[Task]:
    """The notes before any task arrives."""
    return [Task(left=actor.times) for actor in actors]


class World(Moves[_Frozen]):
    """A whole scenario, from the start of the kernel to the end of the scripts."""

    def __init__(
        self, image: Image, scenario: Scenario, notes: MakeNotes, others: tuple[str, ...] = ()
    ) -> None:
        """Start the kernel, and let the first actor arrive. `others`: further kinds of arrivals."""
        actors = scenario.actors
        names = tuple(a.name for a in actors)
        comers = [f"{name} arrives" for name in names]
        comers += [f"{names[0]} puts {garbage.name}" for garbage in scenario.garbage]
        super().__init__(image, names, (*comers, "an interrupt sets E4's event", *others))
        self._signal = len(comers)
        self.scenario = scenario
        machine = self.machine
        self._running: int | None = None
        self._is_spoilt = False
        self._signals = scenario.signals
        self._now = scenario.time.start
        self._notes = notes(machine, actors)
        machine.prepare(0, "proof_start", 0, self._now, self._next_arrival())
        self._layout = Layout(*(machine.constant("proof_layout", i) for i in range(9)))
        self._numbers = {machine.constant("proof_calls", call): call for call in Call}
        self._task_at = {actor.task: index for index, actor in enumerate(actors)}
        shared = machine.finish_set_up()
        self._place_memory(image, len(machine.shared.values[shared]))
        self._entries = [
            machine.actors.number(machine.entry(i, a.script, words_of(i), i + 1, a.argument))
            for i, a in enumerate(actors)
        ]
        self._begun = frozenset(self._entries)
        self._asked = Asked(machine, machine.actors.number(ActorState(0, (), b"", CLEAR)))
        start = State(tuple(self._entries), shared, self._freeze())
        self.initial = self.wake(start, 0)

    def _place_memory(self, image: Image, size: int) -> None:
        """Tasks may write the words, the resources' words and the data, but nothing else."""
        words = self._layout.words
        behind = sum(piece.size for piece in image.shared[:-1])
        self._data = image.place("proof_shared")
        self._ended_at = image.place("proof_ended")
        blocks = image.place("plf_tasks") + self._layout.kept
        starts = [blocks + self._layout.block * a.task for a in self.scenario.actors]
        self._places_kept = tuple((at, at + self._layout.kept_size) for at in starts)
        end = self._data + RESOURCES * self._layout.data
        self._kernels: tuple[tuple[int, int], ...] = ((behind, self._data), (end, size))
        self._tasks = ((words, behind), (self._data, end))

    # ---- The system's part of a state ------------------------------------------------------

    def _frozen(self) -> _Frozen:
        frozen = self._notes.freeze()
        own = (self._running, self._is_spoilt, self._signals, self._now)
        return _Frozen(frozen, *own, self._more())

    def _adopt(self, frozen: _Frozen) -> None:
        notes, self._running, self._is_spoilt, self._signals, self._now, more = frozen
        self._notes.thaw(notes)
        self._adopt_more(more)

    def _more(self) -> Hashable:
        """The notes of a subclass, as a value."""
        return None

    def _adopt_more(self, more: Any) -> None:
        """Restore the notes of a subclass."""

    def _runs_now(self) -> int | None:
        return self._running

    def _can_arrive(self) -> tuple[int, ...]:
        """Indexes of arrivals: actors, then the garbage of actor 0, then a signal."""
        count = len(self.names)
        found = [i for i, task in enumerate(self._notes.tasks) if task.left > 0]
        if self._running == 0 and not self._is_spoilt:
            found += range(count, count + len(self.scenario.garbage))
        if self._signals > 0:
            found.append(self._signal)
        return tuple(found)

    # ---- Time ------------------------------------------------------------------------------

    def _arrival(self, index: int) -> int:
        """The instant of the actor's next arrival."""
        number = self.scenario.actors[index].times - self._notes.tasks[index].left
        return self.scenario.time.arrival(index, number)

    def _next_arrival(self) -> int:
        left = (self._arrival(i) for i, task in enumerate(self._notes.tasks) if task.left > 0)
        return min(left, default=NEVER)

    def _instant(self) -> int:
        """The clock, but not after any arrival that is still to be handled."""
        return min(self._now, self._next_arrival())

    # ---- Known moves -------------------------------------------------------------------------

    def _arrive_in(
        self, system: int, running: int | None, actor: int, shared: int, index: int
    ) -> Moment:
        key = (system, index)
        return self._known(key, actor, shared) or self._learned(
            key,
            actor,
            shared,
            lambda: super(World, self)._arrive_in(system, running, actor, shared, index),
        )

    def _at_mark_in(self, system: int, index: int, ran: Step, mark: int) -> Moment:
        key = (system, index, mark, ran.arguments)
        return self._known(key, ran.actor, ran.shared) or self._learned(
            key,
            ran.actor,
            ran.shared,
            lambda: super(World, self)._at_mark_in(system, index, ran, mark),
        )

    def _known(self, key: Hashable, actor: int, shared: int) -> Moment | None:
        """The end of the move, or None if it must be made.

        A reported move must be made again. So must a move of an actor that is about to begin. Its
        end would not show whether the actor is left as it was or begins anew.
        """
        if self.report is not None or actor in self._begun:
            return None
        found = self._asked.end_of(key, shared)
        if found is None:
            return None
        end, memory = found
        return actor if end.actor is None else end.actor, memory, end.system

    def _learned(
        self, key: Hashable, actor: int, shared: int, move: Callable[[], Moment]
    ) -> Moment:
        self._asked.begin(shared)
        after, memory, system = move()
        if actor not in self._begun:
            self._asked.learn(key, None if after == actor else after, memory, system)
        return after, memory, system

    # ---- The kernel ------------------------------------------------------------------------

    def _arrive(self, running: int | None, actor: int, shared: int, index: int) -> Moment:
        count = len(self.names)
        if index < count:
            shared = self._interrupt(shared, index)
        elif index < count + len(self.scenario.garbage):
            shared = self._spoil(shared, self.scenario.garbage[index - count])
        else:
            self._signals -= 1
            self._now = max(self._now, self.scenario.time.start + self.scenario.time.signal)
            self._notes.enters_kernel()
            self._notes.signals(self._task_at[E4], self._now, EVENT)
            shared, _ = self._enter_kernel("proof_signal", shared, self._now)
        return actor, shared, self._freeze()

    def _interrupt(self, shared: int, index: int) -> int:
        arrival = self._arrival(index)
        self._now = max(self._now, arrival) + self.scenario.time.late
        self._notes.arrives(index, self._now, arrival)
        which = self.scenario.actors[index].task | (self._now - arrival) << 8
        times = (self._now, which, self._next_arrival())
        return self._enter_kernel("proof_arrive", shared, *times)[0]

    def _enter_kernel(self, function: str, shared: int, *arguments: int) -> tuple[int, int]:
        """Run a function of the kernel. Return the shared memory and the status."""
        left, value = self._asked.kernel(function, shared, *arguments)
        if not self._asked.is_same(left, shared, self._tasks):
            raise ViolationError("the kernel writes what only tasks should")
        after, before = self._ended(left), self._running
        if before is not None:
            kept = (self._kept(each, before) for each in (shared, after))
            self._notes.judge_raise(before, *kept)
        self._running = self._actor_of(value & 0xFF)
        self._judge_choice(self._running)
        self._judge_kept(after)
        if self._running is not None and self._running != before:
            self._say(f"{self.names[self._running]} runs")
        return after, value >> 8

    def _ended(self, shared: int) -> int:
        """Note the tasks that the kernel has ended by force. Return the memory after that."""
        if self._number(shared, self._ended_at, 8):
            raise ViolationError("the kernel ends a task by force")
        return shared

    def _judge_choice(self, running: int | None) -> None:
        self._notes.judge_switch(running)

    def _judge_kept(self, shared: int) -> None:
        for index in range(len(self.names)):
            self._notes.judge_kept(index, self._kept(shared, index))
        if self._running is None:
            return
        reported = self._number(shared, self._layout.task, 4)
        is_foul = self._notes.tasks[self._running].is_foul  # spoilt words stay so until a switch
        if reported != self.scenario.actors[self._running].task and not is_foul:
            raise ViolationError(f"{self.names[self._running]} reads the index of another")
        self._notes.judge_word(self._running, self._word(shared))

    def _actor_of(self, answer: int) -> int | None:
        if answer == 0:
            return None
        if answer - 1 not in self._task_at:
            raise ViolationError(f"the kernel lets {NAMES[answer - 1]} run, which did not arrive")
        return self._task_at[answer - 1]

    def _spoil(self, shared: int, garbage: Garbage) -> int:
        at = garbage.place
        if garbage.resource is not None:
            at += self._layout.words + self._layout.resource * garbage.resource
        self._notes.fouls(0)
        self._is_spoilt = True
        return self._asked.put(shared, at, garbage.value.to_bytes(garbage.size, "little"))

    # ---- Actions of a task -----------------------------------------------------------------

    def _judge_step(self, index: int, before: int, after: int) -> None:
        first, second = (self.machine.shared.values[i] for i in (before, after))
        if any(first[start:end] != second[start:end] for start, end in self._kernels):
            raise ViolationError(f"{self.names[index]} writes the kernel's memory")

    def _on_mark(self, index: int, ran: Step, mark: Mark) -> Moment:
        first, second = ran.arguments
        if mark == Mark.LOWER:
            return self._call(index, ran, self._numbers[first], second)
        if mark == Mark.TORN and self._notes.tasks[index].is_foul:
            return ran.actor, ran.shared, self._freeze()
        self._judge(index, ran, mark, first)
        if mark == Mark.END:
            foul = self._notes.tasks[index].is_foul  # it may be refused the regular end
            return self._end(
                index, ran.shared, Call.MISSING_TERMINATE if foul else Call.TERMINATE_TASK, 0
            )
        return ran.actor, ran.shared, self._freeze()

    def _judge(self, index: int, ran: Step, mark: Mark, resource: int) -> None:
        notes, name = self._notes, self.names[index]
        match mark:
            case Mark.LOOK | Mark.END | Mark.CHANGED | Mark.OUT:
                if mark == Mark.CHANGED:
                    notes.changes_data(index, resource)
                self._judge_reported(index, ran.shared)
                if mark == Mark.LOOK:
                    notes.begins(index, self._instant())
                if mark == Mark.OUT:
                    notes.leaves(index, resource)
                    self._say(f"{name} leaves R{resource + 1}")
            case Mark.IN | Mark.LEFT:
                if mark == Mark.IN:
                    notes.enters(index, resource)
                else:
                    notes.has_left(index)
                self._judge_reported(index, ran.shared)
                how = "is inside" if mark == Mark.IN else "has left"
                self._say(f"{name} {how} R{resource + 1}")
            case Mark.TORN:
                raise ViolationError(f"{name} sees the data of R{resource + 1} half written")
            case _:
                raise ViolationError(f"the driver says {mark.name}")

    def _judge_reported(self, index: int, shared: int) -> None:
        self._notes.judge_reported(index, self._word(shared), self._kept(shared, index))

    def _call(self, index: int, ran: Step, call: Call, arguments: int) -> Moment:
        notes, name = self._notes, self.names[index]
        self._say(f"{name} calls the kernel: {call.name}")
        task = arguments & 0xFFFF_FFFF
        if call == Call.CHAIN_TASK:
            return self._end(index, ran.shared, call, task)
        self._now += self.scenario.time.step
        before = self._kept(ran.shared, index)
        status: int = Status.OK
        match call:
            case Call.GET_RESOURCE:
                notes.counts_from(index, self._instant())
            case Call.ACTIVATE_TASK:
                status = notes.activates(self._task_at[task], self._now)
            case Call.SET_EVENT:
                notes.signals(self._task_at[task], self._now, arguments >> 32)
            case Call.CLEAR_EVENT:
                notes.clears(index, arguments)
            case Call.WAIT_EVENT:
                notes.waits(index, arguments)
            case Call.SCHEDULE:
                notes.yields(index)
            case Call.PREEMPT | Call.RELEASE_RESOURCE | Call.SUSPEND_ALL_INTERRUPTS:
                pass
            case _:
                if not notes.tasks[index].is_foul:
                    raise ViolationError(f"{name} is refused a resource")
        answer = self._called(index, ran.shared, call, arguments, status)
        if call in FOR_RESOURCES:
            notes.calls_for_resource(index, before, self._kept(answer, index))
        self._notes.enters_kernel()
        return ran.actor, answer, self._freeze()

    def _called(self, index: int, shared: int, call: Call, arguments: int, expected: int) -> int:
        is_foul = self._notes.tasks[index].is_foul
        number = next(n for n, c in self._numbers.items() if c == call)
        shared, status = self._enter_kernel("proof_call", shared, self._now, number, arguments)
        if status != expected and not is_foul:
            raise ViolationError(f"{call.name} returns {status}, not {expected}")
        return shared

    def _end(self, index: int, shared: int, call: Call, task: int) -> Moment:
        self._say(f"{self.names[index]} ends")
        self._now += self.scenario.time.step
        self._notes.ends(index)
        if call == Call.CHAIN_TASK:
            self._notes.activates(self._task_at[task], self._now)
        shared = self._called(index, shared, call, task, Status.OK)
        self._notes.enters_kernel()
        task = self.scenario.actors[index].task
        is_running = self._running == index
        if not is_running and self._asked.kernel("proof_kept", shared, task)[1]:
            raise ViolationError(f"{self.names[index]} would begin with a resource")
        return self._entries[index], shared, self._freeze()

    # ---- Memory ----------------------------------------------------------------------------

    def _number(self, shared: int, at: int, size: int) -> int:
        return int.from_bytes(self._asked.part(shared, at, size), "little")

    def _word(self, shared: int) -> int:
        return self._number(shared, self._layout.word, self._layout.word_size)

    def _kept(self, shared: int, index: int) -> int:
        size = self._layout.kept_size
        kept = self._asked.parts(shared, self._places_kept)  # of all actors, in one question
        return int.from_bytes(kept[size * index : size * (index + 1)], "little")

    # ---- The end ---------------------------------------------------------------------------

    def judge_rest(self, shared: int, system: int) -> None:
        """No task runs, and no task can arrive any more."""
        self._thaw(system)
        self._judge_data(shared, self._data, self._layout.data, self._notes.changes)
