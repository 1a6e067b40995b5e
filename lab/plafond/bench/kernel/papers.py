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
    """The measurement of a row: a procedure, or the sum of several procedures."""

    procedure: str | tuple[str, ...] = ()

    @property
    def terms(self) -> tuple[str, ...]:
        """Return each procedure; a minus in front means that it is subtracted."""
        return (self.procedure,) if isinstance(self.procedure, str) else self.procedure

    @property
    def benchmark(self) -> str:
        """Return the first procedure."""
        return self.terms[0]

    def sum(self, count: Callable[[str], int]) -> int:
        """Return the sum of the terms; `count` returns the figure of a term."""
        return sum(
            -_count(term[1:], count) if term[0] == "-" else _count(term, count)
            for term in self.terms
        )

    def cost(self, figures: Figures, variant: Variant) -> int:
        """Return the instructions under a variant."""

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
    """A figure to reach that is not in a row."""

    figure: str
    at_most: int | None = None


class PaperTable(Part):
    """A table of a paper."""

    title: str
    unit: str = ""
    paper: tuple[str, ...] = ()
    limits: tuple[Variant, ...] = ()
    figure: str = "{row}, {variant}"
    rows: tuple[PaperRow, ...]
    figures: tuple[Figure, ...] = ()

    @property
    def procedures(self) -> list[str]:
        """Return the first procedure of each row."""
        return [row.benchmark for row in self.rows]

    def printed(self, row: PaperRow, column: str) -> Printed | None:
        """Return a figure of the paper; None if the paper does not have it."""
        printed = dict(zip(self.paper, row.paper, strict=False)).get(column, NO_FIGURE)
        return None if printed == NO_FIGURE else printed

    def number(self, row: PaperRow, column: str) -> int | None:
        """Return a figure of the paper as an integer."""
        printed = self.printed(row, column)
        return None if printed is None else int(printed)

    def texts(self, row: PaperRow) -> list[str]:
        """Return all figures of the paper, as printed."""
        return [self._text(row, column) for column in self.paper]

    def _text(self, row: PaperRow, column: str) -> str:
        printed = self.printed(row, column)
        return f"{printed:g}" if isinstance(printed, float) else str(printed or "")

    def of(self, name: str) -> PaperRow:
        """Return a row by its name, or by its procedure."""
        return next(row for row in self.rows if name in (row.name, row.procedure))

    def targets(self, figures: Figures) -> Iterator[Target]:
        """Yield the judged limits of its rows, and its further figures."""
        for row in self.rows:
            for variant, limit in zip(self.limits, row.at_most, strict=False):
                name = self.figure.format(row=row.row, variant=variant)
                if limit != NO_FIGURE:
                    yield judge(name, row.cost(figures, variant), int(limit))
        for figure in self.figures:
            yield judge(figure.figure, self._worst(figure, figures), figure.at_most)

    def _worst(self, figure: Figure, figures: Figures) -> int:
        """Return the cost of a figure; for a figure of every row the largest cost."""
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
    """Read the file once."""
    with FILE.open("rb") as opened:
        return TypeAdapter(dict[str, PaperTable]).validate_python(tomllib.load(opened))
