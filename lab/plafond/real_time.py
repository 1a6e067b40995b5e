# SPDX-License-Identifier: MIT
"""Start processes that may become real-time, and release them: linux/real_time/bounded.h in Python.

A process that is started here has a limit of real time (RLIMIT_RTTIME). It is released (waited for)
only while the thread that does so is SCHED_OTHER and may use every CPU: to take a process out of
/proc, the kernel spins until no thread is looking it up; on one CPU, a real-time parent spins for
ever for a thread that it preempted in there, and no signal ends that.
"""

import os
import resource
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

LOOK_EVERY_S = 0.05
REAL_TIME = (os.SCHED_FIFO, os.SCHED_RR)
ALL_CPUS = range(1024)  # the kernel takes those that there are
_limits = threading.Lock()  # they are the whole process's


@contextmanager
def bounded_real_time(longest_seconds: float) -> Iterator[None]:
    """Limit the real time, without a sleep, of what is started meanwhile: SIGXCPU ends it then."""
    with _limits:
        _, hard = before = resource.getrlimit(resource.RLIMIT_RTTIME)
        finite = [limit for limit in before if limit != resource.RLIM_INFINITY]
        soft = min([int(longest_seconds * 1e6), *finite])
        resource.setrlimit(resource.RLIMIT_RTTIME, (soft, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_RTTIME, before)


@contextmanager
def ordinary() -> Iterator[None]:
    """Let the calling thread be ordinary: SCHED_OTHER from now on, and on every CPU meanwhile."""
    if os.sched_getscheduler(0) & ~os.SCHED_RESET_ON_FORK in REAL_TIME:
        policy = os.SCHED_OTHER | os.SCHED_RESET_ON_FORK  # which may not be taken back
        os.sched_setscheduler(0, policy, os.sched_param(0))
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, ALL_CPUS)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def end_group(leader: int) -> None:
    """Kill a process and all that it left behind: each may hold our end of a pipe open."""
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def run_bounded(
    command: Sequence[str | Path],
    longest_seconds: float,
    *,
    given: str | None = None,
    environment: Mapping[str, str] | None = None,
    real_time_seconds: float | None = None,
    watch: Callable[[int], Callable[[], bool]] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run `command` to its end; subprocess.TimeoutExpired.

    `given` is on its standard input, `environment` is added to ours. Its real time is limited by
    `real_time_seconds`, else by the same as the whole. `watch` gets its PID and returns a question
    that is asked several times a second: a yes ends it, as the time does.
    """
    with bounded_real_time(longest_seconds if real_time_seconds is None else real_time_seconds):
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL if given is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            env=None if environment is None else {**os.environ, **environment},
            process_group=0,
        )
    with ordinary():
        try:
            is_over = None if watch is None else watch(process.pid)
            output, errors = _read(process, given, longest_seconds, is_over)
        except BaseException:
            end_group(process.pid)
            process.communicate()
            raise
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


def _read(
    process: subprocess.Popen[str],
    given: str | None,
    longest_seconds: float,
    is_over: Callable[[], bool] | None,
) -> tuple[str, str]:
    """What it says until it ends; subprocess.TimeoutExpired, also if the question is answered."""
    if is_over is None:
        return process.communicate(given, longest_seconds)
    end_s = time.monotonic() + longest_seconds
    while True:
        try:
            return process.communicate(given, LOOK_EVERY_S)
        except subprocess.TimeoutExpired:  # nothing of what it said is lost
            if time.monotonic() >= end_s or is_over():
                raise
