# SPDX-License-Identifier: MIT
"""The boards that an image can be built for."""

from dataclasses import dataclass
from pathlib import Path

from plafond.describe.kernel import Scheduler, protocols_under
from plafond.errors import ArgumentError
from plafond.protocols import KernelProtocol
from plafond.words import suggestion

ROOT = Path(__file__).resolve().parents[3]
KERNEL = ROOT / "kernel"


@dataclass(frozen=True)
class Board:
    """A board: how to compile its images, and how much they can hold."""

    name: str
    prefix: str  # the prefix of its compiler's and binary utilities' names
    package: str  # Debian's package of the compiler
    flags: str
    port_flags: str  # the flags for the port's own files
    link_flags: str
    has_script: bool  # the linker script link.ld is rendered from a template
    # a stack's size is a multiple of this, in bytes; 0: the board supplies the stacks
    stack_unit: int
    memory: int | None  # in bytes
    most_sources: int  # the number of interrupt sources
    symbol: str  # an image has this symbol of the port exactly if it is for this board
    # its cores share one stream of instructions, each of which takes a nanosecond
    shares_time: bool
    entry_ns: int  # roughly the longest kernel entry of a run
    lacks: frozenset[KernelProtocol] = frozenset()

    @property
    def port(self) -> Path:
        """Return the folder of the board's port."""
        return KERNEL / "ports" / self.name

    def protocols(self, scheduler: Scheduler) -> list[KernelProtocol]:
        """Return the protocols that the board can run under a scheduler."""
        return [protocol for protocol in protocols_under(scheduler) if protocol not in self.lacks]


# No library functions for atomic accesses, because the Cortex-A53 has only one form of them.
A53_FLAGS = (
    "-std=c11 -ffreestanding -fno-pie -mgeneral-regs-only -mcpu=cortex-a53 -mno-outline-atomics"
)

BOARDS = {
    "sim": Board(
        name="sim",
        prefix="",
        package="gcc",
        flags="-std=c11 -ffreestanding -fno-pie",
        # A program of the host simulates the processor.
        port_flags="-std=gnu11 -D_GNU_SOURCE -fno-pie",
        link_flags="-no-pie",
        has_script=False,
        stack_unit=0,
        memory=None,
        most_sources=1 << 32,
        symbol="plf_processor",
        shares_time=False,
        entry_ns=0,
        lacks=frozenset([KernelProtocol.IRQ_OFF]),
    ),
    "a53": Board(
        name="a53",
        prefix="aarch64-linux-gnu-",
        package="gcc-aarch64-linux-gnu",
        flags=A53_FLAGS,
        port_flags=A53_FLAGS,
        link_flags="-nostdlib -static -no-pie",
        has_script=True,
        stack_unit=4096,
        memory=128 << 20,
        most_sources=256,  # a limit of QEMU's board virt
        symbol="plf_vectors",
        shares_time=True,
        entry_ns=2000,
    ),
}


def board_of(name: str) -> Board:
    """Return a board; ArgumentError for an unknown name."""
    if name not in BOARDS:
        expected = f"one of {', '.join(BOARDS)}{suggestion(name, list(BOARDS))}"
        raise ArgumentError(f"--board: found {name!r}; expected {expected}")
    return BOARDS[name]
