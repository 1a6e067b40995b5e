# SPDX-License-Identifier: MIT
"""Tasks that execute their scripts, the compiled kernel under them, and the notes that judge both.

The kernel's memory and the tasks' are both of the image: whoever runs is what the kernel says, and
what it may say is judged by the notes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from explore import NOBODY, Interned, Moment, ViolationError
from image import Image
from machine import ActorState, Machine, Step, words_of
from processor import CLEAR
from system import DATA_COUNT, DATA_FIRST, DATA_SECOND, NO_MARK_LIMIT, Mark, State

from notes import Condition, Frozen, Levels, Notes, Task

# Of a driver's proof_layout.
UPRIO, WORDS, RESOURCES, RESOURCES_SIZE, DATA_SIZE, PREEMPT, TERMINATE, MISSING, TASK = range(9)
LAYOUT = 9
RESOURCE_SIZE = 8


@dataclass(frozen=True, slots=True)
class Actor:
    """The task of that number in system.h runs this function of the driver once."""

    task: int
    script: str
    resource: int = 0

    @property
    def name(self) -> str:
        """As in system.h."""
        return NAMES[self.task]


NAMES = ("T8", "T7", "T6", "T5", "T4", "T3", "T2", "T2I", "T2N", "T1")
T8, T7, T6, T5, T4, T3, T2, T2I, T2N, T1 = range(10)
R3, R5, R7, R5B, R5C = range(5)


@dataclass(frozen=True, slots=True)
class Garbage:
    """What the first actor puts into a word of its page, of the resources' if `resource` is one."""

    place: int  # of a 32-bit word, from the beginning of the words
    value: int
    resource: int | None = None

    @property
    def name(self) -> str:
        """For a trace."""
        where = "its words" if self.resource is None else f"the words of R{self.resource + 1}"
        return f"{self.value:#x} in word {self.place} of {where}"


@dataclass(frozen=True, slots=True)
class Scenario:
    """Actor 0 is there from the start; the others arrive, or one piece of garbage does."""

    name: str
    actors: tuple[Actor, ...]
    garbage: tuple[Garbage, ...] = ()


class _Frozen(NamedTuple):
    notes: Frozen
    running: int | None
    is_spoilt: bool


class _Memory(Machine):
    """A machine that interns only what of the image's memory is used."""

    def __init__(self, image: Image, actors: int) -> None:
        """All that can be written is shared."""
        data = next(s for s in image.segments if not s.is_code and s.size > len(s.data))
        super().__init__(replace(image, shared=replace(data, data=b"")), actors)
        self.layout = tuple(self.constant("proof_layout", i) for i in range(LAYOUT))
        page, rest = image.symbols["plf_page"], image.symbols["__bss_start"]
        self.pieces = (
            (page, self.layout[WORDS]),
            (page + self.layout[RESOURCES], self.layout[RESOURCES_SIZE]),
            (rest, data.address + data.size - rest),
        )

    def _read_shared(self) -> int:
        read = self._uc.mem_read
        return self.shared.number(b"".join(bytes(read(at, size)) for at, size in self.pieces))

    def _load_shared(self, shared: int) -> None:
        memory, start = self.shared.values[shared], 0
        for at, size in self.pieces:
            self._uc.mem_write(at, memory[start : start + size])
            start += size
        self._shared_loaded = shared

    def _load_memory(self, state: ActorState, shared: int) -> None:
        if self._shared_loaded != shared:
            self._load_shared(shared)
        super()._load_memory(state, shared)

    def place(self, symbol: str) -> int:
        """Where in the shared memory a variable is."""
        start = 0
        for at, size in self.pieces:
            offset = self.image.symbols[symbol] - at
            if 0 <= offset < size:
                return start + offset
            start += size
        raise KeyError(symbol)


