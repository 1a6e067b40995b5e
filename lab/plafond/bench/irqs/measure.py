# SPDX-License-Identifier: MIT
"""Run all scenes and make the report of them.

Those of our device are in one guest with nothing else in it, those of the disk in another.
"""

from collections.abc import Callable, Sequence

from plafond.bench.irqs import calibrate, disk, players, rings, tasks, throughput, times
from plafond.bench.irqs.guest import DISK, Scene, run_scenes
from plafond.bench.irqs.model import IrqsReport
from plafond.bench.irqs.report import make_report
from plafond.progress import progress_by_step

WORKS_NS = (rings.WORK_NS, throughput.WORK_NS)


def measure_irqs() -> IrqsReport:
    """Boot the guests and measure, with a progress bar on standard error."""
    own = [
        *calibrate.calibration_scenes(WORKS_NS),
        *rings.ring_scenes(),
        *throughput.throughput_scenes(),
        *throughput.transfer_scenes(),
        *times.times_scenes(),
        *tasks.task_scenes(),
        *players.player_scenes(),
    ]
    of_disk = list(disk.disk_scenes())
    with progress_by_step("booting", len(own) + len(of_disk)) as step:
        files, kernel = run_scenes(own, _follower(own, 0, step))
        more, _ = run_scenes(of_disk, _follower(of_disk, len(own), step), DISK)
    return make_report({**files, **more}, kernel, WORKS_NS)


def _follower(
    scenes: Sequence[Scene], before: int, step: Callable[[str, int], None]
) -> Callable[[int], None]:
    """Return what shows how many scenes of a guest have been run, after those before it."""

    def follow(done: int) -> None:
        step(scenes[done].name if done < len(scenes) else "powering off", before + done)

    return follow
