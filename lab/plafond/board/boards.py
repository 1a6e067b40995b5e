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
    """A board: how its images are compiled, and what they can hold."""

    name: str
    prefix: str  # of its compiler and binary utilities
    package: str  # of Debian, that has the compiler
    flags: str
    port_flags: str  # of the port's own files
    link_flags: str
    has_script: bool  # link.ld is rendered
    stack_unit: int  # a stack is a multiple of so many bytes; 0: the board has its own
    memory: int | None  # bytes
    most_sources: int  # of interrupts
    symbol: str  # of its port: which images are its own
    shares_time: bool  # its cores have one stream of instructions, of which each is a nanosecond
    entry_ns: int  # what a kernel entry of a run takes at most, about
    lacks: frozenset[KernelProtocol] = frozenset()

    @property
    def port(self) -> Path:
        """The folder of its port."""
        return KERNEL / "ports" / self.name

    def protocols(self, scheduler: Scheduler) -> list[KernelProtocol]:
        """The protocols that it can run under a scheduler."""
        return [protocol for protocol in protocols_under(scheduler) if protocol not in self.lacks]


# No functions of the compiler's for atomic accesses: a Cortex-A53 has one form of these.
A53_FLAGS = (
    "-std=c11 -ffreestanding -fno-pie -mgeneral-regs-only -mcpu=cortex-a53 -mno-outline-atomics"
)

BOARDS = {
    "sim": Board(
        name="sim",
        prefix="",
        package="gcc",
        flags="-std=c11 -ffreestanding -fno-pie",
        # The processor is simulated by a program of the host.
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
        most_sources=256,  # of QEMU's board virt
        symbol="plf_vectors",
        shares_time=True,
        entry_ns=2000,
    ),
}


def board_of(name: str) -> Board:
    """Return a board; ArgumentError for an unknown one."""
    if name not in BOARDS:
        expected = f"one of {', '.join(BOARDS)}{suggestion(name, list(BOARDS))}"
        raise ArgumentError(f"--board: found {name!r}; expected {expected}")
    return BOARDS[name]
