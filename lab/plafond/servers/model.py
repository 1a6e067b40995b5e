# SPDX-License-Identifier: MIT
"""The report of `plafond bench servers`; its JSON is the output of `--format json`."""

from typing import Annotated

from plafond.bench.model import Part, Target
from plafond.rows import Column


class Conditions(Part):
    """Under which the figures hold."""

    kernel: str  # of Linux
    unit_ns: int  # of the sets, on Linux
    notes: list[str]


class Counts(Part):
    """What happened in a run of a set, on Linux or on Plafond's own kernel."""

    locks: int  # calls of lock and unlock
    scheduler: int  # of servers, called by an unlock
    failed_tests: int  # of budgets, by a lock
    overruns: int
    paybacks: int
    kept_out: int  # servers, by a section of another one
    calls: int  # of the kernel by the tasks: of Linux, those that have to do with locks and gates

    @property
    def other_calls(self) -> int:
        """Calls of Linux at the gates of servers and of sections, by threads that wake up."""
        return self.calls - self.scheduler - self.failed_tests


class Manager(Part):
    """What the manager of the servers did in a run on Linux."""

    periods: int  # of all servers
    decisions: int
    busy_ns: int
    run_ns: int
    priority_changes: int
    latest_ns: int


class SetRow(Part):
    """A set of Table I under a policy."""

    number: int
    policy: str
    paper_locks: int | None  # None: the paper has none for that policy
    paper_scheduler: int | None
    linux: Counts
    kernel: Counts
    manager: Manager


class SectionRow(Part):
    """A section without contention in the more urgent of two servers, in instructions."""

    # "own": of that server alone; else of both, by the policy of the servers.
    resource: Annotated[str, Column("resource")]
    enter: Annotated[float, Column("enter", format="g")]
    leave: Annotated[float, Column("leave", format="g")]
    pair: Annotated[float, Column("both in a row", format="g")]  # both in a row
    pair_median: float
    system_calls: Annotated[float, Column("system calls", format="g")]


class ServersReport(Part):
    """All of `plafond bench servers`."""

    conditions: Conditions
    sets: list[SetRow]
    sections: list[SectionRow]
    targets: list[Target]
