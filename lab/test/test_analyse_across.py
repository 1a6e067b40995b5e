# SPDX-License-Identifier: MIT
"""Bounds across CPUs against bounds worked out by hand (proof/analysis compares hundreds)."""

from dataclasses import replace
from pathlib import Path

import pytest
from descriptions import described

from plafond.analyse.across import Delays, Known, Sharing, settle
from plafond.analyse.analysis import analyse, protocols_of, shown_of
from plafond.analyse.holding import Holding, Surroundings
from plafond.analyse.kept import keeps_deadlines
from plafond.analyse.line import Line
from plafond.analyse.mpcp import Mpcp, lifted_levels
from plafond.analyse.overheads import Costs, GlobalMutex, Overheads
from plafond.analyse.response import Bounds
from plafond.analyse.window import Background, Effort, NoWindowError
from plafond.describe import System, load
from plafond.describe.system import Task
from plafond.errors import ArgumentError
from plafond.protocols import Protocol, analysed

MPCP, MSRP, SPIN_PRIORITY = Protocol.MPCP, Protocol.MSRP, Protocol.SPIN_PRIORITY
MS = 1_000_000
ACROSS = tuple(protocol for protocol in Protocol if protocol.is_across)
EXAMPLE = Path(__file__).parents[2] / "examples/mueller-2014-mpcp.toml"


def bounds(system: System, protocol: Protocol) -> dict[str, tuple[float | None, float | None]]:
    """Return blocking and response in milliseconds."""
    return {
        row.task: (ms(row.blocking_bound_ns), ms(row.response_bound_ns))
        for row in analyse(system, [protocol]).rows
    }


def ms(value_ns: int | None) -> float | None:
    return None if value_ns is None else value_ns / MS


def task(name: str, priority: int, cpu: int, *body: str, period: int = 100) -> str:
    steps = ", ".join(f'"{step}"' for step in body)
    return (
        f'task.{name} = {{priority = {priority}, cpu = {cpu}, arrival = "periodic {period}ms", '
        f"body = [{steps}]}}\n"
    )


def inside(resource: str, length_ms: int) -> tuple[str, str, str]:
    return f"lock {resource}", f"run {length_ms}ms", f"unlock {resource}"


def system_of(folder: Path, *tasks: str, resources: str = "G", cpus: int = 2) -> System:
    tables = "".join(f"resource.{name} = {{}}\n" for name in resources)
    return described(folder, f"cpus = {cpus}\n" + "".join(tasks) + tables)


def test_the_published_waits(tmp_path: Path) -> None:
    # Four CPUs have a task each. Each of the three most urgent tasks has one request.
    system = system_of(
        tmp_path,
        task("first", 4, 1, *inside("G", 3), period=10),
        task("second", 3, 2, *inside("G", 5), period=25),
        task("third", 2, 3, *inside("G", 7), period=50),
        task("last", 1, 0, "run 1ms", period=100),
        cpus=4,
    )
    found = bounds(system, MPCP)

    assert [found[name][0] for name in ("first", "second", "third", "last")] == [7, 16, 19, 0]
    assert [found[name][1] for name in ("first", "second", "third", "last")] == [10, 21, 26, 1]


@pytest.mark.parametrize(
    ("word", "before", "behind"),
    [
        (4, 1, 3),  # `first` is before; `other` and `last` are behind
        (3, 1 + 3, 3),  # `last` is before, too, because its CPU is; `other` is behind
    ],
)
def test_more_users_than_a_word_holds_go_by_cpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: int, before: int, behind: int
) -> None:
    monkeypatch.setattr("plafond.describe.resource.USERS_IN_WORD", word)
    system = system_of(
        tmp_path,
        task("first", 4, 0, *inside("G", 1)),
        task("own", 3, 1, *inside("G", 2)),
        task("other", 2, 2, *inside("G", 3)),
        task("last", 1, 0, *inside("G", 3)),
        cpus=3,
    )
    found = bounds(system, MPCP)

    assert found["own"] == (before + behind, before + behind + 2)
    # The tasks of CPU 0 wait equally long with each word. `last` blocks `first` twice.
    assert found["last"][0] == 1 + 2 + 3
    assert found["first"][0] == 3 + 2 * 3


