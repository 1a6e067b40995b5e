# SPDX-License-Identifier: MIT
"""The emulated boards."""

import shutil
from pathlib import Path

from plafond.errors import RefusedError

PROGRAM = "qemu-system-aarch64"
MEMORY_MIB = 128


def find_qemu() -> str:
    """Return the path of QEMU; RefusedError if there is none."""
    found = shutil.which(PROGRAM)
    if not found:
        raise RefusedError(f"{PROGRAM} is missing: apt install qemu-system-arm")
    return found


def serial_at_stdio() -> tuple[str, ...]:
    """Return what lets a board's serial device read our input and write to our output."""
    return ("-chardev", "stdio,id=console", "-serial", "chardev:console")


def cpus_of(image: Path) -> int:
    """Return how many cores an image is for, as link.ld has written it into it."""
    # Here, since they take as long to import as all else that starts an image on another board.
    from elftools.common.exceptions import ELFError
    from elftools.elf.elffile import ELFFile
    from elftools.elf.sections import SymbolTableSection

    try:
        with image.open("rb") as file:
            table = ELFFile(file).get_section_by_name(".symtab")
            found = isinstance(table, SymbolTableSection) and table.get_symbol_by_name("plf_cpus")
    except (OSError, ELFError):
        return 1  # no image, as QEMU will say
    return int(found[0]["st_value"]) if found else 1


def qemu_command(qemu: str, image: Path, sleeps: bool = False, at_once: bool = False) -> list[str]:
    """Return the command of a board that runs the image until it says that it has ended.

    An instruction is a nanosecond, of all cores together: one of them executes at a time. Waiting
    takes no time of the host, but where it `sleeps`. `at_once`: the cores execute in parallel, and
    time is the host's.
    """
    counted = ("-icount", f"shift=0,sleep={'on' if sleeps else 'off'}")
    return [
        # No board outlives us.
        *("setpriv", "--pdeathsig", "KILL", qemu),
        *("-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-nic", "none"),
        *("-M", "virt,gic-version=3", "-cpu", "cortex-a53,cntfrq=1000000000"),
        *("-smp", str(cpus_of(image)), "-m", str(MEMORY_MIB)),
        *("-accel", f"tcg,thread={'multi' if at_once else 'single'}"),
        *(() if at_once else counted),
        *("-seed", "1", "-rtc", "base=2000-01-01,clock=vm"),
        *("-semihosting-config", "enable=on,target=native"),
        *("-kernel", str(image)),
    ]
