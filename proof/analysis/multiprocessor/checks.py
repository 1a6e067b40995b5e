# SPDX-License-Identifier: MIT
"""Compare the answers of each test about small sets with the schedules of the sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from types import ModuleType

from plafond.analyse.multiprocessor import baruah, bcl, gfb, one_cpu, packing, soft, union
from plafond.analyse.multiprocessor.task_set import TaskSet

from proof.analysis.multiprocessor.explore import Task, Way, explore, lateness
from proof.analysis.multiprocessor.sets import global_sets, one_cpu_sets, packed_sets, soft_sets

MOST_STATES = 20_000
UNITS = 240  # of a run with soft deadlines: many times the least common multiple of intervals
CPUS = 2

Set = Sequence[Task]


@dataclass(frozen=True)
class Answer:
    """The answer of a test, and the error in it, if any."""

    is_accepted: bool
    is_late: bool | None  # whether some job can be late; None: too many states
    states: int
    wrong: str | None

    @property
    def is_left_out(self) -> bool:
        """Whether there were too many states for a verdict."""
        return self.is_late is None and self.states > 0


@dataclass(frozen=True)
class Check:
    """A test in a module of the lab, and the sets of which it is asked."""

    name: str
    module: ModuleType
    scope: str
    draw: Callable[[int, int], list[list[Task]]]
    answer: Callable[[ModuleType, Set], Answer]


@cache
def explored(tasks: tuple[Task, ...], cpus: int) -> Way:
    """Explore a set once."""
    return explore(tasks, cpus, MOST_STATES)


def _sufficient(module: ModuleType, tasks: Set, cpus: int) -> Answer:
    way = explored(tuple(tasks), cpus)
    is_accepted = module.is_schedulable(TaskSet.of(tasks), cpus)
    wrong = "accepted, and a job can be late" if is_accepted and way.is_late else None
    return Answer(is_accepted, way.is_late, way.states, wrong)


def _exact(module: ModuleType, tasks: Set, cpus: int) -> Answer:
    answer = _sufficient(module, tasks, cpus)
    if answer.wrong or answer.is_accepted or answer.is_late is not False:
        return answer
    return Answer(False, False, answer.states, "rejected, and no job can be late")


def _packed(module: ModuleType, tasks: Set, clusters: int, cpus: int) -> Answer:
    """Explore each cluster separately."""
    test = one_cpu.is_schedulable if cpus == 1 else union.is_schedulable
    packed = module.pack(TaskSet.of(tasks), clusters, cpus, test)
    if packed is None:
        return Answer(False, None, 0, None)
    if sorted(place for part in packed for place in part) != list(range(len(tasks))):
        return Answer(True, None, 0, "accepted, and a task has no cluster, or several")
    ways = [explored(tuple(tasks[place] for place in part), cpus) for part in packed if part]
    is_late = any(way.is_late for way in ways)
    if not is_late and any(way.is_late is None for way in ways):
        return Answer(True, None, sum(way.states for way in ways), None)
    wrong = "accepted, and a job can be late in its cluster" if is_late else None
    return Answer(True, is_late, sum(way.states for way in ways), wrong)


def _soft(module: ModuleType, tasks: Set) -> Answer:
    """Run with all first arrivals together, and with first arrivals a unit apart."""
    is_accepted = module.is_schedulable(TaskSet.of(tasks), CPUS)
    bounds = _tardiness(tasks)
    is_late = grows = False
    for offsets in ([0] * len(tasks), list(range(len(tasks)))):
        for late, bound in zip(lateness(tasks, CPUS, offsets, UNITS), bounds, strict=True):
            half = len(late) // 2
            is_late = is_late or max(late) > bound
            grows = grows or max(late[half:]) > max(late[:half], default=0)
    wrong = None
    if is_accepted and is_late:
        wrong = "accepted, and a job is later than the bound"
    elif not is_accepted and not grows:
        wrong = "rejected, and no job is later than those before"
    return Answer(is_accepted, is_late, UNITS, wrong)


def _tardiness(tasks: Set) -> list[Fraction]:
    """Return the bounds of Devi and Anderson, for two processors."""
    costs = sorted(task.cost for task in tasks)
    return [Fraction(costs[-1] - costs[0], CPUS) + task.cost for task in tasks]


CHECKS = (
    *(
        Check(module.__name__.rpartition(".")[2], module, "global, two CPUs", global_sets, answer)
        for module, answer in (
            (gfb, partial(_sufficient, cpus=CPUS)),
            (bcl, partial(_sufficient, cpus=CPUS)),
            (baruah, partial(_sufficient, cpus=CPUS)),
        )
    ),
    Check("one_cpu", one_cpu, "one CPU", one_cpu_sets, partial(_exact, cpus=1)),
    Check("partitioned", packing, "two CPUs", packed_sets, partial(_packed, clusters=2, cpus=1)),
    Check(
        "clustered", packing, "two of two CPUs", packed_sets, partial(_packed, clusters=2, cpus=2)
    ),
    Check("soft", soft, "global, two CPUs", soft_sets, _soft),
)
