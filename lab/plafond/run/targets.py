# SPDX-License-Identifier: MIT
"""Where plans can run."""

from collections.abc import Iterable, Iterator

from plafond.describe.system import System
from plafond.errors import ArgumentError
from plafond.protocols import STOCK
from plafond.run.job import Job, Outcome
from plafond.run.linux import run_here
from plafond.run.options import Options
from plafond.vm.guest import Guest, KernelLine
from plafond.vm.jobs import run_in_guest

MOST_CPUS = 2  # of the virtual machine


def run_jobs(jobs: Iterable[Job], options: Options) -> Iterator[Outcome]:
    """Run the plans one after the other; yields what each left."""
    if options.guest:
        return run_in_guest(jobs, options.guest)
    return run_here(jobs, options.out)


def choose_guest(
    system: System, protocols: Iterable[str], kernel: KernelLine | None, cpus: int | None
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
    return Guest(kernel or KernelLine.V6_12, wanted, modules=not STOCK.issuperset(protocols))
