# SPDX-License-Identifier: MIT
"""The time of a processor that the tasks of a server lack: only time of that server counts."""

from collections.abc import Iterator, Sequence

import pytest
from report_fakes import system_of
from run_options import OPTIONS
from server_traces import server, task, trace

from plafond.run import execution
from plafond.run.execution import execute
from plafond.run.job import Job, Outcome
from plafond.run.options import Options
from plafond.trace.model import Kind, Trace

TEXT = """
[server.quick]
kind = "idling"
priority = 20
period = "10ms"
budget = "4ms"
[server.slow]
kind = "idling"
priority = 10
period = "20ms"
budget = "10ms"
[task.short]
server = "quick"
priority = 1
arrival = "periodic 20ms"
offset = "2ms"
activations = 1
body = ["run 1ms"]
[task.long]
server = "slow"
priority = 3
arrival = "periodic 20ms"
offset = "1ms"
activations = 1
body = ["run 7ms"]
"""
LONG_BEGINS = 4_000
RESERVED = """
[server.quick]
kind = "reservation"
period = "10ms"
budget = "4ms"
[task.reserved]
server = "quick"
priority = 1
arrival = "periodic 20ms"
offset = "2ms"
activations = 1
body = ["run 1ms"]
[task.urgent]
priority = 3
arrival = "periodic 20ms"
offset = "1ms"
activations = 1
body = ["run 7ms"]
"""


def made(long_begins_us: int) -> Trace:
    """Nothing runs from 1 to 2 ms and from 10 to 14 ms: `long` is ready, but `quick` has the CPU.

    `slow` has the CPU from 4 to 10 ms and after 14 ms.
    """
    short = task("short", [2_000], (2_000, Kind.START, 0), (3_000, Kind.END, 0))
    long = task(
        "long",
        [1_000],
        (long_begins_us, Kind.START, 0),
        (10_000, Kind.SUSPEND, 0),
        (14_000, Kind.RESUME, 0),
        (15_000, Kind.END, 0),
    )
    servers = (
        server("quick", 0, 4_000, 10_000, 14_000),
        server("slow", 4_000, 10_000, 14_000, 18_000),
    )
    return trace(short, long, servers=servers)


def cut_off() -> Trace:
    """`slow` keeps the CPU to the end. Its task goes on 200 us late, and the next job has no
    end."""
    long = task(
        "long",
        [1_000, 16_000],
        (4_000, Kind.START, 0),
        (10_000, Kind.SUSPEND, 0),
        (14_200, Kind.RESUME, 0),
        (15_000, Kind.END, 0),
        (16_000, Kind.START, 1),
    )
    short = task("short", [2_000], (2_000, Kind.START, 0), (3_000, Kind.END, 0))
    servers = (server("quick", 0, 4_000, 10_000, 14_000), server("slow", 4_000, 10_000, 14_000))
    return trace(short, long, servers=servers)


def made_reserved(begins_us: int) -> Trace:
    """`reserved` comes before `urgent`, which goes on behind it."""
    reserved = task(
        "reserved", [2_000], (begins_us, Kind.START, 0), (begins_us + 1_000, Kind.END, 0)
    )
    urgent = task("urgent", [1_000], (1_000, Kind.START, 0), (9_000, Kind.END, 0))
    return trace(reserved, urgent)


def stopped(monkeypatch: pytest.MonkeyPatch, found: Trace, text: str = TEXT) -> dict[str, int]:
    def run_jobs(jobs: Sequence[Job], _: Options) -> Iterator[Outcome]:
        assert len(jobs) == 1
        yield Outcome(found, None)

    monkeypatch.setattr(execution, "run_jobs", run_jobs)
    run, failure = execute(system_of(text), OPTIONS)
    assert failure is None
    return {row.task: row.stopped for row in run.report.rows}


def test_time_of_other_servers_is_not_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert stopped(monkeypatch, made(LONG_BEGINS)) == {"short": 0, "long": 0}


def test_time_of_its_own_server_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """For more than 100 us no task of the server ran, although a task was ready."""
    assert stopped(monkeypatch, made(LONG_BEGINS + 200)) == {"short": 0, "long": 1}


def test_a_job_without_an_end_does_not_hide_the_ends_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert stopped(monkeypatch, cut_off()) == {"short": 0, "long": 1}


def test_a_task_in_a_reservation_has_the_processor_as_others_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = stopped(monkeypatch, made_reserved(2_000), RESERVED)
    assert found == {"reserved": 0, "urgent": 0}