def test_the_paper_s_rules_on_the_example() -> None:
    # `urgent`: sensor's longest section. `control`: the same, and two sections of `logger`.
    # `sensor`: sections of `control` and `logger`. `filter`: logger's section, with control's work.
    # `logger`: sensor's shorter section.
    assert bounds(load(EXAMPLE), MPCP) == {
        "urgent": (3, 9),
        "control": (5, 7.5),
        "sensor": (3, 13),
        "filter": (1, 4.5),
        "logger": (0.5, 6.5),
    }


def test_a_request_spins_for_the_longest_section_of_each_other_cpu(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        task("own", 2, 0, *inside("G", 1)),
        task("above", 3, 0, "run 2ms"),
        task("one", 4, 1, *inside("G", 3)),
        task("other", 5, 1, *inside("G", 5)),
        task("third", 1, 2, *inside("G", 7)),
        cpus=3,
    )
    found = bounds(system, MSRP)

    assert found["above"] == (1 + 5 + 7, 2 + 1 + 5 + 7)  # blocked once by a section and its spin
    assert found["own"] == (0, 1 + 5 + 7 + 2)  # a spin is work of the task that spins
    assert found["other"] == (3 + 1 + 7, 5 + 1 + 7 + 3 + 1 + 7)


def test_a_request_spins_for_no_task_of_its_own_cpu(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        task("own", 2, 0, *inside("G", 1)),
        task("beside", 1, 0, *inside("G", 9)),
        task("remote", 3, 1, *inside("G", 4)),
    )

    assert bounds(system, MSRP)["own"] == (9 + 4, 9 + 4 + 1 + 4)
    assert bounds(system, MSRP)["remote"] == (0, 4 + 9)


def test_a_section_lasts_through_the_sections_inside(tmp_path: Path) -> None:
    nests = ("lock G", "run 2ms", "lock L", "run 3ms", "unlock L", "run 1ms", "unlock G")
    system = system_of(
        tmp_path, task("nests", 1, 0, *nests), task("remote", 2, 1, *inside("G", 1)), resources="GL"
    )

    for protocol in (MPCP, MSRP, SPIN_PRIORITY):
        assert bounds(system, protocol)["remote"][1] == 6 + 1


def test_by_priority_a_request_spins_for_one_below_and_all_above(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        task("own", 2, 0, *inside("G", 1)),
        task("one", 4, 1, *inside("G", 3)),
        task("third", 1, 2, *inside("G", 7)),
        task("fourth", 1, 2, *inside("G", 6)),
        cpus=3,
    )

    assert bounds(system, SPIN_PRIORITY)["own"] == (0, 1 + 7 + 3)
    assert bounds(system, SPIN_PRIORITY)["one"] == (0, 3 + 7)


def test_a_spin_grows_with_the_response_of_a_later_task(tmp_path: Path) -> None:
    """`other` responds after 14 + 1 + 4, so two of its jobs can be before `own` in a spin of 5."""
    system = system_of(
        tmp_path,
        task("own", 2, 0, *inside("G", 1)),
        task("other", 2, 1, "run 14ms", *inside("G", 1), period=20),
        task("last", 1, 2, *inside("G", 3)),
        cpus=3,
    )

    assert bounds(system, SPIN_PRIORITY)["other"] == (0, 14 + 1 + 4)
    assert bounds(system, SPIN_PRIORITY)["own"] == (0, 1 + 3 + 2 * 1)


def test_a_section_is_longer_by_those_as_high_of_its_cpu(tmp_path: Path) -> None:
    tasks = (
        task("waits", 9, 1, *inside("G", 1)),
        task("holds", 1, 0, *inside("G", 2)),
        task("beside", 2, 0, *inside("H", 4)),
        task("other", 8, 1, *inside("H", 1)),
    )
    low = system_of(tmp_path, *tasks, resources="GH")
    equal = system_of(tmp_path, *(each.replace(" 8,", " 9,") for each in tasks), resources="GH")

    # The ceiling of H, 8, is below that of G, 9, so H does not preempt a section of G.
    assert bounds(low, MPCP)["waits"] == (2 + 2 * 1, 2 + 2 * 1 + 1)
    assert (bounds(equal, MPCP)["waits"][0] or 0) >= 2 + 4


