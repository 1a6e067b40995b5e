# SPDX-License-Identifier: MIT
"""The kernel as shipped, with each of its resource protocols, and the rules for each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plafond.build.kernel_files import kernel_files

from proof.boundary.image import Compiled, Image, build_image
from proof.boundary.machine import Machine
from proof.engine.walk import Stage
from proof.kernel.budgets import Budgets, Kind, Server, Sharing
from proof.kernel.edf import Deadlines, Floors
from proof.kernel.notes import Calls, Notes
from proof.kernel.priority import Levels, Priorities, Reported, Rules
from proof.kernel.served import ServedWorld
from proof.kernel.shared import SharedWorld
from proof.kernel.sharers import Ceilings, Sharers
from proof.kernel.sharing import SharedBudgets
from proof.kernel.world import M4, RESOURCES, Actor, Scenario, World, fresh

OF_PROOF = ("proof/kernel/kernel.c", "proof/kernel/scripts.c", "proof/kernel/waiting.c")
# The model starts the kernel itself, and its interrupts have no routines.
NOT_OF_PROOF = {"isr_id.c", "start.c", "waiting.c"}
OPTIONAL = frozenset({"event.c"})
OF_SERVERS = OPTIONAL | {"alarm.c", "counter.c"}
PORT = "proof/kernel/port"


def _most(actors: tuple[Actor, ...]) -> tuple[int, ...]:
    return tuple(2 if actor.task == M4 else 1 for actor in actors)


def _rows(machine: Machine, actors: tuple[Actor, ...]) -> list[tuple[int, int, int]]:
    def row(task: int) -> tuple[int, int, int]:
        first, second, third = (machine.constant("proof_tasks", 3 * task + i) for i in range(3))
        return first, second, third

    return [row(actor.task) for actor in actors]


def _resources(machine: Machine, symbol: str, row: int = 0) -> tuple[int, ...]:
    return tuple(machine.constant(symbol, RESOURCES * row + i) for i in range(RESOURCES))


def _bounds(machine: Machine) -> tuple[int, ...]:
    return _resources(machine, "proof_bounds")


def _kind(server: Server) -> str:
    """The server's kind and policy, for the table."""
    kind = server.kind.name.lower()
    return kind if server.sharing is None else f"{kind}+{server.sharing.name.lower()}"


def _row(server: Server) -> Iterable[str]:
    """The server's parameters, in the order of servers.h."""
    yield server.kind.value
    yield from map(str, (server.period, server.budget, server.start))
    if server.sharing is not None:
        yield from (server.sharing.value, str(server.hold))
        yield str(int(server.sharing is Sharing.SKIP))


