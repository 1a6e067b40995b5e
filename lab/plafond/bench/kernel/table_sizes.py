# SPDX-License-Identifier: MIT
"""Print the sizes of features and services as tables."""

from rich.console import Console

from plafond.bench.kernel.services import ServiceRow
from plafond.bench.kernel.sizes import SizeRow, SizesReport
from plafond.bench.tables import noted, print_tables
from plafond.rows import table

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


def print_sizes(report: SizesReport, console: Console | None = None) -> None:
    """Print the report."""
    features = table("What a feature adds (bytes)", SizeRow, report.rows)
    services = table("What is there for a service (bytes)", ServiceRow, report.services)
    lines = [f"{report.board}, {report.protocol}, {report.flags}", *noted(NOTES)]
    print_tables(lines, [features, services], console)
