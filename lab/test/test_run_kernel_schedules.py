# SPDX-License-Identifier: MIT
"""The papers' examples on Plafond's own kernel, at every instant that their texts name.

In virtual time they are met exactly. On the board the order is the same, and events are later only
by the kernel's own instructions.
"""

from fractions import Fraction

import pytest
from kernel_runs import (
    BY_HARDWARE,
    EXAMPLES,
    HARDWARE,
    MS,
    PROTOCOLS,
    Moment,
    described,
    moments,
    trace_on,
    written,
)
from report_fakes import simulate

from plafond.describe import load
from plafond.protocols import KernelProtocol, names_of
from plafond.run.arrivals import draw_arrivals, with_activations
from plafond.trace.activations import Span, activations
from plafond.trace.model import TaskTrace, Trace

pytestmark = [pytest.mark.board, pytest.mark.papers]

# Upper bound of the kernel's own time in any of these schedules, in ns.
KERNELS_OWN = 3_000
US = 1_000  # nanoseconds
# Upper bound from an arrival on an idle core to the task, in ns.
ONE_ARRIVAL = 400

# Zuepke 2014, Figure 1 and Section II: J arrives while I is in its section. If P_J > P'_I, J
# "immediately preempts". If P_I < P_J <= P'_I, "as soon as I lowers its priority back [...] it
# needs to be preempted immediately". If P_J <= P_I, J is not chosen "before I completes". Times are
# in ms.
ZUEPKE_1 = """
    2 I: start
    6 I: request CS, grant CS
    8 I: suspend
    8 above: start
    10 above: end
    10 I: resume
    14 I: unlock CS
    18 I: end
    32 I: start
    36 I: request CS, grant CS
    42 I: unlock CS, suspend
    42 between: start
    44 between: end
    44 I: resume
    48 I: end
    62 I: start
    66 I: request CS, grant CS
    72 I: unlock CS
    76 I: end
    76 below: start
    78 below: end
"""

# The figures of Carminati 2012 with ceilings; test_vm_schedules.py has them without. Figure 1: T2
# has R from 1 for 3 units. T0 arrives at 2, and T1 at 5. T0 "can conclude without missing its
# deadline" at 9. One unit is 2 ms.
CARMINATI_1 = """
    1 T2: start, request R, grant R
    4 T2: unlock R, suspend
    4 T0: start
    6 T0: request R, grant R
    8 T0: unlock R, end
    8 T1: start
    14 T1: end
    14 T2: resume, end
"""

# Carminati 2012, Figure 4: T2 has R2 from 1, so T1, which is activated at 2, does not start. T0 "is
# activated and begins its execution" at 3, and R1 is free. T0 has its deadline at 11.
CARMINATI_4 = """
    1 T2: start, request R2, grant R2
    3 T2: suspend
    3 T0: start, request R1, grant R1
    8 T0: unlock R1, end
    8 T2: resume
    10 T2: unlock R2, suspend
    10 T1: start, request R1, grant R1
    11 T1: request R2, grant R2
    12 T1: unlock R2, unlock R1, end
    12 T2: resume, end
"""

# Carminati 2010, Figure 4 is the same, but T0 is activated at 3.5 and has its deadline at 13.
CARMINATI_4_OF_2010 = """
    1 T2: start, request R2, grant R2
    3.5 T2: suspend
    3.5 T0: start
    5 T0: request R1, grant R1
    9 T0: unlock R1, end
    9 T2: resume
    9.5 T2: unlock R2, suspend
    9.5 T1: start, request R1, grant R1
    12 T1: request R2, grant R2
    14 T1: unlock R2, unlock R1, end
    14 T2: resume, end
"""

