# SPDX-License-Identifier: MIT
"""Drivers around one header, under the model of one CPU of Linux."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from proof.boundary.image import Compiled, Image, build_image
from proof.boundary.system import Habits, Scenario, System
from proof.engine.walk import Stage


@dataclass(frozen=True, slots=True)
class Driver:
    """A driver, compiled in a given way, and the habits of its kernel."""

    name: str
    source: str
    defines: tuple[str, ...] = ()
    habits: Habits = field(default_factory=Habits)

    def build(self, isa: str, tree: Path, known: Sequence[Compiled] = ()) -> Image:
        """Compile it with the headers of this tree."""
        flags = [f"-I{tree / 'protocol'}", *self.defines]
        return build_image(isa, tree, [self.source], flags, known)


@dataclass(frozen=True, slots=True)
class Staged:
    """A scenario for a driver."""

    scenario: Scenario
    variant: Driver

    @property
    def name(self) -> str:
        """The scenario's name."""
        return self.scenario.name

    def stage(self, image: Image) -> Stage[Image]:
        """Prepare a sweep."""
        return Stage(image, self)

    def system(self, image: Image) -> System:
        """The scenario's actors."""
        return System(image, self.scenario, self.variant.habits)


def staged(scenarios: Iterable[Scenario], *drivers: Driver) -> tuple[Staged, ...]:
    """Each scenario for each driver."""
    return tuple(Staged(scenario, driver) for scenario in scenarios for driver in drivers)


def with_habit(subjects: Iterable[Staged], **changes: bool) -> tuple[Staged, ...]:
    """The same subjects under a kernel with this fault."""
    return tuple(
        replace(s, variant=replace(s.variant, habits=replace(s.variant.habits, **changes)))
        for s in subjects
    )
