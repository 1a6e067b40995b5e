# SPDX-License-Identifier: MIT
"""Send periodic frames through the device: Tables II to V.

The paper sends UDP packets between two computers. Here our device is the sender. The receiver is a
SCHED_OTHER thread that waits for each frame. The interrupt thread's times come from a recording of
the scheduler.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from plafond.bench.irqs.device import Device
from plafond.bench.irqs.frames import parse_frames
from plafond.bench.irqs.guest import ACTION, Scene, device_command
from plafond.bench.irqs.model import TimesRow
from plafond.kernel_trace.history import History, Thread
from plafond.kernel_trace.measure import distribution
from plafond.kernel_trace.model import Distribution
from plafond.kernel_trace.recording import parse_recording
from plafond.kernel_trace.threads import read_history

MS = 1_000_000
RING_SIZE = 64
WORK_NS = 12_000  # with the kernel's share, near the 14 to 21 us of Table V
COUNTS = {1: 400, 5: 100, 10: 100, 50: 50, 100: 50}  # by the period in milliseconds
SENT, RECEIVED = "Table II: sent", "Table III: received"
ARRIVED, EXECUTED = "Table IV: interrupt thread, inter-arrival", "Table V: its execution"
FrameTimes = tuple[Sequence[int], Sequence[int]]  # sent and received, in nanoseconds
# Average, deviation, most, least.
PAPER = {
    SENT: {
        1: [1190, 29, 1569, 1040],
        5: [5198, 22, 5278, 5058],
        10: [10195, 22, 10277, 10062],
        50: [50207, 27, 50298, 50081],
        100: [100207, 25, 100290, 100093],
    },
    RECEIVED: {
        1: [1207, 1011, 14336, 0],
        5: [5212, 1019, 6144, 4096],
        10: [10210, 271, 12288, 8192],
        50: [50229, 1023, 51200, 49152],
        100: [100204, 530, 100352, 98304],
    },
    ARRIVED: {
        1: [1210, 32, 1424, 59],
        5: [5222, 117, 5385, 63],
        10: [10264, 60, 10353, 10093],
        50: [50832, 627, 50353, 50082],
        100: [100424, 9342, 100313, 76],
    },
    EXECUTED: {
        1: [15, 5, 63, 9],
        5: [19, 1, 68, 18],
        10: [14, 1, 29, 13],
        50: [16, 2, 28, 15],
        100: [21, 3, 23, 12],
    },
}


def times_scenes() -> Iterator[Scene]:
    """Yield the runs of our device."""

    def command(period_ns: int, count: int) -> str:
        return device_command(Device(period_ns, count, RING_SIZE, WORK_NS), receives=True)

    return recorded_scenes("times", command)


def recorded_scenes(name: str, command: Callable[[int, int], str]) -> Iterator[Scene]:
    """Yield a run for each period; `command` gets the period in ns and the number of frames.

    Each run has the output of the command, and a recording.
    """
    for period, count in COUNTS.items():
        file = f"{name}-{period}"
        record = f"plafond-record /{file}-recording -- {command(period * MS, count)} >/{file}"
        yield Scene(file, [record, f"post {file}-recording /{file}-recording"])


def times_rows(files: Mapping[str, bytes]) -> dict[str, list[TimesRow]]:
    """Return the four tables of our device."""

    def parse(output: bytes) -> FrameTimes:
        frames = parse_frames(output).frames
        received_ns = [frame.received_ns for frame in frames if frame.received_ns is not None]
        return [frame.sent_ns for frame in frames], received_ns

    return recorded_rows("times", files, parse, ACTION)


def recorded_rows(
    name: str, files: Mapping[str, bytes], parse: Callable[[bytes], FrameTimes], action: str
) -> dict[str, list[TimesRow]]:
    """Return the four tables, with a row for each period; `action`: of the interrupt."""
    by_period = {}
    for period in COUNTS:
        file = f"{name}-{period}"
        history = read_history(parse_recording(files[f"{file}-recording"], file), {})
        sent_ns, received_ns = parse(files[file])
        thread = interrupt_thread(history, action)
        by_period[period] = {
            SENT: _between(sent_ns),
            RECEIVED: _between(received_ns),
            ARRIVED: thread.inter_arrivals_ns,
            EXECUTED: [each.execution_ns for each in thread.activations],
        }
    return {
        table: [
            row_of(f"T{period}", by_period[period][table], PAPER[table][period])
            for period in COUNTS
        ]
        for table in PAPER
    }


def interrupt_thread(history: History, action: str) -> Thread:
    """Return the thread of the interrupt with that action."""
    return next(each for each in history.threads if each.name.endswith(f"-{action}"))


def _between(times_ns: Sequence[int]) -> list[int]:
    return [after - before for before, after in pairwise(times_ns)]


def row_of(what: str, times_ns: Sequence[int], paper_us: list[int]) -> TimesRow:
    """Return the statistics of times, with the paper's values."""
    found = distribution(times_ns)
    assert found is not None, f"no times of {what}"
    return TimesRow(what=what, paper_us=paper_us, **statistics_us(found))


def statistics_us(times: Distribution) -> dict[str, float]:
    """Return the common fields of rows with statistics."""
    return {
        "average_us": times.average_ns / 1000,
        "deviation_us": times.deviation_ns / 1000,
        "most_us": times.most_ns / 1000,
        "least_us": times.least_ns / 1000,
        "samples": times.samples,
    }
