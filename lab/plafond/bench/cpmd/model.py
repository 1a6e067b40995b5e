# SPDX-License-Identifier: MIT
"""The report of `plafond bench cpmd`; its JSON is the output of `--format json`."""

from enum import StrEnum
from typing import Annotated

from plafond.bench.cpmd.plan import Load
from plafond.bench.model import Part
from plafond.rows import Column
from plafond.units import UNIT_BYTES


def kib(size_bytes: int) -> str:
    """Return a size in KiB."""
    return str(size_bytes // UNIT_BYTES["KiB"])


def _left_out(is_left_out: bool) -> str:
    return "LEFT OUT: too few are valid" if is_left_out else ""


LEFT_OUT = Column("", format=_left_out, is_text=True)


class Conditions(Part):
    """The conditions of the figures."""

    cpu_model: str
    kernel: str
    cpus: list[int]
    caches: list[str]
    missing_kinds: list[str]  # kinds of the paper that are impossible here, with the reason
    samples: int  # number of valid samples of each kind in each cell
    seed: int
    quick: bool
    sees_interrupts: bool
    others_share: float | None  # share of the CPUs, in cells without load; None: not known
    page_bytes: int
    polluter_bytes: int
    missing_cells: int  # not measured because of an early end
    again: int = 0  # samples that were measured again, because they had a stop or steal time
    notes: list[str]


class KindRow(Part):
    """The delays of a kind of move with a working set under a load."""

    load: Annotated[Load, Column("load", place=-4)]
    size_bytes: Annotated[int, Column("KiB", format=kib, place=-2)]
    write_ratio: Annotated[str, Column("write ratio", place=-1)]
    kind: Annotated[str, Column("kind", place=-3)]
    samples: Annotated[int, Column("of", place=2)]
    mean_ns: Annotated[float, Column("average", "us", ".2f")]
    deviation_ns: Annotated[float, Column("deviation", "us", ".2f")]
    largest_ns: Annotated[int, Column("largest", "us", ".2f")]
    least_ns: Annotated[int, Column("least, us", "us", ".2f", place=3)]
    negative: Annotated[int, Column("samples", place=1)]  # number of samples with a negative delay
    warm_ns: float  # the mean of the warm pass


class CellRow(Part):
    """The counts of a cell's samples."""

    load: Annotated[Load, Column("load", place=-2)]
    size_bytes: Annotated[int, Column("KiB", format=kib)]
    write_ratio: Annotated[str, Column("ratio", place=-1)]
    tries: Annotated[int, Column("tried")]
    valid: Annotated[int, Column("valid")]  # samples in its rows
    dropped: Annotated[dict[str, int], Column(str)]  # counts by reason
    polluter_passes: Annotated[int | None, Column("polluter passes")]  # the least of all CPUs
    is_left_out: Annotated[bool, LEFT_OUT]  # it had too few valid samples


class Point(Part):
    """A sample."""

    kind: str
    away_ns: int
    delay_ns: int


class Verdict(StrEnum):
    """The result of an observation of the paper here."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    OPEN = "open"


class Observation(Part):
    """An observation of the paper, judged here."""

    number: Annotated[int, Column("", is_text=True)]
    claim: Annotated[str, Column("claim", wraps=True)]
    power: str  # effects that the samples could show
    finding: str
    verdict: Annotated[Verdict, Column("verdict")]


class CpmdReport(Part):
    """The report of `plafond bench cpmd`."""

    conditions: Conditions
    rows: list[KindRow]
    cells: list[CellRow]
    points: list[Point]  # the points of Figure 3: 64 KiB under load, write ratio 1/4
    observations: list[Observation]
