# SPDX-License-Identifier: MIT
"""Resources of several servers on Plafond's own kernel, in virtual time, against the model."""

from collections.abc import Iterator
from itertools import pairwise, product

import pytest
from _pytest.mark import ParameterSet
from kernel_runs import described, trace_on
from server_model import Schedule, schedule_of
from server_runs import happened, ran
from sharing_systems import POLICIES, drawn

from plafond.describe.system import System
from plafond.run.arrivals import draw_arrivals
from plafond.trace.activations import activations
from plafond.trace.model import Trace

pytestmark = [pytest.mark.board]

PROTOCOLS = ("syscall", "uprio-nprio", "lazy-ceiling")
SEEDS = (3, 17)  # with many events
MORE_SEEDS = tuple(seed for seed in range(14) if seed not in SEEDS)
# The cases that `make test` runs.
FIRST = ((3, "mixed", "uprio-nprio"), (17, "mixed", "syscall"), (17, "mixed", "lazy-ceiling"))


def is_as_the_model_has_it(system: System, expected: Schedule, protocol: str) -> None:
    trace = trace_on("sim", protocol, system)
    assert trace.cut is None
    assert ran(trace) == expected.stretches
    last_ns = expected.stretches[-1][2]
    found = [each for each in happened(trace) if each[0] < last_ns]
    assert found == sorted(each for each in expected.happenings if each[0] < last_ns)
    exclude_each_other(system, trace)


def exclude_each_other(system: System, trace: Trace) -> None:
    """Check that no two tasks are in one resource at once, whatever their servers are."""
    for number, name in enumerate(trace.resources):
        sections = sorted(
            (grant, unlock)
            for task in trace.tasks
            for activation in activations(task)
            for grant, unlock, resource in activation.sections
            if resource == number
        )
        for (_, before), (begin, _) in pairwise(sections):
            assert before <= begin, name


def _cases() -> Iterator[ParameterSet]:
    for case in product(SEEDS, POLICIES, PROTOCOLS):
        yield pytest.param(*case, marks=() if case in FIRST else pytest.mark.papers)


@pytest.mark.parametrize(("seed", "policy", "protocol"), list(_cases()))
def test_the_schedule_is_that_of_the_definitions(seed: int, policy: str, protocol: str) -> None:
    """The stretches, and each overrun, payback, keep-out and skip, agree to the nanosecond."""
    is_as_the_model_has_it(*drawn(seed, policy), protocol)


@pytest.mark.papers
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("seed", MORE_SEEDS)
def test_more_schedules_are(seed: int, policy: str) -> None:
    is_as_the_model_has_it(*drawn(seed, policy), PROTOCOLS[seed % len(PROTOCOLS)])


def test_what_is_drawn_has_all_that_can_happen() -> None:
    """Otherwise nothing would be compared."""
    schedules = [drawn(seed, "mixed")[1] for seed in SEEDS]
    whats = {what for schedule in schedules for _, what, _ in schedule.happenings}
    assert whats == {"overrun", "payback", "keep-out", "skip"}


# `low` waits from 10 for the budget at 50, and its server does not have the core. At 13 a task
# below its ceiling comes, and at 15 a task above. At 30 and 40 the same happens.
WHILE_IT_WAITS = """
[server.first]
kind = "deferrable"
priority = 2
period = "50us"
budget = "20us"
global = "skip"
overrun = "17us"
[server.second]
kind = "{kind}"
priority = 1
period = "50us"
budget = "20us"
global = "overrun"
overrun = "2us"
[resource.R]
"""
TASKS_WHILE_IT_WAITS = (
    ("high", "first", 9, 15, '"run 2us"'),
    ("again", "first", 8, 40, '"run 2us"'),
    ("low", "first", 7, 0, '"run 10us", "lock R", "run 9us", "unlock R"'),
    ("below", "first", 6, 13, '"run 1us"'),
    ("late", "first", 5, 30, '"run 1us"'),
    ("other", "second", 1, 900, '"run 1us", "lock R", "run 1us", "unlock R"'),
)


@pytest.mark.parametrize("kind", ["idling", "deferrable"])
@pytest.mark.parametrize(
    "protocol", ["lazy-ceiling", pytest.param("syscall", marks=pytest.mark.papers)]
)
def test_what_comes_while_a_task_waits_for_a_budget_runs_above_its_ceiling(
    protocol: str, kind: str
) -> None:
    text = WHILE_IT_WAITS.format(kind=kind)
    for name, server, priority, at_us, body in TASKS_WHILE_IT_WAITS:
        text += f'[task.{name}]\nserver = "{server}"\npriority = {priority}\nactivations = 1\n'
        text += f'arrival = "periodic 10ms"\nbody = [{body}]\n'
        text += f'offset = "{at_us}us"\n' if at_us else ""
    system = described(f"sharing-while-it-waits-{kind}", text)
    expected = schedule_of(system, draw_arrivals(system, system.seed))
    first = [(name, begin // 1_000, end // 1_000) for name, begin, end in expected.stretches[:4]]
    assert first == [("low", 0, 10), ("high", 15, 17), ("again", 40, 42), ("low", 50, 59)]
    is_as_the_model_has_it(system, expected, protocol)
