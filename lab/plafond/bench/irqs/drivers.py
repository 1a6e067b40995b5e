# SPDX-License-Identifier: MIT
"""Measure real drivers in reservations: Figures 6 to 9 and Table VI.

The throughput of a driver also depends on QEMU. So each run with a reservation is compared with a
run without, in the same round. A row covers all rounds.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from plafond.bench.irqs.device import Reservation
from plafond.bench.irqs.guest import FEATURES, Scene, Setting, reserved
from plafond.bench.irqs.model import DriverRow, DriverTimesRow
from plafond.bench.irqs.tasks import QUANTILES, quantile
from plafond.bench.irqs.times import interrupt_thread
from plafond.kernel_trace.history import History
from plafond.kernel_trace.recording import parse_recording
from plafond.kernel_trace.threads import read_history

ROUNDS = 10
# After boot the kernel tests its ciphers, which takes the CPU from ordinary threads.
BOOTED = "while ps | grep -q '[c]ryptomgr_test'; do sleep 0.1; done"
# A thread keeps the deadline of an earlier reservation until that deadline has passed.
REST = "sleep 0.05"
# ksoftirqd runs the softirqs that other threads leave, outside their reservations.
KSOFTIRQD = "ksoftirqd=$(grep -l '^ksoftirqd/' /proc/[0-9]*/comm | cut -d/ -f3)"
EXECUTED = "cat /proc/$tid/schedstat /proc/$ksoftirqd/schedstat"
OUTPUT_LINES = 5  # per case
ARRIVED, EXECUTION = "Figure 7: inter-arrival", "Figure 8: execution"


@dataclass(frozen=True)
class Driver:
    """A driver, and the command that makes it work."""

    name: str  # the prefix of its scenes
    setting: Setting
    command: str  # prints the amount of work and its time
    reservations: Sequence[Reservation]
    recorded: Reservation
    begin: Sequence[str] = ()  # commands

    @property
    def cases(self) -> Sequence[Reservation | None]:
        """Return the reservations of the runs of a round; None: the thread's usual priority."""
        return [None, *self.reservations]

    @property
    def recordings(self) -> Mapping[str, Reservation | None]:
        """Return by name the reservations of the recorded runs."""
        return {f"{self.name}-recorded": None, f"{self.name}-recorded-reserved": self.recorded}

    def names(self, rounds: int) -> Sequence[str]:
        """Return the names of the rounds."""
        return [f"{self.name}-{number}" for number in range(1, rounds + 1)]

    def run(self, reservation: Reservation | None) -> str:
        """Return the command of a case."""
        if reservation is None:
            return self.command
        return reserved([("$thread", reservation)], self.command)


@dataclass(frozen=True)
class Run:
    """The result of a case in a round."""

    done: int
    time_ns: int
    executed_ns: int  # execution time of the interrupt thread
    left_ns: int  # execution time of ksoftirqd

    @property
    def done_per_s(self) -> float:
        """Return the throughput."""
        return self.done * 1e9 / self.time_ns

    @property
    def share(self) -> float:
        """Return the interrupt thread's share of the CPU."""
        return self.executed_ns / self.time_ns


def driver_scenes(driver: Driver, rounds: int = ROUNDS) -> Iterator[Scene]:
    """Yield the rounds, each with all cases, and then the recorded runs.

    The work before the first round is a warm-up.
    """
    begin = [BOOTED, KSOFTIRQD, f"echo HRTICK_DL >{FEATURES}", *driver.begin]
    begin += [f"{driver.command} >/dev/null"]
    for name in driver.names(rounds):
        runs = (
            f"{REST}; {{ {EXECUTED}; {driver.run(case)}; {EXECUTED}; }} >>/{name}"
            for case in driver.cases
        )
        yield Scene(name, [*begin, *runs])
        begin = []
    for name, case in driver.recordings.items():
        yield Scene(name, [f"{REST}; plafond-record /{name} -- {driver.run(case)}"])


def driver_rows(
    driver: Driver, files: Mapping[str, bytes], rounds: int = ROUNDS
) -> list[DriverRow]:
    """Return a row for each case; the first case has no reservation."""
    seen = [_parse(files[name], len(driver.cases)) for name in driver.names(rounds)]
    load = fmean(runs[0].share for runs in seen)
    return [
        _row(reservation, [runs[index] for runs in seen], [runs[0] for runs in seen], load)
        for index, reservation in enumerate(driver.cases)
    ]


def _parse(output: bytes, cases: int) -> list[Run]:
    lines = [[int(word) for word in line.split()] for line in output.decode().splitlines()]
    runs = []
    for first in range(0, cases * OUTPUT_LINES, OUTPUT_LINES):
        of_thread, of_others, (done, time_ns), *after = lines[first : first + OUTPUT_LINES]
        executed_ns = after[0][0] - of_thread[0]
        runs.append(Run(done, time_ns, executed_ns, left_ns=after[1][0] - of_others[0]))
    return runs


def _row(
    reservation: Reservation | None, runs: Sequence[Run], unreserved: Sequence[Run], load: float
) -> DriverRow:
    ratios = [
        run.done_per_s / beside.done_per_s for run, beside in zip(runs, unreserved, strict=True)
    ]
    return DriverRow(
        budget_ns=reservation.budget_ns if reservation else None,
        period_ns=reservation.period_ns if reservation else None,
        share=reservation.share if reservation else None,
        runs=len(runs),
        done_per_s=fmean(run.done_per_s for run in runs),
        thread_percent=100 * fmean(run.share for run in runs),
        left_percent=100 * fmean(run.left_ns / run.time_ns for run in runs),
        expected_ratio=min(reservation.share / load, 1) if reservation else 1,
        ratio=fmean(ratios),
        least_ratio=min(ratios),
        most_ratio=max(ratios),
    )


def recorded_histories(
    driver: Driver, files: Mapping[str, bytes]
) -> Iterator[tuple[Reservation | None, History]]:
    """Yield the recorded histories, without and with a reservation."""
    for name, case in driver.recordings.items():
        yield case, read_history(parse_recording(files[name], name), {})


def driver_times_rows(driver: Driver, files: Mapping[str, bytes]) -> list[DriverTimesRow]:
    """Return Figures 7 and 8: recorded distributions of times of the interrupt thread."""
    return [
        row
        for case, history in recorded_histories(driver, files)
        for row in _times_rows(history, driver.setting.action, case)
    ]


def _times_rows(
    history: History, action: str, reservation: Reservation | None
) -> Iterator[DriverTimesRow]:
    thread = interrupt_thread(history, action)
    executed_ns = [each.execution_ns for each in thread.activations]
    for what, times_ns in ((ARRIVED, thread.inter_arrivals_ns), (EXECUTION, executed_ns)):
        yield DriverTimesRow(
            what=what,
            budget_ns=reservation.budget_ns if reservation else None,
            period_ns=reservation.period_ns if reservation else None,
            samples=len(times_ns),
            quantiles_us={
                name: quantile(times_ns, share) / 1000 for name, share in QUANTILES.items()
            },
        )
