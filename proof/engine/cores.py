# SPDX-License-Identifier: MIT
"""Cores that run at the same time: any of them may take the next step, at every instruction.

No other core sees the registers and the stack of a core, nor shared bytes that only this core
touches. So its instructions up to an access that others may see are a single step. Random walks
first find out which core reads and writes each byte. Then all steps are explored. If another core
touches such a byte after all, the exploration begins anew.

A core may be interrupted while it executes a task. The interrupt's code sees all memory of the
core, so each access of a task is a step.

On x86-64 a core has a store buffer. Others see its stores later, in order, and before its next
locked instruction. On AArch64 steps are sequentially consistent here, and a core's store clears the
exclusive monitors of the others. proof/memory_model covers the weaker order.
"""

from __future__ import annotations

import contextlib
import random
from abc import ABC, abstractmethod
from array import array
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import capstone  # type: ignore[import-untyped]

from proof.engine.emulator import Emulator, FaultError, Stride
from proof.engine.explore import ViolationError

S = TypeVar("S")

OUTSIDE = -1  # instead of an actor: the core is not in the kernel
MAX_CORES, GRANULE = 4, 16  # GRANULE: bytes that an exclusive monitor watches
WALKS, LONGEST_WALK, LONGEST_START = 20, 4000, 100_000  # in steps

Buffer = tuple[tuple[int, bytes], ...]  # stores that others do not see yet: offset and bytes


class State(NamedTuple, Generic[S]):
    """The actor, own memory and buffer of each core, the common memory, and the system's part."""

    actors: tuple[int, ...]
    own: tuple[bytes, ...]
    common: bytes
    buffers: tuple[Buffer, ...]
    system: S


class Step(NamedTuple):
    """A step of a core: its name, or the address of an instruction that others may see."""

    core: int
    name: str
    at: int = 0


class Entry(NamedTuple, Generic[S]):
    """A core begins a function; `system` is the system's part from then on.

    `drains`: only if others see all stores of the core.
    """

    core: int
    actor: int
    system: S
    name: str
    drains: bool


class Marked(NamedTuple, Generic[S]):
    """A result of a mark; `patch` is written into the core's own memory.

    `actor`: the new actor of the core; OUTSIDE: none; None: the old actor goes on.
    """

    system: S
    actor: int | None = None
    patch: tuple[int, bytes] | None = None


class Rules(ABC, Generic[S]):
    """The machine around the cores, and its rules."""

    @abstractmethod
    def entries(self, system: S, core: int) -> Sequence[Entry[S]]:
        """The functions that a core outside the kernel may begin."""

    @abstractmethod
    def is_in_task(self, system: S, core: int) -> bool:
        """Whether the core executes code that may be interrupted."""

    @abstractmethod
    def interrupts(self, system: S, core: int, actor: int) -> Sequence[Entry[S]]:
        """The interrupts of the core, which leave the actor behind."""

    @abstractmethod
    def marked(self, system: S, core: int, mark: int, ran: Stride) -> list[Marked[S]]:
        """The core has reached a mark: all possible results."""

    @abstractmethod
    def is_own_mark(self, mark: int) -> bool:
        """Whether the mark concerns only the core that reports it."""

    @abstractmethod
    def drains(self, mark: int) -> bool:
        """Whether others see all stores of the core before this mark."""

    @abstractmethod
    def has_begun(self, system: S) -> bool:
        """Whether the start is over. Steps of the start are taken in a single order."""

    @abstractmethod
    def judge(self, system: S, is_outside: Sequence[bool]) -> S:
        """Judge a state with empty buffers; return the system's part. Raises ViolationError."""


class _Memory:
    """The common bytes, and the own bytes of each core."""

    def __init__(self, by: bytes, is_common: bytes, cores: int, start: bytes) -> None:
        self.start = start
        self.common = _runs([bool(each) for each in is_common])
        self.own = [
            _runs([_is_written_by(b, core) and not c for b, c in zip(by, is_common, strict=True)])
            for core in range(cores)
        ]

    def taken(self, runs: Sequence[tuple[int, int]], memory: bytes) -> bytes:
        """The bytes of these runs."""
        return b"".join(memory[first:last] for first, last in runs)

    def put_together(self, core: int, own: bytes, common: bytes) -> bytes:
        """The memory as a core sees it. Own bytes of other cores are as at the start."""
        memory = bytearray(self.start)
        for runs, part in ((self.own[core], own), (self.common, common)):
            at = 0
            for first, last in runs:
                memory[first:last] = part[at : at + last - first]
                at += last - first
        return bytes(memory)


def _place(runs: Sequence[tuple[int, int]], offset: int) -> int:
    """The index of a byte among the bytes of all runs."""
    at = 0
    for first, last in runs:
        if first <= offset < last:
            return at + offset - first
        at += last - first
    raise KeyError(offset)


