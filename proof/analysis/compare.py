# SPDX-License-Identifier: MIT
"""Set the bounds of the analysis beside what the simulator found.

Under fixed priorities the verdict of kept.py is compared, too: with deadlines at the bounds, and
with one below what a task can take.

Under EDF the verdict is compared too: a deadline can be missed if and only if the analysis
says so. Where a floor is given lower than the deadlines of its users, that is so of the
eager deadline floor, and the others may do better.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from statistics import median
from unittest.mock import patch

from plafond.analyse import kept_across
from plafond.analyse.analysis import analyse
from plafond.analyse.kept import FOLLOWED, keeps_deadlines
from plafond.analyse.model import AnalysisReport
from plafond.analyse.overheads import Overheads
from plafond.describe.system import System
from plafond.protocols import USERS_IN_WORD

from proof.analysis.sets import least_deadline
from proof.analysis.simulator import PLAIN, VARYING, WITH_COSTS, Explored, written

LEFT_OUT = ("states", "pending")
ENDLESS = ("deadlock", "unbounded")
LATE = "late"


@dataclass(frozen=True)
class Violation:
    """A bound that does not hold."""

    explored: Explored
    found: str

    def __str__(self) -> str:
        """Return it with the system, as the simulator reads it."""
        described = written(self.explored.system, self.explored.work, self.explored.word)
        return f"{self.explored.simulated}: {self.found}\n{described}"


@dataclass
class Tally:
    """All comparisons under one protocol of the simulator."""

    simulated: str
    sets: int = 0
    left_out: int = 0
    late: int = 0
    no_bound: int = 0
    states: int = 0
    violations: int = 0
    ratios: list[Fraction] = field(default_factory=list)  # bound to longest response
    without_sleeps: list[Fraction] = field(default_factory=list)  # those of such systems

    def add(self, explored: Explored, pairs: list[tuple[int | None, int]]) -> None:
        """Count one system."""
        self.sets += 1
        self.states += explored.states
        self.left_out += explored.verdict in LEFT_OUT
        self.late += explored.verdict == LATE
        self.no_bound += sum(bound is None for bound, _ in pairs)
        ratios = [Fraction(bound, response) for bound, response in pairs if bound]
        self.ratios += ratios
        if not any(task.sleeps_ns for task in explored.system.tasks):
            self.without_sleeps += ratios

    def row(self) -> dict[str, str | int | float]:
        """Return the tally under its headings."""
        return {
            "protocol": self.simulated,
            "sets": self.sets,
            "left out": self.left_out,
            "states": self.states,
            "tasks": len(self.ratios),
            "no bound": self.no_bound,
            "violations": self.violations,
            "exact": _exact(self.ratios),
            "without sleeps": _exact(self.without_sleeps),
            "median ratio": _rounded(median(self.ratios or [Fraction(0)])),
            "largest": _rounded(max(self.ratios, default=Fraction(0))),
        }

    def edf_row(self) -> dict[str, str | int | float]:
        """Return the tally of a protocol under EDF: there are no sleeps, and always bounds."""
        row = self.row()
        del row["without sleeps"], row["no bound"]
        return {**row, "late": self.late}


def _exact(ratios: list[Fraction]) -> str:
    """Return the share of bounds that are reached."""
    return f"{sum(ratio == 1 for ratio in ratios) / max(len(ratios), 1):.1%}"


def _rounded(ratio: Fraction) -> float:
    return round(float(ratio), 2)


def wrong_verdict(explored: Explored, report: AnalysisReport) -> str | None:
    """Return what is wrong with the verdict under EDF, of the bounds or of the demand."""
    for demand in report.demand:
        of_it = (row for row in report.rows if row.server == demand.server)
        kept = all(row.schedulable for row in of_it)
        # With jitter a job may be due sooner than its deadline: the demand asks for more.
        may_differ = any(task.jitter_ns for task in explored.system.tasks)
        if demand.schedulable != kept and not (kept and may_differ):
            return "the bounds and the demand do not say the same"
    kept = all(row.schedulable for row in report.rows)
    if kept and explored.verdict == LATE:
        return "schedulable, but late"
    if not kept and explored.verdict == "explored" and is_exact(explored):
        return "late, but never is"
    return None


def wrong_kept(
    explored: Explored, bounds: Sequence[int | None], overheads: Overheads | None
) -> str | None:
    """Return what is wrong with the verdict without bounds, where these are up to the intervals.

    With deadlines at the bounds all are kept; and not if one of them is below what the simulator
    saw. Sleeps, which the verdict leaves to the analysis, are left out.
    """
    tasks = explored.system.tasks
    ends = [bound for bound in bounds if bound is not None]
    if (
        explored.protocol not in (*FOLLOWED, *kept_across.FOLLOWED)
        or explored.kind not in (PLAIN, WITH_COSTS)
        or len(ends) < len(tasks)
        or any(task.sleeps_ns for task in tasks)
        or any(end > task.least_interval_ns for end, task in zip(ends, tasks, strict=True))
    ):
        return None

    def are_kept(deadlines: Sequence[int]) -> bool:
        due = zip(tasks, deadlines, strict=True)
        system = replace(
            explored.system,
            tasks=tuple(task.changed(deadline_ns=ns) for task, ns in due),
        )
        return keeps_deadlines(system, explored.protocol, overheads)

    if not are_kept(ends):
        return "deadlines at the bounds are not kept"
    for place, response in enumerate(explored.responses):
        if response > 1 and are_kept([*ends[:place], response - 1, *ends[place + 1 :]]):
            return f"{tasks[place].name}: a deadline below {response}, which it takes, is kept"
    return None


def is_exact(explored: Explored) -> bool:
    """Whether what the analysis calls late must be seen late: not with costs, which are most, and
    not in servers, whose least supply need not come.
    """
    if explored.kind not in (PLAIN, VARYING) or explored.work:
        return False
    return explored.simulated == "deadline-floor" or has_computed_floors(explored.system)


def has_computed_floors(system: System) -> bool:
    """Whether no floor is lower than it need be."""
    return all(r.floor == least_deadline(system.tasks, r.users) for r in system.resources)


def compare(explored: Explored, tally: Tally | None = None) -> Iterator[Violation]:
    """Yield every bound that the simulator exceeded, and a wrong verdict."""
    overheads = explored.work.overheads(explored.protocol) if explored.work else None
    with patch("plafond.describe.resource.USERS_IN_WORD", explored.word or USERS_IN_WORD):
        report = analyse(explored.system, [explored.protocol], overheads)
    bounds = [row.response_bound_ns for row in report.rows]  # in the order of the tasks
    for row in report.rows:
        if row.server in explored.cut and row.response_bound_ns is not None:
            found = f"{row.server} is cut, but {row.task} has the bound {row.response_bound_ns}"
            yield Violation(explored, found)
    wrong = wrong_verdict(explored, report)
    if wrong:
        yield Violation(explored, wrong)
    wrong = wrong_kept(explored, bounds, overheads)
    if wrong:
        yield Violation(explored, wrong)
    if explored.verdict in ENDLESS and None not in bounds:
        yield Violation(explored, f"{explored.verdict}, but every task has a bound: {bounds}")
    # A deadlock takes every bound with it; without one, every task was followed to its end.
    pairs = list(zip(bounds, explored.responses, strict=False))
    if tally:
        tally.add(explored, pairs)
    for task, (bound, response) in zip(explored.system.tasks, pairs, strict=False):
        if bound is not None and bound < response:
            yield Violation(explored, f"{task.name}: bound {bound}, but it can take {response}")


def compare_all(results: Iterable[Explored], tallies: dict[str, Tally]) -> Iterator[Violation]:
    """The same for all results, counted by protocol."""
    for explored in results:
        tally = tallies[explored.simulated + explored.kind]
        for violation in compare(explored, tally):
            tally.violations += 1
            yield violation
