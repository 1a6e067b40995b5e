# SPDX-License-Identifier: MIT
"""The demo has one screen, and a line for each part that it cannot show."""

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from report_fakes import simulated
from rich.console import Console

from plafond.board.boards import ROOT
from plafond.demo import show as demo
from plafond.demo.screen import PAIRS
from plafond.errors import PlafondError, RefusedError
from plafond.run.model import Execution
from plafond.run.options import Options
from plafond.run.stops import CpuStops
from plafond.witness import Speed

COSTS = {"none": 12.6, "inherit": 27.1, "protect": 3964.4, "plafond": 7.92}
STOPS = [
    CpuStops(
        protocol="none",
        cpu=0,
        stops=41,
        longest_ns=12_000_000,
        stopped_ns=12_000_000,
        turns_per_us=Speed(median=9, slowest=2),
        steal_ns=None,
    )
]


def ran(options: Options) -> Execution:
    """Return a run of the example under these protocols, by the model of the tests."""
    able = {protocol: lock for lock, protocol in PAIRS.items()}
    locks = [able.get(name, name) for name in options.protocols]
    execution = simulated((ROOT / "examples/inversion.toml").read_text(), tuple(locks), 5)
    if options.board is None:
        return replace(execution, report=execution.report.model_copy(update={"stops": STOPS}))
    names = dict(zip(locks, options.protocols, strict=True))
    rows = [
        row.model_copy(update={"protocol": names[row.protocol]}) for row in execution.report.rows
    ]
    traces = {
        names[lock]: trace.model_copy(update={"protocol": names[lock]})
        for lock, trace in execution.traces.items()
    }
    return replace(
        execution, traces=traces, report=execution.report.model_copy(update={"rows": rows})
    )


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., list[str]]:
    """Return a function that shows the demo with replaced parts, and returns its lines."""

    def show(width: int = 80, **parts: Callable[..., Any]) -> list[str]:
        monkeypatch.chdir(tmp_path)
        usual: dict[str, Callable[..., Any]] = {
            "execute": lambda _, options: (ran(options), None),
            "_costs_ns": lambda: COSTS,
            "write_report": lambda _, out: out / "report.html",
        }
        for name, part in {**usual, **parts}.items():
            monkeypatch.setattr(demo, name, part)
        file = io.StringIO()
        demo.Demo(Console(file=file, width=width, highlight=False)).show()
        return file.getvalue().splitlines()

    return show


def of_threads(reason: PlafondError | OSError) -> Callable[..., Any]:
    def execute(_: object, options: Options) -> tuple[Execution, None]:
        if options.board is None:
            raise reason
        return ran(options), None

    return execute


@pytest.mark.parametrize("width", [80, 112])
def test_it_is_one_screen(shown: Callable[..., list[str]], width: int) -> None:
    lines = shown(width)
    assert len(lines) <= 23  # with a prompt
    assert max(map(len, lines)) <= width


def test_the_picture_says_which_locks_are_late(shown: Callable[..., list[str]]) -> None:
    rows = shown()[1:5]
    assert [row.split()[0] for row in rows] == [*PAIRS.values()]
    assert ["late 5 of 5" in row for row in rows] == [True, True, False, False]
    assert ["xx" in row for row in rows] == [True, True, False, False]
    assert [row.endswith("in time") for row in rows] == [False, False, True, True]


def test_a_lock_costs_so_many_times_what_ours_does(shown: Callable[..., list[str]]) -> None:
    rows = {line.split()[0]: line.split() for line in shown()[11:] if line[:7].strip() in PAIRS}
    assert list(rows) == [*PAIRS]
    assert [row[-7:-5] for row in rows.values()] == [
        ["12.6", "1.59"],
        ["27.1", "3.42"],
        ["3964", "501"],
        ["7.92", "1"],
    ]


def test_a_machine_that_stops_threads_gets_one_sentence(shown: Callable[..., list[str]]) -> None:
    text = " ".join(" ".join(shown()).split())
    assert "This machine stopped real-time threads 41 times, for up to 12ms." in text
    assert "the figures above in virtual time hold." in text
    assert "./plafond doctor" in text


def test_it_names_the_report_and_three_commands(shown: Callable[..., list[str]]) -> None:
    last = shown()[-4:]
    assert last[0] == "The report: plafond-report/demo/report.html"
    assert all(line.startswith("./plafond ") for line in last[1:])


def test_without_the_privilege_the_rest_is_shown(shown: Callable[..., list[str]]) -> None:
    denied = RefusedError("SCHED_FIFO at priority 99 is denied")

    def cost() -> dict[str, float]:
        raise denied

    lines = shown(execute=of_threads(denied), _costs_ns=cost)
    not_shown = [line for line in lines if line.startswith("Not shown: ")]
    assert not_shown == [
        "Not shown: the cost of a lock, because: SCHED_FIFO at priority 99 is denied",
        "Not shown: real threads, because: SCHED_FIFO at priority 99 is denied",
    ]
    assert lines[-4] == "The report: plafond-report/demo-sim/report.html"


def test_what_fails_is_one_line_and_nothing_else_is_missing(
    shown: Callable[..., list[str]],
) -> None:
    full = PlafondError("the report cannot be written:\nNo space left on device\nand more")
    lines = shown(execute=of_threads(full))
    assert "Not shown: real threads, because: the report cannot be written: No space" in "".join(
        lines
    ).replace("\n", "")
    assert "and more" not in "".join(lines)
    assert any(line.startswith("plafond ") and "7.92" in line for line in lines)


def test_on_a_full_disk_nothing_is_shown_and_nothing_fails(
    shown: Callable[..., list[str]],
) -> None:
    def execute(_: object, options: Options) -> tuple[Execution, None]:
        raise OSError(28, "No space left on device", str(options.out))

    def cost() -> dict[str, float]:
        raise PlafondError("cannot write")

    lines = shown(execute=execute, _costs_ns=cost)
    assert sum(line.startswith("Not shown: ") for line in lines) == 3
    assert lines[-1].startswith("./plafond run")


def test_without_room_for_the_page_the_run_is_shown(shown: Callable[..., list[str]]) -> None:
    def write(_: Execution, out: Path) -> Path:
        if "sim" in out.name:
            return out / "report.html"
        raise OSError(28, "No space left on device")

    lines = shown(write_report=write)

    not_shown = [line for line in lines if line.startswith("Not shown: ")]
    assert not_shown == ["Not shown: the report, because: plafond-report: No space left on device"]
    assert any(line.startswith("plafond ") and "ms" in line for line in lines)
    assert lines[-4] == "The report: plafond-report/demo-sim/report.html"


def test_ctrl_c_ends_it_with_130(tmp_path: Path) -> None:
    """The signal comes while the images of the first part are built. No process is left."""
    process = subprocess.Popen(
        [sys.executable, "-m", "plafond.demo"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    while not (tmp_path / "plafond-report").exists() and process.poll() is None:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (130, b"", b"")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
