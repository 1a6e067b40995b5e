# SPDX-License-Identifier: MIT
"""The kernel as shipped, with each of its resource protocols; and what is to hold of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from proof.boundary.image import Compiled, Image, build_image
from proof.boundary.machine import Machine
from proof.engine.walk import Stage
from proof.kernel.budgets import Kind, Server
from proof.kernel.edf import Deadlines, Floors
from proof.kernel.notes import Calls, Notes
from proof.kernel.priority import Levels, Priorities, Reported, Rules
from proof.kernel.served import ServedWorld
from proof.kernel.world import M4, RESOURCES, Actor, Scenario, World, fresh

SOURCES = ("proof/kernel/kernel.c", "proof/kernel/scripts.c")
PORT = "proof/kernel/port"


def _most(actors: tuple[Actor, ...]) -> tuple[int, ...]:
    return tuple(2 if actor.task == M4 else 1 for actor in actors)


def _rows(machine: Machine, actors: tuple[Actor, ...]) -> list[tuple[int, int, int]]:
    def row(task: int) -> tuple[int, int, int]:
        first, second, third = (machine.constant("proof_tasks", 3 * task + i) for i in range(3))
        return first, second, third

    return [row(actor.task) for actor in actors]


def _bounds(machine: Machine) -> tuple[int, ...]:
    return tuple(machine.constant("proof_bounds", i) for i in range(RESOURCES))


@dataclass(frozen=True, slots=True)
class Variant:
    """One of the folders in kernel/resource, in standard or in extended status."""

    folder: str
    rules: Rules
    is_extended: bool = False
    scheduler: str = "priority"
    servers: tuple[Server, ...] = ()

    @property
    def name(self) -> str:
        """For the table."""
        kinds = " ".join(server.kind.name.lower() for server in self.servers)
        return " ".join(part for part in (self.folder, "x" * self.is_extended, kinds) if part)

    def build(self, isa: str, tree: Path, known: Sequence[Compiled] = ()) -> Image:
        """Compile the scripts and the kernel with the protocol of that tree."""
        kernel, resource = tree / "kernel", tree / "kernel/resource"
        folders = (
            *(tree, tree / PORT / self.scheduler, tree / PORT, kernel, kernel / "include"),
            *(kernel / "cores/one", kernel / "scheduler" / self.scheduler),
            *(resource / self.folder, resource, kernel / "global/none", kernel / "global"),
            kernel / "server" / ("budget" if self.servers else "none"),
        )
        flags = [f"-I{folder}" for folder in folders]
        flags += [
            f"-DPROOF_EXTENDED={int(self.is_extended)}",
            f"-DPROOF_CALLED={int(self.rules.calls == Calls.EACH)}",
            f"-DPROOF_WORD={self.rules.reported.value}",
            f"-DPROOF_SERVERS={len(self.servers)}",
        ]
        for index, server in enumerate(self.servers):
            row = (server.kind.value, *map(str, server[1:]))
            flags.append(f"-DPROOF_SERVER_{index}={','.join(row)}")
        flags += ["-mcpu=cortex-a53"] if isa == "aarch64" else []
        return build_image(isa, tree, SOURCES, flags, known)

    def notes(self, machine: Machine, actors: tuple[Actor, ...]) -> Notes:
        """Its judge."""
        notes = self._judge(machine, actors)
        if self.servers:
            notes.payers = tuple(machine.constant("proof_payers", each.task) for each in actors)
        return notes

    def _judge(self, machine: Machine, actors: tuple[Actor, ...]) -> Notes:
        names, most, rows = tuple(a.name for a in actors), _most(actors), _rows(machine, actors)
        common = (names, most, fresh(actors))
        if self.scheduler == "edf":
            deadlines = tuple(Deadlines(relative, least) for relative, least, _ in rows)
            return Floors(*common, deadlines, _bounds(machine), self.rules.calls)
        levels = tuple(Levels(*row) for row in rows)
        return Priorities(*common, levels, _bounds(machine), self.rules)


@dataclass(frozen=True, slots=True)
class Staged:
    """A scenario for that variant."""

    scenario: Scenario
    variant: Variant

    @property
    def name(self) -> str:
        """The scenario's."""
        return self.scenario.name

    def stage(self, image: Image) -> Stage[Image]:
        """Ready to be swept."""
        return Stage(image, self)

    def system(self, image: Image) -> World:
        """Its tasks, and the kernel."""
        if self.variant.servers:
            return ServedWorld(image, self.scenario, self.variant.notes, self.variant.servers)
        return World(image, self.scenario, self.variant.notes)