@dataclass(frozen=True, slots=True)
class Variant:
    """A folder of kernel/resource, in standard or extended status."""

    folder: str
    rules: Rules
    is_extended: bool = False
    scheduler: str = "priority"
    servers: tuple[Server, ...] = ()
    # These fields are in repr(), because a certificate's question has the repr() of the variant.
    sources: tuple[str, ...] = field(init=False)
    headers: tuple[str, ...] = field(init=False)  # folders

    def __post_init__(self) -> None:
        """Choose the files of kernel/."""
        sharing = "sharing" if self.shares else "none"
        files = kernel_files(
            scheduler=self.scheduler,
            resource=self.folder,
            servers=("budget", sharing) if self.servers else (sharing,),
            optional=OF_SERVERS if self.servers else OPTIONAL,
        )
        shipped = (name for name in files.sources if Path(name).name not in NOT_OF_PROOF)
        object.__setattr__(self, "sources", (*OF_PROOF, *(f"kernel/{name}" for name in shipped)))
        object.__setattr__(self, "headers", tuple(f"kernel/{name}" for name in files.headers))

    @property
    def name(self) -> str:
        """The variant's name in the table."""
        kinds = " ".join(_kind(server) for server in self.servers)
        return " ".join(part for part in (self.folder, "x" * self.is_extended, kinds) if part)

    @property
    def shares(self) -> bool:
        """Whether some resource has users in several servers."""
        return any(server.sharing for server in self.servers)

    def build(self, isa: str, tree: Path, known: Sequence[Compiled] = ()) -> Image:
        """Compile the scripts, and the kernel with the protocol, from this tree."""
        port = (f"{PORT}/{self.scheduler}", PORT)
        folders = ("", *port, "kernel", "kernel/include", *self.headers)
        flags = [f"-I{tree / folder}" for folder in folders]
        flags += [
            f"-DPROOF_EXTENDED={int(self.is_extended)}",
            f"-DPROOF_CALLED={int(self.rules.calls == Calls.EACH)}",
            f"-DPROOF_WORD={self.rules.reported.value}",
            f"-DPROOF_SERVERS={len(self.servers)}",
            f"-DPROOF_SHARING={int(self.shares)}",
        ]
        for index, server in enumerate(self.servers):
            flags.append(f"-DPROOF_SERVER_{index}={','.join(_row(server))}")
        if self.shares:
            skips = sum(1 << i for i, s in enumerate(self.servers) if s.sharing is Sharing.SKIP)
            flags.append(f"-DPROOF_SKIPS={skips}")
        flags += ["-mcpu=cortex-a53"] if isa == "aarch64" else []
        return build_image(isa, tree, self.sources, flags, known)

    def notes(self, machine: Machine, actors: tuple[Actor, ...]) -> Notes:
        """The judge for these actors."""
        notes = self._judge(machine, actors)
        if self.servers:
            notes.payers = tuple(machine.constant("proof_payers", each.task) for each in actors)
        return notes

    def shared_notes(self, machine: Machine, actors: tuple[Actor, ...]) -> Sharers:
        """The judge for servers that share resources."""
        names, most, rows = tuple(a.name for a in actors), _most(actors), _rows(machine, actors)
        payers = tuple(machine.constant("proof_payers", each.task) for each in actors)
        ceilings = Ceilings(
            among_servers=_resources(machine, "proof_server_ceilings"),
            by_row=tuple(_resources(machine, "proof_local_ceilings", row) for row in range(2)),
            claims=tuple(
                machine.constant("proof_claims", server) for server in range(len(self.servers))
            ),
        )
        levels = tuple(Levels(*row) for row in rows)
        notes = Sharers(
            names, most, fresh(actors), levels, _bounds(machine), self.rules, self.servers, ceilings
        )
        notes.payers = payers
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
    """A scenario for a variant."""

    scenario: Scenario
    variant: Variant

    @property
    def name(self) -> str:
        """The scenario's name."""
        return self.scenario.name

    def stage(self, image: Image) -> Stage[Image]:
        """A stage that is ready to be swept."""
        return Stage(image, self)

    def system(self, image: Image) -> World:
        """The world of the scenario: its tasks, and the kernel."""
        scenario, variant = self.scenario, self.variant
        late = max(scenario.time.step - 1, 0)
        if variant.shares:
            return SharedWorld(
                image, scenario, variant.shared_notes, SharedBudgets(variant.servers, late)
            )
        if variant.servers:
            return ServedWorld(image, scenario, variant.notes, Budgets(variant.servers, late))
        return World(image, scenario, variant.notes)


def staged(variant: Variant, scenarios: Iterable[Scenario]) -> tuple[Staged, ...]:
    """Each of these scenarios for this variant."""
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

# By these times a server loses the core with budget left and without, and keeps it across a
# replenishment. Under EDF this lasts longer than floors differ.
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

# When the first task arrives, the less urgent server is an idling server with little budget left.
# The budget ends in a section. It comes again in this section (_SOON), or after it (_LATER).
_OVER, _PAID, _SKIP = Sharing.OVERRUN, Sharing.PAYBACK, Sharing.SKIP
_SOON, _LATER = Server(Kind.IDLING, 7, 6, hold=2), Server(Kind.IDLING, 10, 6, hold=2)
# Enough for one section, and for longer than periods of the other server.
_SHORT, _LONGER = Server(Kind.DEFERRABLE, 7, 3, hold=2), Server(Kind.DEFERRABLE, 40, 15, hold=2)
_ENOUGH = Server(Kind.DEFERRABLE, 20, 9, hold=2)


def _shared(folder: str, rules: Rules, *servers: tuple[Server, Sharing]) -> Variant:
    shared = tuple(server._replace(sharing=sharing) for server, sharing in servers)
    return Variant(folder, rules, servers=shared)


SHARED_OVER = _shared("uprio-nprio", _NPRIO, (_SHORT, _OVER), (_LATER, _OVER))
SHARED_PAID = _shared("lazy-ceiling", _CLAIM, (_LONGER, _PAID), (_SOON, _PAID))
SHARED_SKIP = _shared("uprio-nprio", _NPRIO, (_SHORT, _SKIP), (_LATER, _SKIP))
SHARED_MIXED = _shared("lazy-ceiling", _CLAIM, (_SHORT, _PAID), (_LATER, _SKIP))
SHARED_CALLED = _shared("syscall", _CALLED, (_SHORT, _SKIP), (_SOON, _PAID))
SHARED_FOUR = _shared(
    "lazy-ceiling", _CLAIM, (_ENOUGH, _SKIP), (_ENOUGH, _PAID), (_ENOUGH, _SKIP), (_SOON, _OVER)
)
SHARED_FOUR_CALLED = _shared(
    "syscall", _CALLED, *((_ENOUGH, each) for each in (_OVER, _PAID, _OVER, _SKIP))
)
