# SPDX-License-Identifier: MIT
"""The tables of Mueller 2014."""

from collections.abc import Iterator

from plafond.bench.kernel.model import KernelReport
from plafond.bench.kernel.variants import SCHEDULED, Variant
from plafond.bench.tables import Table
from plafond.describe.kernel import Scheduler

TEXT_COLUMNS = ("transition", "scheduler", "protocol")


def mueller_tables(report: KernelReport) -> Iterator[Table]:
    """Yield all of them."""
    yield Table(
        "Mueller 2014, Tables I and II: by software, and by hardware (instructions; the paper: "
        "cycles)",
        ("transition", *map(_heading, SCHEDULED), "paper: basic", "extended"),
        (
            (
                row.transition,
                *(str(row.instructions[variant]) for variant in SCHEDULED),
                *(str(each or "") for each in (row.paper_basic, row.paper_extended)),
            )
            for row in report.transitions
        ),
        TEXT_COLUMNS,
    )


def _heading(variant: Variant) -> str:
    by = "hardware" if variant.scheduler is Scheduler.HARDWARE else "software"
    return f"{by}: {variant.protocol}"
