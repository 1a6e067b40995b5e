# SPDX-License-Identifier: MIT
"""The overheads of a target, for the bounds of what runs there.

- linux: measured on this machine, now; it needs the privilege for SCHED_FIFO.
- a53: what the scenes of scenes.py take on an image of the kernel in QEMU, in instructions,
  of which one takes a nanosecond there; the result is kept under build/ until the image, the
  compiler's work, or QEMU is another one.
- sim: its time is virtual, and stands still while the kernel works: all costs are 0.
"""

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from plafond.analyse.overheads import Costs, Overheads
from plafond.bench.overheads import measure_overheads, refuse_unmeasured
from plafond.board.boards import BOARDS
from plafond.board.console import parse_console
from plafond.board.image import image_command, run_image
from plafond.board.qemu import find_qemu
from plafond.board.recording import Recording
from plafond.board.trace import trace_of
from plafond.build.image import build_image
from plafond.describe.system import System
from plafond.errors import ArgumentError
from plafond.programs import build_folder
from plafond.protocols import ANALYSED
from plafond.run.arrivals import draw_arrivals
from plafond.run.scene_costs import costs_of, step_ns_of
from plafond.run.scenes import all_scenes, overheads_of, system_of
from plafond.words import suggestion

TARGETS = ("linux", "vm", "a53", "sim")
LIMIT_S = 120.0


def overheads_for(target: str, protocols: Sequence[str], system: System) -> dict[str, Overheads]:
    """Return the overheads of each protocol of a run of the system on the target.

    The error of calibration is that of a run: see Overheads.calibration_ppm. ArgumentError for
    an unknown target; RefusedError names a missing privilege or program.
    """
    if target == "linux":
        refuse_unmeasured(protocols)
        measured = measure_overheads(system)
        return {name: measured.of(name) for name in protocols}
    if target == "sim":
        return {name: Overheads({ANALYSED[name]: Costs()}) for name in protocols}
    if target == "a53":
        return {name: _of_board(target, name, system) for name in protocols}
    raise ArgumentError(
        f"--overheads: found {target!r}; expected one of {', '.join(TARGETS)}"
        f"{suggestion(target, list(TARGETS))}"
    )


def _of_board(board: str, protocol: str, system: System) -> Overheads:
    scenes = all_scenes()
    described = system_of(scenes, system.scheduler, system.kernel)
    recording = Recording(described, draw_arrivals(described, described.seed))
    folder = build_folder() / "overheads" / f"{board}-{protocol}-{system.kernel.status}"
    image = build_image(described, board, protocol, folder, recording)
    cached = folder / "overheads.json"
    key = _key(image.path, image_command(image.path, BOARDS[board]))
    found = _read(cached, key)
    if found is None:
        console = run_image(image.path, BOARDS[board], LIMIT_S)
        trace = trace_of(parse_console(console), recording, protocol)
        found = {name: max(times) for name, times in overheads_of(scenes, trace).items()}
        cached.write_text(json.dumps({"key": key, "overheads_ns": found}, indent=2))
    return Overheads({ANALYSED[protocol]: costs_of(found)}, step_ns=step_ns_of(found))


def _key(image: Path, command: Sequence[str]) -> str:
    """Return what the figures depend on: the image, and the emulator with its options."""
    emulator = Path(find_qemu()).stat()
    which = f"{' '.join(command)} {emulator.st_size} {emulator.st_mtime_ns}"
    return sha256(image.read_bytes() + which.encode()).hexdigest()


def _read(file: Path, key: str) -> dict[str, int] | None:
    try:
        content = json.loads(file.read_text())
    except (OSError, ValueError):
        return None
    return content["overheads_ns"] if content["key"] == key else None
