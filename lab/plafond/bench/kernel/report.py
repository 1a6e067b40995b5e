# SPDX-License-Identifier: MIT
"""Turn what the images counted into the report."""

from collections.abc import Mapping
from dataclasses import dataclass

from plafond.bench.kernel.counts import Counts
from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.model import (
    Conditions,
    Footprint,
    Gain,
    KernelReport,
    Parameter,
)
from plafond.bench.kernel.procedures import TABLE_II, TABLE_III
from plafond.bench.kernel.targets import targets
from plafond.bench.kernel.variants import COMPARED, Variant
from plafond.bench.kernel.zuepke import TABLE_I, gain
from plafond.build.generate import OPTIMIZATION
from plafond.build.report import ImageReport

NOTES = [
    "Instructions, of tasks and kernel together. They are not cycles: a load, a branch and a "
    "write to a system register count alike, and there is neither pipeline nor cache.",
    "An exception costs nothing by itself here, nor does the return from it. On a processor "
    "both do, so a system call that is saved is worth more there than in these tables.",
    "Each procedure is a function of its own, less an empty one; each round begins with the same "
    "ready queue, and whatever is activated ends at once.",
    "System calls are those of all tasks, from QEMU's log of exceptions in the same run.",
    "In braces: relative to syscall; beside them what the paper has there, of cycles.",
    "Schedule of the paper queues the caller and takes it out again; ours looks whether anybody "
    "above it is ready.",
    "T1, T2, T3 are before the sections, in the outer and in the inner one; T*: nobody is "
    "activated, so all of them are one procedure.",
    "irq-off is no protocol of the kernel's but a build for this table alone, in which user mode "
    "may mask interrupts. A section must call no service then: nobody is activated at T2 or T3.",
    "The task between (B) is above the outer ceiling, not the inner one: at T3 it too is one of "
    "medium priority in the paper's sense, so the paper's figure of that stands there again.",
]
# A component of the kernel, as against the tasks and the hook that prints.
KERNEL_PARTS = ("kernel", "port", "tables")


@dataclass(frozen=True)
class Machine:
    """What the images were built with and run on."""

    board: str
    emulator: str
    compiler: str
    flags: str


def make_report(
    counts: Mapping[Variant, Counts], machine: Machine, image: ImageReport
) -> KernelReport:
    """Make the tables of one measurement; `image` is that of uprio-nprio."""
    rows = [row for variant in Variant for row in counts[variant].rows]
    figures = Figures(rows)
    footprint = _footprint(image)
    return KernelReport(
        board=machine.board,
        conditions=Conditions(
            emulator=machine.emulator,
            compiler=machine.compiler,
            flags=f"{OPTIMIZATION.split()[0]} {machine.flags}",
            rounds=counts[Variant.SYSCALL].rounds,
            unequal=[figure for variant in Variant for figure in counts[variant].unequal],
            notes=NOTES,
        ),
        parameters=_parameters(machine),
        rows=rows,
        gains=_gains(figures),
        footprint=footprint,
        targets=targets(figures, footprint),
    )


def _gains(figures: Figures) -> list[Gain]:
    baseline, *others = COMPARED
    return [
        Gain(
            benchmark=name,
            variant=variant,
            gain=figures.count(name, variant) / figures.count(name, baseline) - 1,
            tms570=gain(name, variant, "TMS570"),
            am3359=gain(name, variant, "AM3359"),
        )
        for name in [*TABLE_II, *(section.name for section in TABLE_III)]
        for variant in others
    ]


def _parameters(machine: Machine) -> list[Parameter]:
    ours = {
        "CPU core": "Cortex-A53",
        "architecture": "Armv8-A, AArch64",
        "pipeline": "none: emulated",
        "caches": "none",
        "protection": "MMU, a table and ASID a task",
        "board": f"{machine.emulator.partition(',')[0]}, virt, GICv3",
        "clock": "1 instruction = 1 tick",
        "memory": "128 MiB, an access = its instruction",
        "instructions from": "memory, at no cost",
        "compiler": f"GCC {machine.compiler.split()[-1]}, {OPTIMIZATION.split()[0]}",
    }
    return [
        Parameter(name=name, tms570=tms570, am3359=am3359, board=ours[name])
        for name, (tms570, am3359) in TABLE_I.items()
    ]


def _footprint(image: ImageReport) -> Footprint:
    return Footprint(
        kernel_text=sum(part.text for part in image.sizes if part.part in KERNEL_PARTS),
        task_block=image.task_block,
        saved_registers=image.saved_registers,
        page_tables=image.page_tables,
    )
