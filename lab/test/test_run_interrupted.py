# SPDX-License-Identifier: MIT
"""Runs under several protocols, if a run fails or is interrupted: the earlier runs are reported."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from report_fakes import simulated, system_of
from run_options import OPTIONS

from plafond.errors import PlafondError
from plafond.run import execution
from plafond.run.execution import execute
from plafond.run.job import Job, Outcome
from plafond.run.model import Execution
from plafond.run.options import Options

TEXT = """
[task.high]
priority = 30
arrival = "periodic 10ms"
activations = 2
body = ["run 1ms"]
[task.low]
priority = 10
arrival = "periodic 4ms"
body = ["run 1ms"]
"""
PROTOCOLS = ["none", "inherit", "protect"]
Step = BaseException | Outcome


def outcome(protocol: str, interrupted: BaseException | None = None) -> Outcome:
    return Outcome(simulated(TEXT, PROTOCOLS).traces[protocol], interrupted, b"no recording")


def executed(
    monkeypatch: pytest.MonkeyPatch, *steps: Step, irqs: bool = False
) -> tuple[Execution, BaseException | None]:
    """Run all protocols. Each step is the outcome of a protocol, or its failure."""

    def run_jobs(jobs: Sequence[Job], _: Options) -> Iterator[Outcome]:
        assert [job.what for job in jobs] == PROTOCOLS
        # The last arrivals: `high` at 10 ms, and `low` at 16 ms, before the end at 20 ms.
        assert {job.duration_ns for job in jobs} == {16_000_000}
        for step in steps:
            if isinstance(step, BaseException):
                raise step
            yield step

    monkeypatch.setattr(execution, "run_jobs", run_jobs)
    return execute(system_of(TEXT), replace(OPTIONS, protocols=PROTOCOLS, irqs=irqs))


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), SystemExit(3), PlafondError("it died")])
def test_the_protocols_before_a_failure_are_reported(
    monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    run, interrupted = executed(monkeypatch, outcome("none"), outcome("inherit"), failure)
    assert interrupted is failure
    assert list(run.traces) == ["none", "inherit"]
    assert run.report.notes[0] == "protect: no figures: its run did not finish"
    with pytest.raises(type(failure)) as caught:
        executed(monkeypatch, failure)
    assert caught.value is failure


def test_after_an_interrupted_outcome_no_further_protocol_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stop = KeyboardInterrupt()
    run, interrupted = executed(
        monkeypatch, outcome("none"), outcome("inherit", stop), outcome("protect")
    )
    assert interrupted is stop
    assert list(run.traces) == ["none", "inherit"]


def test_of_two_unreadable_recordings_the_first_is_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps = [outcome(protocol) for protocol in PROTOCOLS]
    run, failure = executed(monkeypatch, *steps, irqs=True)
    assert str(failure).startswith("the recording under none: ")
    assert list(run.traces) == PROTOCOLS
    steps[2] = outcome("protect", KeyboardInterrupt())
    assert isinstance(executed(monkeypatch, *steps, irqs=True)[1], KeyboardInterrupt)
