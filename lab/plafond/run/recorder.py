# SPDX-License-Identifier: MIT
"""Find the program that records the kernel's scheduler while a command runs."""

from pathlib import Path

from plafond.programs import find_program

RECORDER = "linux/interrupts/plafond-record"
IN_GUEST = "/bin/plafond-record"
# A guest's shell puts these words before a command that it records.
GUEST_FILE = "/recording"
GUEST_COMMAND = f"plafond-record {GUEST_FILE} --"


def recorder(file: Path) -> list[str | Path]:
    """Return the words to put before a command that is recorded to a file."""
    return [find_program(RECORDER), file, "--"]
