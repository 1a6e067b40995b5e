# SPDX-License-Identifier: MIT
"""Run a program that was not written here, plain or with the drop-in in front of it.

cyclictest can run beside it, in the same way. Its figures are printed, but the test only checks
that it works, because its latencies depend on the machine and on everything that runs there.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

KILLED = -signal.SIGKILL  # `timeout` ends as its program did
CYCLICTEST_PRIORITY = 99
CYCLICTEST_INTERVAL_US = 1000
HUNG_S = 7200  # nothing on a busy machine takes as long
BOUNDED = ("prlimit", "--rttime=10000000:11000000")  # microseconds in real time without a sleep


@dataclass(frozen=True)
class Statistics:
    """Some counts of PLAFOND_STATS: numbers of locks, mutexes, commits, system calls."""

    lazy: int
    eager: int
    not_pinned: int
    commits: int
    converted: int
    above_ceiling: int
    saved: int

    @staticmethod
    def read(path: Path) -> Statistics:
        """Read the statistics, which also proves that the drop-in was loaded."""
        if not path.exists():
            raise SystemExit("no statistics were written: the drop-in was not loaded")
        raw = json.loads(path.read_text())
        locks = raw["locks"]
        return Statistics(
            lazy=locks["lazy"],
            eager=locks["eager"],
            not_pinned=raw["eager_because"]["not_pinned"],
            commits=sum(raw["commits"].values()),
            converted=raw["converted"],
            above_ceiling=raw["above_ceiling"],
            saved=raw["system_calls"]["saved"],
        )


@dataclass(frozen=True)
class Ended:
    """The end of a program: its exit status, and its texts on both outputs."""

    status: int
    output: str
    errors: str
    statistics: Statistics | None  # None: it ran plain, or failed: a killed one writes none

    def refuse_failure(self, what: str) -> None:
        """End the test with the program's output, if it was not successful."""
        if self.status:
            why = "killed at its time limit" if self.status == KILLED else f"status {self.status}"
            raise SystemExit(f"{what}: {why}\n{self.output}{self.errors}")


@dataclass(frozen=True)
class Trial:
    """The place in which programs run, and the drop-in (None: plain)."""

    library: Path | None
    cpu: int | None = None  # None: on all
    folder: Path | None = None

    @property
    def how(self) -> str:
        """Plain, or with the drop-in."""
        return "preloaded" if self.library else "plain"

    def run(self, command: Sequence[str]) -> Ended:
        """Run the program, and read the drop-in's statistics of it."""
        with tempfile.TemporaryDirectory() as folder:
            statistics = Path(folder) / "statistics.json"
            line = self.line(command, statistics)
            ended = subprocess.run(
                line, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True
            )
            return Ended(
                ended.returncode,
                ended.stdout,
                ended.stderr,
                Statistics.read(statistics) if self.library and not ended.returncode else None,
            )

    def line(self, command: Sequence[str], statistics: Path) -> list[str]:
        """Return its command. The watchdog is a separate process, without the drop-in."""
        line = ["timeout", "--signal=KILL", str(HUNG_S), *BOUNDED]
        if self.cpu is not None:
            line += ["taskset", "--cpu-list", str(self.cpu)]
        if self.library:
            line += ["env", f"LD_PRELOAD={self.library}", f"PLAFOND_STATS={statistics}"]
        return [*line, *command]


def await_sleeps(process: subprocess.Popen[str]) -> None:
    """Return when a second thread of the process has slept three times, or the process has ended.

    Only then has cyclictest measured a latency. On a loaded machine its start takes seconds.
    """
    while process.poll() is None and sleeps_of_second_thread(process.pid) < 3:
        time.sleep(0.01)


def sleeps_of_second_thread(pid: int) -> int:
    """Return how often it slept; 0: there is no second thread, or the process has ended."""
    try:
        threads = sorted(int(each.name) for each in Path(f"/proc/{pid}/task").iterdir())
        status = Path(f"/proc/{pid}/task/{threads[1]}/status").read_text()
        return int(status.partition("\nvoluntary_ctxt_switches:")[2].split()[0])
    except (OSError, IndexError):
        return 0


@contextmanager
def cyclictest_beside(trial: Trial) -> Iterator[None]:
    """Let cyclictest run as the most urgent thread while the block runs; print its latencies."""
    cpu = min(os.sched_getaffinity(0)) if trial.cpu is None else trial.cpu
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "cyclictest.json"
        command = [
            *("setpriv", "--pdeathsig=KILL", *BOUNDED),
            "cyclictest",
            "--quiet",
            "--mlockall",
            "--threads=1",
            f"--affinity={cpu}",
        ]
        command += [f"--priority={CYCLICTEST_PRIORITY}", f"--interval={CYCLICTEST_INTERVAL_US}"]
        command += [f"--duration={HUNG_S}", f"--json={result}"]
        environment = dict(os.environ)
        if trial.library:
            environment["LD_PRELOAD"] = str(trial.library)
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        try:
            await_sleeps(process)
            yield
        finally:
            process.terminate()
            said, _ = process.communicate(timeout=HUNG_S)
        if process.returncode:
            raise SystemExit(f"cyclictest, {trial.how}: status {process.returncode}\n{said}")
        (thread,) = json.loads(result.read_text())["thread"].values()
    if not thread["cycles"]:
        raise SystemExit(f"cyclictest, {trial.how}: it measured nothing\n{said}")
    print(
        f"cyclictest beside, {trial.how:9}  cycles {thread['cycles']:6}  latency in us:"
        f" shortest {thread['min']:4}  mean {thread['avg']:7.1f}  longest {thread['max']:6}"
    )
