# SPDX-License-Identifier: MIT
"""Almatary, Audsley, Burns 2015, Table I, for Plafond's kernel: fixed priorities and EDF."""

from collections.abc import Iterable

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.model import FunctionRow, SavingRow
from plafond.bench.kernel.papers import PaperRow, papers
from plafond.bench.kernel.variants import Variant

TABLE, SAVED = papers()["almatary-1"], papers()["almatary-saved"]
# The paper's original protocol and its lazy form, by the names of the terms.
IPCP = {"standard": Variant.SYSCALL, "new": Variant.LAZY_CEILING}
DFP = {"standard": Variant.DEADLINE_FLOOR, "new": Variant.LAZY_FLOOR}


def function_rows(figures: Figures) -> list[FunctionRow]:
    """Return the rows of Table I, and further rows of ours."""
    return [
        FunctionRow(
            version=row.version,
            function=row.row,
            ipcp=_cost(figures, row, IPCP),
            dfp=_cost(figures, row, DFP),
            system_call=_calls(figures, row),
            paper_ns=TABLE.number(row, "ns"),
            paper_system_call=bool(row.paper[1]) if row.paper else None,
        )
        for row in TABLE.rows
    ]


def saving_rows(figures: Figures) -> list[SavingRow]:
    """Return the paper's saving of 86 % and ours, by its calculation and with all costs."""
    return [
        SavingRow(
            what=row.row,
            paper=paper_saving(row),
            ipcp=_saving(figures, row, IPCP),
            dfp=_saving(figures, row, DFP),
        )
        for row in SAVED.rows
    ]


def paper_ns(names: Iterable[str]) -> int | None:
    """Return the sum of the paper's nanoseconds of some rows; None if it does not have all."""
    known = [TABLE.number(TABLE.of(name), "ns") for name in names]
    return None if None in known else sum(each or 0 for each in known)


def paper_saving(row: PaperRow) -> float | None:
    """Return the share that the paper saves."""
    new, standard = paper_ns(row.new), paper_ns(row.of)
    return 1 - new / standard if new and standard else None


def _saving(figures: Figures, row: PaperRow, pair: dict[str, Variant]) -> float:
    new, standard = (
        sum(_cost(figures, TABLE.of(name), pair) for name in names) for names in (row.new, row.of)
    )
    return 1 - new / standard


def _cost(figures: Figures, row: PaperRow, pair: dict[str, Variant]) -> int:
    def count(term: str) -> int:
        version, _, procedure = term.partition(":")
        return figures.count(procedure, pair[version])

    return row.sum(count)


def _calls(figures: Figures, row: PaperRow) -> bool:
    """Return whether the procedure calls the kernel; a difference of procedures has no calls."""
    version, _, procedure = row.benchmark.partition(":")
    return len(row.terms) == 1 and figures.calls(procedure, IPCP[version]) > 0
