# SPDX-License-Identifier: MIT
"""Measure the overheads on this machine that a bound can include."""

import json
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import Any

from plafond.analyse.overheads import Costs, GlobalMutex, Overheads
from plafond.bench.cpmd.largest import measure_caches
from plafond.bench.locks import QUICK_REPETITIONS, run_locks
from plafond.bench.samples import Sample, collect
from plafond.describe.system import System
from plafond.errors import ArgumentError, PlafondError
from plafond.programs import find_program, run_program
from plafond.progress import progress_by_step
from plafond.protocols import Protocol, analysed, names_of
from plafond.trace.outside import LONGEST_OWN_NS

SECONDS = {"noise": 4, "wake-ups": 1}
LONGEST_SECONDS = 30.0

GROUPS = ("pair", "nested", "preempted")  # groups of rows of `bench locks`
ACROSS = "handover"  # a further group, if users of a resource are on several CPUs
GLOBAL_MUTEX = "plafond-global"
WAKE_UP = "no-lock-sem_wait"
# `bench locks` has no preempted row for plain mutexes. Their waiter costs as much as a waiter that
# lends its priority.
WAITERS = {"none": "inherit"}
Noise = tuple[tuple[int, int], ...]


class Timed(typing.Protocol):
    """A row of a lock."""

    @property
    def lock(self) -> str:
        """Return the name."""

    @property
    def ns_min(self) -> float:
        """Return the shortest time."""

    @property
    def ns_max(self) -> float:
        """Return the longest time."""


@dataclass(frozen=True)
class MeasuredOverheads:
    """The costs of each protocol of a run, and the time of other threads and interrupts."""

    costs: Mapping[str, Costs]
    noise: Noise
    short_noise: Noise  # only from gaps up to LONGEST_OWN_NS
    global_mutex: GlobalMutex | None = None  # None: no resource is global
    caches_ns: Mapping[str, int] = field(default_factory=dict)  # by task with a working set

    def of(self, protocol: str) -> Overheads:
        """Return the overheads of a protocol of a run."""
        costs = {analysed(protocol): self.costs[protocol]}
        return Overheads(
            costs,
            self.noise,
            short_noise=self.short_noise,
            global_mutex=self.global_mutex,
            caches_ns=self.caches_ns,
        )


def refuse_unmeasured(protocols: Iterable[str]) -> None:
    """Raise ArgumentError for a protocol that has no row in `bench locks`."""
    measured = names_of(lambda row: row.is_stock)
    for name in protocols:
        if name not in measured:
            expected = f"protocols among {', '.join(measured)}"
            raise ArgumentError(f"--overheads: {name} is not measured; expected {expected}")


def measure_overheads(system: System, before: Sequence[str | Path] = ()) -> MeasuredOverheads:
    """Measure locks as `bench locks --quick` does, and wake-ups and noise on each CPU in use.

    `before`: words to put before each measuring command, such as a recorder.
    """
    groups = (*GROUPS, ACROSS) if system.global_resources else GROUPS
    samples = collect(run_locks(QUICK_REPETITIONS, groups, before).benchmarks)
    cpus = [cpu for cpu in range(system.cpus) if system.tasks_on(cpu)]
    wake_ups, heard = (_listen_on(cpus, what, before) for what in ("wake-ups", "noise"))
    wake_up_ns = max(longest_own_ns(each["wake_ups_ns"]) for each in wake_ups)
    return MeasuredOverheads(
        costs_of(samples, wake_up_ns),
        worst_of([_curve(each["windows"]) for each in heard]),
        worst_of([_curve(each["of_gaps_up_to"][str(LONGEST_OWN_NS)]) for each in heard]),
        global_mutex_of(samples) if system.global_resources else None,
        measure_caches(system),
    )


def longest_own_ns(wake_ups_ns: Sequence[int]) -> int:
    """Return the longest wake-up without a disturbance by the host, else the shortest of all.

    PlafondError if there are no wake-ups.
    """
    if not wake_ups_ns:
        raise PlafondError("no thread woke up in the time of the measurement")
    return max((each for each in wake_ups_ns if each <= LONGEST_OWN_NS), default=min(wake_ups_ns))


