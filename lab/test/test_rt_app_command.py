# SPDX-License-Identifier: MIT
"""Commands do the same for a description of rt-app and for the TOML that `check --toml` prints."""

import json
from pathlib import Path

import pytest
from kernel_runs import trace_on
from refusal import refusal
from typer.testing import CliRunner, Result

from plafond.cli import app
from plafond.describe import load
from plafond.describe.problems import DescriptionError
from plafond.protocols import names_of
from plafond.run.arrivals import draw_arrivals
from plafond.run.plan import plan_text

EXAMPLE = Path(__file__).parents[2] / "examples/rt-app-inversion.json"


def done(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(app, [*map(str, arguments)])
    assert result.exit_code == 0, (result.output, result.exception)
    return result


@pytest.fixture
def converted(tmp_path: Path) -> Path:
    """Return the example as TOML, under the same name."""
    file = tmp_path / f"{EXAMPLE.stem}.toml"
    file.write_text(done("check", EXAMPLE, "--toml").stdout, encoding="utf-8")
    return file


def test_check_reports_ceilings_and_notes(converted: Path) -> None:
    result = done("check", EXAMPLE)
    assert [line.split() for line in result.stdout.splitlines() if line[:2] in ("R1", "R2")] == [
        ["R1", "70", "high,", "middle"],
        ["R2", "65", "middle,", "low"],
    ]
    assert result.stderr.splitlines() == [
        f"{EXAMPLE}:8: global.pi_enabled: ignored: `plafond run --protocol` says how resources are "
        "locked",
        f"{EXAMPLE}:9: global.logdir: ignored: a run writes its own report",
    ]
    again = done("check", converted)
    tables = [printed.stdout.partition("Tasks")[2] for printed in (result, again)]
    assert tables[0] == tables[1]
    assert again.stderr == ""


def test_mistakes_are_reported_as_json(tmp_path: Path) -> None:
    file = tmp_path / "some.json"
    file.write_text('{\n"tasks": {\n"a": {"policy": "SCHED_FIFO", "cpus": [0], "mem": 1}}}')
    result = CliRunner().invoke(app, ["check", str(file), "--format", "json"])
    assert result.exit_code == 1
    assert json.loads(result.stdout)["problems"] == [
        {
            "file": str(file),
            "line": 3,
            "field": "tasks.a.mem",
            "found": "a key that is not taken",
            "expected": "run: how long the access takes is not known",
        }
    ]


@pytest.mark.parametrize("command", [["check", "--toml"], ["analyse"], ["build", "--board", "sim"]])
def test_every_command_refuses_what_is_wrong(tmp_path: Path, command: list[str]) -> None:
    file = tmp_path / "some.json"
    file.write_text("{}")
    result = CliRunner().invoke(app, [*command, str(file)])
    assert isinstance(result.exception, DescriptionError)
    assert str(result.exception) == f"{file}:1: tasks: found nothing; expected a table of threads"
    assert result.stdout == ""


def test_toml_is_no_report() -> None:
    assert "--toml: found --format json with it; expected one of the two" in refusal(
        ["check", str(EXAMPLE), "--toml", "--format", "json"]
    )


def test_the_keys_are_printed() -> None:
    shown = done("check", "--rt-app-keys").stdout
    assert "taken, of events:\nrun               a whole number of microseconds" in shown
    assert "ignored, of global:\ncalibration       run steps burn" in shown
    assert "refused, of events; expected:\nmem               run: how long" in shown


def test_bounds_are_those_of_the_toml(converted: Path) -> None:
    reports = [
        json.loads(done("analyse", file, "--format", "json").stdout)
        for file in (EXAMPLE, converted)
    ]
    assert reports[0] == reports[1]
    bounds = {
        row["task"]: row["response_bound_ns"]
        for row in reports[0]["rows"]
        if row["protocol"] == "ceiling"
    }
    # `high`: the longer section of `middle` with R1, 2 ms, and its own 5 ms.
    assert bounds["high"] == 7_000_000


def test_threads_get_the_plan_of_the_toml(converted: Path) -> None:
    for protocol in names_of(lambda row: row.linux):
        plans = [
            plan_text(system, protocol, draw_arrivals(system, system.seed))
            for system in map(load, (EXAMPLE, converted))
        ]
        assert plans[0] == plans[1]
        assert plans[0].count("\ntask ") == 4


@pytest.mark.board
def test_a_run_on_the_kernel_is_that_of_the_toml(converted: Path) -> None:
    traces = [
        trace_on("sim", "uprio-nprio", load(file), activations=5) for file in (EXAMPLE, converted)
    ]
    assert traces[0] == traces[1]
    high = next(task for task in traces[0].tasks if task.name == "high")
    assert [event.time_ns for event in high.events[:1]] == [3_500_000]
