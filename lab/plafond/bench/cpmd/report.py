# SPDX-License-Identifier: MIT
"""Build the report from samples."""

import os
import platform
from collections.abc import Iterable, Iterator
from fractions import Fraction

from plafond.bench.cpmd.caches import Caches
from plafond.bench.cpmd.collect import Measured, Outcome, polluter_bytes
from plafond.bench.cpmd.model import CellRow, Conditions, CpmdReport, KindRow, Point
from plafond.bench.cpmd.numbers import numbers
from plafond.bench.cpmd.observations import MOST_DROPPED, Evidence, observe
from plafond.bench.cpmd.plan import FIGURE_3_SIZE, PAPER_RATIO, Load
from plafond.bench.cpmd.samples import Dropped, Sample
from plafond.machine import cpu_model

NOTES = [
    "One thread, SCHED_FIFO at the highest priority, memory locked. Its delay is the time of its "
    "third pass through the working set less that of the second, warm one (Figure 1).",
    "A pass reads all words once, lines in a random order that they hold themselves. The clock is "
    "read on one CPU for each pass.",
    "Preemptions last from 0 to 50 ms, at random. Each kind of move is drawn with the same "
    "probability, and all kinds of all sizes get the same number of valid samples.",
    "Pages have the usual size: the kernel is asked for no huge ones (MADV_NOHUGEPAGE). So lost "
    "entries of the TLB are part of the delay.",
    "Dropped are samples with an interrupt, a page fault or steal time, or with a part of a pass "
    "(64 lines) of more than 100 us. A pass longer than the time between two ticks is never valid, "
    "one nearly as long seldom: where many are dropped, the largest are.",
    "Negative delays are kept: the warm pass was the longer one.",
    "The paper's figures are those of a Xeon L7455 of 2008, with caches of other sizes.",
]
UNSEEN = (
    "Interrupts cannot be seen on this processor: samples with some are among the valid ones, "
    "except where a part of a pass took longer than 100 us."
)


def make_report(
    caches: Caches, outcome: Outcome, samples: int, seed: int, cells: int, quick: bool
) -> CpmdReport:
    """Build the report from the finished cells."""
    done = [*outcome.finished, *outcome.left_out]
    return CpmdReport(
        conditions=Conditions(
            cpu_model=cpu_model(),
            kernel=platform.release(),
            cpus=list(caches.cpus),
            caches=[str(cache) for cache in caches.each],
            missing_kinds=list(caches.missing),
            samples=samples,
            seed=seed,
            quick=quick,
            sees_interrupts=outcome.sees_interrupts,
            others_share=outcome.others_share,
            page_bytes=os.sysconf("SC_PAGE_SIZE"),
            polluter_bytes=polluter_bytes(caches),
            missing_cells=cells - len(done),
            again=sum(measured.dropped[Dropped.STEAL] for measured in done),
            notes=NOTES if outcome.sees_interrupts else [*NOTES, UNSEEN],
        ),
        rows=[row for measured in outcome.finished for row in _rows(measured)],
        cells=[_cell_row(each, each in outcome.left_out) for each in done],
        points=list(_points(outcome.finished)),
        observations=observe(_evidence(caches, outcome, samples)),
    )


def ratio_text(ratio: Fraction) -> str:
    """Return the text of a write ratio: 0, 1/4, 1."""
    return str(ratio)


def _rows(measured: Measured) -> Iterator[KindRow]:
    cell = measured.cell
    for kind, samples in measured.valid.items():
        delays = [sample.delay_ns for sample in samples]
        values = numbers(delays)
        yield KindRow(
            load=cell.load,
            size_bytes=cell.size_bytes,
            write_ratio=ratio_text(cell.ratio),
            kind=kind,
            samples=len(delays),
            mean_ns=float(values.mean()),
            deviation_ns=float(values.std(ddof=1)) if len(delays) > 1 else 0.0,
            largest_ns=max(delays),
            least_ns=min(delays),
            negative=sum(delay < 0 for delay in delays),
            warm_ns=float(numbers([sample.warm_ns for sample in samples]).mean()),
        )


def _cell_row(measured: Measured, is_left_out: bool) -> CellRow:
    return CellRow(
        load=measured.cell.load,
        size_bytes=measured.cell.size_bytes,
        write_ratio=ratio_text(measured.cell.ratio),
        tries=measured.tries,
        valid=sum(map(len, measured.valid.values())),
        dropped={why.value: count for why, count in sorted(measured.dropped.items())},
        polluter_passes=min(measured.passes.values(), default=None),
        is_left_out=is_left_out,
    )


def _of_figures(measured: Iterable[Measured]) -> Iterator[Measured]:
    return (each for each in measured if each.cell.ratio == PAPER_RATIO)


def _points(finished: Iterable[Measured]) -> Iterator[Point]:
    for measured in _of_figures(finished):
        if measured.cell.load is Load.POLLUTED and measured.cell.size_bytes == FIGURE_3_SIZE:
            for kind, samples in measured.valid.items():
                for each in samples:
                    yield Point(kind=kind, away_ns=each.away_ns, delay_ns=each.delay_ns)


def _evidence(caches: Caches, outcome: Outcome, samples: int) -> Evidence:
    of_load: dict[Load, dict[tuple[int, str], list[Sample]]] = {load: {} for load in Load}
    for measured in _of_figures(outcome.finished):
        if measured.dropped_share > MOST_DROPPED:
            continue
        for kind, valid in measured.valid.items():
            of_load[measured.cell.load][measured.cell.size_bytes, kind] = valid
    return Evidence(caches, samples, of_load, outcome.others_share)
