# SPDX-License-Identifier: MIT
"""A scenario at one strength, as the sweep takes it."""

from __future__ import annotations

from dataclasses import dataclass

from proof.aarch64.image import Image
from proof.aarch64.scenarios import PLAIN, STRENGTHS, Scenario
from proof.aarch64.system import System


@dataclass(frozen=True, slots=True)
class Strength:
    """Robust or strict. One image has both."""

    name: str


@dataclass(frozen=True, slots=True)
class Staged:
    """Implements engine.walk.Swept."""

    scenario: Scenario
    variant: Strength

    @property
    def name(self) -> str:
        """The scenario's name."""
        return self.scenario.name

    def system(self, image: Image) -> System:
        """Its threads, of which thread 0 has woken."""
        scenario = self.scenario
        system = System(
            image,
            list(scenario.programs),
            list(scenario.ceilings),
            STRENGTHS.index(self.variant.name),
            timing=scenario.timing,
        )
        if not scenario.fresh:
            for index in reversed(range(len(scenario.programs))):
                if scenario.programs[index].function in PLAIN:
                    system.warm_up(index)
        system.initial = system.wake(system.initial, 0)
        return system


def staged(scenario: Scenario) -> tuple[Staged, ...]:
    """The scenario at each of its strengths."""
    return tuple(Staged(scenario, Strength(name)) for name in scenario.strengths)
