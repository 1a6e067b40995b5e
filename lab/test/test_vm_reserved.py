# SPDX-License-Identifier: MIT
"""`plafond run --on vm` with a reservation: the guest's thread is found by its action, or named."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import HUNG_S

from plafond.programs import find_program
from plafond.vm.guest import Guest
from plafond.vm.machine import run_in_vm

pytestmark = pytest.mark.guest

# Each guest has the real-time clock, which is silent.
TEXT = """
[server.clock]
kind = "reservation"
period = "10ms"
budget = "1ms"
irq = "rtc0"
[task.t]
priority = 20
arrival = "periodic 5ms"
activations = 3
body = ["run 1ms"]
"""


def run(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "some.toml").write_text(text)
    words = "run some.toml --on vm --protocol none --overheads none --out report --brief"
    return subprocess.run(
        [sys.executable, "-m", "plafond", *words.split()],
        cwd=folder,
        env=dict(os.environ),
        text=True,
        capture_output=True,
        check=False,
        timeout=HUNG_S,
    )


def test_a_run_with_a_reservation_comes_to_its_end(tmp_path: Path) -> None:
    """The bound has the task's 1 ms, the reservation's 1 ms, and a tenth of the time beyond
    that."""
    ended = run(tmp_path, TEXT)
    assert ended.returncode == 0, ended.stderr
    assert "2.111ms" in ended.stdout


# A job shorter than its budget, before the most urgent task, and a job longer than its budget.
OF_TASKS = """
[server.quick]
kind = "reservation"
period = "40ms"
budget = "6ms"
[server.greedy]
kind = "reservation"
period = "40ms"
budget = "10ms"
[task.now]
server = "quick"
priority = 1
arrival = "periodic 40ms"
offset = "2ms"
activations = 2
body = ["run 3ms"]
[task.long]
server = "greedy"
priority = 1
arrival = "periodic 400ms"
offset = "100ms"
activations = 1
body = ["run 30ms"]
[task.urgent]
priority = 98
arrival = "periodic 100ms"
activations = 2
body = ["run 10ms"]
"""
TICK_NS = 4_000_000
OWN_NS = 200_000  # Linux's own time
PLAN = """plafond-plan 1
protocol none
limit 100000000
task T 5 0 queue
reservation 20000000 12000000
run 2000000
arrivals 0 20000000
end
"""
RT_RUNTIME = "/proc/sys/kernel/sched_rt_runtime_us"


def test_a_task_in_a_reservation_comes_before_the_most_urgent_one_and_has_its_budget(
    tmp_path: Path,
) -> None:
    """The task that asks for more is stopped at a tick, and the other task runs meanwhile."""
    ended = run(tmp_path, OF_TASKS)
    assert ended.returncode == 0, ended.stderr
    report = json.loads((tmp_path / "report/report.json").read_text())
    response_ns = {row["task"]: row["response"]["maximum_ns"] for row in report["rows"]}
    assert 3_000_000 < response_ns["now"] < 3_000_000 + OWN_NS
    # Two periods of `greedy` are over before its last budget.
    assert 80_000_000 - 2 * TICK_NS < response_ns["long"] < 80_000_000 + 10_000_000 + 2 * TICK_NS
    # `urgent` waits in its second activation for a budget of `greedy`, and in its first for 3 ms.
    assert 20_000_000 - OWN_NS < response_ns["urgent"] < 20_000_000 + TICK_NS + OWN_NS


def test_a_guest_of_one_cpu_admits_a_pinned_thread_and_no_more_than_the_kernel_does() -> None:
    program = find_program("linux/run/plafond-run")
    say = "plafond-run /plan /trace >/results/{0} 2>&1; echo $? >/results/{0}.status"
    commands = [
        f"echo 950000 >{RT_RUNTIME}",
        say.format("admitted"),
        f"echo 500000 >{RT_RUNTIME}",
        say.format("refused"),
    ]
    files: dict[str, Path | bytes] = {"/bin/plafond-run": program, "/plan": PLAN.encode()}
    found = run_in_vm(Guest(), files, commands, HUNG_S).files
    assert found["admitted.status"] == b"0\n", found["admitted"]
    assert found["refused.status"] == b"2\n"
    assert found["refused"].decode() == (
        "plafond-run: task T: found a reservation of 12000000 ns in 20000000 ns; expected less: "
        "with the others that there are it exceeds the share of CPU 0 that the kernel gives, "
        "sched_rt_runtime_us of sched_rt_period_us\n"
    )


def test_a_thread_that_the_guest_does_not_have_is_one_line(tmp_path: Path) -> None:
    ended = run(tmp_path, TEXT.replace("rtc0", "rtc1"))
    assert ended.returncode == 2
    (line,) = [each for each in ended.stderr.splitlines() if each.startswith("plafond: ")]
    assert "plafond-reserve: found no thread irq/*-rtc1; expected one of: " in line
    assert "irq/8-rtc0 (TID " in line
    assert line.endswith("(in the virtual machine)")
    assert not (tmp_path / "report").exists()
