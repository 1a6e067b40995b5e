# SPDX-License-Identifier: MIT
"""Run all scenes, and build their report.

The scenes of our device share a guest that runs nothing else. Each real driver has another guest.
"""

from collections.abc import Callable, Sequence

from plafond.bench.irqs import calibrate, players, rings, tasks, throughput, times
from plafond.bench.irqs.disk import DISK
from plafond.bench.irqs.drivers import driver_scenes
from plafond.bench.irqs.guest import OWN_DEVICE, Scene, run_scenes
from plafond.bench.irqs.model import IrqsReport
from plafond.bench.irqs.network import NETWORK, network_times_scenes
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
    guests = [
        (OWN_DEVICE, own),
        (DISK.setting, list(driver_scenes(DISK))),
        (NETWORK.setting, [*driver_scenes(NETWORK), *network_times_scenes()]),
    ]
    files: dict[str, bytes] = {}
    before, kernel = 0, ""
    with progress_by_step("booting", sum(len(scenes) for _, scenes in guests)) as step:
        for setting, scenes in guests:
            more, kernel = run_scenes(scenes, _follower(scenes, before, step), setting)
            files |= more
            before += len(scenes)
    return make_report(files, kernel, WORKS_NS)


def _follower(
    scenes: Sequence[Scene], before: int, step: Callable[[str, int], None]
) -> Callable[[int], None]:
    """Return a function that shows a guest's progress; `before`: scenes of the guests before."""

    def follow(done: int) -> None:
        step(scenes[done].name if done < len(scenes) else "powering off", before + done)

    return follow
