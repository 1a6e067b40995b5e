# SPDX-License-Identifier: MIT
"""The report as tables for the terminal, and as CSV."""

import csv
import io
from collections.abc import Iterator, Sequence

from rich.console import Console

from plafond.bench.tables import noted, print_tables
from plafond.columns import Column
from plafond.rows import Table, each, table
from plafond.studies.cases import (
    COLUMNS,
    best_in_words,
    case_of,
    cell_of,
    said,
    varied,
    with_article,
)
from plafond.studies.model import BestRow, BreakEven, CaseRow, Ratio, SchedulabilityReport
from plafond.units import format_duration

CSV_COLUMNS = (
    *("compared", *COLUMNS, "utilisation", "sets", "schedulable"),
    *("ratio", "low", "high"),
)


def print_report(report: SchedulabilityReport, console: Console | None = None) -> None:
    """Print all tables."""
    print_tables(_condition_lines(report), _tables(report), console)


def _condition_lines(report: SchedulabilityReport) -> Iterator[str]:
    c = report.conditions
    yield report.name
    cpus = "1 CPU" if c.cpus == 1 else f"{c.cpus} CPUs"
    shared = f"{c.resources} resources, " if c.resources else ""
    shared += f"{c.servers} servers, " if c.servers else ""
    yield (
        f"{cpus}, {c.scheduler}, {c.deadlines} deadlines, {c.sets} sets for each of "
        f"{len(c.utilisations)} utilisations, {c.tasks:.1f} tasks a set, {shared}last task: "
        f"{c.last}, seed {c.seed}"
    )
    if c.missing:
        yield f"NOT COMPLETE: {c.missing} utilisations are missing, and W is of the others"
    yield from noted(c.notes)


def _tables(report: SchedulabilityReport) -> Iterator[Table]:
    names = list(dict.fromkeys(row.compared for row in report.weighted))
    if not names:
        return
    cases = list(dict.fromkeys(map(case_of, report.weighted)))
    columns = varied(report.weighted) or [COLUMNS[0]]
    weighted = {(case_of(row), row.compared): row.weighted for row in report.weighted}
    if len(columns) == 2:
        yield _map(report.best, columns)
    yield Table(
        "Weighted schedulability W",
        [
            *_varied(cases, columns),
            *(each(name, (weighted[case, name] for case in cases), _cell) for name in names),
        ],
    )
    if report.gains:
        yield _gains(report, columns)
    ratios = {(case_of(r), r.utilisation, r.compared): r.ratio for r in report.acceptance}
    first = ", ".join(
        f"{with_article(said(column))} of {cell_of(cases[0], column)}" for column in columns
    )
    utilisations = report.conditions.utilisations
    yield Table(
        f"Acceptance ratio with {first}",
        [
            each("utilisation", utilisations, "g"),
            *(
                each(name, (ratios[cases[0], u, name].value for u in utilisations), ".3f")
                for name in names
            ),
        ],
    )
    if report.break_even:
        without = f"W of {names[0]} with {format_duration(report.weighted[0].cache_ns)}"
        yield table(
            f"The least delay with which W is below {without}", BreakEven, report.break_even
        )


def _varied(cases: Sequence[CaseRow], columns: Sequence[str]) -> Iterator[Column]:
    for column in columns:
        yield each(said(column), (cell_of(case, column) for case in cases))


def _map(best: Sequence[BestRow], columns: Sequence[str]) -> Table:
    """What takes most, by two variables."""
    down, across = columns
    heads = list(dict.fromkeys(cell_of(row, across) for row in best))
    names = list(dict.fromkeys(cell_of(row, down) for row in best))
    winners = {(cell_of(row, down), cell_of(row, across)): _winner(row) for row in best}
    return Table(
        f"What has the largest W, and by how much, by {said(down)} and {said(across)}",
        [
            each(said(down), names),
            *(each(head, (winners[name, head] for name in names), text=True) for head in heads),
        ],
    )


def _winner(row: BestRow) -> str:
    if row.margin is None:
        return "all equal"
    return f"{best_in_words(row)} +{row.margin:.3f}"


def _gains(report: SchedulabilityReport, columns: Sequence[str]) -> Table:
    """How many sets more the first takes."""
    c, first = report.conditions, report.weighted[0].compared
    gains = {(case_of(row), row.over): row.sets for row in report.gains}
    cases, others = (dict.fromkeys(keys) for keys in zip(*gains, strict=True))
    return Table(
        f"Sets that {first} takes more than each other, of {c.sets * len(c.utilisations)}",
        [
            *_varied(list(cases), columns),
            *(each(other, (gains[case, other] for case in cases), "+d") for other in others),
        ],
    )


def _cell(ratio: Ratio) -> str:
    return f"{ratio.value:.3f} +-{max(ratio.high - ratio.value, ratio.value - ratio.low):.3f}"


def csv_text(report: SchedulabilityReport) -> str:
    """Return a row a ratio; one without a utilisation is weighted over all of them."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for row in report.weighted:
        writer.writerow([row.compared, *_case_cells(row), "", "", "", *_numbers(row.weighted)])
    for taken in report.acceptance:
        cells = [taken.compared, *_case_cells(taken), f"{taken.utilisation:g}", taken.sets]
        writer.writerow([*cells, taken.schedulable, *_numbers(taken.ratio)])
    return file.getvalue()


def _case_cells(row: CaseRow) -> list[str]:
    values = (getattr(row, column) for column in COLUMNS)
    return ["" if value is None else f"{value:.12g}" for value in values]


def _numbers(ratio: Ratio) -> Sequence[str]:
    return [f"{number:.6f}" for number in (ratio.value, ratio.low, ratio.high)]
