# SPDX-License-Identifier: MIT
"""The analysis as a table for the terminal."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.markup import escape

from plafond.analyse.model import AnalysisReport, AnalysisRow, DemandRow, ServerRow, Verdict
from plafond.analyse.on_target import CostsRow, TargetReport, TargetRow
from plafond.output import print_table
from plafond.units import format_duration

COLUMNS = ("task", "protocol", "blocking", "response", "deadline", "verdict")
TEXT_COLUMNS = ("task", "protocol", "verdict")
SERVER_COLUMNS = (
    "server",
    "kind",
    "cpu",
    "period",
    "budget",
    "within",
    "first gap",
    "arrivals",
    "verdict",
)
SERVER_TEXT_COLUMNS = ("server", "kind", "global", "arrivals", "verdict")
BEFORE_SHARING = SERVER_COLUMNS.index("within")
SHARING_COLUMNS = ("global", "X", "kept out")  # of servers, where some share resources
TARGET_COLUMNS = (
    "task",
    "protocol",
    "blocking",
    "bound",
    "+ overheads",
    "deadline",
    "verdict",
)
COSTS_COLUMNS = (
    "protocol",
    "interrupt",
    "activation",
    "switch",
    "pair",
    "preempted",
    "disturbed",
    "step",
)
DEMAND_COLUMNS = (
    "cpu",
    "utilisation",
    "busy period",
    "verdict",
    "late within",
    "demand",
    "blocking",
)


def print_report(report: AnalysisReport, console: Console | None = None) -> None:
    """Print the table, under EDF the demand of each CPU, all servers, and the notes below."""
    console = console or Console(highlight=False)
    title = f"{escape(report.name)}: bounds without overheads"
    server = ("server",) if report.servers else ()  # a column that other tables do not have
    bounds = (_with_server(_cells(row), row.server, server) for row in report.rows)
    print_table(console, title, (*server, *COLUMNS), bounds, (*server, *TEXT_COLUMNS))
    if report.servers:
        _print_servers(report.servers, console)
    if report.demand:
        demand = (_with_server(_demand_cells(row), row.server, server) for row in report.demand)
        columns = (*server, *DEMAND_COLUMNS)
        print_table(console, "Processor demand", columns, demand, (*server, "verdict"))
    for note in report.notes:
        console.print(f"- {note}", markup=False)


def _print_servers(rows: Sequence[ServerRow], console: Console) -> None:
    is_shared = any(row.kept_out_ns is not None for row in rows)
    sharing = SHARING_COLUMNS if is_shared else ()
    first, second = SERVER_COLUMNS[:BEFORE_SHARING], SERVER_COLUMNS[BEFORE_SHARING:]
    columns = (*first, *sharing, *second)
    cells = (_server_cells(row, is_shared) for row in rows)
    print_table(console, "Servers", columns, cells, SERVER_TEXT_COLUMNS)


def print_target_report(report: TargetReport, console: Console | None = None) -> None:
    """Print the bounds without and with overheads, these, and the notes below."""
    console = console or Console(highlight=False)
    title = f"{escape(report.name)}: bounds with the overheads of {report.target}"
    rows = map(_target_cells, report.rows)
    print_table(console, title, TARGET_COLUMNS, rows, TEXT_COLUMNS)
    costs = map(_costs_cells, report.costs)
    print_table(console, f"Overheads of {report.target}", COSTS_COLUMNS, costs, TEXT_COLUMNS)
    if report.ticks:
        console.print(f"- ticks take at most {', '.join(_ticks(report.ticks))}", markup=False)
    for note in report.notes:
        console.print(f"- {note}", markup=False)


def _ticks(ticks: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Say where the curve rises."""
    last_ns = 0
    for window_ns, stolen_ns in ticks:
        if stolen_ns > last_ns:
            yield f"{format_duration(stolen_ns)} of {format_duration(window_ns)}"
        last_ns = stolen_ns


def _target_cells(row: TargetRow) -> tuple[str, ...]:
    bounds = (
        row.blocking_with_overheads_ns,
        row.response_bound_ns,
        row.overheads_ns,
        row.deadline_ns,
    )
    return (row.task, row.protocol, *map(_duration, bounds), row.verdict.value)


def _costs_cells(row: CostsRow) -> tuple[str, ...]:
    c = row.costs
    costs = (
        c.interrupt_ns,
        c.activation_ns,
        c.switch_ns,
        c.pair_ns,
        c.preempted_ns,
        c.disturbed_ns,
        row.step_ns,
    )
    return (row.protocol, *map(_duration, costs))


def _cells(row: AnalysisRow) -> tuple[str, ...]:
    bounds = (row.blocking_bound_ns, row.response_bound_ns, row.deadline_ns)
    return (row.task, row.protocol.value, *map(_duration, bounds), row.verdict.value)


def _with_server(
    cells: tuple[str, ...], server: str | None, column: tuple[str, ...]
) -> tuple[str, ...]:
    return (server or "-", *cells) if column else cells


def _server_cells(row: ServerRow, is_shared: bool) -> tuple[str, ...]:
    shared = (row.sharing or "-", _duration(row.hold_ns), _duration(row.kept_out_ns))
    return (
        row.server,
        row.kind.value,
        str(row.cpu),
        _duration(row.period_ns),
        _duration(row.budget_ns),
        *(shared if is_shared else ()),
        _duration(row.response_bound_ns),
        _duration(row.gap_ns),
        "on periods" if row.is_aligned else "any",
        row.verdict,
    )


def _demand_cells(row: DemandRow) -> tuple[str, ...]:
    verdict = Verdict.SCHEDULABLE if row.schedulable else Verdict.LATE
    late = (row.window_ns, row.demand_ns, row.blocking_ns)
    load = f"{row.utilisation:.1%}"
    return (str(row.cpu), load, _duration(row.busy_period_ns), verdict.value, *map(_duration, late))


def _duration(value_ns: int | None) -> str:
    return "-" if value_ns is None else format_duration(value_ns)
