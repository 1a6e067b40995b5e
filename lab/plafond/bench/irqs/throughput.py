# SPDX-License-Identifier: MIT
"""Measure throughput against Q/T: Figures 6, 9 and 10, Tables VI and VII.

The work of a frame is 94 % of the frames' period. So 95 % is the least share that serves all
frames, as in Table VI. Below that share the reservation limits the throughput.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from plafond.bench.irqs.calibrate import Calibration
from plafond.bench.irqs.device import Device, Reservation, holds_all
from plafond.bench.irqs.frames import parse_frames
from plafond.bench.irqs.guest import Scene, device_scene
from plafond.bench.irqs.model import ThroughputRow, TransferRow
from plafond.bench.irqs.simulate import simulate

MS = 1_000_000
WORK_NS = 940_000
WINDOW_NS = 2000 * MS
DEVICE = Device(MS, WINDOW_NS // MS, 1024, WORK_NS)
# Table VI: percent of the throughput without a reservation, by Q/T in percent.
PAPER_100 = {
    **{2: 1.9858, 4: 4.23484, 6: 6.38374, 10: 10.6726, 20: 21.5825, 40: 41.8182, 60: 62.4476},
    **{80: 82.5952, 90: 92.9371, 95: 100.0},
}
PAPER_1000 = {
    **{2: 2.16843, 4: 4.46488, 6: 6.49811, 10: 11.778, 20: 23.261, 40: 44.4056, 60: 65.0},
    **{80: 84.5455, 90: 93.007, 95: 100.0},
}
# Table VII: seconds to read a file, by Q/T in percent of T = 100 ms.
PAPER_S = {30: 52.85, 40: 39.52, 50: 31.49, 60: 26.23, 70: 22.58, 80: 19.77, 90: 17.59}
PAPER_UNRESERVED_S = 16.89
TRANSFER = Device(WORK_NS, 600, 1024, WORK_NS)


@dataclass(frozen=True)
class Case:
    """A row of throughput."""

    reservation: Reservation
    ring_size: int = DEVICE.ring_size
    polices_by_tick: bool = False
    paper: float | None = None

    @property
    def name(self) -> str:
        """Return the name of its scene."""
        each = self.reservation
        policing = "-by-tick" if self.polices_by_tick else ""
        return f"throughput-{each.budget_ns}-{each.period_ns}-{self.ring_size}{policing}"

    @property
    def device(self) -> Device:
        """Return the device with the case's ring."""
        return replace(DEVICE, ring_size=self.ring_size)


def _share_of(percent: int, period_ns: int) -> Reservation:
    return Reservation(percent * period_ns // 100, period_ns)


CASES = [
    *(Case(_share_of(share, 100 * MS), paper=paper) for share, paper in PAPER_100.items()),
    *(Case(_share_of(share, 1000 * MS), paper=paper) for share, paper in PAPER_1000.items()),
    # The ring has no room for a gap of T = 1 s.
    *(Case(_share_of(share, 1000 * MS), ring_size=64) for share in (20, 40, 60)),
    # The kernel's default: NO_HRTICK_DL.
    *(Case(_share_of(share, 100 * MS), polices_by_tick=True) for share in (20, 40, 60)),
]
TRANSFERS = [None, *(_share_of(share, 100 * MS) for share in PAPER_S)]


def throughput_scenes(cases: Sequence[Case] = CASES) -> Iterator[Scene]:
    """Yield the runs of Table VI."""
    for case in cases:
        yield device_scene(case.name, case.device, case.reservation, case.polices_by_tick)


def transfer_scenes() -> Iterator[Scene]:
    """Yield the runs of Table VII."""
    for reservation in TRANSFERS:
        yield device_scene(_transfer_name(reservation), TRANSFER, reservation)


def _transfer_name(reservation: Reservation | None) -> str:
    return f"transfer-{reservation.budget_ns if reservation else 'all'}"


def throughput_rows(
    files: Mapping[str, bytes], calibration: Calibration, cases: Sequence[Case] = CASES
) -> list[ThroughputRow]:
    """Return the frames served in two seconds, compared with both simulations."""
    return [_row(files, calibration, case) for case in cases]


def _row(files: Mapping[str, bytes], calibration: Calibration, case: Case) -> ThroughputRow:
    run = parse_frames(files[case.name])
    device = calibration.real(case.device)
    kernel = replace(
        calibration.kernel, tick_first_ns=-run.begin_ns, polices_by_tick=case.polices_by_tick
    )
    served = run.outcome.served_until(WINDOW_NS)
    return ThroughputRow(
        budget_ns=case.reservation.budget_ns,
        period_ns=case.reservation.period_ns,
        ring_size=case.ring_size,
        polices_by_tick=case.polices_by_tick,
        share=case.reservation.share,
        holds_all=holds_all(device, case.reservation),
        served=served,
        simulated=simulate(device, case.reservation, kernel).served_until(WINDOW_NS),
        in_model=simulate(device, case.reservation).served_until(WINDOW_NS),
        percent=100 * served / DEVICE.count,
        paper_percent=case.paper,
    )


def transfer_rows(files: Mapping[str, bytes], calibration: Calibration) -> list[TransferRow]:
    """Return the times of Table VII; the first row has no reservation."""
    papers_s = [PAPER_UNRESERVED_S, *PAPER_S.values()]
    totals_ns = [_total_ns(files, reservation) for reservation in TRANSFERS]
    return [
        TransferRow(
            budget_ns=reservation.budget_ns if reservation else None,
            period_ns=reservation.period_ns if reservation else None,
            total_ns=total_ns,
            simulated_ns=_simulated_ns(files, calibration, reservation),
            ratio=total_ns / totals_ns[0],
            paper_s=paper_s,
            paper_ratio=paper_s / PAPER_UNRESERVED_S,
        )
        for reservation, total_ns, paper_s in zip(TRANSFERS, totals_ns, papers_s, strict=True)
    ]


def _total_ns(files: Mapping[str, bytes], reservation: Reservation | None) -> int:
    return last_ns(parse_frames(files[_transfer_name(reservation)]).outcome.served_ns)


def _simulated_ns(
    files: Mapping[str, bytes], calibration: Calibration, reservation: Reservation | None
) -> int:
    begin_ns = parse_frames(files[_transfer_name(reservation)]).begin_ns
    kernel = replace(calibration.kernel, tick_first_ns=-begin_ns)
    return last_ns(simulate(calibration.real(TRANSFER), reservation, kernel).served_ns)


def last_ns(served_ns: Sequence[int | None]) -> int:
    """Return when the last frame was served."""
    return max(time for time in served_ns if time is not None)
