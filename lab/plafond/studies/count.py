# SPDX-License-Identifier: MIT
"""Which of the drawn sets each scheduler can take.

The cache (OSPERT 2010, 4, Section 5): each job preempts at most one other, as it arrives, so what
a preempted job reloads is put on the run time of the one that preempts. All schedulers are asked
about the same sets, with the same delays.
"""

from dataclasses import dataclass
from fractions import Fraction

from plafond.analyse.multiprocessor import packing
from plafond.describe.draw import Deadlines, Study
from plafond.studies.draw import draw_set, stream


@dataclass(frozen=True)
class Chunk:
    """Some sets of a utilisation."""

    study: Study
    utilisation: Fraction
    numbers: range


@dataclass(frozen=True)
class Counts:
    """Of so many sets: their tasks, and for each delay how many each scheduler can take."""

    tasks: int
    schedulable: tuple[tuple[int, ...], ...]

    def __add__(self, other: "Counts") -> "Counts":
        """Return the counts of both."""
        rows = zip(self.schedulable, other.schedulable, strict=True)
        sums = tuple(tuple(map(sum, zip(*pair, strict=True))) for pair in rows)
        return Counts(self.tasks + other.tasks, sums)


def count(chunk: Chunk) -> Counts:
    """Draw the sets and ask the tests."""
    study = chunk.study
    can_take = packing.bounded if study.deadlines is Deadlines.SOFT else packing.hard
    clusters = [(study.cpus // each.cluster, each.cluster) for each in study.schedulers]
    tasks = 0
    found = [[0] * len(clusters) for _ in study.caches_ns]
    for number in chunk.numbers:
        drawn = draw_set(study, chunk.utilisation, stream(study, chunk.utilisation, number))
        tasks += len(drawn)
        for row, cache_ns in zip(found, study.caches_ns, strict=True):
            slowed = drawn.inflated(cache_ns)
            for place, cluster in enumerate(clusters):
                row[place] += can_take(slowed, *cluster)
    return Counts(tasks, tuple(map(tuple, found)))
