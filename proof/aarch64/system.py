# SPDX-License-Identifier: MIT
"""Threads, the machine that executes them, the kernel that schedules them, and the rules."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from proof.aarch64 import kernel_model, rules
from proof.aarch64.image import Image
from proof.aarch64.kernel_model import ASLEEP, BLOCKED, DONE, Kernel
from proof.aarch64.machine import Machine
from proof.aarch64.rules import Rules
from proof.engine.emulator import FaultError, Step
from proof.engine.explore import Moment, ViolationError
from proof.engine.moves import NO_MARK_LIMIT, Moves, State
from proof.result import CouldNotRunError


class Mark(IntEnum):
    """The supervisor calls of driver.c."""

    SYSCALL = 0
    OWN = 1
    LOOK = 2
    IN = 3
    OUT = 4
    END = 5
    ERROR = 6
    TORN = 7
    SUSPEND = 8
    CHANGED = 9
    COUNTED = 10
    CEILING = 11


# From driver.c: the order of proof_sizes, and offsets in struct guarded.
FRAME_SIZE, SLOT_SIZE, MUTEX_SIZE, DATA_SIZE, FRAMES, SHARED_SIZE = range(6)
PREV_OFFSET, STATS_OFFSET, STATS_SIZE = range(6, 9)
RAISED = 40
DATA_FIRST, DATA_COUNT, DATA_SECOND = 0, 32, 64

SYS_FUTEX, PRIVATE_FLAG, LOCK_PI, UNLOCK_PI = 98, 128, 6, 7
CPU = 3
FIRST_TID = 1001


@dataclass(frozen=True, slots=True)
class Program:
    """The function that a thread runs in its activation, and its base priority."""

    function: str
    priority: int
    locks: tuple[int, ...] = ()
    suspends: bool = False  # it sleeps once inside a section


class Window(NamedTuple):
    """A piece of memory that threads share."""

    address: int
    size: int


class _Frozen(NamedTuple):
    kernel: kernel_model.Frozen
    rules: rules.Frozen


class _Words:
    """The shared windows, as the kernel reaches them."""

    def __init__(self, windows: list[Window], value: bytes) -> None:
        self._windows = windows
        self._value = value
        self.changed: bytearray | None = None

    def _offset(self, address: int) -> int:
        offset = 0
        for start, size in self._windows:
            if start <= address < start + size:
                return offset + address - start
            offset += size
        raise FaultError(f"no shared word at {address:#x}")

    def read(self, address: int, size: int) -> int:
        offset = self._offset(address)
        value = self._value if self.changed is None else self.changed
        return int.from_bytes(value[offset : offset + size], "little")

    def read32(self, address: int) -> int:
        return self.read(address, 4)

    def write32(self, address: int, value: int) -> None:
        if self.changed is None:
            self.changed = bytearray(self._value)
        offset = self._offset(address)
        self.changed[offset : offset + 4] = value.to_bytes(4, "little")


class System(Moves[_Frozen, Machine]):
    """All threads of one scenario, from their preparation to the end of their activations."""

    def __init__(
        self,
        image: Image,
        programs: list[Program],
        ceilings: list[int],
        strength: int,
        *,
        timing: bool,
    ) -> None:
        """Attach a thread for each program; initialise a mutex for each ceiling. All sleep."""
        names = tuple(f"thread {i}" for i in range(len(programs)))
        machine = Machine(image, len(programs))
        super().__init__(machine, names, tuple(f"{name} wakes" for name in names))
        self.programs = programs
        self.ceilings = ceilings
        bases = [p.priority for p in programs]
        self._kernel = Kernel([(FIRST_TID + i, base) for i, base in enumerate(bases)])
        self._rules = Rules(bases, ceilings, timing=timing)
        self._completing: list[bool] = []
        self._wakes: dict[tuple[int, int], int] = {}
        self._prepare(image, strength)

    # ---- Preparation ---------------------------------------------------------------

    def _prepare(self, image: Image, strength: int) -> None:
        call = self.machine.prepare
        for lock, ceiling in enumerate(self.ceilings):
            call(0, "proof_init_mutex", lock, ceiling)
        for i, program in enumerate(self.programs):
            call(i, "proof_attach", i, CPU, program.priority, strength, FIRST_TID + i)
        self._top = call(0, "proof_top", CPU)
        self._frames = [call(i, "proof_frame", i) for i in range(len(self.programs))]
        slots = self._slots = call(0, "proof_slot", 0)
        shared = image.symbols["proof_shared"]
        self.sizes = [self.machine.constant("proof_sizes", i) for i in range(9)]
        self._shared = shared
        self._windows = [
            Window(self._top, 64),
            Window(slots, self.sizes[SLOT_SIZE] * len(self.programs)),
            Window(shared, self.sizes[SHARED_SIZE]),
        ]
        memory = self.machine.begin(self._windows)
        states = [
            self.machine.entry(i, p.function, i + 1, *p.locks) for i, p in enumerate(self.programs)
        ]
        self.initial = State(
            tuple(self.machine.actors.number(s) for s in states), memory, self._freeze()
        )

    def warm_up(self, index: int) -> None:
        """Run the thread's whole activation, so that its locks are bound; then start over."""
        state: State | None = self.wake(self.initial, index)
        last = self.initial
        while state is not None:
            last, state = state, self.step(state, NO_MARK_LIMIT)
        memory = bytearray(self.machine.shared.values[last.shared])
        start = len(memory) - self.sizes[SHARED_SIZE]
        for lock in range(len(self.ceilings)):
            place = start + self._data_offset(lock)
            memory[place : place + self.sizes[DATA_SIZE]] = bytes(self.sizes[DATA_SIZE])
        number = self.machine.shared.number(bytes(memory))
        self.initial = self.initial._replace(shared=number)

    def _data_offset(self, lock: int) -> int:
        locks = self.sizes[SHARED_SIZE] // (self.sizes[MUTEX_SIZE] + self.sizes[DATA_SIZE])
        return locks * self.sizes[MUTEX_SIZE] + lock * self.sizes[DATA_SIZE]

    # ---- The system part of a state --------------------------------------------------

    def _frozen(self) -> _Frozen:
        return _Frozen(self._kernel.freeze(), self._rules.freeze())

    def _adopt(self, frozen: _Frozen) -> None:
        self._kernel.thaw(frozen.kernel)
        self._rules.thaw(frozen.rules)

    def _freeze(self) -> int:
        number = super()._freeze()
        if number == len(self._completing):
            running = self._kernel.running
            self._completing.append(running is not None and self._kernel.is_completing(running))
        return number

    def _runs_now(self) -> int | None:
        return self._kernel.running

    def _can_arrive(self) -> tuple[int, ...]:
        return tuple(i for i, t in enumerate(self._kernel.tasks) if t.state == ASLEEP)

    def _can_sleep_yet(self) -> bool:
        return any(
            program.suspends and not thread.slept
            for program, thread in zip(self.programs, self._rules.threads, strict=True)
        )

    # ---- Moves ---------------------------------------------------------------------------

    def arrive(self, running: int | None, moment: Moment, index: int) -> Moment:
        """As in Moves. The kernel's part depends only on the system, so it is kept."""
        known = self._wakes.get((moment[2], index))
        if known is not None:
            actor = moment[0] if running is None else self.machine.interrupted(moment[0])
            return actor, moment[1], known
        arrived = super().arrive(running, moment, index)
        self._wakes[moment[2], index] = arrived[2]
        return arrived

    def _arrive(self, running: int | None, actor: int, shared: int, index: int) -> Moment:
        self._kernel.wake(index)
        self._judge_running()
        return actor, shared, self._freeze()

    def _judge_running(self) -> None:
        running = self._kernel.running
        if running is not None and not self._kernel.is_completing(running):
            self._rules.runs(running)

    def go(self, running: int, moment: Moment, limit: int) -> Moment:
        """As in Moves, except that a thread returns from FUTEX_LOCK_PI in a step of the kernel."""
        if self._completing[moment[2]]:
            return self._complete(running, *moment)
        return super().go(running, moment, limit)

    def _complete(self, running: int, thread: int, shared: int, system: int) -> Moment:
        words = _Words(self._windows, self.machine.shared.values[shared])
        self._thaw(system)
        if self._kernel.complete(words, running):
            self._say(f"thread {running} goes on with the gate")
            thread = self.machine.return_from_call(thread, 0)
        self._judge_running()
        return thread, self._written(words, shared), self._freeze()

    def _written(self, words: _Words, shared: int) -> int:
        if words.changed is None:
            return shared
        return self.machine.shared.number(bytes(words.changed))

    # ---- Supervisor calls -------------------------------------------------------------------

    def _at_mark(self, index: int, ran: Step, mark: int) -> Moment:
        thread, shared = ran.actor, ran.shared
        registers = self.machine.registers(thread)
        argument = registers[0]
        blocked = [i for i, t in enumerate(self._kernel.tasks) if t.state == BLOCKED]
        if mark in (Mark.LOOK, Mark.CHANGED, Mark.OUT, Mark.END):
            self._rules.keeps_waiting(index, blocked)
        match mark:
            case Mark.SYSCALL:
                return self._on_syscall(index, thread, shared)
            case Mark.OWN:
                self._say(f"thread {index}: the hook has returned")
                self._rules.hook_returns(index)
            case Mark.LOOK:
                pass
            case Mark.IN:
                self._say(f"thread {index} is inside lock {argument}")
                self._rules.enters(index, argument)
                self._rules.keeps_waiting(index, blocked)
            case Mark.OUT:
                self._say(f"thread {index} unlocks {argument}")
                self._rules.leaves(index, argument)
            case Mark.END:
                self._rules.ends(index, self._kernel.tasks[index].priority)
                self._kernel.stop(index, DONE)
                self._say(f"thread {index} ends")
                thread = self.machine.ended(index)
            case Mark.ERROR:
                raise ViolationError(f"thread {index} got {_error_name(argument)}")
            case Mark.TORN:
                raise ViolationError(
                    f"mutual exclusion: thread {index} saw half-written data of lock {argument}"
                )
            case Mark.SUSPEND:
                self._say(f"thread {index} sleeps in its section")
                self._rules.threads[index].slept = True
                self._kernel.stop(index, ASLEEP)
            case Mark.CHANGED:
                self._rules.changes_data(index, argument)
            case Mark.COUNTED:
                self._rules.changes[argument] += 1
            case Mark.CEILING:
                self._say(f"thread {index} has raised the ceiling of lock {argument}")
                self._rules.ceilings[argument] = RAISED
            case _:
                raise CouldNotRunError(f"thread {index} left the image: supervisor call {mark}")
        self._judge_running()
        return thread, shared, self._freeze()

    def _on_syscall(self, index: int, thread: int, shared: int) -> Moment:
        registers = self.machine.registers(thread)
        address, operation = registers[0], registers[1]
        words = _Words(self._windows, self.machine.shared.values[shared])
        if registers[8] != SYS_FUTEX:
            raise CouldNotRunError(f"system call {registers[8]} is not modelled")
        if operation == LOCK_PI | PRIVATE_FLAG:
            result = self._lock_pi(words, index, address)
        elif operation == UNLOCK_PI | PRIVATE_FLAG:
            result = self._kernel.unlock_pi(words, index, address)
            self._say(f"thread {index}: FUTEX_UNLOCK_PI {self.gate_name(address)}: {result}")
        else:
            raise CouldNotRunError(f"futex operation {operation} is not modelled")
        if result is not None:
            if result != 0:
                raise ViolationError(
                    f"thread {index}: futex operation {operation & ~PRIVATE_FLAG} on "
                    f"{self.gate_name(address)} gives {_error_name(result)}"
                )
            thread = self.machine.return_from_call(thread, -result)
        self._judge_running()
        return thread, self._written(words, shared), self._freeze()

    def _lock_pi(self, words: _Words, index: int, address: int) -> int | None:
        self._rules.asks_gate(index)
        owner = (words.read32(address) & kernel_model.TID_MASK) - FIRST_TID
        result = self._kernel.lock_pi(words, index, address)
        if result is None:
            self._rules.blocks(index, owner)
        self._say(
            f"thread {index}: FUTEX_LOCK_PI {self.gate_name(address)}: "
            f"{'sleeps' if result is None else result}"
        )
        return result

    def gate_name(self, address: int) -> str:
        """The gate's number, and the thread that has it."""
        size = self.sizes[FRAME_SIZE]
        for index, frames in enumerate(self._frames):
            if 0 <= address - frames < size * self.sizes[FRAMES]:
                return f"gate {(address - frames) // size} of thread {index}"
        return hex(address)

    # ---- Rest ------------------------------------------------------------------------------

    def judge_rest(self, shared: int, system: int) -> None:
        """No thread runs or will run: all must be as in the beginning."""
        self._thaw(system)
        words = _Words(self._windows, self.machine.shared.values[shared])
        for index, task in enumerate(self._kernel.tasks):
            if task.state == BLOCKED:
                raise ViolationError(
                    f"thread {index} sleeps for ever on {self.gate_name(task.waiting)}"
                )
        if words.read(self._top, 8) != 0:
            raise ViolationError(f"the stack is not empty: {words.read(self._top, 8):#x}")
        for index, frames in enumerate(self._frames):
            for level in range(self.sizes[FRAMES]):
                gate = words.read32(frames + level * self.sizes[FRAME_SIZE])
                if gate != 0:
                    raise ViolationError(f"gate {level} of thread {index} is left as {gate:#x}")
        self._judge_slots(words)
        for lock, expected in enumerate(self._rules.changes):
            self._judge_lock(words, lock, expected)

    def _judge_slots(self, words: _Words) -> None:
        """The slots must be as before, except counts and old links to lower frames."""
        before = _Words(self._windows, self.machine.shared.values[self.initial.shared])
        for index, frames in enumerate(self._frames):
            slot = self._slots + index * self.sizes[SLOT_SIZE]
            prev = frames - slot + self.sizes[PREV_OFFSET]
            free = {prev + level * self.sizes[FRAME_SIZE] for level in range(self.sizes[FRAMES])}
            stats = range(self.sizes[STATS_OFFSET], sum(self.sizes[STATS_OFFSET : STATS_SIZE + 1]))
            free.update(stats[::8])
            for offset in range(0, self.sizes[SLOT_SIZE], 8):
                was, now = before.read(slot + offset, 8), words.read(slot + offset, 8)
                if offset not in free and was != now:
                    raise ViolationError(
                        f"thread {index}'s slot has changed at {offset:#x}: {was:#x}, now {now:#x}"
                    )

    def _judge_lock(self, words: _Words, lock: int, expected: int) -> None:
        word = words.read(self._shared + lock * self.sizes[MUTEX_SIZE], 8)
        if word >> 32 != 0:
            raise ViolationError(f"lock {lock} is left held: {word:#x}")
        data = self._shared + self._data_offset(lock)
        count = words.read(data + DATA_COUNT, 2)
        if count != expected:
            raise ViolationError(
                f"mutual exclusion: {count} of {expected} changes of lock {lock}'s data are left"
            )
        if words.read(data + DATA_FIRST, 2) != words.read(data + DATA_SECOND, 2):
            raise ViolationError(f"mutual exclusion: lock {lock}'s data are half written")

    def describe(self, state: State) -> str:
        """The thread that runs, and the instruction that it is about to execute."""
        if self.running(state) is not None and self._completing[state.system]:
            return f"thread {self.running(state)} is about to return from FUTEX_LOCK_PI"
        return super().describe(state)


def _error_name(number: int) -> str:
    return f"{errno.errorcode.get(number, number)} ({os.strerror(number)})"
