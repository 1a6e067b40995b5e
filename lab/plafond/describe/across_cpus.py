# SPDX-License-Identifier: MIT
"""Rules of libplafond's mutexes across CPUs for a description: docs/linux/across-cpus.md.

- Sections of these mutexes do not nest. A task that holds such a mutex locks no other mutex. A task
  that holds any other mutex does not wait for such a mutex (I3 of linux/core/global.c).
- A holder runs in the band above all base priorities. So no task on its CPUs may have a base
  priority in the band.
"""

from collections.abc import Iterator

from plafond.describe.body import Lock
from plafond.describe.problems import Problem
from plafond.describe.read import error_of
from plafond.describe.system import Resource, System, Task

GLOBAL_BAND = 50  # PLF_GLOBAL_BAND of plafond.h


def refuse_across_cpus(system: System) -> None:
    """Raise DescriptionError if libplafond's mutexes across CPUs cannot serve the system."""
    problems = problems_across_cpus(system)
    if problems:
        raise error_of(system, problems)


def problems_across_cpus(system: System) -> list[Problem]:
    """Return each use that libplafond's mutexes across CPUs do not support."""
    return [
        *(problem for task in system.tasks for problem in _problems_of_nesting(system, task)),
        *(problem for task in system.tasks for problem in _problems_of_band(system, task)),
    ]


def nests_across_cpus(system: System) -> bool:
    """Whether a task locks a resource while it holds another, and either of them is global."""
    return any(True for task in system.tasks for _ in _problems_of_nesting(system, task))


def _problems_of_nesting(system: System, task: Task) -> Iterator[Problem]:
    across = {resource.name: resource for resource in system.global_resources}
    for index, (step, held) in enumerate(task.held()):
        if not isinstance(step, Lock) or not held:
            continue
        found = next((across[name] for name in (step.resource, *held) if name in across), None)
        if found:
            yield Problem(
                ("task", task.name, "body", index),
                f"lock {step.resource} while the task holds {', '.join(held)}",
                f"no other resource in or around {_what(found)}: libplafond gives EDEADLK there",
            )


def _problems_of_band(system: System, task: Task) -> Iterator[Problem]:
    across = system.globals_on(task.cpu)
    if across and task.priority >= GLOBAL_BAND:
        yield Problem(
            ("task", task.name, "priority"),
            str(task.priority),
            f"below {GLOBAL_BAND} on CPU {task.cpu}, where tasks use {_what(across[0])}: "
            f"libplafond runs its sections from {GLOBAL_BAND} on",
        )


def _what(resource: Resource) -> str:
    return f"{resource.name}, which is global (users on {resource.cpus_in_words})"
