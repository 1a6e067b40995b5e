# SPDX-License-Identifier: MIT
"""Measure the largest preemption delay of working sets under load, for pinned tasks."""

import os
from collections.abc import Collection, Mapping
from random import Random

from plafond.bench.cpmd.arguments import LINE_BYTES
from plafond.bench.cpmd.caches import Caches, find_caches
from plafond.bench.cpmd.collect import run_moves
from plafond.bench.cpmd.plan import LONGEST_AWAY_NS, PAPER_RATIO, Cell, Load, Move
from plafond.bench.cpmd.samples import Sample
from plafond.describe.system import System
from plafond.doctor.machine import Machine
from plafond.errors import PlafondError
from plafond.units import format_size

RUNS, TRIES_OF_RUN = 4, 25  # for each size and CPU; each run has other memory
TRIES = RUNS * TRIES_OF_RUN
LEAST_VALID = TRIES // 2
SEED = 1


def measure_caches(system: System) -> Mapping[str, int]:
    """Return the largest delay of each task with a working set, in ns; each takes some seconds."""
    sets = {task.name: task.working_set for task in system.tasks if task.working_set}
    if not sets:
        return {}
    caches = find_caches(Machine(), sorted(os.sched_getaffinity(0)))
    found = {
        (size, cpu): _largest_ns(caches, size, cpu)
        for size, cpu in {(sets[t.name], t.cpu) for t in system.tasks if t.name in sets}
    }
    return {t.name: found[sets[t.name], t.cpu] for t in system.tasks if t.name in sets}


def _largest_ns(caches: Caches, size_bytes: int, cpu: int) -> int:
    """Return the largest delay, at least 0."""
    random = Random(SEED)
    whole_lines = -(-size_bytes // LINE_BYTES) * LINE_BYTES
    cell = Cell(Load.POLLUTED, whole_lines, PAPER_RATIO)
    samples: list[Sample] = []
    for _ in range(RUNS):
        moves = [Move(cpu, random.randrange(LONGEST_AWAY_NS + 1)) for _ in range(TRIES_OF_RUN)]
        samples += run_moves(caches, cell, cpu, moves).samples
    return largest_ns([s.delay_ns for s in samples if s.dropped(cpu) is None], size_bytes)


def largest_ns(valid: Collection[int], size_bytes: int) -> int:
    """Return the largest delay; PlafondError if too few are valid to contain long delays."""
    if len(valid) < LEAST_VALID:
        raise PlafondError(
            f"working_set: found {len(valid)} of {TRIES} samples of {format_size(size_bytes)} "
            f"without an interrupt; expected {LEAST_VALID}, or the largest are not among them"
        )
    return max(0, *valid)
