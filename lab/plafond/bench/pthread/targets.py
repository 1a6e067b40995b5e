# SPDX-License-Identifier: MIT
"""The figures to reach, and whether this run reached them."""

from plafond.bench.model import Arrival, Target
from plafond.bench.pthread.model import PathRow, PreemptedRow, ProgramRow
from plafond.bench.targets import judge

DROP_IN = "drop-in-"  # prefix of a row that is measured with the drop-in preloaded
PLAIN, INHERIT, PROTECT = "none", "inherit", "protect"
PINNED = f"{DROP_IN}protect"
CROSS_CPU = f"{DROP_IN}protect-cross-cpu"
UNPINNED = f"{DROP_IN}protect-unpinned"
THROUGH = {f"{DROP_IN}{name}": name for name in (PLAIN, INHERIT)}
PREEMPTED_LIMITS = {Arrival.USES_LOCK: 1.3, Arrival.PASSES_BY: 1.8}


def targets(
    rows: list[PathRow], preempted: list[PreemptedRow], programs: list[ProgramRow]
) -> list[Target]:
    """Judge a run by the limits that the project has set itself."""
    pair = {row.path: row for row in rows}
    section = {(row.path, row.arrival): row.ns_median for row in preempted}

    def ratio(path: str, other: str, limit: float | None = None) -> Target:
        value = pair[path].ns_median / pair[other].ns_median
        return judge(f"{path} / {other}", value, limit)

    return [
        ratio(PINNED, PLAIN, 1.0),
        ratio(CROSS_CPU, PLAIN, 2.2),
        *(ratio(path, other, 1.15) for path, other in THROUGH.items()),
        *(_instructions_more(pair[path], pair[other]) for path, other in THROUGH.items()),
        *(
            judge(
                f"{PINNED} / {PROTECT}, preempted, {arrival}",
                section[PINNED, arrival] / section[PROTECT, arrival],
                limit,
            )
            for arrival, limit in PREEMPTED_LIMITS.items()
        ),
        *(_program(row) for row in programs),
        ratio(PROTECT, PINNED),
    ]


def _instructions_more(through: PathRow, plain: PathRow) -> Target:
    more = None
    if through.instructions is not None and plain.instructions is not None:
        more = through.instructions - plain.instructions
    return judge(f"{through.path} - {plain.path}, instructions", more, 8)


def _program(row: ProgramRow) -> Target:
    """Judge a program by the noise of its own pairs."""
    return Target(
        name=f"{row.program}, preloaded / plain: within the noise",
        value=row.ratio,
        limit=None,
        reached=row.within_noise,
    )