def test_each_less_urgent_task_blocks_once_and_after_each_request(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        task("high", 9, 0, *inside("G", 1), "run 1ms", *inside("G", 1)),
        task("low", 2, 0, *inside("H", 2)),
        task("lower", 1, 0, *inside("H", 3), *inside("L", 7)),
        task("user", 8, 0, *inside("L", 1)),
        task("remote", 5, 1, *inside("G", 4), *inside("H", 1)),
        resources="GHL",
    )
    found = bounds(system, MPCP)

    # Two waits of 4, and three blockings of 2 + 3. L has a lower ceiling, so it does not block
    # `high`.
    assert found["high"] == (2 * 4 + 3 * (2 + 3), 2 * 4 + 3 * (2 + 3) + 3)
    # L blocks `user` instead of the shorter section of H in `lower`. `user` never waits.
    assert found["user"][0] == 2 + 7


def test_of_sections_under_ceilings_of_a_cpu_only_the_longest_blocks(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        task("top", 9, 0, *inside("L", 1), *inside("M", 1)),
        task("user", 3, 0, *inside("G", 2)),
        task("low", 2, 0, *inside("L", 4)),
        task("lower", 1, 0, *inside("M", 5)),
        task("remote", 8, 1, *inside("G", 1)),
        resources="GLM",
    )

    assert bounds(system, MPCP)["top"] == (2 + 5, 2 + 5 + 2)


def test_each_job_of_a_long_window_waits(tmp_path: Path) -> None:
    """The fifth job of `own` responds latest: 5 * (61 + 1) + 8 * 26 - 4 * 100."""
    system = system_of(
        tmp_path,
        task("high", 3, 0, "run 26ms", period=70),
        task("own", 2, 0, "run 60ms", *inside("G", 1), period=100),
        task("remote", 1, 1, *inside("G", 1), period=100),
    )

    assert bounds(system, MPCP)["own"] == (5, 118)


def test_a_task_that_sleeps_is_blocked_after_the_sleep_too(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        task("own", 2, 0, "run 1ms", "sleep 2ms", *inside("G", 1)),
        task("low", 1, 0, *inside("G", 3)),
        task("remote", 3, 1, *inside("G", 4)),
    )
    found = bounds(system, MPCP)

    # `own` waits for both others. The section of `low` blocks at first, after the sleep and after
    # the wait.
    assert found["own"] == (3 + 4 + 3 * 3, 3 + 4 + 3 * 3 + 1 + 2 + 1)
    assert found["low"] == (1 + 4, 1 + 4 + 3 + 2)


def test_equal_priorities_are_before_each_other(tmp_path: Path) -> None:
    system = system_of(
        tmp_path, task("one", 2, 0, *inside("G", 1)), task("other", 2, 1, *inside("G", 3))
    )

    assert bounds(system, MPCP) == {"one": (3, 4), "other": (1, 4)}


def test_requests_of_one_job_all_count(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        task("below", 1, 0, *inside("G", 1), *inside("H", 1)),
        task("above", 2, 1, *inside("G", 3), *inside("G", 2), *inside("H", 4)),
        resources="GH",
    )

    # Two sections of G of at most 3, and a section of H of 4.
    assert bounds(system, MPCP)["below"] == (2 * 3 + 4, 2 * 3 + 4 + 2)


class Ends(Known):
    """Known bounds in which each job has the same response."""

    def __init__(self, response_ns: int) -> None:
        """Set the response of every task."""
        self._response_ns = response_ns

    def response_ns(self, task: Task) -> int:
        """Return the same response for every task."""
        return self._response_ns


@pytest.mark.parametrize(
    ("response_ms", "jobs"), [(1, 1), (9, 1), (10, 2), (18, 2), (19, 3), (35, 4)]
)
def test_jobs_that_arrived_before_the_wait_count_up_to_their_end(
    tmp_path: Path, response_ms: int, jobs: int
) -> None:
    system = system_of(
        tmp_path,
        task("below", 1, 0, *inside("G", 1)),
        task("above", 2, 1, *inside("G", 1), period=10),
    )
    above, below = system.tasks
    effort = Effort()
    effort.begin_row()
    line = Line(Sharing(system), Ends(response_ms * MS), effort)

    assert line.wait_ns(below, "G", (above,), lambda *_: MS) == jobs * MS


