# SPDX-License-Identifier: MIT
"""The targets on which plans can run, and the protocols that each target has."""

from collections.abc import Iterable, Iterator

from plafond.board.boards import BOARDS
from plafond.describe.across_cpus import refuse_across_cpus
from plafond.describe.kernel import Scheduler, globals_under
from plafond.describe.linux import needs_kernel, needs_linux
from plafond.describe.lock_order import refuse_deadlock
from plafond.describe.system import System
from plafond.errors import ArgumentError
from plafond.protocols import analysed, names_of, parse_protocols, row_of
from plafond.run.job import Job, Outcome
from plafond.run.linux import run_here
from plafond.run.options import Options
from plafond.run.vm import run_in_guest
from plafond.vm.guest import Guest, KernelLine, Processor, refuse_kernel

LONGEST_NAME = 32  # NAME_BYTES of linux/run/plan.h, without the end of the text
MOST_CPUS = 2  # the most that the virtual machine can have
ON_A_BOARD = "--on sim or --on a53"
ON_LINUX_ITSELF = "--on linux or --on vm"
OF_THREADS = "none,inherit,protect,plafond"
# If both schedulers of fixed priorities have a protocol, PRIORITY must overwrite HARDWARE.
SCHEDULERS = (Scheduler.HARDWARE, Scheduler.PRIORITY, Scheduler.EDF)


def protocols_on(target: str, system: System, text: str | None) -> list[str]:
    """Return the protocols that are asked for, or else the default protocols.

    If resources have users on several CPUs, the default are the protocols for such resources. A
    protocol for resources of one CPU then runs with its companion for the others.
    """
    on_linux = names_of(lambda row: row.linux)
    if target in BOARDS:
        return _on_board(system, text, dict.fromkeys(on_linux, ON_LINUX_ITSELF))
    elsewhere: dict[str, str] = {}
    for needed in SCHEDULERS:
        is_usual = needed is Scheduler.PRIORITY
        wanted = ON_A_BOARD if is_usual else f'scheduler = "{needed}" and {ON_A_BOARD}'
        elsewhere |= dict.fromkeys(_under(needed), wanted)
    elsewhere |= dict.fromkeys(names_of(lambda row: row.across), ON_A_BOARD)
    if not system.servers:
        return parse_protocols(text or OF_THREADS, on_linux, elsewhere)
    able = names_of(lambda row: row.linux and row.linux.has_servers)
    elsewhere |= {name: "no servers" for name in on_linux if name not in able}
    return parse_protocols(text or ",".join(able), able, elsewhere)


def protocols_to_run(target: str, system: System, text: str | None) -> list[str]:
    """Return the protocols of protocols_on() if the target can run the system under each of them.

    ArgumentError, DescriptionError or PlafondError names the reason why it cannot.
    """
    is_board = target in BOARDS
    (refuse_linux_only if is_board else refuse_kernel_only)(system, target)
    protocols = protocols_on(target, system, text)
    if not is_board:
        refuse_one_cpu(system, protocols)
    refuse_deadlock(system, [analysed(name) for name in protocols])
    return protocols


def _under(scheduler: Scheduler) -> tuple[str, ...]:
    """Return the protocols of a board that run by default under a scheduler."""
    return names_of(lambda row: row.runs_under(scheduler))


def _on_board(system: System, text: str | None, elsewhere: dict[str, str]) -> list[str]:
    scheduler = system.scheduler
    for needed in SCHEDULERS:
        elsewhere |= dict.fromkeys(_under(needed), f'scheduler = "{needed}"')
    here = _under(scheduler)
    # These protocols have names of Linux, so a run takes them only if --protocol names them.
    waiting = names_of(lambda row: row.kernel and row.kernel.waits)
    if system.servers:
        elsewhere |= dict.fromkeys(waiting, "no servers")
    if system.servers or scheduler is not Scheduler.PRIORITY:
        waiting = ()
    for resource in system.resources_of_servers[:1]:
        wanted = f"resources of one server each: {resource.name} is of {resource.servers_in_words}"
        able = names_of(lambda row: row.kernel and row.kernel.is_of_servers)
        elsewhere |= {name: wanted for name in here if name not in able}
        here = tuple(name for name in here if name in able)
    if not system.global_resources:
        across = names_of(lambda row: row.across)
        elsewhere |= dict.fromkeys(across, "a resource with users on several CPUs")
        return parse_protocols(text or ",".join(here), (*here, *waiting), elsewhere)
    able_across = globals_under(scheduler)
    return parse_protocols(text or ",".join(able_across), (*able_across, *here), elsewhere)


