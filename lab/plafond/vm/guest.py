# SPDX-License-Identifier: MIT
"""The properties of a virtual machine that a caller chooses."""

from dataclasses import dataclass
from enum import StrEnum

from plafond.errors import ArgumentError


class KernelLine(StrEnum):
    """A line of Debian's PREEMPT_RT kernels; Debian's archive determines the release."""

    V6_12 = "6.12"
    V7 = "7.x"


class Processor(StrEnum):
    """The processor that QEMU emulates, by its name in the kernel and in CMake."""

    X86_64 = "x86_64"
    AARCH64 = "aarch64"


@dataclass(frozen=True)
class Guest:
    """A line of kernels, the number of processors, and whether our modules are loaded.

    `disk`: a disk that reads as zeros, with which equal runs differ. `network`: two cards connected
    to each other only, with which equal runs are equal. The modules for both are in /modules of the
    guest. Only Linux 6.12 for x86_64 has them.
    """

    kernel: KernelLine = KernelLine.V6_12
    cpus: int = 1
    modules: bool = False
    processor: Processor = Processor.X86_64
    disk: bool = False
    network: bool = False

    @property
    def has_drivers(self) -> bool:
        """Return whether the guest needs Debian's own modules."""
        return self.disk or self.network

    @property
    def is_counting(self) -> bool:
        """Return whether an instruction takes a nanosecond of the guest: equal runs are equal."""
        return self.cpus == 1

    def built(self, program: str) -> str:
        """Return the path of a program in the build tree; other processors have a subtree."""
        return program if self.processor is Processor.X86_64 else f"{self.processor}/{program}"


def refuse_kernel(line: KernelLine, processor: Processor) -> None:
    """Raise ArgumentError if the lab does not build modules for the kernel."""
    if processor is not Processor.X86_64 and line is not KernelLine.V6_12:
        raise ArgumentError(
            f"--kernel: found {line} with --processor {processor}; expected {KernelLine.V6_12}"
        )
