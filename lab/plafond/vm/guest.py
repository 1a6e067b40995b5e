# SPDX-License-Identifier: MIT
"""Which virtual machine: what a caller chooses."""

from dataclasses import dataclass
from enum import StrEnum


class KernelLine(StrEnum):
    """A line of Debian's PREEMPT_RT kernels; which one of the line, its archive says."""

    V6_12 = "6.12"
    V7 = "7.x"


@dataclass(frozen=True)
class Guest:
    """A line of kernels, one or two processors, and whether our modules are loaded."""

    kernel: KernelLine = KernelLine.V6_12
    cpus: int = 1
    modules: bool = False

    @property
    def is_counting(self) -> bool:
        """Whether an instruction takes a nanosecond of the guest, so that equal runs are equal."""
        return self.cpus == 1
