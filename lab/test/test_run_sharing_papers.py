# SPDX-License-Identifier: MIT
"""OSPERT 2010, 8, Figures 4 to 6, and 5, Table I, on Plafond's own kernel: servers that share.

In virtual time each instant is met exactly, with a microsecond as the unit of Figures 4 to 6. On
the board the order is the same, but the kernel takes time, too.
"""

from fractions import Fraction

import pytest
from kernel_runs import described, trace_on
from server_runs import happened, ran
from sharing_figures import FIGURES, US, ends, figure, happenings, stretches

from plafond.bench.kernel import asberg
from plafond.describe.server import Sharing
from plafond.trace.activations import activations
from plafond.trace.model import Trace

pytestmark = pytest.mark.board

PROTOCOLS = ("syscall", "uprio-nprio", "lazy-ceiling")
MORE = [pytest.param(protocol, marks=pytest.mark.papers) for protocol in PROTOCOLS[:-1]]


def sections(trace: Trace) -> list[tuple[str, int, int]]:
    return [
        (task.name, begin, end)
        for task in trace.tasks
        for activation in activations(task)
        for begin, end, _ in activation.sections
    ]


@pytest.mark.parametrize("protocol", [*MORE, PROTOCOLS[-1]])
@pytest.mark.parametrize("number", FIGURES)
def test_a_figure_on_the_simulated_processor(number: int, protocol: str) -> None:
    """Stretches, sections of R1, overruns, paybacks, skips, and the ends of tasks agree."""
    expected = FIGURES[number]
    trace = trace_on("sim", protocol, figure(number))
    assert ran(trace) == stretches(expected.stretches)
    assert happened(trace) == happenings(expected.happenings)
    assert sorted(sections(trace)) == sorted(stretches(expected.sections))
    found = [(task.name, task.events[-1].time_ns) for task in trace.tasks]
    assert sorted(found) == sorted(ends(expected.ends))


# At a microsecond a unit, budgets and sections that fit exactly in the paper do not fit with the
# kernel's time. The rest of a task, at most LEFT_OVER, runs later, and delays all that follows. t2
# overruns on the board, because its section in Figure 4 ends exactly with the budget.
LEFT_OVER = 2 * US
KERNELS_OWN = 6 * US


@pytest.mark.papers
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("number", FIGURES)
def test_a_figure_on_the_board(number: int, protocol: str) -> None:
    """The order of stretches and events agrees."""
    expected = FIGURES[number]
    trace = trace_on("a53", protocol, figure(number))
    found = [each for each in ran(trace) if each[2] - each[1] > LEFT_OVER]
    for (task, begin, end), planned in zip(found, stretches(expected.stretches), strict=True):
        assert task == planned[0]
        assert 0 <= begin - planned[1] < KERNELS_OWN
        assert 0 <= end - planned[2] < KERNELS_OWN
    what = iter([each[1:] for each in happened(trace)])
    assert all(each[1:] in what for each in happenings(expected.happenings))


# The mean calls of the scheduler in OSPERT 5, Table I.
MEANS = {Sharing.SKIP: Fraction(25, 4), Sharing.OVERRUN_PAYBACK: Fraction(28)}


@pytest.mark.parametrize("seed", range(len(asberg.PAPER.rows)))
def test_a_set_has_what_the_recipe_says(seed: int) -> None:
    """There are 5 servers of 8 tasks, 2 resources with 2 to 6 users, and 15 %. Only the policy
    differs."""
    name = f"sharing-asberg-{seed}"
    skip, overrun = (
        described(f"{name}-{policy}", asberg.description(seed, policy))
        for policy in asberg.COMPARED
    )
    unit_ns = asberg.UNIT_US * US
    assert [len(skip.tasks_of(server.name)) for server in skip.servers] == [8] * 5
    assert all(2 <= len(resource.users) <= 6 for resource in skip.resources_of_servers)
    assert len(skip.resources_of_servers) == 2
    assert all(5 * unit_ns <= server.period_ns <= 20 * unit_ns for server in skip.servers)
    assert all(40 * unit_ns <= task.least_interval_ns <= 100 * unit_ns for task in skip.tasks)
    assert Fraction(149, 1_000) < skip.utilisation(0) <= Fraction(15, 100)
    assert [(task.name, task.body) for task in skip.tasks] == [
        (task.name, task.body) for task in overrun.tasks
    ]


def test_the_means_of_the_paper() -> None:
    for policy, mean in MEANS.items():
        counts = [
            asberg.paper_calls(seed, "scheduler", policy) or 0
            for seed in range(len(asberg.PAPER.rows))
        ]
        assert Fraction(sum(counts), len(counts)) == mean


@pytest.mark.papers
@pytest.mark.parametrize("seed", range(len(asberg.PAPER.rows)))
def test_skipping_calls_the_scheduler_less_than_overrun_does(seed: int) -> None:
    """As in each set of the paper, an unlock under overrun calls the scheduler in another case,
    too.

    The calls of the kernel are in the other order, because our count has failed tests among them. A
    test fails if at most X is left, and X is the longest section of the server. An overrun begins
    only if less is left than its section takes.
    """
    skip, overrun = (asberg.measure_set(seed, policy) for policy in asberg.COMPARED)
    assert skip.locks == overrun.locks > 70
    assert skip.scheduler < overrun.scheduler
    assert skip.failed_tests >= overrun.scheduler - 1
    assert overrun.failed_tests == 0
    assert skip.kernel >= skip.failed_tests + skip.scheduler
    assert overrun.kernel >= overrun.scheduler
