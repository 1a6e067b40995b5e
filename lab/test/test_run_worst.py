# SPDX-License-Identifier: MIT
"""--arrivals worst: the observation comes as near to the bound as the analysis allows."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import cast

import pytest
from report_fakes import simulate, system_of
from run_options import OPTIONS

from plafond.analyse.analysis import analyse
from plafond.describe import System, load
from plafond.describe.system import Interval
from plafond.errors import ArgumentError
from plafond.protocols import Protocol, analysed
from plafond.run.arrivals import draw_arrivals, with_activations
from plafond.run.options import Options
from plafond.run.releases import Times, draw_releases, with_arrivals
from plafond.run.worst import LATE_NS, Arrival, Opening, Phase, phases_of, worst_arrivals
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


def worst(system: System, repetitions: int | None = 1) -> Times:
    """Return the arrivals that are added to the run as described."""
    system = with_activations(system, None)
    arrivals, releases = worst_arrivals(system, options(repetitions), 1)
    assert arrivals == releases  # without jitter
    described = draw_arrivals(system, 1)
    assert all(arrivals[name][: len(times)] == times for name, times in described.items())
    return {name: times[len(described[name]) :] for name, times in arrivals.items()}


def ratios(system: System, protocol: str) -> dict[str, float]:
    """Return the longest response of each task over its bound, if the kernel takes no time."""
    trace = simulate(system, protocol, worst(system), wake_up_ns=(0, 0))
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
    arrivals, _ = worst_arrivals(system, options(), 1)
    for task in system.tasks:
        times = arrivals[task.name]
        assert times
        assert times[0] >= 0
        assert all(after - before >= task.least_interval_ns for before, after in pairwise(times))


def test_each_repetition_is_late_by_another_time() -> None:
    first, *_ = phases_of(example("carminati-2012-table-1"), 0)
    opened = [
        {each.task.name: each.time_ns for each in first.arrivals(0, late)} for late in LATE_NS
    ]
    assert [times["T0"] for times in opened] == list(LATE_NS)


def test_a_release_is_never_later_than_half_of_the_section() -> None:
    system = example("almatary-2015-floor")
    phase = next(each for each in phases_of(system, 0) if each.openings)
    opening = phase.openings[0]
    releases = {each.task.name: each.time_ns for each in phase.arrivals(0, 10 * MS)}
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
    assert opened == ["log"]  # the worst job of `control` is due after the first job of `plan`
    assert [task.name for task in phases["plan"].again] == ["control"]
    assert phases["log"].openings == ()


def test_tasks_that_do_not_arrive_by_themselves_do_not() -> None:
    arrivals, _ = worst_arrivals(example("osek-pipeline"), options(2), 1)
    assert [name for name, times in arrivals.items() if times] == ["sensor"]


def test_cpus_have_their_own_phases() -> None:
    system = system_of(OFTEN)
    quick, slow = system.tasks
    two = replace(system, cpus=2, tasks=(quick.changed(cpu=1), slow))
    first, second = (times[0] for times in worst(two).values())
    assert first == second


def test_servers_are_refused_by_name() -> None:
    with pytest.raises(ArgumentError, match="found the server control; expected none"):
        worst_arrivals(example("servers"), options(1), 1)


LATE = """
[task.H]
priority = 2
arrival = "periodic 10ms"
jitter = "5ms"
activations = 200
body = ["run 3ms"]
[task.L]
priority = 1
arrival = "periodic 40ms"
activations = 100
body = ["run 9ms"]
"""


def responses(system: System, arrivals: Times, releases: Times) -> dict[str, int]:
    """Return the longest response of each task, if the kernel takes no time."""
    trace = simulate(system, "protect", releases, wake_up_ns=(0, 0))
    found = with_arrivals(trace, arrivals, releases)
    return {
        task.name: max(cast(int, each.response_ns) for each in activations(task))
        for task in found.tasks
    }


@pytest.mark.parametrize("jitter_ms", [5, 9, 23])
def test_with_jitter_the_bounds_are_reached(jitter_ms: int) -> None:
    """The bounds are for releases as dense as the jitter allows."""
    high, low = system_of(LATE).tasks
    system = replace(system_of(LATE), tasks=(high.changed(jitter_ns=jitter_ms * MS), low))
    arrivals, releases = worst_arrivals(system, options(1), 1)
    for task in system.tasks:
        times = arrivals[task.name]
        assert all(after - before >= task.least_interval_ns for before, after in pairwise(times))
        late = [r - a for a, r in zip(times, releases[task.name], strict=True)]
        assert all(0 <= each <= task.jitter_ns for each in late)
        assert all(after > before for before, after in pairwise(releases[task.name]))
    bounds = {row.task: row.response_bound_ns for row in analyse(system, [Protocol.CEILING]).rows}
    for name, response_ns in responses(system, arrivals, releases).items():
        assert 0.999 < response_ns / cast(int, bounds[name]) <= 1, name


def random_system(number: int) -> System:
    draw = random.Random(number)
    lines = []
    for place in range(draw.randint(2, 4)):
        period = draw.randint(4, 20)
        steps = [f"run {draw.randint(1, period)}00us"]
        if draw.random() < 0.5:
            steps += ["lock R", f"run {draw.randint(1, 5)}00us", "unlock R"]
        lines += [
            f"[task.T{place}]",
            f"priority = {draw.randint(1, 5)}",
            f'arrival = "{draw.choice(("periodic", "sporadic"))} {period}ms"',
            f'offset = "{draw.randint(1, 30)}00us"',
            f'jitter = "{draw.choice((1, draw.randint(1, 10 * period - 10)))}00us"',
            f"body = {json.dumps(steps)}",
        ]
    return system_of("\n".join([*lines, "[resource.R]", ""]))


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_the_worst_is_never_less_than_as_described(first: int) -> None:
    """200 random systems, with jitter, offsets and sections."""
    for number in range(first, first + 50):
        system = with_activations(random_system(number), 30)
        arrivals = draw_arrivals(system, number)
        releases = draw_releases(system, arrivals, number)
        described = responses(system, arrivals, releases)
        worst = responses(system, *worst_arrivals(system, options(1), number))
        assert all(worst[name] >= described[name] for name in described), number


EQUALS = "".join(
    f'[task.{name}]\npriority = {priority}\narrival = "periodic 50ms"\nbody = [{body}]\n'
    for name, priority, body in (
        ("above", 9, '"run 1ms"'),
        ("one", 5, '"run 2ms"'),
        ("other", 5, '"run 3ms", "lock R", "run 1ms", "unlock R"'),
        (
            "below",
            1,
            '"run 4ms", "lock R", "run 3ms", "unlock R", "run 1ms", "lock R", "run 2ms", '
            '"unlock R", "run 5ms"',
        ),
    )
)


def test_a_task_comes_right_behind_the_tasks_of_its_priority() -> None:
    """Equal and more urgent tasks come again and again."""
    phases = list(phases_of(system_of(f"{EQUALS}[resource.R]\n"), 0))
    found = {
        phase.task.name: ([each.name for each in phase.again], phase.later_ns) for phase in phases
    }
    assert found == {
        "above": ([], 0),
        "one": (["above", "other"], 1),
        "other": (["above", "one"], 1),
        "below": (["above", "one", "other"], 0),
    }


def test_the_longest_of_two_sections_is_opened() -> None:
    phases = phases_of(system_of(f"{EQUALS}[resource.R]\n"), 0)
    opened = next(phase for phase in phases if phase.task.name == "other" and phase.openings)
    (opening,) = opened.openings
    assert (opening.task.name, opening.before_ns, opening.length_ns) == ("below", 4 * MS, 3 * MS)


def test_a_section_of_a_nanosecond_has_begun_when_the_others_come() -> None:
    tasks = system_of(OFTEN).tasks
    phase = Phase(tasks[0], (Opening(tasks[1], 7, 1),), (), (), window_ns=1)
    assert [(each.task.name, each.release_ns) for each in phase.arrivals(100, 500)] == [
        ("slow", 100),
        ("quick", 100 + 7 + 1),
    ]


def test_the_full_jitter_of_the_next_phase_keeps_the_least_interval() -> None:
    (task,) = system_of(OFTEN[: OFTEN.index("[task.slow]")]).tasks
    late = task.changed(interval=Interval(40 * MS, 40 * MS), jitter_ns=9 * MS)
    system = replace(system_of(OFTEN), tasks=(late,))
    arrivals, _ = worst_arrivals(system, options(3), 1)
    times = arrivals["quick"]
    assert len(times) >= 3
    assert all(after - before >= 40 * MS for before, after in pairwise(times))


def test_after_the_last_lateness_comes_the_first_again(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[int] = []
    arrivals = Phase.arrivals

    def noted(phase: Phase, start_ns: int, late_ns: int) -> Iterator[Arrival]:
        found.append(late_ns)
        return arrivals(phase, start_ns, late_ns)

    monkeypatch.setattr(Phase, "arrivals", noted)
    monkeypatch.setattr("plafond.run.worst.LATE_NS", (7, 500))
    worst_arrivals(system_of(OFTEN), options(5), 1)
    assert found == [7, 7, 500, 500, 7, 7, 500, 500, 7, 7]


def test_under_edf_a_task_is_behind_as_many_jobs_as_the_most_frequent_task_has() -> None:
    """The tasks of 10 and 20 ms have 10 and 5 jobs that are due no later than at 100 ms."""
    text = 'scheduler = "edf"\n' + "".join(
        f'[task.T{period}]\npriority = {98 - period // 2}\narrival = "periodic {period}ms"\n'
        f'body = ["run 1ms"]\n'
        for period in (10, 20, 100)
    )
    phase = next(each for each in phases_of(system_of(text), 0) if each.task.name == "T100")
    assert [each.name for each in phase.again] == ["T10", "T20"]
    assert phase.later_ns == 1 + 9
