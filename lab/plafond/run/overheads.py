# SPDX-License-Identifier: MIT
"""The overheads of a target, for the bounds of what runs there: see docs/analysis.md.

- linux: measured on this machine, now; it needs the privilege for SCHED_FIFO.
- vm with one CPU, a53: what the scenes of scenes.py take there, in instructions, of which one
  takes a nanosecond; measured once, and kept under build/ (scene_runs.py).
- sim: its time is virtual, and stands still while the kernel works: all costs are 0.
"""

from collections.abc import Sequence

from plafond.analyse.overheads import Costs, Overheads
from plafond.bench.overheads import measure_overheads, refuse_unmeasured
from plafond.board.boards import BOARDS
from plafond.describe.system import System
from plafond.errors import ArgumentError, RefusedError
from plafond.protocols import ANALYSED, STOCK
from plafond.run.scene_costs import costs_of, step_ns_of
from plafond.run.scene_runs import Measured, scenes_in_guest, scenes_on_board
from plafond.vm.guest import Guest
from plafond.words import suggestion

TARGETS = ("linux", "vm", "a53", "sim")


def overheads_for(
    target: str, protocols: Sequence[str], system: System, guest: Guest | None = None
) -> dict[str, Overheads]:
    """Return the overheads of each protocol of a run of the system on the target.

    `guest`: which virtual machine; without it one CPU, and modules if a protocol needs them.
    ArgumentError for an unknown target, and for a guest whose instructions are no times;
    RefusedError names a missing privilege or program.
    """
    refuse_unknown_target(target)
    match target:
        case "linux":
            return _here(protocols, system)
        case "vm":
            chosen = guest or Guest(modules=not STOCK.keys() >= set(protocols))
            if not chosen.is_counting:
                raise ArgumentError(
                    f"--overheads: found vm with {chosen.cpus} CPUs, whose times are the host's; "
                    "expected one CPU"
                )
            measured = scenes_in_guest(chosen, protocols)
            return {name: _of(measured[name], name) for name in protocols}
        case "a53":
            board = BOARDS[target]
            return {
                name: _of(scenes_on_board(board, name, system.scheduler, system.kernel), name)
                for name in protocols
            }
    return {name: Overheads({ANALYSED[name]: Costs()}) for name in protocols}


def refuse_unknown_target(target: str) -> None:
    """Raise ArgumentError for a target whose overheads are not known."""
    if target not in TARGETS:
        raise ArgumentError(
            f"--overheads: found {target!r}; expected none or one of {', '.join(TARGETS)}"
            f"{suggestion(target, list(TARGETS))}"
        )


def _here(protocols: Sequence[str], system: System) -> dict[str, Overheads]:
    refuse_unmeasured(protocols)
    try:
        measured = measure_overheads(system)
    except RefusedError as error:
        raise RefusedError(
            f"{error}; without that privilege expected vm, a53 or sim instead of linux"
        ) from None
    return {name: measured.of(name) for name in protocols}


def _of(measured: Measured, protocol: str) -> Overheads:
    found = measured.overheads_ns
    return Overheads(
        {ANALYSED[protocol]: costs_of(found)},
        measured.noise,
        measured.calibration_ppm,
        step_ns_of(found),
    )