def refuse_kernel_only(system: System, target: str) -> None:
    """Raise ArgumentError if only Plafond's own kernel can execute the description, or no target
    can."""
    _refuse_background(system, target)
    needs = needs_kernel(system)
    if needs:
        raise ArgumentError(
            f"--on {target}: found {needs}, which only Plafond's own kernel has; "
            f"expected {ON_A_BOARD}"
        )
    for each in (*system.tasks, *system.resources, *system.servers):
        if len(each.name) > LONGEST_NAME:
            raise ArgumentError(
                f"--on {target}: found the name {each.name} of {len(each.name)} characters; "
                f"expected at most {LONGEST_NAME}, or {ON_A_BOARD}"
            )


def refuse_linux_only(system: System, target: str) -> None:
    """Raise ArgumentError if Plafond's own kernel cannot execute the description."""
    _refuse_background(system, target)
    needs = needs_linux(system)
    if needs:
        raise ArgumentError(
            f"--on {target}: found {needs}, which only Linux has; expected {ON_LINUX_ITSELF}"
        )


def _refuse_background(system: System, target: str) -> None:
    task = next((task for task in system.tasks if task.background), None)
    if task:
        raise ArgumentError(
            f"--on {target}: found {task.name} in the background, as SCHED_OTHER, which no target "
            "runs; expected a priority, or for a file of rt-app --default-policy SCHED_FIFO"
        )


def refuse_one_cpu(system: System, protocols: Iterable[str]) -> None:
    """Raise if a resource has users on several CPUs and a protocol does not support that.

    ArgumentError names the protocol. DescriptionError names a feature that libplafond's mutexes
    across CPUs lack.
    """
    across = system.global_resources
    if not across:
        return
    for name in protocols:
        traits = row_of(name).linux
        if traits and traits.is_of_one_cpu:
            able = ", ".join(names_of(lambda row: row.linux and not row.linux.is_of_one_cpu))
            raise ArgumentError(
                f"--protocol: found {name}, which runs with users on one CPU only, and "
                f"{across[0].name} with users on {across[0].cpus_in_words}; "
                f"expected some of {able}"
            )
        if traits and traits.is_global:
            refuse_across_cpus(system)


def run_jobs(jobs: Iterable[Job], options: Options) -> Iterator[Outcome]:
    """Run the plans one after the other; yield the outcome of each."""
    if options.guest:
        return run_in_guest(jobs, options.guest)
    return run_here(jobs, options.out)


def choose_guest(
    system: System,
    protocols: Iterable[str],
    kernel: KernelLine | None,
    cpus: int | None,
    processor: Processor | None = None,
) -> Guest:
    """Return the virtual machine for a description; ArgumentError if it has too few processors."""
    wanted = cpus or system.cpus
    if system.cpus > MOST_CPUS:
        raise ArgumentError(
            f"the description has {system.cpus} CPUs; the virtual machine has at most {MOST_CPUS}"
        )
    if wanted < system.cpus:
        raise ArgumentError(
            f"--cpus: found {wanted}; expected {system.cpus}, as the description has"
        )
    line = kernel or KernelLine.V6_12
    emulated = processor or Processor.X86_64
    refuse_kernel(line, emulated)
    return Guest(line, wanted, not all(row_of(name).is_stock for name in protocols), emulated)
