# SPDX-License-Identifier: MIT
"""Print the report of the schedule-sensitive method as tables, or as CSV."""

from collections.abc import Iterator

from rich.console import Console

from plafond.bench.cpmd.tasks_report import JobsRow, TaskRow, TasksReport
from plafond.bench.cpmd.text import dropped
from plafond.bench.tables import noted, print_tables
from plafond.columns import Column
from plafond.rows import Table, csv_of, table
from plafond.units import format_size


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
    yield table("Delay of preempted jobs, us", TaskRow, report.rows)
    yield table("Jobs, and their samples", JobsRow, report.jobs, change=dropped(report.jobs))
    found = report.observation
    said = {
        "could be shown": found.power,
        "was found": found.finding or "nothing",
        "verdict": found.verdict.value,
    }
    yield Table(
        f"Observation {found.number}: {found.claim}",
        [Column("what", list(said)), Column("figures", list(said.values()), wraps=True)],
    )


def tasks_csv_text(report: TasksReport) -> str:
    """Return a row for each task of each set under each load."""
    return csv_of(TaskRow, report.rows)
