# SPDX-License-Identifier: MIT
"""Runs with reservations: the command that makes them, and what it refuses, on both machines."""

import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest
from descriptions import described

from plafond.describe.reservation import Reservation
from plafond.errors import RefusedError
from plafond.run import linux
from plafond.run.execution import jobs_for
from plafond.run.job import Job
from plafond.run.linux import run_here
from plafond.run.vm import line_of
from plafond.run.wrappers import RESERVE, RUN, command_of, programs_of

NET = Reservation("net", "virtio1-input", 10_000_000, 1_000_000)
DISK = Reservation("disk", "a disk", 20_000_000, 2_000_000)
PLAIN = Job("none", "a plan", 1, 1)
RESERVED = Job("none", "a plan", 1, 1, (NET, DISK))


def test_the_run_is_inside_what_reserves() -> None:
    """Budget before period, as plafond-reserve takes them; any number of the interrupt."""
    command = command_of(RESERVED, lambda name: name, "plan", "trace")
    assert command == [
        RESERVE,
        *("irq/*-virtio1-input", "1000000", "10000000"),
        *("irq/*-a disk", "2000000", "20000000"),
        *("--", RUN, "plan", "trace"),
    ]
    assert programs_of(RESERVED) == [RESERVE, RUN]
    assert command_of(PLAIN, lambda name: name, "plan", "trace") == [RUN, "plan", "trace"]
    assert programs_of(PLAIN) == [RUN]


def test_the_guests_shell_leaves_names_as_they_are() -> None:
    assert line_of(3, RESERVED) == (
        "run_plan 3 plafond-reserve 'irq/*-virtio1-input' 1000000 10000000 'irq/*-a disk' 2000000 "
        "20000000 -- plafond-run /plans/3 /trace"
    )
    assert shlex.split(line_of(3, RESERVED))[3] == "irq/*-virtio1-input"


def test_each_job_of_a_description_has_its_reservations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On this machine the programs of the build tree run; a refusal is one line and exit code 2."""
    text = (
        '[server.net]\nkind = "reservation"\nperiod = "10ms"\nbudget = "1ms"\n'
        'irq = "virtio1-input"\n[task.t]\npriority = 5\narrival = "periodic 40ms"\n'
        'body = ["run 1ms"]\n'
    )
    seen: list[Sequence[str | Path]] = []

    def refuse(command: Sequence[str | Path], *_: object) -> str:
        seen.append(command)
        raise RefusedError("plafond-reserve: found no thread irq/*-virtio1-input")

    monkeypatch.setattr(linux, "find_program", lambda name: Path("/built") / name)
    monkeypatch.setattr(linux, "run_program", refuse)
    system = described(tmp_path, text)
    (job,) = jobs_for(system, ["none"], {"t": [0]})
    with pytest.raises(RefusedError, match=r"^plafond-reserve: found no thread") as caught:
        next(run_here([job], tmp_path))
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)
    assert seen[0][:4] == [f"/built/{RESERVE}", "irq/*-virtio1-input", "1000000", "10000000"]
