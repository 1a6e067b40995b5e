# SPDX-License-Identifier: MIT
"""The differences between the instruction sets, as Unicorn names them."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import capstone  # type: ignore[import-untyped]
from unicorn import (
    UC_ARCH_ARM64,
    UC_ARCH_X86,
    UC_MODE_64,
    UC_MODE_ARM,
    arm64_const,
    x86_const,
)

FIRST_MARK = 0x40  # see boundary/marks.h
Monitor = tuple[int, int]  # address and size in bytes; size 0: clear
CLEAR: Monitor = (0, 0)


@dataclass(frozen=True, slots=True)
class Processor:
    """`registers` are Unicorn's numbers; the other registers are indices into them."""

    arch: int
    mode: int
    registers: tuple[int, ...]
    stack: int
    counter: int
    arguments: tuple[int, ...]
    result: int
    link: int | None  # the register that takes a return address; None: it is pushed
    capstone: tuple[int, int]
    first_mark: int = FIRST_MARK
    wide: tuple[int, ...] = ()  # vector registers, if they are in use
    pointer: int | None = None  # Unicorn's number of a register that is constant for each actor
    monitor: bytes = b""  # code that clears the exclusive monitor, loads 4 bytes, and loads 8

    def mark(self, code: bytes) -> int | None:
        """The mark that a trap reports, or None if it is no trap. machine.c has the same rule."""
        if self.link is None:
            return code[1] - self.first_mark if code[:1] == b"\xcd" else None
        (word,) = struct.unpack("<I", code.ljust(4, b"\0"))
        return (word >> 5 & 0xFFFF) - self.first_mark if word & 0xFFE0001F == 0xD4000001 else None

    def disassemble(self, code: bytes, address: int) -> str:
        """The first instruction of `code`."""
        lines = capstone.Cs(*self.capstone).disasm_lite(code, address, 1)
        return " ".join(f"{name} {operands}" for _, _, name, operands in lines)


# The order is free, but the indices in PROCESSORS depend on it.
_X86 = [
    *(x86_const.UC_X86_REG_RAX, x86_const.UC_X86_REG_RBX, x86_const.UC_X86_REG_RCX),
    *(x86_const.UC_X86_REG_RDX, x86_const.UC_X86_REG_RSI, x86_const.UC_X86_REG_RDI),
    *(x86_const.UC_X86_REG_RBP, x86_const.UC_X86_REG_RSP),
    *(x86_const.UC_X86_REG_R8 + i for i in range(8)),
    *(x86_const.UC_X86_REG_RIP, x86_const.UC_X86_REG_EFLAGS),
]
_ARM = [
    *(arm64_const.UC_ARM64_REG_X0 + i for i in range(29)),
    *(arm64_const.UC_ARM64_REG_X29, arm64_const.UC_ARM64_REG_X30, arm64_const.UC_ARM64_REG_SP),
    *(arm64_const.UC_ARM64_REG_PC, arm64_const.UC_ARM64_REG_NZCV),
]
_CLREX, _LDXR_W, _LDXR_X = 0xD5033F5F, 0x885F7C1F, 0xC85F7C1F  # the loads: to xzr, from [x0]

PROCESSORS = {
    "x86-64": Processor(
        UC_ARCH_X86,
        UC_MODE_64,
        tuple(_X86),
        stack=7,
        counter=16,
        arguments=(5, 4, 3, 2, 8, 9),
        result=0,
        link=None,
        capstone=(capstone.CS_ARCH_X86, capstone.CS_MODE_64),
    ),
    "aarch64": Processor(
        UC_ARCH_ARM64,
        UC_MODE_ARM,
        tuple(_ARM),
        stack=31,
        counter=32,
        arguments=(0, 1, 2, 3, 4, 5),
        result=0,
        link=30,
        capstone=(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM),
        monitor=struct.pack("<3I", _CLREX, _LDXR_W, _LDXR_X),
    ),
}
