# SPDX-License-Identifier: MIT
"""Count the drawn sets that each alternative can schedule.

Cache delay (OSPERT 2010, 4, Section 5): each job preempts at most one other job, on arrival. So the
reload of the preempted job is added to the run time of the preempting job. The overhead of the
switches to a job and back is added in the same way. If tasks share resources, both are overheads of
the analysis, because it accounts for further switches. All alternatives are asked about the same
sets in the same cases.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from plafond.analyse.kept import keeps_deadlines
from plafond.analyse.multiprocessor import packing
from plafond.analyse.multiprocessor.task_set import TaskSet
from plafond.analyse.overheads import Overheads
from plafond.describe.server import Sharing
from plafond.describe.study import APART, Case, Deadlines, Servers, Study
from plafond.describe.system import System
from plafond.protocols import Protocol, analysed
from plafond.studies.costs import KnownCosts, with_case
from plafond.studies.draw import Uses, draw_periods_ns, draw_set, draw_uses, stream
from plafond.studies.placing import apart, spread
from plafond.studies.serving import have_time_to_hold, served
from plafond.studies.sharing import system_of

Verdicts = Iterator[bool]  # of the alternatives, in order


@dataclass(frozen=True)
class Chunk:
    """Some of the sets of a utilisation."""

    study: Study
    utilisation: Fraction
    numbers: range
    costs: KnownCosts | None = None  # None: locks cost nothing


@dataclass(frozen=True)
class Counts:
    """The tasks of some sets, and by case and alternative the number of schedulable sets."""

    tasks: int
    schedulable: tuple[tuple[int, ...], ...]

    def __add__(self, other: "Counts") -> "Counts":
        """Return the sums."""
        rows = zip(self.schedulable, other.schedulable, strict=True)
        sums = tuple(tuple(map(sum, zip(*pair, strict=True))) for pair in rows)
        return Counts(self.tasks + other.tasks, sums)


def count(chunk: Chunk) -> Counts:
    """Draw the sets of a chunk and test them."""
    study = chunk.study
    tasks = 0
    found = [[0] * len(study.compared) for _ in study.cases]
    for number in chunk.numbers:
        random = stream(study, chunk.utilisation, number)
        drawn = draw_set(study, chunk.utilisation, random)
        tasks += len(drawn)
        for row, verdicts in zip(found, _verdicts(chunk, drawn, random), strict=True):
            for place, can_take in enumerate(verdicts):
                row[place] += can_take
    return Counts(tasks, tuple(map(tuple, found)))


def _verdicts(chunk: Chunk, drawn: TaskSet, random: Random) -> Iterator[Verdicts]:
    """Yield the verdicts of each case."""
    if chunk.study.sections:
        return _of_protocols(chunk, drawn, random)
    return _of_clusters(chunk.study, drawn)


def _of_clusters(study: Study, drawn: TaskSet) -> Iterator[Verdicts]:
    can_take = packing.bounded if study.deadlines is Deadlines.SOFT else packing.hard
    clusters = [(study.cpus // each.cpus, each.cpus) for each in study.clusters]
    for case in study.cases:
        slowed = drawn.inflated(case.cache_ns + (case.overhead_ns or 0))
        yield (can_take(slowed, *cluster) for cluster in clusters)


def _of_protocols(chunk: Chunk, drawn: TaskSet, random: Random) -> Iterator[Verdicts]:
    """Yield the verdicts of protocols; uses are drawn once for all cases."""
    study = chunk.study
    assert study.sections
    uses = draw_uses(len(drawn), study.sections.resources, random)
    if study.servers:
        yield from _of_servers(study, study.servers, drawn, uses, random)
        return
    overheads = chunk.costs.overheads if chunk.costs else {}
    for case in study.cases:
        system = system_of(study, drawn, uses, case)
        placed = {False: spread(system), True: apart(system)} if study.cpus > 1 else {}
        yield (
            _keeps(study, name, placed.get(name == APART, system), overheads.get(name), case)
            for name in study.compared
        )


def _of_servers(
    study: Study, servers: Servers, drawn: TaskSet, uses: Uses, random: Random
) -> Iterator[Verdicts]:
    """Yield the verdicts of policies; periods of servers are drawn once for all cases."""
    periods_ns = draw_periods_ns(servers, random)
    for case in study.cases:
        system = system_of(study, drawn, uses, case)
        budget = servers.budget if case.budget is None else case.budget
        assert budget is not None
        ways = [served(system, periods_ns, budget, Sharing(way)) for way in study.compared]
        yield (have_time_to_hold(way) and keeps_deadlines(way, Protocol.CEILING) for way in ways)


def _keeps(
    study: Study, name: str, system: System, overheads: Overheads | None, case: Case
) -> bool:
    """Return the verdict; without global resources, the protocol for a single CPU is analysed."""
    protocol = analysis_of(name, across_cpus=study.cpus > 1)
    asked = protocol if system.global_resources else protocol.on_one_cpu
    return keeps_deadlines(system, asked, with_case(system, asked, overheads, case))


def analysis_of(name: str, *, across_cpus: bool) -> Protocol:
    """Return the analysis of an alternative: a protocol of the analysis, or a target's."""
    if name == APART:
        return Protocol.CEILING
    return Protocol(name) if name in [*Protocol] else analysed(name, across_cpus=across_cpus)
