# SPDX-License-Identifier: MIT
"""The programs of bench/kernel, and the images that are built from them."""

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from plafond.bench.kernel.growth import TASKS, with_tasks
from plafond.bench.kernel.growth import VARIANTS as GROWING
from plafond.bench.kernel.mpcp import GROWING as LOCKING
from plafond.bench.kernel.mpcp import MORE_USERS, SPINNING, with_users
from plafond.bench.kernel.ready import with_ready_tasks
from plafond.bench.kernel.servers import OVERRUNS, SERVED
from plafond.bench.kernel.variants import COMPARED, SCHEDULED, Variant
from plafond.board.boards import ROOT
from plafond.build.generate import LEVEL
from plafond.describe import load
from plafond.describe.kernel import Scheduler
from plafond.describe.server import Sharing
from plafond.describe.system import System
from plafond.protocols import GlobalProtocol


class Program(StrEnum):
    """A program, which is built into an image for each variant."""

    ZUEPKE = "zuepke"
    ALMATARY = "almatary"
    READY = "ready"
    MUELLER = "mueller"
    CORES = "mueller-cores"
    GROWTH = "mueller-growth"
    MPCP = "mueller-mpcp"
    SPIN = "mueller-spin"
    SERVERS = "servers"
    SHARING = "sharing"
    SKIPPING = "skipping"

    def description(self, scheduler: Scheduler) -> Path:
        """Return the file with its tasks and resources."""
        return ROOT / "bench" / "kernel" / f"{DESCRIPTIONS[self][scheduler]}.toml"

    @property
    def has_two_cores(self) -> bool:
        """Return whether its figures are counted by core."""
        return self in (Program.CORES, Program.GROWTH, Program.MPCP, Program.SPIN)


BY_BOTH = (Scheduler.PRIORITY, Scheduler.HARDWARE)
# In bench/kernel.
DESCRIPTIONS = {
    Program.ZUEPKE: {Scheduler.PRIORITY: "zuepke/system"},
    Program.ALMATARY: {Scheduler.PRIORITY: "almatary/ipcp", Scheduler.EDF: "almatary/dfp"},
    Program.READY: {Scheduler.PRIORITY: "ready/priority", Scheduler.EDF: "ready/edf"},
    Program.MUELLER: dict.fromkeys(BY_BOTH, "mueller/system"),
    Program.CORES: dict.fromkeys(BY_BOTH, "mueller/cores"),
    Program.GROWTH: dict.fromkeys(BY_BOTH, "mueller/growth"),
    Program.MPCP: dict.fromkeys(BY_BOTH, "mueller/mpcp"),
    Program.SPIN: {Scheduler.HARDWARE: "mueller/spin"},
    Program.SERVERS: {Scheduler.PRIORITY: "servers/system"},
    Program.SHARING: {Scheduler.PRIORITY: "sharing/system"},
    Program.SKIPPING: {Scheduler.PRIORITY: "sharing/skip"},
}


@dataclass(frozen=True)
class Build:
    """A program under a variant, with the compiler's option of optimization."""

    program: Program
    variant: Variant
    level: str = LEVEL
    size: int = 0  # a growing system's number of tasks, or of users
    spinlock: GlobalProtocol | None = None
    policy: Sharing | None = None

    def __str__(self) -> str:
        """Return its name, which is also the name of its folder."""
        level = "" if self.level == LEVEL else self.level
        return f"{self.program}-{self.variant}{level}{f'-{self.mark}' if self.mark else ''}"

    @property
    def mark(self) -> str:
        """Return the mark that the names of its figures have behind the procedure."""
        return f"{self.size}" if self.size else self.spinlock or self.policy or ""

    def system(self) -> System:
        """Return the system of the image."""
        scheduler = self.variant.scheduler
        system = replace(load(self.program.description(scheduler)), scheduler=scheduler)
        if self.program is Program.READY:
            system = with_ready_tasks(system)
        if self.program is Program.GROWTH:
            system = with_tasks(system, self.size)
        if self.program is Program.MPCP:
            system = with_users(system, self.size)
        if self.program is Program.SHARING:
            servers = (server.changed(sharing=self.policy) for server in system.servers)
            system = replace(system, servers=tuple(servers))
        kernel = system.kernel.changed(status=self.variant.status, global_protocol=self.spinlock)
        return replace(system, kernel=kernel)


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
    # Under these protocols the scheduler has the least additional work.
    Build(Program.READY, Variant.SYSCALL),
    Build(Program.READY, Variant.DEADLINE_FLOOR),
    *(Build(Program.ZUEPKE, variant, SMALL) for variant in COMPARED),
    *(Build(Program.MUELLER, variant) for variant in SCHEDULED),
    *(Build(Program.CORES, variant) for variant in SCHEDULED),
    *(Build(Program.GROWTH, variant, size=tasks) for variant in GROWING for tasks in TASKS),
    *(Build(Program.MPCP, variant) for variant in SCHEDULED),
    *(Build(Program.MPCP, variant, size=users) for variant in LOCKING for users in MORE_USERS),
    *(Build(Program.SPIN, SPINNING, spinlock=lock) for lock in GlobalProtocol if lock.traits.spins),
    *(Build(Program.SERVERS, variant) for variant in SERVED),
    *(Build(Program.SHARING, variant, policy=policy) for variant in SERVED for policy in OVERRUNS),
    *(Build(Program.SKIPPING, variant, policy=Sharing.SKIP) for variant in SERVED),
)
