# SPDX-License-Identifier: MIT
"""The emulator: how it is started, so that one processor counts instructions as time."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from plafond.errors import RefusedError
from plafond.vm.guest import Guest, Processor

MEMORY_MIB = 1024
# Of nothing: what it takes is QEMU's work and the guest's driver.
DISK = (
    *("-blockdev", "null-co,node-name=nothing,size=16777216,read-zeroes=on"),
    *("-device", "virtio-blk-pci,drive=nothing"),
)
# Two cards on a hub with nothing else. By default QEMU's main loop works for them beside the guest,
# and equal runs differ. Here the processor does it, and what is to be sent waits for a timer of the
# guest's time, 150 us.
CARD = "virtio-net-pci,ioeventfd=off,tx=timer,romfile="
NETWORK = (
    *("-netdev", "hubport,hubid=0,id=from", "-device", f"{CARD},netdev=from"),
    *("-netdev", "hubport,hubid=0,id=to", "-device", f"{CARD},netdev=to"),
)

# An instruction is a nanosecond, and waiting takes no time of the host. Recording, into nothing,
# keeps QEMU's main loop from running beside the processor: else it may see it halted before the
# last instructions are counted, and move the clock too far, by chance.
COUNTING = "shift=0,sleep=off,rr=record,rrfile=/dev/null"
# A disk's reads end in QEMU's main loop: while the processor waits for one, the clock goes with the
# host's. So equal runs differ.
COUNTING_WITH_DISK = "shift=0,sleep=on"
# Nothing at random, and nothing of today's date: equal runs are equal.
GUEST_OPTIONS = (
    "quiet panic=-1 oops=panic nokaslr norandmaps randomize_kstack_offset=off "
    "softlockup_panic=1 rcupdate.rcu_cpu_stall_suppress=1"
)


@dataclass(frozen=True)
class Machine:
    """What QEMU emulates, and how the guest's `post` reaches the host."""

    program: str
    package: str
    options: Sequence[str]
    kernel_options: str
    several: str  # how several processors share the host: by turns, or each in a thread of its own
    post: Sequence[str]  # writes to the chardev "results"


MACHINES = {
    Processor.X86_64: Machine(
        "qemu-system-x86_64",
        "qemu-system-x86",
        ("-M", "q35", "-cpu", "max,-rdrand,-rdseed"),
        "console=ttyS0 tsc=reliable",
        "single",  # QEMU 7.2 crashes where each has its own thread
        ("-device", "isa-debugcon,iobase=0xe9,chardev=results"),  # as in linux/vm/post.c
    ),
    # The counter that user code reads has the rate of the instructions; QEMU's own is 62.5 MHz.
    Processor.AARCH64: Machine(
        "qemu-system-aarch64",
        "qemu-system-arm",
        ("-M", "virt,gic-version=3", "-cpu", "cortex-a72,cntfrq=1000000000"),
        "console=ttyAMA0",
        "multi",  # by turns, one that waits for another's lock keeps it waiting, and takes 10 s
        # /dev/vport0p1, as in linux/vm/post-by-port
        ("-device", "virtio-serial-pci", "-device", "virtserialport,chardev=results"),
    ),
}


def find_qemu(processor: Processor) -> str:
    """Return the path of QEMU; RefusedError if there is none."""
    machine = MACHINES[processor]
    found = shutil.which(machine.program)
    if not found:
        raise RefusedError(f"{machine.program} is missing: apt install {machine.package}")
    return found


def qemu_command(
    qemu: str, guest: Guest, kernel: Path, image: Path, console: Path, results: Path
) -> list[str]:
    """Return the command of a guest that ends when it powers off or panics.

    One processor counts. The clock of several is the host's.
    """
    machine = MACHINES[guest.processor]
    counting = COUNTING_WITH_DISK if guest.disk else COUNTING
    threads = "single" if guest.cpus == 1 else machine.several
    return [
        # No guest outlives us.
        *("setpriv", "--pdeathsig", "KILL", qemu),
        *("-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-nic", "none"),
        *(*machine.options, "-m", str(MEMORY_MIB)),
        *("-smp", str(guest.cpus), "-accel", f"tcg,thread={threads}"),
        *(("-icount", counting) if guest.is_counting else ()),
        *("-seed", "1", "-rtc", "base=2000-01-01,clock=vm"),
        *("-kernel", str(kernel), "-initrd", str(image)),
        *("-append", f"{machine.kernel_options} {GUEST_OPTIONS}"),
        *("-serial", f"file:{console}"),
        *("-chardev", f"file,id=results,path={results}", *machine.post),
        *(DISK if guest.disk else ()),
        *(NETWORK if guest.network else ()),
    ]
