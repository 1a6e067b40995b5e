# SPDX-License-Identifier: MIT
"""The papers' tables as data, bench/kernel/papers.toml, and the costs of their rows."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from pydantic import TypeAdapter

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.variants import Variant
from plafond.bench.model import Part, Target
from plafond.bench.targets import judge
from plafond.board.boards import ROOT

FILE = ROOT / "bench/kernel/papers.toml"
Printed = float | bool | str  # a figure of a paper
NO_FIGURE = ""
EVERY_ROW = ":*"


class Measured(Part):
    """What a row is measured by: a procedure, or the sum of several."""

    procedure: str | tuple[str, ...] = ()

    @property
    def terms(self) -> tuple[str, ...]:
        """Each procedure; behind a minus it is taken off."""
        return (self.procedure,) if isinstance(self.procedure, str) else self.procedure

    @property
    def benchmark(self) -> str:
        """The first procedure."""
        return self.terms[0]

    def sum(self, count: Callable[[str], int]) -> int:
        """Add up the terms; `count` returns the figure of each."""
        return sum(
            -_count(term[1:], count) if term[0] == "-" else _count(term, count)
            for term in self.terms
        )

    def cost(self, figures: Figures, variant: Variant) -> int:
        """Return its instructions under a variant."""

        def count(term: str) -> int:
            named, _, procedure = term.rpartition(":")
            return figures.count(procedure, named or variant)

        return self.sum(count)


def _count(term: str, count: Callable[[str], int]) -> int:
    return int(term) if term.isdecimal() else count(term)


class PaperRow(Measured):
    """A row of a paper's table; see the head of the file."""

    row: str
    name: str = ""
    version: str = "other"
    at: str = ""
    times: int = 1
    calls: int = 0
    ours: str = ""
    paper: tuple[Printed, ...] = ()
    at_most: tuple[int | str, ...] = ()
    new: tuple[str, ...] = ()
    of: tuple[str, ...] = ()


class Figure(Measured):
    """A figure to reach that no row has."""

    figure: str
    at_most: int | None = None


class PaperTable(Part):
    """One table."""

    title: str
    unit: str = ""
    paper: tuple[str, ...] = ()
    limits: tuple[Variant, ...] = ()
    figure: str = "{row}, {variant}"
    rows: tuple[PaperRow, ...]
    figures: tuple[Figure, ...] = ()

    @property
    def procedures(self) -> list[str]:
        """The first procedure of each row."""
        return [row.benchmark for row in self.rows]

    def printed(self, row: PaperRow, column: str) -> Printed | None:
        """Return a figure of the paper; None if it has none there."""
        printed = dict(zip(self.paper, row.paper, strict=False)).get(column, NO_FIGURE)
        return None if printed == NO_FIGURE else printed

    def number(self, row: PaperRow, column: str) -> int | None:
        """Do the same with a count."""
        printed = self.printed(row, column)
        return None if printed is None else int(printed)

    def texts(self, row: PaperRow) -> list[str]:
        """Return all figures of the paper as it prints them."""
        return [self._text(row, column) for column in self.paper]

    def _text(self, row: PaperRow, column: str) -> str:
        printed = self.printed(row, column)
        return f"{printed:g}" if isinstance(printed, float) else str(printed or "")

    def of(self, name: str) -> PaperRow:
        """Return a row by its name, or by its procedure."""
        return next(row for row in self.rows if name in (row.name, row.procedure))

    def targets(self, figures: Figures) -> Iterator[Target]:
        """Judge the limits of its rows, and its further figures."""
        for row in self.rows:
            for variant, limit in zip(self.limits, row.at_most, strict=False):
                name = self.figure.format(row=row.row, variant=variant)
                if limit != NO_FIGURE:
                    yield judge(name, row.cost(figures, variant), int(limit))
        for figure in self.figures:
            yield judge(figure.figure, self._worst(figure, figures), figure.at_most)

    def _worst(self, figure: Figure, figures: Figures) -> int:
        """Return its cost; of all rows the largest, if it is of every row."""
        if not figure.benchmark.endswith(EVERY_ROW):
            return figure.cost(figures, Variant.SYSCALL)
        costs = (
            figure.model_copy(
                update={"procedure": tuple(term.replace("*", name) for term in figure.terms)}
            )
            for name in self.procedures
        )
        return max(cost.cost(figures, Variant.SYSCALL) for cost in costs)


@cache
def papers() -> Mapping[str, PaperTable]:
    """Read the file, once."""
    with FILE.open("rb") as opened:
        return TypeAdapter(dict[str, PaperTable]).validate_python(tomllib.load(opened))