class World:
    """All of one scenario, from the start of the kernel to the end of the scripts."""

    leap = NO_MARK_LIMIT

    def __init__(self, image: Image, scenario: Scenario, *, is_exact: bool) -> None:
        """Start the kernel, and let the first actor arrive."""
        self.scenario = scenario
        self.tell: Callable[[str], None] | None = None
        self.machine = machine = _Memory(image, len(scenario.actors))
        machine.prepare(0, "proof_start", 0)
        self._layout = machine.layout
        data = machine.place("proof_shared")
        shared = machine.finish_set_up()
        ceilings = tuple(machine.constant("proof_ceilings", i) for i in range(1 + R5C))
        self._notes = Notes(
            tuple(a.name for a in scenario.actors),
            tuple(
                Levels(*(machine.constant("proof_levels", 3 * a.task + i) for i in range(3)))
                for a in scenario.actors
            ),
            ceilings,
            is_exact,
            [Task() for _ in scenario.actors],
            [0 for _ in ceilings],
        )
        self._data = data
        # Behind the words come the resources' words; tasks write both of them, and the data.
        words = self._layout[WORDS]
        behind = words + self._layout[RESOURCES_SIZE]
        end = data + len(ceilings) * self._layout[DATA_SIZE]
        self._kernels = ((behind, data), (end, len(machine.shared.values[shared])))
        self._tasks = ((words, behind), (data, end))
        self._systems: Interned[_Frozen] = Interned()
        states = [
            machine.entry(i, a.script, words_of(i), i + 1, a.resource)
            for i, a in enumerate(scenario.actors)
        ]
        self._nobody = machine.actors.number(ActorState(0, (), b"", CLEAR))
        self._running: int | None = None
        self._is_spoilt = False
        numbers = tuple(machine.actors.number(s) for s in states)
        self.initial = self.wake(State(numbers, shared, self._freeze()), 0)

    # ---- The part of a state that is not the machine's ---------------------------------

    def _freeze(self) -> int:
        return self._systems.number(_Frozen(self._notes.freeze(), self._running, self._is_spoilt))

    def _thaw(self, number: int) -> None:
        frozen = self._systems.values[number]
        self._notes.thaw(frozen.notes)
        self._running, self._is_spoilt = frozen.running, frozen.is_spoilt

    def running_in(self, system: int) -> int | None:
        """Who has the CPU."""
        return self._systems.values[system].running

    def asleep_in(self, system: int) -> tuple[int, ...]:
        """Who can arrive, and behind the last of them the garbage that the first one can make."""
        frozen = self._systems.values[system]
        tasks = frozen.notes[0]
        sleepers = tuple(i for i, t in enumerate(tasks) if t.condition == Condition.ASLEEP)
        if frozen.running != 0 or frozen.is_spoilt:
            return sleepers
        return (*sleepers, *(len(tasks) + i for i in range(len(self.scenario.garbage))))

    def is_open(self, system: int) -> bool:
        """Whether anybody can arrive; nobody sleeps by itself."""
        return bool(self.asleep_in(system))

    def asleep(self, state: State) -> tuple[int, ...]:
        """Who can arrive."""
        return self.asleep_in(state.system)

    def names(self) -> list[str]:
        """What arrives, by the numbers of asleep()."""
        return [a.name for a in self.scenario.actors] + [g.name for g in self.scenario.garbage]

    def _say(self, text: str) -> None:
        if self.tell is not None:
            self.tell(text)

    # ---- Moves ---------------------------------------------------------------------

    def wake(self, state: State, who: int) -> State:
        """An interrupt activates it."""
        running = self.running_in(state.system)
        actor = NOBODY if running is None else state.actors[running]
        return self._moved(
            state, running, self.arrive(running, (actor, state.shared, state.system), who)
        )

    def arrive(self, running: int | None, moment: Moment, who: int) -> Moment:
        """An interrupt activates `who`; of whoever ran, what it becomes."""
        actor, shared, system = moment
        if running is not None:
            actor = self.machine.interrupted(actor)
        self._thaw(system)
        if who < len(self.scenario.actors):
            self._notes.activates(who)
            shared = self._enter_kernel("proof_arrive", shared, self.scenario.actors[who].task)
        else:
            shared = self._spoil(shared, who - len(self.scenario.actors))
        return actor, shared, self._freeze()

    def step(self, state: State, limit: int) -> State | None:
        """Run whoever runs for up to `limit` instructions or to one mark; None: nobody runs."""
        running = self.running_in(state.system)
        if running is None:
            return None
        moment = (state.actors[running], state.shared, state.system)
        return self._moved(state, running, self.go(running, moment, limit))

    def _moved(self, state: State, running: int | None, to: tuple[int, int, int]) -> State:
        actors = state.actors
        if running is not None and actors[running] != to[0]:
            actors = (*actors[:running], to[0], *actors[running + 1 :])
        return State(actors, to[1], to[2])

    def go(self, running: int, moment: Moment, limit: int) -> Moment:
        """Run who runs for up to `limit` instructions or to one mark; of it, what it becomes."""
        actor, shared, system = moment
        ran = self.machine.run(actor, shared, limit)
        if ran.shared != shared and not self._is_same(ran.shared, shared, self._kernels):
            raise ViolationError(f"{self._notes.names[running]} writes the kernel's memory")
        if ran.mark is None:
            if limit >= NO_MARK_LIMIT:
                raise ViolationError(f"{self._notes.names[running]} runs in circles")
            return ran.actor, ran.shared, system
        self._thaw(system)
        return self._on_mark(running, ran, Mark(ran.mark))

    def _is_same(self, one: int, other: int, pieces: tuple[tuple[int, int], ...]) -> bool:
        first, second = (self.machine.shared.values[i] for i in (one, other))
        return all(first[start:end] == second[start:end] for start, end in pieces)

    # ---- The kernel ----------------------------------------------------------------

    def _enter_kernel(self, function: str, shared: int, argument: int) -> int:
        answer = self.machine.kernel(function, self._nobody, shared, argument)
        if not self._is_same(answer.shared, shared, self._tasks):
            raise ViolationError("the kernel writes what only tasks should")
        before = self._running
        self._running = self._who(answer.value)
        self._notes.judge_switch(self._running)
        self._judge_bounds(answer.shared)
        if self._running is not None and self._running != before:
            self._say(f"{self._notes.names[self._running]} runs")
        return answer.shared

    def _judge_bounds(self, shared: int) -> None:
        """Whatever was there, a task goes on with an uprio that it may have."""
        if self._running is None:
            return
        told = self._word(shared, self._layout[TASK])
        is_foul = self._notes.tasks[self._running].is_foul  # what it spoilt stays until a switch
        if told != self.scenario.actors[self._running].task and not is_foul:
            raise ViolationError(f"{self._notes.names[self._running]} is told that it is another")
        levels = self._notes.levels[self._running]
        uprio = self._word(shared, self._layout[UPRIO])
        if not levels.running <= uprio <= levels.highest:
            name = self._notes.names[self._running]
            raise ViolationError(f"the kernel leaves {name} with uprio {uprio}")

    def _who(self, answer: int) -> int | None:
        if answer == 0:
            return None
        for who, actor in enumerate(self.scenario.actors):
            if actor.task == answer - 1:
                return who
        raise ViolationError(f"the kernel lets {NAMES[answer - 1]} run, which did not arrive")

    def _spoil(self, shared: int, which: int) -> int:
        garbage = self.scenario.garbage[which]
        start = 0
        if garbage.resource is not None:
            start = self._layout[WORDS] + RESOURCE_SIZE * garbage.resource
        at = start + 4 * garbage.place
        memory = self.machine.shared.values[shared]
        value = garbage.value.to_bytes(4, "little")
        self._notes.fouls(0)
        self._is_spoilt = True
        self._say(f"{self._notes.names[0]} puts {garbage.name}")
        return self.machine.shared.number(memory[:at] + value + memory[at + 4 :])

    # ---- Marks ---------------------------------------------------------------------

    def _on_mark(self, who: int, ran: Step, mark: Mark) -> tuple[int, int, int]:
        notes, (first, second), shared = self._notes, ran.arguments, ran.shared
        if mark != Mark.LOWER and not (mark == Mark.TORN and notes.tasks[who].is_foul):
            self._judge(who, ran, mark, first)
        if mark == Mark.LOWER:
            is_preempt = first == self._layout[PREEMPT]
            self._say(f"{notes.names[who]} calls the kernel ({first}, {second})")
            notes.calls_kernel(who, is_preempt=is_preempt)
            shared = self._enter_kernel("proof_call", shared, first)
            notes.enters_kernel()
        elif mark == Mark.END:
            self._say(f"{notes.names[who]} ends")
            notes.ends(who)  # a foul one may be refused the regular end
            call = MISSING if notes.tasks[who].is_foul else TERMINATE
            shared = self._enter_kernel("proof_call", shared, self._layout[call])
            notes.enters_kernel()
            task = self.scenario.actors[who].task
            if self.machine.kernel("proof_kept", self._nobody, shared, task).value != 0:
                raise ViolationError(f"{notes.names[who]} would begin with a resource")
            return self._nobody, shared, self._freeze()
        return ran.actor, shared, self._freeze()

    def _judge(self, who: int, ran: Step, mark: Mark, resource: int) -> None:
        notes, name = self._notes, self._notes.names[who]
        uprio = self._word(ran.shared, self._layout[UPRIO])
        match mark:
            case Mark.LOOK:
                notes.judge_level(who, uprio)
                notes.begins(who)
            case Mark.IN:
                notes.enters(who, resource)
                notes.judge_level(who, uprio)
                self._say(f"{name} is inside R{resource + 1}")
            case Mark.CHANGED:
                notes.changes_data(who, resource)
                notes.judge_level(who, uprio)
            case Mark.OUT:
                notes.judge_level(who, uprio)
                notes.leaves(who, resource)
                self._say(f"{name} leaves R{resource + 1}")
            case Mark.LEFT:
                notes.has_left(who)
                notes.judge_level(who, uprio)
                self._say(f"{name} has left R{resource + 1}")
            case Mark.END:
                notes.judge_level(who, uprio)
            case Mark.TORN:
                raise ViolationError(f"{name} sees the data of R{resource + 1} half written")
            case _:
                raise ViolationError(f"the driver says {mark.name}")

    def _word(self, shared: int, at: int) -> int:
        return int.from_bytes(self.machine.shared.values[shared][at : at + 4], "little")

    # ---- The end -------------------------------------------------------------------

    def judge_rest(self, shared: int, system: int) -> None:
        """Nobody runs and nobody is left to arrive."""
        self._thaw(system)
        memory = self.machine.shared.values[shared]
        for resource, expected in enumerate(self._notes.changes):
            start = self._data + resource * self._layout[DATA_SIZE]
            first, count, second = (
                int.from_bytes(memory[start + at : start + at + 2], "little")
                for at in (DATA_FIRST, DATA_COUNT, DATA_SECOND)
            )
            if count != expected or first != second:
                raise ViolationError(
                    f"{count} of {expected} changes of R{resource + 1}'s data are left"
                )

    def describe(self, state: State) -> str:
        """Who is about to execute what."""
        running = self._systems.values[state.system].running
        if running is None:
            return "nobody runs"
        name = self._notes.names[running]
        return f"{name} is about to execute {self.machine.describe(state.actors[running])}"
