# SPDX-License-Identifier: MIT
"""Executes instructions in Unicorn, from any state to any state.

A state has an actor's own part (registers, live stack, own words, exclusive monitor) and the shared
memory. Both are numbered. A sweep visits the same states again and again, so the effect of an
instruction in a state is remembered. engine/machine.c loads a state into Unicorn, runs it, and
reads it back.

This is sound because two facts are checked: an actor writes only its own memory and the shared
memory, and reads nothing of another actor's.
"""

from __future__ import annotations

import ctypes
import struct
import weakref
from collections.abc import Callable, Hashable, Mapping, Sequence
from enum import IntEnum
from functools import partial
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from unicorn import UC_PROT_EXEC, UC_PROT_READ, UC_PROT_WRITE, unicorn_py3

from proof.engine.native import Value, prepare
from proof.engine.processor import CLEAR, Monitor, Processor

T = TypeVar("T", bound=Hashable)

PAGE = 0x1000
PRIVATE = 0x7000_0000  # a page for each actor: stack below, words at the end
PRIVATE_STEP = 0x10_0000
KERNEL_STACK = 0x6000_0000
SCRATCH = 0x6001_0000  # code that sets or clears the monitor; calls return there
BACK = SCRATCH + 0x800
NONE = -1

Registers = tuple[int, ...]


class FaultError(Exception):
    """The code made a forbidden access, or is no valid code."""


class ActorState(NamedTuple):
    """All parts of an actor that no other actor sees. After its end it has no registers."""

    actor: int
    registers: Registers
    private: bytes  # from the stack pointer to the end of its page
    monitor: Monitor
    wide: bytes = b""  # the vector registers, if they are in use


class Step(NamedTuple):
    """The state after some instructions, and the mark that ended them."""

    actor: int
    shared: int
    mark: int | None
    arguments: tuple[int, int]


class Stride(NamedTuple):
    """The state after a core's instructions, up to one that others may see.

    `stored`: the common memory that this instruction wrote: first byte, number of bytes.
    """

    actor: int
    shared: int
    mark: int | None
    arguments: tuple[int, int]
    at: int
    stored: tuple[int, int]


class Answer(NamedTuple):
    """The state after a function of the kernel's half, and its value."""

    actor: int
    shared: int
    value: int


class Segment(Protocol):
    """A piece of memory at its address."""

    @property
    def address(self) -> int:
        """Address of its first byte."""

    @property
    def data(self) -> bytes:
        """Its first bytes; the rest is 0."""

    @property
    def size(self) -> int:
        """In bytes."""

    @property
    def is_code(self) -> bool:
        """Whether it has code, and not data."""


class Loadable(Protocol):
    """A linked program."""

    @property
    def segments(self) -> Sequence[Segment]:
        """All its segments."""

    @property
    def text(self) -> Segment:
        """The segment that is executed."""

    @property
    def symbols(self) -> Mapping[str, int]:
        """Addresses by their names."""

    def where(self, address: int) -> str:
        """Name the function at this address, and the offset in it."""


def page_of(actor: int) -> int:
    """Address of an actor's page."""
    return PRIVATE + actor * PRIVATE_STEP


# ---- Declarations of engine/machine.h ----

_MAX_ACTORS, _MAX_REGISTERS, _ARGUMENTS = 8, 40 + 32, 6


class _Shape(ctypes.Structure):
    _fields_ = (
        ("uc", ctypes.c_void_p),
        *((name, ctypes.c_int32) for name in ("count", "wide")),
        ("registers", ctypes.c_int32 * _MAX_REGISTERS),
        *((name, ctypes.c_int32) for name in ("stack", "counter", "link", "result")),
        ("arguments", ctypes.c_int32 * _ARGUMENTS),
        ("pointer", ctypes.c_int32),
        ("pointers", ctypes.c_uint64 * _MAX_ACTORS),
        *((name, ctypes.c_int32) for name in ("actors", "has_monitor", "first_mark")),
        ("privates", ctypes.c_uint64 * _MAX_ACTORS),
        *((name, ctypes.c_uint64) for name in ("kernel_stack", "scratch", "back")),
        ("text", ctypes.c_uint64 * 2),
    )


class _Ran(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_int32) for name in ("actor", "shared", "is_marked", "mark")),
        *((name, ctypes.c_uint64) for name in ("first", "second")),
        *((name, ctypes.c_int32) for name in ("wrong", "detail")),
        ("at", ctypes.c_uint64),
        *((name, ctypes.c_int32) for name in ("stored_from", "stored")),
    )


