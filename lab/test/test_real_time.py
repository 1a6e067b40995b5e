# SPDX-License-Identifier: MIT
"""A started program has a limit of real time. The process that waits for it is ordinary and
unpinned."""

import os
import resource
import subprocess
import time
from collections.abc import Iterator

import pytest
from patience import HUNG_S

from plafond.programs import run_program
from plafond.real_time import bounded_real_time, run_bounded

LIMITS = ["/bin/cat", "/proc/self/limits"]


def limit_in(text: str) -> str:
    """Return the soft limit of real time in microseconds."""
    line = next(line for line in text.splitlines() if line.startswith("Max realtime timeout"))
    return line.split()[3]


@pytest.fixture
def one_cpu() -> Iterator[set[int]]:
    """Pin this thread to a CPU."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    yield {min(before)}
    os.sched_setaffinity(0, before)


def test_a_program_has_a_limit() -> None:
    assert limit_in(run_program(LIMITS, lambda _: None, HUNG_S)) == f"{HUNG_S * 1e6:.0f}"
    assert limit_in(run_bounded(LIMITS, HUNG_S + 1).stdout) == f"{(HUNG_S + 1) * 1e6:.0f}"
    assert resource.getrlimit(resource.RLIMIT_RTTIME)[0] == resource.RLIM_INFINITY


def test_a_lower_limit_stays() -> None:
    before = resource.getrlimit(resource.RLIMIT_RTTIME)
    resource.setrlimit(resource.RLIMIT_RTTIME, (2_000_000, before[1]))
    try:
        with bounded_real_time(3.0):
            assert resource.getrlimit(resource.RLIMIT_RTTIME)[0] == 2_000_000
        assert resource.getrlimit(resource.RLIMIT_RTTIME)[0] == 2_000_000
    finally:
        resource.setrlimit(resource.RLIMIT_RTTIME, before)


@pytest.mark.parametrize("how", ["run_program", "run_bounded"])
def test_every_release_is_unpinned(
    how: str, one_cpu: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[set[int]] = []
    real = os.waitpid

    def waitpid(pid: int, options: int) -> tuple[int, int]:
        seen.append(os.sched_getaffinity(0))
        return real(pid, options)

    monkeypatch.setattr(os, "waitpid", waitpid)
    if how == "run_program":
        run_program(["/bin/true"], lambda _: None, HUNG_S)
    else:
        run_bounded(["/bin/true"], HUNG_S)
    assert seen
    assert all(cpus > one_cpu for cpus in seen)
    assert os.sched_getaffinity(0) == one_cpu


def test_what_a_process_leaves_behind_ends_with_its_time() -> None:
    began_s = time.monotonic()
    with pytest.raises(subprocess.TimeoutExpired):
        run_bounded(["/bin/sh", "-c", f"/bin/sleep {HUNG_S} & exit 1"], 0.5)
    assert time.monotonic() - began_s < HUNG_S