def test_a_wait_for_ever_names_the_resource(tmp_path: Path) -> None:
    above = task("above", 2, 1, *inside("G", 1), period=10)
    system = system_of(tmp_path, task("below", 1, 0, *inside("G", 1)), above)
    line = Line(Sharing(system), Ends(MS), Effort())

    with pytest.raises(NoWindowError, match="what more urgent tasks ask of G leaves no time over"):
        line.wait_ns(system.tasks[1], "G", system.tasks[:1], lambda *_: 10 * MS)


def test_a_task_that_waits_can_be_late_by_more_than_its_interval(tmp_path: Path) -> None:
    above = task("above", 2, 0, *inside("G", 1), period=10)
    system = system_of(tmp_path, above, task("other", 1, 1, *inside("G", 1)))
    sharing, known, effort = Sharing(system), Ends(35 * MS), Effort()

    found = Mpcp(sharing, Surroundings(lambda *_: Background()), known, effort)
    assert found.jitter_ns(system.tasks[0], MS) == 34 * MS


def test_what_is_locked_inside_is_lifted(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        task("top", 9, 0, "run 1ms"),
        task("nests", 5, 0, "lock G", "lock L", "run 1ms", "unlock L", "unlock G"),
        task("low", 1, 0, *inside("L", 4)),
        task("remote", 7, 1, *inside("G", 1)),
        resources="GL",
    )

    assert lifted_levels(system) == {"G": 7, "L": 7}
    assert bounds(system, MPCP)["top"] == (1 + 4, 1 + 1 + 4)
    assert bounds(system, MSRP)["top"] == (2, 1 + 2)  # G nests with its spin; L keeps its ceiling


@pytest.mark.parametrize("outer", ["GH", "HG"])
def test_inside_two_global_sections_the_higher_ceiling_counts(tmp_path: Path, outer: str) -> None:
    def nests(name: str) -> tuple[str, ...]:
        return (f"lock {name}", "lock L", "run 1ms", "unlock L", f"unlock {name}")

    system = system_of(
        tmp_path,
        task("first", 4, 0, *nests(outer[0])),
        task("second", 3, 0, *nests(outer[1])),
        task("low", 1, 0, *inside("L", 5)),
        task("remote", 9, 1, *inside("G", 1)),
        task("other", 7, 2, *inside("H", 1)),
        resources="GHL",
        cpus=3,
    )

    assert lifted_levels(system) == {"G": 9, "H": 7, "L": 9}
    # `remote` waits for the holder of G, and for the longest sections of L in both other tasks.
    assert bounds(system, MPCP)["remote"][0] == 1 + 1 + 5


def test_a_task_that_waits_may_come_late_by_all_but_its_work(tmp_path: Path) -> None:
    # This set of proof/analysis shows that a jitter of the wait alone is too little.
    system = system_of(
        tmp_path,
        task("first", 4, 0, "run 1ms", period=3),
        task("waits", 3, 0, *inside("G", 2), "run 1ms", period=8),
        task("last", 1, 0, "run 1ms", period=15),
        task("remote", 1, 1, *inside("G", 2), period=15),
    )

    assert bounds(system, MPCP)["waits"] == (2, 8)
    assert bounds(system, MPCP)["last"] == (0, 11)


def test_cpus_without_a_global_resource_keep_their_bounds(tmp_path: Path) -> None:
    tasks = (
        task("one", 2, 0, *inside("G", 1)),
        task("other", 2, 1, *inside("G", 3)),
        task("high", 3, 2, "run 1ms", "sleep 2ms", *inside("L", 1)),
        task("low", 1, 2, *inside("L", 4)),
    )
    system = system_of(tmp_path, *tasks, resources="GL", cpus=3)
    ceilings = bounds(system, Protocol.CEILING)

    for protocol in ACROSS:
        found = bounds(system, protocol)
        assert (found["high"], found["low"]) == (ceilings["high"], ceilings["low"])