def _runs(wanted: Sequence[bool]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for at, is_wanted in enumerate(wanted):
        if is_wanted and found and found[-1][1] == at:
            found[-1] = (found[-1][0], at + 1)
        elif is_wanted:
            found.append((at, at + 1))
    return found


def _is_written_by(by: int, core: int) -> bool:
    return bool(by >> MAX_CORES + core & 1)


def _touching(by: int) -> int:
    return (by | by >> MAX_CORES) & (1 << MAX_CORES) - 1


def _is_common(by: int) -> bool:
    """Whether a core has written the byte and another core has touched it."""
    return by >> MAX_CORES != 0 and _touching(by).bit_count() > 1


class _OthersTooError(Exception):
    """Another core touches a core's own byte, so the exploration so far proves nothing."""


class Cores(Generic[S]):
    """The steps of all cores."""

    def __init__(
        self,
        machine: Emulator,
        rules: Rules[S],
        shared: int,
        system: S,
        *,
        cores: int,
        has_buffers: bool,
    ) -> None:
        """`shared`, `system`: the memory and the system's part at the beginning."""
        self.machine = machine
        self.rules = rules
        self.cores = cores
        self._shared, self._system = shared, system
        self._has_buffers = has_buffers
        self._by = bytearray(len(machine.shared.values[shared]))
        self._fences = _fences_of(machine) if has_buffers else bytes(len(machine.text.data))
        self._text = machine.text.address
        self._is_learning = True
        self._part(bytes([1]) * len(self._by))

    def _part(self, is_common: bytes) -> None:
        start = self.machine.shared.values[self._shared]
        self.machine.part(self._by, is_common, self._fences)
        self._is_common = is_common
        self._memory = _Memory(bytes(self._by), is_common, self.cores, start)
        self._known = bytes(self._by)
        self._steps: dict[tuple[int, int, bool, bytes, bytes], tuple[Stride, bytes, bytes]] = {}

    # ---- Steps ---------------------------------------------------------------------

    def initial(self) -> State[S]:
        """The state in which the exploration begins."""
        start = self._memory.start
        own = tuple(self._memory.taken(runs, start) for runs in self._memory.own)
        common = self._memory.taken(self._memory.common, start)
        none: tuple[Buffer, ...] = ((),) * self.cores
        state = State((OUTSIDE,) * self.cores, own, common, none, self._system)
        turn, left = 0, LONGEST_START
        while not self.rules.has_begun(state.system) or any(state.buffers):
            left -= 1
            if left == 0:
                raise ViolationError("the start does not end")
            is_free = state.actors[turn] == OUTSIDE and not state.buffers[turn]
            if not is_free or not self.rules.has_begun(state.system):
                state = next((after for _, after in self._of(state, turn)), state)
            turn = (turn + 1) % self.cores
        return state

    def following(self, state: State[S]) -> Iterator[tuple[Step, State[S]]]:
        """Each possible step, with the state after it."""
        for core in range(self.cores):
            yield from self._of(state, core)

    def _of(self, state: State[S], core: int) -> Iterator[tuple[Step, State[S]]]:
        if state.buffers[core]:
            yield Step(core, "a store is seen"), self._drained(state, core)
        if state.actors[core] != OUTSIDE:
            yield from self._advanced(state, core)
        for entry in self._entries(state, core):
            if entry.drains and state.buffers[core]:
                continue
            yield Step(core, entry.name), self._entered(state, entry)

    def _entries(self, state: State[S], core: int) -> Sequence[Entry[S]]:
        actor = state.actors[core]
        if actor == OUTSIDE:
            return self.rules.entries(state.system, core)
        if not self.rules.is_in_task(state.system, core):
            return ()
        return self.rules.interrupts(state.system, core, self.machine.interrupted(actor))

    def _entered(self, state: State[S], entry: Entry[S]) -> State[S]:
        actors = _with(state.actors, entry.core, entry.actor)
        return state._replace(actors=actors, system=entry.system)

    def _advanced(self, state: State[S], core: int) -> Iterator[tuple[Step, State[S]]]:
        """The core's next step, and the marks after it that concern only this core."""
        if state.buffers[core] and self._waits(state.actors[core]):
            return
        at, after = self._stepped(state, core)
        for each in after:
            yield Step(core, "", at), each

    def _waits(self, actor: int) -> bool:
        """Whether the next instruction must wait until others see all stores of the core."""
        mark = self.machine.mark_at(actor)
        if mark is not None:
            return self.rules.drains(mark)
        return bool(self._fences[self.machine.counter_of(actor) - self._text])

    def _stepped(self, state: State[S], core: int) -> tuple[int, list[State[S]]]:
        actor = state.actors[core]
        before = self._seen_by(state, core)
        is_in_task = self.rules.is_in_task(state.system, core)
        ran, own, common = self._run(core, actor, is_in_task, state.own[core], before)
        after = state._replace(
            actors=_with(state.actors, core, ran.actor), own=_with(state.own, core, own)
        )
        if ran.stored[1]:
            after = self._stored(after, core, ran, common)
        if ran.mark is None:
            return ran.at, self._passed_own(after, core)
        found: list[State[S]] = []
        for follower in self.rules.marked(after.system, core, ran.mark, ran):
            found += self._passed_own(self._behind(after, core, follower), core)
        return ran.at, found

    def _passed_own(self, state: State[S], core: int) -> list[State[S]]:
        actor = state.actors[core]
        mark = None if actor == OUTSIDE else self.machine.mark_at(actor)
        if mark is None or not self.rules.is_own_mark(mark):
            return [state]
        return self._stepped(state, core)[1]

    def _behind(self, state: State[S], core: int, follower: Marked[S]) -> State[S]:
        if follower.patch is not None:
            state = self._patched(state, core, *follower.patch)
        actor = state.actors[core] if follower.actor is None else follower.actor
        return state._replace(actors=_with(state.actors, core, actor), system=follower.system)

    def _patched(self, state: State[S], core: int, offset: int, data: bytes) -> State[S]:
        for each in range(offset, offset + len(data)):
            self._by[each] |= 1 << MAX_CORES + core
        self._look_for_others()
        if self._is_learning:
            return state._replace(common=self._with_store(state.common, offset, data))
        own, place = state.own[core], _place(self._memory.own[core], offset)
        patched = own[:place] + data + own[place + len(data) :]
        return state._replace(own=_with(state.own, core, patched))

    def _run(
        self, core: int, actor: int, is_in_task: bool, own: bytes, common: bytes
    ) -> tuple[Stride, bytes, bytes]:
        key = (core, actor, is_in_task, own, common)
        known = self._steps.get(key)
        if known is None:
            memory = self._memory.put_together(core, own, common)
            number = self.machine.shared.number(memory)
            ran = self.machine.stride(actor, number, has_interrupts=is_in_task)
            self._look_for_others()
            after = self.machine.shared.values[ran.shared]
            taken = self._memory.taken
            parts = taken(self._memory.own[core], after), taken(self._memory.common, after)
            known = self._steps[key] = ran, *parts
        return known

    def _look_for_others(self) -> None:
        """Raise _OthersTooError if another core has touched a core's own byte."""
        if self._is_learning or self._by == self._known:
            return
        for at, (now, before) in enumerate(zip(self._by, self._known, strict=True)):
            is_new_store = now >> MAX_CORES & ~(before >> MAX_CORES)
            if now == before or self._is_common[at]:
                continue
            if is_new_store or _is_common(now):
                raise _OthersTooError
        self._known = bytes(self._by)

    def _seen_by(self, state: State[S], core: int) -> bytes:
        common = state.common
        for offset, data in state.buffers[core]:
            common = self._with_store(common, offset, data)
        return common

    def _with_store(self, common: bytes, offset: int, data: bytes) -> bytes:
        place = _place(self._memory.common, offset)
        return common[:place] + data + common[place + len(data) :]

    def _stored(self, state: State[S], core: int, ran: Stride, seen: bytes) -> State[S]:
        offset, size = ran.stored
        place = _place(self._memory.common, offset)
        data = seen[place : place + size]
        if self._has_buffers and not self._fences[ran.at - self._text]:
            buffer = (*state.buffers[core], (offset, data))
            return state._replace(buffers=_with(state.buffers, core, buffer))
        return self._visible(state, core, offset, data)

    def _drained(self, state: State[S], core: int) -> State[S]:
        (offset, data), *rest = state.buffers[core]
        state = state._replace(buffers=_with(state.buffers, core, tuple(rest)))
        return self._visible(state, core, offset, data)

    def _visible(self, state: State[S], core: int, offset: int, data: bytes) -> State[S]:
        common = self._with_store(state.common, offset, data)
        actors = tuple(
            actor if other == core or actor == OUTSIDE else self._unwatched(actor, offset, data)
            for other, actor in enumerate(state.actors)
        )
        return state._replace(common=common, actors=actors)

    def _unwatched(self, actor: int, offset: int, data: bytes) -> int:
        """The other core's actor. A store to the granule that it watches clears its monitor."""
        address, size = self.machine.actors.values[actor].monitor
        if size == 0:
            return actor
        watched = self.machine.offset_of(address)
        if watched + size <= offset // GRANULE * GRANULE:
            return actor
        if offset + len(data) + GRANULE <= watched:
            return actor
        return self.machine.interrupted(actor)

    # ---- Exploration -----------------------------------------------------------------

    def explore(self, most: int) -> Explored:
        """Find the common bytes; then take all steps from all states."""
        self._learn()
        while True:
            try:
                return self._explored(most)
            except _OthersTooError:
                self._part_anew()

    def _learn(self) -> None:
        for seed in range(WALKS):
            with contextlib.suppress(ViolationError, FaultError):
                self._walk(random.Random(seed))
        self._is_learning = False
        self._part_anew()

    def _walk(self, chance: random.Random) -> None:
        state = self.initial()
        for _ in range(LONGEST_WALK):
            steps = list(self.following(state))
            if not steps:
                return
            state = chance.choice(steps)[1]

    def _part_anew(self) -> None:
        self._part(bytes(_is_common(by) for by in self._by))

    def _explored(self, most: int) -> Explored:
        graph = _Graph()
        found = Explored()
        state: State[S] | None = None
        try:
            queue = deque([self.initial()])
            graph.number_of(queue[0])
            while queue:
                state = queue.popleft()
                for step, after in self.following(self._judged(state)):
                    if graph.go(state, step, after):
                        queue.append(after)
                if len(graph.numbers) > most:
                    raise ViolationError(f"more than {most} states")
            state = graph.without_end()
            if state is not None:
                raise ViolationError("the cores run in circles, and none advances")
        except (ViolationError, FaultError) as error:
            way = () if state is None else graph.way_to(state)
            found.violation, found.way = str(error), tuple(map(self._described, way))
        found.states, found.steps = len(graph.numbers), len(graph.targets)
        places = {place for each in graph.numbers for place in enumerate(each.actors)}
        found.boundaries = sum(actor != OUTSIDE for _, actor in places)
        pairs = {each.actors for each in graph.numbers}
        found.pairs = sum(OUTSIDE not in actors for actors in pairs)
        return found

    def _described(self, step: Step) -> str:
        return f"core {step.core}: {step.name or self.machine.describe_at(step.at)}"

    def _judged(self, state: State[S]) -> State[S]:
        if any(state.buffers):
            return state
        is_outside = [actor == OUTSIDE for actor in state.actors]
        return state._replace(system=self.rules.judge(state.system, is_outside))


class Explored:
    """The result of an exploration."""

    states = steps = boundaries = pairs = 0
    violation: str | None = None
    way: tuple[str, ...] = ()


def _with(parts: tuple[S, ...], index: int, part: S) -> tuple[S, ...]:
    return (*parts[:index], part, *parts[index + 1 :])


def _fences_of(machine: Emulator) -> bytes:
    """Mark locked instructions and barriers. Each locked instruction is a barrier on x86-64."""
    text, end = machine.text.data, 0
    found = bytearray(len(text))
    for at, size, name, operands in capstone.Cs(*machine.cpu.capstone).disasm_lite(text, 0):
        is_exchange = name == "xchg" and "[" in operands
        found[at] = name.startswith("lock ") or name == "mfence" or is_exchange
        end = at + size
    if end != len(text):
        raise FaultError(f"no instruction at {machine.text.address + end:#x}")
    return bytes(found)


class _Graph:
    """States, and the steps between them."""

    def __init__(self) -> None:
        self.numbers: dict[State[Any], int] = {}
        self._parents: list[tuple[int, Step | None]] = []
        self.sources, self.targets = array("q"), array("q")

    def number_of(self, state: State[Any]) -> int:
        """Number the first state."""
        self._parents.append((0, None))
        return self.numbers.setdefault(state, len(self.numbers))

    def go(self, state: State[Any], step: Step, after: State[Any]) -> bool:
        """Note the step; return whether the state after it is new."""
        source, count = self.numbers[state], len(self.numbers)
        target = self.numbers.setdefault(after, count)
        self.sources.append(source)
        self.targets.append(target)
        if target == count:
            self._parents.append((source, step))
        return target == count

    def way_to(self, state: State[Any]) -> list[Step]:
        """The shortest way to a state."""
        steps: list[Step] = []
        number, step = self._parents[self.numbers[state]]
        while step is not None:
            steps.append(step)
            number, step = self._parents[number]
        return steps[::-1]

    def without_end(self) -> State[Any] | None:
        """A state from which no end can be reached, or None. An end has no further step."""
        before: list[list[int]] = [[] for _ in self.numbers]
        for source, target in zip(self.sources, self.targets, strict=True):
            before[target].append(source)
        goes_on = set(self.sources)
        work = [number for number in range(len(before)) if number not in goes_on]
        reaches = set(work)
        while work:
            for source in before[work.pop()]:
                if source not in reaches:
                    reaches.add(source)
                    work.append(source)
        return next((s for s, number in self.numbers.items() if number not in reaches), None)
