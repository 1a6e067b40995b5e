# SPDX-License-Identifier: MIT
"""A real driver in a reservation, virtio-blk: Figures 6 to 9 and Table VI.

The reads of QEMU's disk end when its main loop runs, which is no time of the guest: runs differ.
So each run with a reservation is beside one without, of the same round, and a row is of all rounds.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from plafond.bench.irqs.device import Reservation
from plafond.bench.irqs.guest import DISK, FEATURES, Scene, executed_in, reserved
from plafond.bench.irqs.model import DiskRow, DiskTimesRow
from plafond.bench.irqs.tasks import QUANTILES, quantile
from plafond.kernel_trace.recording import parse_recording
from plafond.kernel_trace.threads import read_history

MS = 1_000_000
ROUNDS = 10
TIME_NS = 200 * MS
READ = f"disk /dev/vda {TIME_NS}"
# A thread that had another reservation before keeps its deadline until that has passed.
REST = "sleep 0.05"
CASES = [None, *(Reservation(share * MS // 10, 10 * MS) for share in (5, 10, 15, 20, 30))]
OUTPUT_LINES = 3  # of each case
RECORDED = {"disk-recorded": None, "disk-recorded-reserved": Reservation(MS, 10 * MS)}
ARRIVED, EXECUTED = "Figure 7: inter-arrival", "Figure 8: execution"


@dataclass(frozen=True)
class Run:
    """What one case did in one round."""

    reads: int
    time_ns: int
    executed_ns: int  # by the interrupt thread

    @property
    def reads_per_s(self) -> float:
        """The throughput."""
        return self.reads * 1e9 / self.time_ns

    @property
    def share(self) -> float:
        """What its thread had of the CPU."""
        return self.executed_ns / self.time_ns


def disk_scenes(rounds: int = ROUNDS) -> Iterator[Scene]:
    """Yield the rounds, each with all cases, and last the runs that are recorded.

    What is read before the first round is not counted.
    """
    begin = [f"echo HRTICK_DL >{FEATURES}", f"{READ} >/dev/null"]
    for name in _names(rounds):
        runs = (f"{REST}; {executed_in(_read(case))} >>/{name}" for case in CASES)
        yield Scene(name, [*begin, *runs])
        begin = []
    for name, case in RECORDED.items():
        yield Scene(name, [f"{REST}; plafond-record /{name} -- {_read(case)}"])


def _names(rounds: int) -> list[str]:
    return [f"disk-{number}" for number in range(1, rounds + 1)]


def _read(reservation: Reservation | None) -> str:
    return READ if reservation is None else reserved([("$thread", reservation)], READ)


def disk_rows(files: Mapping[str, bytes], rounds: int = ROUNDS) -> list[DiskRow]:
    """Return a row a case, the first one without a reservation."""
    seen = [_parse(files[name]) for name in _names(rounds)]
    load = fmean(runs[0].share for runs in seen)
    return [
        _row(reservation, [runs[index] for runs in seen], [runs[0] for runs in seen], load)
        for index, reservation in enumerate(CASES)
    ]


def _parse(output: bytes) -> list[Run]:
    lines = [[int(word) for word in line.split()] for line in output.decode().splitlines()]
    runs = []
    for first in range(0, len(CASES) * OUTPUT_LINES, OUTPUT_LINES):
        before, (reads, time_ns), after = lines[first : first + OUTPUT_LINES]
        runs.append(Run(reads, time_ns, after[0] - before[0]))
    return runs


def _row(
    reservation: Reservation | None, runs: Sequence[Run], unreserved: Sequence[Run], load: float
) -> DiskRow:
    ratios = [
        run.reads_per_s / beside.reads_per_s for run, beside in zip(runs, unreserved, strict=True)
    ]
    return DiskRow(
        budget_ns=reservation.budget_ns if reservation else None,
        period_ns=reservation.period_ns if reservation else None,
        share=reservation.share if reservation else None,
        runs=len(runs),
        reads_per_s=fmean(run.reads_per_s for run in runs),
        thread_percent=100 * fmean(run.share for run in runs),
        expected_ratio=min(reservation.share / load, 1) if reservation else 1,
        ratio=fmean(ratios),
        least_ratio=min(ratios),
        most_ratio=max(ratios),
    )


def disk_times_rows(files: Mapping[str, bytes]) -> list[DiskTimesRow]:
    """Return Figures 7 and 8: distributions of times of the interrupt thread, as recorded."""
    return [row for name, case in RECORDED.items() for row in _times_rows(files[name], name, case)]


def _times_rows(
    recording: bytes, name: str, reservation: Reservation | None
) -> Iterator[DiskTimesRow]:
    history = read_history(parse_recording(recording, name), {})
    thread = next(each for each in history.threads if each.name.endswith(f"-{DISK.action}"))
    executed_ns = [each.execution_ns for each in thread.activations]
    for what, times_ns in ((ARRIVED, thread.inter_arrivals_ns), (EXECUTED, executed_ns)):
        yield DiskTimesRow(
            what=what,
            budget_ns=reservation.budget_ns if reservation else None,
            period_ns=reservation.period_ns if reservation else None,
            samples=len(times_ns),
            quantiles_us={
                name: quantile(times_ns, share) / 1000 for name, share in QUANTILES.items()
            },
        )
