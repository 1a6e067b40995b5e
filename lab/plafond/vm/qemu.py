# SPDX-License-Identifier: MIT
"""The emulator: how it is started, so that one processor counts instructions as time."""

import shutil
from pathlib import Path

from plafond.errors import RefusedError
from plafond.vm.guest import Guest

PROGRAM = "qemu-system-x86_64"
MEMORY_MIB = 1024
RESULTS_PORT = "0xe9"  # as in linux/vm/post.c

# An instruction is a nanosecond, and waiting takes no time of the host. Recording, into nothing,
# keeps QEMU's main loop from running beside the processor: else it may see it halted before the
# last instructions are counted, and move the clock too far, by chance.
COUNTING = "shift=0,sleep=off,rr=record,rrfile=/dev/null"
# Nothing at random, and nothing of today's date: equal runs are equal.
GUEST_OPTIONS = (
    "console=ttyS0 quiet panic=-1 oops=panic nokaslr norandmaps randomize_kstack_offset=off "
    "tsc=reliable softlockup_panic=1 rcupdate.rcu_cpu_stall_suppress=1"
)


def find_qemu() -> str:
    """Return the path of QEMU; RefusedError if there is none."""
    found = shutil.which(PROGRAM)
    if not found:
        raise RefusedError(f"{PROGRAM} is missing: apt install qemu-system-x86")
    return found


def qemu_command(
    qemu: str, guest: Guest, kernel: Path, image: Path, console: Path, results: Path
) -> list[str]:
    """Return the command of a guest that ends when it powers off or panics.

    One processor counts. Two take turns on one thread of the host, whose clock is theirs; QEMU 7.2
    crashes when each has its own thread.
    """
    return [
        # No guest outlives us.
        *("setpriv", "--pdeathsig", "KILL", qemu),
        *("-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-nic", "none"),
        *("-M", "q35", "-m", str(MEMORY_MIB), "-cpu", "max,-rdrand,-rdseed"),
        *("-smp", str(guest.cpus), "-accel", "tcg,thread=single"),
        *(("-icount", COUNTING) if guest.is_counting else ()),
        *("-seed", "1", "-rtc", "base=2000-01-01,clock=vm"),
        *("-kernel", str(kernel), "-initrd", str(image), "-append", GUEST_OPTIONS),
        *("-serial", f"file:{console}"),
        *("-chardev", f"file,id=results,path={results}"),
        *("-device", f"isa-debugcon,iobase={RESULTS_PORT},chardev=results"),
    ]
