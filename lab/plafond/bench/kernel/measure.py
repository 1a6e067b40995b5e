# SPDX-License-Identifier: MIT
"""Build the programs of bench/kernel for each variant of the kernel, and run them on the board."""

import subprocess
from dataclasses import replace
from pathlib import Path
from tempfile import NamedTemporaryFile

from plafond.bench.kernel.asberg import PAPER, set_row
from plafond.bench.kernel.core_counts import counts_by_core
from plafond.bench.kernel.counts import Counts, counts_of
from plafond.bench.kernel.growth import of_system
from plafond.bench.kernel.log import EXCEPTIONS, INSTRUCTIONS
from plafond.bench.kernel.model import KernelReport
from plafond.bench.kernel.places import places_of
from plafond.bench.kernel.programs import BUILDS, Build, Program
from plafond.bench.kernel.report import Machine, make_report
from plafond.bench.kernel.variants import Variant
from plafond.board.image import run_image
from plafond.board.qemu import find_qemu
from plafond.board.words import processor_of
from plafond.build.image import Image, build_image
from plafond.build.report import report_of
from plafond.errors import ArgumentError
from plafond.programs import own_folder
from plafond.progress import progress_by_step

BOARD = "a53"
LONGEST_S = 120.0
# Images whose footprint is reported; the first is our own protocol.
SIZED = (
    Build(Program.ZUEPKE, Variant.UPRIO_NPRIO),
    Build(Program.ALMATARY, Variant.LAZY_CEILING),
    Build(Program.ALMATARY, Variant.LAZY_FLOOR),
)
SCHEDULERS = (
    Build(Program.MUELLER, Variant.SYSCALL),
    Build(Program.MUELLER, Variant.HARDWARE_MASK),
)


def measure_kernel(board: str) -> KernelReport:
    """Build and run all variants, with a progress bar on standard error."""
    if board != BOARD:
        raise ArgumentError(
            f"--board: found {board!r}; expected {BOARD}, the only board that counts instructions"
        )
    find_qemu()
    images: dict[Build, Image] = {}
    counts: dict[Build, Counts] = {}
    sharing_sets = []
    with progress_by_step("building", len(BUILDS) + len(PAPER.rows)) as step:
        for done, build in enumerate(BUILDS):
            step(f"measuring {build}", done)
            images[build] = _build(build)
            counts[build] = _count(build, images[build])
        for seed in range(len(PAPER.rows)):
            step(f"measuring set {seed + 1} of Asberg", len(BUILDS) + seed)
            sharing_sets.append(set_row(seed))
    ours = images[SIZED[0]]
    machine = Machine(BOARD, processor_of(BOARD), _compiler(ours), ours.board.flags)
    sizes, schedulers = (
        {build.variant: report_of(images[build]) for build in some} for some in (SIZED, SCHEDULERS)
    )
    two_cores = {build.variant: report_of(_build(build, cpus=2)) for build in SCHEDULERS}
    return make_report(counts, machine, sizes, schedulers, two_cores, sharing_sets)


def _build(build: Build, cpus: int | None = None) -> Image:
    """Build an image; `cpus` replaces the number of CPUs of its description."""
    folder = own_folder("kernel") / f"bench-{build}{f'-cpus-{cpus}' if cpus else ''}"
    system = build.system()
    return build_image(
        replace(system, cpus=cpus or system.cpus),
        BOARD,
        build.variant.protocol,
        folder,
        level=build.level,
        for_tools=build in (*SIZED, *SCHEDULERS),
    )


def _count(build: Build, image: Image) -> Counts:
    """Run an image once for console and log, because logging costs no emulated instruction."""
    by_core = build.program.has_two_cores
    with NamedTemporaryFile("r", prefix="log", dir=image.folder) as log:
        arguments = (*(INSTRUCTIONS if by_core else EXCEPTIONS), "-D", log.name)
        console = run_image(image.path, image.board, LONGEST_S, arguments)
        if not by_core:
            return of_system(counts_of(build.variant, console, log), build.mark)
        counts = counts_by_core(build.variant, console, log, places_of(image.path))
        return of_system(counts, build.mark)


def _compiler(image: Image) -> str:
    name = f"{image.board.prefix}gcc"
    said = subprocess.run([name, "-dumpfullversion"], stdout=subprocess.PIPE, text=True, check=True)
    return f"{Path(name).name} {said.stdout.strip()}"
