# SPDX-License-Identifier: MIT
"""Print the report as tables in the paper's layout: a column for each variant."""

from collections.abc import Iterator
from itertools import pairwise

from rich.console import Console

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.model import Conditions, KernelReport, Parameter
from plafond.bench.kernel.papers import PaperRow, papers
from plafond.bench.kernel.relative import compared, counted, gains, named
from plafond.bench.kernel.table_lazy import lazy_tables
from plafond.bench.kernel.table_mueller import mueller_tables
from plafond.bench.kernel.table_servers import servers_tables
from plafond.bench.kernel.variants import (
    BY_VARIABLES,
    COMPARED,
    LAZY,
    PRAGMATIC,
    WITHOUT_CEILINGS,
    Variant,
)
from plafond.bench.kernel.zuepke import BOARDS, TABLE_II, TABLE_III, VARIANTS, gain
from plafond.bench.tables import noted, print_tables, targets_table
from plafond.columns import Column
from plafond.rows import Table, each, table


def print_report(report: KernelReport, console: Console | None = None) -> None:
    """Print all tables."""
    print_tables(_condition_lines(report.conditions), _tables(report), console)


def _condition_lines(conditions: Conditions) -> Iterator[str]:
    c = conditions
    yield f"{c.emulator}; {c.compiler}, {c.flags}"
    yield from noted(c.notes)
    rounds = "equal" if not c.unequal else f"not equal in {', '.join(c.unequal)}"
    yield f"- All {c.rounds} rounds are {rounds}."


def _tables(report: KernelReport) -> Iterator[Table]:
    figures, small = Figures(report.rows), Figures(report.small_rows)
    both = (*TABLE_II.rows, *TABLE_III.rows)
    board = {"board": {"heading": report.board}}
    yield table(papers()["zuepke-1"].title, Parameter, report.parameters, change=board)
    yield _platform_table(figures, small)
    yield Table(
        TABLE_II.title,
        [*compared(figures, TABLE_II.rows, COMPARED, at=False), *_paper(TABLE_II.rows)],
    )
    yield Table(
        TABLE_III.title, [*compared(figures, TABLE_III.rows, COMPARED), *_paper(TABLE_III.rows)]
    )
    # Both tables again, compiled for size as in the paper.
    yield Table(
        "Tables II and III with -Os, the paper's option (instructions)",
        compared(small, both, COMPARED, is_text=False),
    )
    yield Table(
        "Tables II and III in the paper: cycles, of which the shares above are",
        list(_cycles([row for row in both if row.paper])),
    )
    yield Table(
        "System calls of the sections in Table III, without ActivateTask and TerminateTask",
        [
            *named(TABLE_III.rows),
            *(_own_calls(figures, variant) for variant in (*COMPARED, *LAZY[2:])),
        ],
    )
    yield _variables_table(figures)
    yield Table(
        "Section V.A: interrupts masked instead, where tasks may do that (instructions)",
        counted(
            figures,
            [row for row in TABLE_III.rows if figures.has(row.benchmark, Variant.IRQ_OFF)],
            PRAGMATIC,
        ),
    )
    yield Table(
        "Without ceilings: sections that no other task wants (instructions)",
        counted(figures, TABLE_III.rows, WITHOUT_CEILINGS),
    )
    yield from lazy_tables(report)
    yield from mueller_tables(report)
    yield from servers_tables(report)
    yield targets_table(report.targets, "{:.7g}".format, " (instructions, or bytes)")


def _platform_table(figures: Figures, small: Figures) -> Table:
    platform = papers()["zuepke-2-platform"]
    paper = zip(*map(platform.texts, platform.rows), strict=True)
    return Table(
        platform.title,
        [
            *named(platform.rows, at=False),
            *(
                each(
                    level,
                    (row.cost(own, Variant.SYSCALL) / row.times for row in platform.rows),
                    ".4g",
                )
                for level, own in (("-O2", figures), ("-Os", small))
            ),
            *(
                each(f"{board}, cycles", cycles)
                for board, cycles in zip(platform.paper, paper, strict=True)
            ),
        ],
    )


def _variables_table(figures: Figures) -> Table:
    """Return the table in which each variable is compared with the variable before."""
    variables = papers()["zuepke-variables"]
    rows = variables.rows
    counts = [[row.cost(figures, variant) for row in rows] for variant in BY_VARIABLES]
    task, both = (gains(before, own) for before, own in pairwise(counts))
    paper = zip(*map(variables.texts, rows), strict=True)
    return Table(
        variables.title,
        [
            *named(rows, at=False),
            each("none", counts[0]),
            each("task", task, text=True),
            each("task, uprio", both, text=True),
            *(
                each(f"paper: {what}", texts, text=True)
                for what, texts in zip(variables.paper, paper, strict=True)
            ),
        ],
    )


def _cycles(rows: list[PaperRow]) -> Iterator[Column]:
    yield from named(rows)
    words = [f"{board} {word}" for board in BOARDS for word in ("Call", "KPRIO", "NPRIO")]
    for heading, cycles in zip(words, zip(*map(TABLE_II.texts, rows), strict=True), strict=True):
        yield each(heading, cycles)


def _own_calls(figures: Figures, variant: Variant) -> Column:
    rows = TABLE_III.rows
    return each(
        variant.heading, (figures.calls(row.benchmark, variant) - row.calls for row in rows)
    )


def _paper(rows: tuple[PaperRow, ...]) -> Iterator[Column]:
    for board in BOARDS:
        for variant in VARIANTS[1:]:
            shares = (gain(row, variant, board) for row in rows)
            yield each(f"{board} {variant.split('-')[1].upper()}", shares, "+.1%")
