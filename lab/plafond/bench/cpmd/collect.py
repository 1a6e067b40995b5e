# SPDX-License-Identifier: MIT
"""Run the program bench/cpmd for each cell until each kind of move has its samples.

All kinds of all cells get the same number of valid samples, because the largest of more samples
would be larger. Only these are compared. A cell that cannot have that many is left out, and named.
"""

from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random

from plafond.bench.cpmd.caches import Caches
from plafond.bench.cpmd.others import Others
from plafond.bench.cpmd.plan import Cell, Load, Move, moves
from plafond.bench.cpmd.samples import Dropped, Output, Sample, parse
from plafond.doctor.machine import Machine
from plafond.errors import PlafondError
from plafond.programs import find_program, run_program
from plafond.progress import progress_by_step

LONGEST_SECONDS = 110.0
MOST_MOVES = 400  # the most moves in a run of the program, which takes some ten seconds
# A cell is left out if after LEAST_TRIES less than the share LEAST_VALID is valid. It is also left
# out after too many tries in all.
LEAST_TRIES, LEAST_VALID = 60, 0.1
MOST_TRIES = 10  # the most tries for each sample
POLLUTER_CACHES = 2  # size of a polluter's array, relative to the largest cache


@dataclass
class Measured:
    """The valid samples of a cell by kind, and the counts of dropped samples."""

    cell: Cell
    valid: dict[str, list[Sample]]
    dropped: Counter[Dropped] = field(default_factory=Counter)
    tries: int = 0
    passes: Counter[int] = field(default_factory=Counter)  # the polluters' passes, by CPU

    def missing(self, samples: int) -> int:
        """Return how many samples are still missing."""
        return sum(max(0, samples - len(each)) for each in self.valid.values())

    def is_hopeless(self, samples: int) -> bool:
        """Return whether the cell must be left out."""
        if self.tries >= LEAST_TRIES and self.dropped_share > 1 - LEAST_VALID:
            return True
        return self.tries >= MOST_TRIES * samples * len(self.valid) + LEAST_TRIES

    @property
    def dropped_share(self) -> float:
        """Return the share of tries that are not valid."""
        return self.dropped.total() / self.tries if self.tries else 0.0


@dataclass
class Outcome:
    """All finished cells, and the reason of an early end."""

    finished: list[Measured] = field(default_factory=list)
    left_out: list[Measured] = field(default_factory=list)
    sees_interrupts: bool = True
    others_share: float | None = None  # share of the CPUs, in cells without load
    stopped_by: KeyboardInterrupt | PlafondError | None = None


def measure_cells(caches: Caches, cells: Sequence[Cell], samples: int, seed: int) -> Outcome:
    """Measure all cells, with progress; Ctrl-C and failures keep the finished cells.

    PlafondError or RefusedError if no cell is finished yet.
    """
    outcome = Outcome()
    others = Others(Machine(), caches.cpus)
    steps = len(cells) * samples * len(caches.kinds)
    try:
        with progress_by_step("samples", steps) as step:
            for number, cell in enumerate(cells):
                step(f"{cell.load}, {cell.size_bytes // 1024} KiB", number * steps // len(cells))
                _measure_cell(caches, cell, samples, seed, outcome, others)
    except (KeyboardInterrupt, PlafondError) as error:
        if not outcome.finished:
            raise
        outcome.stopped_by = error
    outcome.others_share = others.share
    return outcome


def _measure_cell(
    caches: Caches, cell: Cell, samples: int, seed: int, outcome: Outcome, others: Others
) -> None:
    measured = Measured(cell, {kind: [] for kind in caches.kinds})
    random = Random(f"{seed}/{cell.load}/{cell.size_bytes}/{cell.ratio}")
    origin = caches.cpus[0]
    while missing := measured.missing(samples):
        if measured.is_hopeless(samples):
            outcome.left_out.append(measured)
            return
        # Kinds are drawn at random, so a few more moves than missing samples seldom need another
        # run.
        count = min(MOST_MOVES, missing + missing // 8 + 8)
        planned = list(islice(moves(caches, origin, random), count))
        with others if cell.load is Load.IDLE else nullcontext():
            output = run_moves(caches, cell, origin, planned)
        outcome.sees_interrupts &= output.sees_interrupts
        take_in(measured, output, planned, caches, samples)
        origin = output.samples[-1].cpu
    outcome.finished.append(measured)


def run_moves(caches: Caches, cell: Cell, origin: int, planned: Sequence[Move]) -> Output:
    """Run the program once; PlafondError or RefusedError if that fails."""
    command: list[str | Path] = [
        find_program("bench/cpmd"),
        str(cell.size_bytes),
        str(int(1 / cell.ratio) if cell.ratio else 0),
        str(polluter_bytes(caches) if cell.load is Load.POLLUTED else 0),
        str(origin),
        *(f"{move.cpu}:{move.away_ns}" for move in planned),
    ]
    output = parse(run_program(command, lambda _: None, LONGEST_SECONDS))
    if not output.samples:
        raise PlafondError(f"cpmd had no time for a sample of {cell.size_bytes} bytes")
    if cell.load is Load.POLLUTED and output.passes.keys() != {*caches.cpus}:
        raise PlafondError(
            f"found polluters on the CPUs {sorted(output.passes)}; "
            f"expected one on each of {sorted(caches.cpus)}"
        )
    return output


def polluter_bytes(caches: Caches) -> int:
    """Return the size of a polluter's array, in bytes."""
    return POLLUTER_CACHES * caches.last_bytes


def take_in(
    measured: Measured, output: Output, planned: Sequence[Move], caches: Caches, samples: int
) -> None:
    """Add the samples of a run, up to `samples` valid samples of each kind."""
    for sample, move in zip(output.samples, planned, strict=False):
        measured.tries += 1
        why = sample.dropped(move.cpu)
        own = measured.valid[caches.kind(sample.origin, sample.cpu)]
        if why:
            measured.dropped[why] += 1
        elif len(own) < samples:
            own.append(sample)
    measured.passes.update(output.passes)
