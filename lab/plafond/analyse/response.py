# SPDX-License-Identifier: MIT
"""Response times under ceilings and under inheritance, in ns: the busy period of a level.

A processor serves fixed priorities P, equal priorities in any order. Task j arrives at most once
every T, is released up to J after that, and runs for at most C. It sleeps n times, for S in all,
outside sections. A job is pending from its release on. The window of task i begins at the instant
before which no job of priority P_i or more is pending. It ends with the q-th job of task i since
then. At every instant of the window one of these holds:

(a) A job of at least P_i runs: at most C for each such job that arrives.
(b) None runs, and one sleeps: at most S for each.
(c) None runs and none sleeps, but a job is pending. The processor runs a less urgent task inside a
    section that lifts it to P_i or more (blocking.py). This is blocking.

A less urgent task enters such a section before the window, or inside it while all pending jobs of
at least P_i sleep. In the second case a sleep must end before the section does. Sections that block
at different times follow the ends of different sleeps. So the level is blocked at most once, and
once more for every sleep:

  w_q = B * (1 + q*n_i + sum of ceil((w_q + J_j)/T_j)*n_j)
        + q*(C_i + S_i) + sum of ceil((w_q + J_j)/T_j)*(C_j + S_j)

The sums are over the other tasks of at least P_i. If a server pays, (a), (b) or (c) holds at each
instant of its supply. Then w_q is the least window with that much supply (supply.py).

The first job is released in the window, so it arrives no earlier than J_i before that. The q-th job
arrives no earlier than (q-1)*T_i - J_i. The window can hold a job q+1 only if w_q > q*T_i - J_i. Up
to there, the bound is the largest w_q + J_i - (q-1)*T_i, from the arrival (Audsley et al. 1993).
From the release it is the largest of these, or of w_q if that is less, because the job is released
in the window.
Offsets (but see offsets.py), skipped arrivals and numbers of activations are ignored, which only
adds arrivals. Events at the very instant at which a job ends come after its end.
"""

from dataclasses import dataclass, replace

from plafond.analyse.window import Arrivals, Background, Effort, Window
from plafond.describe.system import System, Task


@dataclass(frozen=True)
class Bounds:
    """Bounds of a task in ns: blocking in the window of its worst job, and response time.

    `blocking_ns` is None if only the response time has a bound. `from_release_ns` is the response
    time from the release, if it is known.
    """

    blocking_ns: int | None
    response_ns: int
    from_release_ns: int | None = None


@dataclass(frozen=True)
class WorstJob:
    """The job of a window with the longest response: its number from 1, and the window up to it."""

    number: int
    window_ns: int
    response_ns: int
    from_release_ns: int = 0  # the longest response of any job from its release


@dataclass(frozen=True)
class Level:
    """A task, the other tasks that delay it by their priority, and its blocking B in ns."""

    task: Task
    others: tuple[Task, ...]
    once_ns: int

    def blocking_ns(self, window_ns: int, jobs: int) -> int:
        """Return all blocking in a window that ends with the task's job of that number."""
        after_sleeps = jobs * blockings_after_sleeps(self.task) + sum(
            arrivals(other, window_ns) * blockings_after_sleeps(other) for other in self.others
        )
        return self.once_ns * (1 + after_sleeps)

    @property
    def sleeps(self) -> bool:
        """Whether a task of the level sleeps."""
        return any(task.sleeps_ns for task in (self.task, *self.others))

    @property
    def demand(self) -> str:
        """The demand of the jobs, in words."""
        return "demand with sleeps and the blocking after them" if self.sleeps else "demand"

    def cost_ns(self, task: Task) -> int:
        """Return the time that a job adds to the window, blocking after sleeps included."""
        return demand_ns(task) + blockings_after_sleeps(task) * self.once_ns


def level_of(system: System, task: Task, once_ns: int) -> Level:
    """Return the level of a task that is blocked for `once_ns`."""
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
    blocking_ns = level.blocking_ns(worst.window_ns, worst.number)
    return Bounds(blocking_ns, worst.response_ns, worst.from_release_ns)


def worst_job(task: Task, window: Window, own: Arrivals, once_ns: int) -> WorstJob:
    """Return the job with the longest response.

    Each job of the task adds the cost of `own` to `once_ns`.
    """
    worst = WorstJob(0, 0, 0)
    jobs, window_ns, last = 0, 1, None
    while jobs != last:
        jobs += 1
        window_ns = window.least_ns(once_ns + jobs * own.cost_ns, window_ns)
        response_ns = window_ns + task.jitter_ns - (jobs - 1) * task.least_interval_ns
        from_release_ns = max(worst.from_release_ns, min(window_ns, response_ns))
        if response_ns > worst.response_ns:
            worst = WorstJob(jobs, window_ns, response_ns)
        worst = replace(worst, from_release_ns=from_release_ns)
        if not window_is_open(window_ns, jobs, task):
            break
        if jobs == 1 and window.fills(own):
            last = window.hyperperiod_ns(own) // own.interval_ns
    return worst


def interferes(other: Task, task: Task) -> bool:
    """Return whether jobs of another task delay the task by their priority."""
    return other.name != task.name and other.priority >= task.priority


def arrivals(task: Task, window_ns: int) -> int:
    """Return how many jobs can be released in a window that is open at its end."""
    return -(-(window_ns + task.jitter_ns) // task.least_interval_ns)


def demand_ns(task: Task) -> int:
    """Return C + S: how long a job runs or sleeps."""
    return task.run_ns + sum(task.sleeps_ns)


def blockings_after_sleeps(task: Task) -> int:
    """Return how many sections can block after sleeps of a job: one after each sleep."""
    return len(task.sleeps_ns)


def window_is_open(window_ns: int, jobs: int, task: Task) -> bool:
    """Return whether job number `jobs` + 1 can be released in the window."""
    return window_ns + task.jitter_ns > jobs * task.least_interval_ns
