# SPDX-License-Identifier: MIT
"""Fetch the kernels that the virtual machine can boot, and build modules for them."""

import sys
from dataclasses import dataclass
from pathlib import Path

from plafond.errors import PlafondError
from plafond.programs import build_folder, own_folder, run_program
from plafond.vm.guest import KernelLine, Processor

SCRIPTS = Path(__file__).resolve().parents[3] / "linux" / "vm"
# long enough for a slow mirror, but ends a script that is stuck
FETCH_S = 1800.0


@dataclass(frozen=True)
class Kernel:
    """A kernel that is unpacked in a folder."""

    line: KernelLine
    processor: Processor
    folder: Path

    @property
    def image(self) -> Path:
        """Return the file that QEMU boots."""
        return self.folder / "vmlinuz"

    @property
    def release(self) -> str:
        """Return its full release, such as 6.12.95+deb12-rt-amd64."""
        return (self.folder / "release").read_text().strip()


def fetched_kernel(line: KernelLine, processor: Processor = Processor.X86_64) -> Kernel:
    """Return the kernel, fetched from Debian's archive on first use."""
    name = line if processor is Processor.X86_64 else f"{line}-{processor}"
    built = build_folder() / "vm" / name
    folder = built if _is_whole(built) else own_folder("vm") / name
    if not _is_whole(folder):
        _run_script("fetch-kernel", line, folder, processor)
    return Kernel(line, processor, folder)


def _is_whole(folder: Path) -> bool:
    return (folder / "release").exists()


def fetched_drivers(kernel: Kernel) -> list[Path]:
    """Return Debian's own modules; fetch the kernel again if it was fetched without them."""
    assert (kernel.line, kernel.processor) == (KernelLine.V6_12, Processor.X86_64)
    _run_script("fetch-kernel", kernel.line, kernel.folder, kernel.processor)
    return sorted((kernel.folder / "drivers").iterdir())


def built_modules(kernel: Kernel) -> list[Path]:
    """Return our modules for this kernel; build them if their sources are newer.

    The file `order` beside them lists the modules that a guest loads.
    """
    _run_script("build-modules", kernel.line, kernel.folder)
    return sorted((kernel.folder / "modules").iterdir())


def _run_script(name: str, *arguments: str | Path) -> None:
    """Run a script of ours; its lines that end in dots are progress, its other lines errors."""
    wrong: list[str] = []

    def follow(line: str) -> None:
        if line.endswith("..."):
            print(line, file=sys.stderr)
        else:
            wrong.append(line)

    try:
        run_program([SCRIPTS / name, *arguments], follow, FETCH_S)
    except PlafondError as error:
        raise type(error)(wrong[-1] if wrong else str(error)) from None
