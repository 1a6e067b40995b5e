# SPDX-License-Identifier: MIT
"""The counts of an image, from its console and from QEMU's log of exceptions."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from plafond.bench.kernel.log import CALL, FIQ, IRQ, Step, Taken, procedures_of
from plafond.bench.kernel.model import Row
from plafond.errors import PlafondError

EMPTY, EMPTY_ONE_WAY = "empty", "empty-one-way"
# These do not return to their start, because another activation reads the counter.
ONE_WAY = re.compile(
    "chain-task|activate-first|unlock-to-the-waiting|context-switch|(preempting|dispatched)@.*|to-.*"
)
DISTURBED = "disturbed-"  # an interrupt is allowed during these
LINE = re.compile(r"[a-z][\w+@-]*( \d+)+")


@dataclass(frozen=True)
class Counts:
    """The figures of a variant."""

    rows: list[Row]
    rounds: int
    unequal: list[str]


@dataclass(frozen=True)
class Round:
    """A round of a procedure: instructions, system calls, and the kinds of other exceptions."""

    instructions: int
    calls: int = 0
    others: tuple[str, ...] = ()
    legs: tuple["Round", ...] = ()  # the parts of each core, if the path is over several cores


def counts_of(variant: str, console: str, log: Iterable[str]) -> Counts:
    """Return the figures; PlafondError if the console and the log contradict each other."""
    samples = samples_of(console)
    logged = list(taken_in_procedures(log))
    refuse_missing(variant, samples, len(logged))
    rounds = iter(logged)
    return counts_from(
        variant,
        {
            name: [replace(next(rounds), instructions=count) for count in counted]
            for name, counted in samples.items()
        },
    )


def counts_from(variant: str, procedures: Mapping[str, Sequence[Round]]) -> Counts:
    """Return the figures of all rounds: each procedure minus the empty procedure of its kind."""
    rows: list[Row] = []
    unequal = []
    empty, empty_one_way = (
        min(each.instructions for each in procedures[name]) for name in (EMPTY, EMPTY_ONE_WAY)
    )
    for name, rounds in procedures.items():
        _refuse_disturbed(name, rounds)
        if len(set(rounds)) > 1:
            unequal.append(f"{variant}, {name}")
        if name not in (EMPTY, EMPTY_ONE_WAY):
            rows += _rows(variant, name, rounds, empty_one_way if is_one_way(name) else empty)
    return Counts(rows, len(procedures[EMPTY]), unequal)


def is_one_way(name: str) -> bool:
    """Return whether a procedure ends in another activation."""
    return ONE_WAY.fullmatch(name) is not None


def _rows(variant: str, name: str, rounds: Sequence[Round], empty: int) -> Iterator[Row]:
    """Yield the row of a procedure, and of its legs; the empty procedure is in the first leg."""
    least = min(rounds, key=lambda each: each.instructions)
    parts = [(name, least, empty)]
    for number, leg in enumerate(least.legs):
        parts.append((leg_of(name, number), leg, 0 if number else empty))
    for benchmark, part, less in parts:
        yield Row(
            benchmark=benchmark,
            variant=variant,
            instructions=part.instructions - less,
            system_calls=part.calls,
        )


def leg_of(name: str, number: int) -> str:
    """Return the name of a leg, counted from 0."""
    return f"{name}/{number + 1}"


def _refuse_disturbed(name: str, rounds: Sequence[Round]) -> None:
    others = sorted({kind for each in rounds for kind in each.others})
    if others and not (name.startswith(DISTURBED) and others in ([IRQ], [FIQ])):
        raise PlafondError(f"{name} was disturbed by an exception: {', '.join(others)}")


def samples_of(console: str) -> dict[str, list[int]]:
    """Return the counts by procedure, in order; procedures with only zeros were left out."""
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


def refuse_missing(variant: str, samples: Mapping[str, Sequence[int]], logged: int) -> None:
    """Raise PlafondError unless the log has as many procedures as the console."""
    if logged != sum(map(len, samples.values())):
        raise PlafondError(f"{variant}: the log has {logged} procedures, not all")


def taken_in_procedures(log: Iterable[str]) -> Iterator[Round]:
    """Yield the exceptions of each procedure; the instructions come from the console."""
    for procedure in procedures_of(log):
        yield round_of(0, procedure.steps)


def round_of(instructions: int, steps: Iterable[Step]) -> Round:
    """Return a round with the exceptions of these steps."""
    taken = [step.kind for step in steps if isinstance(step, Taken)]
    others = tuple(kind for kind in taken if kind != CALL)
    return Round(instructions, len(taken) - len(others), others)
