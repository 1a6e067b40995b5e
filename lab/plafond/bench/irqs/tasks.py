# SPDX-License-Identifier: MIT
"""Tasks in a recording: periodic tasks (Table I, Figure 3), and greedy tasks (Figure 4)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil

from plafond.bench.irqs.device import Reservation
from plafond.bench.irqs.guest import Scene
from plafond.bench.irqs.model import QuantileRow, ShareRow, TimesRow
from plafond.bench.irqs.times import row_of
from plafond.bench.irqs.together import Jobs, Task, Together
from plafond.kernel_trace.history import OnCpu, Thread
from plafond.kernel_trace.recording import parse_recording
from plafond.kernel_trace.threads import read_history

MS = 1_000_000
EXECUTION, ARRIVAL, RESPONSE = "execution", "inter-arrival", "response"

# The paper's three tasks need 105 % of a CPU. Ours have the same periods and need 78 %.
PERIODIC = [
    Task("task-1", 60, 6 * MS, 2_500_000, 100),
    Task("task-2", 70, 3 * MS, 500_000, 200),
    Task("task-3", 50, 8 * MS, 1_600_000, 75),
]
PAPER = {
    "task-1": {
        EXECUTION: [2991, 273, 8953, 2956],
        ARRIVAL: [5993, 303, 10720, 11],
        RESPONSE: [3182, 555, 5986, 2960],
    },
    "task-2": {
        EXECUTION: [553, 66, 6025, 544],
        ARRIVAL: [2997, 10, 3002, 2991],
        RESPONSE: [556, 229, 6027, 546],
    },
    "task-3": {
        EXECUTION: [2941, 51, 5859, 2919],
        ARRIVAL: [7993, 24, 9049, 6938],
        RESPONSE: [3683, 397, 7285, 2927],
    },
}
QUANTILES = {"10%": 0.1, "50%": 0.5, "90%": 0.9, "99%": 0.99, "100%": 1.0}

THREE = Together("periodic-tasks", PERIODIC, 600 * MS, is_recorded=True)

# Figure 4. The periodic task's work and reservation are our choice. The greedy tasks have more work
# than there is time.
GREEDY_NS = 200 * MS
BEFORE_NS, SEEN_NS = 100 * MS, 200 * MS  # after the first job; the observed time after that
FIGURE_4 = Together(
    "figure-4",
    [
        Task("periodic", 0, 5 * MS, MS, 70, Reservation(1_500_000, 5 * MS)),
        Task("greedy-10", 0, 0, GREEDY_NS, 1, Reservation(MS, 10 * MS)),
        Task("greedy-4", 0, 0, GREEDY_NS, 1, Reservation(MS, 4 * MS)),
    ],
    BEFORE_NS + SEEN_NS,
    is_recorded=True,
)
# An interval of the schedule: the number of columns, and the length of a column.
SEGMENT_COLUMNS, COLUMN_NS = 40, 500_000


def task_scenes() -> Iterator[Scene]:
    """Yield both recordings."""
    yield THREE.scene
    yield FIGURE_4.scene


def _threads(files: Mapping[str, bytes], together: Together) -> list[Thread]:
    """Return the recorded threads of the tasks, in the tasks' order."""
    names = {jobs.tid: name for name, jobs in together.jobs(files).items()}
    recording = parse_recording(files[f"{together.name}-recording"], together.name)
    found = {thread.name: thread for thread in read_history(recording, names).threads}
    return [found[task.name] for task in together.tasks]


def periodic_rows(files: Mapping[str, bytes]) -> dict[str, list[TimesRow]]:
    """Return Table I: for each measured quantity a row for each task."""
    times_ns = _times_of_three_ns(files)
    return {
        what: [row_of(task, times[what], PAPER[task][what]) for task, times in times_ns.items()]
        for what in (EXECUTION, ARRIVAL, RESPONSE)
    }


def _times_of_three_ns(files: Mapping[str, bytes]) -> dict[str, dict[str, list[int]]]:
    """Return times by task and quantity, except of the last job, which also prints."""
    jobs = THREE.jobs(files)
    return {thread.name: _times_ns(thread, jobs[thread.name]) for thread in _threads(files, THREE)}


def _times_ns(thread: Thread, jobs: Jobs) -> dict[str, list[int]]:
    begin_ns, end_ns = jobs.released_ns[0], jobs.released_ns[-1]
    seen = [each for each in thread.activations if begin_ns <= each.begin_ns < end_ns]
    return {
        EXECUTION: [each.execution_ns for each in seen],
        ARRIVAL: [after.begin_ns - each.begin_ns for each, after in pairwise(seen)],
        RESPONSE: [each.end_ns - each.begin_ns for each in seen],
    }


def quantile_rows(files: Mapping[str, bytes]) -> list[QuantileRow]:
    """Return Figure 3: the distribution of the response times."""
    return [
        QuantileRow(
            task=task,
            quantiles_us={
                name: quantile(times_ns[RESPONSE], share) / 1000
                for name, share in QUANTILES.items()
            },
        )
        for task, times_ns in _times_of_three_ns(files).items()
    ]


def quantile(times_ns: Sequence[int], share: float) -> int:
    """Return the least time that is not exceeded in that share of the samples."""
    return sorted(times_ns)[ceil(share * len(times_ns)) - 1]


def share_rows(files: Mapping[str, bytes]) -> list[ShareRow]:
    """Return Figure 4: each thread's share of the CPU in an interval in which all threads ran."""
    begin_ns = max(jobs.released_ns[0] for jobs in FIGURE_4.jobs(files).values()) + BEFORE_NS
    return [
        ShareRow(
            thread=thread.name,
            reservation=_words(task.reservation),
            percent=100 * _within(thread.on_cpu, begin_ns, begin_ns + SEEN_NS) / SEEN_NS,
            expected_percent=_expected_percent(task),
            segment=segment(thread.on_cpu, begin_ns),
        )
        for task, thread in zip(FIGURE_4.tasks, _threads(files, FIGURE_4), strict=True)
    ]


def _words(reservation: Reservation | None) -> str:
    assert reservation is not None
    return f"({reservation.budget_ns / MS:g} ms, {reservation.period_ns / MS:g} ms)"


def _expected_percent(task: Task) -> float:
    """Return the need of the task's jobs, or for a greedy task its whole reservation."""
    assert task.reservation is not None
    if task.period_ns:
        return 100 * task.work_ns / task.period_ns
    return 100 * task.reservation.share


def _within(on_cpu: Sequence[OnCpu], begin_ns: int, end_ns: int) -> int:
    times = (min(each.end_ns, end_ns) - max(each.begin_ns, begin_ns) for each in on_cpu)
    return sum(max(time, 0) for time in times)


def segment(on_cpu: Sequence[OnCpu], begin_ns: int) -> str:
    """Return a piece of the schedule: `#` if the thread had the CPU for most of a column."""
    starts = range(begin_ns, begin_ns + SEGMENT_COLUMNS * COLUMN_NS, COLUMN_NS)
    shares = (_within(on_cpu, start, start + COLUMN_NS) / COLUMN_NS for start in starts)
    return "".join("#" if share > 0.5 else "." for share in shares)
