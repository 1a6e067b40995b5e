# SPDX-License-Identifier: MIT
"""What the protocols of a study cost, from the report of another command in JSON.

Of `bench locks`, in nanoseconds as measured; or of `analyse --overheads TARGET`, whose costs on vm
and a53 are counts of instructions, of which one takes a nanosecond. A study has one file, so times
and counts are never in one comparison.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from plafond.analyse.on_target import TargetReport
from plafond.analyse.overheads import Costs, Overheads
from plafond.bench.model import LocksReport
from plafond.bench.overheads import costs_of_rows
from plafond.describe.file_text import text_of
from plafond.describe.study import Study
from plafond.errors import ArgumentError
from plafond.protocols import ANALYSED

FORM = "the JSON of `bench locks` or `analyse --overheads`"
COUNTED = ("vm", "a53")  # targets whose costs are instructions


@dataclass(frozen=True)
class KnownCosts:
    """The overheads of each protocol that is compared, and what they are, in a sentence."""

    overheads: Mapping[str, Overheads]
    said: str


def costs_of_study(study: Study) -> KnownCosts | None:
    """Read the costs; ArgumentError for a file without those of some protocol."""
    if study.costs is None:
        return None
    known = _read(study.costs)
    missing = [name for name in study.compared if name not in known.overheads]
    if missing:
        raise ArgumentError(
            f"{study.costs}: found no costs of {', '.join(missing)}; expected them, or to compare "
            f"some of {', '.join(known.overheads)}"
        )
    return KnownCosts({name: known.overheads[name] for name in study.compared}, known.said)


def _read(file: Path) -> KnownCosts:
    text = text_of(file, FORM)
    try:
        raw = json.loads(text)
        return _of_target(raw) if isinstance(raw, dict) and "target" in raw else _of_locks(raw)
    except (ValueError, ValidationError):
        raise ArgumentError(f"{file}: found something else; expected {FORM}") from None


def _of_locks(raw: Any) -> KnownCosts:
    report = LocksReport.model_validate(raw)
    costs = costs_of_rows(report.uncontended, report.nested, report.preempted, wake_up_ns=0)
    return KnownCosts(
        {name: _overheads(name, each) for name, each in costs.items()},
        f"Costs: the largest times of `bench locks` on {report.conditions.cpu_model}, without "
        "ticks and other threads.",
    )


def _of_target(raw: Any) -> KnownCosts:
    report = TargetReport.model_validate(raw)
    overheads = {
        row.protocol: Overheads(
            {ANALYSED[row.protocol]: row.costs},
            noise=report.ticks,
            calibration_ppm=row.calibration_ppm,
            step_ns=row.step_ns,
        )
        for row in report.costs
    }
    if report.target in COUNTED:
        said = f"Costs: instructions, counted on {report.target}; one takes a nanosecond."
    else:
        said = f"Costs: the largest times that `analyse --overheads {report.target}` measured."
    return KnownCosts(overheads, said)


def _overheads(name: str, costs: Costs) -> Overheads:
    return Overheads({ANALYSED[name]: costs})
