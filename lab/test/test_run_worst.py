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
from server_model import schedule_of

from plafond.analyse.analysis import analyse
from plafond.board.boards import BOARDS
from plafond.describe import System, load
from plafond.describe.system import Interval
from plafond.protocols import Protocol, analysed
from plafond.run.arrivals import draw_arrivals, with_activations
from plafond.run.board import run_on_board
from plafond.run.candidates import beside, notes_of_candidates
from plafond.run.options import Options
from plafond.run.phase import Arrival, Opening, Phase
from plafond.run.releases import Times, draw_releases, with_arrivals
from plafond.run.worst import LATE_NS, at_any_phase, phases_of, worst_arrivals
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
    rows = analyse(at_any_phase(system), [analysed(protocol)]).rows
    bounds = {row.task: row.response_bound_ns for row in rows}
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


# ---- In servers, and across CPUs ---------------------------------------------------------


def served(number: int) -> System:
    """Return a random system of two or three servers, of any kind, with offsets and sections."""
    draw = random.Random(number)
    count = draw.randint(2, 3)
    lines = []
    for place in range(count):
        period = draw.randint(20, 90)
        budget = max(2, draw.randint(period // 3, period) // count)
        kind = draw.choice(("idling", "polling", "deferrable"))
        lines += [f'[server.s{place}]\nkind = "{kind}"\npriority = {count - place}']
        lines += [f'period = "{period}us"\nbudget = "{budget}us"']
    for place in range(2 * count):
        steps = [f"run {draw.randint(1, 9)}us"]
        if draw.random() < 0.4:
            own = f"R{place % count}"
            steps += [f"lock {own}", f"run {draw.randint(1, 4)}us", f"unlock {own}"]
        lines += [f'[task.t{place}]\nserver = "s{place % count}"\npriority = {draw.randint(1, 4)}']
        lines += [f'arrival = "periodic {draw.randint(80, 300)}us"']
        lines += [f'offset = "{draw.randint(1, 90)}us"\nactivations = 12']
        lines += [f"body = {json.dumps(steps)}"]
    lines += [f"[resource.R{place}]" for place in range(count)]
    return system_of("\n".join([*lines, ""]))


def served_responses(system: System, arrivals: Times) -> dict[str, int]:
    """Return the longest response of each task, by the definitions of the servers."""
    ends: dict[str, list[int]] = {task.name: [] for task in system.tasks}
    for name, end_ns in schedule_of(system, arrivals).ends:
        ends[name].append(end_ns)
    return {
        name: max(end - come for end, come in zip(sorted(times), arrivals[name], strict=True))
        for name, times in ends.items()
    }


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_the_worst_in_servers_is_never_less_and_never_above_the_bound(first: int) -> None:
    """60 random systems of servers."""
    longer = 0
    for number in range(first, first + 20):
        system = served(number)
        described = served_responses(system, draw_arrivals(system, number))
        arrivals, releases = worst_arrivals(system, options(1), number)
        assert arrivals == releases
        worst = served_responses(system, arrivals)
        assert all(worst[name] >= described[name] for name in described), number
        longer += any(worst[name] > described[name] for name in described)
        for row in analyse(system, [Protocol.CEILING]).rows:
            if row.response_bound_ns is not None:
                assert worst[row.task] <= row.response_bound_ns, (number, row.task)
    assert longer > 10


ALONE = """
[server.a]
kind = "{kind}"
period = "10ms"
budget = "4ms"
priority = 9
[task.x]
priority = 1
arrival = "sporadic 50ms"
body = ["run 1ms"]
server = "a"
"""


@pytest.mark.parametrize(("kind", "bound_ms"), [("idling", 7), ("polling", 11)])
def test_a_task_that_comes_as_its_budget_ends_reaches_its_bound(kind: str, bound_ms: int) -> None:
    """Davis and Burns 2005: 10 - 4 + 1, and 10 + 1 for a polling server."""
    system = with_activations(system_of(ALONE.format(kind=kind)), 3)
    arrivals, _ = worst_arrivals(system, options(1), 1)
    (row,) = analyse(system, [Protocol.CEILING]).rows
    assert row.response_bound_ns == bound_ms * MS
    assert 0.999 < served_responses(system, arrivals)["x"] / (bound_ms * MS) <= 1


def test_a_deferrable_budget_is_used_by_a_less_urgent_task_first() -> None:
    """`low` uses all of the budget as a period begins. Then `x` comes, and waits for the next."""
    low = (
        ALONE.format(kind="deferrable").replace("task.x", "task.low").replace("run 1ms", "run 4ms")
    )
    _, low_task = low.split("[task.low]")
    text = ALONE.format(kind="deferrable").replace("priority = 1\n", "priority = 2\n")
    system = with_activations(system_of(f"{text}[task.low]{low_task}"), 3)
    arrivals, _ = worst_arrivals(system, options(1), 1)
    assert 0.999 < served_responses(system, arrivals)["x"] / (7 * MS) <= 1


def test_instants_of_a_server() -> None:
    """The task comes as a period begins, after 4 of 10, and after 4 behind 4 of each 5."""
    after = {
        phase.task.name: []  # type: ignore[var-annotated]
        for phase in phases_of(example("servers"), 0)
    }
    for phase in phases_of(example("servers"), 0):
        after[phase.task.name].append((phase.after_ns // MS, [each.name for each in phase.first]))
    assert after["regulate"] == [(0, []), (4, []), (4, ["record"])]
    assert after["map"] == [(0, []), (10, []), (18, [])]


ACROSS = """
cpus = 2
[task.A]
priority = 2
cpu = 0
arrival = "periodic 10ms"
body = ["run 500us", "lock R", "run 1ms", "unlock R"]
[task.B]
priority = 1
cpu = 1
arrival = "periodic 10ms"
body = ["run 300us", "lock R", "run 2ms", "unlock R"]
[task.C]
priority = 3
cpu = 1
arrival = "periodic 20ms"
body = ["run 100us"]
[resource.R]
"""


def test_tasks_of_another_cpu_are_inside_as_the_task_asks() -> None:
    system = system_of(ACROSS)
    b, c = (next(task for task in system.tasks if task.name == name) for name in "BC")
    (phase,) = phases_of(system, 0)
    together, inside = beside(system, phase)
    assert together.beside == ((c, 0), (b, 0))
    assert inside.beside == ((c, 0), (b, 300_000 + 1 - 500_000))
    found = {each.task.name: each.release_ns for each in inside.arrivals(7, 1)}
    assert found["A"] == 7 + 1
    in_section = [found["B"] + 300_000, found["B"] + 2_300_000]
    assert in_section[0] < found["A"] + 500_000 < in_section[1]


def test_the_phases_of_cpus_that_share_follow_each_other() -> None:
    """As described, first. Then each task of both CPUs has the phases, in silence."""
    system = with_activations(system_of(ACROSS), 5)
    added = worst(system)
    assert len(added["B"]) == 2 + 2 + 1  # a phase of A and of B has two forms, and that of C one
    assert min(map(len, added.values())) == 5
    for name, times in added.items():
        task = next(each for each in system.tasks if each.name == name)
        assert all(after - before >= task.least_interval_ns for before, after in pairwise(times))


def across(number: int) -> System:
    """Return a random system of two CPUs that share a resource."""
    draw = random.Random(number)
    lines = ["cpus = 2", "[resource.R]"]
    for place in range(draw.randint(3, 5)):
        steps = [f"run {draw.randint(1, 10)}00us"]
        if place < 2 or draw.random() < 0.5:
            steps += ["lock R", f"run {draw.randint(1, 8)}00us", "unlock R"]
        lines += [f"[task.T{place}]\npriority = {10 - place}\ncpu = {place % 2}"]
        lines += [f'arrival = "periodic {draw.randint(5, 20)}ms"\nactivations = 20']
        lines += [f'offset = "{draw.randint(1, 30)}00us"\nbody = {json.dumps(steps)}']
    return system_of("\n".join([*lines, ""]))


def responses_on_sim(system: System, arrivals: Times, folder: Path) -> dict[str, int]:
    """Return the longest response of each task on the kernel under MPCP, in virtual time."""
    asked = replace(OPTIONS, protocols=["mpcp"], out=folder, board=BOARDS["sim"])
    (outcome,) = run_on_board(system, arrivals, asked, BOARDS["sim"])
    return {
        task.name: max(cast(int, each.response_ns) for each in activations(task))
        for task in outcome.trace.tasks
    }


@pytest.mark.board
@pytest.mark.parametrize("number", [0, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2))])
def test_the_worst_across_cpus_is_never_less_and_never_above_the_bound(
    tmp_path: Path, number: int
) -> None:
    system = across(number)
    described = responses_on_sim(system, draw_arrivals(system, number), tmp_path)
    worst = responses_on_sim(system, worst_arrivals(system, options(2), number)[0], tmp_path)
    assert all(worst[name] >= described[name] for name in described)
    assert any(worst[name] > described[name] for name in described)
    for row in analyse(at_any_phase(system), [Protocol.MPCP]).rows:
        if row.response_bound_ns is not None:
            assert worst[row.task] <= row.response_bound_ns


def test_candidates_are_called_so() -> None:
    assert list(notes_of_candidates(system_of(OFTEN))) == []
    (in_servers,) = notes_of_candidates(example("servers"))
    assert "which phase of a budget is the worst is not known" in in_servers
    (across,) = notes_of_candidates(system_of(ACROSS))
    assert "which arrivals on several CPUs are the worst is not known" in across


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
