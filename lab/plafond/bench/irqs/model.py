# SPDX-License-Identifier: MIT
"""The report of `plafond bench irqs`; its JSON is the output of `--format json`."""

from typing import Annotated, Any

from plafond.bench.model import Part, Target
from plafond.rows import Column
from plafond.units import UNIT_NS


def _reservation(row: Any) -> str:
    return f"({row.budget_ns / UNIT_NS['ms']:g}, {row.period_ns / UNIT_NS['ms']:g})"


def _thread(row: Any) -> str:
    is_reserved = row.budget_ns is not None and row.period_ns is not None
    return _reservation(row) if is_reserved else "priority 50"


def _holds(holds_all: bool) -> str:
    return "holds" if holds_all else "does not"


def _same(is_simulated: bool) -> str:
    return "same" if is_simulated else "differs"


def _policing(by_tick: bool) -> str:
    return "by tick" if by_tick else "exact"


def _joined(figures: list[int]) -> str:
    return ", ".join(map(str, figures))


class Conditions(Part):
    """The conditions of the figures, in ns, measured before the rows."""

    kernel: str
    interrupt_ns: int
    start_ns: int
    unpaid_ns: int
    tick_ns: int
    frame_ns: dict[int, int]  # by requested work
    notes: list[str]


class RingRow(Part):
    """A test of equation 2: a gap of T - Q, and a ring of N_c entries."""

    budget_ns: Annotated[int, Column("(Q, T) ms", of=_reservation, is_text=True)]
    period_ns: int
    interrupt_period_ns: Annotated[int, Column("P ms", "ms", "g")]
    ring_size: Annotated[int, Column("N_c")]
    gap: Annotated[float, Column("(T-Q)/P", format="g")]  # (T - Q)/P
    holds_all: Annotated[bool, Column("equation 2", format=_holds, is_text=True)]  # by equation 2
    lost: Annotated[int, Column("lost")]
    first_lost: Annotated[int | None, Column("first")]
    backlog: Annotated[int, Column("backlog")]
    # The same frames are lost in the paper's model, which has no costs.
    is_simulated: Annotated[bool, Column("model", format=_same, is_text=True)]


class ThroughputRow(Part):
    """Frames served in whole periods of the reservation, while more frames are sent than fit."""

    budget_ns: Annotated[int, Column("(Q, T) ms", of=_reservation, is_text=True, place=-4)]
    period_ns: int
    ring_size: Annotated[int, Column("N_c", place=-2)]
    polices_by_tick: Annotated[bool, Column("policing", format=_policing, is_text=True)]
    share: Annotated[float, Column("Q/T", format="g", place=-3)]  # Q/T
    # By equation 2.
    holds_all: Annotated[bool, Column("equation 2", format=_holds, is_text=True, place=-1)]
    served: Annotated[int, Column("frames")]
    simulated: Annotated[int, Column("simulated")]  # with the kernel's costs
    in_model: Annotated[int, Column("model", is_text=True)]  # without the kernel's costs
    # Relative to the frames served without a reservation.
    percent: Annotated[float, Column("%", format=".2f")]
    paper_percent: Annotated[float | None, Column("paper: %", format=".2f")]


class TransferRow(Part):
    """The time to serve a number of frames; no reservation: the thread has priority 50."""

    budget_ns: Annotated[int | None, Column("interrupt thread", of=_thread, is_text=True)]
    period_ns: int | None
    total_ns: Annotated[int, Column("ms", "ms", ".2f")]
    simulated_ns: Annotated[int, Column("simulated", "ms", ".2f")]
    ratio: Annotated[float, Column("ratio", format=".2f")]  # relative to the first row
    paper_s: Annotated[float, Column("paper: s", "s", ".2f")]
    paper_ratio: Annotated[float, Column("paper: ratio", format=".2f")]


