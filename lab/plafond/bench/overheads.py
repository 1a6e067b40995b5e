# SPDX-License-Identifier: MIT
"""Measure, on this machine, the overheads that a bound can include."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil

from plafond.analyse.overheads import Costs, Overheads
from plafond.bench.locks import measure_locks
from plafond.bench.model import LocksReport
from plafond.describe.system import System
from plafond.errors import ArgumentError
from plafond.programs import find_program, run_program
from plafond.protocols import ON_LINUX, STOCK, Protocol

NOISE_SECONDS = 4
LONGEST_SECONDS = 30.0

WAKE_UP = "no-lock-sem_wait"
# `bench locks` has no preempted row of plain mutexes: a waiter costs as much as one that lends
# its priority.
WAITERS = {"none": "inherit"}
Noise = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class MeasuredOverheads:
    """The costs of each protocol of a run, and what other threads and interrupts take."""

    costs: Mapping[str, Costs]
    noise: Noise

    def of(self, protocol: str) -> Overheads:
        """Return the overheads of one protocol of a run."""
        return Overheads({ON_LINUX[protocol]: self.costs[protocol]}, self.noise)


def refuse_unmeasured(protocols: Iterable[str]) -> None:
    """Raise ArgumentError for a protocol of a run that has no row in `bench locks`."""
    for name in protocols:
        if name not in STOCK:
            raise ArgumentError(
                f"--overheads: {name} is not measured; expected protocols among {', '.join(STOCK)}"
            )


def measure_overheads(system: System) -> MeasuredOverheads:
    """Measure locks by `bench locks --quick`, and the noise on each CPU that the system uses."""
    report = measure_locks(quick=True)
    curves = [_noise(cpu) for cpu in range(system.cpus) if system.tasks_on(cpu)]
    return MeasuredOverheads(costs_of(report), worst_of(curves))


def costs_of(report: LocksReport) -> dict[str, Costs]:
    """Take the largest time of each row."""
    single = {row.lock: row for row in report.uncontended}
    nested = {row.lock: row for row in report.nested}
    preempted = {row.lock: 0.0 for row in report.preempted}
    for row in report.preempted:
        preempted[row.lock] = max(preempted[row.lock], row.ns_max)

    def costs(name: str) -> Costs:
        inside_ns = ceil(max(preempted[WAITERS.get(name, name)] - preempted[WAKE_UP], 0))
        return Costs(
            # An inner section costs what two nested ones cost beyond the outer one.
            pair_ns=ceil(max(single[name].ns_max, nested[name].ns_max - single[name].ns_min)),
            preempted_ns=inside_ns,
            # Where there is a ceiling the rows are of an arrival that passes by, too.
            disturbed_ns=inside_ns if STOCK[name] is Protocol.CEILING else 0,
            interrupt_ns=ceil(preempted[WAKE_UP]),  # a wake-up, whose parts are not measured apart
        )

    return {name: costs(name) for name in STOCK}


def worst_of(curves: list[Noise]) -> Noise:
    """Return the largest of several curves over the same windows."""
    return tuple(
        (window_ns, max(curve[place][1] for curve in curves))
        for place, (window_ns, _) in enumerate(curves[0])
    )


def _noise(cpu: int) -> Noise:
    program = find_program("linux/run/plafond-run")
    options = ["--noise", str(cpu), str(NOISE_SECONDS)]
    output = json.loads(run_program([program, *options], lambda _: None, LONGEST_SECONDS))
    return tuple((int(window_ns), int(stolen_ns)) for window_ns, stolen_ns in output["windows"])
