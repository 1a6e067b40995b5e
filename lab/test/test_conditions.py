# SPDX-License-Identifier: MIT
"""The sentences about disturbances of a run: each counts all tasks, servers and CPUs."""

import pytest
from report_fakes import system_of
from server_traces import US, task, trace

from plafond.describe import System
from plafond.run.conditions import disturbances
from plafond.trace.model import Kind, ManagerTrace, ServerTrace, TaskTrace, Trace

TASKS = "cpus = 2\n" + "".join(
    f'[task.{name}]\npriority = {priority}\ncpu = {cpu}\narrival = "periodic 2s"\n'
    'body = ["run 1ms"]\n'
    for name, priority, cpu in (("a", 9, 0), ("b", 8, 0), ("c", 7, 1), ("d", 6, 1))
)
SERVERS = "cpus = 2\n" + "".join(
    f'[server.S{number}]\nkind = "idling"\ncpu = {cpu}\npriority = {30 - 10 * number}\n'
    f'period = "10ms"\nbudget = "2ms"\n'
    f'[task.T{number}]\nserver = "S{number}"\ncpu = {cpu}\npriority = 1\n'
    'arrival = "periodic 20ms"\nbody = ["run 1ms"]\n'
    for number, cpu in enumerate((0, 0, 1))
)


def busy(name: str, begin_us: int, end_us: int) -> TaskTrace:
    """Return a task that runs once, from its arrival to its end."""
    return task(name, [begin_us], (begin_us, Kind.START, 0), (end_us, Kind.END, 0))


def said(system: System, *traces: Trace) -> list[str]:
    return list(disturbances(system, {f"p{place}": each for place, each in enumerate(traces)}))


def test_faults_of_both_kinds_and_lost_notes_of_all_tasks_are_added_up() -> None:
    found = trace(busy("a", 0, 1), busy("b", 1, 2), busy("c", 0, 1), busy("d", 1, 2))
    fields: list[dict[str, int | None]] = [
        {"minor_faults": 1, "major_faults": 20, "lost_gaps": 3},
        {"minor_faults": 300, "major_faults": None, "lost_gaps": 40},
        {"minor_faults": None, "major_faults": 4000},
        {},
    ]
    tasks = [one.model_copy(update=more) for one, more in zip(found.tasks, fields, strict=True)]
    quiet = trace(busy("a", 0, 1))
    assert said(system_of(TASKS), quiet, found.model_copy(update={"tasks": tasks})) == [
        "p1: 4321 page faults while running",
        "p1: 43 suspensions were not recorded: no room was left",
    ]


def test_each_reason_why_lock_calls_are_not_counted_is_a_sentence() -> None:
    traces = [
        trace().model_copy(update={"lock_calls_not_counted": why})
        for why in ("no right", None, "no counter", "no right")
    ]
    assert said(system_of(TASKS), *traces) == [
        "lock system calls are not counted: no counter",
        "lock system calls are not counted: no right",
    ]


def limited(runtime_us: int | None, period_us: int | None, *tasks: TaskTrace) -> Trace:
    return trace(*tasks).model_copy(update={"priority_limit_us": (runtime_us, period_us)})


@pytest.mark.parametrize(
    ("runtime_us", "period_us", "cpus"),
    [
        (950_000, 1_000_000, [0, 1]),  # CPU 0 was busy for exactly as long
        (950_001, 1_000_000, [1]),
        (950_000, 950_001, [0, 1]),
        (950_000, 950_000, []),  # no limit
        (-1, 1_000_000, []),
        (None, 1_000_000, []),
        (950_000, None, []),
    ],
)
def test_each_cpu_is_compared_with_the_limit_of_the_kernel(
    runtime_us: int | None, period_us: int | None, cpus: list[int]
) -> None:
    """CPU 0 is busy for 950 ms with two tasks, and CPU 1 for 990 ms."""
    tasks = (
        busy("a", 100_000, 600_000),
        busy("b", 500_000, 1_050_000),
        busy("c", 10_000, 1_000_000),
        busy("d", 1_100_000, 1_200_000),
    )
    found = said(system_of(TASKS), limited(runtime_us, period_us, *tasks))
    lengths = ("950ms", "990ms")
    assert [each.partition(" without")[0] for each in found] == [
        f"p0: CPU {cpu} was busy for {lengths[cpu]}" for cpu in cpus
    ]


def test_the_limit_is_in_milliseconds() -> None:
    (found,) = said(system_of(TASKS), limited(10_000, 500_000, busy("a", 0, 10_000)))
    assert found.endswith("may have stopped SCHED_FIFO after 10 of 500 ms (see plafond doctor)")


def test_the_manager_of_each_cpu_has_a_sentence_and_the_longest_delay_of_its_servers() -> None:
    def server(name: str, decisions: int, busy_us: int, latest_us: int) -> ServerTrace:
        manager = ManagerTrace(
            decisions=decisions,
            busy_ns=busy_us * US,
            priority_changes=decisions + 1,
            latest_ns=latest_us * US,
        )
        return ServerTrace(name=name, manager=manager, events=[])

    servers = (server("S0", 4, 20, 9), server("S1", 4, 20, 7), server("S2", 0, 0, 8))
    tasks = (busy("T0", 0, 100), busy("T1", 100, 1_000), busy("T2", 0, 500))
    assert said(system_of(SERVERS), trace(*tasks, servers=servers)) == [
        "p0: the manager of the servers on CPU 0 decided 4 times, for 5us on average and 2.00% of "
        "the run, late by 9us at most; 5 priorities were changed",
        "p0: the manager of the servers on CPU 1 decided 0 times, for 0ns on average and 0.00% of "
        "the run, late by 8us at most; 1 priorities were changed",
    ]
