# SPDX-License-Identifier: MIT
"""The sets of OSPERT 2010, 5, Table I, run on Linux and on Plafond's own kernel.

They are those of `plafond bench kernel`, with a longer unit on Linux: there a thread takes some
microseconds until it comes to its work.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from plafond.bench.kernel.asberg import (
    UNIT_US,
    calls_of,
    paper_calls,
    run_set,
    set_arrivals,
    set_system,
)
from plafond.describe import System
from plafond.describe.server import Sharing
from plafond.run.job import Job
from plafond.run.plan import limit_ns, plan_text
from plafond.run.vm import run_in_guest
from plafond.servers.model import Counts, Manager, SetRow
from plafond.trace.model import Kind, ManagerTrace, ServerEventKind, Trace
from plafond.vm.guest import Guest

POLICIES = (Sharing.SKIP, Sharing.OVERRUN_PAYBACK, Sharing.OVERRUN)
PROTOCOL = "plafond"
LONGER = 10
UNIT_NS = UNIT_US * 1000 * LONGER


class Case(NamedTuple):
    """A set, by its seed, under a policy."""

    seed: int
    policy: Sharing


def cases_of(seeds: Sequence[int]) -> list[Case]:
    """Return each set under each policy, in the order of the rows."""
    return [Case(seed, policy) for seed in seeds for policy in POLICIES]


def run_on_linux(cases: Sequence[Case]) -> list[Trace]:
    """Run them one after the other in one virtual machine."""
    with TemporaryDirectory(prefix="plafond-servers-") as scratch:
        systems = [set_system(*case, Path(scratch)).scaled(Fraction(LONGER)) for case in cases]
    return [outcome.trace for outcome in run_in_guest(map(_job, systems), Guest())]


def _job(system: System) -> Job:
    arrivals = set_arrivals(system)
    longest_ns = limit_ns(system, arrivals)
    return Job(system.name, plan_text(system, PROTOCOL, arrivals), longest_ns, longest_ns)


def set_row(case: Case, on_linux: Trace) -> SetRow:
    """Run the set on the kernel, too, and return its row."""
    return SetRow(
        number=case.seed + 1,
        policy=case.policy,
        paper_locks=paper_calls(case.seed, "locks", case.policy),
        paper_scheduler=paper_calls(case.seed, "scheduler", case.policy),
        linux=counts_on_linux(on_linux),
        kernel=counts_on_kernel(run_set(*case)),
        manager=manager_of(on_linux),
    )


# ---- What a run was ------------------------------------------------------------------------------


def counts_on_kernel(trace: Trace) -> Counts:
    """Count what a run in virtual time did."""
    return _counts(trace, calls_of(trace).scheduler)


def counts_on_linux(trace: Trace) -> Counts:
    """Count what a run on Linux did."""
    return _counts(trace, sum(manager.calls for manager in _managers(trace)))


def _counts(trace: Trace, scheduler: int) -> Counts:
    steps = [event.kind for task in trace.tasks for event in task.events]
    events = [event.kind for server in trace.servers for event in server.events]
    return Counts(
        locks=steps.count(Kind.GRANT) + steps.count(Kind.UNLOCK),
        scheduler=scheduler,
        failed_tests=steps.count(Kind.AWAIT),
        overruns=events.count(ServerEventKind.OVERRUN),
        paybacks=events.count(ServerEventKind.PAYBACK),
        kept_out=events.count(ServerEventKind.KEEP_OUT),
        calls=sum(task.lock_calls or 0 for task in trace.tasks),
    )


def _managers(trace: Trace) -> Iterator[ManagerTrace]:
    """What each server's trace has of the manager."""
    return (server.manager for server in trace.servers if server.manager)


def manager_of(trace: Trace) -> Manager:
    """Return what the manager of the one CPU did, from when the periods of all servers began.

    Servers begin one after the other, each with a decision. So that is in what the last one has.
    """
    managers = list(_managers(trace))
    events = [event.kind for server in trace.servers for event in server.events]
    return Manager(
        periods=events.count(ServerEventKind.REPLENISH),
        decisions=managers[-1].decisions,
        busy_ns=managers[-1].busy_ns,
        run_ns=max(task.events[-1].time_ns for task in trace.tasks if task.events),
        priority_changes=managers[-1].priority_changes,
        latest_ns=max(manager.latest_ns for manager in managers),
    )
