# SPDX-License-Identifier: MIT
"""The figures to reach, and whether this run reached them."""

from collections.abc import Iterator

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.model import Footprint
from plafond.bench.kernel.papers import papers
from plafond.bench.model import Target
from plafond.bench.targets import judge

FOOTPRINT = "footprint"  # the name of the table of sizes


def targets(figures: Figures, footprint: Footprint) -> list[Target]:
    """Judge a run by the limits that the project has set itself."""
    counted = [table for name, table in papers().items() if name != FOOTPRINT]
    of_tables = (target for table in counted for target in table.targets(figures))
    return [*of_tables, *_of_footprint(footprint)]


def _of_footprint(footprint: Footprint) -> Iterator[Target]:
    for figure in papers()[FOOTPRINT].figures:
        size = getattr(footprint, figure.benchmark)
        for variant, count in size.items() if isinstance(size, dict) else [("", size)]:
            yield judge(figure.figure.format(variant=variant), count, figure.at_most)
