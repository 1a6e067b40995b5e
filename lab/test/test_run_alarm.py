# SPDX-License-Identifier: MIT
"""A response above its bound with overheads fails the command, after the whole report."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from report_fakes import away, carminati, pathfinder

from plafond.cli import main
from plafond.run import execution
from plafond.run.model import Execution
from plafond.trace.verdicts import Verdict

TEXT = """
[task.T0]
priority = 7
arrival = "periodic 9ms"
body = ["run 1ms"]
"""


def code_of(
    executed: Execution, folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str
) -> int | str | None:
    (folder / "some.toml").write_text(TEXT)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(execution, "execute", lambda *_: (executed, None))
    command = ["plafond", "run", "some.toml", "--on", "sim", "--out", "out", *arguments]
    monkeypatch.setattr(sys, "argv", command)
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


@pytest.mark.parametrize("arguments", [(), ("--format", "json")])
def test_an_exceeded_bound_is_an_exit_code(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
) -> None:
    assert code_of(carminati(), tmp_path, monkeypatch, *arguments) == 1
    assert "EXCEEDED" in capsys.readouterr().out
    assert "EXCEEDED: T0 under plafond-strict" in (tmp_path / "out/report.html").read_text()


@pytest.mark.parametrize("executed", [pathfinder, away])
def test_bounds_that_hold_and_what_is_not_judged_do_not_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, executed: Callable[[], Execution]
) -> None:
    assert not code_of(executed(), tmp_path, monkeypatch)


def test_the_pictures_are_about_the_task_to_be_alarmed_about() -> None:
    executed = carminati()
    rows = [
        row.model_copy(update={"verdict": Verdict.EXCEEDED if row.task == "T1" else Verdict.KEPT})
        for row in executed.report.rows
    ]
    report = executed.report.model_copy(update={"rows": rows})
    assert Execution(executed.system, executed.traces, report).shown_task.name == "T1"
    assert Execution(executed.system, executed.traces, report, "T2").shown_task.name == "T2"
    assert pathfinder().shown_task.name == pathfinder().system.tasks[0].name
