# SPDX-License-Identifier: MIT
"""The machine's effects on the threads of a run, in words."""

import io
from pathlib import Path

import pytest
from report_fakes import away, pathfinder
from rich.console import Console

from plafond import witness
from plafond.errors import RefusedError
from plafond.report.conditions import condition_rows
from plafond.report.machine import before_words, speed_words, stops_sentence
from plafond.report.terminal import print_brief
from plafond.run.model import Execution
from plafond.run.stops import CpuStops
from plafond.witness import CpuBefore, Speed

MS = 1_000_000
SO = (
    "So no bound is sure to be kept here, whatever the lock; "
    "the figures above in virtual time hold."
)


def cpu_stops(stops: int, longest_ns: int) -> CpuStops:
    return CpuStops(
        protocol="protect",
        cpu=0,
        stops=stops,
        longest_ns=longest_ns,
        stopped_ns=longest_ns,
        turns_per_us=Speed(median=9, slowest=2),
        steal_ns=None,
    )


def before(stops: int, longest_ns: int, seconds: float = 1, slowest: float = 5) -> CpuBefore:
    return CpuBefore(
        cpu=0,
        seconds=seconds,
        stops=stops,
        longest_stop_ns=longest_ns,
        stopped_ns=longest_ns,
        turns_per_us=Speed(median=10, slowest=slowest),
    )


@pytest.mark.parametrize(
    ("stops", "said"),
    [
        ([], None),
        ([cpu_stops(0, 0)], None),
        (
            [cpu_stops(40, 12 * MS), cpu_stops(1, MS)],
            f"This machine stopped real-time threads 41 times, for up to 12ms. {SO}",
        ),
        (
            [cpu_stops(1, MS), cpu_stops(1, 12 * MS)],
            f"This machine stopped real-time threads 2 times, for up to 12ms. {SO}",
        ),
        (
            [cpu_stops(1, 1_234_567)],
            f"This machine stopped real-time threads once, for up to 1.2ms. {SO}",
        ),
    ],
)
def test_stops_are_a_sentence(stops: list[CpuStops], said: str | None) -> None:
    report = pathfinder().report.model_copy(update={"stops": stops})
    assert stops_sentence(report) == said


def test_the_second_before_the_runs_is_a_line_of_the_conditions() -> None:
    executed = pathfinder()
    report = executed.report.model_copy(
        update={"before": [before(3, MS), before(4, 2 * MS, 0.5, slowest=1.5)]}
    )
    rows = dict(condition_rows(Execution(executed.system, executed.traces, report)))
    assert rows["a second before the runs"] == (
        "longest stop 2ms, 8 stops a second; speed: median 10 turns in 1us, slowest 1.5"
    )
    assert "a second before the runs" not in dict(condition_rows(executed))
    assert before_words([before(0, 0)]).startswith("longest stop 0ns, 0 stops a second")
    often = before_words([before(3, MS, 0.25), before(4, MS, 0.5)])
    assert often.startswith("longest stop 1ms, 12 stops a second")


def test_an_unknown_speed_is_said() -> None:
    unknown = Speed(median=None, slowest=None)
    assert speed_words([unknown]) == "not known"
    known = [unknown, Speed(median=5, slowest=3), Speed(median=20, slowest=4)]
    assert speed_words(known) == "median 20 turns in 1us, slowest 4"


def test_the_brief_outcome_says_why_a_bound_was_not_judged() -> None:
    text = io.StringIO()
    print_brief(away(), Console(file=text, width=200, highlight=False))
    assert "not judged: under plafond 1 of " in text.getvalue()
    assert "EXCEEDED" not in text.getvalue()


def test_a_machine_that_refuses_is_not_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> Path:
        raise RefusedError(f"{name} is not built")

    monkeypatch.setattr(witness, "find_program", refuse)
    assert witness.stops_before([0, 1]) == []


def test_each_cpu_is_watched_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def watch(command: list[str], *_: object) -> str:
        assert command[1:] == ["--witness", command[2], "1"]
        seen = before(int(command[2]), MS)
        return seen.model_dump_json()

    monkeypatch.setattr(witness, "find_program", Path)
    monkeypatch.setattr(witness, "run_program", watch)
    assert [cpu.stops for cpu in witness.stops_before([0, 3])] == [0, 3]
