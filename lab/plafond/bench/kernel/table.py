# SPDX-License-Identifier: MIT
"""The report as tables for the terminal, in the paper's layout: a column a variant."""

from collections.abc import Iterator
from itertools import pairwise

from rich.console import Console

from plafond.bench.kernel.figures import Figures
from plafond.bench.kernel.model import Conditions, KernelReport
from plafond.bench.kernel.procedures import (
    NESTED,
    NON_NESTED,
    PLATFORM,
    TABLE_II,
    TABLE_III,
    Section,
)
from plafond.bench.kernel.relative import compared, percent, relative
from plafond.bench.kernel.table_lazy import LAZY_COLUMNS, lazy_tables
from plafond.bench.kernel.table_mueller import mueller_tables
from plafond.bench.kernel.table_servers import servers_table
from plafond.bench.kernel.table_sharing import sets_table, sharing_table
from plafond.bench.kernel.variants import (
    BY_VARIABLES,
    COMPARED,
    LAZY,
    PRAGMATIC,
    WITHOUT_CEILINGS,
    Variant,
)
from plafond.bench.kernel.zuepke import (
    BOARDS,
    CYCLES,
    FIRST_VARIABLE,
    PLATFORM_CYCLES,
    SECOND_VARIABLE_PRIORITY,
    SECOND_VARIABLE_SWITCH,
    VARIANTS,
    gain,
)
from plafond.bench.tables import Table, noted, print_tables, targets_table
from plafond.rows import Table as RowTable

COMPARED_COLUMNS = tuple(variant.heading for variant in COMPARED)
PAPER_COLUMNS = tuple(
    f"{board} {variant.split('-')[1].upper()}" for board in BOARDS for variant in VARIANTS[1:]
)
# What each variant adds to the one before.
ADDED_COLUMNS = ("task", "task, uprio")
TEXT_COLUMNS = ("benchmark", "at", "figure", "verdict", "parameter", "a53", *BOARDS)
RELATIVE_COLUMNS = (
    *TEXT_COLUMNS,
    *COMPARED_COLUMNS[1:],
    *ADDED_COLUMNS,
    "paper: task",
    "paper: uprio",
)
# Calls that write no variable, that switch to another task, and that change the priority.
VARIABLE_ROWS = {
    "null-syscall": ("null system call", "", ""),
    "activate-high": ("activation, high priority", FIRST_VARIABLE, SECOND_VARIABLE_SWITCH),
    "event-loop": ("event loop", FIRST_VARIABLE, SECOND_VARIABLE_SWITCH),
    NON_NESTED: ("GetResource + ReleaseResource", FIRST_VARIABLE, SECOND_VARIABLE_PRIORITY),
    NESTED: ("the same nested, two of each", FIRST_VARIABLE, SECOND_VARIABLE_PRIORITY),
}


def print_report(report: KernelReport, console: Console | None = None) -> None:
    """Print all tables."""
    print_tables(_condition_lines(report.conditions), _tables(report), console)


def _condition_lines(conditions: Conditions) -> Iterator[str]:
    c = conditions
    yield f"{c.emulator}; {c.compiler}, {c.flags}"
    yield from noted(c.notes)
    rounds = "equal" if not c.unequal else f"not equal in {', '.join(c.unequal)}"
    yield f"- All {c.rounds} rounds are {rounds}."