@pytest.mark.parametrize(
    "elsewhere",
    [
        'autostart = true\nbody = ["run 1ms"]',
        'arrival = "periodic 9ms"\nschedule = "non"\nbody = ["run 1ms"]',
        'arrival = "periodic 9ms"\nserver = "s"\nbody = ["run 1ms"]\n[server.s]\nkind = "idling"\n'
        'cpu = 2\npriority = 1\nperiod = "4ms"\nbudget = "3ms"',
    ],
)
def test_tasks_of_cpus_without_a_global_resource_concern_no_others(
    tmp_path: Path, elsewhere: str
) -> None:
    tasks = (task("one", 2, 0, *inside("G", 1)), task("other", 2, 1, *inside("G", 3)))
    text = f"cpus = 3\n{''.join(tasks)}resource.G = {{}}\n"
    third = f"[task.third]\ncpu = 2\npriority = 3\n{elsewhere}\n"

    found = bounds(described(tmp_path, text + third), MPCP)
    assert (found["one"], found["other"]) == ((3, 4), (1, 4))


def test_without_an_order_there_is_no_bound(tmp_path: Path) -> None:
    report = analyse(load(EXAMPLE), [Protocol.SPIN_UNORDERED])

    assert all(row.response_bound_ns is None for row in report.rows)
    assert any(
        note.startswith(
            "spin-unordered: no bound for urgent, sensor: locks are handed on in no order"
        )
        for note in report.notes
    )


def test_under_a_protocol_of_one_cpu_there_is_no_bound_yet(tmp_path: Path) -> None:
    """The note names each global resource of the CPU."""
    system = system_of(
        tmp_path,
        task("one", 2, 0, *inside("G", 1), *inside("H", 1)),
        task("other", 2, 1, *inside("G", 3)),
        task("third", 2, 2, *inside("H", 3)),
        resources="GH",
        cpus=3,
    )

    notes = analyse(system, [Protocol.INHERIT]).notes
    used = "G is used on the CPUs 0 and 1"
    assert f"inherit: no bound yet for one: {used}; H is used on the CPUs 0 and 2" in notes
    assert f"inherit: no bound yet for other: {used}" in notes


def test_a_request_inside_a_section_is_not_covered(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        task("one", 2, 0, "lock L", "lock G", "run 1ms", "unlock G", "unlock L"),
        task("other", 2, 1, *inside("G", 3)),
        resources="GL",
    )
    for protocol in (MPCP, MSRP, SPIN_PRIORITY):
        report = analyse(system, [protocol])
        assert {row.response_bound_ns for row in report.rows} == {None}
        assert any("one locks G while it holds L" in note for note in report.notes)


def test_a_request_inside_two_sections_names_both(tmp_path: Path) -> None:
    nests = ("lock L", "lock M", "lock G", "run 1ms", "unlock G", "unlock M", "unlock L")
    tasks = task("one", 2, 0, *nests) + task("other", 2, 1, *inside("G", 3))
    report = analyse(system_of(tmp_path, tasks, resources="GLM"), [MPCP])

    assert any("one locks G while it holds L, M" in note for note in report.notes)


@pytest.mark.parametrize("protocol", [MPCP, SPIN_PRIORITY])
def test_a_task_that_is_overtaken_for_ever_has_no_bound(tmp_path: Path, protocol: Protocol) -> None:
    system = system_of(
        tmp_path,
        task("above", 3, 0, *inside("G", 2), period=4),
        task("beside", 2, 1, *inside("G", 2), period=4),
        task("below", 1, 2, *inside("G", 1)),
        cpus=3,
    )
    report = analyse(system, [protocol])

    assert next(row for row in report.rows if row.task == "below").response_bound_ns is None
    assert any("no bound for below: " in note for note in report.notes)


def test_a_task_that_waits_for_one_without_a_bound_has_none() -> None:
    system = load(EXAMPLE)
    control, sensor = (next(t for t in system.tasks if t.name == n) for n in ("control", "sensor"))
    known = Known((control, sensor))

    def delays_of(task: Task) -> Delays:
        if task is control:
            raise NoWindowError("too much")
        return Delays(Bounds(0, known.response_ns(control)))

    found = settle(known, (sensor, control), delays_of, Effort())
    assert [str(found[name]) for name in ("control", "sensor")] == [
        "too much",
        "control has no bound",
    ]


def test_bounds_are_followed_as_long_as_any_of_them_changes() -> None:
    """The order of the tasks does not matter. The bound of `sensor` stays, and `control` grows to
    5."""
    control, sensor = load(EXAMPLE).tasks[1:3]
    for tasks in ((control, sensor), (sensor, control)):
        known = Known(tasks)

        def delays_of(task: Task, known: Known = known) -> Delays:
            grown_ns = min(5, known.response_ns(control) + 1)
            return Delays(Bounds(0, grown_ns if task is control else 7))

        assert settle(known, tasks, delays_of, Effort()) == {
            "control": Bounds(0, 5),
            "sensor": Bounds(0, 7),
        }


