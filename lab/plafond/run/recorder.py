# SPDX-License-Identifier: MIT
"""The program that records the kernel's scheduler while a command runs."""

from pathlib import Path

from plafond.programs import find_program

RECORDER = "linux/interrupts/plafond-record"
IN_GUEST = "/bin/plafond-record"
# What a guest's shell has before a command that is recorded there.
GUEST_FILE = "/recording"
GUEST_COMMAND = f"plafond-record {GUEST_FILE} --"


def recorder(file: Path) -> list[str | Path]:
    """Return what stands before a command that is to be recorded in a file."""
    return [find_program(RECORDER), file, "--"]
