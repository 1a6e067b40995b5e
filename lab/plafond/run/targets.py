# SPDX-License-Identifier: MIT
"""Where plans can run."""

from collections.abc import Iterable, Iterator

from plafond.board.boards import BOARDS
from plafond.describe.across_cpus import refuse_across_cpus
from plafond.describe.kernel import SCHEDULER, Scheduler, globals_under
from plafond.describe.linux import needs_kernel, needs_linux
from plafond.describe.system import System
from plafond.errors import ArgumentError
from plafond.protocols import (
    GLOBAL,
    OF_ONE_CPU,
    OF_SERVERS,
    ON_BOARD,
    ON_BOARD_EDF,
    ON_BOARD_GLOBAL,
    ON_BOARD_HARDWARE,
    ON_BOARD_WAITING,
    ON_LINUX,
    STOCK,
    WITH_SERVERS,
    parse_protocols,
)
from plafond.run.job import Job, Outcome
from plafond.run.linux import run_here
from plafond.run.options import Options
from plafond.run.vm import run_in_guest
from plafond.vm.guest import Guest, KernelLine, Processor, refuse_kernel

MOST_CPUS = 2  # of the virtual machine
ON_A_BOARD = "--on sim or --on a53"
ON_LINUX_ITSELF = "--on linux or --on vm"
OF_THREADS = "none,inherit,protect,plafond"
# Those that both schedulers of fixed priorities have need the software's last.
UNDER = {
    Scheduler.HARDWARE: ON_BOARD_HARDWARE,
    Scheduler.PRIORITY: ON_BOARD,
    Scheduler.EDF: ON_BOARD_EDF,
}


def protocols_on(target: str, system: System, text: str | None) -> list[str]:
    """Return the protocols that are asked for, or those that run by default.

    Where there are resources across CPUs, these are their protocols; one for the resources of a
    CPU runs with what goes with it.
    """
    scheduler = system.scheduler
    if target not in BOARDS:
        elsewhere = dict.fromkeys(ON_BOARD_HARDWARE, f'scheduler = "hardware" and {ON_A_BOARD}')
        elsewhere |= dict.fromkeys(ON_BOARD, ON_A_BOARD)
        elsewhere |= dict.fromkeys(ON_BOARD_EDF, f'scheduler = "edf" and {ON_A_BOARD}')
        elsewhere |= dict.fromkeys(ON_BOARD_GLOBAL, ON_A_BOARD)
        if not system.servers:
            return parse_protocols(text or OF_THREADS, tuple(ON_LINUX), elsewhere)
        elsewhere |= {name: "no servers" for name in ON_LINUX if name not in WITH_SERVERS}
        return parse_protocols(text or ",".join(WITH_SERVERS), WITH_SERVERS, elsewhere)
    elsewhere = dict.fromkeys(ON_LINUX, ON_LINUX_ITSELF)
    for needed, names in UNDER.items():
        elsewhere |= dict.fromkeys(names, f'scheduler = "{needed}"')
    here = tuple(UNDER[scheduler])
    has_waiting = scheduler is Scheduler.PRIORITY and not system.servers
    waiting = tuple(ON_BOARD_WAITING) if has_waiting else ()
    if system.servers:
        elsewhere |= dict.fromkeys(ON_BOARD_WAITING, "no servers")
    for resource in system.resources_of_servers[:1]:
        wanted = f"resources of one server each: {resource.name} is of {resource.servers_in_words}"
        elsewhere |= {name: wanted for name in here if name not in OF_SERVERS}
        here = tuple(name for name in here if name in OF_SERVERS)
    if not system.global_resources:
        elsewhere |= dict.fromkeys(ON_BOARD_GLOBAL, "a resource with users on several CPUs")
        return parse_protocols(text or ",".join(here), (*here, *waiting), elsewhere)
    across = globals_under(scheduler)
    return parse_protocols(text or ",".join(across), (*across, *here), elsewhere)


def refuse_kernel_only(system: System, target: str) -> None:
    """Raise ArgumentError for a description that only Plafond's own kernel can execute."""
    needs = needs_kernel(system)
    if needs:
        raise ArgumentError(
            f"--on {target}: found {needs}, which only Plafond's own kernel has; "
            f"expected {ON_A_BOARD}"
        )


def refuse_linux_only(system: System, target: str) -> None:
    """Raise ArgumentError for a description that Plafond's own kernel cannot execute."""
    needs = needs_linux(system)
    if needs:
        raise ArgumentError(
            f"--on {target}: found {needs}, which only Linux has; expected {ON_LINUX_ITSELF}"
        )


def refuse_one_cpu(system: System, protocols: Iterable[str]) -> None:
    """Raise for a resource across CPUs and a protocol that has none.

    ArgumentError names the protocol; DescriptionError what libplafond's mutexes across CPUs do not
    do.
    """
    for resource in system.resources:
        if resource.name == SCHEDULER and len(resource.cpus) > 1:
            raise ArgumentError(
                f"found {SCHEDULER} with users on {resource.cpus_in_words}; expected users on one "
                "CPU: each CPU has its own, and Linux has none"
            )
    across = system.global_resources
    if not across:
        return
    for name in protocols:
        if name in OF_ONE_CPU:
            able = ", ".join(each for each in ON_LINUX if each not in OF_ONE_CPU)
            raise ArgumentError(
                f"--protocol: found {name}, which runs with users on one CPU only, and "
                f"{across[0].name} with users on {across[0].cpus_in_words}; "
                f"expected some of {able}"
            )
        if name in GLOBAL:
            refuse_across_cpus(system)


def run_jobs(jobs: Iterable[Job], options: Options) -> Iterator[Outcome]:
    """Run the plans one after the other; yields what each left."""
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
    return Guest(line, wanted, not STOCK.keys() >= set(protocols), emulated)