class _Cores(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("by", "is_common", "is_fence")),
        ("has_met", ctypes.c_bool),
        *((name, ctypes.c_int32) for name in ("stored_from", "stored")),
    )


class _Wrong(IntEnum):
    NOTHING = 0
    READS_OTHERS = 1
    WRITES_UNOWNED = 2
    NO_PROGRESS = 3
    EXCEPTION = 4
    LOST_STACK = 5
    REFUSED = 6
    NEVER_RETURNS = 7
    NO_ROOM = 8


def _fault_text(ran: _Ran) -> str:
    match ran.wrong:
        case _Wrong.READS_OTHERS:
            return f"reads memory of actor {ran.detail} at {ran.at:#x}"
        case _Wrong.WRITES_UNOWNED:
            return f"writes {ran.at:#x}, which no actor may write"
        case _Wrong.NO_PROGRESS:
            return "no progress"
        case _Wrong.EXCEPTION:
            return "an exception"
        case _Wrong.LOST_STACK:
            return "the stack is lost"
        case _Wrong.NEVER_RETURNS:
            return "does not return"
        case _Wrong.REFUSED:
            return str(unicorn_py3.UcError(ran.detail))
    raise MemoryError


_HEAD = struct.Struct("<iiQ")


class _Values(dict[int, T]):
    """Values by number. Each value is fetched once and then kept."""

    def __init__(self, value_of: Callable[[int], T]) -> None:
        super().__init__()
        self._value_of = value_of

    def __missing__(self, number: int) -> T:
        value = self[number] = self._value_of(number)
        return value


class _Numbered(Generic[T]):
    """Values and their numbers, which the engine keeps as bytes."""

    def __init__(
        self,
        machine: ctypes.c_void_p,
        is_shared: bool,
        packed: Callable[[T], bytes],
        unpacked: Callable[[bytes], T],
    ) -> None:
        engine = prepare()

        def value_of(number: int) -> T:
            value: Value = engine.machine_value(machine, is_shared, number)
            return unpacked(ctypes.string_at(value.at, value.length))

        self.values = _Values(value_of)
        self._machine = machine
        self._is_shared = is_shared
        self._packed = packed
        self._engine = engine

    def number(self, value: T) -> int:
        """Return the value's number, a new one if it has none."""
        packed = self._packed(value)
        size = ctypes.c_size_t(len(packed))
        number = self._engine.machine_number(self._machine, self._is_shared, packed, size)
        if number == NONE:
            raise MemoryError
        return int(number)


