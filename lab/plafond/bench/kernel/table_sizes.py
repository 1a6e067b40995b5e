# SPDX-License-Identifier: MIT
"""What features add to an image, as a table for the terminal."""

from rich.console import Console

from plafond.bench.kernel.sizes import SizeRow, SizesReport
from plafond.bench.tables import Table, noted, print_tables

NOTES = [
    "Of the kernel, its port and what is generated for them; of tasks, their stacks and saved "
    "registers, and of page tables, nothing. The first row is a whole system; each other one is "
    "what a description adds to that system, or to the one that it names, by the feature alone.",
    "Text has constants, too. Data is what is written, with a value at the start or zero.",
    "GetResource and ReleaseResource are user code under this protocol, in the tasks that call "
    "them: twelve instructions a pair.",
    "Of a service these are the functions of the kernel that it alone needs, for tasks and for "
    "handlers, in an image with all services of one core, where resources are system calls. What "
    "one service calls of another one is among what several need. Its entries in the kernel's "
    "tables, and the stubs in user code, are not counted.",
]


def _name(row: SizeRow) -> str:
    return f"{row.feature}, beside {row.beside}" if row.beside else row.feature


def print_sizes(report: SizesReport, console: Console | None = None) -> None:
    """Print it."""
    table = Table(
        "What a feature adds (bytes)",
        ("feature", "text", "data"),
        ((_name(row), f"{row.text:,}", f"{row.data:,}") for row in report.rows),
        ("feature",),
    )
    services = Table(
        "What is there for a service (bytes)",
        ("service", "text"),
        ((row.service, f"{row.text:,}") for row in report.services),
        ("service",),
    )
    lines = [f"{report.board}, {report.protocol}, {report.flags}", *noted(NOTES)]
    print_tables(lines, [table, services], console)
