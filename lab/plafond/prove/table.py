# SPDX-License-Identifier: MIT
"""The report as a table for the terminal."""

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from plafond.output import show
from plafond.prove.model import Fault, ProveReport, Row, Verdict
from plafond.rows import table


def print_report(report: ProveReport, *, faults: bool, console: Console | None = None) -> None:
    """Print the table, then violations and unknowns, and on request the fate of each mutant."""
    console = console or Console(highlight=False)
    show(console, table("Checks", Row, report.rows))
    for row in report.rows:
        _print_finding(console, row)
    if faults:
        for row in report.rows:
            _print_faults(console, row, row.faults)
    console.print(Text(f"\n{_summary(report)}"), soft_wrap=True)
    for check in report.left_out:
        console.print(Text(check), soft_wrap=True)


def _print_finding(console: Console, row: Row) -> None:
    """Print the details of a row that is no pass."""
    lines = []
    if row.certificate:
        lines.append(f"{row.protocol}, {row.check}: {row.certificate}")
    if row.verdict is Verdict.UNKNOWN:
        lines.append(f"{row.protocol}, {row.check}: unknown: {row.reason}")
    if row.verdict is Verdict.VIOLATED:
        lines.append(f"{row.protocol}, {row.check}: violated. The way there:")
        lines += [f"  {step}" for step in row.trace]
    if row.survivors > 0:
        lines.append(f"{row.protocol}, {row.check}: {row.survivors} of the mutants survived")
    if lines:
        console.print()
    for line in lines:
        console.print(Text(line), soft_wrap=True)
    if row.survivors > 0:
        _print_faults(console, row, (fault for fault in row.faults if fault.lives))


def _print_faults(console: Console, row: Row, faults: Iterable[Fault]) -> None:
    """Print two lines for each mutant."""
    shown = list(faults)
    if shown:
        console.print(Text(f"\n{row.protocol}, {row.check}: the mutants", style="bold"))
    for fault in shown:
        console.print(Text(f"{fault.verdict:10} {fault.mutant}"), soft_wrap=True)
        console.print(Text(f"{'':10}   {fault.by}"), soft_wrap=True)


def _summary(report: ProveReport) -> str:
    rows = report.rows
    verdicts = ", ".join(
        f"{count} {verdict}"
        for verdict in Verdict
        if (count := sum(row.verdict is verdict for row in rows))
    )
    mutants = sum(row.mutants for row in rows)
    killed = sum(row.mutants_killed for row in rows)
    argued = sum(row.mutants_argued for row in rows)
    minutes, seconds = divmod(round(report.seconds), 60)
    return (
        f"{len(rows)} checks: {verdicts}; {mutants} mutants: {killed} killed, {argued} argued, "
        f"{mutants - killed - argued} survived; {minutes} min {seconds} s"
    )
