# SPDX-License-Identifier: MIT
"""The schedule-sensitive method (OSPERT 2010, 4, Section 3.1): the tasks of a description run.

The program bench/cpmd_tasks gives each task a thread of its priority, on its CPU. When a job is
preempted is up to their schedule. So how many samples there are is, too: all rows get the number of
the row with the fewest, the first ones of each, and rows with hardly any are left out, and named.
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

LEAST_SAMPLES = 30


@dataclass
class TaskSamples:
    """What became of one task."""

    task: Task
    jobs: int
    early: int  # jobs that were preempted in one of their first passes
    unsure: int  # sequences that were taken away without a gap of the clock
    valid: list[Sample] = field(default_factory=list)
    dropped: Counter[Dropped] = field(default_factory=Counter)


@dataclass(frozen=True)
class SetSamples:
    """What became of one task set under one load."""

    system: System
    load: Load
    sees_interrupts: bool
    tasks: Sequence[TaskSamples]  # that have a working set


def refuse_other_tasks(system: System, caches: Caches) -> None:
    """ArgumentError for what the program cannot run, or cannot measure."""
    where = f"--schedule: {system.name}: "
    if system.scheduler is not Scheduler.PRIORITY:
        raise ArgumentError(f"{where}found the scheduler {system.scheduler}; expected priority")
    refuse_overload(system)
    if system.servers or system.reservations:
        raise ArgumentError(f"{where}found servers or reservations; expected none")
    for task in system.tasks:
        if task.interval is None or not all(isinstance(step, Run) for step in task.body):
            raise ArgumentError(
                f"{where}found {task.name}; expected tasks that arrive by themselves and whose "
                "bodies have run steps alone"
            )
        if task.cpu not in caches.cpus:
            raise ArgumentError(
                f"{where}found {task.name} on CPU {task.cpu}; expected one of "
                f"{', '.join(map(str, caches.cpus))}"
            )
    if not any(task.working_set for task in system.tasks):
        raise ArgumentError(f"{where}found no working_set; expected one of a task at least")


def run_set(system: System, load: Load, caches: Caches, seconds: int) -> SetSamples:
    """Run it once; PlafondError, as RefusedError, where that cannot be done."""
    polluters = polluter_bytes(caches) if load is Load.POLLUTED else 0
    command: list[str | Path] = [
        find_program("bench/cpmd-tasks"),
        *(str(number) for number in (1000 * seconds, int(1 / PAPER_RATIO), polluters)),
        *map(_word, system.tasks),
    ]
    return take_output(run_program(command, lambda _: None, LONGEST_SECONDS), system, load)


def _word(task: Task) -> str:
    set_bytes = -(-(task.working_set or 0) // LINE_BYTES) * LINE_BYTES
    numbers = (task.cpu, task.priority, task.least_interval_ns, task.offset_ns)
    return ":".join(map(str, (*numbers, task.run_ns, set_bytes)))


def take_output(text: str, system: System, load: Load) -> SetSamples:
    """Read what the program wrote; PlafondError where it wrote something else."""
    lines = text.splitlines()
    heads = [place for place, line in enumerate(lines) if line.startswith("task ")]
    if len(heads) != len(system.tasks):
        raise PlafondError(
            f"cpmd-tasks wrote {len(heads)} tasks; expected the {len(system.tasks)} of the set"
        )
    output = parse("\n".join(line for line in lines if not line.startswith("task ")))
    rest = iter(output.samples)
    found = []
    for task, place in zip(system.tasks, heads, strict=True):
        count, jobs, early, unsure = map(int, lines[place].split()[1:])
        taken = TaskSamples(task, jobs, early, unsure)
        for sample in (next(rest) for _ in range(count)):
            why = sample.dropped(task.cpu)
            if why:
                taken.dropped[why] += 1
            else:
                taken.valid.append(sample)
        if task.working_set:
            found.append(taken)
    return SetSamples(system, load, output.sees_interrupts, found)
