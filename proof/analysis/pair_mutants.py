# SPDX-License-Identifier: MIT
"""Mistakes with two things of a kind: only the first or the last counts, or both count once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from plafond.analyse import analysis, blocking, line, mpcp, msrp, plain, response, servers, workload
from plafond.analyse import sharing as servers_sharing
from plafond.analyse.across import Sharing
from plafond.analyse.blocking import Reach
from plafond.analyse.line import Held
from plafond.analyse.mpcp import Mpcp
from plafond.analyse.workload import Section
from plafond.describe.server import Server
from plafond.describe.system import Run, System, Task
from plafond.protocols import Protocol

from proof.analysis.mutants import (
    CEILING,
    EDF,
    IN_LINE,
    LEVELS,
    MPCP,
    MSRP,
    NONE,
    SPIN_PRIORITY,
    Mutant,
)
from proof.analysis.simulator import IN_SERVERS, PLAIN, SHARED

# The functions without a mistake.
COUNT = Sharing.count
SECTIONS = workload.sections
MORE_URGENT = servers.more_urgent

Choice = Callable[[Sequence[int]], int]
Functions = Callable[[Choice], Callable[..., Any]]


def _first(times: Sequence[int]) -> int:
    return times[0] if times else 0


def _last(times: Sequence[int]) -> int:
    return times[-1] if times else 0


def _blocking(choice: Choice) -> Callable[..., int]:
    def once_ns(system: System, task: Task, _: Protocol, reach: Reach) -> int:
        resources = blocking.blocking_resources(task, reach)
        lower = blocking.less_urgent(system, task)
        return choice([other.longest_hold_ns(resources) for other in lower])

    return once_ns


def _hold(choice: Choice) -> Callable[..., int]:
    def hold_ns(task: Task, resources: frozenset[str]) -> int:
        holds: list[int] = []
        was_held = False
        for step, held in task.held():
            is_held = bool(resources.intersection(held))
            if is_held and not was_held:
                holds.append(0)
            if is_held and isinstance(step, Run):
                holds[-1] += step.duration_ns
            was_held = is_held
        return choice(holds)

    return hold_ns


def _request(choice: Choice) -> Callable[..., int]:
    def request_ns(sharing: Sharing, task: Task, resource: str) -> int:
        requests = sharing.requests(task)
        return choice([each.length_ns for each in requests if each.resource == resource])

    return request_ns


def _other_cpu(choice: Choice) -> Callable[..., int]:
    def spin_ns(sharing: Sharing, task: Task, resource: str, held_ns: Held) -> int:
        others = [each for each in sharing.others(task, resource) if each.cpu != task.cpu]
        return sum(
            choice([held_ns(other, resource) for other in others if other.cpu == cpu])
            for cpu in {other.cpu for other in others}
        )

    return spin_ns


def _behind(choice: Choice) -> Callable[..., int]:
    def behind_ns(resource: str, behind: Iterable[Task], held_ns: Held) -> int:
        return choice([held_ns(each, resource) for each in behind])

    return behind_ns


def _outer(choice: Choice) -> Callable[..., mpcp.Levels]:
    def levels(system: System) -> mpcp.Levels:
        found = {resource.name: resource.ceiling for resource in system.global_resources}
        pairs = [*mpcp._nested_in(system, frozenset(found))]
        inner = {name for name, _ in pairs}
        return found | {
            name: choice([found[outer] for other, outer in pairs if other == name])
            for name in inner
        }

    return levels


def _kept_out(choice: Choice) -> Callable[..., int]:
    def kept_out_ns(system: System, server: Server) -> int:
        return choice(
            [
                servers_sharing.held_ns(system, holder, resource)
                for holder in servers_sharing.less_urgent(system, server)
                for resource in system.shared_by(holder.name)
                if servers_sharing.keeps_out(system, resource, server)
            ]
        )

    return kept_out_ns


def _each(
    name: str, protocols: tuple[Protocol, ...], owner: object, function: str, make: Functions,
    kind: str = PLAIN,
) -> tuple[Mutant, Mutant]:  # fmt: skip
    return (
        Mutant(f"the first {name}", protocols, owner, function, make(_first), kind),
        Mutant(f"the last {name}", protocols, owner, function, make(_last), kind),
    )


def _sections(place: int) -> Callable[[System, Task], list[Section]]:
    return lambda system, task: [*SECTIONS(system, task)][place:][:1]


def _one_blocking(task: Task) -> int:
    return min(1, len(task.sleeps_ns))


def _one_suspension(_: Mpcp, task: Task) -> int:
    return 1


def _longest_sleep(task: Task) -> int:
    return task.run_ns + max(task.sleeps_ns, default=0)


def _one_request(sharing: Sharing, task: Task, resource: str) -> int:
    return min(1, COUNT(sharing, task, resource))


PAIRS = (
    *_each("task blocks, not the longest", (CEILING,), analysis, "blocking_ns", _blocking),
    *_each("section of a task blocks", LEVELS, Task, "longest_hold_ns", _hold),
    *_each("section of a task blocks, EDF", EDF, Task, "longest_hold_ns", _hold),
    Mutant("the lowest floor of a task alone", EDF, workload, "sections", _sections(0)),
    Mutant("the highest floor of a task alone", EDF, workload, "sections", _sections(-1)),
    Mutant(
        "one blocking after all sleeps", LEVELS, response, "blockings_after_sleeps", _one_blocking
    ),
    Mutant("the longest sleep of a job alone", LEVELS, response, "demand_ns", _longest_sleep),
    Mutant("the same without a protocol", (NONE,), plain, "demand_ns", _longest_sleep),
    *_each("request of a resource", (MPCP, MSRP, SPIN_PRIORITY), Sharing, "longest_ns", _request),
    Mutant("one request of a resource in each job", IN_LINE, Sharing, "count", _one_request),
    *_each("task of another CPU", (MSRP,), msrp, "spin_ns", _other_cpu),
    *_each("task behind", IN_LINE, line, "longest_behind_ns", _behind),
    *_each("global section around one of its CPU", (MPCP,), mpcp, "lifted_levels", _outer),
    Mutant(
        "one blocking after all waits",
        (MPCP,),
        Mpcp,
        "blockings_after_suspensions",
        _one_suspension,
    ),
    Mutant(
        "the most urgent server alone comes before",
        (*LEVELS, NONE),
        servers,
        "more_urgent",
        lambda *given: MORE_URGENT(*given)[:1],
        IN_SERVERS,
    ),
    Mutant(
        "the next more urgent server alone",
        (*LEVELS, NONE),
        servers,
        "more_urgent",
        lambda *given: MORE_URGENT(*given)[-1:],
        IN_SERVERS,
    ),
    *_each("hold that keeps a server out", (CEILING,), servers, "kept_out_ns", _kept_out, SHARED),
)
