# SPDX-License-Identifier: MIT
"""EDF on Plafond's own kernel, with deadline floors: schedules worked out by hand.

In virtual time they are met exactly. On the board the order is the same, and events are later only
by the kernel's own instructions.
"""

from typing import NamedTuple

import pytest
from edf_on_paper import Paper
from kernel_runs import EXAMPLES, MS, PROTOCOLS_EDF, Moment, described, moments, trace_on, written

from plafond.describe import System, load
from plafond.describe.kernel import Scheduler
from plafond.report.rows import State, make_rows
from plafond.report.urgency import urgency_of
from plafond.report.waiting import split_ready
from plafond.run.arrivals import draw_arrivals
from plafond.trace.activations import Activation, activations
from plafond.trace.model import Trace

pytestmark = [pytest.mark.board, pytest.mark.papers]

US = 1_000
FOREVER = 1 << 62
# Upper bound of the kernel's own time in any of these schedules, in ns.
KERNELS_OWN = 5_000

# Almatary 2015, Section IV: `holder` is due at 9975 (lazily, at 9977) in the section, and at 10000
# outside.
SECTION_IV = """
    20000 holder: start
    29950 holder: request PO, grant PO
    29955 holder: suspend
    29955 above: start
    29958 above: end
    29958 holder: resume
    29968 holder: unlock PO, suspend
    29968 user: start, request PO, grant PO
    29972 user: unlock PO, end
    29972 between: start
    29977 between: end
    29977 holder: resume
    29987 holder: end
"""

# All tasks but `quick` are due at 21, so the first to come runs first, whatever its relative
# deadline. A preempted task came before. The twins come together, and run in the order of the
# description.
EQUALS = """
scheduler = "edf"
[task.first]
deadline = "20ms"
arrival = "periodic 40ms"
offset = "1ms"
activations = 1
body = ["run 6ms"]
[task.second]
deadline = "18ms"
arrival = "periodic 40ms"
offset = "3ms"
body = ["run 2ms"]
[task.third]
deadline = "15ms"
arrival = "periodic 40ms"
offset = "6ms"
body = ["run 2ms"]
[task.quick]
deadline = "5ms"
arrival = "periodic 40ms"
offset = "4ms"
body = ["run 1ms"]
[task.twin_b]
deadline = "10ms"
arrival = "periodic 40ms"
offset = "14ms"
body = ["run 1ms"]
[task.twin_a]
deadline = "10ms"
arrival = "periodic 40ms"
offset = "14ms"
body = ["run 1ms"]
"""
EQUALS_SCHEDULE = """
    1 first: start
    4 first: suspend
    4 quick: start
    5 quick: end
    5 first: resume
    8 first: end
    8 second: start
    10 second: end
    10 third: start
    12 third: end
    14 twin_b: start
    15 twin_b: end
    15 twin_a: start
    16 twin_a: end
"""

# The floor of `outer` is 40, and that of `inner` 20. `holder` is due at 24 in both sections, and at
# 42 in the outer section. Lazily these are 25 and 45, because its deadline changes when
# `outer_user` arrives at 5. `sharp` is due at 18, `inner_user` at 28, and `middle` at 48.
# `outer_user` is due at 45, which lazily is a tie that the holder wins.
NESTED = """
scheduler = "edf"
[task.holder]
deadline = "100ms"
arrival = "periodic 200ms"
offset = "1ms"
activations = 1
body = [
    "run 1ms",
    "lock outer", "run 2ms",
    "lock inner", "run 4ms", "unlock inner",
    "run 4ms", "unlock outer",
    "run 2ms",
]
[task.outer_user]
deadline = "40ms"
arrival = "periodic 200ms"
offset = "5ms"
body = ["lock outer", "run 3ms", "unlock outer"]
[task.sharp]
deadline = "12ms"
arrival = "periodic 200ms"
offset = "6ms"
body = ["run 1ms"]
[task.inner_user]
deadline = "20ms"
arrival = "periodic 200ms"
offset = "8ms"
body = ["lock inner", "run 2ms", "unlock inner"]
[task.middle]
deadline = "36ms"
arrival = "periodic 200ms"
offset = "12ms"
body = ["run 1ms"]
[resource.outer]
[resource.inner]
"""
NESTED_SCHEDULE = """
    1 holder: start
    2 holder: request outer, grant outer
    4 holder: request inner, grant inner
    6 holder: suspend
    6 sharp: start
    7 sharp: end
    7 holder: resume
    9 holder: unlock inner, suspend
    9 inner_user: start, request inner, grant inner
    11 inner_user: unlock inner, end
    11 holder: resume
    15 holder: unlock outer, suspend
    15 outer_user: start, request outer, grant outer
    18 outer_user: unlock outer, end
    18 middle: start
    19 middle: end
    19 holder: resume
    21 holder: end
"""

