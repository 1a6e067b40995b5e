# SPDX-License-Identifier: MIT
"""The figures to reach, and whether this run reached them."""

from plafond.bench.instructions.figures import (
    MODULE_ROBUST,
    MODULE_STRICT,
    PROTECT,
    ROBUST,
    STRICT,
)
from plafond.bench.instructions.model import DropInRow, KernelRow, PreemptedRow, WayRow
from plafond.bench.model import Target
from plafond.bench.targets import judge
from plafond.vm.guest import Guest, KernelLine, Processor

# Limits in instructions are for x86-64 only; limits relative to other rows are for all.
IMMPC_LIMIT = 18
STRICT_LIMIT = 14
DROP_IN_LIMITS = {"protect": 60, "protect-shared": 130}
SCHEDULE_LIMITS = {KernelLine.V6_12: 45, KernelLine.V7: 24}
PASSES_BY = "passes-by"
# A section inside another section may cost as much as this number of outer sections.
FLAT_PAIRS = 3
# To the arrival and back, after the section, as without a lock.
SWITCHES = 2


def targets(
    ways: list[WayRow],
    drop_in: list[DropInRow],
    preempted: list[PreemptedRow],
    kernel_mutexes: list[KernelRow],
    guest: Guest,
) -> list[Target]:
    """Judge a run by the limits that the project has set itself."""
    way = {row.lock: row for row in ways}
    kernel = {row.mutex: row for row in kernel_mutexes}
    ours = [row for row in preempted if row.lock in (MODULE_STRICT, MODULE_ROBUST)]
    has_limits = guest.processor is Processor.X86_64
    most_switches = max(row.switches or 0 for row in ours)
    return [
        judge("immpc, pair", kernel["immpc"].flat, IMMPC_LIMIT if has_limits else None),
        judge(
            f"{MODULE_STRICT}, pair",
            way[MODULE_STRICT].pair,
            STRICT_LIMIT if has_limits else None,
        ),
        *(
            judge(f"drop-in, {row.mutex}, pair", row.preloaded, limit if has_limits else None)
            for row in drop_in
            if (limit := DROP_IN_LIMITS.get(row.mutex)) is not None
        ),
        *(
            judge(f"{lock}, pair in another", _inner(way[lock]), FLAT_PAIRS * way[lock].pair)
            for lock in (STRICT, ROBUST)
        ),
        *(
            judge(f"{row.lock}, arrival {_where(row)} ceiling", row.instructions, way[PROTECT].pair)
            for row in ours
            if row.arrival == PASSES_BY
        ),
        judge(
            "added to each __schedule of others",
            way[MODULE_STRICT].schedule,
            SCHEDULE_LIMITS[guest.kernel] if has_limits else None,
        ),
        judge("context switches for an arrival, module", most_switches, SWITCHES),
        judge(
            "arrivals that work in a section, module",
            sum(row.inside is not False for row in ours),
            0,
        ),
        judge(
            f"{PROTECT} / {MODULE_STRICT}, pair",
            way[PROTECT].pair / way[MODULE_STRICT].pair,
        ),
        *(
            judge(f"{MODULE_STRICT} / {PROTECT}, {words}", _ratio(way, arrival))
            for arrival, words in (("uses_lock", "arrival locks"), ("passes_by", "passes by"))
        ),
    ]


def _inner(row: WayRow) -> float:
    """Return the cost of each of the two inner pairs of three."""
    return (row.nested - row.pair) / 2


def _where(row: PreemptedRow) -> str:
    return "at the" if row.at_ceiling else "below the"


def _ratio(way: dict[str, WayRow], arrival: str) -> float:
    mine, theirs = (getattr(way[lock], arrival) for lock in (MODULE_STRICT, PROTECT))
    return float(mine / theirs)
