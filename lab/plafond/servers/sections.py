# SPDX-License-Identifier: MIT
"""What a section costs without contention: the program `sharing` in a virtual machine."""

from pydantic import TypeAdapter

from plafond.errors import PlafondError
from plafond.programs import find_program
from plafond.servers.model import SectionRow
from plafond.vm.guest import Guest
from plafond.vm.machine import run_in_vm

LONGEST_S = 300.0
PROGRAM = "sharing"
COMMANDS = ["set -e", f"{PROGRAM} >/sections", "post sections /sections", "uname -r | post kernel"]


def measure_sections() -> tuple[list[SectionRow], str]:
    """Boot a guest and run the program; return its rows, and the name of the guest's kernel."""
    files = {f"/bin/{PROGRAM}": find_program(f"bench/{PROGRAM}")}
    results = run_in_vm(Guest(), files, COMMANDS, LONGEST_S)
    if results.status != 0:
        lines = [line for line in results.console.splitlines() if line and line[0] != "["]
        last = lines[-1] if lines else f"exit code {results.status}"
        raise PlafondError(f"the program failed in the virtual machine: {last}")
    return parse_sections(results.files["sections"]), results.files["kernel"].decode().strip()


def parse_sections(output: bytes) -> list[SectionRow]:
    """Return what the program printed."""
    return TypeAdapter(list[SectionRow]).validate_json(output)
