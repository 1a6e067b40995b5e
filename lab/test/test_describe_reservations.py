# SPDX-License-Identifier: MIT
"""Descriptions with reservations: what is read, every mistake, and what does not run them."""

import json
from fractions import Fraction
from pathlib import Path
from typing import NoReturn

import pytest
from descriptions import described, mistakes
from refusal import refusal
from typer.testing import CliRunner

from plafond.cli import app
from plafond.describe.linux import needs_kernel, needs_linux
from plafond.describe.problems import DescriptionError
from plafond.describe.reservation import BEFORE_ALL, Reservation
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
IDLING = """
[server.s]
kind = "idling"
priority = 1
period = "20ms"
budget = "8ms"
"""


def test_a_reservation_has_the_thread_of_an_interrupt(tmp_path: Path) -> None:
    """It is none of the servers that tasks are in; Linux takes it, and only Linux."""
    system = described(tmp_path, RESERVED)
    assert system.reservations == (
        Reservation("net", "virtio1-input", 10_000_000, 1_000_000),
        Reservation("disk", "nvme0q1", 20_000_000, 1_024),
    )
    assert system.servers == ()
    assert needs_kernel(system) is None
    assert needs_linux(system) == "the reservation [server.net]"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            'budget = "1024ns"',
            'budget = "1023ns"',
            "server.disk.budget: found 1.023us; expected at least 1024ns: Linux refuses less",
        ),
        (
            'budget = "1ms"',
            'budget = "10.000001ms"',
            "server.net.budget: found 10.000001ms; expected at most the period, 10ms",
        ),
        (
            'irq = "nvme0q1"',
            'irq = "virtio1-input"',
            'server.disk.irq: found "virtio1-input"; expected an interrupt of its own: net has '
            "that one",
        ),
        (
            'irq = "nvme0q1"\n',
            "",
            "server.disk.irq: found nothing; expected the name of an interrupt's action, as "
            '/proc/interrupts has it, or one task with server = "disk"',
        ),
        (
            'irq = "nvme0q1"\n',
            'irq = "nvme0q1"\ncpu = 0\n',
            "server.disk.cpu: found one of a reservation; expected no cpu: the kernel runs an "
            "interrupt's thread on any CPU, and that of a task on the task's",
        ),
        (
            'irq = "nvme0q1"\n',
            'irq = "nvme0q1"\npriority = 3\n',
            "server.disk.priority: found one of a reservation; expected no priority: its thread is "
            "before all threads of SCHED_FIFO",
        ),
        (
            'irq = "nvme0q1"\n',
            'irq = "nvme0q1"\nglobal = "skip"\n',
            "server.disk.global: found one of a reservation; expected no global: that is of "
            "servers with tasks",
        ),
        (
            "priority = 50\n",
            'priority = 50\nserver = "net"\n',
            "task.t1.server: found net; expected another server, or none: net has the thread of an "
            "interrupt",
        ),
        (
            'period = "20ms"\nbudget = "1024ns"',
            'period = "20ms"\nbudget = "18.000001ms"',
            "server: found reservations of 100.000005% of a CPU: net, disk; expected at most "
            "100% in all: cpus is 1",
        ),
    ],
)
def test_a_mistake_names_the_field(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert RESERVED.count(old) == 1
    cpus = "cpus = 2" if "period" in expected else ""
    (message,) = mistakes(tmp_path, cpus + RESERVED.replace(old, new))
    assert message.split(": ", 1)[1] == expected


def test_reservations_may_have_all_of_the_cpus_together(tmp_path: Path) -> None:
    whole = RESERVED.replace(
        'period = "20ms"\nbudget = "1024ns"', 'period = "20ms"\nbudget = "18ms"'
    )
    assert len(described(tmp_path, whole).reservations) == 2
    more = whole.replace('"18ms"', '"20ms"')
    assert len(described(tmp_path, "cpus = 2\n" + more).reservations) == 2
    with pytest.raises(DescriptionError):
        described(tmp_path, more)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'scheduler = "edf"' + RESERVED.replace("priority = 50\n", ""),
            'scheduler: found "edf", with the reservation net; expected "priority": that is how '
            "Linux runs tasks",
        ),
        (
            'scheduler = "hardware"' + RESERVED,
            'scheduler: found "hardware", with the reservation net; expected "priority": that is '
            "how Linux runs tasks",
        ),
        (
            RESERVED.replace("priority = 50\n", 'priority = 50\nserver = "s"\n')
            + '[server.s]\nkind = "slot"\nperiod = "20ms"\nbudget = "8ms"\n',
            'server.s.kind: found "slot", beside the reservation net; expected no slots: Linux has '
            "none, and only Linux has reservations",
        ),
        (
            RESERVED.replace("priority = 50\n", 'priority = 50\nserver = "s"\n')
            + IDLING
            + 'signals = ["disk"]\n',
            "server.s.signals[0]: found disk; expected a server with tasks: disk is a reservation",
        ),
        (
            RESERVED.replace("priority = 50\n", 'priority = 50\nserver = "s"\n')
            + IDLING
            + 'irq = "eth0"\n',
            'server.s.irq: found "eth0"; expected no irq: that is of kind = "reservation", and '
            "this server is idling",
        ),
    ],
)
def test_beside_others_it_has_its_place(tmp_path: Path, text: str, expected: str) -> None:
    (message,) = mistakes(tmp_path, text)
    assert message.split(": ", 1)[1] == expected


