# SPDX-License-Identifier: MIT
"""What differs between the instruction sets, as Unicorn names it."""

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

FIRST_MARK = 0x40  # of marks.h


@dataclass(frozen=True, slots=True)
class Processor:
    """Registers are indices into `registers`; the program counter is their last but one."""

    arch: int
    mode: int
    registers: tuple[int, ...]
    stack: int
    arguments: tuple[int, ...]
    result: int
    link: int | None  # the register that takes a return address; None: it is pushed
    trap_size: int
    capstone: tuple[int, int]

    def trap_at(self, code: bytes) -> int | None:
        """The mark that this instruction tells, None if it is no trap."""
        if self.link is None:
            return code[1] - FIRST_MARK if code[0] == 0xCD else None
        word = int.from_bytes(code[:4], "little")
        return (word >> 5 & 0xFFFF) - FIRST_MARK if word & 0xFFE0001F == 0xD4000001 else None

    def disassemble(self, code: bytes, address: int) -> str:
        """The first instruction of `code`."""
        lines = capstone.Cs(*self.capstone).disasm_lite(code, address, 1)
        return " ".join(f"{name} {operands}" for _, _, name, operands in lines)


# r15 down to rax would do as well: only the places of the named ones matter.
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

PROCESSORS = {
    "x86-64": Processor(
        UC_ARCH_X86,
        UC_MODE_64,
        tuple(_X86),
        stack=7,
        arguments=(5, 4, 3, 2),
        result=0,
        link=None,
        trap_size=2,
        capstone=(capstone.CS_ARCH_X86, capstone.CS_MODE_64),
    ),
    "aarch64": Processor(
        UC_ARCH_ARM64,
        UC_MODE_ARM,
        tuple(_ARM),
        stack=31,
        arguments=(0, 1, 2, 3),
        result=0,
        link=30,
        trap_size=4,
        capstone=(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM),
    ),
}

# AArch64's exclusive monitor: instructions that set or clear it, and those of the code that do.
CLREX, LDXR_W, LDXR_X = (struct.pack("<I", w) for w in (0xD5033F5F, 0x885F7C1F, 0xC85F7C1F))
Monitor = tuple[int, int]  # address and size in bytes; size 0: clear
CLEAR: Monitor = (0, 0)


def monitor_after(code: bytes, registers: tuple[int, ...], before: Monitor) -> Monitor:
    """What one AArch64 instruction, executed with these registers, does to the monitor."""
    word = int.from_bytes(code[:4], "little")
    if word & 0x3F000000 == 0x08000000 and word >> 21 & 5 == 0:  # exclusive, of one register
        if word >> 22 & 1 == 0:
            return CLEAR
        return registers[word >> 5 & 31], 1 << (word >> 30)
    return CLEAR if code[:4] == CLREX else before
