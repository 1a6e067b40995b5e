# SPDX-License-Identifier: MIT
"""Rules of a description beyond the form of its fields."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from plafond.describe.isr import Isr
from plafond.describe.kernel import SCHEDULER
from plafond.describe.problems import Problem
from plafond.describe.resource import Resource
from plafond.describe.task import Task

Tasks = Mapping[str, Task]
Resources = Mapping[str, Resource]
Isrs = Mapping[str, Isr]


def problems_of_cpu(kind: str, cpus_of: Mapping[str, int], cpus: int) -> Iterator[Problem]:
    """Yield tables of a kind whose CPU does not exist."""
    for name, cpu in cpus_of.items():
        if cpu >= cpus:
            expected = f"a CPU below cpus, which is {cpus}"
            yield Problem((kind, name, "cpu"), str(cpu), expected)


def problems_of_resources(tasks: Tasks, resources: Resources) -> Iterator[Problem]:
    """Yield internal resources with users on several CPUs."""
    for name, fields in resources.items():
        cpus = cpus_of_users(name, tasks)
        if len(cpus) > 1 and fields.internal:
            found = "users on the CPUs " + " and ".join(map(str, cpus))
            expected = "users on one CPU: an internal resource holds on one processor"
            yield Problem(("resource", name), found, expected)


def uses(task: Task, resource: str) -> bool:
    """Whether the task's body locks the resource, or its fields declare it."""
    return resource in task.used


def users_of(resource: str, tasks: Tasks) -> list[str]:
    """Return the tasks that use the resource."""
    return [name for name, task in tasks.items() if uses(task, resource)]


def cpus_of_users(resource: str, tasks: Tasks) -> tuple[int, ...]:
    """Return the CPUs of the tasks that use the resource, ascending."""
    return tuple(sorted({tasks[user].cpu for user in users_of(resource, tasks)}))


def names_of(resources: Resources) -> dict[str, Sequence[str]]:
    """Return all names of each resource, first the name that is not linked to another."""
    firsts = {name: _first_name(name, resources) for name in resources}
    names: dict[str, list[str]] = {first: [first] for first in firsts.values()}
    for name, first in firsts.items():
        if name != first:
            names[first].append(name)
    return {name: names[first] for name, first in firsts.items()}


def _first_name(name: str, resources: Resources) -> str:
    """Return the resource at the end of the links; in a circle, which is a mistake, `name`
    itself."""
    seen = {name}
    last = name
    while (following := resources[last].linked) in resources:
        assert following is not None
        if following in seen:
            return name
        seen.add(following)
        last = following
    return last


def kept_out_by(names: Collection[str], tasks: Tasks) -> list[str]:
    """Return the tasks that cannot run while another task is inside a resource of these names.

    RES_SCHEDULER keeps all tasks out.
    """
    wanted = frozenset(names)
    if SCHEDULER in wanted:
        return list(tasks)
    return [name for name, task in tasks.items() if not task.used.isdisjoint(wanted)]


def trusted_files(what: str) -> str:
    """Return the expected files if code that the kernel calls has no file."""
    return f"the C files in which {what} (in a file with tasks, too: mixed, or MIXED_SRC of OIL)"
