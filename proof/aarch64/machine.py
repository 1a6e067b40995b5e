# SPDX-License-Identifier: MIT
"""Executes the image's real instructions in Unicorn, from any state to any state.

A state is what one thread has to itself (registers, live stack, thread-local storage, exclusive
monitor) and what all share (the ceiling stack, the slots, the mutexes and their data). Both are
interned as small integers, and what an instruction did in a state is remembered: a sweep visits
the same states again and again.

What makes that sound is checked: a thread writes nothing but its own memory and the shared
windows, and reads nothing of another's; it uses no vector register.
"""

from __future__ import annotations

import ctypes
import struct
from typing import Any, NamedTuple

import capstone  # type: ignore[import-untyped]
from explore import Interned
from unicorn import (
    UC_ARCH_ARM64,
    UC_HOOK_INTR,
    UC_HOOK_MEM_READ,
    UC_HOOK_MEM_WRITE,
    UC_MODE_ARM,
    arm64_const,
    unicorn_py3,
)

from image import Image

PAGE = 0x1000
PRIVATE = 0x7000_0000  # a page a thread: stack below, thread-local storage at its end
PRIVATE_STEP = 0x10_0000
TLS_OFFSET = 0xC00
SCRATCH = 0x6000_0000  # instructions that set or clear the exclusive monitor
CLREX, LDXR_W, LDXR_X = 0xD5033F5F, 0x885F7C1F, 0xC85F7C1F  # the loads: to xzr, from [x0]

VECTORS, VECTOR_SIZE = 32, 16
NO_VECTORS = bytes(VECTORS * VECTOR_SIZE)
SP, PC = 31, 32
_REGISTERS = [
    *(arm64_const.UC_ARM64_REG_X0 + i for i in range(29)),
    arm64_const.UC_ARM64_REG_X29,
    arm64_const.UC_ARM64_REG_X30,
    arm64_const.UC_ARM64_REG_SP,
    arm64_const.UC_ARM64_REG_PC,
    arm64_const.UC_ARM64_REG_NZCV,
]
_LIBRARY: Any = unicorn_py3.unicorn.uclib
Registers = tuple[int, ...]
Monitor = tuple[int, int]  # address and size in bytes; size 0: clear
CLEAR: Monitor = (0, 0)


class FaultError(Exception):
    """The code touched what it must not, or has no meaning."""


class _RegisterFile:
    """All registers in one call: Unicorn's wrapper builds its arrays anew each time, 50 us more."""

    def __init__(self, uc: Any) -> None:
        self._uc = uc
        vectors = [arm64_const.UC_ARM64_REG_Q0 + i for i in range(VECTORS)]
        ids = [arm64_const.UC_ARM64_REG_TPIDR_EL0, *_REGISTERS, *vectors]
        self._count = len(ids)
        self._ids = (ctypes.c_int * self._count)(*ids)
        scalars = self._count - VECTORS
        self._values = (ctypes.c_uint64 * scalars)()
        self._vectors = (ctypes.c_char * len(NO_VECTORS))()
        places = [ctypes.addressof(self._values) + i * 8 for i in range(scalars)]
        places += [ctypes.addressof(self._vectors) + i * VECTOR_SIZE for i in range(VECTORS)]
        self._places = (ctypes.c_void_p * self._count)(*places)

    def read(self) -> tuple[Registers, bytes]:
        _LIBRARY.uc_reg_read_batch(self._uc._uch, self._ids, self._places, self._count)
        return tuple(self._values[1:]), self._vectors.raw

    def write(self, thread_pointer: int, registers: Registers, vectors: bytes) -> None:
        self._values[:] = [thread_pointer, *registers]
        self._vectors.raw = vectors
        _LIBRARY.uc_reg_write_batch(self._uc._uch, self._ids, self._places, self._count)

    def write_x0(self, value: int) -> None:
        self._uc.reg_write(arm64_const.UC_ARM64_REG_X0, value)

    def pc(self) -> int:
        return int(self._uc.reg_read(arm64_const.UC_ARM64_REG_PC))


class ThreadState(NamedTuple):
    """Everything of a thread that nobody else sees. A thread that has ended keeps no registers."""

    thread: int
    registers: Registers
    vectors: bytes
    private: bytes  # from SP to the end of its page
    monitor: Monitor


class Step(NamedTuple):
    """What a run of instructions led to; `mark` is that of the supervisor call it ended with."""

    thread: int
    shared: int
    mark: int | None


class Window(NamedTuple):
    """A piece of memory that threads share."""

    address: int
    size: int


def _private_page(thread: int) -> int:
    return PRIVATE + thread * PRIVATE_STEP


