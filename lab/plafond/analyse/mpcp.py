# SPDX-License-Identifier: MIT
"""Response times under the multiprocessor priority ceiling protocol, in ns.

Sources: Lakshmanan, de Niz, Rajkumar 2009, with the jitter of Chen et al. 2019. The rules are in
Mueller 2014, VII.A. A task that waits for a global resource sleeps. The most urgent task in line is
next. Inside it runs at the ceiling of the resource, above all base priorities of its CPU.

W' is how long task x holds a resource. Until x leaves, its CPU runs only sections that are lifted
as high, or higher. Each other task of the CPU is inside at most one such section, because behind it
the task would run at its base priority. None is inside the same resource. So W' is the section of x
plus, for each other task of the CPU, its longest other section with a ceiling as high. B is how
long a request waits for the holders of a resource: line.py.

The window of task i on its CPU ends with the q-th of its jobs that follow each other without a
break. It begins at t: the last instant, not after the arrival of the first job, before which no
other task of at least P_i was able to run. At each instant of the window one of these holds:

(a) A task of at least P_i runs. If it neither sleeps nor waits, it had no job pending at t: at most
    C for each job that arrives. A task h that sleeps or waits has ended each job R_h after its
    arrival. If all arrive after t - (R_h - C_h), at most ceil((w + R_h - C_h)/T_h) of them run in
    the window. Each runs for C_h. If the first job arrives earlier by e, it runs in the window for
    at most C_h - e. If all other jobs together are as many as that, the last of them has at most e
    of the window left. (The paper of 2009 has the time for which h waits, instead of R_h - C_h.
    That is not enough, because jobs of h wait for the processor, too.)
(b) None runs, and i sleeps or waits for a request: at most S_i and the sum of its B for each job.
(c) None runs, and i or another such task is able to run. The processor runs a less urgent task in a
    section that is lifted to P_i or above. This is blocking.

A less urgent task enters such a section, or makes the request that lifts it later, only while it
runs at its base priority. That is before t, or while i sleeps or waits. From then on it has that
section ahead, and no other until i sleeps or waits again. So each less urgent task has at most one
at t, and at each end of a sleep or a wait of i. Of the sections under ceilings of this CPU at most
one counts, because its task keeps all others out of theirs:

  w_q = L * (1 + q*n_i) + q*(C_i + S_i + sum of its B) + sum of ceil((w_q + J_h)/T_h)*C_h

- n_i is the number of sleeps and requests of a job of i.
- J_h is R_h - C_h if h sleeps or waits. Else it is the release jitter, which R_h contains.
- L is the sum over all less urgent tasks of their longest global sections. For one task its section
  under a ceiling of at least P_i counts instead, if that is longer.
- The q-th job arrives no earlier than (q-1)*T_i after t, less its release jitter, because responses
  count from arrivals, as in response.py.

If a task locks a resource of one CPU inside a global section, that resource is lifted like the
global resource. Otherwise a task that was granted the global resource could meet a holder that it
has preempted.

Two things differ on Linux (docs/linux/across-cpus.md). The bounds contain them if sections are lent
their ceilings:

- A section has the priority of its task. It has the ceiling only while a task with that priority
  waits.
- The kernel may spin for a task that waits, as long as the holder runs, at the priority that the
  section would have. So C_h, and each section that blocks or delays others, contains the time that
  the holders run in B. Each section counts as a section of its task's priority.
"""

from collections.abc import Iterator, Mapping
from functools import partial

from plafond.analyse.across import Delays, Known, Sharing
from plafond.analyse.blocking import less_urgent
from plafond.analyse.holding import Holding, Surroundings
from plafond.analyse.line import Line
from plafond.analyse.response import (
    Bounds,
    blockings_after_sleeps,
    demand_ns,
    interferes,
    worst_job,
)
from plafond.analyse.window import Arrivals, Effort, Window
from plafond.describe.system import Lock, System, Task

Levels = Mapping[str, int]  # by resource: the level above all base priorities

DEMAND = "demand with the waits for other CPUs and the blocking after them"


