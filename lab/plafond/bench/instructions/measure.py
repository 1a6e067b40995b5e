# SPDX-License-Identifier: MIT
"""Run the program `instructions` in the guest, without modules, and with each of ours loaded."""

import json
from pathlib import Path

from plafond.bench.instructions.model import InstructionsReport, Loaded, Output
from plafond.bench.instructions.report import make_report
from plafond.errors import PlafondError
from plafond.programs import find_program
from plafond.progress import progress_by_step
from plafond.vm.guest import Guest, KernelLine, Processor, refuse_kernel
from plafond.vm.machine import READY, run_in_vm
from plafond.vm.messages import Message

LONGEST_S = 600.0
DROP_IN = "/lib/libplafond-pthread.so"  # the path in the guest
# The guest boots with the modules loaded. Unloading them leaves no trace in the kernel.
COMMANDS = [
    "set -e",
    "rmmod immpc_driver plafond",
    "instructions stock >/stock && post stock /stock",
    f"LD_PRELOAD={DROP_IN} PLAFOND_BACKEND=user instructions frames >/frames",
    "post frames /frames",
    "insmod /modules/plafond.ko",
    "instructions-module module >/module && post module /module",
    f"LD_PRELOAD={DROP_IN} PLAFOND_BACKEND=module instructions drop-in >/drop-in",
    "post drop-in /drop-in",
    "insmod /modules/immpc_driver.ko",
    "instructions driver >/driver && post driver /driver",
]
WORDS = {
    Loaded.NOTHING: "locks that need no module",
    Loaded.FRAMES: "mutexes of pthreads with the drop-in",
    Loaded.MODULE: "locks of the module",
    Loaded.DROP_IN: "mutexes of pthreads with the drop-in and the module",
    Loaded.DRIVER: "mutexes of the kernel",
}


def measure_instructions(line: KernelLine, processor: Processor) -> InstructionsReport:
    """Boot the guest and measure, with a progress bar on standard error."""
    refuse_kernel(line, processor)
    guest = Guest(line, cpus=1, modules=True, processor=processor)
    files: dict[str, Path | bytes] = {
        f"/bin/{name}": find_program(guest.built(f"bench/{name}"))
        for name in ("instructions", "instructions-module")
    }
    files[DROP_IN] = find_program(guest.built("linux/pthread/libplafond-pthread.so"))
    parts = list(Loaded)
    with progress_by_step(f"booting Linux {line}", len(parts)) as step:

        def follow(message: Message) -> None:
            if message.name == READY:
                step(WORDS[parts[0]], 0)
            elif message.name in parts:
                done = parts.index(Loaded(message.name)) + 1
                step(WORDS[parts[done]] if done < len(parts) else "powering off", done)

        results = run_in_vm(guest, files, COMMANDS, LONGEST_S, follow)
    if results.status != 0:
        lines = results.console.strip().splitlines()
        raise PlafondError(
            f"the program failed in the virtual machine: {lines[-1] if lines else results.status}"
        )
    outputs = {part: Output.model_validate(json.loads(results.files[part])) for part in parts}
    return make_report(outputs, guest)