def test_bounds_that_depend_on_each_other_are_followed_to_an_end(tmp_path: Path) -> None:
    # Two equal tasks of one CPU wait. The response of each gives the jitter of the other.
    pair = [task(name, 2, 0, *inside("G", 2), "run 1ms", period=20) for name in ("one", "other")]
    system = system_of(tmp_path, *pair, task("remote", 1, 1, *inside("G", 3), period=40))
    found = bounds(system, MPCP)

    assert found["one"] == found["other"]
    assert 6 + 3 <= (found["one"][1] or 0) < 40


def test_what_is_analysed_across_cpus() -> None:
    system = load(EXAMPLE)

    assert shown_of(system) == (*ACROSS, Protocol.INHERIT, Protocol.NONE)
    assert protocols_of(system) == (
        *ACROSS,
        Protocol.CEILING,
        Protocol.INHERIT,
        Protocol.NONE,
    )
    one_cpu = replace(system, tasks=system.tasks_on(0), resources=())
    assert shown_of(one_cpu) == (Protocol.CEILING, Protocol.INHERIT, Protocol.NONE)
    with pytest.raises(ArgumentError, match="--protocol: found mpcp; expected ceiling, inherit"):
        analyse(one_cpu, [MPCP])


def test_libplafond_falls_under_mpcp_across_cpus_only() -> None:
    assert analysed("plafond", across_cpus=True) is MPCP
    assert analysed("plafond", across_cpus=False) is Protocol.CEILING
    assert analysed("protect", across_cpus=True) is Protocol.CEILING
    assert analysed("inherit", across_cpus=True) is Protocol.INHERIT


def test_the_costs_of_a_hand_over_are_in_each_section(tmp_path: Path) -> None:
    system = system_of(
        tmp_path, task("one", 3, 0, *inside("G", 1)), task("other", 2, 1, *inside("G", 3))
    )
    plain = bounds(system, MPCP)["one"][1]
    mutex = GlobalMutex(pair_ns=10_000, handover_ns=200_000)
    costs = {Protocol.CEILING: Costs(interrupt_ns=3_000)}
    report = analyse(system, [MPCP], Overheads(costs, global_mutex=mutex))
    row = next(row for row in report.rows if row.task == "one")

    assert plain == 4
    assert any("contains 10us for its lock, 200us for a hand-over" in each for each in report.notes)
    # Both sections have lock, hand-over and wake-up. `one` interrupts at its release and again
    # after its wait, and each task once for its work.
    assert (row.response_bound_ns or 0) - 4 * MS == 2 * (10_000 + 200_000 + 3_000) + 4 * 3_000


@pytest.mark.parametrize("protocol", [MPCP, MSRP, SPIN_PRIORITY])
def test_a_piece_of_work_counts_on_each_cpu(tmp_path: Path, protocol: Protocol) -> None:
    """Both tasks have a pair and a piece of work. A wait that sleeps ends behind another piece."""
    system = system_of(
        tmp_path, task("one", 3, 0, *inside("G", 1)), task("other", 2, 1, *inside("G", 3))
    )
    costs = Costs(pair_ns=7)
    row, _ = analyse(system, [protocol], Overheads({Protocol.CEILING: costs})).rows

    pieces = 3 if protocol is MPCP else 2
    assert row.response_bound_ns == 4 * MS + (2 + pieces) * 7


@pytest.mark.parametrize("pair_ns", [4, 30])
def test_a_lock_costs_the_longer_pair_of_the_backend_and_of_the_mutex(
    tmp_path: Path, pair_ns: int
) -> None:
    """Both sections have a lock and a hand-over. There are three pieces of work as long as a
    pair."""
    system = system_of(
        tmp_path, task("one", 3, 0, *inside("G", 1)), task("other", 2, 1, *inside("G", 3))
    )
    costs = {Protocol.CEILING: Costs(pair_ns=pair_ns)}
    added = Overheads(costs, global_mutex=GlobalMutex(pair_ns=10, handover_ns=200))
    row, _ = analyse(system, [MPCP], added).rows

    assert row.response_bound_ns == 4 * MS + 2 * (max(pair_ns, 10) + 200) + 3 * pair_ns


