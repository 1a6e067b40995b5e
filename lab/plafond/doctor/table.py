# SPDX-License-Identifier: MIT
"""The report as a table, the proposed changes, and the answer."""

import os
import textwrap

from rich.console import Console
from rich.markup import escape

from plafond.doctor.model import Finding, Report, Verdict
from plafond.output import show
from plafond.rows import table

WIDTH = 100
FIRST = (Verdict.FAIL, Verdict.WARN, Verdict.UNKNOWN)


def print_report(report: Report, console: Console | None = None) -> None:
    """Print the report, at most 100 columns wide."""
    console = console or _console()
    topic = max(len(finding.topic) for finding in report.findings)
    verdict = max(map(len, (*Verdict, "verdict")))
    rest = console.width - topic - verdict - 9
    change = {"finding": {"format": lambda text: escape(textwrap.fill(text, max(rest, 20)))}}
    title = "This machine for real-time threads"
    show(console, table(title, Finding, report.findings, change=change))
    _print_changes(console, report.findings, topic)
    console.print(f"\n[bold]{escape(_answer(report))}[/bold]", soft_wrap=True)


def _console() -> Console:
    """Return a console of the width of the terminal, or of COLUMNS, or else of WIDTH."""
    console = Console(highlight=False)
    is_known = console.is_terminal or "COLUMNS" in os.environ
    if not is_known or console.width > WIDTH:
        return Console(highlight=False, width=WIDTH)
    return console


def _print_changes(console: Console, findings: list[Finding], indent: int) -> None:
    """Print each change once, in a line if it fits, failures first."""
    ordered = sorted((f for f in findings if f.change), key=lambda f: FIRST.index(f.verdict))
    topics: dict[str, str] = {}
    for finding in ordered:
        topics.setdefault(str(finding.change), finding.topic)
    if topics:
        console.print("\n[bold]What to change[/bold]")
    for change, topic in topics.items():
        label = f"{topic:<{indent}}  "
        if len(label) + len(change) > console.width:
            label = f"{topic}\n    "
        console.print(escape(label + change), soft_wrap=True)


def _answer(report: Report) -> str:
    if report.meaningful:
        return "run --on linux will be meaningful here"
    answer = "run --on linux will not be meaningful here: "
    reasons = [f.finding.partition(";")[0] for f in report.findings if f.verdict is Verdict.FAIL]
    if len(answer) + len(", ".join(reasons)) <= WIDTH:
        return answer + ", ".join(reasons)
    return f"{answer}{reasons[0]} (and {len(reasons) - 1} more)"
