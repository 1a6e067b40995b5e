# SPDX-License-Identifier: MIT
"""The real bench/cpmd and cpmd-tasks, which must be built. SCHED_FIFO must be allowed."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from patience import HUNG_S, until
from processes import live_processes_of

from plafond.bench.cpmd.samples import parse
from plafond.programs import find_program

pytestmark = pytest.mark.real_time

UNPRIVILEGED = 65534
PROGRAM, TASKS = "bench/cpmd", "bench/cpmd-tasks"
MS = 1_000_000


def run(
    *words: object, program: str = PROGRAM, unprivileged: bool = False, tunables: str = ""
) -> subprocess.CompletedProcess[str]:
    before = ["prlimit", "--rtprio=0"] if unprivileged else []
    return subprocess.run(
        [*before, find_program(program), *map(str, words)],
        env={**os.environ, "GLIBC_TUNABLES": tunables},
        capture_output=True,
        text=True,
        timeout=HUNG_S,
        check=False,
        user=UNPRIVILEGED if unprivileged and os.geteuid() == 0 else None,
    )


def test_it_goes_where_it_is_sent_for_as_long() -> None:
    cpus = sorted(os.sched_getaffinity(0))
    first, last = cpus[0], cpus[-1]
    begun_s = time.monotonic()

    result = run(65536, 4, 0, first, f"{last}:{20 * MS}", f"{last}:{30 * MS}", f"{first}:{MS}")

    assert result.returncode == 0, result.stderr
    assert time.monotonic() - begun_s > 0.051
    found = parse(result.stdout)
    assert [(each.origin, each.cpu) for each in found.samples] == [
        *((first, last), (last, last), (last, first))
    ]
    assert [each.away_ns for each in found.samples] == [20 * MS, 30 * MS, MS]
    assert all(each.times_away >= 1 and each.faults == 0 for each in found.samples)
    # 1024 lines are in chunks of 64, so the slowest chunk takes at least a sixteenth of the time.
    for each in found.samples:
        assert 0 < each.warm_chunk_ns <= each.warm_ns <= 16 * each.warm_chunk_ns + 1
    assert found.passes == {}


def test_polluters_are_on_all_cpus_and_end_with_it() -> None:
    result = run(4096, 1, 1 << 20, min(os.sched_getaffinity(0)))

    assert result.returncode == 0, result.stderr
    passes = parse(result.stdout).passes
    assert {*passes} == os.sched_getaffinity(0)
    assert min(passes.values()) > 0


def test_an_interrupt_is_seen_where_the_processor_shows_it() -> None:
    """Ticks come at most 10 ms apart if other threads, such as polluters, want the CPU."""
    moves = [f"{min(os.sched_getaffinity(0))}:{MS}"] * 2
    result = run(64 << 20, 0, 1 << 20, min(os.sched_getaffinity(0)), *moves)

    found = parse(result.stdout)
    long = [each for each in found.samples if each.warm_ns > 20 * MS]
    assert long
    assert all(each.warm_cut for each in long) == found.sees_interrupts


def test_preempted_jobs_are_samples() -> None:
    """A job of 8 ms is always preempted by a job of 1 ms, which comes every 4 ms."""
    cpu = max(os.sched_getaffinity(0))
    high, low = f"{cpu}:3:{4 * MS}:0:{MS}:0", f"{cpu}:2:{20 * MS}:0:{8 * MS}:16384"

    result = run(600, 4, 0, high, low, program=TASKS)

    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    tasks = [list(map(int, each.split()[1:])) for each in lines if each.startswith("task ")]
    samples = parse("\n".join(each for each in lines if not each.startswith("task "))).samples
    assert [jobs for _, jobs, _, _ in tasks] == [150, 30]
    assert tasks[0][0] == 0
    assert tasks[1][0] == len(samples)
    assert len(samples) + tasks[1][2] >= 20  # the other jobs were away in their third pass
    assert {(each.origin, each.cpu) for each in samples} == {(cpu, cpu)}
    assert sum(each.away_ns >= MS for each in samples) >= len(samples) / 2


def test_without_restartable_sequences_there_is_one_message() -> None:
    task = f"{min(os.sched_getaffinity(0))}:1:{MS}:0:1000:64"

    result = run(10, 4, 0, task, program=TASKS, tunables="glibc.pthread.rseq=0")

    assert result.returncode == 2
    assert result.stderr.startswith("cpmd-tasks: no restartable sequences: this needs")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [(), (10, 4, 0), (10, 4, 0, "0:0:1:1:1:64"), (10, 4, 0, "0:1")])
def test_wrong_tasks_are_refused(words: tuple[object, ...]) -> None:
    result = run(*words, program=TASKS)

    assert result.returncode == 2
    assert "expected" in result.stderr


@pytest.mark.parametrize(
    ("program", "words"), [(PROGRAM, (4096, 0, 0, 0)), (TASKS, (10, 4, 0, "0:1:1000000:0:1000:64"))]
)
def test_without_privilege_it_is_refused_in_one_line(
    program: str, words: tuple[object, ...]
) -> None:
    result = run(*words, program=program, unprivileged=True)

    assert result.returncode == 2
    assert "RLIMIT_RTPRIO" in result.stderr or "RLIMIT_MEMLOCK" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((4095, 0, 0, 0), "expected whole lines of 64 bytes"),
        ((4096, 0, 0, 0, "0:x"), "found '0:x'; expected CPU:AWAY_NS"),
        ((4096, 0, 0, 0, "0:2000000000"), "at most a second"),
        ((4096, 0, 0, 1023), "CPU 1023"),
    ],
)
def test_wrong_words_are_refused(words: tuple[object, ...], message: str) -> None:
    result = run(*words)

    assert result.returncode == 2
    assert message in result.stderr


def test_a_small_measurement_fills_its_tables() -> None:
    words = ["bench", "cpmd", "--samples", "3", "--size", "4KiB", "--write-ratio", "1/4"]
    result = subprocess.run(
        [sys.executable, "-m", "plafond", *words, "--format", "json"],
        capture_output=True,
        text=True,
        timeout=HUNG_S,
        check=False,
    )
    if result.returncode != 0:
        pytest.fail(result.stderr.strip(), pytrace=False)
    report = json.loads(result.stdout)

    assert {row["samples"] for row in report["rows"]} == {3}
    assert {row["load"] for row in report["rows"]} == {"idle", "polluted"}
    assert all(row["warm_ns"] > 0 for row in report["rows"])
    polluted = [cell for cell in report["cells"] if cell["load"] == "polluted"]
    assert all(cell["polluter_passes"] > 0 for cell in polluted)


def test_no_process_is_left_behind() -> None:
    """The program and its polluters end even if the command is killed."""
    program = find_program(PROGRAM)
    before = live_processes_of(program)
    words = ["bench", "cpmd", "--samples", "999", "--size", "4KiB", "--load", "polluted"]
    process = subprocess.Popen([sys.executable, "-m", "plafond", *words], stdout=subprocess.DEVNULL)
    wanted = 1 + len(os.sched_getaffinity(0))
    until(lambda: len(live_processes_of(program) - before) >= wanted, "its polluters")
    mine = live_processes_of(program) - before

    process.send_signal(signal.SIGKILL)
    process.wait(timeout=HUNG_S)

    until(lambda: not live_processes_of(program) & mine, "their end")
