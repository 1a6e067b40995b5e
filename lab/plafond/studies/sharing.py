# SPDX-License-Identifier: MIT
"""Convert a drawn set that shares resources to a system, as if it had been described.

Each task has a section for each resource that it uses; sections do not nest. The sections are part
of its run time: each of n sections is at most an n-th of it. The rest of the run time comes first.
Deadlines equal intervals, and a shorter interval is more urgent (deadline monotonic). Among equals,
the task that was drawn first is more urgent. Under EDF only the deadlines matter.
"""

from collections.abc import Iterator, Sequence

from plafond.analyse.multiprocessor.task_set import TaskSet
from plafond.describe.kernel import Scheduler
from plafond.describe.study import Case, Sections, Study
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
from plafond.studies.draw import Use, Uses


def system_of(study: Study, tasks: TaskSet, uses: Uses, case: Case) -> System:
    """Return the tasks with the sections of a case, all on CPU 0 until they are placed."""
    assert study.sections
    order = sorted(range(len(tasks)), key=lambda place: tasks.intervals_ns[place])
    levels = _levels(study, [tasks.deadlines_ns[place] for place in order])
    made = tuple(
        _task(
            f"T{place + 1}",
            level,
            tasks.intervals_ns[place],
            _body(tasks.costs_ns[place], uses[place], study.sections, case),
        )
        for place, level in zip(order, levels, strict=True)
    )
    return System(
        name=study.name,
        cpus=study.cpus,
        seed=study.seed,
        tasks=made,
        resources=tuple(_resources(study, made)),
        scheduler=study.scheduler,
    )


def _levels(study: Study, deadlines_ns: Sequence[int]) -> list[int]:
    """Return the priorities of tasks in order; under EDF equal deadlines have equal levels."""
    if study.scheduler is Scheduler.EDF:
        ranks = sorted({*deadlines_ns}, reverse=True)
        return [ranks.index(deadline_ns) + 1 for deadline_ns in deadlines_ns]
    return list(range(len(deadlines_ns), 0, -1))


def _task(name: str, priority: int, interval_ns: int, body: tuple[Step, ...]) -> Task:
    return Task.made(
        name=name,
        priority=priority,
        interval=Interval(interval_ns, interval_ns, is_periodic=True),
        deadline_ns=interval_ns,
        body=body,
    )


def _body(cost_ns: int, uses: Sequence[Use], sections: Sections, case: Case) -> tuple[Step, ...]:
    share = sections.share if case.share is None else case.share
    assert share is not None
    used = [number for number, (part, _) in enumerate(uses) if part < share]
    lengths_ns = [
        min(_length_ns(uses[number], sections, case), cost_ns // len(used)) for number in used
    ]
    rest_ns = cost_ns - sum(lengths_ns)
    body: list[Step] = [Run(rest_ns)] if rest_ns else []
    for number, length_ns in zip(used, lengths_ns, strict=True):
        name = f"R{number + 1}"
        body += [Lock(name), Run(length_ns), Unlock(name)]
    return tuple(body)


def _length_ns(use: Use, sections: Sections, case: Case) -> int:
    if case.section_ns is not None:
        return case.section_ns
    assert sections.length_ns is not None
    return round(sections.length_ns.at(use[1]))


def _resources(study: Study, tasks: Sequence[Task]) -> Iterator[Resource]:
    assert study.sections
    is_edf = study.scheduler is Scheduler.EDF
    for number in range(study.sections.resources):
        name = f"R{number + 1}"
        users = [task for task in tasks if name in task.resources]  # the most urgent first
        if users:
            yield Resource.made(
                name,
                ceiling=users[0].priority,
                users=tuple(task.name for task in users),
                floor=users[0].deadline_ns if is_edf else None,
                cpus=tuple(sorted({task.cpu for task in users})),
            )