class Mpcp:
    """The bounds of tasks on CPUs with global resources, from the delays known so far."""

    def __init__(
        self, sharing: Sharing, around: Surroundings, known: Known, effort: Effort
    ) -> None:
        """Use the requests of `sharing` and the delays of `known`."""
        self._sharing = sharing
        self._around = around
        self._known = known
        self._effort = effort
        self._holding = Holding(sharing, around, effort)
        self._line = Line(sharing, known, effort)
        self._levels = lifted_levels(sharing.system)

    def delays(self, task: Task) -> Delays:
        """Return the delays of a task; NoWindowError if it has no bound."""
        requests = self._sharing.requests(task)
        waits_ns = {each.resource: self._wait_ns(task, each.resource) for each in requests}
        waiting_ns = sum(waits_ns[each.resource] for each in requests)
        once_ns = self.blocking_ns(task) + self._around.piece_ns
        after = self.blockings_after_suspensions(task)
        cost_ns = demand_ns(task) + waiting_ns + after * once_ns
        others = [each for each in self._sharing.on_cpu(task.cpu) if interferes(each, task)]
        window = Window(
            map(self._arrivals, others),
            self._effort,
            self._around.background((task, *others), task.cpu),
            demand=DEMAND,
        )
        own = Arrivals(task.least_interval_ns, cost_ns)
        worst = worst_job(task, window, own, once_ns)
        blocking_ns = worst.number * waiting_ns + (1 + worst.number * after) * once_ns
        return Delays(Bounds(blocking_ns, worst.response_ns), waits_ns)

    def blocking_ns(self, task: Task) -> int:
        """Return L: the sections that less urgent tasks have ahead at an instant."""
        lower = less_urgent(self._sharing.system, task)
        lifted = [self._lifted_ns(each, 0) for each in lower]
        ceilings = [
            each.longest_hold_ns(self._blocking_resources(task)) - lifted_ns
            for each, lifted_ns in zip(lower, lifted, strict=True)
        ]
        return sum(lifted) + max(0, *ceilings, 0)

    def blockings_after_suspensions(self, task: Task) -> int:
        """Return how often a job of the task sleeps or waits, and can be blocked afterwards."""
        return blockings_after_sleeps(task) + len(self._sharing.requests(task))

    def held_ns(self, task: Task, resource: str, waiting: Task | None = None) -> int:
        """Return W': how long a task holds a resource for which `waiting` waits."""
        level = task.priority if self._around.is_lent else self._levels[resource]
        others = (each for each in self._sharing.on_cpu(task.cpu) if each.name != task.name)
        own_ns = self._sharing.longest_ns(task, resource)
        held = None if self._around.is_lent else resource
        return self._holding.lasting_ns(
            task, own_ns + sum(self._lifted_ns(each, level, waiting, held) for each in others)
        )

    def _wait_ns(self, task: Task, resource: str) -> int:
        rivals = self._sharing.others(task, resource)
        held_ns = partial(self.held_ns, waiting=task)
        return self._line.wait_ns(task, resource, rivals, held_ns)

    def _arrivals(self, other: Task) -> Arrivals:
        load_ns = other.run_ns + sum(
            self._spin_ns(other, each.resource) for each in self._sharing.requests(other)
        )
        is_steady = not other.sleeps_ns and not self._sharing.requests(other)
        late_ns = other.jitter_ns if is_steady else self.jitter_ns(other, load_ns)
        return Arrivals(other.least_interval_ns, load_ns, late_ns)

    def jitter_ns(self, task: Task, load_ns: int) -> int:
        """Return J: how late the load of a job that sleeps or waits can begin."""
        return max(0, self._known.response_ns(task) - load_ns)

    def _lifted_ns(
        self, task: Task, level: int, waiting: Task | None = None, held: str | None = None
    ) -> int:
        """Return the longest section of a task that is lifted to a level or above.

        It is of another resource than `held`, which another task holds.
        """
        lifted = frozenset(
            name for name, own in self._levels.items() if own >= level and name != held
        )
        spinning = (
            self._spin_ns(task, each.resource, waiting) + each.length_ns
            for each in self._sharing.requests(task)
            if each.resource in lifted
        )
        return max(task.longest_hold_ns(lifted), *spinning, 0)

    def _spin_ns(self, task: Task, resource: str, waiting: Task | None = None) -> int:
        """Return how long a task that waits for a resource can spin.

        It is 0 unless sections are lent their ceilings. `waiting` waits, too, so it holds nothing.
        """
        if not self._around.is_lent or task == waiting:
            return 0
        rivals = [each for each in self._sharing.others(task, resource) if each != waiting]
        wait_ns = self._known.wait_ns(task, resource)
        return self._line.held_in_ns(wait_ns, task, resource, rivals, self._holding.alone_ns)

    def _blocking_resources(self, task: Task) -> frozenset[str]:
        """Return the resources whose sections can block the task."""
        return frozenset(
            each.name
            for each in self._sharing.system.resources
            if each.name in self._levels or each.ceiling >= task.priority
        )


def lifted_levels(system: System) -> Levels:
    """Return the levels of global resources, and of resources locked inside their sections."""
    levels = {resource.name: resource.ceiling for resource in system.global_resources}
    for inner, outer in _nested_in(system, frozenset(levels)):
        levels[inner] = max(levels.get(inner, 0), levels[outer])
    return levels


def _nested_in(system: System, outer: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield each resource locked inside a section of `outer`, with the outermost resource."""
    for task in system.tasks:
        for step, held in task.held():
            if isinstance(step, Lock) and held and held[0] in outer:
                yield step.resource, held[0]
