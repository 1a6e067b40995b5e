# SPDX-License-Identifier: MIT
"""A system whose bodies contain what its execution costs beyond them.

Every wake-up (the release and the end of each sleep) begins with its switches, and every
section contains the cost of its pair, so that it counts where it falls: in the task's own
time, in its interference, and in whom the section blocks. A section that can delay
somebody contains the cost of that too, which is enough: every wait for a lock and every
delay by a ceiling ends with the end of one section.
"""

from collections.abc import Iterator
from dataclasses import replace

from plafond.analyse.overheads import Overheads
from plafond.analyse.window import Arrivals, Background
from plafond.describe.system import Lock, Resource, Run, Sleep, Step, System, Task
from plafond.protocols import Protocol

MILLION = 1_000_000


def inflate(system: System, protocol: Protocol, overheads: Overheads) -> System:
    """Return the system with the overheads of a protocol as further run steps."""
    resources = {resource.name: resource for resource in system.resources}
    costs = overheads.costs[protocol]
    wake_up = Run(costs.release_ns)

    def section_ns(task: Task, resource: str) -> int:
        delays = _may_delay(task, resources[resource], protocol)
        return costs.pair_ns + (costs.preempted_ns if delays else 0)

    def steps(task: Task) -> Iterator[Step]:
        yield wake_up
        for step in task.body:
            match step:
                case Run(duration_ns):
                    yield Run(-(-duration_ns * (MILLION + overheads.calibration_ppm) // MILLION))
                case Lock(resource):
                    yield step
                    yield Run(section_ns(task, resource))
                case Sleep():
                    yield step
                    yield wake_up
                case _:
                    yield step

    return replace(
        system, tasks=tuple(replace(task, body=tuple(steps(task))) for task in system.tasks)
    )


def _may_delay(task: Task, resource: Resource, protocol: Protocol) -> bool:
    """Whether somebody can find the task inside the section."""
    if protocol is Protocol.CEILING:
        return resource.ceiling > task.priority
    return len(resource.users) > 1


def background_of(
    system: System,
    counted: tuple[Task, ...],
    cpu: int,
    protocol: Protocol,
    overheads: Overheads | None,
) -> Background:
    """Return what else takes time on a CPU: noise, and the wake-ups of less urgent tasks.

    These interrupt whoever runs. Of each such task one job, at most, is taken to have begun
    before the window and to sleep in it.
    """
    if overheads is None:
        return Background()
    names = {task.name for task in counted}
    others = [task for task in system.tasks_on(cpu) if task.name not in names]
    wake_up_ns = overheads.costs[protocol].release_ns
    return Background(
        overheads,
        tuple(
            Arrivals(task.least_interval_ns, (1 + len(task.sleeps_ns)) * wake_up_ns)
            for task in others
        ),
        sum(len(task.sleeps_ns) for task in others) * wake_up_ns,
    )
