# SPDX-License-Identifier: MIT
"""The report as tables for the terminal, and as CSV."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console

from plafond.bench.tables import noted, print_tables
from plafond.columns import Column
from plafond.describe.study import Method
from plafond.rows import Table, csv_of, each, table
from plafond.studies.cases import (
    VARIABLES,
    best_in_words,
    case_of,
    columns_by_variable,
    varied,
    with_article,
)
from plafond.studies.model import (
    AcceptanceRow,
    BestRow,
    BreakEven,
    CaseRow,
    Conditions,
    Ratio,
    RatioRow,
    SchedulabilityReport,
    WeightedRatioRow,
    WeightedRow,
)
from plafond.units import format_duration


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
        f"{len(c.utilisations)} utilisations, {c.tasks:.1f} tasks a set, {shared}{_drawn(c)}, "
        f"seed {c.seed}"
    )
    if c.missing:
        yield f"NOT COMPLETE: {c.missing} utilisations are missing, and W is of the others"
    yield from noted(c.notes)


def _drawn(conditions: Conditions) -> str:
    """Name the method, unless it is until-full, and the treatment of the last task."""
    match conditions.method:
        case Method.UUNIFAST:
            return f"drawn by {conditions.method}"
        case Method.AUTOMOTIVE:
            return f"drawn by {conditions.method}, last runnable: {conditions.last}"
    return f"last task: {conditions.last}"


def _tables(report: SchedulabilityReport) -> Iterator[Table]:
    names = list(dict.fromkeys(row.compared for row in report.weighted))
    if not names:
        return
    cases = list(dict.fromkeys(map(case_of, report.weighted)))
    variables = varied(report.weighted) or [VARIABLES[0]]
    columns = _varied(cases, variables)
    weighted = {(case_of(row), row.compared): row.weighted for row in report.weighted}
    if len(variables) == 2:
        yield _map(report.best, variables)
    yield Table(
        "Weighted schedulability W",
        [
            *columns,
            *(each(name, (weighted[case, name] for case in cases), _cell) for name in names),
        ],
    )
    if report.gains:
        yield _gains(report, variables)
    ratios = {(case_of(r), r.utilisation, r.compared): r.ratio for r in report.acceptance}
    first = ", ".join(f"{with_article(column.heading)} of {column.cells[0]}" for column in columns)
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


def _varied(cases: Sequence[CaseRow], variables: Sequence[str]) -> list[Column]:
    columns = columns_by_variable(cases)
    return [columns[name] for name in variables]


def _map(best: Sequence[BestRow], variables: Sequence[str]) -> Table:
    """Return the best alternatives by two variables."""
    down, across = _varied(best, variables)
    heads, names = (list(dict.fromkeys(column.cells)) for column in (across, down))
    winners = dict(zip(zip(down.cells, across.cells, strict=True), map(_winner, best), strict=True))
    return Table(
        f"What has the largest W, and by how much, by {down.heading} and {across.heading}",
        [
            each(down.heading, names),
            *(each(head, (winners[name, head] for name in names), text=True) for head in heads),
        ],
    )


def _winner(row: BestRow) -> str:
    if row.margin is None:
        return "all equal"
    return f"{best_in_words(row)} +{row.margin:.3f}"


def _gains(report: SchedulabilityReport, variables: Sequence[str]) -> Table:
    """Return how many more sets the first alternative can schedule than each other."""
    c, first = report.conditions, report.weighted[0].compared
    gains = {(case_of(row), row.over): row.sets for row in report.gains}
    cases, others = (dict.fromkeys(keys) for keys in zip(*gains, strict=True))
    return Table(
        f"Sets that {first} takes more than each other, of {c.sets * len(c.utilisations)}",
        [
            *_varied(list(cases), variables),
            *(each(other, (gains[case, other] for case in cases), "+d") for other in others),
        ],
    )


def _cell(ratio: Ratio) -> str:
    return f"{ratio.value:.3f} +-{max(ratio.high - ratio.value, ratio.value - ratio.low):.3f}"


def csv_text(report: SchedulabilityReport) -> str:
    """Return the weighted ratios as CSV: a row for each case and alternative."""
    rows = (WeightedRatioRow(**_ratio(row, row.weighted)) for row in report.weighted)
    return csv_of(WeightedRatioRow, rows)


def utilisations_csv_text(report: SchedulabilityReport) -> str:
    """Return the ratios as CSV: a row for each case, alternative and utilisation."""
    rows = (RatioRow(**_ratio(row, row.ratio)) for row in report.acceptance)
    return csv_of(RatioRow, rows)


def _ratio(row: WeightedRow | AcceptanceRow, ratio: Ratio) -> dict[str, Any]:
    fields = row.model_dump(exclude={"weighted", "ratio"})
    return {**fields, "ratio": ratio.value, "low": ratio.low, "high": ratio.high}
