# SPDX-License-Identifier: MIT
"""Executes an image's instructions in Unicorn, from any state to any state.

A state is what one actor has to itself (registers, live stack, its words, the exclusive monitor)
and what all share. Both are interned as small integers, and what an instruction did in a state is
remembered: a sweep visits the same states again and again.

What makes that sound is checked: an actor writes nothing but its own memory and the shared one,
and reads nothing of another's.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, NamedTuple

from explore import Interned
from unicorn import (
    UC_HOOK_INTR,
    UC_HOOK_MEM_READ,
    UC_HOOK_MEM_WRITE,
    UC_PROT_EXEC,
    UC_PROT_READ,
    UC_PROT_WRITE,
    unicorn_py3,
)

from image import Image
from processor import CLEAR, CLREX, LDXR_W, LDXR_X, PROCESSORS, Monitor, monitor_after

PAGE = 0x1000
PRIVATE = 0x7000_0000  # a page an actor: stack below, its words at the end
PRIVATE_STEP = 0x10_0000
WORDS_OFFSET = 0xE00
KERNEL_STACK = 0x6000_0000
SCRATCH = 0x6001_0000  # instructions that set or clear the monitor; the kernel's half returns there
BACK = SCRATCH + 0x800
_LIBRARY: Any = unicorn_py3.unicorn.uclib
Registers = tuple[int, ...]


class FaultError(Exception):
    """The code touched what it must not, or has no meaning."""


class _RegisterFile:
    """All registers in one call: Unicorn's wrapper builds its arrays anew each time."""

    def __init__(self, uc: Any, ids: tuple[int, ...]) -> None:
        self._uc = uc
        self._count = len(ids)
        self._ids = (ctypes.c_int * self._count)(*ids)
        self._values = (ctypes.c_uint64 * self._count)()
        start = ctypes.addressof(self._values)
        self._places = (ctypes.c_void_p * self._count)(*(start + 8 * i for i in range(self._count)))

    def read(self) -> Registers:
        _LIBRARY.uc_reg_read_batch(self._uc._uch, self._ids, self._places, self._count)
        return tuple(self._values)

    def write(self, registers: Registers) -> None:
        self._values[:] = list(registers)
        _LIBRARY.uc_reg_write_batch(self._uc._uch, self._ids, self._places, self._count)


class ActorState(NamedTuple):
    """Everything of an actor that nobody else sees."""

    actor: int
    registers: Registers
    private: bytes  # from the stack pointer to the end of its page
    monitor: Monitor


class Step(NamedTuple):
    """What a run of instructions led to, and the mark that it ended with."""

    actor: int
    shared: int
    mark: int | None
    arguments: tuple[int, int]


class Answer(NamedTuple):
    """What a function of the kernel's half led to."""

    actor: int
    shared: int
    value: int


def _page_of(actor: int) -> int:
    return PRIVATE + actor * PRIVATE_STEP


def words_of(actor: int) -> int:
    """Address of an actor's words."""
    return _page_of(actor) + WORDS_OFFSET


def _engine(arch: int, mode: int) -> Any:
    """Unicorn's methods carry no types."""
    return unicorn_py3.Uc(arch, mode)


