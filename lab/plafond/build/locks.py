# SPDX-License-Identifier: MIT
"""The protocols of an image: for resources of a core, and for global resources."""

from collections.abc import Sequence
from dataclasses import dataclass

from plafond.board.boards import Board
from plafond.describe.kernel import (
    DEFAULT_PROTOCOLS,
    Scheduler,
    globals_under,
    schedulers_of,
)
from plafond.describe.problems import Problem
from plafond.describe.read import error_of
from plafond.describe.system import System
from plafond.errors import ArgumentError
from plafond.protocols import GlobalProtocol, KernelProtocol
from plafond.words import suggestion


@dataclass(frozen=True)
class Locks:
    """A folder of kernel/resource, and a folder of kernel/global if there are global resources."""

    protocol: KernelProtocol
    global_protocol: GlobalProtocol | None

    def waiters(self, system: System) -> set[str]:
        """Return the tasks that may be suspended in a request for a resource."""
        if self.protocol.traits.waits:
            return {user for each in system.resources for user in each.users}
        spins = self.global_protocol is None or self.global_protocol.traits.spins
        return set() if spins else {user for each in system.global_resources for user in each.users}


def locks_of(system: System, board: Board, name: str | None) -> Locks:
    """Return the protocols of an image, from a name of --protocol or from the description.

    ArgumentError if the board or the scheduler does not have the name. DescriptionError if the
    description's two protocols do not combine.
    """
    if name in list(GlobalProtocol) and system.global_resources:
        chosen = GlobalProtocol(name)
        return Locks(_below(chosen, system, board), chosen)
    across = globals_under(system.scheduler) if system.global_resources else ()
    protocol = system.protocol
    if name:
        protocol = protocol_of(name, board, system.scheduler, across)
    if not system.global_resources:
        return Locks(protocol, None)
    able = protocol.traits.globals
    wanted = system.kernel.global_protocol
    if name is None and wanted and wanted not in able:
        listed = ", ".join(able) or "no resource with users on several CPUs"
        problem = Problem(("kernel", "global"), wanted, f"with {protocol} {listed}")
        raise error_of(system, [problem])
    return Locks(protocol, wanted if wanted in able else next(iter(able), None))


def _below(chosen: GlobalProtocol, system: System, board: Board) -> KernelProtocol:
    """Return the description's protocol for a core's resources, or the first that suits
    `chosen`."""
    known = board.protocols(system.scheduler)
    wanted = [system.protocol, DEFAULT_PROTOCOLS[system.scheduler], *known]
    able = [each for each in wanted if each in known and chosen in each.traits.globals]
    if not able:
        expected = f'no protocol of scheduler = "{system.scheduler}" goes with it'
        raise ArgumentError(f"--protocol: found {str(chosen)!r}; {expected}")
    return able[0]


def protocol_of(
    name: str, board: Board, scheduler: Scheduler, across: Sequence[GlobalProtocol] = ()
) -> KernelProtocol:
    """Return a protocol; ArgumentError if the board or the scheduler does not have it.

    `across`: further valid names, for the message.
    """
    known = board.protocols(scheduler)
    if name not in known:
        expected = f"on {board.name} one of {', '.join([*across, *known])}{_hint(name, scheduler)}"
        raise ArgumentError(f"--protocol: found {name!r}; expected {expected}")
    return KernelProtocol(name)


def _hint(name: str, scheduler: Scheduler) -> str:
    """Return a hint: the scheduler that the protocol needs, or a similar name."""
    if name in list(GlobalProtocol):
        return f" ({name} is for resources with users on several CPUs)"
    able = schedulers_of(KernelProtocol(name)) if name in list(KernelProtocol) else []
    if able and scheduler not in able:
        needed = " or ".join(f'"{each}"' for each in able)
        return f" ({name} needs scheduler = {needed})"
    return suggestion(name, [*GlobalProtocol, *KernelProtocol])
