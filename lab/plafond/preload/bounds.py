# SPDX-License-Identifier: MIT
"""The longest blocking of each task in ns, today and under the proposed ceilings.

A section either has a ceiling or it inherits. Today the sections of PTHREAD_PRIO_PROTECT mutexes
have ceilings. Over the drop-in the sections of threads that can be lazy have the ceilings, learned
ceilings included. No ceiling keeps another thread out, so it makes the holders inherit, as in
today's other sections.

At most one less urgent task is inside a section whose ceiling concerns the level. Several can be
inside sections that inherit. So a bound is the longest section with a ceiling, plus the sum of the
others' longest sections. Each task has at most one section that concerns the level, so the sum over
all tasks is a bound, too. The smaller bound is printed. With ceilings alone, and with inheritance
alone, it is the bound of `plafond analyse` (plafond.analyse.blocking).

Every thread that locked a mutex counts, even if it is no task of the description. A thread that is
not pinned may be on the task's CPU. The bounds do not contain waits for another CPU.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from plafond.analyse.blocking import Reach, less_urgent, nestings
from plafond.describe.system import Resource, System, Task
from plafond.preload.evidence import Thread
from plafond.preload.learned import Learned, cpu_of


@dataclass(frozen=True)
class Bounds:
    """The blocking of a task, in ns."""

    before_ns: int
    after_ns: int


def bounds_of(learned: Learned) -> dict[int, Bounds]:
    """Return the bounds of the tasks by number of the thread."""
    system = _system(learned)
    all_tasks = frozenset(task.name for task in system.tasks)
    lazy = all_tasks.intersection(
        _name(thread, thread.cpu)
        for proposal in learned.protected
        for thread, _ in proposal.lockers
        if thread.can_be_lazy
    )
    protected = frozenset(p.name for p in learned.protected if p.mutex.protocol == "protect")
    today = _Sections(system, protected, all_tasks)
    then = today
    if lazy:
        chosen = protected.union(p.name for p in learned.protected if p.use)
        then = _Sections(system, chosen, lazy)
    of_levels: dict[tuple[int, int], Bounds] = {}
    for task in system.tasks:
        level = (task.cpu, task.priority)
        if level not in of_levels:
            of_levels[level] = Bounds(today.blocking_ns(task), then.blocking_ns(task))
    return {task.thread: of_levels[cpu_of(task), task.priority] for task in learned.tasks}


class _Sections:
    """The sections of a system, of which `tasks` have ceilings for `mutexes`."""

    def __init__(self, system: System, mutexes: frozenset[str], tasks: frozenset[str]) -> None:
        self._system = system
        self._tasks = tasks
        priorities = {task.name: task.priority for task in system.tasks}
        highest = {
            resource.name: max((priorities[user] for user in resource.users), default=0)
            for resource in system.resources
        }
        self._ceilings = {r.name: r.ceiling for r in system.resources if r.name in mutexes}
        # The priority that a thread without ceilings can inherit from a waiter for each mutex.
        self._reach = _passed_on(
            {name: max(own, self._ceilings.get(name, 0)) for name, own in highest.items()},
            nestings(system),
        )
        # The same for a thread with a ceiling, from a waiter without, inside another section.
        others = [task for task in system.tasks if task.name not in tasks]
        self._reach_beyond = {
            inner: self._reach[outer]
            for outer, inner in sorted(
                nestings(replace(system, tasks=tuple(others))),
                key=lambda pair: self._reach[pair[0]],
            )
        }

    def blocking_ns(self, task: Task) -> int:
        """Return the longest time in ns for which less urgent tasks can block a task, once."""
        by_ceilings, inherited, each_once = [0], 0, 0
        keep_out, lift = self._keeping_out(task.priority), self._lifting(task.priority)
        for other in less_urgent(self._system, task):
            is_kept_out = other.name in self._tasks
            kept_out = keep_out if is_kept_out else frozenset[str]()
            lifted = lift[is_kept_out]
            by_ceilings.append(other.longest_hold_ns(kept_out))
            inherited += other.longest_hold_ns(lifted - kept_out)
            each_once += other.longest_hold_ns(lifted | kept_out)
        return min(max(by_ceilings) + inherited, each_once)

    def _keeping_out(self, level: int) -> frozenset[str]:
        """Return the mutexes with a ceiling of at least `level`."""
        return frozenset(name for name, ceiling in self._ceilings.items() if ceiling >= level)

    def _lifting(self, level: int) -> dict[bool, frozenset[str]]:
        """Return the mutexes in whose sections a task can inherit at least `level`.

        The key is whether the task has ceilings.
        """
        return {
            has_ceilings: frozenset(
                name
                for name, reach in self._reach.items()
                if (
                    self._reach_beyond.get(name, 0)
                    if has_ceilings and name in self._ceilings
                    else reach
                )
                >= level
            )
            for has_ceilings in (False, True)
        }


def _passed_on(reach: dict[str, int], nested: Iterable[tuple[str, str]]) -> Reach:
    """Return the reach, in which an inner mutex has at least the reach of an outer mutex."""
    nested = list(nested)
    changed = True
    while changed:
        changed = False
        for outer, inner in nested:
            if reach[inner] < reach[outer]:
                reach[inner] = reach[outer]
                changed = True
    return reach


def _system(learned: Learned) -> System:
    """Return a system of all threads that locked a mutex, and of all tasks."""
    threads = {
        thread.thread: thread
        for thread in (
            *learned.tasks,
            *(thread for proposal in learned.protected for thread, _ in proposal.lockers),
        )
    }
    cpus = {cpu_of(thread) for thread in threads.values()}
    tasks = [task for thread in threads.values() for task in _tasks(learned, thread, cpus)]
    return System(
        name=learned.evidence.program,
        cpus=max(cpus, default=0) + 1,
        seed=1,
        tasks=tuple(sorted(tasks, key=lambda task: -task.priority)),
        resources=tuple(
            Resource.made(
                proposal.name,
                ceiling=proposal.ceiling or 0,
                users=tuple(task.name for task in tasks if proposal.name in task.resources),
            )
            for proposal in learned.protected
        ),
    )


def _tasks(learned: Learned, thread: Thread, cpus: set[int]) -> Iterator[Task]:
    """Yield the thread as a task: on its CPU, or on each CPU if it is not pinned."""
    body = learned.sections_of(thread).steps(thread.longest_run_ns)
    for cpu in sorted(cpus) if thread.cpu < 0 else [thread.cpu]:
        yield Task.made(
            name=_name(thread, cpu),
            priority=thread.priority if thread.is_real_time else 0,
            cpu=cpu,
            body=body,
        )


def _name(thread: Thread, cpu: int) -> str:
    return f"{thread.thread} on {cpu}"
