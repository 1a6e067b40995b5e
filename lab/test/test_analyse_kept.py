# SPDX-License-Identifier: MIT
"""The verdict on all deadlines, beside the bounds of the analysis."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from plafond.analyse import kept
from plafond.analyse.analysis import analyse
from plafond.analyse.kept import keeps_deadlines
from plafond.analyse.overheads import Costs, Overheads
from plafond.describe.isr import Isr
from plafond.describe.kernel import Scheduler
from plafond.describe.kernel_table import KERNEL
from plafond.describe.server import reservation
from plafond.describe.system import (
    Interval,
    Lock,
    Resource,
    Run,
    Sleep,
    Step,
    System,
    Task,
    Unlock,
)
from plafond.protocols import Protocol

PROTOCOLS = (Protocol.CEILING, Protocol.INHERIT, Protocol.NONE)
COSTS = Costs(interrupt_ns=2, activation_ns=1, switch_ns=1, pair_ns=1, preempted_ns=3)


def task(name: str, priority: int, interval_ns: int, *body: Step, deadline_ns: int = 0) -> Task:
    return Task.made(
        name=name,
        priority=priority,
        interval=Interval(interval_ns, interval_ns),
        deadline_ns=deadline_ns or interval_ns,
        body=body,
    )


def system(*tasks: Task) -> System:
    ordered = tuple(sorted(tasks, key=lambda each: -each.priority))
    names = sorted({name for each in ordered for name in each.resources})
    users = {name: [each for each in ordered if name in each.resources] for name in names}
    resources = tuple(
        Resource.made(
            name,
            ceiling=users[name][0].priority,
            users=tuple(u.name for u in users[name]),
            cpus=(0,),
        )
        for name in names
    )
    return System("drawn", 1, 1, ordered, resources)


def drawn(random: Random) -> System:
    """Draw a set that is schedulable about half of the time. Some priorities are equal."""
    count = random.choice((1, 2, 3, 4))
    tasks = []
    for number in range(count):
        interval_ns = random.randint(80, 400)
        cost_ns = max(1, interval_ns * random.randint(3, 10) // (10 * count))
        body: list[Step] = [Run(cost_ns)]
        for name in ("R1", "R2"):
            if random.random() < 0.5:
                body += [Lock(name), Run(random.randint(1, 20)), Unlock(name)]
        deadline_ns = random.randint(interval_ns // 2, interval_ns)
        tasks.append(
            task(
                f"T{number}", random.randint(1, count), interval_ns, *body, deadline_ns=deadline_ns
            )
        )
    return system(*tasks)


def by_bounds(each: System, protocol: Protocol, overheads: Overheads | None) -> bool:
    return all(row.schedulable for row in analyse(each, [protocol], overheads).rows)


@pytest.mark.parametrize("costs", [None, COSTS])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_verdict_is_that_of_the_bounds(protocol: Protocol, costs: Costs | None) -> None:
    overheads = None if costs is None else Overheads({protocol: costs}, step_ns=1)
    random = Random(f"{protocol}/{costs}")
    verdicts = []
    for _ in range(150):
        each = drawn(random)
        verdicts.append(keeps_deadlines(each, protocol, overheads))
        assert verdicts[-1] == by_bounds(each, protocol, overheads), each
    assert 15 < sum(verdicts) < 140


def at_its_bounds(each: System, protocol: Protocol, overheads: Overheads | None = None) -> System:
    """Return the system with deadlines at the bounds, so that no time is left."""
    rows = analyse(each, [protocol], overheads).rows
    bounds = {row.task: row.response_bound_ns for row in rows}
    return replace(each, tasks=tuple(t.changed(deadline_ns=bounds[t.name]) for t in each.tasks))


@pytest.mark.parametrize("costs", [None, COSTS])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_nanosecond_less_is_too_little(protocol: Protocol, costs: Costs | None) -> None:
    overheads = None if costs is None else Overheads({protocol: costs}, step_ns=1)
    high = task("high", 3, 50, Lock("R"), Run(5), Unlock("R"))
    low = task("low", 1, 200, Run(10), Lock("R"), Run(7), Unlock("R"))
    exact = at_its_bounds(system(high, task("mid", 2, 100, Run(20)), low), protocol, overheads)

    assert keeps_deadlines(exact, protocol, overheads)
    for place, each in enumerate(exact.tasks):
        assert each.deadline_ns
        shorter = each.changed(deadline_ns=each.deadline_ns - 1)
        tasks = (*exact.tasks[:place], shorter, *exact.tasks[place + 1 :])
        assert not keeps_deadlines(replace(exact, tasks=tasks), protocol, overheads)


def test_all_of_the_time_may_do() -> None:
    full = system(task("high", 2, 10, Run(5)), task("low", 1, 20, Run(10)))
    more = system(task("high", 2, 10, Run(5)), task("low", 1, 20, Run(11)))

    for tasks, is_kept in ((full, True), (more, False)):
        assert keeps_deadlines(tasks, Protocol.CEILING) is is_kept
        assert by_bounds(tasks, Protocol.CEILING, None) is is_kept


def refused(*_: object) -> None:
    raise AssertionError("the analysis is asked")


@pytest.mark.parametrize(
    "more",
    [
        lambda s: replace(s, scheduler=Scheduler.EDF),
        lambda s: replace(s, tasks=(s.tasks[0].changed(deadline_ns=500), *s.tasks[1:])),
        lambda s: replace(s, tasks=(s.tasks[0].changed(autostart=True), *s.tasks[1:])),
        lambda s: replace(s, tasks=(s.tasks[0].changed(schedule="non"), *s.tasks[1:])),
        lambda s: system(*s.tasks, task("sleeper", 1, 100, Run(1), Sleep(5))),
        lambda s: replace(s, tasks=(*s.tasks[:-1], s.tasks[-1].changed(internal="I"))),
        lambda s: replace(s, tasks=(*s.tasks[:-1], s.tasks[-1].changed(jitter_ns=1))),
        lambda s: replace(s, tasks=(*s.tasks[:-1], s.tasks[-1].changed(interval=None))),
        lambda s: replace(s, kernel=KERNEL.changed(sources=("some.c",))),
        lambda s: replace(s, kernel=KERNEL.changed(trusted=("some.c",))),
        lambda s: replace(s, isrs=(Isr.made("I", source=1),)),
        lambda s: replace(s, reservations=(reservation("R", "irq", 100, 5),)),
    ],
    ids=[
        *("edf", "late", "activated", "not preempted", "sleeps", "internal", "jitter"),
        *("no arrival", "sources", "trusted", "isr", "reservation"),
    ],
)
def test_what_has_more_than_that_is_analysed(
    more: Callable[[System], System], monkeypatch: pytest.MonkeyPatch
) -> None:
    simple = system(task("high", 3, 50, Run(5)), task("low", 2, 100, Run(20)))
    other = more(simple)
    protocol = Protocol.FLOOR if other.scheduler is Scheduler.EDF else Protocol.CEILING
    assert keeps_deadlines(other, protocol) == by_bounds(other, protocol, None)
    monkeypatch.setattr(kept, "analyse", refused)

    assert keeps_deadlines(simple, Protocol.CEILING)
    with pytest.raises(AssertionError, match="the analysis is asked"):
        keeps_deadlines(other, protocol)


def test_ticks_and_possible_deadlocks_are_analysed(monkeypatch: pytest.MonkeyPatch) -> None:
    nested = (Lock("R1"), Run(1), Lock("R2"), Run(1), Unlock("R2"), Unlock("R1"))
    crossed = (Lock("R2"), Run(1), Lock("R1"), Run(1), Unlock("R1"), Unlock("R2"))
    deadlock = system(task("high", 2, 50, *nested), task("low", 1, 100, *crossed))
    ticks = Overheads({Protocol.CEILING: Costs()}, noise=((10, 1),))

    assert keeps_deadlines(deadlock, Protocol.CEILING)
    assert not keeps_deadlines(deadlock, Protocol.INHERIT)
    assert keeps_deadlines(deadlock, Protocol.CEILING, ticks)
    monkeypatch.setattr(kept, "analyse", refused)
    with pytest.raises(AssertionError, match="the analysis is asked"):
        keeps_deadlines(deadlock, Protocol.CEILING, ticks)