@pytest.mark.parametrize("protocol", [MSRP, SPIN_PRIORITY])
def test_a_task_that_spins_needs_no_wake_up_before_its_section(
    tmp_path: Path, protocol: Protocol
) -> None:
    """The only wake-up of `one` is its release. A piece of work can delay each CPU."""
    system = system_of(
        tmp_path, task("one", 3, 0, *inside("G", 1)), task("other", 2, 1, *inside("G", 3))
    )
    added = Overheads({Protocol.CEILING: Costs(interrupt_ns=3)})
    row, _ = analyse(system, [protocol], added).rows

    assert row.response_bound_ns == 4 * MS + 3 + 2 * 3


def test_a_hold_has_a_grant_to_each_other_task_of_its_cpu_that_requests(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        task("one", 4, 0, *inside("G", 1)),
        task("two", 3, 0, *inside("G", 2), *inside("H", 3)),
        task("three", 2, 0, *inside("H", 1)),
        task("none", 1, 0, "run 9ms"),
        task("far", 5, 1, *inside("G", 1), *inside("H", 1)),
        resources="GH",
    )
    effort = Effort()
    effort.begin_row()
    around = Surroundings(lambda *_: Background(), piece_ns=5, grant_ns=100)
    holding = Holding(Sharing(system), around, effort)
    lengths = {
        (each.name, name): holding.alone_ns(each, name)
        for each in system.tasks
        for name in "GH"
        if name in each.resources
    }

    grants = 5 + 2 * 100
    assert lengths == {
        ("one", "G"): MS + grants,
        ("two", "G"): 2 * MS + grants,
        ("two", "H"): 3 * MS + grants,
        ("three", "H"): MS + grants,
        ("far", "G"): MS + 5,
        ("far", "H"): MS + 5,
    }


@pytest.mark.parametrize("protocol", [MPCP, MSRP, SPIN_PRIORITY])
def test_deadlines_at_the_bounds_with_costs_are_kept_on_every_cpu(
    tmp_path: Path, protocol: Protocol
) -> None:
    """CPU 2 has no global resource."""
    system = system_of(
        tmp_path,
        task("one", 3, 0, *inside("G", 1), "run 1ms"),
        task("other", 2, 0, *inside("G", 2)),
        task("remote", 2, 1, *inside("G", 3)),
        task("beside", 1, 1, "run 1ms"),
        task("far", 2, 2, "run 1ms"),
        task("farther", 1, 2, "run 2ms"),
        cpus=3,
    )
    costs = Costs(interrupt_ns=3, activation_ns=5, switch_ns=7, pair_ns=11, preempted_ns=13)
    added = Overheads({Protocol.CEILING: costs})
    ends = {row.task: row.response_bound_ns for row in analyse(system, [protocol], added).rows}

    def are_kept(late: str) -> bool:
        tasks = (
            each.changed(deadline_ns=(ends[each.name] or 0) - (each.name == late))
            for each in system.tasks
        )
        return keeps_deadlines(replace(system, tasks=tuple(tasks)), protocol, added)

    assert are_kept("none")
    assert not any(are_kept(name) for name in ends)


def test_the_kernel_may_spin_where_sections_are_lent_their_ceilings(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        task("top", 9, 0, "run 1ms"),
        task("waits", 2, 0, *inside("G", 1)),
        task("remote", 3, 1, *inside("G", 4)),
    )
    costs = {Protocol.CEILING: Costs()}

    def top(mutex: GlobalMutex | None) -> int | None:
        report = analyse(system, [MPCP], Overheads(costs, global_mutex=mutex))
        return report.rows[0].response_bound_ns

    assert top(None) == 2 * MS
    assert top(GlobalMutex(0, 0)) == (1 + 1 + 4) * MS  # the section, and that of `remote`


