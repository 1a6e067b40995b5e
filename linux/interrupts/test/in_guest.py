# SPDX-License-Identifier: MIT
"""Run the wrappers' tests in a guest: a real interrupt with a thread, and reservations.

In these guests the kernel's own admission is off, and each handler of an interrupt has a thread.
The serial line's thread is left alone: with a reservation, the kernel takes the line for broken.
Exit code: 0 all passed, 1 something failed (its output follows), 2 there is no guest.

Example:
  build/venv/bin/python linux/interrupts/test/in_guest.py build
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from plafond.errors import PlafondError
from plafond.vm.guest import Guest
from plafond.vm.machine import run_in_vm

PASSED, FAILED, CANNOT_RUN = 0, 1, 2
LONGEST_S = 7200.0  # finds a hang only
TESTS = ("interrupt", "reserve")
GUEST = Guest(cpus=2)  # so that some threads may use only one
LEFT = "instances"  # the file that names the remaining tracefs instances


def run(build: Path) -> int:
    """Boot, run, and print a line for each test."""
    room = build / "linux/interrupts"
    wrappers = [room / f"plafond-{name}" for name in ("record", "reserve")]
    files: dict[str, Path | bytes] = {
        **{str(wrapper): wrapper for wrapper in wrappers},  # their tests call them by these paths
        **{f"/bin/test-{name}": room / f"test/interrupts_test_{name}" for name in TESTS},
    }
    commands = [
        f"/bin/test-{name} >/results/{name} 2>&1; echo $? >/results/{name}.status" for name in TESTS
    ]
    terminals = "mkdir -p /dev/pts && mount -t devpts none /dev/pts"
    listing = f"ls /sys/kernel/tracing/instances >/results/{LEFT}"
    results = run_in_vm(GUEST, files, [terminals, *commands, listing], LONGEST_S)
    failed = [name for name in TESTS if results.files.get(f"{name}.status") != b"0\n"]
    for name in TESTS:
        print(f"{name:<32} {'failed' if name in failed else 'passed'}")
    for name in failed:
        print(results.files.get(name, b"did not run").decode(errors="replace"))
    left = results.files[LEFT].decode()
    if left:
        print(f"left in the guest's tracefs: {left}")
    return FAILED if failed or left else PASSED


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("build", type=Path, help="the build tree, with the programs")
    arguments = parser.parse_args()
    try:
        return run(arguments.build.resolve())
    except PlafondError as error:
        print(error, file=sys.stderr)
        return CANNOT_RUN


if __name__ == "__main__":
    sys.exit(main())
