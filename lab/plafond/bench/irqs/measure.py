# SPDX-License-Identifier: MIT
"""Run all scenes in one guest, with nothing else in it, and make the report of them."""

from plafond.bench.irqs import calibrate, players, rings, tasks, throughput, times
from plafond.bench.irqs.guest import run_scenes
from plafond.bench.irqs.model import IrqsReport
from plafond.bench.irqs.report import make_report
from plafond.progress import progress_by_step

WORKS_NS = (rings.WORK_NS, throughput.WORK_NS)


def measure_irqs() -> IrqsReport:
    """Boot the guest and measure, with a progress bar on standard error."""
    scenes = [
        *calibrate.calibration_scenes(WORKS_NS),
        *rings.ring_scenes(),
        *throughput.throughput_scenes(),
        *throughput.transfer_scenes(),
        *times.times_scenes(),
        *tasks.task_scenes(),
        *players.player_scenes(),
    ]
    with progress_by_step("booting", len(scenes)) as step:

        def follow(done: int) -> None:
            step(scenes[done].name if done < len(scenes) else "powering off", done)

        files, kernel = run_scenes(scenes, follow)
    return make_report(files, kernel, WORKS_NS)
