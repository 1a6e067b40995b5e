# SPDX-License-Identifier: MIT
"""--arrivals worst: the observation comes as near to the bound as the analysis allows."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import cast

import pytest
from report_fakes import simulate, system_of
from run_options import OPTIONS

from plafond.analyse.analysis import analyse
from plafond.describe import System, load
from plafond.errors import ArgumentError
from plafond.protocols import analysed
from plafond.run.options import Options
from plafond.run.worst import LATE_NS, phases_of, worst_arrivals
from plafond.trace.activations import activations

EXAMPLES = Path(__file__).parents[2] / "examples"
MS = 1_000_000
OFTEN = """
[task.quick]
priority = 9
arrival = "periodic 10ms"
body = ["run 3ms"]
[task.slow]
priority = 5
arrival = "periodic 40ms"
body = ["run 12ms"]
"""


def options(repetitions: int | None = None) -> Options:
    return replace(OPTIONS, activations=repetitions, worst=True)


def example(name: str) -> System:
    return load(EXAMPLES / f"{name}.toml")


def ratios(system: System, protocol: str) -> dict[str, float]:
    """The longest response of each task over its bound, if the kernel takes no time."""
    arrivals = worst_arrivals(system, options(1))
    trace = simulate(system, protocol, arrivals, wake_up_ns=(0, 0))
    bounds = {row.task: row.response_bound_ns for row in analyse(system, [analysed(protocol)]).rows}
    return {
        task.name: max(cast(int, each.response_ns) for each in activations(task))
        / cast(int, bounds[task.name])
        for task in trace.tasks
    }


@pytest.mark.parametrize("protocol", ["protect", "inherit"])
@pytest.mark.parametrize(
    "name", ["carminati-2012-table-1", "carminati-2012-figure-1", "carminati-2012-figure-3"]
)
def test_every_bound_of_the_papers_is_reached_and_none_exceeded(name: str, protocol: str) -> None:
    for task, ratio in ratios(example(name), protocol).items():
        assert 0.999 < ratio <= 1, task


def test_the_last_of_several_jobs_reaches_its_bound() -> None:
    for task, ratio in ratios(system_of(OFTEN), "protect").items():
        assert 0.999 < ratio <= 1, task


@pytest.mark.parametrize(
    "name", ["carminati-2012-table-1", "zuepke-2014-nested", "inversion", "edf-loops"]
)
def test_arrivals_keep_the_least_intervals_of_their_tasks(name: str) -> None:
    system = example(name)
    arrivals = worst_arrivals(system, options())
    for task in system.tasks:
        times = arrivals[task.name]
        assert times
        assert times[0] >= 0
        assert all(after - before >= task.least_interval_ns for before, after in pairwise(times))


def test_each_repetition_is_late_by_another_time() -> None:
    first, *_ = phases_of(example("carminati-2012-table-1"), 0)
    opened = [{task.name: time for task, time in first.arrivals(0, late)} for late in LATE_NS]
    assert [times["T0"] for times in opened] == list(LATE_NS)


def test_a_release_is_never_later_than_half_of_the_section() -> None:
    system = example("almatary-2015-floor")
    phase = next(each for each in phases_of(system, 0) if each.openings)
    opening = phase.openings[0]
    releases = {task.name: time for task, time in phase.arrivals(0, 10 * MS)}
    first = min(time for name, time in releases.items() if name != opening.task.name)
    assert opening.before_ns < first <= opening.before_ns + opening.length_ns // 2


def test_a_chain_is_opened_from_below() -> None:
    openings = {
        tuple(opening.task.name for opening in each.openings)
        for each in phases_of(example("carminati-2012-table-1"), 0)
        if each.task.name == "T0"
    }
    assert openings == {("T1",), ("T2", "T1")}


def test_under_edf_the_longest_section_that_is_due_later_is_open() -> None:
    phases = {phase.task.name: phase for phase in phases_of(example("edf-loops"), 0)}
    opened = [opening.task.name for opening in phases["control"].openings]
    assert opened == ["log"]  # the worst job of control is due behind the first one of plan
    assert [task.name for task in phases["plan"].again] == ["control"]
    assert phases["log"].openings == ()


def test_tasks_that_do_not_arrive_by_themselves_do_not() -> None:
    arrivals = worst_arrivals(example("osek-pipeline"), options(2))
    assert [name for name, times in arrivals.items() if times] == ["sensor"]


def test_cpus_have_their_own_phases() -> None:
    system = system_of(OFTEN)
    quick, slow = system.tasks
    two = replace(system, cpus=2, tasks=(replace(quick, cpu=1), slow))
    arrivals = worst_arrivals(two, options(1))
    assert [times[0] for times in arrivals.values()] == [0, 0]


def test_servers_are_refused_by_name() -> None:
    with pytest.raises(ArgumentError, match="found the server control; expected none"):
        worst_arrivals(example("servers"), options(1))
