# SPDX-License-Identifier: MIT
"""Measure the kernel's share of the work, in separate runs that are not compared with any row."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from plafond.bench.irqs.device import Device, Reservation
from plafond.bench.irqs.frames import FramesRun, parse_frames
from plafond.bench.irqs.guest import Scene, device_scene
from plafond.bench.irqs.simulate import Kernel

MS = 1_000_000
# A reservation that is never used up: it shows the cost of SCHED_DEADLINE alone.
LARGE = Reservation(95 * MS, 100 * MS)
TICK_NS = 4 * MS  # Debian's kernels have HZ=250
WORK_NS = 1 * MS
# APART: one frame at a time. INTERRUPTED: ten interrupts come while an early frame is served.
APART = Device(2 * MS, 50, 8, 100_000)
INTERRUPTED, IN_EACH = Device(100_000, 50, 64, WORK_NS), 10
# Of the times between frames, the shortest has no tick. Times with a tick are at least this much
# longer.
LEAST_TICK_NS = 1000


@dataclass(frozen=True)
class Calibration:
    """The kernel's share, and the real length of a frame's work."""

    kernel: Kernel
    frame_ns: Mapping[int, int]  # by requested work

    def real(self, device: Device) -> Device:
        """Return the device with the real length of its work."""
        share = self.frame_ns[device.work_ns] / device.work_ns
        first_ns = device.first_work_ns
        return Device(
            device.period_ns,
            device.count,
            device.ring_size,
            self.frame_ns[device.work_ns],
            None if first_ns is None else round(first_ns * share),
        )


def calibration_scenes(works_ns: Sequence[int]) -> Iterator[Scene]:
    """Yield the runs for frames with this work."""
    yield device_scene("apart", APART, LARGE)
    yield device_scene("interrupted", INTERRUPTED, LARGE)
    for work_ns in {*works_ns, APART.work_ns, WORK_NS}:
        yield device_scene(_in_a_row(work_ns), Device(10_000, 24, 64, work_ns), LARGE)


def calibrate(files: Mapping[str, bytes], works_ns: Sequence[int]) -> Calibration:
    """Return the calibration from the outputs of these runs."""
    rows = {
        work_ns: parse_frames(files[_in_a_row(work_ns)])
        for work_ns in {*works_ns, APART.work_ns, WORK_NS}
    }
    frame_ns = {work_ns: min(run.between_served_ns) for work_ns, run in rows.items()}
    apart = parse_frames(files["apart"])
    start_ns = _start_ns(apart, frame_ns[APART.work_ns])
    paid_ns = (apart.executed_ns or 0) // APART.count - frame_ns[APART.work_ns]
    interrupted = parse_frames(files["interrupted"]).between_served_ns[: APART.count // IN_EACH - 2]
    kernel = Kernel(
        interrupt_ns=(min(interrupted) - frame_ns[WORK_NS]) // IN_EACH,
        start_ns=start_ns,
        unpaid_ns=max(start_ns - paid_ns, 0),
        tick_ns=_tick_ns(rows[WORK_NS], frame_ns[WORK_NS]),
        tick_period_ns=TICK_NS,
    )
    return Calibration(kernel, frame_ns)


def _in_a_row(work_ns: int) -> str:
    return f"in-a-row-{work_ns}"


def _start_ns(apart: FramesRun, frame_ns: int) -> int:
    """Return the time from the due time of an interrupt to the start of its frame's work."""
    ends_ns = [
        served_ns - number * APART.period_ns
        for number, served_ns in enumerate(apart.outcome.served_ns)
        if served_ns is not None
    ]
    return round(median(ends_ns)) - frame_ns


def _tick_ns(run: FramesRun, frame_ns: int) -> int:
    longer_ns = [time - frame_ns for time in run.between_served_ns]
    return round(median([each for each in longer_ns if each > LEAST_TICK_NS]))
