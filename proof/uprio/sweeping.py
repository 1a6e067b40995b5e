# SPDX-License-Identifier: MIT
"""The images of the shipped sources, and the sweep of one scenario in one of them."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from explore import Exploration, Moments, ViolationError, Way
from image import ISAS, Image, build_image
from machine import FaultError
from walk import CHAIN_LIMIT, Result

from scenarios import EXTENDED, SCENARIOS
from world import Scenario, World

ROOT = Path(__file__).resolve().parents[2]
DRIVER = "proof/uprio/driver.c"


@dataclass(frozen=True, slots=True)
class Variant:
    """One of the folders in kernel/resource, in standard or in extended status."""

    folder: str
    is_extended: bool
    scenarios: tuple[Scenario, ...]

    @property
    def name(self) -> str:
        """For the table."""
        return self.folder.removeprefix("uprio-") + (" x" if self.is_extended else "")

    @property
    def is_exact(self) -> bool:
        """Whether a call is due only if it preempts."""
        return self.folder == "uprio-nprio"

    def build(self, isa: str, sources: Path = ROOT) -> Image:
        """Compile the driver with the protocol and the kernel of that tree."""
        kernel, resource = sources / "kernel", sources / "kernel/resource"
        folders = (
            *(sources, (sources / DRIVER).parent / "port", kernel, kernel / "include"),
            *(resource / self.folder, resource),
        )
        flags = [f"-I{folder}" for folder in folders]
        flags += [f"-DPROOF_EXTENDED={int(self.is_extended)}"]
        flags += ["-mcpu=cortex-a53"] if isa == "aarch64" else []
        return build_image(isa, sources / DRIVER, sources / "protocol", flags)


VARIANTS = (
    Variant("uprio-nprio", is_extended=False, scenarios=SCENARIOS),
    Variant("uprio-kprio", is_extended=False, scenarios=SCENARIOS),
    Variant("uprio-kprio-lazy", is_extended=False, scenarios=SCENARIOS),
    Variant("uprio-nprio", is_extended=True, scenarios=EXTENDED),
    Variant("uprio-kprio-lazy", is_extended=True, scenarios=EXTENDED),
)


@dataclass(frozen=True, slots=True)
class Job:
    """One scenario in one variant on one instruction set."""

    image: Image
    variant: Variant
    scenario: Scenario

    def run(self, arrivals: int | None = None) -> Result:
        """Sweep it; `arrivals`: at most so many at chosen boundaries."""
        gc.disable()  # many states live to the end, and none of them in a cycle
        walk: Exploration | None = None
        violation: str | None = None
        trace: tuple[str, ...] = ()
        try:
            world = World(self.image, self.scenario, is_exact=self.variant.is_exact)
            walk = Exploration(Moments(world), CHAIN_LIMIT, arrivals)
            walk.run(*world.initial)
        except (ViolationError, FaultError) as error:
            violation = str(error)
            trace = told(world, walk.way) if walk is not None else ()
        counts = (walk.boundaries, walk.pairs, walk.states) if walk is not None else (0, 0, 0)
        name, isa = self.variant.name, self.image.isa
        return Result(self.scenario.name, name, isa, *counts, violation, trace)


def told(world: World, way: Way) -> tuple[str, ...]:
    """Go the same way again and tell it."""
    lines: list[str] = []
    world.tell = lines.append
    try:
        _go(world, way, lines)
    except (ViolationError, FaultError) as error:
        lines.append(f"BROKEN: {error}")
    world.tell = None
    return tuple(lines)


def _go(world: World, way: Way, lines: list[str]) -> None:
    names, state = world.names(), world.initial
    for place, who in way:
        for _ in range(place):
            following = world.step(state, 1)
            assert following is not None
            state = following
        lines += [f"({world.describe(state)})", f"{names[who]} comes"]
        state = world.wake(state, who)
    for _ in range(CHAIN_LIMIT):
        following = world.step(state, 1)
        asleep = world.asleep(state)
        if following is None and not asleep:
            world.judge_rest(state.shared, state.system)
            return
        if following is None:
            lines.append(f"{names[asleep[0]]} comes")
            following = world.wake(state, asleep[0])
        state = following


def jobs(isas: tuple[str, ...] = ISAS) -> Iterator[Job]:
    """All there is to sweep."""
    for isa in isas:
        for variant in VARIANTS:
            image = variant.build(isa)
            for scenario in variant.scenarios:
                yield Job(image, variant, scenario)
