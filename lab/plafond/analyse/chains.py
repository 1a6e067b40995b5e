# SPDX-License-Identifier: MIT
"""Tasks that another task activates: chains, in ns.

A link of a chain is a task without other activations than a single step of a single task. Follow a
chain from an arrival of its first task, which comes once in T and is released up to J later.

- `earliest`: no activation comes sooner than after the least runs and the sleeps before its step.
- `latest`: it comes no later than the end of the task before (Tindell and Clark 1994). So the link
  arrives once in T, `earliest` after the arrival of the chain, and is released up to
  latest - earliest after that.
- At a level, let all tasks before the link be on its CPU and of at least the level's priority. The
  window of the level (response.py) begins while none of these is pending. So each activation in the
  window belongs to an arrival of the chain in the window, and the link is released with the chain:
  its jitter is J. If the link is the followed task, w_q + J - (q-1)*T bounds its end from the
  arrival of the chain.

The ends depend on each other through the jitter of less urgent levels. So they are computed again,
from 0 on, until none changes. No end falls from one round to the next, so the first such ends are
bounds.

The response of a link counts from its activation. The q-th activation of a window comes no sooner
than (q-1)*T - jitter after its begin. So the bound is the largest w_q - max(0, (q-1)*T - jitter).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from plafond.describe.body import Activate, Chain, Run, Sleep
from plafond.describe.system import System, Task

MOST_ROUNDS = 100  # until the ends must have settled

Ends = Mapping[str, int | None]  # from the arrival of the chain; None: no bound


@dataclass(frozen=True)
class Chains:
    """The chains of a system, and the ends of their tasks as far as they are known."""

    system: System  # each link has the arrivals of its chain, and no step activates it
    before: Mapping[str, str] = field(default_factory=dict)  # from each link to the task before
    earliest_ns: Mapping[str, int] = field(default_factory=dict)
    ends: Ends = field(default_factory=dict)

    def is_link(self, task: Task) -> bool:
        """Return whether another task activates the task."""
        return task.name in self.before

    def at_level(self, system: System, cpu: int, priority: int) -> System:
        """Return the system with the jitter that each link has at a level."""
        if not self.before:
            return system
        tasks = (
            task.changed(jitter_ns=self._jitter_ns(task, cpu, priority))
            if self.is_link(task)
            else task
            for task in system.tasks
        )
        return replace(system, tasks=tuple(tasks))

    def end_ns(self, task: Task, priority: int, response_ns: int) -> int:
        """Return the end of a link from the arrival of the chain.

        `response_ns`: from its arrival, at the level of that priority.
        """
        if self._is_within(task, task.cpu, priority):
            return response_ns
        return self.earliest_ns[task.name] + response_ns

    def why_not(self, task: Task) -> str | None:
        """Return why the activations of a link have no bound, or None."""
        if self.is_link(task) and self.ends.get(self.before[task.name], 0) is None:
            return f"{self.before[task.name]}, which activates {task.name}, has no bound"
        return None

    def _jitter_ns(self, task: Task, cpu: int, priority: int) -> int:
        if self._is_within(task, cpu, priority):
            return self._tasks_before(task)[-1].jitter_ns
        latest_ns = self.ends.get(self.before[task.name]) or 0
        return max(0, latest_ns - self.earliest_ns[task.name])

    def _is_within(self, task: Task, cpu: int, priority: int) -> bool:
        """Return whether all tasks before a link are on the CPU and of at least the priority."""
        return all(
            each.cpu == cpu and each.priority >= priority for each in self._tasks_before(task)
        )

    def _tasks_before(self, task: Task) -> list[Task]:
        """Return the tasks before a link; the first of the chain is the last."""
        tasks = {each.name: each for each in self.system.tasks}
        found: list[Task] = []
        while task.name in self.before:
            task = tasks[self.before[task.name]]
            found.append(task)
        return found


def chains_of(system: System) -> Chains:
    """Return the chains that can be followed, and the system in which their links arrive."""
    if not system.scheduler.has_priorities or system.c_files or system.payers:
        return Chains(system)
    before = _links_of(system)
    first = {name: _first_of(name, before) for name in before}
    tasks = {task.name: task for task in system.tasks}
    before = {
        name: by for name, by in before.items() if (root := first[name]) and tasks[root].interval
    }
    earliest_ns: dict[str, int] = {}
    for name in sorted(before, key=lambda name: _depth(name, before)):
        by = before[name]
        earliest_ns[name] = earliest_ns.get(by, 0) + _least_before_ns(tasks[by], name)
    arriving = tuple(
        _with_arrivals(task, tasks[first[task.name] or ""]) if task.name in before else task
        for task in (_without_steps(task, before) for task in system.tasks)
    )
    return Chains(replace(system, tasks=arriving), before, earliest_ns)


def settled(chains: Chains, ends_of: Callable[[Chains], Ends]) -> Chains:
    """Return the chains with the ends of their tasks, which do not change any more.

    `ends_of`: the ends with the jitter of these ends. Without an end in time, no task has an end.
    """
    if not chains.before:
        return chains
    for _ in range(MOST_ROUNDS):
        ends = ends_of(chains)
        if ends == chains.ends:
            return chains
        chains = replace(chains, ends=ends)
    return replace(chains, ends=dict.fromkeys(chains.ends))


def _links_of(system: System) -> dict[str, str]:
    """Return the activating task of each task that a single step activates, and nothing else."""
    steps = [
        (step.task, task.name)
        for task in system.tasks
        for step in task.body
        if isinstance(step, Activate | Chain)
    ]
    targets = [target for target, _ in steps]
    # Without the steps, all other activators are left.
    others = replace(system, tasks=tuple(_without_steps(task, targets) for task in system.tasks))
    tasks = {task.name: task for task in system.tasks}
    return {
        target: by
        for target, by in steps
        if targets.count(target) == 1
        and target not in others.activators
        and tasks[target].interval is None
        and not tasks[target].events
    }


def _first_of(name: str, before: Mapping[str, str]) -> str | None:
    """Return the first task of the chain of a link; None if the links form a circle."""
    seen = {name}
    while name in before:
        name = before[name]
        if name in seen:
            return None
        seen.add(name)
    return name


def _depth(name: str, before: Mapping[str, str]) -> int:
    return 1 + _depth(before[name], before) if name in before else 0


def _least_before_ns(task: Task, target: str) -> int:
    """Return the least time of a job until it activates the target."""
    time_ns = 0
    for step in task.body:
        if isinstance(step, Activate | Chain) and step.task == target:
            break
        if isinstance(step, Run):
            time_ns += step.duration_ns if step.least_ns is None else step.least_ns
        elif isinstance(step, Sleep):
            time_ns += step.duration_ns
    return time_ns


def _without_steps(task: Task, targets: Mapping[str, str] | list[str]) -> Task:
    body = tuple(
        step
        for step in task.body
        if not (isinstance(step, Activate | Chain) and step.task in targets)
    )
    return task if body == task.body else task.changed(body=body)


def _with_arrivals(task: Task, first: Task) -> Task:
    deadline_ns = task.deadline_ns or first.least_interval_ns
    interval = first.interval and replace(first.interval, is_periodic=False)
    return task.changed(interval=interval, deadline_ns=deadline_ns)
