# SPDX-License-Identifier: MIT
"""Random runs of small systems under ceilings, in units of a microsecond.

Tasks run on a CPU. Sporadic tasks arrive at random, often as early as they can. Among equal
priorities any task runs. A step that follows a run at once comes before all arrivals.
"""

from dataclasses import dataclass
from random import Random

from plafond.describe.body import Activate, Chain, Lock, Run, Unlock
from plafond.describe.system import System, Task


@dataclass
class Job:
    """A job, its activation, and the arrival of its chain."""

    task: Task
    since: int
    chain_since: int
    place: int = 0
    done: int = 0
    held: tuple[str, ...] = ()


def simulated(system: System, random: Random, length: int) -> dict[str, tuple[int, int]]:
    """Return the longest response, and end to end, of each task under ceilings."""
    tasks = {each.name: each for each in system.tasks}
    ceiling = {each.name: each.ceiling for each in system.resources}
    ready: list[Job] = []
    may_come = {
        each.name: each.offset_ns // 1000 if is_fixed(each) else random.randrange(8)
        for each in system.tasks
        if each.interval
    }
    longest = dict.fromkeys(tasks, (0, 0))
    for now in range(length):
        for name, time in may_come.items():
            if time <= now and (is_fixed(tasks[name]) or random.random() < 0.7):
                ready.append(Job(tasks[name], now, now))
                may_come[name] = now + tasks[name].least_interval_ns // 1000
        while ready:
            heads = [next(job for job in ready if job.task.name == name) for name in
                     dict.fromkeys(job.task.name for job in ready)]  # fmt: skip
            urgency = [
                (max([job.task.priority, *(ceiling[each] for each in job.held)]), bool(job.held))
                for job in heads
            ]
            job = random.choice(
                [each for each, of in zip(heads, urgency, strict=True) if of == max(urgency)]
            )
            step = job.task.body[job.place]
            if isinstance(step, Lock):
                job.held = (*job.held, step.resource)
                job.place += 1
                continue
            job.done += 1
            if isinstance(step, Run) and ends(step, job.done, random):
                job.place, job.done = job.place + 1, 0
                ready += _at_once(job, tasks, now + 1)
                if job.place == len(job.task.body):
                    ready.remove(job)
                    before = longest[job.task.name]
                    longest[job.task.name] = (
                        max(before[0], now + 1 - job.since),
                        max(before[1], now + 1 - job.chain_since),
                    )
            break
    return longest


def is_fixed(task: Task) -> bool:
    """Return whether the task arrives at its offset, and after each interval exactly."""
    return task.interval is not None and task.interval.is_periodic


def ends(step: Run, done: int, random: Random) -> bool:
    """Return whether a run ends after so many units; a range may end sooner."""
    least_ns = step.duration_ns if step.least_ns is None else step.least_ns
    return done * 1000 >= step.duration_ns or (done * 1000 >= least_ns and random.random() < 0.5)


def _at_once(job: Job, tasks: dict[str, Task], now: int) -> list[Job]:
    """Do the steps that follow a run at once, before anything arrives; return activated jobs."""
    activated = []
    while job.place < len(job.task.body):
        step = job.task.body[job.place]
        if isinstance(step, Activate | Chain):
            activated.append(Job(tasks[step.task], now, job.chain_since))
        elif isinstance(step, Unlock):
            job.held = job.held[:-1]
        else:
            break
        job.place += 1
    return activated
