# SPDX-License-Identifier: MIT
"""Whether `plafond run FILE --on vm` can run here, whatever else this machine denies."""

from plafond.doctor.machine import Machine
from plafond.doctor.model import Finding, ok, warn

TOPIC = "emulator"
# By needed file: the package that has it.
NEEDED = {
    "usr/bin/qemu-system-x86_64": "qemu-system-x86",
    "bin/busybox": "busybox-static",
    "usr/bin/apt-get": "apt",
}


def emulator(machine: Machine) -> Finding:
    """Return whether the programs that boot a PREEMPT_RT kernel without privilege are installed."""
    missing = [package for path, package in NEEDED.items() if not machine.exists(path)]
    if not missing:
        return ok(TOPIC, "run --on vm can boot a PREEMPT_RT kernel here, without privilege (QEMU)")
    what = f"run --on vm cannot run here: {', '.join(missing)} missing"
    return warn(TOPIC, what, f"sudo apt install {' '.join(missing)}")
