# SPDX-License-Identifier: MIT
"""Response times under ceilings and under inheritance: the busy period of a level.

A processor serves fixed priorities P, equal ones in any order. Task j arrives at most once every T,
is released up to J after that, runs for C at most, and sleeps n times, for S in all, outside
sections. A job is pending from its release on. Follow task i from the instant before which no job
of priority P_i or more is pending, until its q-th job since then ends. In every instant of this
window one of these holds:

(a) a job of at least P_i runs: at most C for each of them that arrives;
(b) none does, and one of them sleeps: at most S for each;
(c) none does and none sleeps, but there is one: the processor runs a less urgent task
    inside a section that lifts it to P_i or more (see blocking.py), which blocks.

A less urgent task enters such a section before the window, or inside it while all pending
jobs of at least P_i sleep; for (c) to follow, one of their sleeps must end before the
section does. Sections that block at different times are followed by different ends of
sleeps, so the level is blocked at most once, and once more for every sleep:

  w_q = B * (1 + q*n_i + sum of ceil((w_q + J_j)/T_j)*n_j)
        + q*(C_i + S_i) + sum of ceil((w_q + J_j)/T_j)*(C_j + S_j)

over the other tasks of at least P_i. Where a server pays, (a), (b) or (c) holds in each instant of
its supply (supply.py): w_q is the least window with that much.

The first job is released in the window, so it arrives no earlier than J_i before that, and the q-th
no earlier than (q-1)*T_i - J_i. The window can hold a job q+1 only if w_q > q*T_i - J_i; the bound,
which counts from the arrival, is the largest w_q + J_i - (q-1)*T_i up to there (Audsley et al.
1993). Offsets, skipped arrivals and numbers of activations are ignored, which only adds arrivals.
What happens in the very instant in which a job ends comes after its end.
"""

from dataclasses import dataclass

from plafond.analyse.window import Arrivals, Background, Effort, Window
from plafond.describe.system import System, Task


@dataclass(frozen=True)
class Bounds:
    """Bounds of one task: the blocking in the window of its worst job, and its response time."""

    blocking_ns: int | None
    response_ns: int


@dataclass(frozen=True)
class WorstJob:
    """The job of a window with the longest response, counted from 1, and the window up to it."""

    number: int
    window_ns: int
    response_ns: int


@dataclass(frozen=True)
class Level:
    """A task, the others that delay it by their priority, and how long a section blocks it."""

    task: Task
    others: tuple[Task, ...]
    once_ns: int

    def blocking_ns(self, window_ns: int, jobs: int) -> int:
        """All blocking in a window that ends with so many jobs of the task."""
        after_sleeps = jobs * blockings_after_sleeps(self.task) + sum(
            arrivals(other, window_ns) * blockings_after_sleeps(other) for other in self.others
        )
        return self.once_ns * (1 + after_sleeps)

    @property
    def sleeps(self) -> bool:
        """Whether some task of the level does."""
        return any(task.sleeps_ns for task in (self.task, *self.others))

    @property
    def demand(self) -> str:
        """What the jobs ask for, in words."""
        return "demand with sleeps and the blocking after them" if self.sleeps else "demand"

    def cost_ns(self, task: Task) -> int:
        """All that one job adds to the window."""
        return demand_ns(task) + blockings_after_sleeps(task) * self.once_ns


def level_of(system: System, task: Task, once_ns: int) -> Level:
    """Return the level of a task."""
    others = (other for other in system.tasks_on(task.cpu) if interferes(other, task))
    return Level(task, tuple(others), once_ns)


def level_bounds(level: Level, effort: Effort, background: Background) -> Bounds:
    """Return the bounds of the level's task; NoWindowError if there are none."""
    own = Arrivals(level.task.least_interval_ns, level.cost_ns(level.task))
    others = [
        Arrivals(other.least_interval_ns, level.cost_ns(other), other.jitter_ns)
        for other in level.others
    ]
    window = Window(others, effort, background, fixed=own, demand=level.demand)
    worst = worst_job(level.task, window, own, level.once_ns)
    return Bounds(level.blocking_ns(worst.window_ns, worst.number), worst.response_ns)


def worst_job(task: Task, window: Window, own: Arrivals, once_ns: int) -> WorstJob:
    """Look at all jobs of a window, each of which adds its own to what comes once."""
    worst = WorstJob(0, 0, 0)
    jobs, window_ns, last = 0, 1, None
    while jobs != last:
        jobs += 1
        window_ns = window.least_ns(once_ns + jobs * own.cost_ns, window_ns)
        response_ns = window_ns + task.jitter_ns - (jobs - 1) * task.least_interval_ns
        if response_ns > worst.response_ns:
            worst = WorstJob(jobs, window_ns, response_ns)
        if not window_is_open(window_ns, jobs, task):
            break
        if jobs == 1 and window.fills(own):
            last = window.hyperperiod_ns(own) // own.interval_ns
    return worst


def interferes(other: Task, task: Task) -> bool:
    """Whether jobs of another task delay the task by their priority."""
    return other.name != task.name and other.priority >= task.priority


def arrivals(task: Task, window_ns: int) -> int:
    """How many jobs can be released in a window, open at its end."""
    return -(-(window_ns + task.jitter_ns) // task.least_interval_ns)


def demand_ns(task: Task) -> int:
    """C + S: for how long one job runs or sleeps."""
    return task.run_ns + sum(task.sleeps_ns)


def blockings_after_sleeps(task: Task) -> int:
    """How many sections can block because of one job: one after each sleep."""
    return len(task.sleeps_ns)


def window_is_open(window_ns: int, jobs: int, task: Task) -> bool:
    """Whether a further job can be released before so many have ended."""
    return window_ns + task.jitter_ns > jobs * task.least_interval_ns
