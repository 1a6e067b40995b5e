# SPDX-License-Identifier: MIT
"""The report of the schedule-sensitive method as tables for the terminal, and as CSV."""

from collections.abc import Iterator

from rich.console import Console

from plafond.bench.cpmd.tasks_report import TasksReport
from plafond.bench.cpmd.text import csv_of, in_us
from plafond.bench.tables import Table, noted, print_tables
from plafond.units import format_size

CSV_COLUMNS = (
    *("system", "task_count", "load", "task", "size_bytes", "kind", "samples"),
    *("mean_ns", "deviation_ns", "largest_ns", "least_ns"),
)
TEXT_COLUMNS = ("system", "load", "task", "", "what", "figures")


def print_tasks_report(report: TasksReport, console: Console | None = None) -> None:
    """Print all tables."""
    print_tables(_condition_lines(report), _tables(report), console)


def _condition_lines(report: TasksReport) -> Iterator[str]:
    yield f"{report.cpu_model}; Linux {report.kernel}"
    yield (
        f"each set ran for {report.seconds} s under each load, in {report.runs} runs; "
        f"{report.samples} valid samples of each run; under load a polluter on each CPU, with "
        f"{format_size(report.polluter_bytes)} each"
    )
    if not report.sees_interrupts:
        yield "interrupts cannot be seen on this processor: samples with some are among the valid"
    yield from noted(report.notes)


def _tables(report: TasksReport) -> Iterator[Table]:
    yield Table(
        "Delay of preempted jobs, us",
        (
            *("system", "load", "task", "tasks of its CPU", "working set"),
            *("average", "deviation", "largest", "least"),
        ),
        (
            (
                *(row.system, row.load, row.task, str(row.task_count)),
                format_size(row.size_bytes),
                *map(in_us, (row.mean_ns, row.deviation_ns, row.largest_ns, row.least_ns)),
            )
            for row in report.rows
        ),
        TEXT_COLUMNS,
    )
    reasons = list(dict.fromkeys(why for row in report.jobs for why in row.dropped))
    yield Table(
        "Jobs, and their samples",
        ("system", "load", "task", "jobs", "valid", "early", "unsure", *reasons, ""),
        (
            (
                *(row.system, row.load, row.task),
                *map(str, (row.jobs, row.valid, row.early, row.unsure)),
                *(str(row.dropped.get(why, 0)) for why in reasons),
                "LEFT OUT: too few are valid" if row.is_left_out else "",
            )
            for row in report.jobs
        ),
        TEXT_COLUMNS,
    )
    found = report.observation
    yield Table(
        f"Observation {found.number}: {found.claim}",
        ("what", "figures"),
        [
            ["could be shown", found.power],
            ["was found", found.finding or "nothing"],
            ["verdict", found.verdict.value],
        ],
        TEXT_COLUMNS,
        ("figures",),
    )


def tasks_csv_text(report: TasksReport) -> str:
    """Return a row for each task of each set under each load."""
    return csv_of(report.rows, CSV_COLUMNS)
