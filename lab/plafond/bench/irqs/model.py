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
    """Under which the figures hold; nanoseconds, measured before the rows."""

    kernel: str
    interrupt_ns: int
    start_ns: int
    unpaid_ns: int
    tick_ns: int
    frame_ns: dict[int, int]  # by the work asked for
    notes: list[str]


class RingRow(Part):
    """Equation 2: one gap of T - Q, and a ring of so many entries."""

    budget_ns: Annotated[int, Column("(Q, T) ms", of=_reservation, is_text=True)]
    period_ns: int
    interrupt_period_ns: Annotated[int, Column("P ms", "ms", "g")]
    ring_size: Annotated[int, Column("N_c")]
    gap: Annotated[float, Column("(T-Q)/P", format="g")]  # (T - Q)/P
    holds_all: Annotated[bool, Column("equation 2", format=_holds, is_text=True)]  # by equation 2
    lost: Annotated[int, Column("lost")]
    first_lost: Annotated[int | None, Column("first")]
    backlog: Annotated[int, Column("backlog")]
    # The same frames are lost in the paper's model, without any cost.
    is_simulated: Annotated[bool, Column("model", format=_same, is_text=True)]


class ThroughputRow(Part):
    """Frames served in a whole number of periods of the reservation, more being sent than fit."""

    budget_ns: Annotated[int, Column("(Q, T) ms", of=_reservation, is_text=True, place=-4)]
    period_ns: int
    ring_size: Annotated[int, Column("N_c", place=-2)]
    polices_by_tick: Annotated[bool, Column("policing", format=_policing, is_text=True)]
    share: Annotated[float, Column("Q/T", format="g", place=-3)]  # Q/T
    # By equation 2.
    holds_all: Annotated[bool, Column("equation 2", format=_holds, is_text=True, place=-1)]
    served: Annotated[int, Column("frames")]
    simulated: Annotated[int, Column("simulated")]  # with the kernel's costs
    in_model: Annotated[int, Column("model", is_text=True)]  # without
    # Of the frames served without a reservation.
    percent: Annotated[float, Column("%", format=".2f")]
    paper_percent: Annotated[float | None, Column("paper: %", format=".2f")]


class TransferRow(Part):
    """The time to take a number of frames; None as the reservation: the thread has priority 50."""

    budget_ns: Annotated[int | None, Column("interrupt thread", of=_thread, is_text=True)]
    period_ns: int | None
    total_ns: Annotated[int, Column("ms", "ms", ".2f")]
    simulated_ns: Annotated[int, Column("simulated", "ms", ".2f")]
    ratio: Annotated[float, Column("ratio", format=".2f")]  # to the first row
    paper_s: Annotated[float, Column("paper: s", "s", ".2f")]
    paper_ratio: Annotated[float, Column("paper: ratio", format=".2f")]


class DriverRow(Part):
    """What a driver did in as many runs, each beside one of its round without a reservation.

    None as the reservation: the thread has priority 50.
    """

    budget_ns: Annotated[int | None, Column("interrupt thread", of=_thread, is_text=True)]
    period_ns: int | None
    share: Annotated[float | None, Column("Q/T", format="g")]  # Q/T
    runs: Annotated[int, Column("runs")]
    # Reads of a disk, or frames that a card received.
    done_per_s: Annotated[float, Column("per s", format=".0f")]
    # Of the CPU, what its thread executed.
    thread_percent: Annotated[float, Column("thread: %", format=".1f")]
    # What ksoftirqd did, which is in no reservation.
    left_percent: Annotated[float, Column("ksoftirqd: %", format=".2f")]
    # Of what its thread takes without a reservation, Q/T.
    expected_ratio: Annotated[float, Column("expected", format=".2f")]
    ratio: Annotated[float, Column("ratio", format=".2f")]
    least_ratio: Annotated[float, Column("least", format=".2f")]
    most_ratio: Annotated[float, Column("most", format=".2f")]


class DriverTimesRow(Part):
    """The distribution of times of a driver's interrupt thread in one run, in microseconds."""

    what: Annotated[str, Column("figure")]
    # None: the thread has priority 50.
    budget_ns: Annotated[int | None, Column("interrupt thread", of=_thread, is_text=True)]
    period_ns: int | None
    samples: Annotated[int, Column("samples")]
    quantiles_us: Annotated[dict[str, float], Column(str, format=".1f")]


class ResponseRow(Part):
    """A thread that runs softirqs, or one of these, in one run, in microseconds."""

    what: Annotated[str, Column("what")]
    # Of the card's interrupt thread; None: that has priority 50.
    budget_ns: Annotated[int | None, Column("interrupt thread", of=_thread, is_text=True)]
    period_ns: int | None
    samples: Annotated[int, Column("samples")]
    executed_us: Annotated[float, Column("executed", format=".1f")]  # in all
    # From when it is woken up, or raised, to its end.
    median_us: Annotated[float, Column("response: median", format=".1f")]
    most_us: Annotated[float, Column("most", format=".1f")]


class TimesRow(Part):
    """Statistics of some times, in microseconds as in the paper."""

    what: Annotated[str, Column("test")]
    average_us: Annotated[float, Column("average", format=".1f")]
    deviation_us: Annotated[float, Column("deviation", format=".1f")]
    most_us: Annotated[float, Column("most", format=".1f")]
    least_us: Annotated[float, Column("least", format=".1f")]
    samples: Annotated[int, Column("samples")]
    # Average, deviation, most, least.
    paper_us: Annotated[list[int], Column("paper: the same four", format=_joined, is_text=True)]


class QuantileRow(Part):
    """The distribution of the response times of a task, in microseconds."""

    task: Annotated[str, Column("task")]
    quantiles_us: Annotated[dict[str, float], Column(str, format=".1f")]


class ShareRow(Part):
    """A thread of Figure 4: what it had of the CPU while all three ran."""

    thread: Annotated[str, Column("thread")]
    reservation: Annotated[str, Column("(Q, T) ms")]
    percent: Annotated[float, Column("% of the CPU", format=".2f")]
    expected_percent: Annotated[float, Column("expected", format=".2f")]
    segment: Annotated[str, Column("schedule")]  # a piece of the schedule


class PlayerRow(Part):
    """The times between frames of a player, and what went through the device meanwhile."""

    figure: Annotated[str, Column("figure")]
    scene: Annotated[str, Column("scene")]
    average_us: Annotated[float, Column("average", "ms", ".2f")]
    deviation_us: Annotated[float, Column("deviation", "ms", ".2f")]
    most_us: Annotated[float, Column("most", "ms", ".2f")]
    least_us: float
    samples: Annotated[int, Column("samples")]
    # Of the frames that were sent.
    device_percent: Annotated[float | None, Column("device %", format=".1f")]
    paper: Annotated[str, Column("paper")]


class IrqsReport(Part):
    """All of `plafond bench irqs`."""

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
    tasks: dict[str, list[TimesRow]]  # Table I, by what was measured
    quantiles: list[QuantileRow]
    shares: list[ShareRow]
    players: list[PlayerRow]
    targets: list[Target]
