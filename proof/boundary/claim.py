# SPDX-License-Identifier: MIT
"""What a proof consists of: a driver in its variants, scenarios, and faults to be found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from by_hand import ByHand
from mutation import Mutant, Mutator

from image import ISAS, Image, build_image
from system import Habits, Scenario
from walk import Result, Stage

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Variant:
    """The driver, compiled in one way, and how its kernel behaves."""

    name: str
    defines: tuple[str, ...] = ()
    habits: Habits = field(default_factory=Habits)


@dataclass(frozen=True, slots=True)
class Case:
    """A scenario, and the variants that it is for."""

    scenario: Scenario
    variants: tuple[Variant, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """That a driver around a protocol holds in all cases, and that these faults would be seen.

    `habits` are faults of the model's kernel, which no mutant of the sources makes: by name, what
    they change in Habits.
    """

    name: str
    driver: str
    cases: tuple[Case, ...]
    mutated: tuple[str, ...] = ()
    by_hand: tuple[ByHand, ...] = ()
    habits: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)

    def mutants(self, sources: Path) -> list[Mutant]:
        """Generated ones and those made by hand, no two alike."""
        found = [m for file in self.mutated for m in Mutator(sources, file).mutants()]
        found += [fault.mutant(sources) for fault in self.by_hand]
        return list({(m.file, m.start, m.end, m.text): m for m in found}.values())

    def variants(self) -> list[Variant]:
        """Each once."""
        return list({v.name: v for case in self.cases for v in case.variants}.values())

    def build(self, isa: str, variant: Variant, sources: Path = ROOT) -> Image:
        """Compile it from that tree."""
        return build_image(isa, sources / self.driver, sources / "protocol", variant.defines)

    def images(self, isa: str, sources: Path = ROOT) -> dict[str, Image]:
        """In all variants, by their names."""
        return {v.name: self.build(isa, v, sources) for v in self.variants()}


@dataclass(frozen=True, slots=True)
class Job:
    """One scenario in one variant on one instruction set."""

    image: Image
    scenario: Scenario
    variant: Variant

    def run(self) -> Result:
        """Sweep it."""
        return Stage(self.image, self.scenario, self.variant.name, self.variant.habits).sweep()


def jobs(claim: Claim, isas: tuple[str, ...] = ISAS) -> Iterator[Job]:
    """All there is to sweep."""
    for isa in isas:
        images = claim.images(isa)
        for case in claim.cases:
            for variant in case.variants:
                yield Job(images[variant.name], case.scenario, variant)
