# SPDX-License-Identifier: MIT
"""Print the comparison of spare processor time on the terminal."""

from collections.abc import Sequence

from rich.console import Console

from plafond.output import show
from plafond.rows import Table, columns_of, each, table
from plafond.run.spare.model import Occurrences, Paper, SpareReport, SpareRow, Spread, TTest
from plafond.run.spare.statistics import POWER, SIGNIFICANCE
from plafond.units import format_duration


def print_spare(report: SpareReport, console: Console | None = None) -> None:
    """Print the use of the processor time, the smallest visible effects, and the tests."""
    console = console or Console(highlight=False)
    _print_conditions(console, report)
    show(console, _spreads(report.rows))
    show(console, table("In a run, on average", Occurrences, report.occurrences))
    if report.paper:
        show(console, _paper(report.paper))
    _print_power(console, report)
    first, second = (row.protocol for row in report.rows)
    title = f"Do the averages differ? {second} less {first}; significance level {SIGNIFICANCE:.1%}"
    show(console, table(title, TTest, report.tests))
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


def _spreads(rows: Sequence[SpareRow]) -> Table:
    """Return the rows of all protocols beside each other."""
    lines = [
        (name, row.protocol, spread)
        for name in ("left", "overhead", "worked")
        for row in rows
        if (spread := getattr(row, name))
    ]
    return Table(
        "Processor time, ns",
        [
            each("of", (name for name, _, _ in lines), text=True),
            each("protocol", (protocol for _, protocol, _ in lines), text=True),
            *columns_of(Spread, (spread for _, _, spread in lines)),
        ],
    )


def _paper(paper: Paper) -> Table:
    return Table(
        f"{paper.name}: {paper.pairs} pairs, t = {paper.t:.2f}",
        [
            each("protocol", ("inheritance", "ceilings"), text=True),
            each("average", paper.averages, ",.0f"),
            each("deviation", paper.deviations, ",.0f"),
        ],
    )


def _print_power(console: Console, report: SpareReport) -> None:
    left_ns = report.rows[0].left.average_ns
    smallest = [test.smallest_effect_ns for test in report.tests]
    title = f"The smallest difference that a test shows with a probability of {POWER:.0%}"
    columns = [
        each("test", (test.test for test in report.tests), text=True),
        each("ns", smallest, ",.0f"),
        each("of what is left", (effect_ns / left_ns for effect_ns in smallest), ".2%"),
    ]
    show(console, Table(title, columns))
    if report.paper and report.effect_to_see_ns is not None:
        console.print(
            f"- the paper's difference: {abs(report.paper.effect):.2%} of what is left; "
            f"of ours {report.effect_to_see_ns:,.0f} ns"
        )