def test_the_kernel_may_spin_for_each_job_of_each_task_before(tmp_path: Path) -> None:
    """The wait for G has one section of `remote`, and two of `often`, which comes every 12 ms."""
    system = system_of(
        tmp_path,
        task("top", 9, 0, "run 1ms"),
        task("waits", 2, 0, *inside("G", 1)),
        task("remote", 3, 1, *inside("G", 4)),
        task("often", 4, 2, *inside("G", 3), period=12),
        cpus=3,
    )
    costs = Overheads({Protocol.CEILING: Costs()}, global_mutex=GlobalMutex(0, 0))
    top, *_ = analyse(system, [MPCP], costs).rows

    assert top.response_bound_ns == (1 + 1 + 4 + 2 * 3) * MS


def test_in_a_job_with_two_requests_the_kernel_may_spin_for_both(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        task("waits", 5, 0, *inside("G", 1), *inside("H", 1)),
        task("low", 1, 0, "run 1ms"),
        task("remote", 3, 1, *inside("G", 4), *inside("H", 3)),
        resources="GH",
    )
    costs = Overheads({Protocol.CEILING: Costs()}, global_mutex=GlobalMutex(0, 0))
    rows = {row.task: row.response_bound_ns for row in analyse(system, [MPCP], costs).rows}

    assert rows["low"] == (1 + (1 + 4) + (1 + 3)) * MS


def test_nothing_spins_for_a_task_that_itself_waits_for_the_holder(tmp_path: Path) -> None:
    """`spins`, above the holder of G, may wait for H. Its rival `waits` does not hold H then."""
    system = system_of(
        tmp_path,
        task("holds", 1, 0, *inside("G", 1)),
        task("spins", 5, 0, *inside("H", 1)),
        task("waits", 3, 1, *inside("G", 1), *inside("H", 4)),
        task("rival", 2, 2, *inside("H", 2)),
        resources="GH",
        cpus=3,
    )
    costs = Overheads({Protocol.CEILING: Costs()}, global_mutex=GlobalMutex(0, 0))
    rows = {row.task: row.blocking_bound_ns for row in analyse(system, [MPCP], costs).rows}

    # For G: the sections of `holds` and `spins`, and the section of `rival` that `spins` waits for.
    # For H: the sections of `spins` and `rival`.
    assert rows["waits"] == (1 + (1 + 2) + 1 + 2) * MS


def test_the_task_that_waits_for_a_holder_of_its_cpu_spins_for_nothing_else(
    tmp_path: Path,
) -> None:
    system = system_of(
        tmp_path,
        task("holds", 1, 0, *inside("G", 1)),
        task("waits", 3, 0, *inside("G", 1), *inside("H", 4)),
        task("remote", 5, 1, *inside("G", 1)),
        task("rival", 2, 1, *inside("H", 2)),
        resources="GH",
    )
    costs = Overheads({Protocol.CEILING: Costs()}, global_mutex=GlobalMutex(0, 0))
    rows = {row.task: row.blocking_bound_ns for row in analyse(system, [MPCP], costs).rows}

    # For G: `remote`, and `holds` with the section of H. For H: `rival`, and the section of
    # `remote` with its spin. Three times the section of `holds`, which spins for both others.
    assert rows["waits"] == (1 + (1 + 4) + 2 + (1 + 1) + 3 * (1 + 1 + 1)) * MS


def test_deadlines_across_cpus_are_followed_as_long_as_any_bound_grows(tmp_path: Path) -> None:
    """The bound of `last` is known at once. The bound of `one` grows with the jitter of `other`."""
    system = system_of(
        tmp_path,
        task("one", 3, 0, *inside("G", 1), "run 1ms", period=10),
        task("other", 3, 0, *inside("G", 1), "run 1ms", period=12),
        task("remote", 2, 1, *inside("G", 2), period=40),
        task("last", 1, 1, "run 1ms"),
    )
    # `one` runs for 2, and waits for 2 of `remote` and for two sections of `other`. `other` may be
    # late by 10 - 2, so it comes twice: 2 + 2 + 2 * 1 + 2 * 2.
    ends = {"one": 10, "other": 10, "remote": 6, "last": 3}
    assert {name: end for name, (_, end) in bounds(system, MPCP).items()} == ends

    def are_kept(late: str) -> bool:
        tasks = (
            each.changed(deadline_ns=ends[each.name] * MS - (each.name == late))
            for each in system.tasks
        )
        return keeps_deadlines(replace(system, tasks=tuple(tasks)), MPCP)

    assert are_kept("none")
    assert not any(are_kept(name) for name in ends)
