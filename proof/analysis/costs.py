# SPDX-License-Identifier: MIT
"""The costs of the kernel's work, for the simulator (model.h) and for the analysis."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from random import Random

from plafond.analyse.overheads import Costs, Overheads
from plafond.protocols import Protocol


@dataclass(frozen=True)
class KernelWork:
    """Costs in units, in the order of a line `costs` of taskset.h."""

    interrupt: int
    activation: int
    switch: int  # from a task to another
    pair: int
    preempted: int
    disturbed: int
    step: int
    ticks: int  # their interval; 0: no ticks

    def line(self) -> str:
        """Return the costs in the simulator's format."""
        return f"costs {' '.join(map(str, astuple(self)))}"

    def overheads(self, protocol: Protocol) -> Overheads:
        """Return the costs as overheads of the analysis.

        A wake-up costs two switches, to its job and back. Without a ceiling, so does a wait for a
        lock.
        """
        waits = protocol in (Protocol.INHERIT, Protocol.NONE)
        costs = Costs(
            interrupt_ns=self.interrupt,
            activation_ns=self.activation,
            switch_ns=2 * self.switch,
            pair_ns=self.pair,
            preempted_ns=max(self.preempted, self.disturbed) + (2 * self.switch if waits else 0),
            disturbed_ns=self.disturbed,
        )
        ticks = ((self.ticks, 1),) if self.ticks else ()
        return Overheads({protocol: costs}, noise=ticks, step_ns=self.step)


def random_work(random: Random, is_edf: bool) -> KernelWork:
    """Return random costs. Some are 0, so that the effect of the others shows."""

    def some(most: int, zeros: int = 1) -> int:
        values: list[int] = [*[0] * zeros, *range(1, most + 1)]
        return random.choice(values)

    return KernelWork(
        interrupt=some(1),
        activation=some(1),
        switch=some(1),
        pair=some(1),
        preempted=some(2),
        disturbed=0 if is_edf else some(1, zeros=2),
        step=some(1, zeros=3),
        ticks=0 if is_edf else random.choice((0, 0, random.randint(6, 15))),
    )
