# SPDX-License-Identifier: MIT
"""Measure the costs of servers on Linux with the scenes of server_scenes.py.

They run on this machine, or in a guest. A guest whose time counts instructions is measured once,
and the result is kept.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from plafond.analyse.overheads import ServerCosts
from plafond.bench.overheads import longest_own_ns
from plafond.describe.linux import END_OF_BANDS
from plafond.describe.system import System
from plafond.errors import ArgumentError, PlafondError
from plafond.run.arrivals import draw_arrivals
from plafond.run.job import Job, Outcome
from plafond.run.kept import Kept
from plafond.run.linux import run_here
from plafond.run.plan import limit_ns, plan_text
from plafond.run.scene_runs import kept_of_guest
from plafond.run.server_scenes import asleep, awake, decisions_ns, passes_ns, passing
from plafond.run.vm import run_in_guest
from plafond.trace.model import Trace
from plafond.vm.guest import Guest

PROTOCOL = "plafond"  # the only protocol of servers on Linux
IN_GUEST, HERE = 16, 64  # numbers of periods; more on a real machine, because its times vary


def servers_in_guest(system: System, guest: Guest, is_recorded: bool = False) -> ServerCosts:
    """Return the costs of servers in a guest with one CPU, whose time counts instructions."""
    jobs = _jobs(_counts(system, 0), 0, IN_GUEST, is_recorded)
    plans = [job.plan.encode() for job in jobs]
    shape = "-".join(map(str, _counts(system, 0)))
    kept = kept_of_guest(guest, f"servers-{shape}", plans, is_recorded)
    return _found(kept) or _kept(kept, _traces(run_in_guest(jobs, guest)))


def servers_here(system: System, is_recorded: bool = False) -> ServerCosts:
    """Return the costs of servers on this machine: the largest of all CPUs that have servers."""
    found: list[ServerCosts] = []
    for cpu in range(system.cpus):
        if not system.servers_on(cpu):
            continue
        jobs = _jobs(_counts(system, cpu), cpu, HERE, is_recorded)
        with TemporaryDirectory() as folder:
            traces = _traces(run_here(jobs, Path(folder)))
        found.append(_costs(traces, longest_own_ns))
    return ServerCosts(
        decision_ns=max(each.decision_ns for each in found),
        pass_ns=max(each.pass_ns for each in found),
    )


def _counts(system: System, cpu: int) -> list[int]:
    """Return the numbers of tasks of the servers of a CPU, the largest first."""
    servers = system.servers_on(cpu)
    counts = sorted((len(system.tasks_of(each.name)) for each in servers), reverse=True)
    if len(counts) + sum(counts) >= END_OF_BANDS:
        raise ArgumentError(
            f"--overheads: found {sum(counts)} tasks in {len(counts)} servers of CPU {cpu}; "
            f"expected {END_OF_BANDS - 1} of both at most: each has a priority where they are "
            "measured"
        )
    return counts


def _jobs(counts: Sequence[int], cpu: int, repeated: int, is_recorded: bool) -> list[Job]:
    scenes = (
        awake(counts, cpu, repeated),
        asleep(counts, cpu, repeated),
        passing(cpu, repeated),
    )
    return [_job(scene, is_recorded) for scene in scenes]


def _job(scene: System, is_recorded: bool) -> Job:
    arrivals = draw_arrivals(scene, scene.seed)
    limit = limit_ns(scene, arrivals)
    plan = plan_text(scene, PROTOCOL, arrivals)
    what = f"what servers cost: {scene.name}"
    return Job(what, plan, limit, limit, is_recorded=is_recorded)


def _traces(outcomes: Iterable[Outcome]) -> list[Trace]:
    traces: list[Trace] = []
    for outcome in outcomes:
        if outcome.interrupted:
            raise outcome.interrupted
        if outcome.trace.cut:
            raise PlafondError(f"the scenes of servers were cut: {outcome.trace.cut}")
        traces.append(outcome.trace)
    return traces


def _costs(traces: Sequence[Trace], longest: Callable[[list[int]], int]) -> ServerCosts:
    """Return the longest times; a decision takes at most one of `awake` plus one of `asleep`."""
    *switching, passed = traces
    found = [*map(decisions_ns, switching), passes_ns(passed)]
    if not all(found):
        raise PlafondError("the scenes of servers show no decision, or no pass")
    *decisions, passes = map(longest, found)
    return ServerCosts(sum(decisions), passes)


def _found(kept: Kept) -> ServerCosts | None:
    content = kept.read()
    return None if content is None else ServerCosts(**content)


def _kept(kept: Kept, traces: Sequence[Trace]) -> ServerCosts:
    costs = _costs(traces, max)
    kept.write(asdict(costs))
    return costs
