# SPDX-License-Identifier: MIT
"""The outcomes of several plans in one guest, if the guest does not come to its end."""

import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from report_fakes import PATHFINDER, simulated

from plafond.errors import PlafondError, RefusedError
from plafond.run import vm
from plafond.run.job import Job
from plafond.run.vm import RUN_PLAN, run_in_guest
from plafond.vm.guest import Guest
from plafond.vm.machine import READY, Results
from plafond.vm.messages import Message

Guests = Callable[[list[Message], BaseException | None], None]
JOBS = [Job(name, "a plan", 10**9, 10**9) for name in ("none", "inherit")]


@pytest.fixture
def guest_sends(monkeypatch: pytest.MonkeyPatch) -> Guests:
    """Return a function that replaces the guest: it sends some messages, and then ends or fails."""

    def prepare(messages: list[Message], failure: BaseException | None) -> None:
        def run_in_vm(*arguments: object) -> Results:
            on_message = arguments[-1]
            assert callable(on_message)
            for message in messages:
                on_message(message)
            if failure:
                raise failure
            return Results({}, 0, "")

        monkeypatch.setattr(vm, "prepare", lambda guest: guest)
        monkeypatch.setattr(vm, "run_in_vm", run_in_vm)

    return prepare


def messages_of(number: int, status: int, said: str = "") -> list[Message]:
    trace = simulated(PATHFINDER, ["none"], 5).traces["none"]
    return [
        *([Message(f"trace-{number}", trace.model_dump_json().encode())] if status != 2 else []),
        Message(f"said-{number}", said.encode()),
        Message(f"status-{number}", f"{status}\n".encode()),
    ]


@pytest.mark.parametrize("failure", [PlafondError("it died"), KeyboardInterrupt()])
def test_what_was_run_before_a_failure_is_kept(guest_sends: Guests, failure: BaseException) -> None:
    guest_sends([Message(READY, b""), *messages_of(0, 0)], failure)
    outcomes = run_in_guest(JOBS, Guest())
    assert next(outcomes).trace.protocol == "none"
    with pytest.raises(type(failure)):
        next(outcomes)


def test_a_run_that_was_cut_in_the_guest_is_an_outcome(guest_sends: Guests) -> None:
    guest_sends([*messages_of(0, 1, "cut"), *messages_of(1, 0)], None)
    assert len(list(run_in_guest(JOBS, Guest()))) == 2


def test_a_refusal_in_the_guest_is_one(guest_sends: Guests) -> None:
    guest_sends(messages_of(0, 2, "first line\nplafond-run: no room\n"), None)
    with pytest.raises(RefusedError, match=r"^none: plafond-run: no room \(in the virtual "):
        next(run_in_guest(JOBS, Guest()))


def test_a_plan_that_left_no_trace_is_the_last_one(tmp_path: Path) -> None:
    """The guest's shell code runs here, and the second of three plans is refused."""
    for name, script in {
        "plafond-run": '[ "${1##*/}" != 1 ] || exit 2; echo x >trace',
        "plafond-record": 'shift 2; "$@"; code=$?; echo y >recording; exit $code',
        "post": 'echo "$1" >>sent',
    }.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    here = re.sub(" /(trace|said|status|recording)", r" \1", RUN_PLAN).replace(">/", ">")
    run = "plafond-run /plans/{0} trace"
    before = ("plafond-record x -- ", "", "")
    lines = (f"run_plan {n} {before[n]}{run.format(n)}" for n in range(3))
    commands = "\n".join([here, *lines])
    subprocess.run(
        ["sh", "-c", commands],
        cwd=tmp_path,
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        check=False,
    )
    sent = (tmp_path / "sent").read_text().split()
    assert sent == ["trace-0", "recording-0", "said-0", "status-0", "said-1", "status-1"]


def test_a_recording_comes_with_its_trace(guest_sends: Guests) -> None:
    recording = Message("recording-1", b"PLFKREC1")
    guest_sends([*messages_of(0, 0), *messages_of(1, 0)[:1], recording, *messages_of(1, 0)], None)
    assert [each.recording for each in run_in_guest(JOBS, Guest())] == [None, b"PLFKREC1"]


def test_what_is_recorded_runs_inside_the_recorder(
    monkeypatch: pytest.MonkeyPatch, guest_sends: Guests
) -> None:
    guest_sends([], None)
    seen: list[list[str]] = []

    def run_in_vm(_: Guest, files: dict[str, object], commands: list[str], *__: object) -> Results:
        seen.append([*files, *commands])
        raise PlafondError("seen")

    monkeypatch.setattr(vm, "run_in_vm", run_in_vm)
    monkeypatch.setattr(vm, "find_program", Path)
    for is_recorded in (False, True):
        jobs = [replace(job, is_recorded=is_recorded) for job in JOBS]
        with pytest.raises(PlafondError, match="seen"):
            next(run_in_guest(jobs, Guest()))
    plain = [f"plafond-run /plans/{number} /trace" for number in (0, 1)]
    assert seen[0][-2:] == [f"run_plan {n} {run}" for n, run in enumerate(plain)]
    assert "/bin/plafond-record" not in seen[0]
    recorded = [f"run_plan {n} plafond-record /recording -- {run}" for n, run in enumerate(plain)]
    assert seen[1][-2:] == recorded
    assert "/bin/plafond-record" in seen[1]


def test_a_run_without_a_trace_is_reported(guest_sends: Guests) -> None:
    guest_sends([message for message in messages_of(0, 1) if "trace" not in message.name], None)
    with pytest.raises(
        PlafondError, match="none: plafond-run failed in the virtual machine: exit "
    ):
        next(run_in_guest(JOBS, Guest()))
