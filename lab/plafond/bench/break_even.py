# SPDX-License-Identifier: MIT
"""How many sections may be preempted before a rival is cheaper."""

from plafond.bench.model import Arrival, BreakEven, PreemptedRow, Row

LOCKS = ("plafond-strict", "plafond")
RIVALS = ("inherit", "protect")


def break_even_share(
    fast: float, preempted: float, rival_fast: float, rival_preempted: float
) -> float | None:
    """Solve (1-p) fast + p preempted = the same of the rival, for p.

    The answer is the share up to which the first is cheaper; see BreakEven.
    """
    saved = rival_fast - fast
    lost = preempted - rival_preempted
    if saved >= 0 and lost <= 0:
        return 1.0
    if saved <= 0 and lost >= 0:
        return 0.0
    if saved < 0:
        return None
    return saved / (saved + lost)


def break_even_rows(uncontended: list[Row], preempted: list[PreemptedRow]) -> list[BreakEven]:
    """Compare each of ours with each rival, for both kinds of arrival."""
    fast = {row.lock: row.ns_median for row in uncontended}
    slow = {(row.lock, row.arrival): row.ns_median for row in preempted}
    return [
        BreakEven(
            lock=lock,
            rival=rival,
            arrival=arrival,
            share=break_even_share(
                fast[lock], slow[lock, arrival], fast[rival], slow[rival, arrival]
            ),
        )
        for lock in LOCKS
        for rival in RIVALS
        for arrival in Arrival
    ]