def _engine() -> Any:
    """Unicorn's methods carry no types."""
    return unicorn_py3.Uc(UC_ARCH_ARM64, UC_MODE_ARM)


class Machine:
    """One processor, on which any thread state can be put and stepped."""

    def __init__(self, image: Image, threads: int) -> None:
        """Load the image; threads are numbered from 0."""
        self.image = image
        self.threads: Interned[ThreadState] = Interned()
        self.shared: Interned[bytes] = Interned()
        self.windows: list[Window] = []
        self.instructions = 0
        self._uc = _engine()
        self._memo: dict[tuple[int, int, int], Step] = {}
        self._loaded: tuple[int, int] = (-1, -1)
        self._running = 0
        self._shared_loaded = -1
        self._private_loaded: dict[int, bytes] = {}
        self._shared_dirty = self._private_dirty = False
        self._mark: int | None = None
        self._wrong: str | None = None
        self._setting_up = True
        self._registers = _RegisterFile(self._uc)
        self._map(threads)
        self._watch(threads)

    # ---- Loading ----------------------------------------------------------------

    def _map(self, threads: int) -> None:
        for segment in self.image.segments:
            start = segment.address & -PAGE
            end = (segment.address + segment.size + PAGE - 1) & -PAGE
            self._uc.mem_map(start, end - start)
            self._uc.mem_write(segment.address, segment.data)
        self._uc.mem_map(SCRATCH, PAGE)
        for i, code in enumerate((CLREX, LDXR_W, LDXR_X)):
            self._uc.mem_write(SCRATCH + 4 * i, struct.pack("<I", code))
        for thread in range(threads):
            self._uc.mem_map(_private_page(thread), PAGE)
            self._uc.mem_write(self._tls(thread), self.image.tls.data)

    def _tls(self, thread: int) -> int:
        # Variant 1: two words of the thread pointer's, then the program's block.
        return _private_page(thread) + TLS_OFFSET + self.image.tls_alignment

    def _watch(self, threads: int) -> None:
        self._uc.hook_add(UC_HOOK_INTR, self._on_interrupt)
        self._uc.hook_add(UC_HOOK_MEM_WRITE, self._on_write)
        for thread in range(threads):
            page = _private_page(thread)
            self._uc.hook_add(UC_HOOK_MEM_READ, self._on_read, thread, page, page + PAGE - 1)

    # ---- What Unicorn tells -----------------------------------------------------

    def _stop(self, wrong: str) -> None:
        self._wrong = self._wrong or wrong
        self._uc.emu_stop()

    def _on_interrupt(self, uc: Any, number: int, _: Any) -> None:
        at = self._registers.pc() - 4
        self._mark = self.svc_at(at)
        if self._mark is None:
            self._stop(f"exception {number}")
        uc.emu_stop()

    def _on_read(
        self, _uc: Any, _access: int, at: int, _size: int, _value: int, owner: Any
    ) -> None:
        if owner != self._running:
            self._stop(f"reads memory of thread {owner} at {at:#x}")

    def _on_write(self, _uc: Any, _access: int, at: int, _size: int, _value: int, _: Any) -> None:
        if 0 <= at - _private_page(self._running) < PAGE:
            self._private_dirty = True
        elif any(0 <= at - start < size for start, size in self.windows):
            self._shared_dirty = True
        elif not self._setting_up:
            self._stop(f"writes {at:#x}, which is nobody's")

    # ---- Code ----------------------------------------------------------------------

    def _word_at(self, address: int) -> int:
        text = self.image.text
        offset = address - text.address
        if not 0 <= offset < len(text.data):
            return 0
        return int.from_bytes(text.data[offset : offset + 4], "little")

    def svc_at(self, address: int) -> int | None:
        """Return the number in the supervisor call there, None if it is none."""
        word = self._word_at(address)
        return (word >> 5) & 0xFFFF if word & 0xFFE0001F == 0xD4000001 else None

    def instruction(self, address: int) -> str:
        """Disassemble the instruction there, with its place."""
        disassembler = capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM)
        code = struct.pack("<I", self._word_at(address))
        text = [f"{name} {operands}" for _, _, name, operands in disassembler.disasm_lite(code, 0)]
        return f"{self.image.where(address)}: {' '.join(text)}"

    def _monitor_after(self, at: int, before: ThreadState) -> Monitor:
        """What one instruction does to the exclusive monitor."""
        word = self._word_at(at)
        if word & 0x3F000000 == 0x08000000 and word >> 21 & 5 == 0:  # exclusive, of one register
            if word >> 22 & 1 == 0:
                return CLEAR
            base = word >> 5 & 31
            return before.registers[SP if base == 31 else base], 1 << (word >> 30)
        return CLEAR if word == CLREX else before.monitor

    # ---- Setting up --------------------------------------------------------------

    def call(self, thread: int, name: str, *arguments: int) -> int:
        """Run a function of the driver to its end, as that thread; return its value."""
        back = SCRATCH + PAGE - 4
        registers = self.entry(thread, name, *arguments).registers
        self._running = thread
        self._registers.write(
            self._thread_pointer(thread), (*registers[:30], back, *registers[31:]), NO_VECTORS
        )
        try:
            self._uc.emu_start(self.image.symbols[name], back)
        except unicorn_py3.UcError as error:
            raise FaultError(f"{name}: {error}") from error
        return self._registers.read()[0][0]

    def entry(self, thread: int, name: str, *arguments: int) -> ThreadState:
        """Return the state of a thread that is about to enter that function."""
        stack = _private_page(thread) + TLS_OFFSET
        registers = [*arguments, *[0] * (31 - len(arguments)), stack, self.image.symbols[name], 0]
        private = bytes(self._uc.mem_read(stack, PAGE - TLS_OFFSET))
        return ThreadState(thread, tuple(registers), NO_VECTORS, private, CLEAR)

    def peek64(self, symbol: str, index: int) -> int:
        """Return an element of a constant array of the driver."""
        place = self.image.symbols[symbol] + 8 * index
        return int.from_bytes(self._uc.mem_read(place, 8), "little")

    def _thread_pointer(self, thread: int) -> int:
        return _private_page(thread) + TLS_OFFSET

    def finish_set_up(self, windows: list[Window]) -> int:
        """From here on only these windows are shared; return the number of what they hold."""
        self.windows = windows
        self._setting_up = False
        self._shared_loaded = self._read_shared()
        return self._shared_loaded

    # ---- Running ------------------------------------------------------------------

    def _read_shared(self) -> int:
        pieces = [self._uc.mem_read(address, size) for address, size in self.windows]
        return self.shared.number(b"".join(pieces))

    def _write_shared(self, shared: int) -> None:
        value, offset = self.shared.values[shared], 0
        for address, size in self.windows:
            self._uc.mem_write(address, value[offset : offset + size])
            offset += size
        self._shared_loaded = shared

    def _load(self, state: ThreadState, number: int, shared: int) -> None:
        if self._loaded == (number, shared):
            return
        self._running = state.thread
        if self._shared_loaded != shared:
            self._write_shared(shared)
        if self._private_loaded.get(state.thread) is not state.private:
            place = _private_page(state.thread) + PAGE - len(state.private)
            self._uc.mem_write(place, state.private)
            self._private_loaded[state.thread] = state.private
        self._set_monitor(state.monitor)
        self._registers.write(self._thread_pointer(state.thread), state.registers, state.vectors)

    def _set_monitor(self, monitor: Monitor) -> None:
        address, size = monitor
        place = SCRATCH
        if size != 0:
            self._registers.write_x0(address)
            place += 4 if size == 4 else 8
        self._uc.emu_start(place, 0, count=1)

    def run(self, thread: int, shared: int, limit: int) -> Step:
        """Execute up to `limit` instructions, or to the next supervisor call."""
        key = (thread, shared, limit)
        known = self._memo.get(key)
        if known is None:
            known = self._memo[key] = self._run(thread, shared, limit)
        return known

    def _run(self, number: int, shared: int, limit: int) -> Step:
        before = self.threads.values[number]
        self._load(before, number, shared)
        self._shared_dirty = self._private_dirty = False
        self._mark = self._wrong = None
        at = before.registers[PC]
        try:
            self._uc.emu_start(at, 0, count=limit)
        except unicorn_py3.UcError as error:
            self._wrong = str(error)
        if self._wrong is not None:
            self._loaded, self._shared_loaded = (-1, -1), -1
            self._private_loaded.clear()
            raise FaultError(f"{self._wrong} in or after {self.instruction(at)}")
        after, vectors = self._registers.read()
        if self._private_dirty or after[SP] != before.registers[SP]:
            base = _private_page(before.thread)
            private = bytes(self._uc.mem_read(after[SP], base + PAGE - after[SP]))
        else:
            private = before.private
        if self._mark is not None:
            monitor = CLEAR  # so does the return from the exception
        else:
            monitor = self._monitor_after(at, before) if limit == 1 else CLEAR
        if self._shared_dirty:
            self._shared_loaded = self._read_shared()
        state = ThreadState(before.thread, after, vectors, private, monitor)
        step = Step(self.threads.number(state), self._shared_loaded, self._mark)
        self._private_loaded[before.thread] = private
        # After a supervisor call the monitor in Unicorn may still be set: load anew.
        self._loaded = (step.thread, step.shared) if self._mark is None else (-1, -1)
        return step
