# SPDX-License-Identifier: MIT
"""The comparison of spare processor time for the terminal."""

from collections.abc import Iterator

from rich.console import Console

from plafond.output import print_table
from plafond.run.spare.model import Occurrences, Paper, SpareReport, SpareRow, Spread, TTest
from plafond.run.spare.statistics import POWER, SIGNIFICANCE
from plafond.units import format_duration

TEXT_COLUMNS = ("protocol", "test", "verdict", "of")


def print_spare(report: SpareReport, console: Console | None = None) -> None:
    """Print where the processor time went, what the tests can see, and what they show."""
    console = console or Console(highlight=False)
    _print_conditions(console, report)
    _print_spreads(console, report)
    _print_occurrences(console, report.occurrences)
    if report.paper:
        _print_paper(console, report.paper)
    _print_power(console, report)
    _print_tests(console, report)
    for note in report.notes:
        console.print(f"- {note}", markup=False)


def _print_conditions(console: Console, report: SpareReport) -> None:
    console.print(
        f"{report.name}: {report.pairs} pairs of runs; a measuring task below all others on "
        f"CPU {report.cpu} for {format_duration(report.duration_ns)} each",
        markup=False,
    )
    machine = report.conditions
    if machine.emulation:
        console.print(f"times: {machine.emulation}", markup=False)
    console.print(
        f"{machine.cpu_model}; Linux {machine.kernel}; times scaled by {machine.scale}, "
        f"seed {machine.seed}; {machine.date}",
        markup=False,
    )
    if report.cut:
        console.print("[bold red]CUT SHORT: it ended before all pairs were run[/]")


def _print_spreads(console: Console, report: SpareReport) -> None:
    rows = [cells for row in report.rows for cells in _spread_cells(row)]
    print_table(
        console,
        "Processor time, ns",
        ("of", "protocol", "average", "deviation", "minimum", "maximum"),
        sorted(rows, key=lambda cells: cells[0]),
        TEXT_COLUMNS,
    )


def _spread_cells(row: SpareRow) -> Iterator[tuple[str, ...]]:
    named = {"left": row.left, "worked": row.worked, "overhead": row.overhead}
    for name, spread in named.items():
        if spread:
            yield (name, row.protocol, *_cells(spread))


def _cells(spread: Spread) -> tuple[str, ...]:
    return (
        f"{spread.average_ns:,.0f}",
        f"{spread.deviation_ns:,.0f}",
        f"{spread.minimum_ns:,}",
        f"{spread.maximum_ns:,}",
    )


def _print_occurrences(console: Console, occurrences: list[Occurrences]) -> None:
    print_table(
        console,
        "In a run, on average",
        ("protocol", "locks", "context switches"),
        ((each.protocol, f"{each.locks:.1f}", f"{each.switches:.1f}") for each in occurrences),
        TEXT_COLUMNS,
    )


def _print_paper(console: Console, paper: Paper) -> None:
    print_table(
        console,
        f"{paper.name}: {paper.pairs} pairs, t = {paper.t:.2f}",
        ("protocol", "average", "deviation"),
        (
            (protocol, f"{average:,.0f}", f"{deviation:,.0f}")
            for protocol, average, deviation in zip(
                ("inheritance", "ceilings"), paper.averages, paper.deviations, strict=True
            )
        ),
        TEXT_COLUMNS,
    )


def _print_power(console: Console, report: SpareReport) -> None:
    left_ns = report.rows[0].left.average_ns
    print_table(
        console,
        f"The smallest difference that a test shows with a probability of {POWER:.0%}",
        ("test", "ns", "of what is left"),
        (
            (
                test.test,
                f"{test.smallest_effect_ns:,.0f}",
                f"{test.smallest_effect_ns / left_ns:.2%}",
            )
            for test in report.tests
        ),
        TEXT_COLUMNS,
    )
    if report.paper and report.effect_to_see_ns is not None:
        console.print(
            f"- the paper's difference: {abs(report.paper.effect):.2%} of what is left; "
            f"of ours {report.effect_to_see_ns:,.0f} ns"
        )


def _print_tests(console: Console, report: SpareReport) -> None:
    first, second = (row.protocol for row in report.rows)
    print_table(
        console,
        f"Do the averages differ? {second} less {first}; significance level {SIGNIFICANCE:.1%}",
        ("test", "difference, ns", "t", "d.f.", "p", "verdict"),
        map(_test_cells, report.tests),
        TEXT_COLUMNS,
    )


def _test_cells(test: TTest) -> tuple[str, ...]:
    return (
        test.test,
        f"{test.difference_ns:,.0f}",
        f"{test.t:.2f}",
        str(test.degrees_of_freedom),
        f"{test.p:.2g}",
        test.verdict,
    )