class DriverRow(Part):
    """The throughput of a driver, with each run compared to a run without a reservation.

    Without a reservation the thread has priority 50.
    """

    budget_ns: Annotated[int | None, Column("interrupt thread", of=_thread, is_text=True)]
    period_ns: int | None
    share: Annotated[float | None, Column("Q/T", format="g")]  # Q/T
    runs: Annotated[int, Column("runs")]
    # Reads of a disk, or frames that a card received.
    done_per_s: Annotated[float, Column("per s", format=".0f")]
    # The thread's execution, as a share of the CPU.
    thread_percent: Annotated[float, Column("thread: %", format=".1f")]
    # The execution of ksoftirqd, which is outside the reservation.
    left_percent: Annotated[float, Column("ksoftirqd: %", format=".2f")]
    # Q/T, divided by the thread's share of the CPU without a reservation.
    expected_ratio: Annotated[float, Column("expected", format=".2f")]
    ratio: Annotated[float, Column("ratio", format=".2f")]
    least_ratio: Annotated[float, Column("least", format=".2f")]
    most_ratio: Annotated[float, Column("most", format=".2f")]


class DriverTimesRow(Part):
    """The distribution of times of a driver's interrupt thread in a run, in us."""

    what: Annotated[str, Column("figure")]
    # None: the thread has priority 50.
    budget_ns: Annotated[int | None, Column("interrupt thread", of=_thread, is_text=True)]
    period_ns: int | None
    samples: Annotated[int, Column("samples")]
    quantiles_us: Annotated[dict[str, float], Column(str, format=".1f")]


class ResponseRow(Part):
    """A thread that runs softirqs, or a softirq, in a run; times in us."""

    what: Annotated[str, Column("what")]
    # Of the card's interrupt thread; None: it has priority 50.
    budget_ns: Annotated[int | None, Column("interrupt thread", of=_thread, is_text=True)]
    period_ns: int | None
    samples: Annotated[int, Column("samples")]
    executed_us: Annotated[float, Column("executed", format=".1f")]  # total execution
    # From the wake-up or the raise to the end.
    median_us: Annotated[float, Column("response: median", format=".1f")]
    most_us: Annotated[float, Column("most", format=".1f")]


class TimesRow(Part):
    """Statistics of times, in us as in the paper."""

    what: Annotated[str, Column("test")]
    average_us: Annotated[float, Column("average", format=".1f")]
    deviation_us: Annotated[float, Column("deviation", format=".1f")]
    most_us: Annotated[float, Column("most", format=".1f")]
    least_us: Annotated[float, Column("least", format=".1f")]
    samples: Annotated[int, Column("samples")]
    # Average, deviation, most, least.
    paper_us: Annotated[list[int], Column("paper: the same four", format=_joined, is_text=True)]


class QuantileRow(Part):
    """The distribution of the response times of a task, in us."""

    task: Annotated[str, Column("task")]
    quantiles_us: Annotated[dict[str, float], Column(str, format=".1f")]


class ShareRow(Part):
    """A thread of Figure 4: its share of the CPU while all three threads ran."""

    thread: Annotated[str, Column("thread")]
    reservation: Annotated[str, Column("(Q, T) ms")]
    percent: Annotated[float, Column("% of the CPU", format=".2f")]
    expected_percent: Annotated[float, Column("expected", format=".2f")]
    segment: Annotated[str, Column("schedule")]  # an interval of the schedule


class PlayerRow(Part):
    """The times between frames of a player, and the device's throughput meanwhile."""

    figure: Annotated[str, Column("figure")]
    scene: Annotated[str, Column("scene")]
    average_us: Annotated[float, Column("average", "ms", ".2f")]
    deviation_us: Annotated[float, Column("deviation", "ms", ".2f")]
    most_us: Annotated[float, Column("most", "ms", ".2f")]
    least_us: float
    samples: Annotated[int, Column("samples")]
    # Relative to the frames that were sent.
    device_percent: Annotated[float | None, Column("device %", format=".1f")]
    paper: Annotated[str, Column("paper")]


class IrqsReport(Part):
    """The report of `plafond bench irqs`."""

    conditions: Conditions
    rings: list[RingRow]
    throughput: list[ThroughputRow]
    transfers: list[TransferRow]
    disk: list[DriverRow]
    disk_times: list[DriverTimesRow]
    network: list[DriverRow]
    network_times: list[DriverTimesRow]
    network_responses: list[ResponseRow]
    network_frames: dict[str, list[TimesRow]]  # by table
    times: dict[str, list[TimesRow]]  # by table
    tasks: dict[str, list[TimesRow]]  # Table I, by measured quantity
    quantiles: list[QuantileRow]
    shares: list[ShareRow]
    players: list[PlayerRow]
    targets: list[Target]
