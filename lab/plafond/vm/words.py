# SPDX-License-Identifier: MIT
"""The phrases in which a report describes the virtual machine and its times."""

import subprocess

from plafond.vm.guest import Guest
from plafond.vm.qemu import find_qemu


def emulation_of(guest: Guest) -> str:
    """Return how far the times of this guest can be trusted."""
    if guest.is_counting:
        return "emulated, 1 instruction = 1 ns: no time of a real processor, and the same each run"
    return "emulated, by the clock of the host: no time of a real processor"


def emulator(guest: Guest) -> str:
    """Return the name and version of the emulator, in place of a processor's name."""
    said = subprocess.run(
        [find_qemu(guest.processor), "--version"], capture_output=True, text=True, check=True
    )
    version = said.stdout.split("version ")[-1].split()[0]
    return f"QEMU {version}, emulated processor"
