# SPDX-License-Identifier: MIT
"""Costs of a study's protocols, read from the JSON report of another command.

`bench locks` measures nanoseconds. `analyse --overheads TARGET` counts instructions on vm and a53,
and an instruction takes a nanosecond. A study has a single file of costs, so it never compares
times with counts.

Across CPUs, only libplafond's mutexes have costs in a report. They count as MPCP for the protocols
that use them, in addition to the costs on one CPU. No report has the kernel's joint costs of
wake-ups and sections on several cores. If no resource is shared across CPUs, the costs are those of
`plafond`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from plafond.analyse.on_target import TargetReport
from plafond.analyse.overheads import Costs, GlobalMutex, Overheads
from plafond.bench.model import LocksReport
from plafond.bench.overheads import costs_of_rows, global_mutex_of_rows
from plafond.describe.file_text import text_of
from plafond.describe.study import APART, Case, Study
from plafond.describe.system import System
from plafond.errors import ArgumentError
from plafond.protocols import Protocol, analysed, names_of

FORM = "the JSON of `bench locks` or `analyse --overheads`"
COUNTED = ("vm", "a53")  # targets whose costs are instructions
COSTS_OF_APART = "plafond"
WAITING = (Protocol.INHERIT, Protocol.NONE)  # of one CPU: under these, tasks wait for sections


@dataclass(frozen=True)
class KnownCosts:
    """The overheads of each compared protocol, and a sentence on their origin."""

    overheads: Mapping[str, Overheads]
    said: str


def costs_of_study(study: Study) -> KnownCosts | None:
    """Read the costs; ArgumentError if the file lacks a compared protocol."""
    if study.costs is None:
        return None
    known = _read(study.costs)
    where = ""
    if study.cpus > 1:
        known, where = _across_cpus(known), " across CPUs"
    missing = [name for name in study.compared if name not in known.overheads]
    if missing:
        others = f", or to compare some of {', '.join(known.overheads)}" if known.overheads else ""
        raise ArgumentError(
            f"{study.costs}: found no costs{where} of {', '.join(missing)}; expected them{others}"
        )
    return KnownCosts({name: known.overheads[name] for name in study.compared}, known.said)


def with_case(
    system: System, protocol: Protocol, known: Overheads | None, case: Case
) -> Overheads | None:
    """Add the varied costs: the switches to a job and back, and the reload of caches.

    If a section can make another task wait, the switches away from that task and back count too.
    """
    if not (case.cache_ns or case.overhead_ns):
        return known
    alone, overhead_ns = protocol.on_one_cpu, case.overhead_ns or 0
    before = known or Overheads({alone: Costs()})
    costs = before.costs[alone]
    costs = replace(costs, switch_ns=costs.switch_ns + overhead_ns)
    if alone in WAITING:
        costs = replace(costs, preempted_ns=costs.preempted_ns + overhead_ns)
    return replace(
        before,
        costs={alone: costs},
        caches_ns={task.name: case.cache_ns for task in system.tasks},
    )


def _read(file: Path) -> KnownCosts:
    text = text_of(file, FORM)
    try:
        raw = json.loads(text)
        return _of_target(raw) if isinstance(raw, dict) and "target" in raw else _of_locks(raw)
    except (ValueError, ValidationError):
        raise ArgumentError(f"{file}: found something else; expected {FORM}") from None


def _across_cpus(known: KnownCosts) -> KnownCosts:
    """Return the protocols that also have costs of sections across CPUs."""
    able = names_of(lambda row: row.linux and row.linux.is_global)
    found = {
        name: each for name, each in known.overheads.items() if name in able and each.global_mutex
    }
    said = known.said
    if COSTS_OF_APART in found:
        found[APART] = found[COSTS_OF_APART]
        said += f" What is {APART} costs what {COSTS_OF_APART} does."
    return KnownCosts(found, said)


def _of_locks(raw: Any) -> KnownCosts:
    report = LocksReport.model_validate(raw)
    costs = costs_of_rows(report.uncontended, report.nested, report.preempted, wake_up_ns=0)
    mutex = global_mutex_of_rows(report.uncontended, report.handover)
    return KnownCosts(
        {name: _overheads(name, each, mutex) for name, each in costs.items()},
        f"Costs: the largest times of `bench locks` on {report.conditions.cpu_model}, without "
        "ticks and other threads.",
    )


def _of_target(raw: Any) -> KnownCosts:
    report = TargetReport.model_validate(raw)
    overheads = {
        row.protocol: Overheads(
            {analysed(row.protocol): row.costs},
            noise=report.ticks,
            step_ns=row.step_ns,
            global_mutex=row.global_mutex,
        )
        for row in report.costs
    }
    if report.target in COUNTED:
        said = f"Costs: instructions, counted on {report.target}; one takes a nanosecond."
    else:
        said = f"Costs: the largest times that `analyse --overheads {report.target}` measured."
    return KnownCosts(overheads, said)


def _overheads(name: str, costs: Costs, mutex: GlobalMutex | None) -> Overheads:
    return Overheads({analysed(name): costs}, global_mutex=mutex)
