# SPDX-License-Identifier: MIT
"""Figures 1 to 3 of Carminati 2012 and 3 of 2010, with plain mutexes and with inheritance.

The virtual machine counts instructions. So each instant that the texts name is met, and late only
by Linux's own time. The figures with ceilings are in test_run_kernel_schedules.py, too.
"""

from functools import cache

import pytest
from kernel_runs import EXAMPLES, MS, Moment, moments, written

from plafond.describe import load
from plafond.run.arrivals import draw_arrivals, with_activations
from plafond.run.job import Job
from plafond.run.plan import limit_ns, plan_text
from plafond.run.vm import run_in_guest
from plafond.trace.model import Trace
from plafond.vm.guest import Guest

pytestmark = pytest.mark.guest

UNIT_NS = 2 * MS
# Upper bound of Linux's own time in any of these schedules, in ns.
LINUXS_OWN = 150_000
PROTOCOLS = ("none", "inherit", "protect")
# The events of the other tasks show when a thread loses the processor.
LEFT_OUT = ("suspend", "resume")

# 2012, Figure 1: T0 "blocks because the resource is held by T2. T2 resumes execution, and is
# preempted by T1, which [...] begins to run from t = 5 to t = 11. But task T0 misses the deadline
# at t = 9, since the resource [...] was only available at t = 12".
FIGURE_1 = """
    1 T2: start, request R, grant R
    2 T0: start
    4 T0: request R
    5 T1: start
    11 T1: end
    12 T2: unlock R
    12 T0: grant R
    14 T0: unlock R, end
    14 T2: end
"""
# 2012, Figure 2: T0 "blocks on the resource held by T2 at t = 4. T2 inherits the priority from T0
# and prevents T1 from running, when activated at t = 5. At t = 6, task T2 releases the resource".
FIGURE_2 = """
    1 T2: start, request R, grant R
    2 T0: start
    4 T0: request R
    6 T2: unlock R
    6 T0: grant R
    8 T0: unlock R, end
    8 T1: start
    14 T1: end
    14 T2: end
"""
# 2012, Figure 3: T0 is "blocked on resource 1 at t = 3", and "gives its priority to task T1". T1
# "also blocks on resource 2 at t = 3", and is "to release the resource 1 to T0 at t = 7". T0
# "resumes its execution but it misses its deadline, which occurs at t = 11".
FIGURE_3 = """
    1 T2: start, request R2, grant R2
    2 T1: start, request R1, grant R1
    3 T0: start, request R1
    3 T1: request R2
    6 T2: unlock R2
    6 T1: grant R2
    7 T1: unlock R2, unlock R1
    7 T0: grant R1
    12 T0: unlock R1, end
    12 T1: end
    12 T2: end
"""
# 2010, Figure 3: the same with T0 "blocked on resource 1 at t = 5", T1 "on resource 2 at t = 6",
# R1 released "at t = 10", and T0's deadline "at t = 13".
FIGURE_3_OF_2010 = """
    1 T2: start, request R2, grant R2
    2 T1: start, request R1, grant R1
    3.5 T0: start
    5 T0: request R1
    6 T1: request R2
    8 T2: unlock R2
    8 T1: grant R2
    10 T1: unlock R2, unlock R1
    10 T0: grant R1
    14 T0: unlock R1, end
    14 T1: end
    14 T2: end
"""
# The last two figures have no task of a priority between, so plain mutexes make the same schedule.
SCHEDULES = [
    ("carminati-2012-figure-1", "none", FIGURE_1),
    ("carminati-2012-figure-1", "inherit", FIGURE_2),
    ("carminati-2012-figure-3", "none", FIGURE_3),
    ("carminati-2012-figure-3", "inherit", FIGURE_3),
    ("carminati-2010-figure-3", "none", FIGURE_3_OF_2010),
    ("carminati-2010-figure-3", "inherit", FIGURE_3_OF_2010),
]
# For each description, T0's deadline in units, and the protocols under which T0 ends in time.
DEADLINES = [
    ("carminati-2012-figure-1", 9, ["inherit", "protect"]),
    ("carminati-2012-figure-3", 11, ["protect"]),
    ("carminati-2010-figure-3", 13, ["protect"]),
]


@cache
def traces() -> dict[tuple[str, str], Trace]:
    """Run the examples in one virtual machine, once for all tests. Return traces by name and
    protocol."""
    jobs = {}
    for name, *_ in DEADLINES:
        system = with_activations(load(EXAMPLES / f"{name}.toml"), 2)
        arrivals = draw_arrivals(system, system.seed)
        for protocol in PROTOCOLS:
            plan = plan_text(system, protocol, arrivals)
            limit = limit_ns(system, arrivals)
            jobs[name, protocol] = Job(f"{name}, {protocol}", plan, limit, limit)
    outcomes = run_in_guest(jobs.values(), Guest())
    return {job: outcome.trace for job, outcome in zip(jobs, outcomes, strict=True)}


def in_order(found: list[Moment]) -> list[tuple[str, str]]:
    """Sort by task, because events of two tasks in the same microseconds have no order."""
    return sorted(((task, what) for _, task, what in found), key=lambda each: each[0])


@pytest.mark.parametrize(("name", "protocol", "schedule"), SCHEDULES)
def test_the_figures_are_met_at_each_instant(name: str, protocol: str, schedule: str) -> None:
    expected = written(schedule, UNIT_NS)
    until_ns = 60 * MS
    found = [
        moment
        for moment in moments(traces()[name, protocol], until_ns)
        if moment[2] not in LEFT_OUT
    ]
    assert in_order(found) == in_order(expected)
    by_task = [sorted(each, key=lambda moment: moment[1]) for each in (found, expected)]
    for moment, planned in zip(*by_task, strict=True):
        assert 0 <= moment[0] - planned[0] < LINUXS_OWN, moment


@pytest.mark.parametrize(("name", "deadline", "kept_under"), DEADLINES)
def test_the_deadlines_are_missed_and_kept_as_in_the_figures(
    name: str, deadline: int, kept_under: list[str]
) -> None:
    ends = {
        protocol: next(
            time_ns
            for time_ns, task, what in moments(trace, 60 * MS)
            if (task, what) == ("T0", "end")
        )
        for (of, protocol), trace in traces().items()
        if of == name
    }
    assert [name for name, end_ns in ends.items() if end_ns <= deadline * UNIT_NS] == kept_under
