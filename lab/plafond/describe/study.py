# SPDX-License-Identifier: MIT
"""A study as the rest of the lab knows it: what is drawn, and what is asked of each set."""

import math
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

from plafond.describe.kernel import Scheduler


class Shape(StrEnum):
    """How a parameter is spread over its range."""

    UNIFORM = "uniform"
    LOG_UNIFORM = "log-uniform"


class Last(StrEnum):
    """What becomes of the task with which a set asks for more than its utilisation."""

    DISCARD = "discard"
    SCALE = "scale"


class Deadlines(StrEnum):
    """Hard: none is missed. Soft: there is a bound for how late a job is."""

    HARD = "hard"
    SOFT = "soft"


class Variable(StrEnum):
    """What a study can vary."""

    CACHE = "cache"  # what each job takes longer
    OVERHEAD = "overhead"  # what the switches to each job and back take
    SECTION = "section"  # how long sections are
    SHARE = "share"  # of the resources that a task uses
    BUDGET = "budget"  # of all servers, as a share of the CPU


@dataclass(frozen=True)
class Spread:
    """From where a parameter of a task is drawn."""

    shape: Shape
    least: Fraction
    most: Fraction

    def at(self, part: float) -> float:
        """Return the value below which this part of all values is."""
        least, most = float(self.least), float(self.most)
        if self.shape is Shape.UNIFORM:
            return least + part * (most - least)
        return math.exp(math.log(least) + part * (math.log(most) - math.log(least)))


@dataclass(frozen=True)
class Case:
    """What all compared are asked about at once; None: it does not vary, or there is none."""

    cache_ns: int = 0
    overhead_ns: int | None = None
    section_ns: int | None = None
    share: Fraction | None = None
    budget: Fraction | None = None


@dataclass(frozen=True)
class Cluster:
    """EDF in clusters of so many CPUs: 1 is partitioned, all of them are global."""

    name: str
    cpus: int


@dataclass(frozen=True)
class Sections:
    """What tasks share; a length or a share that varies is None here."""

    resources: int
    length_ns: Spread | None
    share: Fraction | None  # of the resources that a task uses


@dataclass(frozen=True)
class Servers:
    """In which tasks are, all on one CPU; a budget that varies is None here."""

    count: int
    period_ns: Spread
    budget: Fraction | None  # of all of them, as a share of the CPU


@dataclass(frozen=True)
class Study:
    """What is drawn, and what is asked of each set: by clusters, protocols of sections, or ways to
    share of servers.
    """

    name: str
    cpus: int
    scheduler: Scheduler
    sets: int  # for each utilisation
    utilisations: tuple[Fraction, ...]
    task_utilisation: Spread
    interval_ns: Spread
    last: Last
    varied: tuple[Variable, ...]
    cases: tuple[Case, ...]
    compared: tuple[str, ...]
    deadlines: Deadlines
    seed: int
    sections: Sections | None = None
    servers: Servers | None = None
    costs: Path | None = field(default=None, repr=False)  # a report with the costs of protocols

    @property
    def clusters(self) -> tuple[Cluster, ...]:
        """What is compared without sections."""
        return tuple(Cluster(name, cluster_cpus(name, self.cpus)) for name in self.compared)


# Of several CPUs: tasks that share are on one, so that no resource is used on several.
APART = "apart"


def cluster_cpus(name: str, cpus: int) -> int:
    """Return how many CPUs are a cluster of `partitioned`, `clustered N` or `global`."""
    if name == "global":
        return cpus
    return 1 if name == "partitioned" else int(name.removeprefix("clustered "))
