# SPDX-License-Identifier: MIT
"""Build the report from the outputs of the scenes."""

from collections.abc import Mapping, Sequence
from statistics import correlation

from plafond.bench.irqs.calibrate import Calibration, calibrate
from plafond.bench.irqs.disk import DISK
from plafond.bench.irqs.drivers import driver_rows, driver_times_rows
from plafond.bench.irqs.model import (
    Conditions,
    DriverRow,
    IrqsReport,
    RingRow,
    ThroughputRow,
    TransferRow,
)
from plafond.bench.irqs.network import NETWORK, network_times_rows, response_rows
from plafond.bench.irqs.players import player_rows
from plafond.bench.irqs.rings import ring_rows
from plafond.bench.irqs.tasks import periodic_rows, quantile_rows, share_rows
from plafond.bench.irqs.throughput import DEVICE, throughput_rows, transfer_rows
from plafond.bench.irqs.times import times_rows
from plafond.bench.model import Target
from plafond.bench.targets import judge

UNEXPLAINED = 0.01  # so r^2 >= 0.99
NOTES = [
    "The device is that of plafond_frames.ko: a timer instead of hardware, a real interrupt "
    "thread, irq/N-frames, a ring of N_c entries.",
    'Reservations are of SCHED_DEADLINE, with HRTICK_DL but for the rows "by tick": without it the '
    "kernel notices at its tick alone, each 4 ms, that a budget is spent, and takes back later "
    "what was too much.",
    "Model: the paper's, in which only the work of the frames takes time. Simulated: with what the "
    "kernel adds, measured in other runs.",
    "The paper leaves open: P, C and N_c of its devices, the work of its tasks and players, and "
    "how many CPUs it has. These are ours. Its rows are of its machines.",
    "Table I: the paper's three tasks together execute for 105 % of a CPU; ours for 78 %.",
    "The disk is QEMU's, of nothing, with the driver virtio-blk in a guest of its own. When a read "
    "ends is up to QEMU and to what else this machine does: these rows do not repeat.",
    "A stop of this machine is no time of these guests, because their clock counts instructions: "
    "so no run has to be measured again. The disk's guest is the exception: while it waits, its "
    "clock goes with this machine's, and a stop is part of its row.",
    "The network is QEMU's, two cards with the driver virtio-net in a guest of their own: what one "
    "sends, the interrupt thread of the other receives. All of it takes the guest's time alone, so "
    "these rows repeat.",
]


def make_report(files: Mapping[str, bytes], kernel: str, works_ns: Sequence[int]) -> IrqsReport:
    """Build all tables of a run."""
    calibration = calibrate(files, works_ns)
    rings = ring_rows(files, calibration)
    throughput = throughput_rows(files, calibration)
    transfers = transfer_rows(files, calibration)
    disk, network = driver_rows(DISK, files), driver_rows(NETWORK, files)
    return IrqsReport(
        conditions=_conditions(calibration, kernel),
        rings=rings,
        throughput=throughput,
        transfers=transfers,
        disk=disk,
        disk_times=driver_times_rows(DISK, files),
        network=network,
        network_times=driver_times_rows(NETWORK, files),
        network_responses=response_rows(files),
        network_frames=network_times_rows(files),
        times=times_rows(files),
        tasks=periodic_rows(files),
        quantiles=quantile_rows(files),
        shares=share_rows(files),
        players=list(player_rows(files)),
        targets=targets(rings, throughput, transfers, disk, network, calibration),
    )


def _conditions(calibration: Calibration, kernel: str) -> Conditions:
    of_kernel = calibration.kernel
    return Conditions(
        kernel=kernel,
        interrupt_ns=of_kernel.interrupt_ns,
        start_ns=of_kernel.start_ns,
        unpaid_ns=of_kernel.unpaid_ns,
        tick_ns=of_kernel.tick_ns,
        frame_ns=dict(calibration.frame_ns),
        notes=NOTES,
    )


def targets(
    rings: Sequence[RingRow],
    throughput: Sequence[ThroughputRow],
    transfers: Sequence[TransferRow],
    disk: Sequence[DriverRow],
    network: Sequence[DriverRow],
    calibration: Calibration,
) -> list[Target]:
    """Judge a run by the limits that the project has set itself."""
    load = calibration.frame_ns[DEVICE.work_ns] / DEVICE.period_ns
    held = [row for row in throughput if row.holds_all and not row.polices_by_tick]
    below = [row for row in held if row.share < load]
    above = [row for row in held if row.share > load]
    return [
        judge("equation 2: rows that differ from it or from the model", _wrong_rings(rings), 0),
        judge(
            "1 - r^2: throughput against Q/T, below saturation",
            unexplained([row.share for row in below], [row.served for row in below]),
            UNEXPLAINED,
        ),
        judge(
            "1 - r^2: throughput of a transfer against Q/T, Figure 9",
            unexplained(_shares(transfers), [1 / row.total_ns for row in transfers[1:]]),
            UNEXPLAINED,
        ),
        judge(
            "1 - r^2: time of a transfer against T/Q, Figure 10",
            unexplained(
                [1 / share for share in _shares(transfers)],
                [row.total_ns for row in transfers[1:]],
            ),
            UNEXPLAINED,
        ),
        judge(
            "Q/T above C/P: frames that did not arrive",
            sum(DEVICE.count - row.served for row in above),
            0,
        ),
        judge(
            "throughput: most frames off the simulation",
            max(abs(row.served - row.simulated) for row in throughput),
            1,
        ),
        judge("1 - r^2: reads of the disk against Q/T, below saturation", _driver_off(disk)),
        judge(
            "1 - r^2: frames of the card against Q/T, below saturation",
            _driver_off(network),
            UNEXPLAINED,
        ),
    ]


def _wrong_rings(rings: Sequence[RingRow]) -> int:
    """Return the rows whose losses differ from the model's or from equation 2."""
    return sum(not row.is_simulated or row.holds_all != (row.lost == 0) for row in rings)


def _shares(transfers: Sequence[TransferRow]) -> list[float]:
    """Return Q/T of all rows but the first, which has no reservation."""
    return [(row.budget_ns or 0) / (row.period_ns or 1) for row in transfers[1:]]


def _driver_off(rows: Sequence[DriverRow]) -> float | None:
    """Return 1 - r^2 of the rows that the reservation slows down; None: too few rows."""
    below = [(row.share, row.done_per_s) for row in rows if row.share and row.expected_ratio < 1]
    return unexplained(*zip(*below, strict=True)) if len(below) > 2 else None


def unexplained(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Return 1 - r^2: the share of the variance that a straight line does not explain."""
    return 1 - correlation(xs, ys) ** 2