# OSPERT 2010, 8, Figure 3: t2 locks R2 at 5 and R1 at 15. t1 comes at 10, and wants R1 and then R2.
# With mutexes of priority inheritance the two tasks deadlock, as in Figure 1.
VANDENHEUVEL_3 = """
    0 t2: start
    5 t2: request R2, grant R2
    15 t2: request R1, grant R1
    40 t2: unlock R1
    50 t2: unlock R2, suspend
    50 t1: start
    60 t1: request R1, grant R1
    65 t1: request R2, grant R2
    70 t1: unlock R2
    75 t1: unlock R1
    80 t1: end
    80 t2: resume
    85 t2: end
"""

SCHEDULES = {
    "zuepke-2014-figure-1": (written(ZUEPKE_1, MS), 92 * MS),
    "carminati-2012-figure-1": (written(CARMINATI_1, 2 * MS), 60 * MS),
    "carminati-2012-figure-3": (written(CARMINATI_4, 2 * MS), 60 * MS),
    "carminati-2010-figure-3": (written(CARMINATI_4_OF_2010, 2 * MS), 60 * MS),
    "vandenheuvel-2010-figure-1": (written(VANDENHEUVEL_3, MS), 100 * MS),
}

# Zuepke 2014, Section IV.C: when J starts, in ms. A always preempts, B not in the inner section, C
# in neither section, and D never.
NESTED_STARTS = {
    "A_T1": 3,
    "A_T2": 25,
    "A_T3": 47,
    "B_T1": 63,
    "B_T2": 85,
    "B_T3": 108,  # the end of the inner section
    "C_T1": 123,
    "C_T2": 150,  # the end of the outer section
    "C_T3": 170,
    "D_T1": 192,  # the end of the task
    "D_T2": 212,
    "D_T3": 232,
}
# J arrives in 24 of 27 activations. Table III: UPRIO|KPRIO needs a call for each level in which J
# arrives. UPRIO|NPRIO needs a call if a section, but not the task, keeps J out. Almatary 2015,
# Section V: a call ends each section in which the kernel raised the task, which it does not for D.
# In the simple scheme the kernel raises the task for D, too. The inner section of a raised task
# then costs a call at both ends.
NESTED_CALLS = {
    "syscall": 27 * 4,
    "uprio-kprio": 2 * 12,
    "uprio-kprio-lazy": 2 * 12,
    "uprio-nprio": 2 * 3,
    "lazy-ceiling": 2 * 9,
    "lazy-ceiling-simple": 2 * 4 * (3 + 2),
}
# J arrives in 6 of 7 activations.
FIGURE_1_CALLS = {
    "syscall": 14,
    "uprio-kprio": 6,
    "uprio-kprio-lazy": 6,
    "uprio-nprio": 2,
    "lazy-ceiling": 4,
    "lazy-ceiling-simple": 6,
}


def calls(trace: Trace) -> dict[str, int | None]:
    return {task.name: task.lock_calls for task in trace.tasks if task.lock_calls}


def example(name: str, board: str, protocol: str) -> Trace:
    return trace_on(board, protocol, load(EXAMPLES / f"{name}.toml"), activations=2)


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.parametrize("protocol", [*PROTOCOLS, *BY_HARDWARE])
def test_the_simulated_processor_meets_each_instant(name: str, protocol: str) -> None:
    expected, until_ns = SCHEDULES[name]
    found = moments(example(name, "sim", protocol), until_ns)
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.parametrize("protocol", [*PROTOCOLS, *BY_HARDWARE])
def test_the_board_keeps_the_order_and_is_late_by_its_kernel_only(name: str, protocol: str) -> None:
    expected, until_ns = SCHEDULES[name]
    found = moments(example(name, "a53", protocol), until_ns)
    assert [moment[1:] for moment in found] == [moment[1:] for moment in expected]
    for moment, planned in zip(found, expected, strict=True):
        assert 0 <= moment[0] - planned[0] < KERNELS_OWN, moment


