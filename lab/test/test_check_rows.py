# SPDX-License-Identifier: MIT
"""Rows of `plafond check` for two CPUs, several servers, and loads that are not known."""

import io
from pathlib import Path

import pytest
from descriptions import described
from rich.console import Console
from test_check import GOOD

from plafond.check.model import CheckReport, report_of, report_of_problems
from plafond.check.schema_text import schema_text
from plafond.check.table import print_report
from plafond.describe.problems import DescriptionError, Problem

FILE = Path("some.toml")
TWO_CPUS = """
cpus = 2
[task.A]
priority = 3
arrival = "periodic 10ms"
body = ["run 11ms"]
[task.B]
cpu = 1
priority = 2
arrival = "periodic 10ms"
body = ["run 1ms"]
[task.C]
cpu = 1
priority = 1
arrival = "periodic 10ms"
body = ["run 2ms", "lock R", "run 1ms", "unlock R"]
[task.D]
cpu = 1
priority = 9
autostart = true
body = ["run 1ms"]
[resource.R]
"""
KNOWN = TWO_CPUS.replace("autostart = true", 'arrival = "sporadic 10ms"')
SERVERS = """
[server.one]
kind = "idling"
priority = 2
period = "50us"
budget = "20us"
global = "skip"
[server.two]
kind = "polling"
priority = 1
period = "100us"
budget = "30us"
global = "overrun"
[task.A]
server = "one"
priority = 3
arrival = "periodic 100us"
jitter = "2us"
body = ["lock R", "run 1us", "unlock R"]
[task.B]
server = "two"
priority = 2
arrival = "periodic 200us"
offset = "3us"
body = ["lock R", "run 5us", "unlock R", "lock S", "run 1us", "unlock S"]
[task.C]
server = "one"
priority = 1
arrival = "periodic 200us"
body = ["lock S", "run 7us", "unlock S"]
[task.D]
server = "two"
priority = 1
autostart = true
body = ["run 7us"]
[resource.R]
[resource.S]
"""
RESERVED = """
[server.net]
kind = "reservation"
period = "10ms"
budget = "1ms"
irq = "virtio1-input"
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
body = ["run 10ms"]
"""


def report(folder: Path, text: str) -> CheckReport:
    return report_of(FILE, described(folder, text))


def printed(found: CheckReport) -> str:
    text = io.StringIO()
    print_report(found, Console(file=text, width=200, highlight=False))
    return text.getvalue()


def test_each_cpu_has_its_own_load(tmp_path: Path) -> None:
    found = report(tmp_path, KNOWN).cpus

    assert [(row.cpu, row.utilisation, row.overloaded) for row in found] == [
        (0, 1.1, True),
        (1, pytest.approx(0.5), False),
    ]


def test_a_load_that_is_not_known_is_that_of_its_cpu(tmp_path: Path) -> None:
    found = report(tmp_path, TWO_CPUS)

    assert [(row.utilisation, row.overloaded) for row in found.cpus] == [(1.1, True), (None, None)]
    loads = {row.task: row.utilisation for row in found.tasks}
    assert loads == {"A": 1.1, "B": 0.1, "C": 0.3, "D": None}
    assert "not known" in printed(found)


def test_tasks_of_known_load_overload_a_cpu_of_unknown_load(tmp_path: Path) -> None:
    (row,) = report(tmp_path, TWO_CPUS.replace("cpus = 2", "").replace("cpu = 1\n", "")).cpus

    assert (row.utilisation, row.overloaded) == (None, True)


def test_each_server_has_its_own_tasks_and_share(tmp_path: Path) -> None:
    found = report(tmp_path, SERVERS)

    assert [(row.tasks, row.share, row.utilisation) for row in found.servers] == [
        (["A", "C"], 0.4, pytest.approx(0.045)),
        (["B", "D"], 0.3, None),
    ]
    assert [row.kind for row in found.servers] == ["idling", "polling"]
    assert [row.server_ceiling for row in found.resources] == ["one", "one"]


def test_the_note_on_servers_is_printed_once_for_two_resources(tmp_path: Path) -> None:
    text = printed(report(tmp_path, SERVERS))

    assert text.count("a server as ceiling") == 1
    assert "no ceiling" not in text


def test_each_sentence_of_a_deadlock_is_printed(tmp_path: Path) -> None:
    text = printed(report(tmp_path, GOOD))

    assert "- A holds R and wants S\n- B holds S and wants R\n" in text


def test_jitter_and_offset_are_of_their_tasks(tmp_path: Path) -> None:
    tasks = report(tmp_path, SERVERS).tasks

    assert [row.jitter_ns for row in tasks] == [2000, 0, 0, 0]
    assert [row.first_deadline_ns for row in tasks] == [100_000, 203_000, 200_000, None]


def test_reservations_have_their_threads_and_no_priority(tmp_path: Path) -> None:
    found = report(tmp_path, RESERVED)

    assert [(row.server, row.thread, row.share) for row in found.reservations] == [
        ("net", "irq/N-virtio1-input", 0.1),
        ("vision", "task detect", 0.25),
    ]
    assert [(row.task, row.priority) for row in found.tasks] == [("detect", None), ("t1", 50)]
    assert "- a reservation: SCHED_DEADLINE" in printed(found)


def test_a_mistake_is_that_of_its_own_file() -> None:
    other = Problem(("task", "A"), "1", "2", file=Path("part.oil"))
    here = Problem(("task", "B"), "3", "4")
    error = DescriptionError(FILE, [(7, other), (9, here)])

    rows = report_of_problems(error).problems
    assert [(row.file, row.line, row.field, row.found) for row in rows] == [
        ("some.toml", 9, "task.B", "3"),
        ("part.oil", 7, "task.A", "1"),
    ]


def test_the_schema_marks_optional_fields_and_their_defaults() -> None:
    lines = schema_text().splitlines()

    assert sum(line.startswith("[autostart]") and line.endswith("default false") for line in lines)
    assert any(line.startswith("body ") or line.startswith("[body]") for line in lines)
    assert any(line.startswith("period ") for line in lines)
    assert not any("default None" in line or "default ()" in line for line in lines)
