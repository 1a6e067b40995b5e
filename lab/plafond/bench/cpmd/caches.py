# SPDX-License-Identifier: MIT
"""The caches of this machine in sysfs, and the part of them that a move between CPUs keeps.

A move has a kind (OSPERT 2010, 4, Section 3). After a preemption the job resumes on the same CPU. A
migration is through the nearest cache that both CPUs share, or through memory.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from plafond.doctor.cpulist import format_cpus
from plafond.doctor.machine import CPU, Machine
from plafond.errors import PlafondError

KIB = 1024
PREEMPTION = "preemption"
MEMORY = "migration through memory"


def through(level: int) -> str:
    """Return the kind of a migration through a cache of that level."""
    return f"migration through L{level}"


PAPER_KINDS = (PREEMPTION, through(2), through(3), MEMORY)
NO_PAIR = {
    through(2): "no two allowed CPUs have an L2 as the nearest cache that they share",
    through(3): "no two allowed CPUs have an L3 as the nearest cache that they share",
    MEMORY: "all allowed CPUs share a cache",
}


@dataclass(frozen=True, order=True)
class Cache:
    """A cache that holds data."""

    level: int
    size_bytes: int
    cpus: frozenset[int]

    def __str__(self) -> str:
        """Return the text for a report."""
        return f"L{self.level} of {self.size_bytes // KIB} KiB for CPUs {format_cpus(self.cpus)}"


@dataclass(frozen=True)
class Caches:
    """The CPUs that may be used, and their caches."""

    cpus: tuple[int, ...]
    each: tuple[Cache, ...]

    def kind(self, origin: int, destination: int) -> str:
        """Return the kind of a move between two CPUs."""
        if origin == destination:
            return PREEMPTION
        shared = [cache.level for cache in self.each if {origin, destination} <= cache.cpus]
        return through(min(shared)) if shared else MEMORY

    def destinations(self, origin: int) -> dict[str, list[int]]:
        """Return by kind the CPUs to which moves can go, in the order of `kinds`."""
        found: dict[str, list[int]] = {}
        for cpu in self.cpus:
            found.setdefault(self.kind(origin, cpu), []).append(cpu)
        return {kind: found[kind] for kind in self.kinds if kind in found}

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """Return the possible kinds of moves; kinds that keep more of the caches come first."""
        levels = sorted({cache.level for cache in self.each})
        order = (PREEMPTION, *map(through, levels), MEMORY)
        here = {self.kind(one, other) for one in self.cpus for other in self.cpus}
        return tuple(kind for kind in order if kind in here)

    @property
    def missing(self) -> Iterator[str]:
        """Yield each kind of the paper that is impossible here, with the reason."""
        alone = f"only CPU {self.cpus[0]} is allowed" if len(self.cpus) == 1 else None
        for kind in PAPER_KINDS:
            if kind not in self.kinds:
                yield f"{kind}: {alone or NO_PAIR[kind]}"

    @property
    def last_bytes(self) -> int:
        """Return the size of the largest cache."""
        return max(cache.size_bytes for cache in self.each)

    def sizes(self, level: int) -> list[int]:
        """Return the different sizes of the caches of a level, the least first."""
        return sorted({cache.size_bytes for cache in self.each if cache.level == level})


def find_caches(machine: Machine, cpus: Sequence[int]) -> Caches:
    """Return the data and unified caches of these CPUs; PlafondError if a CPU shows none."""
    found: set[Cache] = set()
    for cpu in cpus:
        own = set(_caches_of(machine, cpu))
        if not own:
            raise PlafondError(
                f"found no caches in /{CPU}/cpu{cpu}/cache; expected them, as they say what a "
                "migration keeps (a virtual machine may hide them)"
            )
        found |= own
    return Caches(tuple(cpus), tuple(sorted(found, key=lambda c: (c.level, sorted(c.cpus)))))


def _caches_of(machine: Machine, cpu: int) -> Iterator[Cache]:
    folder = f"{CPU}/cpu{cpu}/cache"
    for index in machine.numbered(folder, "index"):
        path = f"{folder}/index{index}"
        level = machine.number(f"{path}/level")
        size = machine.text(f"{path}/size") or ""
        cpus = machine.cpus(f"{path}/shared_cpu_list")
        holds_data = machine.text(f"{path}/type") in ("Data", "Unified")
        if level and cpus and holds_data and size.endswith("K") and size[:-1].isdecimal():
            yield Cache(level, int(size[:-1]) * KIB, cpus)