def _tables(report: KernelReport) -> Iterator[Table | RowTable]:
    figures, small = Figures(report.rows), Figures(report.small_rows)
    yield Table(
        "Table I: the processors",
        ("parameter", *BOARDS, report.board),
        ((p.name, p.tms570, p.am3359, p.board) for p in report.parameters),
        TEXT_COLUMNS,
    )
    yield _platform_table(figures, small)
    yield Table(
        "Table II: micro benchmarks (instructions; the paper: cycles)",
        ("benchmark", *COMPARED_COLUMNS, *PAPER_COLUMNS),
        (
            (words, *compared(figures, name, COMPARED), *_paper(name))
            for name, words in TABLE_II.items()
        ),
        RELATIVE_COLUMNS,
    )
    yield Table(
        "Table III: critical sections (instructions; the paper: cycles)",
        ("benchmark", "at", *COMPARED_COLUMNS, *PAPER_COLUMNS),
        ((s.words, s.at, *compared(figures, s.name, COMPARED), *_paper(s.name)) for s in TABLE_III),
        RELATIVE_COLUMNS,
    )
    # The whole of both tables once more, compiled for size as in the paper.
    yield Table(
        "Tables II and III with -Os, the paper's option (instructions)",
        ("benchmark", "at", *COMPARED_COLUMNS),
        ((words, at, *compared(small, name, COMPARED)) for name, words, at in _names()),
        TEXT_COLUMNS,
    )
    yield Table(
        "Tables II and III in the paper: cycles, of which the shares above are",
        (
            *("benchmark", "at"),
            *(f"{board} {words}" for board in BOARDS for words in ("Call", "KPRIO", "NPRIO")),
        ),
        (
            (words, at, *(str(count) for counts in CYCLES[name] for count in counts))
            for name, words, at in _names()
            if name in CYCLES
        ),
        TEXT_COLUMNS,
    )
    yield Table(
        "System calls of the sections in Table III, without ActivateTask and TerminateTask",
        ("benchmark", "at", *COMPARED_COLUMNS, *LAZY_COLUMNS[2:]),
        ((s.words, s.at, *_own_calls(figures, s)) for s in TABLE_III),
        TEXT_COLUMNS,
    )
    yield Table(
        "Section V.A: what each variable that tasks can read costs (instructions)",
        ("benchmark", "none", *ADDED_COLUMNS, "paper: task", "paper: uprio"),
        (
            (words, *_steps(figures, name), *paper)
            for name, (words, *paper) in VARIABLE_ROWS.items()
        ),
        RELATIVE_COLUMNS,
    )
    yield Table(
        "Section V.A: interrupts masked instead, where tasks may do that (instructions)",
        ("benchmark", "at", *(variant.heading for variant in PRAGMATIC)),
        (
            (s.words, s.at, *(str(figures.count(s.name, v)) for v in PRAGMATIC))
            for s in TABLE_III
            if figures.has(s.name, Variant.IRQ_OFF)
        ),
        TEXT_COLUMNS,
    )
    yield Table(
        "Without ceilings: sections that no other task wants (instructions)",
        ("benchmark", "at", *(variant.heading for variant in WITHOUT_CEILINGS)),
        (
            (s.words, s.at, *(str(figures.count(s.name, v)) for v in WITHOUT_CEILINGS))
            for s in TABLE_III
        ),
        TEXT_COLUMNS,
    )
    yield from lazy_tables(report)
    yield from mueller_tables(report)
    yield servers_table(report)
    yield sharing_table(report)
    yield sets_table(report)
    yield targets_table(report.targets, "{:.7g}".format, " (instructions, or bytes)")


def _platform_table(figures: Figures, small: Figures) -> Table:
    baseline = Variant.SYSCALL
    return Table(
        "Table II: the platform (instructions of one; the paper: cycles)",
        ("benchmark", "-O2", "-Os", *(f"{board}, cycles" for board in BOARDS)),
        (
            (
                words,
                *(f"{each.count(name, baseline) / times:.4g}" for each in (figures, small)),
                *(f"{cycles:g}" for cycles in PLATFORM_CYCLES[name]),
            )
            for name, (words, times) in PLATFORM.items()
        ),
        TEXT_COLUMNS,
    )


def _names() -> Iterator[tuple[str, str, str]]:
    """Each procedure of Tables II and III: its name, its words, and when a task is activated."""
    for name, words in TABLE_II.items():
        yield name, words, ""
    for section in TABLE_III:
        yield section.name, section.words, section.at


def _own_calls(figures: Figures, section: Section) -> Iterator[str]:
    for variant in (*COMPARED, *LAZY[2:]):
        yield str(figures.calls(section.name, variant) - section.calls_of_activation)


def _steps(figures: Figures, name: str) -> Iterator[str]:
    """Each with what it adds to the one before."""
    counts = [figures.count(name, variant) for variant in BY_VARIABLES]
    yield str(counts[0])
    for before, count in pairwise(counts):
        yield relative(count, before)


def _paper(name: str) -> Iterator[str]:
    for board in BOARDS:
        for variant in VARIANTS[1:]:
            yield percent(gain(name, variant, board))
