# SPDX-License-Identifier: MIT
"""Rules of resources that interrupt routines lock."""

from collections import Counter as Count
from collections.abc import Iterator

from plafond.describe.kernel import SCHEDULER
from plafond.describe.named import Known
from plafond.describe.problems import Problem, Where
from plafond.describe.rules import Isrs, Resources, Tasks


def problems_of_isr_resources(
    isrs: Isrs, tasks: Tasks, resources: Resources, known: Known
) -> Iterator[Problem]:
    """Yield resources of a routine that have users on another CPU, or that no routine may lock."""
    for name, isr in isrs.items():
        for resource, count in Count(isr.resources).items():
            if count > 1:
                yield Problem(("isr", name, "resources"), f"{resource} twice", "each resource once")
        for index, resource in enumerate(isr.resources):
            where: Where = ("isr", name, "resources", index)
            other = _user_elsewhere(isr.cpu, resource, isrs, tasks)
            expected = known.wrong_resource(resource)
            if resource == SCHEDULER:
                expected = f"another resource: {SCHEDULER} is one of tasks alone"
            if expected:
                yield Problem(where, resource, expected)
            elif other:
                expected = f"users on CPU {isr.cpu} alone, which takes the interrupt"
                yield Problem(where, f"{resource}, which {other} uses", expected)
    yield from _problems_of_ceilings(isrs, resources)


def _user_elsewhere(cpu: int, resource: str, isrs: Isrs, tasks: Tasks) -> str | None:
    for name, task in tasks.items():
        if task.cpu != cpu and resource in task.used:
            return f"task {name} of CPU {task.cpu}"
    for name, isr in isrs.items():
        if isr.cpu != cpu and resource in isr.resources:
            return f"the routine {name} of CPU {isr.cpu}"
    return None


def _problems_of_ceilings(isrs: Isrs, resources: Resources) -> Iterator[Problem]:
    routines = {resource: name for name, isr in isrs.items() for resource in isr.resources}
    for resource, name in routines.items():
        given = resources[resource].given_ceiling if resource in resources else None
        if given is not None:
            expected = f"no ceiling: the routine {name} locks it, so it follows from the interrupt"
            yield Problem(("resource", resource, "ceiling"), str(given), expected)
