# SPDX-License-Identifier: MIT
"""The comparison of spare processor time for the terminal."""

from rich.console import Console

from plafond.output import print_table
from plafond.run.spare import SIGNIFICANCE, SpareReport
from plafond.units import format_duration

TEXT_COLUMNS = ("protocol", "test", "verdict")


def print_spare(report: SpareReport, console: Console | None = None) -> None:
    """Print what each protocol left, and whether the difference is more than chance."""
    console = console or Console(highlight=False)
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
    print_table(
        console,
        "Processor time left, ns",
        ("protocol", "average", "deviation", "minimum", "maximum"),
        (
            (
                row.protocol,
                f"{row.average_ns:,.0f}",
                f"{row.variance_ns2**0.5:,.0f}",
                f"{row.minimum_ns:,}",
                f"{row.maximum_ns:,}",
            )
            for row in report.rows
        ),
        TEXT_COLUMNS,
    )
    print_table(
        console,
        f"Are the averages equal? (significance level {SIGNIFICANCE:.1%})",
        ("test", "t", "d.f.", "p", "verdict"),
        (
            (
                test.test,
                f"{test.t:.2f}",
                str(test.degrees_of_freedom),
                f"{test.p:.2g}",
                "they differ" if test.significant else "no difference shown",
            )
            for test in report.tests
        ),
        TEXT_COLUMNS,
    )
    for note in report.notes:
        console.print(f"- {note}", markup=False)
