# SPDX-License-Identifier: MIT
"""The report of `plafond bench irqs`; its JSON is the output of `--format json`."""

from plafond.bench.model import Part, Target


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

    budget_ns: int
    period_ns: int
    interrupt_period_ns: int
    ring_size: int
    gap: float  # (T - Q)/P
    holds_all: bool  # by equation 2
    lost: int
    first_lost: int | None
    backlog: int
    is_simulated: bool  # the same frames are lost in the paper's model, without any cost


class ThroughputRow(Part):
    """Frames served in a whole number of periods of the reservation, more being sent than fit."""

    budget_ns: int
    period_ns: int
    ring_size: int
    polices_by_tick: bool
    share: float  # Q/T
    holds_all: bool  # by equation 2
    served: int
    simulated: int  # with the kernel's costs
    in_model: int  # without
    percent: float  # of the frames served without a reservation
    paper_percent: float | None


class TransferRow(Part):
    """The time to take a number of frames; None as the reservation: the thread has priority 50."""

    budget_ns: int | None
    period_ns: int | None
    total_ns: int
    simulated_ns: int
    ratio: float  # to the first row
    paper_s: float
    paper_ratio: float


class DriverRow(Part):
    """What a driver did in as many runs, each beside one of its round without a reservation.

    None as the reservation: the thread has priority 50.
    """

    budget_ns: int | None
    period_ns: int | None
    share: float | None  # Q/T
    runs: int
    done_per_s: float  # reads of a disk, or frames that a card received
    thread_percent: float  # of the CPU, what its thread executed
    left_percent: float  # what ksoftirqd did, which is in no reservation
    expected_ratio: float  # of what its thread takes without a reservation, Q/T
    ratio: float
    least_ratio: float
    most_ratio: float


class DriverTimesRow(Part):
    """The distribution of times of a driver's interrupt thread in one run, in microseconds."""

    what: str
    budget_ns: int | None  # None: the thread has priority 50
    period_ns: int | None
    samples: int
    quantiles_us: dict[str, float]


class ResponseRow(Part):
    """A thread that runs softirqs, or one of these, in one run, in microseconds."""

    what: str
    budget_ns: int | None  # of the card's interrupt thread; None: that has priority 50
    period_ns: int | None
    samples: int
    executed_us: float  # in all
    median_us: float  # from when it is woken up, or raised, to its end
    most_us: float


class TimesRow(Part):
    """Statistics of some times, in microseconds as in the paper."""

    what: str
    average_us: float
    deviation_us: float
    most_us: float
    least_us: float
    samples: int
    paper_us: list[int]  # average, deviation, most, least


class QuantileRow(Part):
    """The distribution of the response times of a task, in microseconds."""

    task: str
    quantiles_us: dict[str, float]


class ShareRow(Part):
    """A thread of Figure 4: what it had of the CPU while all three ran."""

    thread: str
    reservation: str
    percent: float
    expected_percent: float
    segment: str  # a piece of the schedule


class PlayerRow(Part):
    """The times between frames of a player, and what went through the device meanwhile."""

    figure: str
    scene: str
    average_us: float
    deviation_us: float
    most_us: float
    least_us: float
    samples: int
    device_percent: float | None  # of the frames that were sent
    paper: str


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
