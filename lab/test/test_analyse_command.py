# SPDX-License-Identifier: MIT
"""`plafond analyse`: output, errors, exit codes."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from plafond.analyse.overload import OverloadedError
from plafond.commands.analyse import analyse
from plafond.errors import ArgumentError

TEXT = """
task.high = {priority = 2, arrival = "periodic 10ms", body = ["run 1ms"]}
task.low = {priority = 1, arrival = "periodic 10ms", deadline = "2ms", body = ["run 1500us"]}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "system.toml"
    file.write_text(TEXT)
    return file


def run(*arguments: str | Path) -> Result:
    app = typer.Typer()
    app.command()(analyse)
    return CliRunner().invoke(app, [*map(str, arguments)])


def test_json_has_a_row_for_each_task_and_protocol(file: Path) -> None:
    result = run(file, "--format", "json", "--protocol", "none,ceiling")

    report = json.loads(result.stdout)
    assert result.exit_code == 0
    assert (report["name"], report["overheads"]) == ("system", None)
    assert report["rows"][3] == {
        "task": "low",
        "protocol": "ceiling",
        "blocking_bound_ns": 0,
        "response_bound_ns": 2_500_000,
        "deadline_ns": 2_000_000,
        "schedulable": False,
        "no_bound_yet": None,
    }
    assert report["rows"][0]["blocking_bound_ns"] is None


def test_table_has_verdicts_and_notes(file: Path) -> None:
    result = run(file)

    assert result.exit_code == 0
    assert [line.split() for line in result.stdout.splitlines() if line.startswith("low")] == [
        ["low", "ceiling", "0ns", "2.5ms", "2ms", "late"],
        ["low", "inherit", "0ns", "2.5ms", "2ms", "late"],
        ["low", "none", "-", "2.5ms", "2ms", "late"],
    ]
    assert "- bounds exclude overheads" in result.stdout


def test_unknown_protocol_suggests(file: Path) -> None:
    result = run(file, "--protocol", "ceilng")

    assert isinstance(result.exception, ArgumentError)
    assert "expected some of ceiling, inherit, none (did you mean ceiling?)" in str(
        result.exception
    )


def test_overload_is_an_error(file: Path) -> None:
    file.write_text(TEXT.replace("1500us", "10ms"))

    assert isinstance(run(file).exception, OverloadedError)
