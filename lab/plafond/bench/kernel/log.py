# SPDX-License-Identifier: MIT
"""Parse QEMU's log of a run: the exceptions, and optionally every instruction.

Each instruction has a line because it is a block by itself (`-singlestep`), and blocks are not
chained (`-d exec,nochain`). The trace `gicv3_cpuif_set_irqs` shows when the interrupt controller
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
# The block before was begun but not executed, so it comes again. QEMU detects too late that an
# access to a device must be the last instruction of its block. An interrupt may also come first.
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
    """A core took an exception; `immediate` is that of the instruction, or 0."""

    core: int
    kind: str
    immediate: int = 0

    @property
    def call(self) -> tuple[str, int]:
        """Return the exception without its core."""
        return self.kind, self.immediate


class Signalled(NamedTuple):
    """The interrupt controller signals a core that it did not signal before."""

    core: int


Step = Executed | Taken | Signalled


def steps_of(log: Iterable[str]) -> Iterator[Step]:
    """Yield the steps of a log in order."""
    begun: Executed | None = None  # the last block; the next line shows whether it was executed
    kind, core = "", 0  # the exception whose syndrome follows
    signalled: set[int] = set()
    for line in log:
        if begun and not line.startswith(NOT_EXECUTED):
            yield begun
        begun = None
        if executed := EXECUTED.match(line):
            begun = Executed(int(executed[1]), int(executed[2], 16))
        elif taken := TAKEN.match(line):
            kind, core = taken[1], int(taken[2])
            if kind in (IRQ, FIQ):  # such an exception has no syndrome
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
    """The steps between the null calls around a procedure."""

    steps: list[Step]
    ends_on: int  # the core of the second call
    # for each core the address of the last instruction before the procedure
    begun_at: dict[int, int]


def procedures_of(log: Iterable[str]) -> Iterator[Procedure]:
    """Divide a log into procedures: from each start to the first end after it, on any core."""
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
