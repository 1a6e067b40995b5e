# SPDX-License-Identifier: MIT
"""Response times with plain mutexes, in ns: the busy period of the processor.

Follow a job from the last instant before its release at which no job is pending. Until it ends,
some job is pending at every instant, and the processor runs a job or none. If it runs none, at
least one job sleeps, because not all jobs can wait for locks: the holder of a lock does not sleep,
as sections have no sleeps, and without a deadlock holders do not wait in a circle. So each instant
is charged to the run or the sleep of a job released since. The window lasts no longer than L, after
which nothing would be pending. L is the least solution above 0 of

  L = sum of ceil((L + J)/T)*(C + S) over all tasks of the processor, or of a server

If a server pays, L is the least window with so much supply (supply.py).

The response time from the arrival is at most L + J. Every work-conserving order of execution keeps
this bound. The blocking has no bound within it, because any task in between can keep the holder of
a lock waiting.
"""

from plafond.analyse.response import demand_ns
from plafond.analyse.window import Arrivals, Background, Effort, Window
from plafond.describe.system import System, Task


def busy_period_ns(system: System, cpu: int, effort: Effort, background: Background) -> int:
    """Return L in ns; NoWindowError if there is none."""
    demands = [
        Arrivals(task.least_interval_ns, demand_ns(task), task.jitter_ns)
        for task in busy_tasks(system, cpu)
    ]
    return Window(demands, effort, background).least_ns(fixed_ns=0)


def busy_tasks(system: System, cpu: int) -> tuple[Task, ...]:
    """Return the tasks whose jobs form a busy period of the CPU."""
    return system.tasks_on(cpu)
