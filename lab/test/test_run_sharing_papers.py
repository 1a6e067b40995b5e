# SPDX-License-Identifier: MIT
"""OSPERT 2010, 8, Figures 4 to 6, on Plafond's own kernel: servers that share a resource.

In virtual time, a unit of the paper being a microsecond, each instant is met exactly. On the board
the same runs in the same order; there the kernel takes time, too.
"""

import pytest
from kernel_runs import trace_on
from server_runs import happened, ran
from sharing_figures import FIGURES, US, ends, figure, happenings, stretches

from plafond.trace.activations import activations
from plafond.trace.model import Trace

pytestmark = pytest.mark.board

PROTOCOLS = ("syscall", "uprio-nprio", "lazy-ceiling")


def sections(trace: Trace) -> list[tuple[str, int, int]]:
    """From when to when each task held the resource."""
    return [
        (task.name, begin, end)
        for task in trace.tasks
        for activation in activations(task)
        for begin, end, _ in activation.sections
    ]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("number", FIGURES)
def test_a_figure_on_the_simulated_processor(number: int, protocol: str) -> None:
    """What runs when, holds R1, overruns, pays back, skips; and when each task ends."""
    expected = FIGURES[number]
    trace = trace_on("sim", protocol, figure(number))
    assert ran(trace) == stretches(expected.stretches)
    assert happened(trace) == happenings(expected.happenings)
    assert sorted(sections(trace)) == sorted(stretches(expected.sections))
    found = [(task.name, task.events[-1].time_ns) for task in trace.tasks]
    assert sorted(found) == sorted(ends(expected.ends))


# At a microsecond a unit, budgets and sections that fit each other exactly in the paper do not with
# the kernel's own time: what is left over of a task runs later, for so long at most, and all comes
# so much later. t2, whose section in Figure 4 ends just when the budget does, overruns there.
LEFT_OVER = 2 * US
KERNELS_OWN = 6 * US


@pytest.mark.papers
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("number", FIGURES)
def test_a_figure_on_the_board(number: int, protocol: str) -> None:
    """All in the same order: what runs, and what happens."""
    expected = FIGURES[number]
    trace = trace_on("a53", protocol, figure(number))
    found = [each for each in ran(trace) if each[2] - each[1] > LEFT_OVER]
    for (task, begin, end), planned in zip(found, stretches(expected.stretches), strict=True):
        assert task == planned[0]
        assert 0 <= begin - planned[1] < KERNELS_OWN
        assert 0 <= end - planned[2] < KERNELS_OWN
    what = iter([each[1:] for each in happened(trace)])
    assert all(each[1:] in what for each in happenings(expected.happenings))