# `waiter` arrived at 1 and was due at 31. At 41, in a section of its resource, it wakes up and is
# due at 71. The holder is due at 65, or lazily at 70.
WAKE_UP = """
scheduler = "edf"
[task.waiter]
deadline = "30ms"
arrival = "periodic 200ms"
offset = "1ms"
events = ["GO"]
body = ["wait GO", "clear GO", "lock R", "run 2ms", "unlock R"]
[task.holder]
deadline = "100ms"
arrival = "periodic 200ms"
offset = "35ms"
activations = 1
body = ["lock R", "run 10ms", "unlock R", "run 1ms"]
[task.ringer]
deadline = "5ms"
arrival = "periodic 200ms"
offset = "40ms"
body = ["run 1ms", "set waiter GO"]
[resource.R]
"""
WAKE_UP_SCHEDULE = """
    1 waiter: start, sleep
    35 holder: start, request R, grant R
    40 holder: suspend
    40 ringer: start
    41 waiter: wake, suspend
    41 ringer: end
    41 holder: resume
    46 holder: unlock R, suspend
    46 waiter: resume, request R, grant R
    48 waiter: unlock R, end
    48 holder: resume
    49 holder: end
"""


class Schedule(NamedTuple):
    """The events of a schedule, their end, and each task's calls of the kernel for its sections."""

    system: System
    expected: list[Moment]
    until_ns: int
    calls: dict[str, dict[str, int]]  # by protocol


SCHEDULES = {
    "section IV": Schedule(
        load(EXAMPLES / "almatary-2015-floor.toml"),
        written(SECTION_IV, US),
        40 * MS,
        {"deadline-floor": {"holder": 4, "user": 4}, "lazy-floor": {"holder": 2}},
    ),
    "equals": Schedule(
        described("edf-equals", EQUALS),
        written(EQUALS_SCHEDULE, MS),
        FOREVER,
        {"deadline-floor": {}, "lazy-floor": {}},
    ),
    "nested": Schedule(
        described("edf-nested", NESTED),
        written(NESTED_SCHEDULE, MS),
        FOREVER,
        {
            "deadline-floor": {"holder": 4, "inner_user": 2, "outer_user": 2},
            "lazy-floor": {"holder": 2},
        },
    ),
    "wake-up": Schedule(
        described("edf-wake-up", WAKE_UP),
        written(WAKE_UP_SCHEDULE, MS),
        FOREVER,
        {"deadline-floor": {"holder": 2, "waiter": 2}, "lazy-floor": {"holder": 1}},
    ),
}
PAIRS = [(name, protocol) for name in SCHEDULES for protocol in PROTOCOLS_EDF]


def run(schedule: Schedule, board: str, protocol: str) -> Trace:
    count = 2 if schedule.until_ns < FOREVER else None
    return trace_on(board, protocol, schedule.system, activations=count)


def calls(trace: Trace) -> dict[str, int | None]:
    return {task.name: task.lock_calls for task in trace.tasks if task.lock_calls}


@pytest.mark.parametrize(("name", "protocol"), PAIRS)
def test_the_simulated_processor_meets_each_instant(name: str, protocol: str) -> None:
    schedule = SCHEDULES[name]
    trace = run(schedule, "sim", protocol)
    assert sorted(moments(trace, schedule.until_ns)) == sorted(schedule.expected)
    assert calls(trace) == schedule.calls[protocol]


@pytest.mark.parametrize(("name", "protocol"), PAIRS)
def test_the_board_keeps_the_order_and_is_late_by_its_kernel_only(name: str, protocol: str) -> None:
    schedule = SCHEDULES[name]
    trace = run(schedule, "a53", protocol)
    found = moments(trace, schedule.until_ns)
    assert [moment[1:] for moment in found] == [moment[1:] for moment in schedule.expected]
    for moment, planned in zip(found, schedule.expected, strict=True):
        assert 0 <= moment[0] - planned[0] < KERNELS_OWN, moment
    assert calls(trace) == schedule.calls[protocol]


# The floor is 250 us. `keen` comes 10 us after the lock, and is due 255 us after it. Eagerly the
# holder is due before `keen`. Lazily its floor counts from the arrival, so it is due after `keen`.
# Both are right, because a task with a deadline below the floor does not use the resource.
LATE_CLOCK = """
scheduler = "edf"
[task.holder]
deadline = "9ms"
arrival = "periodic 20ms"
offset = "1ms"
activations = 1
body = ["lock PO", "run 100us", "unlock PO"]
[task.keen]
deadline = "245us"
arrival = "periodic 20ms"
offset = "1010us"
body = ["run 10us"]
[task.user]
deadline = "250us"
arrival = "periodic 20ms"
offset = "2ms"
body = ["lock PO", "run 10us", "unlock PO"]
[resource.PO]
"""


@pytest.mark.parametrize("board", ["sim", "a53"])
@pytest.mark.parametrize(("protocol", "start_us"), [("deadline-floor", 1100), ("lazy-floor", 1010)])
def test_a_floor_counts_from_the_lock_or_lazily_from_the_arrival(
    board: str, protocol: str, start_us: int
) -> None:
    trace = trace_on(board, protocol, described("edf-late-clock", LATE_CLOCK))
    starts = [
        time for time, task, what in moments(trace, FOREVER) if (task, what) == ("keen", "start")
    ]
    assert 0 <= starts[0] - start_us * US < KERNELS_OWN


