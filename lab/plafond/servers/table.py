# SPDX-License-Identifier: MIT
"""The report as tables for the terminal."""

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean

from rich.console import Console

from plafond import rows
from plafond.bench.tables import Table, noted, print_tables, targets_table
from plafond.servers.model import Conditions, Counts, SectionRow, ServersReport, SetRow
from plafond.servers.sets import POLICIES
from plafond.units import format_duration

TEXT_COLUMNS = ("set", "policy", "resource")
Figures = Sequence[float | None]


def print_report(report: ServersReport, console: Console | None = None) -> None:
    """Print all tables."""
    print_tables(_condition_lines(report.conditions), _tables(report), console)


def _condition_lines(conditions: Conditions) -> Iterator[str]:
    yield (
        f"Emulated: Linux {conditions.kernel}, one CPU; an instruction takes a nanosecond; a unit "
        f"of the sets is {format_duration(conditions.unit_ns)}"
    )
    yield from noted(conditions.notes)


def _tables(report: ServersReport) -> Iterator[Table | rows.Table]:
    sets = report.sets
    yield _of_sets(
        "Asberg 2010, Table I: calls of lock and unlock, and by these of the scheduler",
        (
            *("lock, unlock: paper", "Linux", "kernel"),
            *("scheduler: paper", "Linux", "kernel"),
        ),
        sets,
        _calls,
    )
    yield _of_sets(
        "Overruns and paybacks, servers that were kept out, and tests of budgets that failed",
        (
            *("overruns: Linux", "kernel", "paid: Linux", "kernel"),
            *("kept out: Linux", "kernel", "failed: Linux", "kernel"),
        ),
        sets,
        _budgets,
    )
    yield _of_sets(
        "The manager on Linux: its decisions, the time that they take, priorities that they change",
        (
            *("periods", "decisions", "a period", "us", "us each", "us a period"),
            *("CPU %", "priorities", "latest us"),
        ),
        sets,
        _manager,
    )
    yield _of_sets(
        "Calls of the kernel by the tasks",
        ("Linux: all", "to the manager", "failed tests", "at gates", "kernel: all"),
        sets,
        _kernel_calls,
    )
    yield Table(
        "A section without contention (instructions on Linux)",
        ("resource", "enter", "leave", "both in a row", "system calls"),
        map(_section_cells, report.sections),
        TEXT_COLUMNS,
    )
    yield targets_table(report.targets, "{:.4g}".format)


def _of_sets(
    title: str, columns: Sequence[str], sets: Sequence[SetRow], figures: Callable[[SetRow], Figures]
) -> Table:
    """Return a row for each set and policy, and the means."""
    return Table(title, ("set", "policy", *columns), _lines(sets, figures), TEXT_COLUMNS)


def _lines(sets: Sequence[SetRow], figures: Callable[[SetRow], Figures]) -> Iterator[Sequence[str]]:
    for row in sets:
        yield (_first(str(row.number), row.policy), row.policy, *map(_cell, figures(row)))
    for policy in POLICIES:
        columns = zip(*(figures(row) for row in sets if row.policy == policy), strict=True)
        yield (_first("mean", policy), policy, *map(_cell, map(_mean, columns)))


def _first(name: str, policy: str) -> str:
    return name if policy == POLICIES[0] else ""


def _mean(figures: Figures) -> float | None:
    known = [each for each in figures if each is not None]
    return fmean(known) if known else None


def _cell(figure: float | None) -> str:
    if figure is None:
        return ""
    return str(figure) if isinstance(figure, int) else f"{figure:.4g}"


def _calls(row: SetRow) -> Figures:
    locks = (row.paper_locks, row.linux.locks, row.kernel.locks)
    return (*locks, row.paper_scheduler, row.linux.scheduler, row.kernel.scheduler)


def _budgets(row: SetRow) -> Figures:
    def of(counts: Counts) -> tuple[int, ...]:
        return (counts.overruns, counts.paybacks, counts.kept_out, counts.failed_tests)

    pairs = zip(of(row.linux), of(row.kernel), strict=True)
    return [figure for pair in pairs for figure in pair]


def _manager(row: SetRow) -> Figures:
    m = row.manager
    return (
        m.periods,
        m.decisions,
        m.decisions / m.periods,
        m.busy_ns / 1000,
        m.busy_ns / 1000 / m.decisions,
        m.busy_ns / 1000 / m.periods,
        100 * m.busy_ns / m.run_ns,
        m.priority_changes,
        m.latest_ns / 1000,
    )


def _kernel_calls(row: SetRow) -> Figures:
    c = row.linux
    return (c.calls, c.scheduler, c.failed_tests, c.other_calls, row.kernel.calls)


def _section_cells(row: SectionRow) -> tuple[str, ...]:
    figures = (row.enter, row.leave, row.pair, row.system_calls)
    return (row.resource, *(f"{each:g}" for each in figures))