def staged(variant: Variant, scenarios: Iterable[Scenario]) -> tuple[Staged, ...]:
    """Each of them for that variant."""
    return tuple(Staged(scenario, variant) for scenario in scenarios)


_NPRIO = Rules(Reported.LEVEL, is_kept=False, calls=Calls.THREAT)
_KPRIO = Rules(Reported.LEVEL, is_kept=False, calls=Calls.ENTRY)
_CALLED = Rules(Reported.NOTHING, is_kept=True, calls=Calls.EACH)
_CLAIM = Rules(Reported.CLAIM, is_kept=True, calls=Calls.CHANGE)
_SIMPLE = Rules(Reported.CLAIM, is_kept=True, calls=Calls.RAISED)

NPRIO = Variant("uprio-nprio", _NPRIO)
NPRIO_X = Variant("uprio-nprio", _NPRIO, is_extended=True)
KPRIO = Variant("uprio-kprio", _KPRIO)
KPRIO_LAZY = Variant("uprio-kprio-lazy", _KPRIO)
KPRIO_LAZY_X = Variant("uprio-kprio-lazy", _KPRIO, is_extended=True)
CLAIM = Variant("lazy-ceiling", _CLAIM)
CLAIM_X = Variant("lazy-ceiling", _CLAIM, is_extended=True)
SIMPLE = Variant("lazy-ceiling-simple", _SIMPLE)
SYSCALL = Variant("syscall", _CALLED)
SYSCALL_X = Variant("syscall", _CALLED, is_extended=True)
FLOOR = Variant("lazy-floor", _CLAIM, scheduler="edf")
FLOOR_X = Variant("lazy-floor", _CLAIM, is_extended=True, scheduler="edf")
CALLED_FLOOR = Variant("deadline-floor", _CALLED, scheduler="edf")
CALLED_FLOOR_X = Variant("deadline-floor", _CALLED, is_extended=True, scheduler="edf")

# Their times are such that each loses the core with budget left, without, and goes on across its
# replenishment; and under EDF for longer than floors differ.
_IDLING, _DEFERRABLE = Server(Kind.IDLING, 10, 4), Server(Kind.DEFERRABLE, 10, 4)
_SLOTS = (Server(Kind.SLOT, 20, 5), Server(Kind.SLOT, 20, 8, 5))
_LONG = (Server(Kind.DEFERRABLE, 30, 12), Server(Kind.DEFERRABLE, 40, 10))

SERVED_NPRIO = Variant("uprio-nprio", _NPRIO, servers=(_IDLING, Server(Kind.IDLING, 14, 6)))
SERVED_SLOTS = Variant("uprio-nprio", _NPRIO, servers=_SLOTS)
SERVED_KPRIO = Variant(
    "uprio-kprio", _KPRIO, servers=(Server(Kind.POLLING, 10, 4), Server(Kind.DEFERRABLE, 14, 12))
)
SERVED_CLAIM = Variant("lazy-ceiling", _CLAIM, servers=(_DEFERRABLE, Server(Kind.POLLING, 14, 7)))
SERVED_CALLED = Variant("syscall", _CALLED, servers=(_IDLING, Server(Kind.DEFERRABLE, 14, 6)))
SERVED_FLOOR = Variant("lazy-floor", _CLAIM, scheduler="edf", servers=_LONG)
