# SPDX-License-Identifier: MIT
"""The report of `plafond bench cpmd`; its JSON is the output of `--format json`."""

from enum import StrEnum

from plafond.bench.cpmd.plan import Load
from plafond.bench.model import Part


class Conditions(Part):
    """Under which the figures hold."""

    cpu_model: str
    kernel: str
    cpus: list[int]
    caches: list[str]
    missing_kinds: list[str]  # of the paper, and why there are none here
    samples: int  # valid ones, of each kind in each cell
    seed: int
    quick: bool
    sees_interrupts: bool
    others_share: float | None  # of the CPUs, in cells without load; None: not known
    page_bytes: int
    polluter_bytes: int
    missing_cells: int  # not measured: it ended early
    again: int = 0  # samples that were measured again, because they had a stop or steal time
    notes: list[str]


class KindRow(Part):
    """The delays of one kind of move with one working set under one load."""

    load: Load
    size_bytes: int
    write_ratio: str
    kind: str
    samples: int
    mean_ns: float
    deviation_ns: float
    largest_ns: int
    least_ns: int
    negative: int  # samples
    warm_ns: float  # the mean of the warm pass


class CellRow(Part):
    """What became of the samples of a cell."""

    load: Load
    size_bytes: int
    write_ratio: str
    tries: int
    valid: int  # that are in its rows
    dropped: dict[str, int]  # why: how many
    polluter_passes: int | None  # the fewest of one CPU
    is_left_out: bool  # it had too few valid samples


class Point(Part):
    """One sample."""

    kind: str
    away_ns: int
    delay_ns: int


class Verdict(StrEnum):
    """What the samples say about an observation of the paper."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    OPEN = "open"


class Observation(Part):
    """An observation of the paper, judged here."""

    number: int
    claim: str
    power: str  # what the samples could show
    finding: str
    verdict: Verdict


class CpmdReport(Part):
    """All of `plafond bench cpmd`."""

    conditions: Conditions
    rows: list[KindRow]
    cells: list[CellRow]
    points: list[Point]  # of Figure 3: 64 KiB under load, write ratio 1/4
    observations: list[Observation]
