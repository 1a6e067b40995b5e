# SPDX-License-Identifier: MIT
"""The overheads of the protocols of a run, if they are known on its target."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from plafond.analyse.coverage import not_covered_yet
from plafond.analyse.overheads import Overheads
from plafond.analyse.overload import cpus_in_use
from plafond.describe.system import System
from plafond.errors import ArgumentError, PlafondError
from plafond.protocols import analysed
from plafond.run.options import Options
from plafond.run.overheads import overheads_for


@dataclass(frozen=True)
class KnownOverheads:
    """Overheads by protocol, their source for the conditions, and why some are missing."""

    of: Mapping[str, Overheads]
    said: str
    missing: list[str]


def known_overheads(system: System, options: Options) -> KnownOverheads:
    """Find the overheads of each protocol; `missing` has the reason if there are none."""
    if not options.overheads:
        return KnownOverheads({}, "left out, as asked for", [])
    if not _can_have_bounds(system, options.protocols):
        return KnownOverheads({}, "not measured: no task has a bound yet", [])
    found: dict[str, Overheads] = {}
    missing: list[str] = []
    try:
        found = overheads_for(options.target, options.protocols, system, is_recorded=options.irqs)
    except (ArgumentError, PlafondError) as error:
        missing.append(f"no bounds with overheads: {error}")
    said = SAID[options.target] + (RECORDED if options.irqs else "")
    return KnownOverheads(found, said if found else "not known", missing)


def _can_have_bounds(system: System, protocols: Iterable[str]) -> bool:
    """Return whether some task has a bound under some protocol."""
    across_cpus = bool(system.global_resources)
    return any(
        not not_covered_yet(system, cpu, analysed(name, across_cpus=across_cpus))
        for name in protocols
        for cpu in cpus_in_use(system)
    )


RECORDED = "; with those of recording the scheduler"
SAID = {
    "linux": "measured on this machine before the run",
    "vm": "measured in the virtual machine, in instructions",
    "a53": "measured on the board, in instructions of the image's kernel",
    "sim": "none: the kernel's own work takes no virtual time",
}
