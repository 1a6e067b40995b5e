# SPDX-License-Identifier: MIT
"""The report as tables for the terminal."""

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
from plafond.bench.tables import Table, noted, print_tables, targets_table
from plafond.rows import Table as RowTable

TEXT_COLUMNS = (
    *("(Q, T) ms", "equation 2", "model", "policing", "task", "test", "thread", "schedule"),
    *("figure", "scene", "paper", "paper: the same four", "interrupt thread", "what"),
)
STATISTICS = ("average", "deviation", "most", "least")
TIMES_COLUMNS = (*STATISTICS, "samples", "paper: the same four")
MS = 1_000_000


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


def _tables(report: IrqsReport) -> Iterator[Table | RowTable]:
    yield _table(
        "Equation 2, (T - Q)/P < N_c: frames lost on both sides of the boundary",
        ("(Q, T) ms", "P ms", "N_c", "(T-Q)/P", "equation 2", "lost", "first", "backlog", "model"),
        map(_ring_cells, report.rings),
    )
    yield _table(
        "Throughput against Q/T: Figure 6, Table VI (frames in 2 s of 2000 sent)",
        (
            *("(Q, T) ms", "Q/T", "N_c", "equation 2", "policing"),
            *("frames", "simulated", "model", "%", "paper: %"),
        ),
        map(_throughput_cells, report.throughput),
    )
    yield _table(
        "Time to take 600 frames: Table VII, Figures 9 and 10",
        ("interrupt thread", "ms", "simulated", "ratio", "paper: s", "paper: ratio"),
        map(_transfer_cells, report.transfers),
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
    yield _table(
        "virtio-net: what runs softirqs, in one run (us)",
        ("what", "interrupt thread", "samples", "executed", "response: median", "most"),
        map(_response_cells, report.network_responses),
    )
    for title, rows in report.network_frames.items():
        yield _times_table(f"virtio-net, {title}", rows)
    for title, rows in report.times.items():
        yield _times_table(title, rows)
    for what, rows in report.tasks.items():
        title = f"Table I: three periodic tasks, {what} (us)"
        yield _table(title, ("task", *TIMES_COLUMNS), map(_times_cells, rows))
    yield _table(
        "Figure 3: response times of the three tasks, at most in so many of the jobs (us)",
        ("task", *report.quantiles[0].quantiles_us),
        map(_quantile_cells, report.quantiles),
    )
    yield _table(
        "Figure 4: one periodic task and two greedy ones in CBS (columns of 0.5 ms)",
        ("thread", "(Q, T) ms", "% of the CPU", "expected", "schedule"),
        map(_share_cells, report.shares),
    )
    yield _table(
        "A player of 40 ms: Figures 5, 11 and 12, Table VIII (ms between frames)",
        ("figure", "scene", "average", "deviation", "most", "samples", "device %", "paper"),
        map(_player_cells, report.players),
    )
    yield targets_table(report.targets, "{:.4g}".format)


def _table(title: str, columns: Sequence[str], rows: Iterator[tuple[str, ...]]) -> Table:
    return Table(title, columns, rows, TEXT_COLUMNS)


def _driver_table(title: str, unit: str, rows: Sequence[DriverRow]) -> Table:
    columns = (
        *("interrupt thread", "Q/T", "runs", unit, "thread: %", "ksoftirqd: %"),
        *("expected", "ratio", "least", "most"),
    )
    return _table(title, columns, map(_driver_cells, rows))


def _driver_times_table(whose: str, rows: Sequence[DriverTimesRow]) -> Table:
    return _table(
        f"The interrupt thread {whose} in one run: Figures 7 and 8, "
        "at most in so many of the samples (us)",
        ("figure", "interrupt thread", "samples", *rows[0].quantiles_us),
        map(_driver_times_cells, rows),
    )


def _times_table(title: str, rows: Sequence[TimesRow]) -> Table:
    return _table(f"{title} (us)", ("test", *TIMES_COLUMNS), map(_times_cells, rows))


def _reservation(budget_ns: int, period_ns: int) -> str:
    return f"({budget_ns / MS:g}, {period_ns / MS:g})"


def _holds(holds_all: bool) -> str:
    return "holds" if holds_all else "does not"


def _ring_cells(row: RingRow) -> tuple[str, ...]:
    return (
        _reservation(row.budget_ns, row.period_ns),
        f"{row.interrupt_period_ns / MS:g}",
        str(row.ring_size),
        f"{row.gap:g}",
        _holds(row.holds_all),
        str(row.lost),
        "" if row.first_lost is None else str(row.first_lost),
        str(row.backlog),
        "same" if row.is_simulated else "differs",
    )


def _throughput_cells(row: ThroughputRow) -> tuple[str, ...]:
    return (
        _reservation(row.budget_ns, row.period_ns),
        f"{row.share:g}",
        str(row.ring_size),
        _holds(row.holds_all),
        "by tick" if row.polices_by_tick else "exact",
        *(str(each) for each in (row.served, row.simulated, row.in_model)),
        f"{row.percent:.2f}",
        "" if row.paper_percent is None else f"{row.paper_percent:.2f}",
    )


def _thread(budget_ns: int | None, period_ns: int | None) -> str:
    if budget_ns is None or period_ns is None:
        return "priority 50"
    return _reservation(budget_ns, period_ns)


def _transfer_cells(row: TransferRow) -> tuple[str, ...]:
    return (
        _thread(row.budget_ns, row.period_ns),
        f"{row.total_ns / MS:.2f}",
        f"{row.simulated_ns / MS:.2f}",
        f"{row.ratio:.2f}",
        f"{row.paper_s:.2f}",
        f"{row.paper_ratio:.2f}",
    )


def _driver_cells(row: DriverRow) -> tuple[str, ...]:
    ratios = (row.expected_ratio, row.ratio, row.least_ratio, row.most_ratio)
    return (
        _thread(row.budget_ns, row.period_ns),
        "" if row.share is None else f"{row.share:g}",
        str(row.runs),
        f"{row.done_per_s:.0f}",
        f"{row.thread_percent:.1f}",
        f"{row.left_percent:.2f}",
        *(f"{each:.2f}" for each in ratios),
    )


def _driver_times_cells(row: DriverTimesRow) -> tuple[str, ...]:
    thread = _thread(row.budget_ns, row.period_ns)
    quantiles = (f"{each:.1f}" for each in row.quantiles_us.values())
    return (row.what, thread, str(row.samples), *quantiles)


def _response_cells(row: ResponseRow) -> tuple[str, ...]:
    thread = _thread(row.budget_ns, row.period_ns)
    times = (row.executed_us, row.median_us, row.most_us)
    return (row.what, thread, str(row.samples), *(f"{each:.1f}" for each in times))


def _times_cells(row: TimesRow) -> tuple[str, ...]:
    times = (row.average_us, row.deviation_us, row.most_us, row.least_us)
    paper = ", ".join(map(str, row.paper_us))
    return (row.what, *(f"{each:.1f}" for each in times), str(row.samples), paper)


def _quantile_cells(row: QuantileRow) -> tuple[str, ...]:
    return (row.task, *(f"{each:.1f}" for each in row.quantiles_us.values()))


def _share_cells(row: ShareRow) -> tuple[str, ...]:
    percents = (f"{row.percent:.2f}", f"{row.expected_percent:.2f}")
    return (row.thread, row.reservation, *percents, row.segment)


def _player_cells(row: PlayerRow) -> tuple[str, ...]:
    times = (row.average_us, row.deviation_us, row.most_us)
    device = "" if row.device_percent is None else f"{row.device_percent:.1f}"
    milliseconds = (f"{each / 1000:.2f}" for each in times)
    return (row.figure, row.scene, *milliseconds, str(row.samples), device, row.paper)
