# SPDX-License-Identifier: MIT
"""Mistakes in the analysis, as replacements of its functions.

Each mistake must give some task of some simulated system a bound that does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

from plafond.analyse import (
    analysis,
    blocking,
    due,
    inflate,
    line,
    mpcp,
    msrp,
    plain,
    requests,
    response,
    spinning,
    window,
    workload,
)
from plafond.analyse.across import Delays, Sharing
from plafond.analyse.blocking import Reach
from plafond.analyse.line import Line
from plafond.analyse.mpcp import Mpcp
from plafond.analyse.overheads import Costs, Overheads
from plafond.analyse.spinning import Spinning
from plafond.analyse.workload import Section, Sporadic, Workload
from plafond.describe.system import Run, Step, System, Task, Unlock
from plafond.protocols import Protocol

from proof.analysis.compare import Violation, compare
from proof.analysis.simulator import BY_CPU, PLAIN, WITH_COSTS, Explored

CEILING, INHERIT, NONE = Protocol.CEILING, Protocol.INHERIT, Protocol.NONE
LEVELS = (CEILING, INHERIT)
EDF = (Protocol.FLOOR,)
MPCP, MSRP, SPIN_PRIORITY = Protocol.MPCP, Protocol.MSRP, Protocol.SPIN_PRIORITY
IN_LINE = (MPCP, SPIN_PRIORITY)
SPINNING = (MSRP, SPIN_PRIORITY)

# The functions without a mistake.
BACKGROUND = inflate.background_of
SECTION_NS = inflate._section_ns
LAST_CHANGE = Workload.last_change_ns
DUE_TIMES = due.due_times
WITH_SPINS = spinning.with_spins
DELAYS = Spinning.delays
HYPERPERIOD = window.Window.hyperperiod_ns
REQUESTS = requests.requests_in


@dataclass(frozen=True)
class Mutant:
    """A mistake: the replacement of a function, and the protocols under which it shows."""

    name: str
    protocols: tuple[Protocol, ...]
    owner: object
    function: str
    replacement: Callable[..., Any] | property
    kind: str = PLAIN  # the systems in which it shows

    def first_violation(self, results: Sequence[Explored]) -> tuple[int, Violation | None]:
        """Return the number of systems tried, and the violation that shows the mistake, if any."""
        tried = 0
        with patch.object(self.owner, self.function, self.replacement):
            for explored in results:
                if explored.protocol not in self.protocols or explored.kind != self.kind:
                    continue
                tried += 1
                for violation in compare(explored):
                    return tried, violation
        return tried, None


def _hold(task: Task, counts: Callable[[Step, tuple[str, ...]], bool | None]) -> int:
    """Return the longest hold. `counts` says of a step: it counts, it does not, or it ends the
    hold."""
    longest = hold_ns = 0
    for step, held in task.held():
        verdict = counts(step, held)
        if verdict is None:
            hold_ns = 0
        elif verdict and isinstance(step, Run):
            hold_ns += step.duration_ns
            longest = max(longest, hold_ns)
    return longest


def _hold_by_inner_only(task: Task, resources: frozenset[str]) -> int:
    return _hold(task, lambda _, held: (bool(held) and held[-1] in resources) or None)


def _hold_cut_at_unlock(task: Task, resources: frozenset[str]) -> int:
    return _hold(
        task,
        lambda step, held: (
            None if isinstance(step, Unlock) or not resources.intersection(held) else True
        ),
    )


def _half(filled: window.Window, own: window.Arrivals) -> int:
    return max(HYPERPERIOD(filled, own) // 2, own.interval_ns)


def _floor(arrivals: window.Arrivals, window_ns: int) -> int:
    return window_ns // arrivals.interval_ns


def _used_by_itself(task: Task, reach: Reach) -> frozenset[str]:
    return frozenset(r for r, level in reach.items() if level >= task.priority) & task.resources


def _strictly_above(task: Task, reach: Reach) -> frozenset[str]:
    return frozenset(r for r, level in reach.items() if level > task.priority)


def _highest_users(system: System) -> Reach:
    return {
        resource.name: max(
            (t.priority for t in system.tasks if t.name in resource.users), default=0
        )
        for resource in system.resources
    }


def _longest_of_all(system: System, task: Task, _: Protocol, reach: Reach) -> int:
    resources = blocking.blocking_resources(task, reach)
    lower = blocking.less_urgent(system, task)
    return max((other.longest_hold_ns(resources) for other in lower), default=0)


def _once(level: response.Level, _: int, names: Mapping[str, str]) -> Mapping[str, int]:
    """Let each resource block once, as if an unlock handed no resource over."""
    return dict.fromkeys(names.values(), 1)


def _of_one_job(level: response.Level, _: int, names: Mapping[str, str]) -> Mapping[str, int]:
    return REQUESTS(level, 1, names)


def _more_urgent(other: Task, task: Task) -> bool:
    return other.priority > task.priority


def _but_the_lowest(system: System, cpu: int) -> tuple[Task, ...]:
    return system.tasks_on(cpu)[:-1]


def _nothing(*_: object) -> int:
    return 0


def _never(*_: object) -> bool:
    return False


def _no_pairs(*_: object) -> set[tuple[str, str]]:
    return set()


def _no_deadlock(_: System) -> None:
    return None


def _run_only(task: Task) -> int:
    return task.run_ns


def _due_before(task: Sporadic, window_ns: int) -> int:
    return max(0, -((task.deadline_ns - window_ns) // task.interval_ns))


def _due_once(task: Sporadic, window_ns: int) -> int:
    return int(window_ns >= task.deadline_ns)


def _above_the_floor(section: Section, window_ns: int) -> bool:
    return section.floor_ns < window_ns < section.deadline_ns


def _up_to_the_deadline(section: Section, window_ns: int) -> bool:
    return section.floor_ns <= window_ns <= section.deadline_ns


def _for_ever(section: Section, window_ns: int) -> bool:
    return section.floor_ns <= window_ns


def _floors_of_users(system: System, task: Task) -> Mapping[str, int]:
    return {
        resource.name: min(
            (t.deadline_ns or 0 for t in system.tasks if t.name in resource.users), default=0
        )
        for resource in system.resources
        if resource.name in task.resources
    }


def _arrived_before(task: Sporadic, window_ns: int) -> int:
    return window_ns // task.interval_ns


def _each_once(load: Workload, _: window.Effort) -> int:
    return sum(task.cost_ns for task in load.jobs)


def _last_deadline(load: Workload, before_ns: int) -> int | None:
    return LAST_CHANGE(replace(load, sections=()), before_ns)


def _first_arrival(_: Workload, first_ns: int, __: int) -> Iterator[int]:
    yield first_ns


def _no_floors(load: Workload, first_ns: int, end_ns: int) -> Iterator[int]:
    return DUE_TIMES(replace(load, sections=()), first_ns, end_ns)


def _costs(function: str, replacement: Callable[[Costs], int]) -> tuple[object, str, property]:
    return Costs, function, property(replacement)


def _no_background(*arguments: Any) -> window.Background:
    return replace(BACKGROUND(*arguments), wake_ups=())


def _section(without: str) -> Callable[..., int]:
    def section_ns(task: Task, resource: Any, protocol: Protocol, costs: Costs) -> int:
        return SECTION_NS(task, resource, protocol, replace(costs, **{without: 0}))

    return section_ns


def _interrupts_of_due(load: Workload, window_ns: int) -> int:
    return load.away_ns + sum(task.due(window_ns) * task.interrupt_ns for task in load.jobs)


def _no_interrupts(load: Workload, _: int) -> int:
    return load.away_ns


def _with_the_wait(*_: object) -> int:
    return 1


def _waits(mpcp: Mpcp, task: Task, _: int) -> int:
    return sum(mpcp._known.wait_ns(task, each.resource) for each in mpcp._sharing.requests(task))


def _after_sleeps_only(_: Mpcp, task: Task) -> int:
    return len(task.sleeps_ns)


def _alone(mpcp: Mpcp, task: Task, resource: str, **_: object) -> int:
    return mpcp._holding.alone_ns(task, resource)


def _longest_lifted(mpcp: Mpcp, task: Task) -> int:
    lower = blocking.less_urgent(mpcp._sharing.system, task)
    resources = mpcp._blocking_resources(task)
    return max((other.longest_hold_ns(resources) for other in lower), default=0)


def _lifted_only(mpcp: Mpcp, task: Task) -> int:
    lower = blocking.less_urgent(mpcp._sharing.system, task)
    return sum(mpcp._lifted_ns(other, 0) for other in lower)


def _globals_only(system: System) -> Reach:
    return {resource.name: resource.ceiling for resource in system.global_resources}


def _without_spins(system: System, cpu: int, spins: spinning.Spins) -> System:
    return WITH_SPINS(system, cpu, dict.fromkeys(spins, 0))


def _spins_of_more_urgent(spinner: Spinning, task: Task) -> Delays:
    """Bound a task as if no less urgent task ever spun."""

    def spin_ns(other: Task, resource: str) -> int:
        is_counted = other.priority >= task.priority
        return spinner._spin_ns(other, resource) if is_counted else 0

    return DELAYS(Spinning(spinner._sharing, spinner._around, spin_ns, spinner._effort), task)


def _longest_spin(sharing: Sharing, task: Task, resource: str, held_ns: line.Held) -> int:
    others = [each for each in sharing.others(task, resource) if each.cpu != task.cpu]
    return max((held_ns(each, resource) for each in others), default=0)


WITHOUT_COSTS = (
    Mutant("equal priorities do not interfere", LEVELS, response, "interferes", _more_urgent),
    Mutant("sleeps take no time", LEVELS, response, "demand_ns", _run_only),
    Mutant("one blocking in spite of sleeps", LEVELS, response, "blockings_after_sleeps", _nothing),
    Mutant("first job of the busy period only", LEVELS, response, "window_is_open", _nothing),
    Mutant("half of the jobs of a hyperperiod", LEVELS, window.Window, "hyperperiod_ns", _half),
    Mutant("floor instead of ceiling of w/T", LEVELS, window.Arrivals, "in_window", _floor),
    Mutant("no blocking", LEVELS, analysis, "blocking_ns", _nothing),
    Mutant("hold by the innermost lock only", LEVELS, Task, "longest_hold_ns", _hold_by_inner_only),
    Mutant("hold ends at an inner unlock", LEVELS, Task, "longest_hold_ns", _hold_cut_at_unlock),
    Mutant("ceiling above, not at", (CEILING,), blocking, "blocking_resources", _strictly_above),
    Mutant("ceilings as computed, not as given", (CEILING,), blocking, "ceilings", _highest_users),
    Mutant("no transitivity", (INHERIT,), blocking, "nestings", _no_pairs),
    Mutant("no push-through", (INHERIT,), blocking, "blocking_resources", _used_by_itself),
    Mutant("a resource blocks once", (INHERIT,), requests, "requests_in", _once),
    Mutant("requests of one job each", (INHERIT,), requests, "requests_in", _of_one_job),
    Mutant("nested sections by requests", (INHERIT,), requests, "has_nested", _never),
    Mutant("one task blocks, not each", (INHERIT,), analysis, "blocking_ns", _longest_of_all),
    Mutant("no deadlock", (INHERIT, NONE), analysis, "find_deadlock", _no_deadlock),
    Mutant("busy period without the lowest task", (NONE,), plain, "busy_tasks", _but_the_lowest),
    Mutant("busy period without sleeps", (NONE,), plain, "demand_ns", _run_only),
    Mutant("due before the end of a window, not at it", EDF, Sporadic, "due", _due_before),
    Mutant("due once in a window", EDF, Sporadic, "due", _due_once),
    Mutant("no blocking under EDF", EDF, Workload, "blocking_ns", _nothing),
    Mutant("floor below the window, not at it", EDF, Section, "blocks", _above_the_floor),
    Mutant("blocking at the own deadline", EDF, Section, "blocks", _up_to_the_deadline),
    Mutant("blocking that does not fall", EDF, Section, "blocks", _for_ever),
    Mutant("floors as computed, not as given", EDF, workload, "floors_of", _floors_of_users),
    Mutant("hold by the innermost floor only", EDF, Task, "longest_hold_ns", _hold_by_inner_only),
    Mutant("hold ends at an inner leave", EDF, Task, "longest_hold_ns", _hold_cut_at_unlock),
    Mutant("arrived at the end of a window, not", EDF, Sporadic, "arrived", _arrived_before),
    Mutant("each job once in the busy period", EDF, analysis, "synchronous_busy_ns", _each_once),
    Mutant("demand at deadlines only", EDF, Workload, "last_change_ns", _last_deadline),
    Mutant("first arrival only", EDF, due, "due_times", _first_arrival),
    Mutant("arrivals for deadlines only", EDF, due, "due_times", _no_floors),
)

ACROSS = (
    Mutant("no job that arrived before the wait", (MPCP,), Line, "carried_ns", _with_the_wait),
    Mutant("the same, spinning", (SPIN_PRIORITY,), Line, "carried_ns", _with_the_wait),
    Mutant("waits as jitter", (MPCP,), Mpcp, "jitter_ns", _waits),
    Mutant("no jitter of tasks that wait", (MPCP,), Mpcp, "jitter_ns", _nothing),
    Mutant(
        "one blocking in spite of requests",
        (MPCP,),
        Mpcp,
        "blockings_after_suspensions",
        _after_sleeps_only,
    ),
    Mutant("no section is preempted by a higher ceiling", (MPCP,), Mpcp, "held_ns", _alone),
    Mutant(
        "one task blocks in its section, not each", (MPCP,), Mpcp, "blocking_ns", _longest_lifted
    ),
    Mutant("no blocking by ceilings of one CPU", (MPCP,), Mpcp, "blocking_ns", _lifted_only),
    Mutant("what is locked inside is not lifted", (MPCP,), mpcp, "lifted_levels", _globals_only),
    Mutant("no less urgent task is inside", IN_LINE, line, "longest_behind_ns", _nothing),
    Mutant("equal priorities wait behind", IN_LINE, line, "is_before", _more_urgent),
    Mutant("no CPU is in line", (MPCP,), Sharing, "is_on_cpu_before", _never, kind=BY_CPU),
    Mutant("spinning is no work", SPINNING, spinning, "with_spins", _without_spins),
    Mutant(
        "a section blocks without its spin", SPINNING, Spinning, "delays", _spins_of_more_urgent
    ),
    Mutant("one other CPU delays, not each", (MSRP,), msrp, "spin_ns", _longest_spin),
)

ALL = (*LEVELS, NONE, *EDF)
PRIORITIES = (*LEVELS, NONE)


def _term(
    name: str, protocols: tuple[Protocol, ...], owner: object, function: str, replacement: Any
) -> Mutant:
    return Mutant(name, protocols, owner, function, replacement, WITH_COSTS)


# Each mutant leaves out a term of docs/analysis/terms.md.
TERMS = (
    _term(
        "wake-up without its interrupt",
        PRIORITIES,
        *_costs("wake_up_ns", lambda c: c.activation_ns + c.switch_ns),
    ),
    _term(
        "wake-up without activation",
        ALL,
        *_costs("wake_up_ns", lambda c: c.interrupt_ns + c.switch_ns),
    ),
    _term(
        "wake-up without switches",
        ALL,
        *_costs("wake_up_ns", lambda c: c.interrupt_ns + c.activation_ns),
    ),
    _term(
        "wake-up with one switch",
        ALL,
        *_costs("wake_up_ns", lambda c: c.interrupt_ns + c.activation_ns + c.switch_ns // 2),
    ),
    _term("interrupts of the level only", LEVELS, analysis, "background_of", _no_background),
    _term("no work before the window", PRIORITIES, *_costs("piece_ns", lambda _: 0)),
    _term("no floor delays", EDF, inflate, "_may_delay", lambda *_: False),
    _term("no lock and unlock", ALL, inflate, "_section_ns", _section("pair_ns")),
    _term("no delay by a section", ALL, inflate, "_section_ns", _section("preempted_ns")),
    _term("no arrival in a section", PRIORITIES, inflate, "_section_ns", _section("disturbed_ns")),
    _term("no ticks", PRIORITIES, Overheads, "stolen_ns", _nothing),
    _term("run steps as long as they say", ALL, inflate, "lasting_ns", lambda ns, _: ns),
    _term("no interrupts under EDF", EDF, Workload, "besides_ns", _no_interrupts),
    _term("interrupts of due jobs only", EDF, Workload, "besides_ns", _interrupts_of_due),
    _term("no work before the window, EDF", EDF, *_costs("piece_ns", lambda _: 0)),
)
MUTANTS = (*WITHOUT_COSTS, *ACROSS, *TERMS)
