# SPDX-License-Identifier: MIT
"""The report as tables for the terminal."""

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean

from rich.console import Console

from plafond.bench.tables import noted, print_tables, targets_table
from plafond.rows import Table, each, table
from plafond.servers.model import Conditions, SectionRow, ServersReport, SetRow
from plafond.servers.sets import POLICIES
from plafond.units import format_duration

Figure = float | None
Shown = tuple[str, Callable[[SetRow], Figure]]  # a heading, and the figure of a row


def print_report(report: ServersReport, console: Console | None = None) -> None:
    """Print all tables."""
    print_tables(_condition_lines(report.conditions), _tables(report), console)


def _condition_lines(conditions: Conditions) -> Iterator[str]:
    yield (
        f"Emulated: Linux {conditions.kernel}, one CPU; an instruction takes a nanosecond; a unit "
        f"of the sets is {format_duration(conditions.unit_ns)}"
    )
    yield from noted(conditions.notes)


def _tables(report: ServersReport) -> Iterator[Table]:
    sets = report.sets
    yield _of_sets(
        "Asberg 2010, Table I: calls of lock and unlock, and by these of the scheduler",
        sets,
        ("lock, unlock: paper", lambda row: row.paper_locks),
        ("Linux", lambda row: row.linux.locks),
        ("kernel", lambda row: row.kernel.locks),
        ("scheduler: paper", lambda row: row.paper_scheduler),
        ("Linux", lambda row: row.linux.scheduler),
        ("kernel", lambda row: row.kernel.scheduler),
    )
    yield _of_sets(
        "Overruns and paybacks, servers that were kept out, and tests of budgets that failed",
        sets,
        ("overruns: Linux", lambda row: row.linux.overruns),
        ("kernel", lambda row: row.kernel.overruns),
        ("paid: Linux", lambda row: row.linux.paybacks),
        ("kernel", lambda row: row.kernel.paybacks),
        ("kept out: Linux", lambda row: row.linux.kept_out),
        ("kernel", lambda row: row.kernel.kept_out),
        ("failed: Linux", lambda row: row.linux.failed_tests),
        ("kernel", lambda row: row.kernel.failed_tests),
    )
    yield _of_sets(
        "The manager on Linux: its decisions, the time that they take, priorities that they change",
        sets,
        ("periods", lambda row: row.manager.periods),
        ("decisions", lambda row: row.manager.decisions),
        ("a period", lambda row: row.manager.decisions / row.manager.periods),
        ("us", lambda row: row.manager.busy_ns / 1000),
        ("us each", lambda row: row.manager.busy_ns / 1000 / row.manager.decisions),
        ("us a period", lambda row: row.manager.busy_ns / 1000 / row.manager.periods),
        ("CPU %", lambda row: 100 * row.manager.busy_ns / row.manager.run_ns),
        ("priorities", lambda row: row.manager.priority_changes),
        ("latest us", lambda row: row.manager.latest_ns / 1000),
    )
    yield _of_sets(
        "Calls of the kernel by the tasks",
        sets,
        ("Linux: all", lambda row: row.linux.calls),
        ("to the manager", lambda row: row.linux.scheduler),
        ("failed tests", lambda row: row.linux.failed_tests),
        ("at gates", lambda row: row.linux.other_calls),
        ("kernel: all", lambda row: row.kernel.calls),
    )
    yield table("A section without contention (instructions on Linux)", SectionRow, report.sections)
    yield targets_table(report.targets, "{:.4g}".format)


def _of_sets(title: str, sets: Sequence[SetRow], *shown: Shown) -> Table:
    """Return a row for each set and policy, and the means of the policies."""
    names = [(str(row.number), row.policy) for row in sets]
    names += [("mean", policy) for policy in POLICIES]
    firsts = (name if policy == POLICIES[0] else "" for name, policy in names)
    return Table(
        title,
        [
            each("set", firsts, text=True),
            each("policy", (policy for _, policy in names), text=True),
            *(each(heading, _with_means(sets, figure), _number) for heading, figure in shown),
        ],
    )


def _with_means(sets: Sequence[SetRow], figure: Callable[[SetRow], Figure]) -> Iterator[Figure]:
    yield from map(figure, sets)
    for policy in POLICIES:
        found = [figure(row) for row in sets if row.policy == policy]
        known = [count for count in found if count is not None]
        yield fmean(known) if known else None


def _number(figure: float) -> str:
    return str(figure) if isinstance(figure, int) else f"{figure:.4g}"
