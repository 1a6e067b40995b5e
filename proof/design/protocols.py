# SPDX-License-Identifier: MIT
"""The design proofs of each protocol."""

from __future__ import annotations

from dataclasses import dataclass

from plafond.prove.model import Extent

from proof.design import ceilings, cores, faults, floors, servers, spinlocks, uprios
from proof.design.cases import Case
from proof.mutation import ByHand, Mutant
from proof.mutator import Mutator
from proof.result import ROOT


@dataclass(frozen=True, slots=True)
class Proof:
    """The design proof of a protocol. `scope` describes it in a sentence."""

    protocol: str
    cases: tuple[Case, ...]
    by_hand: tuple[ByHand, ...]
    scope: str
    is_of_one_core: bool = True  # it has halves of tasks, which are linked to the code
    has_scheduler: bool = True  # it has a scheduler, which is linked, too
    mutated: tuple[str, ...] = ()  # mutants of these files are generated, too

    def mutants(self, extent: Extent) -> list[Mutant]:
        """Return the mutants of the extent. Mutants by hand are the quick part."""
        found: list[Mutant] = []
        if extent.takes(is_small=True):
            found += [fault.mutant(ROOT) for fault in self.by_hand]
        if extent.takes(is_small=False):
            found += [mutant for file in self.mutated for mutant in Mutator(ROOT, file).mutants()]
        return found


_NESTS = "up to 4 tasks, 3 resources, any nests to 3, any number of arrivals at any access"
_SPINS = "3 cores, any number of requests, every access"
PROOFS = (
    Proof(
        "lazy-ceiling",
        ceilings.CASES,
        faults.CLAIM + faults.LINUX,
        f"{_NESTS}; Section VI of the paper to depth 10, its forms and faults",
    ),
    Proof(
        "lazy-floor",
        floors.CASES,
        faults.FLOOR,
        "3 tasks, 3 resources, any nests to 3, falling ones to 4, any time, arrivals handled up to "
        "2 ticks late, clock at 2^64 and 2^63; Section IV as printed; all pairs of 8- and 16-bit "
        "instants",
    ),
    Proof(
        "lazy-global",
        servers.CASES,
        faults.GLOBAL,
        "up to 3 servers of each policy, 3 tasks, 2 resources, any nests to 2, replenishments, "
        "arrivals and units of time at any access",
        has_scheduler=False,
        mutated=("protocol/lazy_global.h",),
    ),
    Proof("uprio-kprio", uprios.KPRIO, faults.KPRIO, f"{_NESTS}; eager and lazy"),
    Proof("uprio-nprio", uprios.NPRIO, faults.NPRIO, _NESTS),
    Proof(
        "event-word",
        cores.EVENT_WORD,
        faults.EVENT_WORD,
        "3 cores, any number of operations, every access",
        is_of_one_core=False,
    ),
    Proof(
        "inbox",
        cores.INBOX,
        faults.INBOX,
        "3 cores, 12 entries sent, every access",
        is_of_one_core=False,
    ),
    Proof(
        "ioc-lanes",
        cores.IOC_LANES,
        faults.IOC_LANES,
        "2 and 3 senders, one receiver, every access",
        is_of_one_core=False,
    ),
    Proof(
        "mpcp-queue",
        cores.MPCP_QUEUE,
        faults.MPCP_QUEUE,
        "3 cores, 2 users each, any number of sections and ends, every access",
        is_of_one_core=False,
    ),
    Proof(
        "spin-unordered",
        spinlocks.UNORDERED_CASES,
        spinlocks.UNORDERED,
        _SPINS,
        is_of_one_core=False,
    ),
    Proof("msrp", spinlocks.FIFO_CASES, spinlocks.FIFO, _SPINS, is_of_one_core=False),
    Proof(
        "spin-priority",
        spinlocks.PRIORITY_CASES,
        spinlocks.PRIORITY,
        _SPINS,
        is_of_one_core=False,
    ),
)
