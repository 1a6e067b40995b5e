# SPDX-License-Identifier: MIT
"""`plafond doctor` as a command: on this machine, and how it prints."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from patience import HUNG_S
from rich.console import Console
from test_doctor_trees import ALL_GRANTED, NOTHING_GRANTED, container, laptop, robot
from typer.testing import CliRunner

from plafond.commands.doctor import doctor
from plafond.doctor import probes
from plafond.doctor.examine import examine
from plafond.doctor.machine import Machine
from plafond.doctor.model import Report, Verdict
from plafond.doctor.probes import Tried, try_here
from plafond.doctor.table import print_report

app = typer.Typer(rich_markup_mode=None)
app.command()(doctor)


@pytest.fixture(autouse=True)
def _short_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Watch each CPU for less than a second."""
    monkeypatch.setattr("plafond.witness.SECONDS", 0.05)


def rendered(report: Report) -> list[str]:
    text = io.StringIO()
    print_report(report, Console(file=text, width=100))
    return text.getvalue().splitlines()


def test_this_machine_is_examined() -> None:
    result = CliRunner().invoke(app, ["--format", "json"])

    report = Report.model_validate_json(result.stdout)
    assert result.exit_code == (0 if report.meaningful else 1)
    assert set(json.loads(result.stdout)) == {"meaningful", "findings"}
    assert len(report.findings) > 20


def test_trying_changes_nothing_in_this_process() -> None:
    def state() -> tuple[object, ...]:
        scheduling = (os.sched_getscheduler(0), os.sched_getparam(0), os.sched_getaffinity(0))
        return (*scheduling, Machine().field("proc/self/status", "VmLck"))

    before = state()

    tried = try_here()

    assert state() == before
    assert tried.problem is None
    assert tried.highest_priority is not None
    assert tried.glibc


def test_child_that_cannot_be_started_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")

    assert try_here().problem == "/no/such/python: No such file or directory"


def test_child_that_dies_leaves_what_it_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    child = tmp_path / "child.py"
    child.write_text(
        "import os, signal\n"
        """print('{"highest_priority": 99}\\n{"pin"', flush=True)\n"""
        "os.kill(os.getpid(), signal.SIGXCPU)\n"
    )
    monkeypatch.setattr(probes, "CHILD", child)

    tried = try_here()

    assert (tried.highest_priority, tried.pin) == (99, None)
    assert tried.problem == "ended by SIGXCPU"


def test_child_that_takes_too_long_is_ended(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    child = tmp_path / "child.py"
    child.write_text(
        f"""import time\nprint('{{"pin": "OK"}}', flush=True)\ntime.sleep({HUNG_S})\n"""
    )
    monkeypatch.setattr(probes, "CHILD", child)
    for longest_s in (0.5, 5, 50):  # on a busy machine it may end before its first word
        monkeypatch.setattr(probes, "LONGEST_SECONDS", longest_s)
        tried = try_here()
        if tried.pin:
            break

    assert (tried.pin, tried.problem) == ("OK", "took too long")


def test_child_is_bounded() -> None:
    script = (
        "import child, resource, signal\n"
        "child._bound()\n"
        "print(signal.alarm(0), resource.getrlimit(resource.RLIMIT_RTTIME)[1])\n"
    )

    result = subprocess.run(
        [sys.executable, "-c", script],
        cwd=probes.CHILD.parent,
        env={**os.environ, "PYTHONSAFEPATH": "", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert result.stdout.split() == ["5", "100000"]


@pytest.mark.parametrize(
    ("tried", "code", "last"),
    [
        (ALL_GRANTED, 0, "run --on linux will be meaningful here"),
        (
            NOTHING_GRANTED,
            1,
            "run --on linux will not be meaningful here: SCHED_FIFO is refused, "
            "memory cannot be locked (ENOMEM)",
        ),
    ],
)
def test_exit_code_and_last_line(
    tried: Tried, code: int, last: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probes, "try_here", lambda: tried)

    result = CliRunner().invoke(app)

    assert result.exit_code == code
    assert result.stdout.splitlines()[-1] == last


def test_interrupt_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> Tried:
        raise KeyboardInterrupt

    monkeypatch.setattr(probes, "try_here", interrupted)

    assert CliRunner().invoke(app).exit_code == 130


def test_wrong_argument_is_2_and_help_has_examples() -> None:
    assert CliRunner().invoke(app, ["--format", "xml"]).exit_code == 2
    assert "plafond doctor --format json" in CliRunner().invoke(app, ["--help"]).stdout


@pytest.mark.parametrize("build", [laptop, container, robot])
@pytest.mark.parametrize("tried", [ALL_GRANTED, NOTHING_GRANTED, Tried(problem="x" * 40)])
def test_at_most_100_columns(
    build: Callable[[Path], Machine], tried: Tried, tmp_path: Path
) -> None:
    assert max(map(len, rendered(examine(build(tmp_path), tried)))) <= 100


@pytest.mark.parametrize(("columns", "width"), [("60", 60), ("80", 80), ("200", 100), (None, 100)])
def test_the_table_is_whole_at_any_width(
    columns: str | None,
    width: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if columns is None:
        monkeypatch.delenv("COLUMNS", raising=False)
    else:
        monkeypatch.setenv("COLUMNS", columns)
    report = examine(robot(tmp_path), NOTHING_GRANTED)

    print_report(report)

    printed = capsys.readouterr().out
    table = printed.partition("What to change")[0].splitlines()
    assert "continued" not in printed
    assert width - 20 < max(map(len, table)) <= width
    for finding in report.findings:
        words = f"{finding.topic} {finding.verdict} {finding.finding}".split()
        assert any(line.split()[: len(words[:3])] == words[:3] for line in table)


def test_every_finding_and_change_is_printed(tmp_path: Path) -> None:
    report = examine(laptop(tmp_path), NOTHING_GRANTED)

    lines = rendered(report)

    text = " ".join(" ".join(lines).split())
    for finding in report.findings:
        assert finding.topic in text
        assert finding.change is None or any(finding.change in line for line in lines)


def test_failures_come_first_among_the_changes(tmp_path: Path) -> None:
    report = examine(laptop(tmp_path), NOTHING_GRANTED)

    lines = rendered(report)

    after = lines[lines.index("What to change") + 1 :]
    assert after[0].startswith("SCHED_FIFO")
    assert after[1].startswith("locked memory")


def test_same_change_is_printed_once(tmp_path: Path) -> None:
    report = examine(laptop(tmp_path), ALL_GRANTED)
    twice = report.model_copy(update={"findings": report.findings * 2})

    assert sum("sudo swapoff -a" in line for line in rendered(twice)) == 1


def test_brackets_in_a_name_are_no_markup(tmp_path: Path) -> None:
    report = examine(robot(tmp_path), ALL_GRANTED)
    odd = report.findings[0].model_copy(update={"finding": "[red]x[/red] [/]"})

    assert any(
        "[red]x[/red] [/]" in line for line in rendered(Report(meaningful=True, findings=[odd]))
    )


def test_only_failures_are_reasons(tmp_path: Path) -> None:
    report = examine(container(tmp_path), NOTHING_GRANTED)

    failures = [f.finding for f in report.findings if f.verdict is Verdict.FAIL]
    assert failures[0].partition(";")[0] in rendered(report)[-1]
