# SPDX-License-Identifier: MIT
"""Test equation 2 on our device: (T - Q)/P < N_c, on both sides of the boundary.

The longest wait of a reservation is T - Q, after a budget that was used without a break. The first
frame's work is chosen so that the budget ends in the middle of a frame, when no other frame is
pending. This frame and all that follow wait for the replenishment.
"""

from collections.abc import Iterator, Mapping, Sequence

from plafond.bench.irqs.calibrate import Calibration
from plafond.bench.irqs.device import Device, Reservation, holds_all
from plafond.bench.irqs.frames import parse_frames
from plafond.bench.irqs.guest import Scene, device_scene
from plafond.bench.irqs.model import RingRow
from plafond.bench.irqs.simulate import simulate

MS = 1_000_000
WORK_NS = 100_000
BUDGET_NS = 2 * MS
# First the gap is 8 frames and the ring's size varies. Then the size is 7 and the gap varies.
RingCase = tuple[Reservation, int]
BY_RING = [(Reservation(BUDGET_NS, 10 * MS), size) for size in range(5, 12)]
BY_GAP = [(Reservation(BUDGET_NS, (2 + gap) * MS), 7) for gap in range(4, 11)]
CASES = [*BY_RING, *BY_GAP]


def ring_scenes(cases: Sequence[RingCase] = CASES) -> Iterator[Scene]:
    """Yield the runs."""
    for reservation, size in cases:
        yield device_scene(_name(reservation, size), ring_device(reservation, size), reservation)


def ring_device(reservation: Reservation, ring_size: int) -> Device:
    """Return the device whose frames meet a single gap."""
    before_gap = reservation.budget_ns // MS - 1
    first_ns = reservation.budget_ns - before_gap * WORK_NS - WORK_NS // 2
    return Device(MS, reservation.period_ns // MS + 2, ring_size, WORK_NS, first_ns)


def ring_rows(
    files: Mapping[str, bytes], calibration: Calibration, cases: Sequence[RingCase] = CASES
) -> list[RingRow]:
    """Return the losses, compared with the paper's model."""
    return [_row(files, calibration, *case) for case in cases]


def _row(
    files: Mapping[str, bytes], calibration: Calibration, reservation: Reservation, ring_size: int
) -> RingRow:
    device = ring_device(reservation, ring_size)
    seen = parse_frames(files[_name(reservation, ring_size)]).outcome
    in_model = simulate(calibration.real(device), reservation)
    return RingRow(
        budget_ns=reservation.budget_ns,
        period_ns=reservation.period_ns,
        interrupt_period_ns=device.period_ns,
        ring_size=ring_size,
        gap=(reservation.period_ns - reservation.budget_ns) / device.period_ns,
        holds_all=holds_all(device, reservation),
        lost=seen.lost,
        first_lost=seen.first_lost,
        backlog=seen.backlog_most,
        is_simulated=seen.fate == in_model.fate,
    )


def _name(reservation: Reservation, ring_size: int) -> str:
    return f"ring-{reservation.period_ns}-{ring_size}"
