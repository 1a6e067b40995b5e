# SPDX-License-Identifier: MIT
"""Runs on this machine that do not end as planned: which trace, error or interrupt is left."""

import os
from collections.abc import Callable, Collection
from pathlib import Path

import pytest
from server_traces import task, trace

from plafond.describe.server import Server
from plafond.errors import PlafondError, RefusedError
from plafond.programs import TOO_LONG
from plafond.run import linux
from plafond.run.job import Job, Outcome
from plafond.run.linux import PATIENCE_S, WATCHDOG, run_here
from plafond.trace.model import CpuConditions, Kind
from plafond.witness import Speed

JOB = Job("plafond", "a plan", duration_ns=10**9, limit_ns=2_500_000_000)
CPUS = [
    CpuConditions(cpu=cpu, turn_ns=1, turns_per_us=Speed(median=1, slowest=1), steal_ns=None)
    for cpu in (1, 3)
]
Run = Callable[..., Outcome]


class Witness:
    """Names a thread for each CPU."""

    def hogs(self, cpus: Collection[int]) -> list[str]:
        """Return a sentence for each CPU."""
        return [f"hog of {cpu}" for cpu in sorted(cpus)]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Return a function that runs a job. The program leaves a trace, and then fails."""

    def start(content: str | None, failure: BaseException | None = None, job: Job = JOB) -> Outcome:
        def run_program(command: list[str], _: object, limit_s: float) -> str:
            assert limit_s == 2.5 + PATIENCE_S
            if content is not None:
                Path(command[-1]).write_text(content)
            if failure:
                raise failure
            return ""

        monkeypatch.setattr(linux, "run_program", run_program)
        monkeypatch.setattr(linux, "find_program", Path)
        monkeypatch.setattr(linux, "Witness", Witness)
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 2})
        (outcome,) = run_here([job], tmp_path)
        assert list(tmp_path.iterdir()) == []
        return outcome

    return start


def recorded(cut: str | None = None) -> str:
    one = task("T", [0], (0, Kind.START, 0), (9, Kind.END, 0))
    return trace(one).model_copy(update={"cut": cut, "cpus": CPUS}).model_dump_json()


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), SystemExit(2)])
def test_an_interrupted_run_with_a_trace_is_an_outcome(run: Run, failure: BaseException) -> None:
    outcome = run(recorded("interrupted"), failure)
    assert outcome.interrupted is failure
    assert outcome.trace.cut == "interrupted"


def test_an_error_with_a_trace_interrupts_nothing(run: Run) -> None:
    outcome = run(recorded("the limit"), PlafondError("cut"))
    assert (outcome.interrupted, outcome.trace.cut) == (None, "the limit")


@pytest.mark.parametrize("content", [None, ""])
@pytest.mark.parametrize("failure", [KeyboardInterrupt(), SystemExit(2), PlafondError("died")])
def test_without_a_trace_the_failure_is_raised(
    run: Run, content: str | None, failure: BaseException
) -> None:
    with pytest.raises(type(failure)) as caught:
        run(content, failure)
    assert caught.value is failure


def test_only_the_watchdog_and_a_late_end_ask_for_the_threads_that_kept_cpus_busy(
    run: Run,
) -> None:
    cut = f"{WATCHDOG}T did not end"
    assert run(recorded(cut), PlafondError("cut")).trace.cut == f"{cut}; hog of 1; hog of 3"
    assert run(recorded("the limit"), PlafondError("cut")).trace.cut == "the limit"
    assert run(recorded()).trace.cut is None
    with pytest.raises(PlafondError) as caught:
        run(None, PlafondError(f"it was ended {TOO_LONG}"))
    assert str(caught.value) == f"it was ended {TOO_LONG}; hog of 0; hog of 2"


def test_a_refusal_names_the_way_without_privilege_once(run: Run) -> None:
    for said, hint in (
        ("no right", "no right (see plafond doctor; --on vm needs no privilege)"),
        ("use --on vm", "use --on vm (see plafond doctor)"),
        ("--on linux", "--on linux (see plafond doctor; --on vm needs no privilege)"),
    ):
        with pytest.raises(RefusedError) as caught:
            run(None, RefusedError(said))
        assert str(caught.value) == hint


def test_only_a_refusal_of_reservations_stays_as_it_is(run: Run) -> None:
    said = RefusedError("plafond-reserve: no such interrupt")
    server = Server.made("R", period_ns=10, budget_ns=2)
    reserved = Job("p", "a plan", 1, 2_500_000_000, reservations=(server,))
    with pytest.raises(RefusedError) as caught:
        run(None, said, reserved)
    assert caught.value is said
    for job, text in ((JOB, str(said)), (reserved, "plafond-run: no right")):
        with pytest.raises(RefusedError, match=r"see plafond doctor"):
            run(None, RefusedError(text), job)
