# SPDX-License-Identifier: MIT
"""The cells to measure, and the moves of a run: OSPERT 2010, 4, Sections 3.2 and 4.1.

Each move first draws its kind, all kinds with the same probability. Then it draws a CPU of that
kind, and the time that the thread is away. A thread that migrated begins its next sample on the new
CPU.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from random import Random

from plafond.bench.cpmd.caches import KIB, Caches
from plafond.units import UNIT_NS

LONGEST_AWAY_NS = 50 * UNIT_NS["ms"]
SAMPLES, QUICK_SAMPLES = 5000, 30
PAPER_RATIO = Fraction(1, 4)  # the ratio of the paper's figures
RATIOS = (
    *(Fraction(0), Fraction(1, 128), Fraction(1, 64), Fraction(1, 16)),
    *(PAPER_RATIO, Fraction(1, 2), Fraction(1)),
)
LEAST_SIZE = 4 * KIB
FIGURE_3_SIZE = 64 * KIB
PAPER_SIZES = tuple(
    kib * KIB for kib in (4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3072, 4096, 8192, 12288)
)


class Load(StrEnum):
    """The load of the rest of the machine."""

    IDLE = "idle"
    POLLUTED = "polluted"


@dataclass(frozen=True)
class Cell:
    """A working set under a load."""

    load: Load
    size_bytes: int
    ratio: Fraction  # the share of words that are written


@dataclass(frozen=True)
class Move:
    """The CPU on which the thread resumes, and the time that it is away."""

    cpu: int
    away_ns: int


def sizes_of(caches: Caches) -> list[int]:
    """Return the paper's sizes, the powers of two from 4 KiB, and the sizes of all caches.

    The largest size is the first power of two beyond the largest cache.
    """
    found = {size for size in PAPER_SIZES if size <= caches.last_bytes}
    found |= {cache.size_bytes for cache in caches.each}
    size = LEAST_SIZE
    while size <= caches.last_bytes:
        found.add(size)
        size *= 2
    return sorted(found | {size})


def quick_sizes_of(caches: Caches) -> list[int]:
    """Return the least size, the size of Figure 3, and the sizes of all but the largest caches."""
    inner = {cache.size_bytes for cache in caches.each if cache.size_bytes < caches.last_bytes}
    return sorted({LEAST_SIZE, FIGURE_3_SIZE} | inner)


def cells_of(loads: Sequence[Load], sizes: Sequence[int], ratios: Sequence[Fraction]) -> list[Cell]:
    """Return all combinations, with the ratio of the paper's tables and the small sizes first."""
    first = sorted(ratios, key=lambda ratio: (ratio != PAPER_RATIO, ratio))
    return [Cell(load, size, ratio) for ratio in first for size in sorted(sizes) for load in loads]


def moves(caches: Caches, origin: int, random: Random) -> Iterator[Move]:
    """Draw moves without end; the first move begins at `origin`."""
    while True:
        by_kind = caches.destinations(origin)
        origin = random.choice(by_kind[random.choice(list(by_kind))])
        yield Move(origin, random.randrange(LONGEST_AWAY_NS + 1))