def test_a_cpu_with_reservations_alone_needs_no_servers_for_its_tasks(tmp_path: Path) -> None:
    """And one with both does."""
    assert described(tmp_path, RESERVED).tasks[0].server is None
    (message,) = mistakes(tmp_path, RESERVED + IDLING)
    assert "expected a server: CPU 0 has some, such as s" in message


def test_a_reservation_has_the_thread_of_a_task(tmp_path: Path) -> None:
    """It comes before all others, whatever its priority; in other times it keeps its share."""
    system = described(tmp_path, OF_TASK)
    assert system.reservations == (
        Reservation("vision", None, 20_000_000, 5_000_000, task="detect", cpu=0),
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


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            'body = ["run 12ms"]',
            'body = ["run 12ms", "lock R", "unlock R"]',
            "11: task.detect.body[1]: found lock R; expected no lock in the reservation vision: a "
            "ceiling is a priority of SCHED_FIFO, and its thread has none",
        ),
        (
            "priority = 50\n",
            'priority = 50\nserver = "vision"\n',
            "15: task.t1.server: found vision; expected another server, or none: the reservation "
            "vision has one thread, detect",
        ),
        (
            'budget = "5ms"',
            'budget = "19.000001ms"',
            "2: server: found reservations of 95.000005% of CPU 0: vision; expected at most 95%, "
            "where tasks have them: what watches over a run comes after them",
        ),
        (
            'budget = "5ms"',
            'budget = "1023ns"',
            "5: server.vision.budget: found 1.023us; expected at least 1024ns: Linux refuses less",
        ),
    ],
)
def test_a_mistake_of_a_reserved_task_names_its_line(
    tmp_path: Path, old: str, new: str, expected: str
) -> None:
    assert OF_TASK.count(old) == 1
    text = OF_TASK.replace(old, new)
    if "one thread" in expected:
        text = text.replace('"lock R", ', "").replace(', "unlock R"', "")
    (message,) = mistakes(tmp_path, text)
    assert message == f"some.toml:{expected}"


def test_the_critical_instant_of_a_reserved_task_is_not_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measured(*_: object) -> NoReturn:
        raise AssertionError("the scenes are measured for nothing")

    monkeypatch.setattr(overheads, "scenes_in_guest", measured)
    file = tmp_path / "reserved.toml"
    file.write_text(OF_TASK)
    assert refusal(["run", str(file), "--arrivals", "worst"]) == (
        "--arrivals worst: found the server vision; expected none: which phase of a budget is the "
        "worst one is not known yet"
    )
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
