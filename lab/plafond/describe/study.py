# SPDX-License-Identifier: MIT
"""A study as the rest of the lab uses it: the drawn task sets, and the questions about each set."""

import math
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

from plafond.describe.kernel import Scheduler


class Shape(StrEnum):
    """Distribution of a parameter over its range."""

    UNIFORM = "uniform"
    LOG_UNIFORM = "log-uniform"


class Method(StrEnum):
    """How the tasks of a set are drawn: studies/draw.py has each method and its source."""

    UNTIL_FULL = "until-full"
    UUNIFAST = "uunifast-discard"
    AUTOMOTIVE = "kramer-2015"


class Last(StrEnum):
    """Treatment of the task or runnable that lifts a set above its utilisation."""

    DISCARD = "discard"
    SCALE = "scale"


class Deadlines(StrEnum):
    """Hard: no deadline is missed. Soft: lateness is bounded."""

    HARD = "hard"
    SOFT = "soft"


class Variable(StrEnum):
    """A parameter that a study can vary."""

    CACHE = "cache"  # extra processor time of each job
    OVERHEAD = "overhead"  # time of the switches to a job and back
    SECTION = "section"  # length of sections
    SHARE = "share"  # share of the resources that a task uses
    BUDGET = "budget"  # budget of all servers, as a share of the CPU


@dataclass(frozen=True)
class Spread:
    """Distribution of a parameter of a task."""

    shape: Shape
    least: Fraction
    most: Fraction

    def at(self, part: float) -> float:
        """Return the quantile `part`, which is from 0 to 1."""
        least, most = float(self.least), float(self.most)
        if self.shape is Shape.UNIFORM:
            return least + part * (most - least)
        return math.exp(math.log(least) + part * (math.log(most) - math.log(least)))


@dataclass(frozen=True)
class Case:
    """The values of the variables in a point of the study; None: not varied, or absent."""

    cache_ns: int = 0
    overhead_ns: int | None = None
    section_ns: int | None = None
    share: Fraction | None = None
    budget: Fraction | None = None


@dataclass(frozen=True)
class Cluster:
    """EDF in clusters of `cpus` CPUs; 1 is partitioned, all CPUs are global."""

    name: str
    cpus: int


@dataclass(frozen=True)
class Sections:
    """The sections of tasks; a length or share that varies is None here."""

    resources: int
    length_ns: Spread | None
    share: Fraction | None  # share of the resources that a task uses


@dataclass(frozen=True)
class Servers:
    """The servers of the tasks, all on a single CPU; a budget that varies is None here."""

    count: int
    period_ns: Spread
    budget: Fraction | None  # budget of all servers, as a share of the CPU


@dataclass(frozen=True)
class Study:
    """Drawn task sets, and the alternatives to compare on each set.

    The alternatives are clusters, protocols of sections, or policies of servers that share.
    """

    name: str
    cpus: int
    scheduler: Scheduler
    sets: int  # for each utilisation
    utilisations: tuple[Fraction, ...]
    # UUNIFAST: the range of utilisations, or None; AUTOMOTIVE: None, because the method has them
    task_utilisation: Spread | None
    interval_ns: Spread | None
    last: Last
    varied: tuple[Variable, ...]
    cases: tuple[Case, ...]
    compared: tuple[str, ...]
    deadlines: Deadlines
    seed: int
    sections: Sections | None = None
    servers: Servers | None = None
    method: Method = Method.UNTIL_FULL
    tasks: int | None = None  # of a set, with UUNIFAST
    costs: Path | None = field(default=None, repr=False)  # report with the costs of protocols

    @property
    def clusters(self) -> tuple[Cluster, ...]:
        """The alternatives of a study without sections."""
        return tuple(Cluster(name, cluster_cpus(name, self.cpus)) for name in self.compared)


# Alternative for several CPUs: tasks that share are on the same CPU, so no resource is global.
APART = "apart"


def cluster_cpus(name: str, cpus: int) -> int:
    """Return the number of CPUs in a cluster of `partitioned`, `clustered N` or `global`."""
    if name == "global":
        return cpus
    return 1 if name == "partitioned" else int(name.removeprefix("clustered "))
