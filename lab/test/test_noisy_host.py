# SPDX-License-Identifier: MIT
"""A fault of the lock shows on a noisy machine, and the noise is not taken for a fault.

The threads are real. The host is a process at SCHED_FIFO 99 that takes the tasks' CPU for 20 ms at
random, and is in no trace. The fault is a mutex that raises no priority: a run of plain mutexes is
judged by the bounds of priority protection. If the machine itself stops so often that nothing is
judged, the run is repeated.
"""

import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import count
from pathlib import Path

import pytest

from plafond.analyse.overheads import Costs, Overheads
from plafond.describe import System, load
from plafond.protocols import Protocol
from plafond.run.arrivals import draw_arrivals
from plafond.run.bounds import bounds_of
from plafond.run.job import Job
from plafond.run.judge import judge
from plafond.run.linux import run_here
from plafond.run.plan import limit_ns, plan_text
from plafond.trace.measures import Measures
from plafond.trace.verdicts import Verdict, is_judged

pytestmark = pytest.mark.real_time

EXAMPLE = Path(__file__).parents[2] / "examples/inversion.toml"
US, MS = 1_000, 1_000_000
# Costs above the real costs of any machine, and far below the fault.
COSTS = Costs(interrupt_ns=100 * US, pair_ns=20 * US, preempted_ns=100 * US, disturbed_ns=100 * US)
NOISE = ((MS, 200 * US), (10 * MS, MS), (100 * MS, 5 * MS))
PATIENCE_S = 600  # other real-time tests beside can take the CPU for minutes
BURSTS, BURST_S = 4, 0.02
# The host ends after its bursts or, at the latest, by its limit of real time.
HOST = """
import os, resource, sys, time
resource.setrlimit(resource.RLIMIT_RTTIME, (200_000, 300_000))
os.sched_setaffinity(0, {0})
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(99))
for pause in map(float, sys.argv[2:]):
    time.sleep(pause)
    end = time.monotonic() + float(sys.argv[1])
    while time.monotonic() < end:
        pass
"""


@contextmanager
def noisy_host(seed: int) -> Iterator[None]:
    """Take CPU 0 a few times, in the time of the run."""
    generator = random.Random(seed)
    pauses = [0.3, *(generator.uniform(0.15, 0.6) for _ in range(BURSTS - 1))]
    command = [sys.executable, "-I", "-S", "-c", HOST, str(BURST_S), *map(str, pauses)]
    with subprocess.Popen(command) as process:
        try:
            yield
        finally:
            process.kill()


def judged(folder: Path, protocol: str, seed: int) -> list[Measures]:
    """Run the example with shorter times, and judge it by the bounds of `protect`."""
    system: System = load(EXAMPLE).scaled(Fraction(2, 5))
    arrivals = draw_arrivals(system, seed)
    job = Job("a run", plan_text(system, protocol, arrivals), 0, limit_ns(system, arrivals))
    with noisy_host(seed):
        (outcome,) = run_here([job], folder)
    added = Overheads({Protocol.CEILING: COSTS}, NOISE)
    bounds = bounds_of(system, {"protect": outcome.trace}, {"protect": added})
    rows, stops = judge(system, "protect", outcome.trace, bounds, has_host=True)
    assert outcome.trace.cut is None
    assert sum(cpu.stops for cpu in stops) > 0  # the host must be seen
    return rows


def verdicts(rows: Sequence[Measures]) -> set[Verdict | None]:
    return {row.verdict for row in rows}


def is_fit(rows: Sequence[Measures]) -> bool:
    """Whether the run was judged: the machine stopped few enough activations."""
    return is_judged(sum(row.stopped for row in rows), sum(row.activations for row in rows))


def seeds() -> Iterator[int]:
    end_s = time.monotonic() + PATIENCE_S
    for seed in count():
        yield seed
        if time.monotonic() > end_s:
            return


def test_a_mutex_that_raises_nothing_exceeds_its_bound_beside_noise(tmp_path: Path) -> None:
    for seed in seeds():
        rows = judged(tmp_path, "none", seed)
        if is_fit(rows):
            break
    high = rows[0]
    assert (high.task, high.verdict) == ("high", Verdict.EXCEEDED)
    assert high.excess
    assert high.excess.response_ns > high.excess.bound_ns + MS


def test_noise_alone_exceeds_no_bound_and_is_not_judged(tmp_path: Path) -> None:
    for seed in seeds():
        rows = judged(tmp_path, "protect", seed)
        assert Verdict.EXCEEDED not in verdicts(rows)
        if is_fit(rows) and Verdict.NOT_JUDGED in verdicts(rows):
            break
    assert is_fit(rows)
    assert Verdict.NOT_JUDGED in verdicts(rows)
    assert all(row.above for row in rows if row.verdict is Verdict.NOT_JUDGED)
