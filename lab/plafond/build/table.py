# SPDX-License-Identifier: MIT
"""The report of an image for the terminal."""

from rich.console import Console

from plafond.build.report import ImageReport, WordRow
from plafond.describe.kernel import Scheduler
from plafond.output import print_table

TEXT_COLUMNS = ("part", "task", "word")


def print_report(report: ImageReport, console: Console | None = None) -> None:
    """Print what there is to know about an image."""
    console = console or Console(highlight=False)
    console.print(
        f"{report.image}: {report.file} on {report.board}, {_chosen(report)}", markup=False
    )
    total = [sum(getattr(row, kind) for row in report.sizes) for kind in ("text", "data", "bss")]
    print_table(
        console,
        "Bytes",
        ("part", "text", "data", "bss"),
        [
            *((row.part, str(row.text), str(row.data), str(row.bss)) for row in report.sizes),
            ("all", *map(str, total)),
        ],
        TEXT_COLUMNS,
    )
    print_table(
        console,
        "Stacks, bytes",
        ("task", "given", "by the compiler"),
        ((row.task, _bytes(row.given), _bytes(row.by_compiler)) for row in report.stacks),
        TEXT_COLUMNS,
    )
    print_table(
        console,
        "Shared words, bytes",
        ("word", "offset", "size"),
        ((row.word, _offset(row), str(row.size)) for row in report.shared),
        TEXT_COLUMNS,
    )
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


def _offset(row: WordRow) -> str:
    return f"{row.offset} + {row.stride}n" if row.stride else str(row.offset)


def _bytes(value: int | None) -> str:
    return "-" if value is None else str(value)
