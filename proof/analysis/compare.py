# SPDX-License-Identifier: MIT
"""Compare the bounds of the analysis with the findings of the simulator.

Under fixed priorities the verdict of kept.py is compared, too: with deadlines equal to the bounds,
and with a deadline below a response that the simulator found.

Under EDF a deadline can be missed if, and only if, the analysis says so. A floor may be lower than
the deadlines of its users. Then this equivalence holds for the eager deadline floor only, because
other protocols may do better.
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
    """A wrong bound or a wrong verdict."""

    explored: Explored
    found: str

    def __str__(self) -> str:
        """Return the finding with the system in the simulator's format."""
        described = written(self.explored.system, self.explored.work, self.explored.word)
        return f"{self.explored.simulated}: {self.found}\n{described}"


@dataclass
class Tally:
    """The comparisons under a protocol of the simulator."""

    simulated: str
    sets: int = 0
    left_out: int = 0
    late: int = 0
    no_bound: int = 0
    states: int = 0
    violations: int = 0
    ratios: list[Fraction] = field(default_factory=list)  # of the bounds to the longest responses
    without_sleeps: list[Fraction] = field(default_factory=list)  # of such systems

    def add(self, explored: Explored, pairs: list[tuple[int | None, int]]) -> None:
        """Count a system."""
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
        """Return the tally under EDF, without the columns of sleeps and missing bounds."""
        row = self.row()
        del row["without sleeps"], row["no bound"]
        return {**row, "late": self.late}


def _exact(ratios: list[Fraction]) -> str:
    """Return the share of bounds that are reached."""
    return f"{sum(ratio == 1 for ratio in ratios) / max(len(ratios), 1):.1%}"


def _rounded(ratio: Fraction) -> float:
    return round(float(ratio), 2)


def wrong_verdict(explored: Explored, report: AnalysisReport) -> str | None:
    """Return the error in the verdict under EDF, of the bounds or of the demand; None if right."""
    for demand in report.demand:
        of_it = (row for row in report.rows if row.server == demand.server)
        kept = all(row.schedulable for row in of_it)
        # With jitter the demand may be higher, because it counts a job as due before its deadline.
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
    """Return the error in the verdict without bounds, or None. The bounds must be within the
    intervals.

    With deadlines equal to the bounds, the verdict must accept the system. With a deadline below a
    response of the simulator, it must reject it. Systems with sleeps are left out, because the
    verdict leaves them to the analysis.
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
    """Whether a job must be seen late if the analysis calls it late.

    This is not so with costs, because the analysis counts their maximum. Nor is it so in servers,
    because their least supply may not occur.
    """
    if explored.kind not in (PLAIN, VARYING) or explored.work:
        return False
    return explored.simulated == "deadline-floor" or has_computed_floors(explored.system)


def has_computed_floors(system: System) -> bool:
    """Whether no floor is lower than its users need."""
    return all(r.floor == least_deadline(system.tasks, r.users) for r in system.resources)


def compare(explored: Explored, tally: Tally | None = None) -> Iterator[Violation]:
    """Yield each bound that the simulator exceeded, and each wrong verdict."""
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
    # A deadlock has no responses. Without a deadlock, every task was followed to its end.
    pairs = list(zip(bounds, explored.responses, strict=False))
    if tally:
        tally.add(explored, pairs)
    for task, (bound, response) in zip(explored.system.tasks, pairs, strict=False):
        if bound is not None and bound < response:
            yield Violation(explored, f"{task.name}: bound {bound}, but it can take {response}")
    ends = [row.end_to_end_ns for row in report.rows if row.end_to_end_ns is not None]
    if ends and max(ends) < explored.end_to_end:
        found = f"end to end {max(ends)}, but it can take {explored.end_to_end}"
        yield Violation(explored, found)


def compare_all(results: Iterable[Explored], tallies: dict[str, Tally]) -> Iterator[Violation]:
    """Compare all results, and count them by protocol."""
    for explored in results:
        tally = tallies[explored.simulated + explored.kind]
        for violation in compare(explored, tally):
            tally.violations += 1
            yield violation
