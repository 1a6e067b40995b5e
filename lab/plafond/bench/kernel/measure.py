# SPDX-License-Identifier: MIT
"""Build the programs of bench/kernel for each variant of the kernel, and run them on the board."""

import subprocess
from dataclasses import replace
from pathlib import Path
from tempfile import NamedTemporaryFile

from plafond.bench.kernel.counts import Counts, counts_of
from plafond.bench.kernel.model import KernelReport
from plafond.bench.kernel.report import Machine, make_report
from plafond.bench.kernel.variants import Variant
from plafond.board.image import run_image
from plafond.board.qemu import find_qemu
from plafond.board.words import processor_of
from plafond.build.boards import ROOT
from plafond.build.image import Image, build_image
from plafond.build.report import report_of
from plafond.describe import load
from plafond.describe.system import System
from plafond.errors import ArgumentError
from plafond.programs import build_folder
from plafond.run.progress import progress_by_step

BOARD = "a53"
DESCRIPTION = ROOT / "bench" / "kernel" / "system.toml"
LONGEST_S = 20.0


def measure_kernel(board: str) -> KernelReport:
    """Build and run all variants, with a progress bar on standard error."""
    if board != BOARD:
        raise ArgumentError(
            f"--board: found {board!r}; expected {BOARD}, the only board that counts instructions"
        )
    find_qemu()
    system = load(DESCRIPTION)
    images: dict[Variant, Image] = {}
    counts: dict[Variant, Counts] = {}
    with progress_by_step("building", len(Variant)) as step:
        for done, variant in enumerate(Variant):
            step(f"measuring {variant}", done)
            images[variant] = _build(system, variant)
            counts[variant] = _count(variant, images[variant])
    ours = images[Variant.UPRIO_NPRIO]
    machine = Machine(BOARD, processor_of(BOARD), _compiler(ours), ours.board.flags)
    return make_report(counts, machine, report_of(ours))


def _build(system: System, variant: Variant) -> Image:
    kernel = replace(system.kernel, status=variant.status)
    folder = build_folder() / "kernel" / f"bench-{variant}"
    return build_image(replace(system, kernel=kernel), BOARD, variant.protocol, folder)


def _count(variant: Variant, image: Image) -> Counts:
    """One run gives both: to write the log takes the emulated processor no instruction."""
    with NamedTemporaryFile("r", prefix="exceptions", dir=image.folder) as log:
        arguments = ("-d", "int", "-D", log.name)
        console = run_image(image.path, image.board, LONGEST_S, arguments)
        return counts_of(variant, console, log)


def _compiler(image: Image) -> str:
    name = f"{image.board.prefix}gcc"
    said = subprocess.run([name, "-dumpfullversion"], stdout=subprocess.PIPE, text=True, check=True)
    return f"{Path(name).name} {said.stdout.strip()}"
