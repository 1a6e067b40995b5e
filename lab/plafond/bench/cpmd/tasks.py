# SPDX-License-Identifier: MIT
"""The schedule-sensitive method (OSPERT 2010, 4, Section 3.1): the tasks of a description run.

The program bench/cpmd-tasks gives each task a thread of its priority, on its CPU. The schedule
decides when a job is preempted, so it also decides the number of samples. All rows use the number
of the row with the fewest samples, the first samples of each run. Rows with hardly any samples are
left out, and named.

Each set runs several times, as a new process. The place of its memory and the load of other
processes change from run to run, and all samples of a run share them. So sets are compared by runs,
not by samples.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plafond.analyse.overload import refuse_overload
from plafond.bench.cpmd.arguments import LINE_BYTES
from plafond.bench.cpmd.caches import Caches
from plafond.bench.cpmd.collect import LONGEST_SECONDS, polluter_bytes
from plafond.bench.cpmd.plan import PAPER_RATIO, Load
from plafond.bench.cpmd.samples import Dropped, Sample, parse
from plafond.describe.kernel import Scheduler
from plafond.describe.system import Run, System, Task
from plafond.errors import ArgumentError, PlafondError
from plafond.programs import find_program, run_program

RUNS = 10
LEAST_SAMPLES = 3  # the least number of valid samples in each run


@dataclass
class TaskSamples:
    """The samples and counts of a task."""

    task: Task
    jobs: int = 0
    early: int = 0  # jobs that were preempted in one of their first passes
    unsure: int = 0  # sequences that the kernel took away without a gap of the clock
    runs: list[list[Sample]] = field(default_factory=list)  # the valid samples of each run
    dropped: Counter[Dropped] = field(default_factory=Counter)

    @property
    def fewest(self) -> int:
        """Return the number of valid samples of the run with the fewest."""
        return min(map(len, self.runs), default=0)

    @property
    def valid(self) -> int:
        """Return the number of all valid samples."""
        return sum(map(len, self.runs))


@dataclass
class SetSamples:
    """The samples and counts of a task set under a load."""

    system: System
    load: Load
    tasks: Sequence[TaskSamples]
    sees_interrupts: bool = True

    @staticmethod
    def of(system: System, load: Load) -> "SetSamples":
        """Return an object without samples."""
        return SetSamples(system, load, [TaskSamples(task) for task in system.tasks])

    @property
    def measured(self) -> list[TaskSamples]:
        """Return the tasks that have a working set."""
        return [each for each in self.tasks if each.task.working_set]


def refuse_other_tasks(system: System, caches: Caches) -> None:
    """Raise ArgumentError for tasks that the program cannot run, or cannot measure."""
    where = f"--schedule: {system.name}: "
    if system.scheduler is not Scheduler.PRIORITY:
        raise ArgumentError(f"{where}found the scheduler {system.scheduler}; expected priority")
    refuse_overload(system)
    if system.servers or system.reservations:
        raise ArgumentError(f"{where}found servers or reservations; expected none")
    for task in system.tasks:
        is_plain = all(isinstance(step, Run) and step.least_ns is None for step in task.body)
        if task.interval is None or task.jitter_ns or not is_plain:
            raise ArgumentError(
                f"{where}found {task.name}; expected tasks that arrive by themselves and whose "
                "bodies have run steps alone, without ranges, and no release jitter"
            )
        if task.cpu not in caches.cpus:
            raise ArgumentError(
                f"{where}found {task.name} on CPU {task.cpu}; expected one of "
                f"{', '.join(map(str, caches.cpus))}"
            )
    if not any(task.working_set for task in system.tasks):
        raise ArgumentError(f"{where}found no working_set; expected one of a task at least")


def run_set(found: SetSamples, caches: Caches, time_ms: int) -> None:
    """Run the set once more; PlafondError or RefusedError if that fails."""
    polluters = polluter_bytes(caches) if found.load is Load.POLLUTED else 0
    command: list[str | Path] = [
        find_program("bench/cpmd-tasks"),
        *(str(number) for number in (time_ms, int(1 / PAPER_RATIO), polluters)),
        *map(_word, found.system.tasks),
    ]
    take_output(run_program(command, lambda _: None, LONGEST_SECONDS), found)


def _word(task: Task) -> str:
    set_bytes = -(-(task.working_set or 0) // LINE_BYTES) * LINE_BYTES
    numbers = (task.cpu, task.priority, task.least_interval_ns, task.offset_ns)
    return ":".join(map(str, (*numbers, task.run_ns, set_bytes)))


def take_output(text: str, found: SetSamples) -> None:
    """Add the program's output of a run; PlafondError if it is malformed."""
    lines = text.splitlines()
    heads = [line.split()[1:] for line in lines if line.startswith("task ")]
    if len(heads) != len(found.tasks):
        raise PlafondError(
            f"cpmd-tasks wrote {len(heads)} tasks; expected the {len(found.tasks)} of the set"
        )
    output = parse("\n".join(line for line in lines if not line.startswith("task ")))
    found.sees_interrupts &= output.sees_interrupts
    rest = iter(output.samples)
    for each, head in zip(found.tasks, heads, strict=True):
        count, jobs, early, unsure = map(int, head)
        each.jobs += jobs
        each.early += early
        each.unsure += unsure
        samples = [next(rest) for _ in range(count)]
        why = [sample.dropped(each.task.cpu) for sample in samples]
        each.dropped.update(reason for reason in why if reason)
        each.runs.append([s for s, reason in zip(samples, why, strict=True) if reason is None])