# In ms: both cores run at once, and a task activated by the other core preempts.
TWO_CORES = """
    0 log: start
    0 sum: start
    3 sum: suspend
    3 filter: start
    5 log: suspend
    5 act: start
    5 filter: end
    5 sum: resume
    6 act: end
    6 log: resume
    11 log: end
    12 sum: end
    23 filter: start
    25 filter: end
    25 act: start
    26 act: end
"""
# In us: activations from core to core, of a task that its core runs at once.
FIGURE_3 = """
    0 task_2: start
    1000 task_2: suspend
    1000 device: start
    1500 device: end
    1500 task_2: resume
    1500 task_1: start
    2500 task_1: end
    4500 task_2: end
    4500 task_3: start
    6000 device: start
    6500 device: end
    6500 task_3: end
    6500 task_1: start
    7500 task_1: end
"""
# The two cores of the board take turns, so a delay of either core may delay the other.
KERNELS_OF_TWO = 2 * KERNELS_OWN


@pytest.mark.parametrize(("board", "late_ns"), [("sim", 0), ("a53", KERNELS_OF_TWO)])
@pytest.mark.parametrize("protocol", [*PROTOCOLS, *BY_HARDWARE])
def test_each_core_has_a_schedule_of_its_own(board: str, late_ns: int, protocol: str) -> None:
    found = moments(example("two-cores", board, protocol), 40 * MS)
    each_is_met(found, written(TWO_CORES, MS), late_ns)


@pytest.mark.parametrize(("board", "late_ns"), [("sim", 0), ("a53", KERNELS_OF_TWO)])
def test_cores_activate_by_the_controller(board: str, late_ns: int) -> None:
    found = moments(example("mueller-2014-figure-3", board, "mask"), 10 * MS)
    each_is_met(found, written(FIGURE_3, US), late_ns)


def each_is_met(found: list[Moment], planned: list[Moment], late_ns: int) -> None:
    """Check that each task has its planned events, at most `late_ns` late."""
    for task in {moment[1] for moment in planned}:
        expected = [moment for moment in planned if moment[1] == task]
        own = [moment for moment in found if moment[1] == task]
        assert [moment[2] for moment in own] == [moment[2] for moment in expected], task
        for moment, plan in zip(own, expected, strict=True):
            assert 0 <= moment[0] - plan[0] <= late_ns, moment


# Mueller 2014, Section VII.A, each rule once. `waits` requests G while a task of the other core
# holds it, and "is suspended, allowing lower-priority tasks to run". Here a more urgent task runs,
# too. `waits` is then "allowed to continue at the ceiling priority", above that task. Outside the
# section it uses its "assigned priority" again.
MPCP = """
cpus = 2
[task.holds]
priority = 4
cpu = 1
arrival = "periodic 50ms"
activations = 1
body = ["lock G", "run 5ms", "unlock G", "run 1ms"]
[task.urgent]
priority = 5
arrival = "periodic 50ms"
offset = "4ms"
activations = 1
body = ["run 3ms"]
[task.waits]
priority = 3
arrival = "periodic 50ms"
offset = "1ms"
activations = 1
body = ["run 1ms", "lock G", "run 2ms", "unlock G", "run 1ms"]
[resource.G]
"""
MPCP_SCHEDULE = """
    0 holds: start, request G, grant G
    1 waits: start
    2 waits: request G, suspend
    4 urgent: start
    5 holds: unlock G
    5 urgent: suspend
    5 waits: resume, grant G
    6 holds: end
    7 waits: unlock G, suspend
    7 urgent: resume
    9 urgent: end
    9 waits: resume
    10 waits: end
"""
# `holds` calls for the release that grants. `waits` calls for the request, and for the release that
# gives way.
MPCP_CALLS = {"mpcp": {"holds": 1, "waits": 2}, "mpcp-called": {"holds": 2, "waits": 2}}
UNDER_HARDWARE = names_of(lambda row: row.runs_under("hardware"))
OVER = [*PROTOCOLS, *(f"{HARDWARE}{protocol}" for protocol in UNDER_HARDWARE)]


