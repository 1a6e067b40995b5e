# SPDX-License-Identifier: MIT
"""Compute the share of preempted sections up to which a lock is cheaper than a rival."""

from collections.abc import Mapping, Sequence

from plafond.bench.model import Arrival, BreakEven

LOCKS = ("plafond-strict", "plafond")
RIVALS = ("inherit", "protect")


def break_even_share(
    fast: float, preempted: float, rival_fast: float, rival_preempted: float
) -> float | None:
    """Solve (1-p) fast + p preempted = (1-p) rival_fast + p rival_preempted for p.

    The result is the share up to which the first lock is cheaper; see BreakEven.
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


def break_even_rows(
    fast: Mapping[str, float],
    slow: Mapping[tuple[str, Arrival], float],
    locks: Sequence[str] = LOCKS,
    rivals: Sequence[str] = RIVALS,
) -> list[BreakEven]:
    """Compare each of our locks with each rival, for both kinds of arrival.

    `fast`: the times of uncontended pairs; `slow`: the times of preempted sections.
    """
    return [
        BreakEven(
            lock=lock,
            rival=rival,
            arrival=arrival,
            share=break_even_share(
                fast[lock], slow[lock, arrival], fast[rival], slow[rival, arrival]
            ),
        )
        for lock in locks
        for rival in rivals
        for arrival in Arrival
    ]
