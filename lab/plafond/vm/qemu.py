# SPDX-License-Identifier: MIT
"""The command line of QEMU; a guest with one processor counts instructions as time."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from plafond.errors import RefusedError
from plafond.vm.guest import Guest, Processor

MEMORY_MIB = 1024
# An empty disk: accesses cost only the work of QEMU and of the guest's driver.
DISK = (
    *("-blockdev", "null-co,node-name=nothing,size=16777216,read-zeroes=on"),
    *("-device", "virtio-blk-pci,drive=nothing"),
)
# Two cards on a hub with nothing else. By default equal runs differ, because QEMU's main loop works
# for the cards beside the guest. Here the processor does this work. A packet to be sent waits for a
# timer of the guest's time, 150 us.
CARD = "virtio-net-pci,ioeventfd=off,tx=timer,romfile="
NETWORK = (
    *("-netdev", "hubport,hubid=0,id=from", "-device", f"{CARD},netdev=from"),
    *("-netdev", "hubport,hubid=0,id=to", "-device", f"{CARD},netdev=to"),
)

# An instruction is a nanosecond, and waiting takes no time of the host. Recording, to /dev/null,
# keeps QEMU's main loop from running beside the processor. Otherwise the main loop may see a halted
# processor before its last instructions are counted, and then move the clock too far, by chance.
COUNTING = "shift=0,sleep=off,rr=record,rrfile=/dev/null"
# A disk's reads end in QEMU's main loop. Equal runs differ, because the clock follows the host's
# clock while the processor waits for a read.
COUNTING_WITH_DISK = "shift=0,sleep=on"
# No random numbers and no date, so that equal runs are equal.
GUEST_OPTIONS = (
    "quiet panic=-1 oops=panic nokaslr norandmaps randomize_kstack_offset=off "
    "softlockup_panic=1 rcupdate.rcu_cpu_stall_suppress=1"
)


@dataclass(frozen=True)
class Machine:
    """A machine that QEMU emulates, and the port on which the guest's `post` reaches the host."""

    program: str
    package: str
    options: Sequence[str]
    kernel_options: str
    # how several processors share the host: in turns ("single"), or with a thread each
    several: str
    post: Sequence[str]  # the device that writes to the chardev "results"


MACHINES = {
    Processor.X86_64: Machine(
        "qemu-system-x86_64",
        "qemu-system-x86",
        ("-M", "q35", "-cpu", "max,-rdrand,-rdseed"),
        "console=ttyS0 tsc=reliable",
        "single",  # QEMU 7.2 crashes if each processor has a thread
        ("-device", "isa-debugcon,iobase=0xe9,chardev=results"),  # as in linux/vm/post.c
    ),
    # cntfrq gives the counter that user code reads the rate of instructions; the default is 62.5
    # MHz.
    Processor.AARCH64: Machine(
        "qemu-system-aarch64",
        "qemu-system-arm",
        ("-M", "virt,gic-version=3", "-cpu", "cortex-a72,cntfrq=1000000000"),
        "console=ttyAMA0",
        # in turns, a processor that spins for another's lock would delay that processor for seconds
        "multi",
        # /dev/vport0p1, as in linux/vm/post-by-port
        ("-device", "virtio-serial-pci", "-device", "virtserialport,chardev=results"),
    ),
}


def find_qemu(processor: Processor) -> str:
    """Return the path of QEMU; RefusedError if it is not installed."""
    machine = MACHINES[processor]
    found = shutil.which(machine.program)
    if not found:
        raise RefusedError(f"{machine.program} is missing: apt install {machine.package}")
    return found


def qemu_command(
    qemu: str, guest: Guest, kernel: Path, image: Path, console: Path, results: Path
) -> list[str]:
    """Return the command of a guest that ends when it powers off or panics.

    A single processor counts instructions. Several processors use the host's clock.
    """
    machine = MACHINES[guest.processor]
    counting = COUNTING_WITH_DISK if guest.disk else COUNTING
    threads = "single" if guest.cpus == 1 else machine.several
    return [
        # The guest must not outlive us.
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
