# SPDX-License-Identifier: MIT
"""QEMU's log of a run: the exceptions that were taken, and, where asked for, every instruction.

An instruction is a line of its own where each is a block of its own (`-singlestep`) and blocks are
not chained (`-d exec,nochain`). The trace `gicv3_cpuif_set_irqs` says when the interrupt controller
signals a core.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

EXCEPTIONS = ("-d", "int")
INSTRUCTIONS = ("-singlestep", "-d", "int,exec,nochain", "-trace", "gicv3_cpuif_set_irqs")

TAKEN = re.compile(r"Taking exception \d+ \[(.*?)\] on CPU (\d+)")
SYNDROME = re.compile(r"\.\.\.with ESR 0x[0-9a-f]+/0x([0-9a-f]+)")
EXECUTED = re.compile(r"Trace (\d+): 0x[0-9a-f]+ \[[0-9a-f]+/([0-9a-f]+)/")
LINE_OF_CORE = re.compile(r"gicv3_cpuif_set_irqs .* 0x([0-9a-f]+) HPPI .* IRQ (\d)")
# The block before was begun and not executed: it comes again. An access to a device has to be the
# last instruction of its block, which QEMU finds out there; and an interrupt may come first.
NOT_EXECUTED = ("cpu_io_recompile: rewound", "Stopped execution of TB chain before")
CALL = "SVC"
IRQ = "IRQ"
FIQ = "FIQ"  # the timer of servers
IMMEDIATE = 0xFFFF
# The null calls around a procedure: bench/kernel/measure.h.
BEGIN, END = (CALL, 1), (CALL, 2)


class Executed(NamedTuple):
    """A core executed the instruction at this address."""

    core: int
    address: int


class Taken(NamedTuple):
    """A core took an exception; the immediate is that of the instruction if it has one."""

    core: int
    kind: str
    immediate: int = 0

    @property
    def call(self) -> tuple[str, int]:
        """What it is, on whatever core."""
        return self.kind, self.immediate


class Signalled(NamedTuple):
    """The interrupt controller has something for a core, and had nothing before."""

    core: int


Step = Executed | Taken | Signalled


def steps_of(log: Iterable[str]) -> Iterator[Step]:
    """Yield what happened, in order."""
    begun: Executed | None = None  # the last block, of which the next line says whether it ran
    kind, core = "", 0  # of the exception whose syndrome comes
    signalled: set[int] = set()
    for line in log:
        if begun and not line.startswith(NOT_EXECUTED):
            yield begun
        begun = None
        if executed := EXECUTED.match(line):
            begun = Executed(int(executed[1]), int(executed[2], 16))
        elif taken := TAKEN.match(line):
            kind, core = taken[1], int(taken[2])
            if kind in (IRQ, FIQ):  # has no syndrome
                yield Taken(core, kind)
        elif syndrome := SYNDROME.match(line):
            yield Taken(core, kind, int(syndrome[1], 16) & IMMEDIATE)
        elif of_core := LINE_OF_CORE.match(line):
            number = int(of_core[1], 16)
            if of_core[2] == "0":
                signalled.discard(number)
            elif number not in signalled:
                signalled.add(number)
                yield Signalled(number)
    if begun:
        yield begun


@dataclass(frozen=True)
class Procedure:
    """What there was between the null calls around a procedure."""

    steps: list[Step]
    ends_on: int  # the core of the second call
    begun_at: dict[int, int]  # of each core the instruction before, by its address


def procedures_of(log: Iterable[str]) -> Iterator[Procedure]:
    """Cut a log: from each begin to the first end after it, on whatever core that is."""
    last: dict[int, int] = {}
    inside: Procedure | None = None
    for step in steps_of(log):
        if isinstance(step, Executed):
            last[step.core] = step.address
        if isinstance(step, Taken) and step.call == BEGIN:
            inside = Procedure([], step.core, dict(last))
        elif inside and isinstance(step, Taken) and step.call == END:
            yield replace(inside, ends_on=step.core)
            inside = None
        elif inside:
            inside.steps.append(step)
