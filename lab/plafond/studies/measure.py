# SPDX-License-Identifier: MIT
"""Run a study point by point, and keep the finished points if it is stopped."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from plafond.describe.study import Study
from plafond.errors import PlafondError
from plafond.progress import progress_by_step
from plafond.studies.checkpoint import Checkpoint
from plafond.studies.cluster import ClusterGoneError, counted_on
from plafond.studies.costs import KnownCosts, costs_of_study
from plafond.studies.count import Chunk, Counts
from plafond.studies.model import SchedulabilityReport
from plafond.studies.pool import WorkerDiedError, counted
from plafond.studies.report import make_report

CHUNK = 20  # sets of a task for a process


@dataclass(frozen=True)
class Outcome:
    """The report of all finished points, and the reason for an early end."""

    report: SchedulabilityReport
    stopped_by: KeyboardInterrupt | PlafondError | None


def measure_schedulability(
    study: Study, jobs: int, checkpoint: Path | None, cluster: str | None = None
) -> Outcome:
    """Draw and judge all sets that the checkpoint lacks, with progress.

    `jobs`: processes on this machine. `cluster`: the address of a scheduler to use instead.
    """
    costs = costs_of_study(study)
    kept = Checkpoint(checkpoint, study, costs)
    stopped_by: KeyboardInterrupt | PlafondError | None = None
    try:
        chunks = list(_chunks(study, costs, kept))
        with counted_on(cluster, chunks) if cluster else counted(chunks, jobs) as results:
            _keep(study, chunks, results, kept)
    except (KeyboardInterrupt, WorkerDiedError, ClusterGoneError) as error:
        stopped_by = error
    return Outcome(make_report(study, kept.points, costs), stopped_by)


def _keep(
    study: Study, chunks: Sequence[Chunk], results: Iterable[Counts], kept: Checkpoint
) -> None:
    with progress_by_step("sets", len(chunks) * CHUNK) as step:
        sums = None
        for done, (chunk, counts) in enumerate(zip(chunks, results, strict=True), start=1):
            sums = sums + counts if sums else counts
            step(f"sets of utilisation {float(chunk.utilisation):g}", done * CHUNK)
            if chunk.numbers.stop == study.sets:
                kept.add(chunk.utilisation, sums)
                sums = None


def _chunks(study: Study, costs: KnownCosts | None, kept: Checkpoint) -> Iterator[Chunk]:
    for utilisation in study.utilisations:
        if utilisation not in kept.points:
            for begin in range(0, study.sets, CHUNK):
                yield Chunk(study, utilisation, range(begin, min(begin + CHUNK, study.sets)), costs)
