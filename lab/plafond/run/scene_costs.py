# SPDX-License-Identifier: MIT
"""Derive the costs of a target from the overheads of the scenes (scenes.py).

A cost is the largest difference of two scenes that it explains, but at least 0.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple

from plafond.analyse.overheads import Costs
from plafond.run.scenes import (
    DELAYING,
    DELAYING_NESTED,
    DISTURBING,
    DISTURBING_NESTED,
    JOBS,
    NESTED,
    SINGLE,
    WITH_SECTIONS,
)

MORE_STEPS = len(JOBS["steps"].jobs[0].body) - 1


def costs_of(overheads: Mapping[str, int]) -> Costs:
    """Return the costs that explain these overheads, which are by scene."""

    def added_ns(name: str) -> int:
        """Return the overhead that sections add to the same jobs without sections."""
        return overheads[name] - overheads[f"plain_{name}"]

    alone_ns = overheads["alone"]
    interrupt_ns = _most(
        overheads[name] - alone_ns for name in ("interrupted", "interrupted_equal")
    )
    one_by_one_ns = _most(overheads[name] - alone_ns for name in ("waits", "waits_equal"))
    without_switch_ns = max(interrupt_ns, alone_ns, one_by_one_ns)
    preempting_ns = overheads["preempts"] - alone_ns
    outer_ns = _most(map(added_ns, SINGLE))
    pair_ns = _most([outer_ns, *(added_ns(name) - outer_ns for name in NESTED)])

    def extra_ns(name: str) -> int:
        """Return the further overhead of an arrival inside a section."""
        return added_ns(name) - WITH_SECTIONS[name].pairs * pair_ns

    def inside_ns(single: Iterable[str], nested: Iterable[str]) -> int:
        """Return the overhead of such an arrival for each section, single or nested."""
        one_ns = _most(map(extra_ns, single))
        return _most([one_ns, *(extra_ns(name) - one_ns for name in nested)])

    disturbed_ns = inside_ns(DISTURBING, DISTURBING_NESTED)
    return Costs(
        interrupt_ns=interrupt_ns,
        activation_ns=without_switch_ns - interrupt_ns,
        switch_ns=_most([preempting_ns - without_switch_ns]),
        pair_ns=pair_ns,
        preempted_ns=max(inside_ns(DELAYING, DELAYING_NESTED), disturbed_ns),
        disturbed_ns=disturbed_ns,
    )


def largest(costs: Sequence[Costs]) -> Costs:
    """Return the largest value of each cost."""
    return Costs(*map(max, zip(*map(astuple, costs), strict=True)))


def step_ns_of(overheads: Mapping[str, int]) -> int:
    """Return how much longer than its stated length each run step lasts."""
    return -(-_most([overheads["steps"] - overheads["alone"]]) // MORE_STEPS)


def _most(times_ns: Iterable[int]) -> int:
    return max([0, *times_ns])
