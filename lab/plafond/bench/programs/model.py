# SPDX-License-Identifier: MIT
"""The report of `plafond bench programs`; its JSON is the output of `--format json`."""

from plafond.bench.model import Part


class Conditions(Part):
    """Under which the figures hold."""

    cpu_model: str
    cpus: int
    kernel: str
    libc: str
    quick: bool
    notes: list[str]


class Pair(Part):
    """What was counted in one run without the drop-in, and in one with it."""

    plain: int
    drop_in: int

    @property
    def ratio(self) -> float:
        """With the drop-in to plain."""
        return self.drop_in / self.plain


class ProgramRow(Part):
    """A program, run in pairs: plain, and with the drop-in."""

    program: str
    counted: str
    pairs: int
    plain: float  # medians
    drop_in: float
    ratio: float
    ratio_min: float
    ratio_max: float


class ProgramsReport(Part):
    """All of `plafond bench programs`."""

    conditions: Conditions
    programs: list[ProgramRow]
