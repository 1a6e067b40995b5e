# SPDX-License-Identifier: MIT
"""Draw the releases of tasks: at their arrivals, or later by their jitter.

Targets know only releases. The jitter of an arrival is drawn by its number, as the lengths of
ranges are, so it is the same for every protocol. After the run the arrivals are put back into the
trace, because responses and deadlines count from arrivals.

If the jitter is above the interval, a draw can be before the release of the job before. Then the
job is released a nanosecond after that release, because a trace cannot distinguish equal releases.
"""

from collections.abc import Iterator, Mapping, Sequence

from plafond.describe.splitmix import drawn, key_of
from plafond.describe.system import System, Task
from plafond.trace.model import TaskTrace, Trace

Times = Mapping[str, Sequence[int]]  # by task, in ascending order


def draw_releases(system: System, arrivals: Times, seed: int) -> dict[str, list[int]]:
    """Return the releases of all arrivals; equal seeds give equal releases."""
    return {
        task.name: list(_releases(task, arrivals[task.name], seed))
        if task.jitter_ns
        else list(arrivals[task.name])
        for task in system.tasks
    }


def _releases(task: Task, arrivals: Sequence[int], seed: int) -> Iterator[int]:
    key = key_of(seed, task.name, "jitter")
    last_ns = -1
    for number, time_ns in enumerate(arrivals):
        last_ns = max(time_ns + drawn(0, task.jitter_ns, key, number), last_ns + 1)
        yield last_ns


def with_arrivals(trace: Trace, arrivals: Times, releases: Times) -> Trace:
    """Return the trace of a run with these releases, with the arrivals put back."""
    late_ns = {
        name: {
            release: release - arrival
            for arrival, release in zip(arrivals[name], times, strict=True)
        }
        for name, times in releases.items()
        if list(times) != list(arrivals[name])
    }
    tasks = [
        _with_arrivals(task, late_ns[task.name]) if task.name in late_ns else task
        for task in trace.tasks
    ]
    return trace.model_copy(update={"tasks": tasks})


def _with_arrivals(task: TaskTrace, late_ns: Mapping[int, int]) -> TaskTrace:
    late = [late_ns.get(release, 0) for release in task.arrivals_ns]
    arrivals = [time - by for time, by in zip(task.arrivals_ns, late, strict=True)]
    return task.model_copy(update={"arrivals_ns": arrivals, "late_ns": late})
