# SPDX-License-Identifier: MIT
"""Small scenes whose lengths show the costs of jobs, switches and locks on a target.

A scene is a few jobs that keep the processor busy from the first arrival to the last end. Its
overhead is this time less the run steps. If two scenes differ in only one thing, their overheads
differ by the cost of that thing. All scenes are tasks of the same system. They run one after the
other, several times, and the target executes them as it executes any system.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from plafond.describe.kernel import Scheduler
from plafond.describe.kernel_table import Kernel
from plafond.describe.system import (
    Interval,
    Lock,
    Resource,
    Run,
    Step,
    System,
    Task,
    Unlock,
)
from plafond.trace.activations import activations
from plafond.trace.model import Trace
from plafond.units import UNIT_NS

US, MS = UNIT_NS["us"], UNIT_NS["ms"]
REPEATED = 8
FIRST_NS = 10 * MS
# odd, so that a periodic disturbance does not meet the same scene each time
APART_NS = 3 * MS + 137 * US
RUN = Run(100 * US)
PRIORITY = 80  # the priority of urgency 0: above the interrupt threads of PREEMPT_RT
# the deadline of urgency 0 under EDF; each urgency more is due EARLIER_NS before
DEADLINE_NS = 2000 * MS
EARLIER_NS = 20 * MS
READY_DEADLINE_NS = 100_000 * MS

LOWEST, LOW, MID, HIGH = 1, 2, 4, 6


@dataclass(frozen=True)
class Job:
    """A job of a scene."""

    urgency: int
    at_us: int
    body: tuple[Step, ...] = (RUN,)


@dataclass(frozen=True)
class Scene:
    """Jobs, and the urgency of the ceiling or floor of each resource that they use."""

    jobs: tuple[Job, ...]
    ceilings: Mapping[str, int]
    measured: int = 0  # the number of jobs that are measured, from the first; 0: all

    @property
    def measured_jobs(self) -> tuple[Job, ...]:
        """Return the jobs whose overhead is measured."""
        return self.jobs[: self.measured or len(self.jobs)]

    @property
    def run_ns(self) -> int:
        """Return the total length of the run steps of these jobs."""
        steps = (step for job in self.measured_jobs for step in job.body)
        return sum(step.duration_ns for step in steps if isinstance(step, Run))

    @property
    def pairs(self) -> int:
        """Return the number of sections of all jobs."""
        return sum(isinstance(step, Lock) for job in self.jobs for step in job.body)

    def without_sections(self) -> "Scene":
        """Return the same jobs without locks."""
        jobs = (
            replace(job, body=tuple(step for step in job.body if isinstance(step, Run)))
            for job in self.jobs
        )
        return Scene(tuple(jobs), {})


def scene(*jobs: Job, **ceilings: int) -> Scene:
    """Return a scene; `ceilings`: an urgency for each resource."""
    return Scene(jobs, ceilings)


_SECTION = (Lock("A"), RUN, Unlock("A"))
_NESTED = (Lock("A"), RUN, Lock("B"), RUN, Unlock("B"), RUN, Unlock("A"))
_LOW, _LOW_NESTED = Job(LOW, 0, _SECTION), Job(LOW, 0, _NESTED)

# A section alone, below its ceiling and at it. NESTED adds an inner section.
SINGLE = {
    "lifted": scene(_LOW, A=HIGH),
    "level": scene(_LOW, A=LOW),
}
NESTED = {
    "rising": scene(_LOW_NESTED, A=MID, B=HIGH),
    "falling": scene(_LOW_NESTED, A=HIGH, B=MID),
    "flat": scene(_LOW_NESTED, A=LOW, B=LOW),
}
# A job arrives inside a section that delays it.
DELAYING = {
    "delays": scene(_LOW, Job(HIGH, 50), A=HIGH),
    "delays_user": scene(_LOW, Job(HIGH, 50, _SECTION), A=HIGH),
    "delays_two": scene(_LOW, Job(MID, 30), Job(HIGH, 60), A=HIGH),
}
# The same in nested sections: in the outer section, in the inner section, and in both.
DELAYING_NESTED = {
    "delays_outer": scene(_LOW_NESTED, Job(MID, 50), A=MID, B=HIGH),
    "delays_inner": scene(_LOW_NESTED, Job(HIGH, 150), A=MID, B=HIGH),
    "delays_both": scene(_LOW_NESTED, Job(MID, 50), Job(HIGH, 150), A=MID, B=HIGH),
    "delays_late": scene(_LOW_NESTED, Job(HIGH, 50), A=HIGH, B=MID),
}
# A job arrives inside a section that does not delay it.
DISTURBING = {
    "below": scene(_LOW, Job(LOWEST, 50), A=HIGH),
    "equal": scene(_LOW, Job(LOW, 50), A=HIGH),
    "above": scene(_LOW, Job(HIGH, 50), A=MID),
    "below_level": scene(_LOW, Job(LOWEST, 50), A=LOW),
    "equal_level": scene(_LOW, Job(LOW, 50), A=LOW),
    "above_level": scene(_LOW, Job(HIGH, 50), A=LOW),
}
DISTURBING_NESTED = {
    "below_outer": scene(_LOW_NESTED, Job(LOWEST, 50), A=MID, B=HIGH),
    "equal_outer": scene(_LOW_NESTED, Job(LOW, 50), A=MID, B=HIGH),
    "above_outer": scene(_LOW_NESTED, Job(HIGH, 50), A=LOW, B=MID),
}
WITH_SECTIONS = {
    **SINGLE,
    **NESTED,
    **DELAYING,
    **DELAYING_NESTED,
    **DISTURBING,
    **DISTURBING_NESTED,
}
JOBS = {
    "alone": scene(Job(LOW, 0)),
    "steps": scene(Job(LOW, 0, (RUN,) * 5)),
    "interrupted": Scene((Job(HIGH, 0), Job(LOW, 50)), {}, measured=1),
    "interrupted_equal": Scene((Job(LOW, 0), Job(LOW, 50)), {}, measured=1),
    "waits": scene(Job(HIGH, 0), Job(LOW, 50)),
    "waits_equal": scene(Job(LOW, 0), Job(LOW, 50)),
    "preempts": scene(Job(LOW, 0), Job(HIGH, 50)),
}


def all_scenes() -> dict[str, Scene]:
    """Return every scene by name, and for each scene with sections its copy without sections."""
    plain = {f"plain_{name}": each.without_sections() for name, each in WITH_SECTIONS.items()}
    return {**JOBS, **WITH_SECTIONS, **plain}


def system_of(
    scenes: Mapping[str, Scene], scheduler: Scheduler, kernel: Kernel, ready: int = 0
) -> System:
    """Return all scenes as a system, in which the scenes arrive one after the other.

    `ready`: the number of other tasks that are ready all the time, less urgent than all scenes.
    """
    tasks: list[Task] = []
    resources: list[Resource] = []
    interval = Interval(len(scenes) * APART_NS, len(scenes) * APART_NS)
    for turn, (name, each) in enumerate(scenes.items()):
        for number, job in enumerate(each.jobs):
            tasks.append(
                Task.made(
                    name=task_name(name, number),
                    priority=PRIORITY + job.urgency,
                    interval=interval,
                    offset_ns=FIRST_NS + turn * APART_NS + job.at_us * US,
                    deadline_ns=_deadline_ns(job.urgency),
                    activations=REPEATED,
                    body=tuple(_of_scene(step, name) for step in job.body),
                )
            )
        for resource, urgency in each.ceilings.items():
            users = (
                task_name(name, number)
                for number, job in enumerate(each.jobs)
                if Lock(resource) in job.body
            )
            resources.append(
                Resource.made(
                    f"{resource}_{name}",
                    ceiling=PRIORITY + urgency,
                    users=tuple(users),
                    floor=_deadline_ns(urgency) if scheduler is Scheduler.EDF else None,
                )
            )
    tasks += _ready_tasks(ready, (REPEATED + 1) * interval.least_ns)
    tasks.sort(key=lambda task: -task.priority)
    return System("scenes", 1, 1, tuple(tasks), tuple(resources), scheduler, kernel)


def _ready_tasks(count: int, until_ns: int) -> Iterator[Task]:
    """Yield tasks that are ready together. The first runs below the scenes, the others wait."""
    for number in range(count):
        yield Task.made(
            name=task_name("ready", number),
            priority=PRIORITY,
            interval=Interval(READY_DEADLINE_NS, READY_DEADLINE_NS),
            offset_ns=FIRST_NS // 2,
            deadline_ns=READY_DEADLINE_NS,
            activations=1,
            body=(Run(until_ns if number == 0 else US),),
        )


def overheads_of(scenes: Mapping[str, Scene], trace: Trace) -> dict[str, list[int]]:
    """Return the overhead of each scene, once for each repetition."""
    jobs = {
        task.name: [(each.arrival_ns, each.end_ns or 0) for each in activations(task)]
        for task in trace.tasks
    }
    overheads: dict[str, list[int]] = {}
    for name, each in scenes.items():
        spans = [jobs[task_name(name, number)] for number in range(len(each.measured_jobs))]
        overheads[name] = [
            max(end_ns for _, end_ns in turn) - min(arrival_ns for arrival_ns, _ in turn)
            - each.run_ns
            for turn in zip(*spans, strict=True)
        ]  # fmt: skip
    return overheads


def task_name(scene_name: str, number: int) -> str:
    """Return the name of the task for a job of a scene."""
    return f"{scene_name}_{number}"


def _deadline_ns(urgency: int) -> int:
    return DEADLINE_NS - urgency * EARLIER_NS


def _of_scene(step: Step, name: str) -> Step:
    match step:
        case Lock(resource):
            return Lock(f"{resource}_{name}")
        case Unlock(resource):
            return Unlock(f"{resource}_{name}")
    return step
