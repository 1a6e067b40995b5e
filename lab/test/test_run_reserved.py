# SPDX-License-Identifier: MIT
"""Runs with reservations: the command that makes them, and refusals, on both machines."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from refusal import refusal

from plafond.describe.server import reservation
from plafond.errors import RefusedError
from plafond.run import linux
from plafond.run.job import Job
from plafond.run.recorder import RECORDER
from plafond.run.vm import line_of
from plafond.run.wrappers import RESERVE, RUN, Places, command_of, programs_of

NET = reservation("net", "virtio1-input", 10_000_000, 1_000_000)
DISK = reservation("disk", "a disk", 20_000_000, 2_000_000)
TEXT = """
[server.net]
kind = "reservation"
period = "10ms"
budget = "1ms"
irq = "virtio1-input"
[task.t]
priority = 5
arrival = "periodic 40ms"
body = ["run 1ms"]
"""
PLACES = Places("plan", "trace", "recording")
PLAIN = Job("none", "a plan", 1, 1)
RESERVED = Job("none", "a plan", 1, 1, (NET, DISK))


def test_the_run_is_inside_what_reserves() -> None:
    """Budget comes before period, as in plafond-reserve. The interrupt may have any number."""
    command = command_of(RESERVED, lambda name: name, PLACES)
    assert command == [
        RESERVE,
        *("irq/*-virtio1-input", "1000000", "10000000"),
        *("irq/*-a disk", "2000000", "20000000"),
        *("--", RUN, "plan", "trace"),
    ]
    assert programs_of(RESERVED) == [RESERVE, RUN]
    assert command_of(PLAIN, lambda name: name, PLACES) == [RUN, "plan", "trace"]
    assert programs_of(PLAIN) == [RUN]


def test_a_whole_name_of_a_thread_stays_as_it_is() -> None:
    """If several interrupts have the same action, the description has the whole name."""
    job = replace(PLAIN, reservations=(NET.changed(irq="irq/24-ACPI:Ged"),))
    assert command_of(job, lambda name: name, PLACES)[1] == "irq/24-ACPI:Ged"


def test_what_records_is_outside() -> None:
    """So the recording shows the interrupts under their reservations."""
    job = replace(RESERVED, is_recorded=True)
    command = command_of(job, lambda name: name, PLACES)
    assert command[:4] == [RECORDER, "recording", "--", RESERVE]
    assert command[3:] == command_of(RESERVED, lambda name: name, PLACES)
    assert programs_of(job) == [RECORDER, RESERVE, RUN]


def test_the_guests_shell_leaves_names_as_they_are() -> None:
    assert line_of(3, RESERVED) == (
        "run_plan 3 plafond-reserve 'irq/*-virtio1-input' 1000000 10000000 'irq/*-a disk' 2000000 "
        "20000000 -- plafond-run /plans/3 /trace"
    )
    assert shlex.split(line_of(3, RESERVED))[3] == "irq/*-virtio1-input"


@pytest.mark.parametrize("more", [[], ["--irqs"]])
def test_a_refusal_is_one_line_and_runs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: list[str]
) -> None:
    """The refusal comes from the run, which uses the programs of the build tree on this machine."""
    file = tmp_path / "reserved.toml"
    file.write_text(TEXT)
    said = "plafond-reserve: found no thread irq/*-virtio1-input; expected one of: irq/9-acpi"
    seen: list[list[str]] = []

    def refuse(command: Sequence[str], *_: object) -> str:
        seen.append(list(command))
        raise RefusedError(said)

    monkeypatch.setattr(linux, "find_program", lambda name: Path("/built") / name)
    monkeypatch.setattr(linux, "run_program", refuse)
    arguments = ["run", str(file), "--overheads", "none", "--out", str(tmp_path / "report"), *more]
    assert refusal(arguments) == said
    (command,) = seen
    reserve = command.index(f"/built/{RESERVE}")
    assert command[reserve + 1 : reserve + 4] == ["irq/*-virtio1-input", "1000000", "10000000"]
    assert (command[0] == f"/built/{RECORDER}") == bool(more)
    assert not (tmp_path / "report").exists()
