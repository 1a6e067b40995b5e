# SPDX-License-Identifier: MIT
"""The report as tables for the terminal, and as CSV."""

import csv
import io
from collections.abc import Iterator, Sequence

from rich.console import Console

from plafond.bench.tables import Table, noted, print_tables
from plafond.studies.model import Ratio, SchedulabilityReport
from plafond.units import format_duration

CSV_COLUMNS = (
    *("scheduler", "cache_ns", "utilisation", "sets", "schedulable"),
    *("ratio", "low", "high"),
)


def print_report(report: SchedulabilityReport, console: Console | None = None) -> None:
    """Print all tables."""
    print_tables(_condition_lines(report), _tables(report), console)


def _condition_lines(report: SchedulabilityReport) -> Iterator[str]:
    c = report.conditions
    yield report.name
    yield (
        f"{c.cpus} CPUs, {c.deadlines} deadlines, {c.sets} sets for each of "
        f"{len(c.utilisations)} utilisations, {c.tasks:.1f} tasks a set, last task: {c.last}, "
        f"seed {c.seed}"
    )
    if c.missing:
        yield f"NOT COMPLETE: {c.missing} utilisations are missing, and W is of the others"
    yield from noted(c.notes)


def _tables(report: SchedulabilityReport) -> Iterator[Table]:
    names = list(dict.fromkeys(row.scheduler for row in report.weighted))
    delays = list(dict.fromkeys(row.cache_ns for row in report.weighted))
    if not names:
        return
    weighted = {(row.cache_ns, row.scheduler): row.weighted for row in report.weighted}
    yield Table(
        "Weighted schedulability W",
        ("cache delay", *names),
        (
            [format_duration(delay), *(_cell(weighted[delay, name]) for name in names)]
            for delay in delays
        ),
        (),
    )
    ratios = {(r.cache_ns, r.utilisation, r.scheduler): r.ratio for r in report.acceptance}
    yield Table(
        f"Acceptance ratio with a cache delay of {format_duration(delays[0])}",
        ("utilisation", *names),
        (
            [f"{u:g}", *(f"{ratios[delays[0], u, name].value:.3f}" for name in names)]
            for u in report.conditions.utilisations
        ),
        (),
    )
    if report.break_even:
        without = f"W of {names[0]} with {format_duration(delays[0])}"
        yield Table(
            f"The least delay with which W is below {without}",
            ("scheduler", "cache delay"),
            ([row.scheduler, _delay(row.cache_ns)] for row in report.break_even),
            ("scheduler",),
        )


def _delay(cache_ns: int | None) -> str:
    return "none" if cache_ns is None else format_duration(cache_ns)


def _cell(ratio: Ratio) -> str:
    return f"{ratio.value:.3f} +-{max(ratio.high - ratio.value, ratio.value - ratio.low):.3f}"


def csv_text(report: SchedulabilityReport) -> str:
    """Return a row a ratio; one without a utilisation is weighted over all of them."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for row in report.weighted:
        writer.writerow([row.scheduler, row.cache_ns, "", "", "", *_numbers(row.weighted)])
    for each in report.acceptance:
        counts = (each.sets, each.schedulable)
        cells = [each.scheduler, each.cache_ns, f"{each.utilisation:g}", *counts]
        writer.writerow([*cells, *_numbers(each.ratio)])
    return file.getvalue()


def _numbers(ratio: Ratio) -> Sequence[str]:
    return [f"{number:.6f}" for number in (ratio.value, ratio.low, ratio.high)]