def kept_out(schedule: Schedule) -> dict[str, list[tuple[float, float]]]:
    """Return when a less urgent task runs instead of each task, in milliseconds."""
    trace = run(schedule, "sim", "lazy-floor")
    rows = make_rows(trace.tasks, trace.resources, (0, 40 * MS), FOREVER)
    urgencies = [
        urgency_of(Scheduler.EDF, task, activations(recorded))
        for task, recorded in zip(schedule.system.tasks, trace.tasks, strict=True)
    ]
    return {
        row.task: [
            (each.begin_ns / MS, each.end_ns / MS)
            for each in row.stretches
            if each.state is State.KEPT_OUT
        ]
        for row in split_ready(rows, urgencies)
    }


def test_a_chart_orders_tasks_by_absolute_deadlines() -> None:
    # The tasks that wait for `first` have shorter relative deadlines, and the same absolute
    # deadline.
    assert not any(kept_out(SCHEDULES["equals"]).values())
    assert kept_out(SCHEDULES["section IV"]) == {
        "above": [],
        "user": [(29.96, 29.968)],
        "between": [(29.952, 29.955), (29.958, 29.968)],
        "holder": [],
    }


def test_a_task_that_wakes_up_is_as_urgent_as_if_it_had_arrived() -> None:
    task = SCHEDULES["wake-up"].system.tasks[1]
    assert (task.name, task.deadline_ns) == ("waiter", 30 * MS)
    first = Activation(0, 1 * MS, 2 * MS, 50 * MS, sleeps=[(2 * MS, 41 * MS)])
    second = Activation(1, 45 * MS, 50 * MS, 60 * MS)
    urgency = urgency_of(Scheduler.EDF, task, [first, second])
    assert [-urgency(time * MS) / MS for time in (1, 40, 41, 49, 50, 70)] == [
        31,
        31,
        71,
        71,
        75,
        100,
    ]


# Nested and separate sections have different floors, two tasks share a deadline, and activations
# queue.
RANDOM = """
scheduler = "edf"
seed = 4
[task.A]
deadline = "6ms"
arrival = "random 7ms 19ms"
offset = "1ms"
body = ["run 300us", "lock R", "run 400us", "unlock R", "run 100us"]
[task.B]
deadline = "9ms"
arrival = "random 9ms 25ms"
offset = "2ms"
body = ["lock S", "run 500us", "lock R", "run 500us", "unlock R", "run 300us", "unlock S"]
[task.C]
deadline = "9ms"
arrival = "random 11ms 30ms"
offset = "3ms"
body = ["run 2ms", "lock T", "run 700us", "unlock T"]
[task.D]
deadline = "25ms"
arrival = "random 14ms 33ms"
offset = "4ms"
activations = 400
body = [
    "lock T", "run 900us",
    "lock S", "run 600us",
    "lock R", "run 700us", "unlock R",
    "unlock S", "run 800us",
    "lock R", "run 300us", "unlock R",
    "unlock T", "run 500us",
]
[task.E]
deadline = "30ms"
arrival = "random 5ms 70ms"
offset = "5ms"
body = ["run 1ms", "lock T", "run 3ms", "unlock T"]
[task.F]
deadline = "3ms"
arrival = "random 8ms 60ms"
offset = "6ms"
body = ["run 200us"]
[resource.R]
[resource.S]
floor = "7ms"
[resource.T]
"""


@pytest.mark.parametrize("protocol", PROTOCOLS_EDF)
def test_a_schedule_of_random_arrivals_is_that_on_paper(protocol: str) -> None:
    system = described("edf-random", RANDOM)
    paper = Paper(system, is_lazy=protocol == "lazy-floor")
    paper.run(draw_arrivals(system, system.seed))
    trace = trace_on("sim", protocol, system)
    for task in trace.tasks:
        found = [
            (each.start_ns, each.end_ns, [(grant, unlock) for grant, unlock, _ in each.sections])
            for each in activations(task)
        ]
        assert found == paper.served[task.name]
    assert sum(map(len, paper.served.values())) > 2_000


@pytest.mark.parametrize(
    ("scheduler", "protocol", "late"),
    [("edf", "deadline-floor", 0), ("edf", "lazy-floor", 0), ("priority", "lazy-ceiling", 80)],
)
def test_deadlines_serve_what_priorities_cannot(scheduler: str, protocol: str, late: int) -> None:
    text = (EXAMPLES / "edf-loops.toml").read_text().replace('"edf"', f'"{scheduler}"')
    system = described(f"loops-by-{scheduler}", text)
    trace = trace_on("sim", protocol, system)
    missed = [
        each
        for task, recorded in zip(system.tasks, trace.tasks, strict=True)
        for each in activations(recorded)
        if (each.response_ns or 0) > (task.deadline_ns or 0)
    ]
    assert len(missed) == late
