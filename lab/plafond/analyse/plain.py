# SPDX-License-Identifier: MIT
"""Response times with plain mutexes: the busy period of the processor.

Follow a job from the last instant before its release at which no job at all is pending.
Until it ends, some job is pending in every instant, and the processor runs one of them,
or none. If none, then at least one sleeps: jobs that wait for a lock wait for one that
holds it, which neither sleeps (no sleeps in sections) nor, without a deadlock, waits in
a circle. So each instant is charged to the run or the sleep of a job that was released
since, and the window lasts no longer than the least solution above 0 of

  L = sum of ceil((L + J)/T)*(C + S) over all tasks of the processor, or those of a server, and the
  least L whose supply is that (supply.py),

after which nothing would be pending. The response, from the arrival, takes up to J more. Every
work-conserving order of execution keeps this bound. How long a task is blocked in it is not known:
a task that holds a lock may be kept waiting by any task in between.
"""

from plafond.analyse.response import demand_ns
from plafond.analyse.window import Arrivals, Background, Effort, Window
from plafond.describe.system import System, Task


def busy_period_ns(system: System, cpu: int, effort: Effort, background: Background) -> int:
    """Return the longest busy period of a CPU; NoWindowError if there is none."""
    demands = [
        Arrivals(task.least_interval_ns, demand_ns(task), task.jitter_ns)
        for task in busy_tasks(system, cpu)
    ]
    return Window(demands, effort, background).least_ns(fixed_ns=0)


def busy_tasks(system: System, cpu: int) -> tuple[Task, ...]:
    """Return the tasks whose jobs a busy period consists of."""
    return system.tasks_on(cpu)