@pytest.mark.parametrize(("board", "late_ns"), [("sim", 0), ("a53", KERNELS_OF_TWO)])
@pytest.mark.parametrize("protocol", OVER)
def test_a_waiter_goes_on_at_the_ceiling(board: str, late_ns: int, protocol: str) -> None:
    trace = trace_on(board, protocol, described("mpcp", MPCP))
    each_is_met(moments(trace, 50 * MS), written(MPCP_SCHEDULE, MS), late_ns)
    across = KernelProtocol(protocol.removeprefix(HARDWARE)).traits.globals[0]
    assert calls(trace) == MPCP_CALLS[across]


# The sending core has nothing more to do, and the receiving core has not begun.
SENT = """
cpus = 2
[task.sends]
priority = 1
cpu = 1
arrival = "periodic 10ms"
activations = 1
body = ["run 1ms", "activate comes"]
[task.comes]
priority = 1
body = ["run 1ms"]
"""


@pytest.mark.parametrize("board", ["sim", "a53"])
@pytest.mark.parametrize("protocol", ["uprio-nprio", "hardware lazy-ceiling"])
def test_a_run_ends_after_what_one_core_sent_to_another(board: str, protocol: str) -> None:
    trace = trace_on(board, protocol, described("sent", SENT))
    assert [what for _, task, what in moments(trace, 10 * MS) if task == "comes"] == [
        *("start", "end")
    ]


@pytest.mark.parametrize(("board", "late_ns"), [("sim", 0), ("a53", KERNELS_OWN)])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_nested_sections_keep_out_the_tasks_that_they_should(
    board: str, late_ns: int, protocol: str
) -> None:
    trace = example("zuepke-2014-nested", board, protocol)
    for task in trace.tasks:
        if task.name in NESTED_STARTS:
            start_ns = activations(task)[0].start_ns
            assert 0 <= start_ns - NESTED_STARTS[task.name] * MS <= late_ns, task.name
    assert calls(trace) == {"benchmark": NESTED_CALLS[protocol]}


@pytest.mark.parametrize("board", ["sim", "a53"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_only_a_task_that_keeps_another_out_calls_the_kernel(board: str, protocol: str) -> None:
    assert calls(example("zuepke-2014-figure-1", board, protocol)) == {
        "I": FIGURE_1_CALLS[protocol]
    }


def test_without_overheads_all_protocols_make_one_schedule() -> None:
    for name in SCHEDULES:
        schedules: list[list[Moment]] = [
            moments(example(name, "sim", protocol), 1 << 62) for protocol in PROTOCOLS
        ]
        assert all(schedule == schedules[0] for schedule in schedules)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_schedule_of_random_arrivals_is_that_on_paper(protocol: str) -> None:
    system = load(EXAMPLES / "carminati-2012-table-1.toml").scaled(Fraction(1, 100))
    system = with_activations(system, 200)
    arrivals = draw_arrivals(system, system.seed)
    paper = simulate(system, "protect", arrivals, wake_up_ns=(0, 0))
    kernel = trace_on("sim", protocol, load(EXAMPLES / "carminati-2012-table-1.toml"), "1/100", 200)
    for expected, found in zip(paper.tasks, kernel.tasks, strict=True):
        assert spans(found) == spans(expected)


def spans(task: TaskTrace) -> list[tuple[int, int | None, list[Span]]]:
    return [
        (each.start_ns, each.end_ns, [(a, b) for a, b, _ in each.sections])
        for each in activations(task)
    ]


@pytest.mark.parametrize("others", [0, 249])
def test_time_0_of_the_board_comes_after_the_start_of_the_kernel(others: int) -> None:
    first = '[task.first]\npriority = 9\narrival = "periodic 9ms"\nactivations = 1\n'
    text = (
        first
        + 'body = ["run 1us"]\n'
        + "".join(
            f'[task.t{number}]\npriority = 1\narrival = "periodic 9ms"\noffset = "1ms"\n'
            'body = ["run 1us"]\n'
            for number in range(others)
        )
    )
    trace = trace_on("a53", "uprio-nprio", described(f"start-{others}", text))
    (activation,) = activations(trace.tasks[0])
    assert activation.arrival_ns == 0
    assert 0 < activation.latency_ns < ONE_ARRIVAL