class Machine:
    """One processor, on which any actor's state can be put and stepped."""

    def __init__(self, image: Image, actors: int) -> None:
        """Load the image; actors are numbered from 0."""
        self.image = image
        self.actors: Interned[ActorState] = Interned()
        self.shared: Interned[bytes] = Interned()
        self._is_arm = image.isa == "aarch64"
        self._cpu = PROCESSORS[image.isa]
        self._uc = _engine(self._cpu.arch, self._cpu.mode)
        self._registers = _RegisterFile(self._uc, self._cpu.registers)
        self._pc = len(self._cpu.registers) - 2
        self._steps: dict[tuple[int, int, int], Step] = {}
        self._answers: dict[tuple[str, int, int, tuple[int, ...]], Answer] = {}
        self._loaded: tuple[int, int] = (-1, -1)
        self.running = 0  # whose memory is in place
        self._shared_loaded = -1
        self._private_loaded: dict[int, bytes] = {}
        self._dirty = self._setting_up = True
        self._trapped = self._is_in_kernel = False
        self._wrong: str | None = None
        self._map(actors)

    def _map(self, actors: int) -> None:
        for segment in self.image.segments:
            start = segment.address & -PAGE
            end = (segment.address + segment.size + PAGE - 1) & -PAGE
            # Data must not look like code: Unicorn would start a store there anew, and never end.
            may = UC_PROT_READ | (UC_PROT_EXEC if segment.is_code else UC_PROT_WRITE)
            self._uc.mem_map(start, end - start, may)
            self._uc.mem_write(segment.address, segment.data)
        self._uc.mem_map(SCRATCH, PAGE, UC_PROT_READ | UC_PROT_EXEC)
        if self._is_arm:
            self._uc.mem_write(SCRATCH, CLREX + LDXR_W + LDXR_X)
        self._uc.mem_map(KERNEL_STACK, PAGE, UC_PROT_READ | UC_PROT_WRITE)
        self._uc.hook_add(UC_HOOK_INTR, self._on_trap)
        self._uc.hook_add(UC_HOOK_MEM_WRITE, self._on_write)
        for actor in range(actors):
            page = _page_of(actor)
            self._uc.mem_map(page, PAGE, UC_PROT_READ | UC_PROT_WRITE)
            self._uc.hook_add(UC_HOOK_MEM_READ, self._on_read, actor, page, page + PAGE - 1)

    # ---- What Unicorn tells -----------------------------------------------------

    def _on_trap(self, uc: Any, _number: int, _: Any) -> None:
        self._trapped = True
        uc.emu_stop()

    def _stop(self, wrong: str) -> None:
        self._wrong = self._wrong or wrong
        self._uc.emu_stop()

    def _on_read(self, _uc: Any, _kind: int, at: int, size: int, _value: int, owner: Any) -> None:
        if owner != self.running:
            self._stop(f"reads memory of actor {owner} at {at:#x}")

    def _on_write(self, _uc: Any, _kind: int, at: int, size: int, value: int, _: Any) -> None:
        shared = self.image.shared
        if 0 <= at - _page_of(self.running) < PAGE or 0 <= at - shared.address < shared.size:
            self._dirty = True
        elif not self._setting_up and not 0 <= at - KERNEL_STACK < PAGE:
            self._stop(f"writes {at:#x}, which is nobody's")

    def watch(self, watcher: Callable[[int, int, bool], None]) -> None:
        """Tell each access of an actor's from here on: address, value, whether it is a store."""

        def on_read(uc: Any, _kind: int, at: int, size: int, _value: int, _: Any) -> None:
            if not self._is_in_kernel:
                watcher(at, int.from_bytes(uc.mem_read(at, size), "little"), False)

        def on_write(_uc: Any, _kind: int, at: int, size: int, value: int, _: Any) -> None:
            if not self._is_in_kernel:
                watcher(at, value & (1 << 8 * size) - 1, True)

        self._steps.clear()
        self._answers.clear()
        self._uc.hook_add(UC_HOOK_MEM_READ, on_read)
        self._uc.hook_add(UC_HOOK_MEM_WRITE, on_write)

    # ---- Code --------------------------------------------------------------------

    def _code_at(self, address: int) -> bytes:
        text = self.image.text
        start = address - text.address
        return text.data[start : start + 16] if 0 <= start < len(text.data) else bytes(16)

    def describe(self, actor: int) -> str:
        """The instruction that this state is about to execute, with its place."""
        at = self.actors.values[actor].registers[self._pc]
        return f"{self.image.where(at)}: {self._cpu.disassemble(self._code_at(at), at)}"

    # ---- Setting up --------------------------------------------------------------

    def entry(self, actor: int, name: str, *arguments: int) -> ActorState:
        """An actor that is about to enter that function."""
        registers = [0] * len(self._cpu.registers)
        # As after a call: the stack is 8 off a multiple of 16 on x86-64, and nobody returns.
        stack = words_of(actor) - (0 if self._is_arm else 8)
        registers[self._cpu.stack] = stack
        registers[self._pc] = self.image.symbols[name]
        for place, value in zip(self._cpu.arguments, arguments, strict=False):
            registers[place] = value
        size = PAGE - stack % PAGE
        return ActorState(actor, tuple(registers), bytes(self._uc.mem_read(stack, size)), CLEAR)

    def _execute(self, name: str, arguments: tuple[int, ...]) -> int:
        """Run a function to its end, on the kernel's stack; its value."""
        registers = [0] * len(self._cpu.registers)
        stack = KERNEL_STACK + PAGE - 64
        if self._cpu.link is None:
            stack -= 8
            self._uc.mem_write(stack, BACK.to_bytes(8, "little"))
        else:
            registers[self._cpu.link] = BACK
        registers[self._cpu.stack] = stack
        for place, value in zip(self._cpu.arguments, arguments, strict=False):
            registers[place] = value
        self._registers.write(tuple(registers))
        self._wrong = None
        self._is_in_kernel = True
        try:
            self._uc.emu_start(self.image.symbols[name], BACK, count=10_000)
        except unicorn_py3.UcError as error:
            self._wrong = str(error)
        self._is_in_kernel = False
        after = self._registers.read()
        if self._wrong is None and after[self._pc] != BACK:
            self._wrong = "does not return"
        if self._wrong is not None:
            self._forget()
            raise FaultError(f"{name}: {self._wrong}")
        return after[self._cpu.result]

    def prepare(self, actor: int, name: str, *arguments: int) -> None:
        """Run a function of the driver that sets things up, for that actor."""
        self.running = actor
        self._execute(name, arguments)

    def constant(self, symbol: str, index: int = 0) -> int:
        """An element of a constant array of 64-bit words of the driver."""
        place = self.image.symbols[symbol] + 8 * index
        return int.from_bytes(self._uc.mem_read(place, 8), "little")

    def finish_set_up(self) -> int:
        """From here on only the shared memory is shared; the number of what it holds."""
        self._setting_up = False
        self._shared_loaded = self._read_shared()
        return self._shared_loaded

    # ---- Running ------------------------------------------------------------------

    def _forget(self) -> None:
        self._loaded, self._shared_loaded = (-1, -1), -1
        self._private_loaded.clear()

    def _read_shared(self) -> int:
        piece = self.image.shared
        return self.shared.number(bytes(self._uc.mem_read(piece.address, piece.size)))

    def _load_memory(self, state: ActorState, shared: int) -> None:
        self.running = state.actor
        if self._shared_loaded != shared:
            self._uc.mem_write(self.image.shared.address, self.shared.values[shared])
            self._shared_loaded = shared
        if self._private_loaded.get(state.actor) is not state.private:
            self._uc.mem_write(_page_of(state.actor) + PAGE - len(state.private), state.private)
            self._private_loaded[state.actor] = state.private

    def _load(self, number: int, shared: int) -> None:
        if self._loaded == (number, shared):
            return
        state = self.actors.values[number]
        self._load_memory(state, shared)
        if self._is_arm:
            address, size = state.monitor
            if size != 0:
                self._registers.write((address, *state.registers[1:]))
            place = SCRATCH if size == 0 else SCRATCH + (4 if size == 4 else 8)
            self._uc.emu_start(place, 0, count=1)
        self._registers.write(state.registers)

    def run(self, actor: int, shared: int, limit: int) -> Step:
        """Execute up to `limit` instructions, or to the next mark."""
        key = (actor, shared, limit)
        known = self._steps.get(key)
        if known is None:
            known = self._steps[key] = self._run(actor, shared, limit)
        return known

    def _run(self, number: int, shared: int, limit: int) -> Step:
        before = self.actors.values[number]
        at = before.registers[self._pc]
        code = self._code_at(at)
        mark = self._cpu.trap_at(code)
        if mark is not None:
            return self._trap(before, shared, mark)
        self._load(number, shared)
        self._dirty = self._trapped = False
        self._wrong = None
        try:
            self._uc.emu_start(at, 0, count=limit)
        except unicorn_py3.UcError as error:
            self._wrong = str(error)
        after = self._registers.read()
        if after[self._pc] == at and not self._trapped:
            self._wrong = self._wrong or "no progress"
        if self._trapped:  # report the state before the trap, then the trap itself
            self._wrong = self._wrong or self._check_trap(after)
        if self._wrong is not None:
            self._forget()
            raise FaultError(f"{self._wrong} in or after {self.describe(number)}")
        monitor = CLEAR
        if self._is_arm and limit == 1:
            monitor = monitor_after(code, before.registers, before.monitor)
        private = before.private
        stack = after[self._cpu.stack]
        if self._dirty or stack != before.registers[self._cpu.stack]:
            page = _page_of(before.actor)
            if not page <= stack < page + PAGE:
                raise FaultError(f"the stack is lost in or after {self.describe(number)}")
            private = bytes(self._uc.mem_read(stack, page + PAGE - stack))
        if self._dirty:
            self._shared_loaded = self._read_shared()
        self._private_loaded[before.actor] = private
        if self._trapped:
            self._loaded = (-1, -1)
            state = before._replace(registers=self._trap_place(after), private=private)
            return self._trap(
                state._replace(monitor=CLEAR),
                self._shared_loaded,
                self._cpu.trap_at(self._code_at(state.registers[self._pc])),
            )
        state = ActorState(before.actor, after, private, monitor)
        step = Step(self.actors.number(state), self._shared_loaded, None, (0, 0))
        self._loaded = (step.actor, step.shared)
        return step

    def _trap_place(self, after: Registers) -> Registers:
        """Registers with the program counter on the trap: Unicorn leaves it behind."""
        counter = after[self._pc]
        if self._cpu.trap_at(self._code_at(counter - self._cpu.trap_size)) is not None:
            counter -= self._cpu.trap_size
        return (*after[: self._pc], counter, *after[self._pc + 1 :])

    def _check_trap(self, after: Registers) -> str | None:
        place = self._trap_place(after)[self._pc]
        return None if self._cpu.trap_at(self._code_at(place)) is not None else "an exception"

    def _trap(self, state: ActorState, shared: int, mark: int | None) -> Step:
        """Go on behind a trap, which changes nothing and clears the monitor."""
        registers = list(state.registers)
        first, second = (registers[i] for i in self._cpu.arguments[:2])
        registers[self._pc] += self._cpu.trap_size
        after = state._replace(registers=tuple(registers), monitor=CLEAR)
        return Step(self.actors.number(after), shared, mark, (first, second))

    def kernel(self, name: str, actor: int, shared: int, *arguments: int) -> Answer:
        """Run a function of the kernel's half on this actor's words."""
        key = (name, actor, shared, arguments)
        known = self._answers.get(key)
        if known is None:
            known = self._answers[key] = self._kernel(name, actor, shared, arguments)
        return known

    def _kernel(self, name: str, number: int, shared: int, arguments: tuple[int, ...]) -> Answer:
        state = self.actors.values[number]
        self._load_memory(state, shared)
        self._loaded = (-1, -1)
        self._dirty = False
        value = self._execute(name, (words_of(state.actor), *arguments))
        if self._dirty:
            place = _page_of(state.actor) + PAGE - len(state.private)
            private = bytes(self._uc.mem_read(place, len(state.private)))
            state = state._replace(private=private)
            self._private_loaded[state.actor] = private
            self._shared_loaded = self._read_shared()
        return Answer(self.actors.number(state), self._shared_loaded, value & 0xFFFF_FFFF)

    def interrupted(self, number: int) -> int:
        """The same state after an interrupt, which clears the monitor."""
        state = self.actors.values[number]
        if state.monitor == CLEAR:
            return number
        return self.actors.number(state._replace(monitor=CLEAR))
