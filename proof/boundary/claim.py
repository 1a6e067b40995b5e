# SPDX-License-Identifier: MIT
"""What a proof consists of: drivers in their variants, scenarios, and faults to be found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from plafond.prove.model import Extent

from proof.boundary.image import Compiled, Image
from proof.engine.walk import Result
from proof.mutation import ByHand, Mutant
from proof.mutator import Mutator

ROOMS = ("protocol", "kernel", "proof")  # what a driver can be made of


class Variant(Protocol):
    """A driver, compiled in one way."""

    @property
    def name(self) -> str:
        """For the table."""

    def __hash__(self) -> int:
        """It may be kept with its image."""

    def build(self, isa: str, tree: Path, known: Sequence[Compiled] = ()) -> Image:
        """Compile it from that tree, but for what is known."""


class Sweeper(Protocol):
    """A subject in one image; what a sweep finds out is known to the next."""

    def sweep(self, arrivals: int | None = None) -> Result:
        """Explore all arrivals, or up to so many; return what was found."""


class Subject(Protocol):
    """One scenario for one variant."""

    @property
    def name(self) -> str:
        """The scenario's."""

    @property
    def variant(self) -> Variant:
        """In which image."""

    def stage(self, image: Image) -> Sweeper:
        """Ready to be swept, in that image."""


@dataclass(frozen=True, slots=True)
class Mutated:
    """Faults are generated in this file, in these functions (all if None), by these operators."""

    file: str
    functions: frozenset[str] | None = None
    operators: type[Mutator] = Mutator


@dataclass(frozen=True, slots=True)
class Claim:
    """That the code of a protocol holds in all scenarios, and that these faults would be seen.

    `also`: subjects of other claims that find faults, too. `habits`: faults of the model around the
    code, which no mutant of the sources makes: by name, the subjects that have them.
    `equivalent`: the file with the arguments for faults that are none. `arrivals`: so many, then so
    many, a fault meets; None: all.
    """

    protocol: str
    scope: str  # how many tasks, nested how deep
    subjects: tuple[Subject, ...]
    equivalent: str
    mutated: tuple[Mutated, ...] = ()
    by_hand: tuple[ByHand, ...] = ()
    habits: Mapping[str, tuple[Subject, ...]] = field(default_factory=dict)
    also: tuple[Subject, ...] = ()
    arrivals: tuple[int | None, ...] = (1, 2)

    def part(self, extent: Extent) -> tuple[Subject, ...]:
        """Small are the first scenario of each variant, and all that are flat."""
        first = {s.variant.name: s for s in reversed(self.subjects)}
        return tuple(
            s
            for s in self.subjects
            if extent.takes(s.name.startswith("flat") or s is first[s.variant.name])
        )

    def mutants(self, tree: Path, extent: Extent = Extent.WHOLE) -> list[Mutant]:
        """Generated ones and those made by hand, which are the quick part; no two alike."""
        found: list[Mutant] = []
        for each in self.mutated:
            functions = set(each.functions) if each.functions is not None else None
            found += each.operators(tree, each.file, functions).mutants()
        found += [fault.mutant(tree) for fault in self.by_hand]
        different = {(m.file, m.start, m.end, m.text): m for m in found}.values()
        return [m for m in different if extent.takes(not m.is_generated)]

    @property
    def modules(self) -> tuple[str, ...]:
        """In which its scenarios are played."""
        habits = (subject for subjects in self.habits.values() for subject in subjects)
        played = (*self.played, *habits)
        return tuple({type(subject).__module__: None for subject in played})

    @property
    def played(self) -> tuple[Subject, ...]:
        """All that may find a fault of the sources."""
        return (*self.subjects, *self.also)

    def variants(self) -> dict[str, Variant]:
        """By name."""
        return {s.variant.name: s.variant for s in self.played}


Key = tuple[str, str]  # an instruction set, and the name of a variant
Images = Mapping[Key, Image]


def images(claim: Claim, keys: Iterable[Key], tree: Path, workers: int) -> Images:
    """Build these."""
    variants = claim.variants()
    wanted = list(dict.fromkeys(keys))
    with ThreadPoolExecutor(workers) as pool:
        built = pool.map(lambda key: variants[key[1]].build(key[0], tree), wanted)
        return dict(zip(wanted, built, strict=True))
