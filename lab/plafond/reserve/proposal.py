# SPDX-License-Identifier: MIT
"""A reservation for each interrupt thread of a report: OSPERT 2010, 6, Section II.C.

- From the maximum: C is the longest execution, P the least recorded inter-arrival.
- From the distribution: C is a quantile of the executions, P the average inter-arrival. While the
  thread serves an interrupt longer than C, more may come than the device has places for. These are
  lost.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from plafond.analyse.lost_interrupts import (
    least_budget_by_load,
    least_budget_by_pending,
    least_pending,
    served_in_interval_ns,
)
from plafond.describe.server import LEAST_BUDGET_NS, reservation
from plafond.kernel_trace.model import ThreadMeasures
from plafond.reserve.model import Proposal, Row, ThreadRows
from plafond.reserve.quantile import Times, together
from plafond.reserve.report import Recorded
from plafond.reserve.source import Source
from plafond.reserve.toml import action_of, irqs_of, names_of, table_lines
from plafond.units import UNIT_NS, format_duration

LEAST_SAMPLES = 10
ROUNDED_TO_NS = UNIT_NS["us"]
DEADLINE = "DEADLINE"


@dataclass(frozen=True)
class Wanted:
    """The options: T, N_c if it is known, and the row that becomes a table."""

    period_ns: int
    pending: int | None
    source: Source


@dataclass(frozen=True)
class Thread:
    """A thread in all runs of a report."""

    name: str
    execution: Times
    inter_arrival: Times


def propose(recorded: Recorded, wanted: Wanted) -> Proposal:
    """Return the needs of each thread, the busiest first, and notes."""
    notes = list(_of_model(wanted))
    threads = sorted(_threads(recorded.threads, notes), key=_load, reverse=True)
    names = [thread.name for thread in threads]
    tables = zip(threads, irqs_of(names), names_of(list(map(action_of, names))), strict=True)
    rows = [_rows(*each, wanted) for each in tables]
    notes += _of_rows(rows)
    return Proposal(
        name=recorded.name,
        period_ns=wanted.period_ns,
        pending=wanted.pending,
        source=wanted.source,
        threads=tuple(rows),
        notes=tuple(notes),
    )


def _threads(measured: Sequence[ThreadMeasures], notes: list[str]) -> Iterator[Thread]:
    """Yield the threads with enough samples; a note names each other thread."""
    for name in dict.fromkeys(each.thread for each in measured):
        runs = [each for each in measured if each.thread == name]
        execution = together([each.execution for each in runs if each.execution])
        inter_arrival = together([each.inter_arrival for each in runs if each.inter_arrival])
        samples = execution.samples if execution else 0
        if any(each.policy == DEADLINE for each in runs):
            notes.append(f"{name} had a reservation in the run: times are those of what it served")
        if execution is None or inter_arrival is None or samples < LEAST_SAMPLES:
            notes.append(
                f"{name}: found {samples} activations; expected {LEAST_SAMPLES} at least: let the "
                "run last longer, with --activations"
            )
        elif not inter_arrival.least_ns:
            notes.append(f"{name}: found two activations at one instant; expected time between")
        else:
            yield Thread(name, execution, inter_arrival)


def _load(thread: Thread) -> Fraction:
    return thread.execution.average_ns / thread.inter_arrival.average_ns


def _rows(thread: Thread, irq: str, server: str, wanted: Wanted) -> ThreadRows:
    rows = tuple(_row(thread, source, wanted) for source in Source)
    chosen = next(row for row in rows if row.source is wanted.source)
    return ThreadRows(
        thread=thread.name,
        irq=irq,
        samples=thread.execution.samples,
        average_load=float(_load(thread)),
        rows=rows,
        server=server,
        toml="\n".join(_toml(thread, irq, server, chosen, wanted)),
    )


def _row(thread: Thread, source: Source, wanted: Wanted) -> Row:
    execution, inter_arrival = thread.execution, thread.inter_arrival
    interval_ns = int(inter_arrival.average_ns)  # rounded down, so that rather too much is reserved
    if source is Source.MAXIMUM:
        interval_ns = inter_arrival.least_ns
    execution_ns = execution.quantile_ns(source.share)
    budget_ns, why_not = budget_of(execution_ns, interval_ns, wanted)
    if execution.samples < source.least_samples:
        budget_ns = None
        why_not = f"{execution.samples} activations, and {source} takes {source.least_samples}"
    lost = pending = None
    if budget_ns is not None:
        served_ns = served_in_interval_ns(wanted.period_ns, budget_ns, inter_arrival.average_ns)
        lost = float(execution.lost(served_ns))
        pending = least_pending(wanted.period_ns, budget_ns, interval_ns)
    return Row(
        source=source,
        execution_ns=execution_ns,
        interval_ns=interval_ns,
        load=execution_ns / interval_ns,
        budget_ns=budget_ns,
        share=None if budget_ns is None else budget_ns / wanted.period_ns,
        pending=pending,
        lost=lost,
        why_not=why_not,
    )


def budget_of(execution_ns: int, interval_ns: int, wanted: Wanted) -> tuple[int | None, str | None]:
    """Return the least budget for both equations, rounded up to 1 us; or None, and why."""
    budget_ns = least_budget_by_load(wanted.period_ns, execution_ns, interval_ns)
    if budget_ns > wanted.period_ns:
        return None, f"C/P is {execution_ns / interval_ns:.2f}: more than a CPU"
    if wanted.pending is not None:
        by_pending_ns = least_budget_by_pending(wanted.period_ns, interval_ns, wanted.pending)
        budget_ns = max(budget_ns, by_pending_ns)
    budget_ns = max(budget_ns, LEAST_BUDGET_NS)
    return min(-(-budget_ns // ROUNDED_TO_NS) * ROUNDED_TO_NS, wanted.period_ns), None


def _toml(thread: Thread, irq: str, server: str, row: Row, wanted: Wanted) -> Iterator[str]:
    samples = thread.execution.samples
    execution, interval = map(format_duration, (row.execution_ns, row.interval_ns))
    yield f"# {thread.name}, {row.source} of {samples} activations: C {execution}, P {interval}"
    if row.budget_ns is None:
        yield f"# no reservation: {row.why_not}"
        return
    yield from table_lines(reservation(server, irq, wanted.period_ns, row.budget_ns))


def _of_model(wanted: Wanted) -> Iterator[str]:
    yield (
        "maximum: no interrupt is lost, if the device keeps N_c, and none takes longer or comes "
        "earlier than was recorded"
    )
    yield (
        "99.9%, 99%: so many take no longer than C, with P the average. Lost: what a device loses "
        "that keeps none waiting, if each interval were the average one. With places it loses "
        "less, where arrivals come in bursts more"
    )
    if wanted.pending is None:
        yield (
            "N_c: how many pending interrupts the device must be able to keep, by equation 2. How "
            "many it keeps is not known; if fewer, --pending makes the budgets larger"
        )


def _of_rows(threads: Sequence[ThreadRows]) -> Iterator[str]:
    for source in Source:
        found = [row for thread in threads for row in thread.rows if row.source is source]
        share = sum(row.share or 0 for row in found)
        if share > 1:
            yield f"{source}: reservations of {share:.1%} of a CPU in all"
