# SPDX-License-Identifier: MIT
"""A hang is found, and starvation is not taken for a hang."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest
from plafond.real_time import run_bounded

from proof.stepped.patience import Bounds, Patience

BOUNDS = Bounds(processor_s=0.5, asleep_s=0.3, idle_s=20.0, clock_s=60.0)
LEADER, TEST = 10, 11


def run(script: str, bounds: Bounds = BOUNDS) -> subprocess.CompletedProcess[str]:
    """Run a script in a shell under these bounds."""
    return run_bounded(
        ["sh", "-c", script], bounds.clock_s, watch=lambda p: Patience(p, bounds).is_over
    )


@pytest.mark.parametrize("script", ["sleep 100; :", "while :; do :; done", "sleep 100 & wait"])
def test_sleeping_and_spinning_for_ever_are_found_before_the_clock_ends(script: str) -> None:
    began_s = time.monotonic()
    with pytest.raises(subprocess.TimeoutExpired):
        run(script)
    assert time.monotonic() - began_s < BOUNDS.clock_s


def test_polling_for_ever_is_found_by_the_clock() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        run("while :; do sleep 0.01; done", Bounds(60.0, 60.0, 60.0, clock_s=0.5))


def test_polling_for_ever_is_found_before_the_clock_ends(tmp_path: Path) -> None:
    show(tmp_path, LEADER, "S", 1)
    patience = Patience(LEADER, Bounds(60.0, 60.0, 3.0, 60.0), tmp_path)
    looks = []
    for look in range(50):
        show(tmp_path, TEST, "S", look)
        looks.append(patience.is_over(look * 0.08))
    assert looks.index(True) == 38  # 38 times 80 ms, not 37


def test_what_is_not_looked_at_does_not_count_as_idle(tmp_path: Path) -> None:
    show(tmp_path, LEADER, "S", 1)
    patience = Patience(LEADER, Bounds(60.0, 1000.0, 3.0, 60.0), tmp_path)
    for look in range(30):
        show(tmp_path, TEST, "S", look)
        assert not patience.is_over(look * 10.0)


def test_what_a_program_says_is_kept_over_all_looks() -> None:
    done = run("for i in 1 2 3 4 5 6; do echo $i; sleep 0.05; done; exit 7")
    assert (done.returncode, done.stdout.split()) == (7, list("123456"))


def test_a_program_that_waits_for_one_far_below_does_not_hang() -> None:
    polls = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do sleep 0.05; done"
    assert run(f"sh -c \"sh -c '{polls}; :'; :\"; exit 5").returncode == 5


def show(proc: Path, process: int, state: str, switches: int, ticks: int = 0) -> None:
    """Write the files of /proc for a process with a single thread."""
    task = proc / str(process) / "task" / str(process)
    task.mkdir(parents=True, exist_ok=True)
    (task / "children").write_text(f"{TEST} " if process == LEADER else "")
    (task / "status").write_text(
        f"Name:\ta:b\nState:\t{state} (it)\n"
        f"voluntary_ctxt_switches:\t{switches}\nnonvoluntary_ctxt_switches:\t2\n"
    )
    row = f"{process} (a) b) {state} 1 1 1 0 -1 0 0 0 0 0 {ticks} 0 0 0 20 0 1 0\n"
    (proc / str(process) / "stat").write_text(row)


@pytest.mark.parametrize("state", ["R", "D", "T", "Z"])
def test_a_thread_that_is_starved_or_has_ended_does_not_hang(tmp_path: Path, state: str) -> None:
    show(tmp_path, LEADER, "S", 1)
    show(tmp_path, TEST, state, 1)
    patience = Patience(LEADER, BOUNDS, tmp_path)
    assert not any(patience.is_over(float(now_s)) for now_s in range(100))


def test_a_thread_that_ran_between_two_looks_does_not_hang(tmp_path: Path) -> None:
    show(tmp_path, LEADER, "S", 1)
    patience = Patience(LEADER, BOUNDS, tmp_path)
    for now_s in range(100):
        show(tmp_path, TEST, "S", now_s)
        assert not patience.is_over(float(now_s))


def test_a_test_hangs_though_its_supervisor_runs(tmp_path: Path) -> None:
    show(tmp_path, TEST, "S", 1)
    patience = Patience(LEADER, BOUNDS, tmp_path)
    show(tmp_path, LEADER, "S", 1)
    assert not patience.is_over(0.0)
    show(tmp_path, LEADER, "R", 2)
    assert not patience.is_over(0.2)
    assert patience.is_over(0.4)


def test_processor_time_counts_and_not_the_clock(tmp_path: Path) -> None:
    show(tmp_path, LEADER, "S", 1)
    patience = Patience(LEADER, BOUNDS, tmp_path)
    show(tmp_path, TEST, "R", 1, ticks=1)
    assert not patience.is_over(1000.0)
    show(tmp_path, TEST, "R", 1, ticks=1000)
    assert patience.is_over(1000.1)


def test_a_process_that_ends_while_it_is_looked_at_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(tmp_path, LEADER, "S", 1)
    patience = Patience(LEADER, BOUNDS, tmp_path)

    def is_gone(folder: Path, _: str) -> list[Path]:
        raise FileNotFoundError(folder)

    monkeypatch.setattr(Path, "glob", is_gone)
    assert not patience.is_over(0.0)
