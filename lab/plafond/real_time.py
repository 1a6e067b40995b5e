# SPDX-License-Identifier: MIT
"""Start processes that may become real-time, and wait for them, as linux/real_time/bounded.h.

Each process has a limit of real time (RLIMIT_RTTIME). A thread may wait for it only while the
thread is SCHED_OTHER and may use every CPU. When the kernel removes a process from /proc, it spins
until no other thread looks that process up. A real-time parent on the same CPU may have preempted
such a thread. Then the parent spins for ever, and no signal ends that.
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
ALL_CPUS = range(1024)  # the kernel ignores CPUs that do not exist
_limits = threading.Lock()  # because limits belong to the whole process


@contextmanager
def bounded_real_time(longest_seconds: float) -> Iterator[None]:
    """Limit the real time without a sleep of processes started meanwhile; SIGXCPU ends them."""
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
    """Make the calling thread SCHED_OTHER from now on, and let it use every CPU meanwhile."""
    if os.sched_getscheduler(0) & ~os.SCHED_RESET_ON_FORK in REAL_TIME:
        # the flag cannot be cleared without privilege
        policy = os.SCHED_OTHER | os.SCHED_RESET_ON_FORK
        os.sched_setscheduler(0, policy, os.sched_param(0))
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, ALL_CPUS)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def end_group(leader: int) -> None:
    """Kill a process group, because each process may hold our end of a pipe open."""
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
    """Run `command` to its end; subprocess.TimeoutExpired if it takes too long.

    `given`: its standard input. `environment`: variables added to ours. `real_time_seconds`: its
    limit of real time; None: `longest_seconds`. `watch`: receives its PID and returns a function
    that is called several times a second. If that function returns true, the process is ended as by
    the time limit.
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
    """Return the output; subprocess.TimeoutExpired at the limit, or if `is_over` returns true."""
    if is_over is None:
        return process.communicate(given, longest_seconds)
    end_s = time.monotonic() + longest_seconds
    while True:
        try:
            return process.communicate(given, LOOK_EVERY_S)
        except subprocess.TimeoutExpired:  # the next communicate() returns the output so far, too
            if time.monotonic() >= end_s or is_over():
                raise
