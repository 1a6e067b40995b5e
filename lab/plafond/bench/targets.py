# SPDX-License-Identifier: MIT
"""The figures to reach, and whether this run reached them."""

from collections.abc import Iterable

from plafond.bench.model import Row, ScalingRow, Target

STRICT = "plafond-strict"
ROBUST = "plafond"


def judge(name: str, value: float | None, limit: float | None = None) -> Target:
    """Compare a value with its limit; a value that could not be counted is not reached."""
    reached = None if limit is None else value is not None and value <= limit
    return Target(name=name, value=value, limit=limit, reached=reached)


def targets(
    uncontended: list[Row], nested: list[Row], hook: list[Row], scaling: list[ScalingRow]
) -> list[Target]:
    """Judge a run by the limits that the project has set itself."""
    pair = {row.lock: row for row in uncontended}

    def ratio(lock: str, other: str) -> float:
        return pair[lock].ns_median / pair[other].ns_median

    return [
        judge(f"{STRICT} / bound", ratio(STRICT, "bound"), 2),
        judge(f"{STRICT}, instructions a pair", pair[STRICT].instructions, 30),
        judge(f"{ROBUST} / none", ratio(ROBUST, "none"), 0.6),
        judge(f"{ROBUST} / inherit", ratio(ROBUST, "inherit"), 0.45),
        judge(
            "most system calls in our uncontended rows", _most_calls(uncontended, nested, hook), 0
        ),
        judge(f"{STRICT}, 64 threads / 2", _growth(scaling, STRICT), 1.1),
        judge(f"{ROBUST}, 64 threads / 2", _growth(scaling, ROBUST), 1.1),
        judge(f"protect / {STRICT}", ratio("protect", STRICT)),
        judge(f"protect / {ROBUST}", ratio("protect", ROBUST)),
    ]


def _most_calls(*tables: Iterable[Row]) -> float | None:
    calls = [row.system_calls for table in tables for row in table if row.lock in (STRICT, ROBUST)]
    known = [count for count in calls if count is not None]
    return max(known) if len(known) == len(calls) else None


def _growth(scaling: list[ScalingRow], lock: str) -> float:
    rows = [row for row in scaling if row.lock == lock]
    fewest = min(rows, key=lambda row: row.threads)
    most = max(rows, key=lambda row: row.threads)
    return most.ns_median / fewest.ns_median
