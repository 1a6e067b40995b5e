# SPDX-License-Identifier: MIT
"""The programs of bench/kernel, and the images that are made of them."""

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from plafond.bench.kernel.ready import with_ready_tasks
from plafond.bench.kernel.variants import COMPARED, SCHEDULED, Variant
from plafond.board.boards import ROOT
from plafond.build.generate import LEVEL
from plafond.describe import load
from plafond.describe.kernel import Scheduler
from plafond.describe.system import System


class Program(StrEnum):
    """A folder of bench/kernel."""

    ZUEPKE = "zuepke"
    ALMATARY = "almatary"
    READY = "ready"
    MUELLER = "mueller"

    def description(self, scheduler: Scheduler) -> Path:
        """Return its tasks and resources."""
        return ROOT / "bench" / "kernel" / self / f"{DESCRIPTIONS[self][scheduler]}.toml"


DESCRIPTIONS = {
    Program.ZUEPKE: {Scheduler.PRIORITY: "system"},
    Program.ALMATARY: {Scheduler.PRIORITY: "ipcp", Scheduler.EDF: "dfp"},
    Program.READY: {Scheduler.PRIORITY: "priority", Scheduler.EDF: "edf"},
    Program.MUELLER: dict.fromkeys((Scheduler.PRIORITY, Scheduler.HARDWARE), "system"),
}


@dataclass(frozen=True)
class Build:
    """A program under a variant, and the compiler's option of optimization."""

    program: Program
    variant: Variant
    level: str = LEVEL

    def __str__(self) -> str:
        """Return its name, also that of its folder."""
        return f"{self.program}-{self.variant}{'' if self.level == LEVEL else self.level}"

    def system(self) -> System:
        """Return what the image is made of."""
        scheduler = self.variant.scheduler
        system = replace(load(self.program.description(scheduler)), scheduler=scheduler)
        if self.program is Program.READY:
            system = with_ready_tasks(system)
        return replace(system, kernel=replace(system.kernel, status=self.variant.status))


ANTICIPATING = (
    Variant.SYSCALL,
    Variant.LAZY_CEILING_SIMPLE,
    Variant.LAZY_CEILING,
    Variant.DEADLINE_FLOOR,
    Variant.LAZY_FLOOR,
)
SMALL = "-Os"  # the level of the paper
BUILDS = (
    *(
        Build(Program.ZUEPKE, variant)
        for variant in Variant
        if variant.scheduler is Scheduler.PRIORITY
    ),
    *(Build(Program.ALMATARY, variant) for variant in ANTICIPATING),
    # The protocols that add the least to what the scheduler does.
    Build(Program.READY, Variant.SYSCALL),
    Build(Program.READY, Variant.DEADLINE_FLOOR),
    *(Build(Program.ZUEPKE, variant, SMALL) for variant in COMPARED),
    *(Build(Program.MUELLER, variant) for variant in SCHEDULED),
)
