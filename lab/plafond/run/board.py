# SPDX-License-Identifier: MIT
"""Run a system on Plafond's own kernel: build an image for each protocol of this run."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from plafond.board.boards import Board
from plafond.board.console import parse_console
from plafond.board.image import run_image
from plafond.board.recording import Recording
from plafond.board.trace import trace_of
from plafond.build.image import build_image
from plafond.describe.alarm import Alarm
from plafond.describe.counter import Counter
from plafond.describe.schedule_table import ScheduleTable, StartKind
from plafond.describe.system import Pending, System
from plafond.errors import ArgumentError, PlafondError
from plafond.progress import progress_by_step
from plafond.run.arrivals import DEFAULT_ACTIVATIONS
from plafond.run.job import Outcome
from plafond.run.options import Options
from plafond.units import UNIT_NS

# The notes lie in the task's private memory: at most a page of translations, 2 MiB.
MOST_NOTES = {"a53": 1 << 17}
PATIENCE_S = 60.0
# An emulated second of run steps takes less than a second, other work takes some seconds.
SLOWEST = 6


def run_on_board(
    system: System, arrivals: Mapping[str, Sequence[int]], options: Options, board: Board
) -> Iterator[Outcome]:
    """Build and run an image for each protocol; yield the outcome of each."""
    _refuse_dropped(system, board)
    until_ns = 0 if any(arrivals.values()) else _until_ns(system, options.activations)
    recording = Recording(system, arrivals, until_ns)
    recording.refuse_too_much(MOST_NOTES.get(board.name))
    limit_s = PATIENCE_S + SLOWEST * recording.limit_ns / UNIT_NS["s"]
    steps = 2 * len(options.protocols)
    with (
        TemporaryDirectory(dir=options.out) as scratch,
        progress_by_step("building", steps) as step,
    ):
        for number, protocol in enumerate(options.protocols):
            step(f"building, {protocol}", 2 * number)
            folder = Path(scratch) / protocol
            image = build_image(system, board.name, protocol, folder, recording, for_tools=False)
            step(f"running, {protocol}", 2 * number + 1)
            console = run_image(image.path, board, limit_s)
            try:
                trace = trace_of(parse_console(console), recording, protocol)
            except PlafondError as error:
                raise PlafondError(f"{protocol} on {board.name}: {error}") from None
            yield Outcome(trace, None)


def _refuse_dropped(system: System, board: Board) -> None:
    """Raise ArgumentError for a task that has ranges and may drop arrivals.

    The kernel draws by the number of activations that have begun. Which arrivals are dropped
    depends on the protocol. So the values that an arrival draws would depend on it, too.
    """
    for task in system.tasks:
        drops = 'pending = "skip"' if task.pending is Pending.SKIP else "queue"
        if task.has_ranges and (task.pending is Pending.SKIP or task.queue is not None):
            raise ArgumentError(
                f"--on {board.name}: found a range in the body of {task.name}, and {drops}; "
                "expected one of the two: what an arrival draws must not depend on those dropped"
            )


def _until_ns(system: System, count: int | None) -> int:
    """Return the length of a run without arrivals, in ns.

    By then each alarm has expired `count` times, and each schedule table has ended `count` times.
    """
    often = count or DEFAULT_ACTIVATIONS
    alarms = (_last_ns(each, system.counter(each.counter), often) for each in system.alarms)
    tables = (_end_ns(each, system.counter(each.counter), often) for each in system.schedule_tables)
    return max([0, *alarms, *tables])


def _last_ns(alarm: Alarm, counter: Counter, often: int) -> int:
    """Return the time half a tick after an alarm's last expiry; 0 if nothing sets the alarm."""
    start = alarm.start(counter)
    if start is None:
        return 0
    first, cycle = start
    return _half_a_tick_after(first + (often - 1) * cycle, counter)


def _end_ns(table: ScheduleTable, counter: Counter, often: int) -> int:
    """Return the time half a tick after a schedule table's last end; 0 if it does not start."""
    start = table.autostart
    if start is None or start.kind is StartKind.SYNCHRON:
        return 0
    # the counter reaches 0 only after its highest value
    begins = start.ticks or counter.highest + 1
    rounds = often if table.repeats else 1
    return _half_a_tick_after(begins + rounds * table.duration, counter)


def _half_a_tick_after(ticks: int, counter: Counter) -> int:
    tick_ns = counter.tick_ns or 0
    return ticks * tick_ns + tick_ns // 2
