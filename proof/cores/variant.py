# SPDX-License-Identifier: MIT
"""The kernel of two cores as shipped, with each scheduler, and the scenarios that run on it."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plafond.build.kernel_files import kernel_files

from proof.boundary.image import Compiled, Image, build_image
from proof.cores.world import CORES, Scenario, World, machine_of
from proof.engine.cores import Cores
from proof.engine.walk import Result

SOURCES = ("proof/cores/kernel.c",)
WITH_TASKS = (*SOURCES, "proof/cores/tasks.c")
IN_TASKS = ("mpcp",)  # of kernel/global: tasks have their half of the services
PORT = "proof/cores/port"
MOST_STATES = 1_000_000
WITH_BUFFERS = ("x86-64",)


@dataclass(frozen=True, slots=True)
class Variant:
    """Folders of kernel/scheduler, kernel/resource and kernel/global."""

    scheduler: str
    resource: str
    global_: str = "none"
    # This field is in repr(), because a certificate's question has the repr() of the variant.
    headers: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Choose the folders of kernel/. kernel.c includes C files from these folders."""
        files = kernel_files(
            scheduler=self.scheduler,
            resource=self.resource,
            cores="several",
            across=(self.global_,),
        )
        headers = ("kernel", "kernel/include", *(f"kernel/{name}" for name in files.headers))
        object.__setattr__(self, "headers", headers)

    @property
    def name(self) -> str:
        """The variant's name in the table."""
        return self.scheduler if self.global_ == "none" else f"{self.global_} {self.scheduler}"

    def build(self, isa: str, tree: Path, known: Sequence[Compiled] = ()) -> Image:
        """Compile the kernel of this tree."""
        ports = (f"{PORT}/{self.scheduler}", f"{PORT}/{self.global_}", PORT, "proof/kernel/port")
        folders = ("", *ports, *self.headers, "kernel/trusted")
        flags = [f"-I{tree / folder}" for folder in folders]
        flags += ["-mcpu=cortex-a53"] if isa == "aarch64" else []
        sources = WITH_TASKS if self.global_ in IN_TASKS else SOURCES
        return build_image(isa, tree, sources, flags, known)


@dataclass(slots=True)
class Exploration:
    """A scenario in an image. All of it is explored once, for any bound on arrivals."""

    image: Image
    subject: Staged
    _found: Result | None = None

    def sweep(self, arrivals: int | None = None) -> Result:
        """Take all steps in every order."""
        del arrivals
        if self._found is None:
            gc.disable()  # many states live to the end, and none of them in a cycle
            self._found = self._explored()
            gc.enable()
        return self._found

    def _explored(self) -> Result:
        image = self.image
        machine = machine_of(image)
        world = World(machine, image, self.subject.scenario)

        machine.prepare(0, "proof_prepare")
        shared = machine.begin(image.shared)
        has_buffers = image.isa in WITH_BUFFERS
        cores = Cores(machine, world, shared, world.start(), cores=CORES, has_buffers=has_buffers)
        found = cores.explore(MOST_STATES)
        subject = self.subject
        return Result(
            subject.name,
            subject.variant.name,
            image.isa,
            found.boundaries,
            found.pairs,
            found.states,
            found.violation,
            found.way,
        )


@dataclass(frozen=True, slots=True)
class Staged:
    """A scenario for a variant."""

    scenario: Scenario
    variant: Variant

    @property
    def name(self) -> str:
        """The scenario's name."""
        return self.scenario.name

    def stage(self, image: Image) -> Exploration:
        """Its cores, and the kernel."""
        return Exploration(image, self)


def staged(scenarios: Iterable[Scenario], *variants: Variant) -> tuple[Staged, ...]:
    """Each scenario for each variant."""
    return tuple(Staged(scenario, variant) for scenario in scenarios for variant in variants)
