# SPDX-License-Identifier: MIT
"""Which virtual machine: what a caller chooses."""

from dataclasses import dataclass
from enum import StrEnum

from plafond.errors import ArgumentError


class KernelLine(StrEnum):
    """A line of Debian's PREEMPT_RT kernels; which one of the line, its archive says."""

    V6_12 = "6.12"
    V7 = "7.x"


class Processor(StrEnum):
    """What QEMU emulates; the name is that of the kernel and of CMake."""

    X86_64 = "x86_64"
    AARCH64 = "aarch64"


@dataclass(frozen=True)
class Guest:
    """A line of kernels, one or two processors, and whether our modules are loaded.

    With a disk, which reads as zeros, equal runs differ; with a network, two cards and nothing
    else, they do not. The modules to load for either lie in /modules. Only Linux 6.12 for x86_64
    has them.
    """

    kernel: KernelLine = KernelLine.V6_12
    cpus: int = 1
    modules: bool = False
    processor: Processor = Processor.X86_64
    disk: bool = False
    network: bool = False

    @property
    def has_drivers(self) -> bool:
        """Whether it needs modules of Debian's own."""
        return self.disk or self.network

    @property
    def is_counting(self) -> bool:
        """Whether an instruction takes a nanosecond of the guest, so that equal runs are equal."""
        return self.cpus == 1

    def built(self, program: str) -> str:
        """Where the build tree has a program for it: that of another processor is a tree inside."""
        return program if self.processor is Processor.X86_64 else f"{self.processor}/{program}"


def refuse_kernel(line: KernelLine, processor: Processor) -> None:
    """Raise ArgumentError for a kernel that the lab does not build modules for."""
    if processor is not Processor.X86_64 and line is not KernelLine.V6_12:
        raise ArgumentError(
            f"--kernel: found {line} with --processor {processor}; expected {KernelLine.V6_12}"
        )
