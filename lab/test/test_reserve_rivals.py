# SPDX-License-Identifier: MIT
"""`plafond doctor FILE`: interrupt threads that run before the tasks of a description."""

import json
from pathlib import Path

import pytest
from descriptions import described
from test_doctor_trees import CPU, DEADLINE, FIFO, NO_CAPABILITIES, kernel, machine, status, thread
from typer.testing import CliRunner

from plafond.cli import app
from plafond.describe.system import System
from plafond.doctor.machine import Machine
from plafond.doctor.model import Verdict
from plafond.reserve.rivals import interrupt_threads

TASKS = """
name = "robot"
cpus = 2
[task.high]
priority = 51
arrival = "periodic 10ms"
body = ["run 1ms"]
[task.equal]
priority = 50
arrival = "periodic 20ms"
body = ["run 1ms"]
[task.other]
cpu = 1
priority = 10
arrival = "periodic 20ms"
body = ["run 1ms"]
"""
RESERVED = """
[server.net]
kind = "reservation"
period = "10ms"
budget = "1ms"
irq = "eth0"
"""


@pytest.fixture
def system(tmp_path: Path) -> System:
    return described(tmp_path, TASKS)


def with_threads(root: Path) -> Machine:
    return machine(
        root,
        {f"{CPU}/online": "0-1", "proc/2/stat": "2 (kthreadd) S 0\n"},
        status(NO_CAPABILITIES, "0-1"),
        kernel(40, "irq/24-eth0", FIFO, 50, "0"),
        kernel(41, "irq/9-acpi", FIFO, 9, "0-1"),
        kernel(42, "irq/8-rtc0", DEADLINE, 0, "0-1"),
        kernel(43, "rcuc/0", FIFO, 90, "0"),
        thread(44, "irq/1-mine", FIFO, 90, "0"),
    )


def test_threads_that_keep_tasks_waiting_are_named_with_these_and_the_table(
    tmp_path: Path, system: System
) -> None:
    """It has equal priority on the same CPU. Others are under a reservation, or below all tasks."""
    finding = interrupt_threads(with_threads(tmp_path), system)
    assert finding.verdict is Verdict.WARN
    assert finding.finding == "irq/24-eth0 at 50 before equal: each for as long as it takes"
    assert finding.change is not None
    table = "\n".join(line.strip() for line in finding.change.splitlines()[1:])
    assert table == RESERVED.strip().replace("server.net", "server.eth0")
    (added,) = described(tmp_path, TASKS + table).reservations
    assert added.irq == "eth0"


def test_a_thread_that_the_description_reserves_is_no_finding(tmp_path: Path) -> None:
    finding = interrupt_threads(with_threads(tmp_path), described(tmp_path, TASKS + RESERVED))
    assert finding.verdict is Verdict.OK
    assert finding.finding == "none runs before a task of robot without a reservation"


def test_of_threads_with_one_action_each_has_a_table(tmp_path: Path, system: System) -> None:
    tree = machine(with_threads(tmp_path).root, kernel(45, "irq/25-eth0", FIFO, 50, "0"))
    change = interrupt_threads(tree, system).change or ""
    assert change.count('irq = "irq/24-eth0"') == change.count('irq = "irq/25-eth0"') == 1
    reserved = RESERVED.replace('"eth0"', '"irq/25-eth0"')
    left = interrupt_threads(tree, described(tmp_path, TASKS + reserved))
    assert left.finding.startswith("irq/24-eth0 at 50 before equal: ")


def test_many_tasks_are_not_all_named(tmp_path: Path) -> None:
    more = "".join(
        f'[task.t{n}]\npriority = 1\narrival = "periodic 20ms"\nbody = ["run 1ms"]\n'
        for n in range(4)
    )
    finding = interrupt_threads(with_threads(tmp_path), described(tmp_path, TASKS + more))
    assert (
        "irq/24-eth0 at 50 before equal, t0, t1, ...; irq/9-acpi at 9 before t0" in finding.finding
    )


def test_hidden_threads_are_not_known(tmp_path: Path, system: System) -> None:
    tree = machine(tmp_path, {f"{CPU}/online": "0"}, status(NO_CAPABILITIES, "0"))
    assert interrupt_threads(tree, system).verdict is Verdict.UNKNOWN


def test_the_command_takes_a_description(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plafond.witness.SECONDS", 0.05)  # for each watched CPU
    file = tmp_path / "robot.toml"
    file.write_text(TASKS)
    topics = [
        [
            finding["topic"]
            for finding in json.loads(CliRunner().invoke(app, arguments).stdout)["findings"]
        ]
        for arguments in (["doctor", "--format", "json"], ["doctor", str(file), "--format", "json"])
    ]
    assert topics[1] == [*topics[0], "interrupts"]
