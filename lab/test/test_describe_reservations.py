# SPDX-License-Identifier: MIT
"""Descriptions with reservations: the values that are read, every mistake, and unfit targets."""

import json
from fractions import Fraction
from pathlib import Path
from typing import NoReturn

import pytest
from descriptions import described
from refusal import refusal
from typer.testing import CliRunner

from plafond.cli import app
from plafond.describe.linux import needs_kernel, needs_linux
from plafond.describe.problems import DescriptionError
from plafond.describe.server import BEFORE_ALL, reservation
from plafond.run import overheads
from plafond.run.plan import plan_text

RESERVED = """
[server.net]
kind = "reservation"
period = "10ms"
budget = "1ms"
irq = "virtio1-input"

[server.disk]
kind = "reservation"
period = "20ms"
budget = "1024ns"
irq = "nvme0q1"

[task.t1]
priority = 50
arrival = "periodic 40ms"
body = ["run 10ms"]
"""
OF_TASK = """
[server.vision]
kind = "reservation"
period = "20ms"
budget = "5ms"

[task.detect]
server = "vision"
priority = 1
arrival = "periodic 80ms"
body = ["run 12ms"]

[task.t1]
priority = 50
arrival = "periodic 40ms"
body = ["lock R", "run 10ms", "unlock R"]

[resource.R]
"""


def test_a_reservation_has_the_thread_of_an_interrupt(tmp_path: Path) -> None:
    """A reservation is no server for tasks, and only Linux supports it."""
    system = described(tmp_path, RESERVED)
    assert system.reservations == (
        reservation("net", "virtio1-input", 10_000_000, 1_000_000),
        reservation("disk", "nvme0q1", 20_000_000, 1_024),
    )
    assert system.servers == ()
    assert needs_kernel(system) is None
    assert needs_linux(system) == "the reservation [server.net]"


def test_reservations_may_have_all_of_the_cpus_together(tmp_path: Path) -> None:
    whole = RESERVED.replace(
        'period = "20ms"\nbudget = "1024ns"', 'period = "20ms"\nbudget = "18ms"'
    )
    assert len(described(tmp_path, whole).reservations) == 2
    more = whole.replace('"18ms"', '"20ms"')
    assert len(described(tmp_path, "cpus = 2\n" + more).reservations) == 2
    with pytest.raises(DescriptionError):
        described(tmp_path, more)


def test_a_cpu_with_reservations_alone_needs_no_servers_for_its_tasks(tmp_path: Path) -> None:
    assert described(tmp_path, RESERVED).tasks[0].server is None


def test_a_reservation_has_the_thread_of_a_task(tmp_path: Path) -> None:
    """The task comes before all others, whatever its priority. A scaled system keeps its share."""
    system = described(tmp_path, OF_TASK)
    assert system.reservations == (
        reservation("vision", None, 20_000_000, 5_000_000).changed(task="detect"),
    )
    assert system.servers == ()
    assert system.reserved_interrupts == ()
    assert [task.name for task in system.tasks] == ["detect", "t1"]
    assert system.tasks[0].priority == BEFORE_ALL
    assert needs_kernel(system) is None
    assert needs_linux(system) == "the reservation [server.vision]"
    (scaled,) = system.scaled(Fraction(1, 2)).reservations
    assert (scaled.period_ns, scaled.budget_ns) == (10_000_000, 2_500_000)
    arrivals = {"detect": [0, 80_000_000], "t1": [0]}
    assert plan_text(system, "plafond", arrivals).splitlines()[4:8] == [
        "task detect 98 0 queue",
        "reservation 20000000 5000000",
        "run 12000000",
        "arrivals 0 80000000",
    ]


def test_the_costs_of_a_reserved_task_are_not_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measured(*_: object) -> NoReturn:
        raise AssertionError("the scenes are measured for nothing")

    monkeypatch.setattr(overheads, "scenes_in_guest", measured)
    file = tmp_path / "reserved.toml"
    file.write_text(OF_TASK)
    assert refusal(["analyse", str(file), "--overheads", "vm"]) == (
        "--overheads: found the servers vision; expected none: what these cost is not known"
    )


def test_check_shows_the_thread_that_a_reservation_is_of(tmp_path: Path) -> None:
    file = tmp_path / "reserved.toml"
    file.write_text(RESERVED)
    shown = CliRunner().invoke(app, ["check", str(file)]).stdout
    assert " ".join(shown.split()).count("net irq/N-virtio1-input 10ms 1ms 10.0%") == 1
    report = json.loads(CliRunner().invoke(app, ["check", str(file), "--format", "json"]).stdout)
    assert report["reservations"][1] == {
        "server": "disk",
        "thread": "irq/N-nvme0q1",
        "period_ns": 20_000_000,
        "budget_ns": 1_024,
        "share": 1_024 / 20_000_000,
    }


@pytest.mark.parametrize("arguments", [["run", "--on", "sim"], ["run", "--on", "a53"]])
def test_boards_refuse_it_in_one_line(tmp_path: Path, arguments: list[str]) -> None:
    file = tmp_path / "reserved.toml"
    file.write_text(RESERVED)
    assert refusal([*arguments, str(file)]) == (
        f"--on {arguments[-1]}: found the reservation [server.net], which only Linux has; "
        "expected --on linux or --on vm"
    )


def test_no_image_is_built_with_one(tmp_path: Path) -> None:
    file = tmp_path / "reserved.toml"
    file.write_text(RESERVED)
    result = CliRunner().invoke(app, ["build", str(file), "--board", "sim"])
    assert isinstance(result.exception, DescriptionError)
    assert str(result.exception).splitlines() == [
        f'{file}:{line}: server.{name}.kind: found "reservation"; expected a kind that sim has: '
        "only Linux has SCHED_DEADLINE"
        for line, name in ((3, "net"), (9, "disk"))
    ]
