# SPDX-License-Identifier: MIT
"""Tasks in the background: without a priority, without a bound, and without a target."""

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from descriptions import described, mistakes
from refusal import refusal
from typer.testing import CliRunner

from plafond.analyse.analysis import analyse
from plafond.analyse.overload import OverloadedError, refuse_overload
from plafond.cli import app
from plafond.describe.server import BEHIND_ALL
from plafond.describe.system import System

MS = 1_000_000
ABOVE = '[task.a]\npriority = 1\narrival = "sporadic 10ms"\nbody = ["run 2ms"]\n'
SECTION = 'arrival = "sporadic 10ms"\nbody = ["lock m", "run 100us", "unlock m"]\n'


def behind(name: str, *lines: str) -> str:
    return "\n".join([f"[task.{name}]", "background = true", *lines, ""])


def system_of(folder: Path, text: str) -> System:
    return described(folder, f"{text}[resource.m]\n" if "lock m" in text else text)


def bounds_of(system: System) -> dict[tuple[str, str], int | None]:
    return {(row.task, row.protocol): row.response_bound_ns for row in analyse(system).rows}


def test_it_has_no_bound_and_delays_no_other(tmp_path: Path) -> None:
    text = ABOVE + behind("b", 'arrival = "sporadic 10ms"', 'body = ["run 9ms"]')
    system = system_of(tmp_path, text)
    assert [(task.name, task.priority) for task in system.tasks] == [("a", 1), ("b", BEHIND_ALL)]
    assert system.utilisation(0) == Fraction(2, 10)
    assert bounds_of(system) == {
        ("a", "ceiling"): 2 * MS,
        ("a", "inherit"): 2 * MS,
        ("a", "none"): None,  # its bound is the busy period of all tasks
        **{("b", protocol): None for protocol in ("ceiling", "inherit", "none")},
    }
    assert any("b is in the background, as SCHED_OTHER" in note for note in analyse(system).notes)


def test_it_may_run_for_ever(tmp_path: Path) -> None:
    text = ABOVE + behind("b", "autostart = true", 'body = ["run 5us", "chain b"]')
    assert bounds_of(system_of(tmp_path, text))["a", "ceiling"] == 2 * MS


def test_it_does_not_overload_a_cpu(tmp_path: Path) -> None:
    asks = 'arrival = "sporadic 10ms"\nbody = ["run 11ms"]\n'
    refuse_overload(system_of(tmp_path, ABOVE + behind("b", asks)))
    with pytest.raises(OverloadedError) as caught:
        refuse_overload(system_of(tmp_path, f"[task.c]\npriority = 2\n{asks}" + behind("b", asks)))
    assert str(caught.value).endswith(": c 1.1 (11ms every 10ms)")


@pytest.mark.parametrize("cpu", [0, 1])
def test_a_shared_section_leaves_the_tasks_of_its_cpu_without_a_bound(
    tmp_path: Path, cpu: int
) -> None:
    both = behind("b", f"cpu = {cpu}", SECTION) + f"[task.c]\npriority = 2\ncpu = {cpu}\n{SECTION}"
    bounds = bounds_of(system_of(tmp_path, "cpus = 2\n" + ABOVE + both))
    assert (bounds["a", "ceiling"] is None) == (cpu == 0)
    assert {bound for (name, _), bound in bounds.items() if name != "a"} == {None}


def test_a_section_without_users_above_leaves_bounds(tmp_path: Path) -> None:
    system = system_of(tmp_path, ABOVE + behind("b", SECTION) + behind("d", SECTION))
    assert bounds_of(system)["a", "ceiling"] == 2 * MS
    file = tmp_path / "some.toml"
    report = json.loads(CliRunner().invoke(app, ["check", str(file), "--format", "json"]).stdout)
    assert report["resources"][0]["ceiling"] is None


def test_a_section_across_cpus_leaves_no_bound(tmp_path: Path) -> None:
    text = f"cpus = 2\n[task.a]\npriority = 2\ncpu = 1\n{SECTION}" + behind("b", SECTION)
    assert {*bounds_of(system_of(tmp_path, text)).values()} == {None}


@pytest.mark.parametrize(
    ("top", "line", "message"),
    [
        ("", "priority = 5", "found 5; expected no priority: the task is in the background"),
        ('scheduler = "edf"', "", "expected false: only below fixed priorities by software"),
        ('scheduler = "hardware"', "", "expected false: only below fixed priorities by software"),
        ("", 'server = "S"', "expected false: a server gives its time by priorities"),
        ("", 'server = "R"', "expected no server: the task is in the background"),
    ],
)
def test_it_has_no_urgency(tmp_path: Path, top: str, line: str, message: str) -> None:
    servers = {
        "S": 'kind = "idling"\npriority = 1\nperiod = "9ms"\nbudget = "5ms"\n',
        "R": 'kind = "reservation"\nperiod = "9ms"\nbudget = "5ms"\n',
    }
    named = re.findall(r'server = "(.)"', line)
    tables = "".join(f"[server.{name}]\n{servers[name]}" for name in named)
    task = behind("a", line, 'arrival = "periodic 9ms"', 'body = ["run 1ms"]')
    assert any(message in found for found in mistakes(tmp_path, f"{top}\n{tables}{task}"))


def test_check_shows_it_without_a_priority(tmp_path: Path) -> None:
    system_of(tmp_path, ABOVE + behind("b", SECTION))
    file = str(tmp_path / "some.toml")
    shown = CliRunner().invoke(app, ["check", file]).stdout
    rows = {
        line.split()[0]: line.split()[2] for line in shown.splitlines() if line[:2] in ("a ", "b ")
    }
    assert rows == {"a": "1", "b": "-"}
    assert "in the background, as SCHED_OTHER" in " ".join(shown.split())
    report = json.loads(CliRunner().invoke(app, ["check", file, "--format", "json"]).stdout)
    assert [task.get("background", False) for task in report["tasks"]] == [False, True]


@pytest.mark.parametrize("target", ["linux", "vm", "sim", "a53"])
def test_no_target_runs_it(tmp_path: Path, target: str) -> None:
    system_of(tmp_path, ABOVE + behind("b", SECTION))
    said = refusal(["run", str(tmp_path / "some.toml"), "--on", target])
    assert "found b in the background, as SCHED_OTHER, which no target runs" in said
