# SPDX-License-Identifier: MIT
"""The parts of a proof: drivers in their variants, scenarios, and faults to be found."""

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

ROOMS = ("protocol", "kernel", "proof")  # the rooms that may have sources of a driver


class Variant(Protocol):
    """A driver, compiled in one way."""

    @property
    def name(self) -> str:
        """For the table."""

    def __hash__(self) -> int:
        """Needed because variants are keys of caches."""

    def build(self, isa: str, tree: Path, known: Sequence[Compiled] = ()) -> Image:
        """Compile it from this tree, except for known objects."""


class Sweeper(Protocol):
    """A subject in its image. A sweep leaves its results to the next sweep."""

    def sweep(self, arrivals: int | None = None) -> Result:
        """Explore all arrivals, or up to `arrivals`; return the result."""


class Subject(Protocol):
    """A scenario for a variant."""

    @property
    def name(self) -> str:
        """The scenario's name."""

    @property
    def variant(self) -> Variant:
        """The variant, which decides the image."""

    def stage(self, image: Image) -> Sweeper:
        """Prepare a sweep in this image."""


@dataclass(frozen=True, slots=True)
class Mutated:
    """A file for these operators, and the functions for which they make faults (None: all)."""

    file: str
    functions: frozenset[str] | None = None
    operators: type[Mutator] = Mutator


@dataclass(frozen=True, slots=True)
class Claim:
    """The claim that a protocol's code holds in all scenarios, and that these faults are found.

    `also`: subjects of other claims that find faults, too. `habits`: names of faults in the model,
    each with the subjects that have it; no mutant of the sources makes these. `equivalent`: the
    file with the arguments for equivalent mutants. `arrivals`: the bounds on arrivals that a fault
    meets, in turn; None: no bound.
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
        """Small are the first scenario of each variant, and all whose name begins with "flat"."""
        first = {s.variant.name: s for s in reversed(self.subjects)}
        return tuple(
            s
            for s in self.subjects
            if extent.takes(s.name.startswith("flat") or s is first[s.variant.name])
        )

    def mutants(self, tree: Path, extent: Extent = Extent.WHOLE) -> list[Mutant]:
        """Generated and handmade mutants, without duplicates; handmade is the quick part."""
        found: list[Mutant] = []
        for each in self.mutated:
            functions = set(each.functions) if each.functions is not None else None
            found += each.operators(tree, each.file, functions).mutants()
        found += [fault.mutant(tree) for fault in self.by_hand]
        different = {(m.file, m.start, m.end, m.text): m for m in found}.values()
        return [m for m in different if extent.takes(not m.is_generated)]

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules of all scenarios that are played."""
        habits = (subject for subjects in self.habits.values() for subject in subjects)
        played = (*self.played, *habits)
        return tuple({type(subject).__module__: None for subject in played})

    @property
    def played(self) -> tuple[Subject, ...]:
        """All subjects that may find a fault of the sources."""
        return (*self.subjects, *self.also)

    def variants(self) -> dict[str, Variant]:
        """The variants by name."""
        return {s.variant.name: s.variant for s in self.played}


Key = tuple[str, str]  # an instruction set, and the name of a variant
Images = Mapping[Key, Image]


def images(claim: Claim, keys: Iterable[Key], tree: Path, workers: int) -> Images:
    """Build the images with these keys."""
    variants = claim.variants()
    wanted = list(dict.fromkeys(keys))
    with ThreadPoolExecutor(workers) as pool:
        built = pool.map(lambda key: variants[key[1]].build(key[0], tree), wanted)
        return dict(zip(wanted, built, strict=True))
