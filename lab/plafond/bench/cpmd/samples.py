# SPDX-License-Identifier: MIT
"""Parse the output of the program bench/cpmd: samples, their validity and their delay."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from plafond.errors import PlafondError
from plafond.trace.outside import LONGEST_OWN_NS


class Dropped(StrEnum):
    """The reason why a sample is not valid."""

    INTERRUPT = "interrupt"
    PAGE_FAULT = "page fault"
    STEAL = "steal time"  # by the host's account, or because a chunk of a pass took too long
    NOT_AWAY = "not away"  # the time away was over before it began
    ELSEWHERE = "other CPU"  # the thread did not resume on the wanted CPU


@dataclass(frozen=True)
class Sample:
    """A preemption or migration: the warm pass before and the pass after it."""

    origin: int
    cpu: int
    away_ns: int
    warm_ns: int
    warm_chunk_ns: int  # the longest chunk of the pass
    warm_cut: bool  # an interrupt came during the pass
    after_ns: int
    after_chunk_ns: int
    after_cut: bool
    faults: int
    times_away: int
    stolen_ns: int

    @property
    def delay_ns(self) -> int:
        """Return the cache-related delay; negative if the warm pass took longer (Figure 1)."""
        return self.after_ns - self.warm_ns

    def dropped(self, sent_to: int) -> Dropped | None:
        """Return the reason why the sample is not valid; None: it is valid."""
        if self.cpu != sent_to:
            return Dropped.ELSEWHERE
        if self.times_away == 0:
            return Dropped.NOT_AWAY
        if self.faults:
            return Dropped.PAGE_FAULT
        if self.stolen_ns > 0:
            return Dropped.STEAL
        if self.warm_cut or self.after_cut:
            return Dropped.INTERRUPT
        if max(self.warm_chunk_ns, self.after_chunk_ns) > LONGEST_OWN_NS:
            return Dropped.STEAL
        return None


@dataclass(frozen=True)
class Output:
    """The program's whole output."""

    sees_interrupts: bool
    samples: list[Sample]
    passes: dict[int, int]  # passes of the polluter, by CPU


def parse(text: str) -> Output:
    """Parse the output; PlafondError if a line is wrong."""
    sees_interrupts: bool | None = None
    samples: list[Sample] = []
    passes: Counter[int] = Counter()
    for line in text.splitlines():
        word, *rest = line.split()
        try:
            numbers = [int(each) for each in rest]
            match word, len(numbers):
                case "sees_interrupts", 1:
                    sees_interrupts = bool(numbers[0])
                case "sample", 12:
                    samples.append(_sample(numbers))
                case "polluter", 2:
                    passes[numbers[0]] += numbers[1]
                case _:
                    raise ValueError(line)
        except ValueError:
            raise PlafondError(f"cpmd wrote {line!r}; expected a sample") from None
    if sees_interrupts is None:
        raise PlafondError("cpmd did not write whether it sees interrupts")
    return Output(sees_interrupts, samples, dict(passes))


def _sample(numbers: list[int]) -> Sample:
    origin, cpu, away_ns, warm_ns, warm_chunk_ns, warm_cut, *rest = numbers
    after_ns, after_chunk_ns, after_cut, faults, times_away, stolen_ns = rest
    return Sample(
        *(origin, cpu, away_ns, warm_ns, warm_chunk_ns, bool(warm_cut)),
        *(after_ns, after_chunk_ns, bool(after_cut), faults, times_away, stolen_ns),
    )
