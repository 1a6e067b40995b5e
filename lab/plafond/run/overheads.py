# SPDX-License-Identifier: MIT
"""The overheads of a target, for the bounds of a run there: docs/analysis/overheads.md.

- linux: measured on this machine at every run, which needs the privilege for SCHED_FIFO.
- vm and a53, with one CPU: the times of the scenes of scenes.py, in instructions; an instruction
  counts as a nanosecond. They are measured once and kept under build/ (scene_runs.py).
- sim: all costs are 0, because its virtual time stands still while the kernel works.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from plafond.analyse.overheads import (
    Costs,
    Overheads,
    ServerCosts,
    refuse_servers,
    refuse_uncosted,
)
from plafond.bench.overheads import measure_overheads, refuse_unmeasured
from plafond.board.boards import BOARDS, Board
from plafond.describe.kernel import Scheduler
from plafond.describe.linux import needs_kernel
from plafond.describe.system import System
from plafond.doctor.machine import Machine
from plafond.errors import ArgumentError, RefusedError
from plafond.progress import progress_by_step
from plafond.protocols import analysed, row_of
from plafond.run.recorder import recorder
from plafond.run.scene_costs import costs_of, largest, step_ns_of
from plafond.run.scene_runs import Measured, scenes_in_guest, scenes_on_board
from plafond.run.server_costs import servers_here, servers_in_guest
from plafond.units import UNIT_NS
from plafond.vm.guest import Guest
from plafond.words import suggestion

NOWHERE = Path("/dev/null")  # the recording of a measurement is thrown away
TARGETS = ("linux", "vm", "a53", "sim")
ON_LINUX = ("linux", "vm")
FEATURES = "sys/kernel/debug/sched/features"  # the scheduler's features; only for root
SHORTEST_TIMER_NS = 10 * UNIT_NS["us"]  # the scheduler sets no shorter timer: hrtick_start()
TICK_RATES = (1000, 300, 250, 100)  # in Hz: the rates that a kernel can be built with
TICK_OF_GUEST_NS = UNIT_NS["s"] // 250  # Debian's kernels have CONFIG_HZ_250


def overheads_for(
    target: str,
    protocols: Sequence[str],
    system: System,
    guest: Guest | None = None,
    is_recorded: bool = False,
) -> dict[str, Overheads]:
    """Return the overheads of each protocol for a run of the system on the target.

    `guest`: the virtual machine; None: one CPU, with modules if a protocol needs them.
    `is_recorded`: the kernel's scheduler is recorded during the measurement, as in the run.
    ArgumentError for an unknown target, for a guest whose time does not count instructions, and for
    servers or reserved tasks with unknown costs. RefusedError names a missing privilege or program.
    """
    refuse_unknown_target(target)
    if target in ON_LINUX:
        refuse_uncosted(system, has_caches=target == "linux")
    if system.servers and target != "sim":
        _refuse_unmeasured_servers(target, system)
    elif system.reserved_tasks and target != "sim":
        refuse_servers(system)
    found = _overheads(target, protocols, system, guest, is_recorded)
    if system.servers and target in ON_LINUX:
        servers = _servers(target, system, guest, is_recorded)
        found = {name: replace(each, servers=servers) for name, each in found.items()}
    if not system.reservations:
        return found
    tick_ns = TICK_OF_GUEST_NS if target == "vm" else tick_ns_of(Machine())
    return {name: replace(each, tick_ns=tick_ns) for name, each in found.items()}


def _refuse_unmeasured_servers(target: str, system: System) -> None:
    """Raise ArgumentError for servers whose costs are not known."""
    if target not in ON_LINUX:
        refuse_servers(system)
    missing = needs_kernel(system)
    if missing:
        raise ArgumentError(
            f"--overheads {target}: found {missing}, which only Plafond's own kernel has; expected "
            "what a run on Linux has"
        )


def _servers(target: str, system: System, guest: Guest | None, is_recorded: bool) -> ServerCosts:
    if target == "linux":
        return servers_here(system, is_recorded)
    return servers_in_guest(system, guest or Guest(), is_recorded)


def tick_ns_of(machine: Machine) -> int:
    """Return how late a machine's kernel may end a budget, in ns.

    It ends budgets at ticks, unless it has timers for them. If the rate of its ticks is not known,
    return the longest tick.
    """
    if "HRTICK_DL" in (machine.text(FEATURES) or "").split():
        return SHORTEST_TIMER_NS
    rates = (hz for hz in TICK_RATES if machine.option(f"HZ_{hz}"))
    return UNIT_NS["s"] // next(rates, min(TICK_RATES))


def _overheads(
    target: str, protocols: Sequence[str], system: System, guest: Guest | None, is_recorded: bool
) -> dict[str, Overheads]:
    match target:
        case "linux":
            return _here(protocols, system, is_recorded)
        case "vm":
            chosen = guest or Guest(modules=not all(row_of(name).is_stock for name in protocols))
            if not chosen.is_counting:
                raise ArgumentError(
                    f"--overheads: found vm with {chosen.cpus} CPUs, whose times are the host's; "
                    "expected one CPU"
                )
            measured = scenes_in_guest(chosen, protocols, is_recorded)
            return {name: _of([measured[name]], name) for name in protocols}
        case "a53":
            return _on_boards(BOARDS[target], protocols, system)
    return {name: Overheads({analysed(name): Costs()}) for name in protocols}


def refuse_unknown_target(target: str) -> None:
    """Raise ArgumentError if the overheads of the target are not known."""
    if target not in TARGETS:
        raise ArgumentError(
            f"--overheads: found {target!r}; expected none or one of {', '.join(TARGETS)}"
            f"{suggestion(target, list(TARGETS))}"
        )


def _here(protocols: Sequence[str], system: System, is_recorded: bool) -> dict[str, Overheads]:
    refuse_unmeasured(protocols)
    try:
        measured = measure_overheads(system, recorder(NOWHERE) if is_recorded else [])
    except RefusedError as error:
        raise RefusedError(
            f"{error}; without that privilege expected vm, a53 or sim instead of linux"
        ) from None
    return {name: measured.of(name) for name in protocols}


def _on_boards(board: Board, protocols: Sequence[str], system: System) -> dict[str, Overheads]:
    found = {}
    what = f"measuring the overheads of {board.name}"
    with progress_by_step(what, len(protocols)) as step:
        for done, protocol in enumerate(protocols):
            step(f"{what} under {protocol}", done)
            found[protocol] = _on_board(board, protocol, system)
    return found


def _on_board(board: Board, protocol: str, system: System) -> Overheads:
    """Measure with an empty ready queue; under EDF also with a full one, because it is a heap."""
    if board.shares_time and system.cpus > 1:
        raise ArgumentError(
            f"--overheads: found {board.name} with {system.cpus} CPUs, which share one stream of "
            "instructions; expected one CPU"
        )
    fillings = (0, len(system.tasks)) if system.scheduler is Scheduler.EDF else (0,)
    measured = [
        scenes_on_board(board, protocol, system.scheduler, system.kernel, ready)
        for ready in fillings
    ]
    return _of(measured, protocol)


def _of(measured: Sequence[Measured], protocol: str) -> Overheads:
    """Return the largest costs of a protocol that was measured in several ways."""
    return Overheads(
        {analysed(protocol): largest([costs_of(each.overheads_ns) for each in measured])},
        measured[0].noise,
        max(step_ns_of(each.overheads_ns) + each.turn_ns for each in measured),
    )
