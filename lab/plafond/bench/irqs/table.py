# SPDX-License-Identifier: MIT
"""Print the report as tables."""

from collections.abc import Iterator, Sequence

from rich.console import Console

from plafond.bench.irqs.model import (
    Conditions,
    DriverRow,
    DriverTimesRow,
    IrqsReport,
    PlayerRow,
    QuantileRow,
    ResponseRow,
    RingRow,
    ShareRow,
    ThroughputRow,
    TimesRow,
    TransferRow,
)
from plafond.bench.tables import noted, print_tables, targets_table
from plafond.rows import Table, table


def print_report(report: IrqsReport, console: Console | None = None) -> None:
    """Print all tables."""
    print_tables(_condition_lines(report.conditions), _tables(report), console)


def _condition_lines(conditions: Conditions) -> Iterator[str]:
    c = conditions
    yield f"Emulated: Linux {c.kernel}, one CPU; an instruction takes a nanosecond"
    yield (
        f"The kernel adds: {c.start_ns} ns to begin ({c.unpaid_ns} ns of it on no budget), "
        f"{c.interrupt_ns} ns an interrupt, {c.tick_ns} ns a tick"
    )
    works = ", ".join(f"{took} ns for {asked}" for asked, took in sorted(c.frame_ns.items()))
    yield f"The work of a frame takes: {works}"
    yield from noted(c.notes)


def _tables(report: IrqsReport) -> Iterator[Table]:
    yield table(
        "Equation 2, (T - Q)/P < N_c: frames lost on both sides of the boundary",
        RingRow,
        report.rings,
    )
    yield table(
        "Throughput against Q/T: Figure 6, Table VI (frames in 2 s of 2000 sent)",
        ThroughputRow,
        report.throughput,
    )
    yield table(
        "Time to take 600 frames: Table VII, Figures 9 and 10", TransferRow, report.transfers
    )
    yield _driver_table(
        "A real driver, virtio-blk: not repeatable, reads beside those without a reservation",
        "reads/s",
        report.disk,
    )
    yield _driver_times_table("of the disk", report.disk_times)
    yield _driver_table(
        "A real driver, virtio-net: frames beside those without a reservation",
        "frames/s",
        report.network,
    )
    yield _driver_times_table("of the card", report.network_times)
    yield table(
        "virtio-net: what runs softirqs, in one run (us)", ResponseRow, report.network_responses
    )
    for title, rows in report.network_frames.items():
        yield table(f"virtio-net, {title} (us)", TimesRow, rows)
    for title, rows in report.times.items():
        yield table(f"{title} (us)", TimesRow, rows)
    for what, rows in report.tasks.items():
        title = f"Table I: three periodic tasks, {what} (us)"
        yield table(title, TimesRow, rows, change={"what": {"heading": "task"}})
    yield table(
        "Figure 3: response times of the three tasks, at most in so many of the jobs (us)",
        QuantileRow,
        report.quantiles,
    )
    yield table(
        "Figure 4: one periodic task and two greedy ones in CBS (columns of 0.5 ms)",
        ShareRow,
        report.shares,
    )
    yield table(
        "A player of 40 ms: Figures 5, 11 and 12, Table VIII (ms between frames)",
        PlayerRow,
        report.players,
    )
    yield targets_table(report.targets, "{:.4g}".format)


def _driver_table(title: str, unit: str, rows: Sequence[DriverRow]) -> Table:
    return table(title, DriverRow, rows, change={"done_per_s": {"heading": unit}})


def _driver_times_table(whose: str, rows: Sequence[DriverTimesRow]) -> Table:
    return table(
        f"The interrupt thread {whose} in one run: Figures 7 and 8, "
        "at most in so many of the samples (us)",
        DriverTimesRow,
        rows,
    )
