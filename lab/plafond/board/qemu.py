# SPDX-License-Identifier: MIT
"""The boards that QEMU emulates."""

import shutil
from pathlib import Path

from plafond.errors import RefusedError

PROGRAM = "qemu-system-aarch64"
MEMORY_MIB = 128


def find_qemu() -> str:
    """Return the path of QEMU; RefusedError if it is not installed."""
    found = shutil.which(PROGRAM)
    if not found:
        raise RefusedError(f"{PROGRAM} is missing: apt install qemu-system-arm")
    return found


def serial_at_stdio() -> tuple[str, ...]:
    """Return the arguments that connect a board's serial device to our input and output."""
    return ("-chardev", "stdio,id=console", "-serial", "chardev:console")


def cpus_of(image: Path) -> int:
    """Return the number of cores of an image, which link.ld has written into it."""
    # Imported here, because elftools takes as long to import as all other steps together.
    from elftools.common.exceptions import ELFError
    from elftools.elf.elffile import ELFFile
    from elftools.elf.sections import SymbolTableSection

    try:
        with image.open("rb") as file:
            table = ELFFile(file).get_section_by_name(".symtab")
            found = isinstance(table, SymbolTableSection) and table.get_symbol_by_name("plf_cpus")
    except (OSError, ELFError):
        return 1  # not an image; QEMU will report that
    return int(found[0]["st_value"]) if found else 1


def qemu_command(qemu: str, image: Path, sleeps: bool = False, at_once: bool = False) -> list[str]:
    """Return the command of a board that runs the image until the image ends.

    Each instruction takes a nanosecond. Only one core executes at a time. If `sleeps`, waiting
    takes real time; otherwise time skips the wait. `at_once`: the cores execute in parallel, in the
    host's time.
    """
    counted = ("-icount", f"shift=0,sleep={'on' if sleeps else 'off'}")
    return [
        # The board must not outlive us.
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
