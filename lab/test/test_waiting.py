# SPDX-License-Identifier: MIT
"""Plafond's kernel without ceilings: refusals, and the observations of a run."""

import json
import sys
from pathlib import Path

import pytest

from plafond.board.boards import BOARDS, ROOT
from plafond.build.configuration import configuration_of
from plafond.build.locks import locks_of
from plafond.build.refuse import refuse_unfit
from plafond.cli import main
from plafond.describe.loading import load
from plafond.describe.problems import DescriptionError
from plafond.protocols import names_of

WAITING = names_of(lambda row: row.kernel and row.kernel.waits)
EXAMPLE = ROOT / "examples/inversion.toml"
TEXT = """
[task.high]
priority = 2
arrival = "periodic 10ms"
body = ["lock R", "run 1ms", "unlock R"]
[task.low]
priority = 1
arrival = "periodic 10ms"
body = ["lock R", "run 1ms", "unlock R"]
[resource.R]
"""
INTERNAL = "[resource.I]\ninternal = true\n[task.low]\n"


def refused(folder: Path, text: str, protocol: str) -> str:
    file = folder / "some.toml"
    file.write_text(text)
    (folder / "t.c").touch()
    system = load(file)
    with pytest.raises(DescriptionError) as caught:
        refuse_unfit(system, BOARDS["sim"], locks_of(system, BOARDS["sim"], protocol))
    return str(caught.value)


@pytest.mark.parametrize("protocol", WAITING)
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("[resource.R]", "[resource.R]\n[resource.RES_SCHEDULER]", "found RES_SCHEDULER"),
        ("[resource.R]", '[resource.R]\n[resource.S]\nlinked = "R"', "S.linked: found R, with "),
        ("[task.low]", f'{INTERNAL}internal = "I"', "found true, with "),
        ("priority = 1", 'priority = 1\nschedule = "non"', 'found "non", with '),
        ("priority = 1", "priority = 1\nqueue = 2", "found 2 for a user of R, with "),
        ("\n[task.high]", "cpus = 2\n[task.high]", "cpus: found 2, with "),
        (
            "[resource.R]",
            '[kernel]\ntrusted = ["t.c"]\n[isr.I]\nsource = 1\nresources = ["R"]\n[resource.R]',
            "a routine would have to wait",
        ),
        (
            "priority = 1",
            'priority = 1\nresource_lock_budgets = { R = "2ms" }',
            "may wait between the call and the section",
        ),
    ],
)
def test_what_needs_a_ceiling_is_refused(
    tmp_path: Path, protocol: str, old: str, new: str, expected: str
) -> None:
    said = refused(tmp_path, TEXT.replace(old, new, 1), protocol)
    assert expected in said
    assert len(said.splitlines()) == 1 + ("internal" in new)  # for the task and for the resource


def test_a_user_is_activated_once_in_a_run(tmp_path: Path) -> None:
    file = tmp_path / "some.toml"
    file.write_text(
        TEXT
        + '[task.alone]\npriority = 3\nqueue = 4\narrival = "periodic 10ms"\nbody = ["run 1ms"]\n'
    )
    system, board = load(file), BOARDS["sim"]
    for protocol in WAITING:
        locks = locks_of(system, board, protocol)
        refuse_unfit(system, board, locks)
        tasks = configuration_of(system, board, locks, None).tasks
        assert {task.name: task.activations for task in tasks} == {"alone": 4, "high": 1, "low": 1}


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int | str | None:
    monkeypatch.setattr(sys, "argv", ["plafond", "run", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


@pytest.mark.parametrize(
    "target", ["sim", pytest.param("a53", marks=[pytest.mark.board, pytest.mark.long])]
)
def test_a_run_observes_the_inversions_of_the_analysis(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    target: str,
) -> None:
    """The responses of `high` are by hand: it arrives at 3.5 ms, while `low` holds R2 since 1 ms.

    Besides its 5 ms, it waits for 2.5 ms of `low` and the 1 ms of R2 in `middle`, which holds R1.
    Under `none` it also waits for the 10 ms of `medium`. With ceilings `middle` has no section
    then.
    """
    protocols = "none,inherit,syscall"
    arguments = (str(EXAMPLE), "--on", target, "--protocol", protocols, "--format", "json")
    assert run(monkeypatch, *arguments, "--out", str(tmp_path / "out")) in (0, None)
    rows = json.loads(capsys.readouterr().out)["rows"]
    longest_ms = {
        row["protocol"]: row["response"]["maximum_ns"] / 1e6
        for row in rows
        if row["task"] == "high"
    }
    expected = {"none": 18.5, "inherit": 8.5, "syscall": 5}
    assert longest_ms == pytest.approx(expected, rel=0.01 if target == "a53" else 0)


@pytest.mark.parametrize("protocol", WAITING)
def test_a_run_refuses_a_deadlock(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    protocol: str,
) -> None:
    file = tmp_path / "some.toml"
    one, other = (
        f'body = ["lock {first}", "run 1ms", "lock {second}", "unlock {second}", "unlock {first}"]'
        for first, second in ("RS", "SR")
    )
    before = 'body = ["lock R", "run 1ms", "unlock R"]'
    file.write_text(TEXT.replace(before, one, 1).replace(before, other, 1) + "[resource.S]\n")
    assert run(monkeypatch, str(file), "--on", "sim", "--protocol", protocol)
    assert f"under {protocol} tasks can deadlock" in capsys.readouterr().err
