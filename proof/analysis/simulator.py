# SPDX-License-Identifier: MIT
"""Run the simulator (simulate.c) on many systems, with one process a CPU."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from plafond.describe.body import Activate
from plafond.describe.kernel import Scheduler
from plafond.describe.system import Lock, Run, Sleep, Step, System, Task, Unlock
from plafond.protocols import Protocol

from proof.analysis.costs import KernelWork
from proof.result import CouldNotRunError

CHUNK = 25  # systems for each run of the program
# Kinds of systems.
PLAIN, BY_CPU, WITH_COSTS, IN_SERVERS = "", ", by CPU", ", with costs", ", in servers"
WITH_THRESHOLDS = ", with thresholds"
SHARED = ", shared by servers"
VARYING = ", varying"  # ranges and release jitter
CHAINED, PHASED = ", with chains", ", in phase"  # tasks that others activate, and offsets

# The simulator's protocols, with the analysis that covers each of them.
SIMULATED = {
    "ceiling": Protocol.CEILING,
    "inherit": Protocol.INHERIT,
    "none": Protocol.NONE,
    "deadline-floor": Protocol.FLOOR,
    "lazy-floor": Protocol.FLOOR,
    "stack": Protocol.FLOOR,
    "mpcp": Protocol.MPCP,
    "msrp": Protocol.MSRP,
    "spin-priority": Protocol.SPIN_PRIORITY,
}


@dataclass(frozen=True)
class Explored:
    """The simulator's result for a system under a protocol."""

    system: System
    simulated: str
    verdict: str  # explored, states, pending, deadlock, unbounded, late or ended
    states: int
    responses: tuple[int, ...]  # in the order of the tasks, if explored
    end_to_end: int  # the longest time from an arrival of a chain to its end, or 0
    work: KernelWork | None = None  # None: the kernel's work takes no time
    word: int | None = None  # users that a word holds; None: all
    # Servers whose overrun a replenishment cut, or whose section did not end within the budget.
    cut: tuple[str, ...] = ()

    @property
    def protocol(self) -> Protocol:
        """The protocol of the analysis that covers this result."""
        return SIMULATED[self.simulated]

    @property
    def kind(self) -> str:
        """The kind of the system, by its servers, words, thresholds, ranges and costs."""
        if self.system.resources_of_servers:
            return SHARED
        if self.system.servers:
            return IN_SERVERS
        if self.word:
            return BY_CPU
        if any(task.interval is None for task in self.system.tasks):
            return CHAINED
        if any(task.offset_ns for task in self.system.tasks):
            return PHASED
        if any(task.internal or not task.is_preemptable for task in self.system.tasks):
            return WITH_THRESHOLDS
        if any(task.jitter_ns or task.has_ranges for task in self.system.tasks):
            return VARYING
        return WITH_COSTS if self.work else PLAIN


def simulate(
    program: Path,
    systems: Sequence[System],
    states: int,
    jobs: int,
    works: Mapping[str, KernelWork] | None = None,
    word: int | None = None,
) -> Iterator[Explored]:
    """Explore every system under every protocol of its scheduler, in order.

    `works`: the kernel's work by the names of systems. `word`: the users that a word holds; with
    it, only MPCP is explored.
    """
    works = works or {}
    chunks = [systems[start : start + CHUNK] for start in range(0, len(systems), CHUNK)]
    pool = ThreadPoolExecutor(jobs)
    try:
        for explored in pool.map(
            lambda chunk: _explore(program, chunk, states, works, word), chunks
        ):
            yield from explored
    finally:  # also on Ctrl-C, which ends the running processes, too
        pool.shutdown(cancel_futures=True)


def _explore(
    program: Path,
    systems: Sequence[System],
    states: int,
    works: Mapping[str, KernelWork],
    word: int | None,
) -> list[Explored]:
    done = subprocess.run(
        [program, str(states)],
        input="".join(written(each, works.get(each.name), word) for each in systems),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise CouldNotRunError(done.stderr.strip() or f"simulate exited with {done.returncode}")
    named = {system.name: system for system in systems}
    read = (_read(line.split(), named, works) for line in done.stdout.splitlines())
    return [replace(explored, word=word) for explored in read]


def _read(words: list[str], named: dict[str, System], works: Mapping[str, KernelWork]) -> Explored:
    name, simulated, verdict, states, bits, *responses = words
    *times, end_to_end = map(int, responses or ["0"])
    system = named[name]
    cut = tuple(server.name for n, server in enumerate(system.servers) if int(bits) >> n & 1)
    work = works.get(name)
    return Explored(
        system, simulated, verdict, int(states), tuple(times), end_to_end, work, cut=cut
    )


def _are_aligned(system: System) -> bool:
    """Whether all arrivals must fall on multiples of the servers' period."""
    periodic = (task.interval and task.interval.is_periodic for task in system.tasks)
    return bool(system.servers) and all(periodic)


def written(system: System, work: KernelWork | None = None, word_holds: int | None = None) -> str:
    """Return a system in the simulator's format: see taskset.h."""
    entered = [resource for resource in system.resources if not resource.internal]
    index = {resource.name: str(n) for n, resource in enumerate(entered)}
    number = {task.name: str(n) for n, task in enumerate(system.tasks)}

    def word(step: Step) -> str:
        match step:
            case Run(duration_ns, None):
                return f"r{duration_ns}"
            case Run(most_ns, least_ns):
                return f"r{least_ns}-{most_ns}"
            case Sleep(duration_ns):
                return f"s{duration_ns}"
            case Lock(resource):
                return f"l{index[resource]}"
            case Unlock(resource):
                return f"u{index[resource]}"
            case Activate(task):
                return f"a{number[task]}"
        raise ValueError(step)

    is_edf, is_across = system.scheduler is Scheduler.EDF, system.cpus > 1
    server_of = {server.name: str(n) for n, server in enumerate(system.servers)}

    def place(task: Task) -> str:
        if task.server:
            return f"{server_of[task.server]} "
        return f"{task.cpu} " if is_across else ""

    def interval(task: Task) -> str:
        if task.interval is None:
            return "-"
        if task.interval.is_periodic and not system.servers:
            return f"{task.least_interval_ns}@{task.offset_ns % task.least_interval_ns}"
        jitter = f"+{task.jitter_ns}" if task.jitter_ns else ""
        return f"{task.least_interval_ns}{jitter}"

    lines = [f"{'edf' if is_edf else 'across' if is_across else 'set'} {system.name}"]
    lines += [work.line()] if work else []
    lines += [f"word {word_holds}"] if word_holds else []
    lines += ["aligned"] if _are_aligned(system) else []
    lines += [
        f"server {each.kind} {each.period_ns} {each.budget_ns} {each.start_ns or 0} "
        f"{each.sharing or 'none'} {each.hold_ns or 0}"
        for each in system.servers
    ]

    def urgency(task: Task) -> str:
        if is_edf:
            return str(task.deadline_from_release_ns)
        ceilings = [r.ceiling for r in system.resources if r.name == task.internal]
        if not task.is_preemptable:
            ceilings = [other.priority for other in system.tasks]
        return "/".join(map(str, [task.priority, *ceilings[:1]]))

    lines += [
        f"resource {r.floor if is_edf else r.ceiling}" for r in system.resources if not r.internal
    ]
    lines += [
        f"task {urgency(task)} {interval(task)} {place(task)}{' '.join(map(word, task.body))}"
        for task in system.tasks
    ]
    return "\n".join([*lines, "end", ""])