def costs_of(samples: Sequence[Sample], wake_up_ns: int) -> dict[str, Costs]:
    """Return the costs from the largest time of each row; `wake_up_ns`: a wake-up by a timer.

    In the rows a thread wakes another thread. In a run timers wake the tasks, so a wake-up also
    costs an interrupt and the next timer.
    """
    pairs, nested_pairs, sections = (
        [row for row in samples if row.group == group] for group in GROUPS
    )
    return costs_of_rows(pairs, nested_pairs, sections, wake_up_ns)


def costs_of_rows(
    pairs: Iterable[Timed],
    nested_pairs: Iterable[Timed],
    sections: Iterable[Timed],
    wake_up_ns: int,
) -> dict[str, Costs]:
    """Return the costs from the rows of uncontended, nested and preempted sections."""
    single, nested = ({row.lock: row for row in rows} for rows in (pairs, nested_pairs))
    preempted: dict[str, float] = {}
    for row in sections:
        preempted[row.lock] = max(preempted.get(row.lock, 0.0), row.ns_max)

    def costs(name: str) -> Costs:
        inside_ns = ceil(max(preempted[WAITERS.get(name, name)] - preempted[WAKE_UP], 0))
        return Costs(
            # An inner section costs the difference of two nested sections and the outer section.
            pair_ns=ceil(max(single[name].ns_max, nested[name].ns_max - single[name].ns_min)),
            preempted_ns=inside_ns,
            # Under a ceiling the rows include an arrival that passes by.
            disturbed_ns=inside_ns if analysed(name) is Protocol.CEILING else 0,
            # A whole wake-up, because its parts are not measured separately.
            interrupt_ns=max(ceil(preempted[WAKE_UP]), wake_up_ns),
        )

    return {name: costs(name) for name in names_of(lambda row: row.is_stock)}


def global_mutex_of(samples: Sequence[Sample]) -> GlobalMutex:
    """Return the largest times of a mutex across CPUs; a hand-over excludes its section."""
    own = [row for row in samples if row.lock == GLOBAL_MUTEX]
    return GlobalMutex(
        pair_ns=ceil(max(row.ns_max for row in own if row.group == "pair")),
        handover_ns=ceil(max(row.ns_max - int(row.case) for row in own if row.group == ACROSS)),
    )


def global_mutex_of_rows(pairs: Iterable[Timed], handovers: Iterable[Timed]) -> GlobalMutex | None:
    """Return the same from rows whose hand-overs exclude their sections already.

    None if there are no such rows, because a machine with one CPU has no hand-over.
    """
    pairs_ns, handovers_ns = (
        [row.ns_max for row in rows if row.lock == GLOBAL_MUTEX] for rows in (pairs, handovers)
    )
    if not (pairs_ns and handovers_ns):
        return None
    return GlobalMutex(pair_ns=ceil(max(pairs_ns)), handover_ns=ceil(max(handovers_ns)))


def worst_of(curves: list[Noise]) -> Noise:
    """Return at each window the largest value of several curves, which have the same windows."""
    return tuple(
        (window_ns, max(curve[place][1] for curve in curves))
        for place, (window_ns, _) in enumerate(curves[0])
    )


def _curve(windows: Iterable[Sequence[int]]) -> Noise:
    return tuple((window_ns, stolen_ns) for window_ns, stolen_ns in windows)


def _listen_on(
    cpus: Sequence[int], what: str, before: Sequence[str | Path]
) -> list[dict[str, Any]]:
    """Return the output of plafond-run for each CPU, with progress."""
    with progress_by_step(f"measuring {what}", len(cpus)) as step:
        heard = []
        for done, cpu in enumerate(cpus):
            step(f"measuring {what} on CPU {cpu}", done)
            heard.append(_listen(what, cpu, before))
        return heard


def _listen(what: str, cpu: int, before: Sequence[str | Path]) -> dict[str, Any]:
    """Return the output of plafond-run for a CPU; `what`: the name of its option."""
    program = find_program("linux/run/plafond-run")
    options = [f"--{what}", str(cpu), str(SECONDS[what])]
    heard: dict[str, Any] = json.loads(
        run_program([*before, program, *options], lambda _: None, LONGEST_SECONDS)
    )
    return heard
