# SPDX-License-Identifier: MIT
"""The report of an image for the terminal."""

from rich.console import Console

from plafond.build.report import ImageReport, StackRow, WordRow
from plafond.build.sizes import Sizes
from plafond.describe.kernel import Scheduler
from plafond.output import show
from plafond.rows import table

KINDS = ("text", "data", "bss")


def print_report(report: ImageReport, console: Console | None = None) -> None:
    """Print the report of an image."""
    console = console or Console(highlight=False)
    console.print(
        f"{report.image}: {report.file} on {report.board}, {_chosen(report)}", markup=False
    )
    total = {kind: sum(getattr(row, kind) for row in report.sizes) for kind in KINDS}
    for shown in (
        table("Bytes", Sizes, [*report.sizes, Sizes(part="all", **total)]),
        table("Stacks, bytes", StackRow, report.stacks),
        table("Shared words, bytes", WordRow, report.shared),
    ):
        show(console, shown)
    if report.conformance_class:
        console.print(f"\nconformance class of OSEK: {report.conformance_class}", end="")
    console.print(
        f"\neach task: {report.task_block} bytes of task control block, and "
        f"{report.saved_registers} of saved registers"
    )
    if report.nesting:
        console.print(f"interrupts nest: at most {report.nesting} handlers, one in another")
    if report.scheduler == Scheduler.EDF:
        console.print(f"the ready queue: room for {report.activations} activations of all tasks")
    if report.page_tables:
        console.print(f"page tables: {report.page_tables} bytes")


def _chosen(report: ImageReport) -> str:
    return f"EDF, {report.protocol}" if report.scheduler == Scheduler.EDF else report.protocol
