# SPDX-License-Identifier: MIT
"""The JSON of Google Benchmark, as the programs in `bench/` write it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Literal

from pydantic import BaseModel

from plafond.trace.outside import LONGEST_OWN_NS


class Run(BaseModel):
    """A repetition of a row, or an aggregate of several repetitions."""

    name: str
    family_index: int  # the index of the row in the program
    run_type: str
    real_time: float
    time_unit: Literal["ns"]
    instructions: float | None = None
    system_calls: float | None = None
    context_switches: float | None = None
    processor_ns: float | None = None
    beyond_ns: float = 0.0  # the longest stretch minus the median stretch: bench/stretches.h

    @property
    def parts(self) -> list[str]:
        """Return the varying parts of a name such as `pair/bound/iterations:9/real_time`."""
        return [part for part in self.name.split("/") if ":" not in part and part != "real_time"]

    @property
    def row(self) -> str:
        """Return the row, as the program names it."""
        return "/".join(self.parts)

    @property
    def has_stop(self) -> bool:
        """Return whether the machine stopped a thread, by the rule of stops in runs."""
        return self.beyond_ns > LONGEST_OWN_NS


class Output(BaseModel):
    """The program's whole output; `again`: repetitions that were measured again."""

    context: dict[str, object]
    benchmarks: list[Run]
    again: int = 0


@dataclass
class Sample:
    """All repetitions of a row, whose name is GROUP/LOCK or GROUP/LOCK/CASE."""

    group: str
    lock: str
    case: str
    runs: list[Run] = field(default_factory=list)

    @property
    def ns_median(self) -> float:
        """Return the median time of a round."""
        return median(run.real_time for run in self.runs)

    @property
    def ns_min(self) -> float:
        """Return the shortest time of a round."""
        return min(run.real_time for run in self.runs)

    @property
    def ns_max(self) -> float:
        """Return the longest time of a round."""
        return max(run.real_time for run in self.runs)

    @property
    def instructions(self) -> float | None:
        """Return the user-mode instructions of a round, with the loop's instructions."""
        return self.runs[0].instructions

    @property
    def system_calls(self) -> float | None:
        """Return the system calls of a round."""
        return self.runs[0].system_calls

    @property
    def processor_ns(self) -> float:
        """Return the median processor time that both CPUs spent on a hand-over."""
        return median(run.processor_ns or 0 for run in self.runs)

    @property
    def context_switches(self) -> float:
        """Return the median number of context switches in a round."""
        return median(run.context_switches or 0 for run in self.runs)

    @property
    def with_stops(self) -> bool:
        """Return whether the row could not be measured without stops of the machine."""
        return any(run.has_stop for run in self.runs)


def collect(runs: Iterable[Run]) -> list[Sample]:
    """Collect the repetitions of each row, with the rows in the order of the program."""
    samples: dict[tuple[str, str, str], Sample] = {}
    for run in sorted(runs, key=lambda run: run.family_index):
        if run.run_type == "iteration":
            key = _split(run.parts)
            samples.setdefault(key, Sample(*key)).runs.append(run)
    return list(samples.values())


def _split(parts: list[str]) -> tuple[str, str, str]:
    group, lock, case = [*parts, ""][:3]
    return group, lock, case
