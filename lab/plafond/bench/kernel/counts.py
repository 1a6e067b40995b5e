# SPDX-License-Identifier: MIT
"""What one image counted: its console, and QEMU's log of the exceptions that it took."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plafond.bench.kernel.model import Row
from plafond.errors import PlafondError

EMPTY, EMPTY_ONE_WAY = "empty", "empty-one-way"
# These do not return to where they began: another activation reads the counter.
ONE_WAY = re.compile(
    "chain-task|activate-first|unlock-to-the-waiting|context-switch|(preempting|dispatched)@.*|to-.*"
)
DISTURBED = "disturbed-"  # an interrupt may come into these
LINE = re.compile(r"[a-z][\w+@-]*( \d+)+")
TAKEN = re.compile(r"Taking exception \d+ \[(.*?)\]")
SYNDROME = re.compile(r"\.\.\.with ESR 0x[0-9a-f]+/0x([0-9a-f]+)")
CALL = "SVC"
IRQ = "IRQ"
IMMEDIATE = 0xFFFF
# Of the null calls around a procedure: bench/kernel/measure.h.
BEGIN, END = 1, 2


@dataclass(frozen=True)
class Counts:
    """The figures of one variant."""

    rows: list[Row]
    rounds: int
    unequal: list[str]


def counts_of(variant: str, console: str, log: Iterable[str]) -> Counts:
    """Return the figures; PlafondError if the two do not fit together."""
    samples = _samples(console)
    rounds = len(samples[EMPTY])
    taken = list(taken_in_procedures(log))
    if len(taken) != rounds * len(samples):
        raise PlafondError(f"{variant}: the log has {len(taken)} procedures, not all")
    rows, unequal = [], []
    for index, (name, counted) in enumerate(samples.items()):
        of_rounds = taken[index * rounds : (index + 1) * rounds]
        its_calls = [each.calls for each in of_rounds]
        others = sorted({kind for each in of_rounds for kind in each.others})
        if others and not (name.startswith(DISTURBED) and others == [IRQ]):
            raise PlafondError(f"{name} was disturbed by an exception: {', '.join(others)}")
        if len(set(counted)) > 1 or len(set(its_calls)) > 1:
            unequal.append(f"{variant}, {name}")
        if name not in (EMPTY, EMPTY_ONE_WAY):
            empty = min(samples[EMPTY_ONE_WAY if ONE_WAY.fullmatch(name) else EMPTY])
            rows.append(
                Row(
                    benchmark=name,
                    variant=variant,
                    instructions=min(counted) - empty,
                    system_calls=min(its_calls),
                )
            )
    return Counts(rows, rounds, unequal)


def _samples(console: str) -> dict[str, list[int]]:
    """By procedure, in order; those that were left out have zeros, and are not there."""
    samples = {}
    for line in console.splitlines():
        if not LINE.fullmatch(line):
            raise PlafondError(f"the image wrote {line!r}; expected a name and counts")
        name, *counts = line.split()
        if any(map(int, counts)):
            samples[name] = list(map(int, counts))
    if not {EMPTY, EMPTY_ONE_WAY} <= samples.keys():
        raise PlafondError("the image did not measure the empty procedures")
    return samples


@dataclass(frozen=True)
class Taken:
    """The exceptions of a procedure: system calls, and the kinds of all others."""

    calls: int
    others: tuple[str, ...] = ()


def taken_in_procedures(log: Iterable[str]) -> Iterator[Taken]:
    """What there was between each begin and the first end after it."""
    taken: Taken | None = None
    for kind, immediate in _exceptions(log):
        if kind == CALL and immediate == BEGIN:
            taken = Taken(0)
        elif taken is None:
            continue
        elif kind != CALL:
            taken = Taken(taken.calls, (*taken.others, kind))
        elif immediate == END:
            yield taken
            taken = None
        else:
            taken = Taken(taken.calls + 1, taken.others)


def _exceptions(log: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Each exception: its kind, and the immediate of the instruction if it has one."""
    kind = ""
    for line in log:
        if taken := TAKEN.match(line):
            kind = taken[1]
            if kind == IRQ:  # has no syndrome
                yield kind, 0
        elif syndrome := SYNDROME.match(line):
            yield kind, int(syndrome[1], 16) & IMMEDIATE
