# SPDX-License-Identifier: MIT
"""The JSON of Google Benchmark, as the programs in `bench/` write it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Literal

from pydantic import BaseModel

from plafond.trace.outside import LONGEST_OWN_NS


class Run(BaseModel):
    """One repetition of one row, or an aggregate of several."""

    name: str
    family_index: int  # the place of the row in the program
    run_type: str
    real_time: float
    time_unit: Literal["ns"]
    instructions: float | None = None
    system_calls: float | None = None
    context_switches: float | None = None
    processor_ns: float | None = None
    beyond_ns: float = 0.0  # its longest stretch less the median one: bench/stretches.h

    @property
    def parts(self) -> list[str]:
        """Its name, such as `pair/bound/iterations:9/real_time`, but for the parts of all rows."""
        return [part for part in self.name.split("/") if ":" not in part and part != "real_time"]

    @property
    def row(self) -> str:
        """The row, as the program names it."""
        return "/".join(self.parts)

    @property
    def has_stop(self) -> bool:
        """Whether the machine stopped a thread, by the rule of stops in runs."""
        return self.beyond_ns > LONGEST_OWN_NS


class Output(BaseModel):
    """All that the program wrote; `again`: repetitions that were measured again."""

    context: dict[str, object]
    benchmarks: list[Run]
    again: int = 0


@dataclass
class Sample:
    """All repetitions of one row, whose name is GROUP/LOCK or GROUP/LOCK/CASE."""

    group: str
    lock: str
    case: str
    runs: list[Run] = field(default_factory=list)

    @property
    def ns_median(self) -> float:
        """The median of the times of one round."""
        return median(run.real_time for run in self.runs)

    @property
    def ns_min(self) -> float:
        """The shortest of them."""
        return min(run.real_time for run in self.runs)

    @property
    def ns_max(self) -> float:
        """The longest of them."""
        return max(run.real_time for run in self.runs)

    @property
    def instructions(self) -> float | None:
        """User-mode instructions of one round, the loop's own included."""
        return self.runs[0].instructions

    @property
    def system_calls(self) -> float | None:
        """System calls of one round."""
        return self.runs[0].system_calls

    @property
    def processor_ns(self) -> float:
        """The median of what both CPUs of a hand-over spent on it."""
        return median(run.processor_ns or 0 for run in self.runs)

    @property
    def context_switches(self) -> float:
        """The median of the context switches in one round."""
        return median(run.context_switches or 0 for run in self.runs)

    @property
    def with_stops(self) -> bool:
        """Whether it could not be measured without stops of the machine."""
        return any(run.has_stop for run in self.runs)


def collect(runs: Iterable[Run]) -> list[Sample]:
    """Put the repetitions of each row together, rows in the order of the program."""
    samples: dict[tuple[str, str, str], Sample] = {}
    for run in sorted(runs, key=lambda run: run.family_index):
        if run.run_type == "iteration":
            key = _split(run.parts)
            samples.setdefault(key, Sample(*key)).runs.append(run)
    return list(samples.values())


def _split(parts: list[str]) -> tuple[str, str, str]:
    group, lock, case = [*parts, ""][:3]
    return group, lock, case