class Emulator:
    """A processor that can take and step the state of any actor."""

    def __init__(
        self, cpu: Processor, image: Loadable, actors: int, pointers: Sequence[int] = ()
    ) -> None:
        """Load the image; actors count from 0. `pointers`: `cpu.pointer` of each actor."""
        self.cpu = cpu
        self._image = image
        self.uc: Any = _engine(cpu)
        self.actors: _Numbered[ActorState]
        self.shared: _Numbered[bytes]
        self._native = prepare()
        self._machine = ctypes.c_void_p(
            self._native.machine_create(ctypes.byref(self._shape(actors, pointers)))
        )
        if not self._machine:
            raise MemoryError
        weakref.finalize(self, self._native.machine_destroy, self._machine)
        packing = struct.Struct(f"<iiQ{len(cpu.registers)}Q")
        self.actors = _Numbered(
            self._machine, False, partial(_packed, packing), partial(_unpacked, cpu, packing)
        )
        self.shared = _Numbered(self._machine, True, bytes, bytes)
        self._ran = _Ran()
        self._report_to = ctypes.byref(self._ran)
        self._steps: dict[tuple[int, int, int], Step] = {}
        self._answers: dict[tuple[str, int, int, tuple[int, ...]], Answer] = {}
        self._strides: dict[tuple[int, int, bool], Stride] = {}
        self._parts: tuple[Any, ...] = ()  # memory to which the engine points
        self._pieces: tuple[tuple[int, int], ...] = ()
        self._marks: dict[int, int | None] = {}
        self.map(SCRATCH, cpu.monitor, PAGE, is_code=True)
        self.map(KERNEL_STACK, b"", PAGE, is_code=False)
        for actor in range(actors):
            self.map(page_of(actor), b"", PAGE, is_code=False)
        for segment in image.segments:
            self.map(segment.address, segment.data, segment.size, is_code=segment.is_code)

    def _shape(self, actors: int, pointers: Sequence[int]) -> _Shape:
        cpu = self.cpu
        shape = _Shape(
            uc=self.uc._uch,
            count=len(cpu.registers),
            wide=len(cpu.wide),
            stack=cpu.stack,
            counter=cpu.counter,
            link=NONE if cpu.link is None else cpu.link,
            result=cpu.result,
            pointer=NONE if cpu.pointer is None else cpu.pointer,
            actors=actors,
            has_monitor=bool(cpu.monitor),
            first_mark=cpu.first_mark,
            kernel_stack=KERNEL_STACK,
            scratch=SCRATCH,
            back=BACK,
            text=(self._image.text.address, self._image.text.size),
        )
        numbers = (*cpu.registers, *cpu.wide)
        shape.registers[: len(numbers)] = numbers
        shape.arguments[:] = cpu.arguments
        shape.pointers[: len(pointers)] = pointers
        shape.privates[:actors] = [page_of(i) for i in range(actors)]
        return shape

    # ---- Setting up --------------------------------------------------------------

    def map(self, address: int, data: bytes, size: int, *, is_code: bool) -> None:
        """Map memory at this address, and put `data` into it."""
        start = address & -PAGE
        whole = (address + size + PAGE - 1 & -PAGE) - start
        # Data must not be executable: Unicorn would start a store there anew, and never end.
        rights = UC_PROT_READ | (UC_PROT_EXEC if is_code else UC_PROT_WRITE)
        at = self._native.machine_map(
            self._machine, ctypes.c_uint64(start), ctypes.c_uint64(whole), rights
        )
        if at is None:
            raise MemoryError
        ctypes.memmove(at + address - start, data, len(data))

    def read(self, address: int, size: int) -> bytes:
        """Read memory."""
        return bytes(self.uc.mem_read(address, size))

    def prepare(self, actor: int, name: str, *arguments: int) -> int:
        """Run a function of the set-up on the memory as it is; return its value."""
        function = ctypes.c_uint64(self._image.symbols[name])
        self._native.machine_prepare(
            self._machine, function, _array(arguments), actor, self._report_to
        )
        return self._returned(name)

    def constant(self, symbol: str, index: int = 0) -> int:
        """An element of a constant array of 64-bit words of the driver."""
        return int.from_bytes(self.read(self._image.symbols[symbol] + 8 * index, 8), "little")

    def entering(self, actor: int, name: str, stack: int, *arguments: int) -> ActorState:
        """An actor that is about to enter this function."""
        registers = [0] * len(self.cpu.registers)
        registers[self.cpu.stack] = stack
        registers[self.cpu.counter] = self._image.symbols[name]
        for place, value in zip(self.cpu.arguments, arguments, strict=False):
            registers[place] = value
        private = self.read(stack, PAGE - stack % PAGE)
        wide = bytes(16 * len(self.cpu.wide))
        return ActorState(actor, tuple(registers), private, CLEAR, wide)

    def begin(self, pieces: Sequence[tuple[int, int]]) -> int:
        """From now on only these pieces are shared. Return the number of their contents."""
        self._pieces = tuple(pieces)
        flat = [number for piece in pieces for number in piece]
        array = (ctypes.c_uint64 * len(flat))(*flat)
        number = self._native.machine_begin(self._machine, array, len(pieces))
        if number == NONE:
            raise MemoryError
        return int(number)

    @property
    def running(self) -> int:
        """The actor whose memory is in place."""
        return int(self._native.machine_running(self._machine))

    @property
    def is_in_call(self) -> bool:
        """Whether a function runs that belongs to no actor."""
        return bool(self._native.machine_is_in_kernel(self._machine))

    # ---- Running ------------------------------------------------------------------

    def forget(self) -> None:
        """Forget all results, so that everything is run again."""
        self._steps.clear()
        self._answers.clear()

    def run(self, actor: int, shared: int, limit: int) -> Step:
        """Execute up to `limit` instructions, or to the next mark."""
        key = (actor, shared, limit)
        known = self._steps.get(key)
        if known is None:
            self._native.machine_run(self._machine, actor, shared, limit, self._report_to)
            if self._ran.wrong:
                raise FaultError(f"{_fault_text(self._ran)} in or after {self.describe(actor)}")
            ran = self._ran
            mark = ran.mark if ran.is_marked else None
            known = Step(ran.actor, ran.shared, mark, (ran.first, ran.second))
            self._steps[key] = known
        return known

    def part(self, by: bytearray, is_common: bytes, is_fence: bytes) -> None:
        """Treat the actors as cores from now on: see engine/cores.h.

        `by` keeps the cores that read and write each byte of the shared memory.
        """
        size, text = len(by), len(is_fence)
        writable = (ctypes.c_uint8 * size).from_buffer(by)
        common = (ctypes.c_uint8 * size).from_buffer_copy(is_common)
        fences = (ctypes.c_uint8 * text).from_buffer_copy(is_fence)
        self._parts = (writable, common, fences)
        cores = _Cores(*(ctypes.addressof(each) for each in self._parts))
        if not self._native.machine_part(self._machine, ctypes.byref(cores)):
            raise MemoryError
        self._strides.clear()

    def stride(self, actor: int, shared: int, *, has_interrupts: bool) -> Stride:
        """Execute an instruction that others may see and all before it, or up to a mark or a fence.

        `has_interrupts`: stop after any instruction that touches the shared memory.
        """
        key = (actor, shared, has_interrupts)
        known = self._strides.get(key)
        if known is None:
            self._native.machine_stride(
                self._machine, actor, shared, has_interrupts, self._report_to
            )
            ran = self._ran
            if ran.wrong:
                raise FaultError(f"{_fault_text(ran)} in or after {self.describe(actor)}")
            known = self._strides[key] = Stride(
                ran.actor,
                ran.shared,
                ran.mark if ran.is_marked else None,
                (ran.first, ran.second),
                ran.at,
                (ran.stored_from, ran.stored),
            )
        return known

    def call(self, name: str, actor: int, shared: int, *arguments: int) -> Answer:
        """Run a function on the kernel's stack, with this actor's memory and the shared memory."""
        key = (name, actor, shared, arguments)
        known = self._answers.get(key)
        if known is None:
            function = ctypes.c_uint64(self._image.symbols[name])
            self._native.machine_call(
                self._machine, function, _array(arguments), actor, shared, self._report_to
            )
            value = self._returned(name) & 0xFFFF_FFFF
            known = self._answers[key] = Answer(self._ran.actor, self._ran.shared, value)
        return known

    def interrupted(self, actor: int) -> int:
        """The same state after an interrupt, which clears the monitor."""
        number = self._native.machine_interrupted(self._machine, actor)
        if number == NONE:
            raise MemoryError
        return int(number)

    def offset_of(self, address: int) -> int:
        """The offset of this address in the shared memory."""
        before = 0
        for start, size in self._pieces:
            if 0 <= address - start < size:
                return before + address - start
            before += size
        raise FaultError(f"{address:#x} is not shared")

    @property
    def text(self) -> Segment:
        """The segment that is executed."""
        return self._image.text

    def counter_of(self, actor: int) -> int:
        """The program counter of this actor's state."""
        return self.actors.values[actor].registers[self.cpu.counter]

    def mark_at(self, actor: int) -> int | None:
        """The mark that the actor is about to report, or None."""
        if actor not in self._marks:
            at = self.counter_of(actor) - self.text.address
            self._marks[actor] = self.cpu.mark(self.text.data[max(0, at) :][:4])
        return self._marks[actor]

    def _returned(self, name: str) -> int:
        if self._ran.wrong:
            raise FaultError(f"{name}: {_fault_text(self._ran)}")
        return int(self._ran.first)

    def describe(self, actor: int) -> str:
        """The instruction that this actor is about to execute, with its place."""
        return self.describe_at(self.counter_of(actor))

    def describe_at(self, at: int) -> str:
        """The instruction there, with its place."""
        text = self._image.text
        code = text.data[max(0, at - text.address) :][:16]
        return f"{self._image.where(at)}: {self.cpu.disassemble(code, at)}"


def _engine(cpu: Processor) -> Any:
    """Returns Any, because Unicorn's methods carry no types."""
    return unicorn_py3.Uc(cpu.arch, cpu.mode)


def _array(arguments: Sequence[int]) -> Any:
    return (ctypes.c_uint64 * _ARGUMENTS)(*arguments)


def _packed(packing: struct.Struct, state: ActorState) -> bytes:
    address, size = state.monitor
    if not state.registers:
        return _HEAD.pack(state.actor, size, address)
    head = packing.pack(state.actor, size, address, *state.registers)
    return head + state.wide + state.private


def _unpacked(cpu: Processor, packing: struct.Struct, value: bytes) -> ActorState:
    actor, size, address = _HEAD.unpack_from(value)
    if len(value) == _HEAD.size:
        return ActorState(actor, (), b"", (address, size))
    registers = packing.unpack_from(value)[3:]
    wide = packing.size + 16 * len(cpu.wide)
    return ActorState(actor, registers, value[wide:], (address, size), value[packing.size : wide])
