# SPDX-License-Identifier: MIT
"""The emulator with the library in it: threads with their own thread-local storage.

Each thread has a private page, with its stack below and thread-local storage at the end. Vector
registers are part of its state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unicorn import arm64_const

from proof.aarch64.image import Image
from proof.engine.emulator import ActorState, Emulator, page_of
from proof.engine.processor import PROCESSORS

TLS_OFFSET = 0xC00
CPU = replace(
    PROCESSORS["aarch64"],
    first_mark=0,
    wide=tuple(arm64_const.UC_ARM64_REG_Q0 + i for i in range(32)),
    pointer=arm64_const.UC_ARM64_REG_TPIDR_EL0,
)


def _thread_pointer(thread: int) -> int:
    return page_of(thread) + TLS_OFFSET


class Machine(Emulator):
    """A processor that can take and step the state of any thread."""

    def __init__(self, image: Image, threads: int) -> None:
        """Load the image; threads are numbered from 0."""
        super().__init__(CPU, image, threads, [_thread_pointer(i) for i in range(threads)])
        for thread in range(threads):
            # Variant 1: two words at the thread pointer, then the program's block.
            place = _thread_pointer(thread) + image.tls_alignment
            self.uc.mem_write(place, image.tls.data)

    def entry(self, thread: int, name: str, *arguments: int) -> ActorState:
        """A thread that is about to enter this function."""
        return self.entering(thread, name, _thread_pointer(thread), *arguments)

    def return_from_call(self, thread: int, value: int) -> int:
        """The same state with the result of a system call."""
        state = self.actors.values[thread]
        registers = (value & 0xFFFF_FFFF_FFFF_FFFF, *state.registers[1:])
        return self.actors.number(state._replace(registers=registers))

    def ended(self, thread: int) -> int:
        """The state of a thread that will not run again."""
        return self.actors.number(ActorState(thread, (), b"", (0, 0)))

    def registers(self, thread: int) -> Sequence[int]:
        """The registers of this state."""
        return self.actors.values[thread].registers
