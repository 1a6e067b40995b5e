# SPDX-License-Identifier: MIT
"""What a description must keep beyond the form of its fields."""

from collections.abc import Iterator, Mapping

from plafond.describe.problems import Problem, Where
from plafond.describe.schema import ResourceFields, TaskFields
from plafond.describe.system import Lock, Run, Sleep, Step, Unlock
from plafond.words import suggestion

Tasks = Mapping[str, TaskFields]
Resources = Mapping[str, ResourceFields]


def problems_of_tasks(tasks: Tasks, resources: list[str], cpus: int) -> Iterator[Problem]:
    """Each task by itself: its CPU, and a body that locks and unlocks in order."""
    for name, task in tasks.items():
        if task.cpu >= cpus:
            expected = f"a CPU below cpus, which is {cpus}"
            yield Problem(("task", name, "cpu"), str(task.cpu), expected)
        yield from _problems_of_body(("task", name, "body"), task.body, resources)


def _problems_of_body(where: Where, body: list[Step], resources: list[str]) -> Iterator[Problem]:
    held: list[str] = []
    if not any(isinstance(step, Run) for step in body):
        yield Problem(where, "no run step", "at least one: a task uses its processor")
    for index, step in enumerate(body):
        problem = _problem_of_step(step, held, resources)
        if problem:
            yield Problem((*where, index), *problem)
        if isinstance(step, Lock):
            held.append(step.resource)
        elif isinstance(step, Unlock) and step.resource in held:
            held.remove(step.resource)
    for resource in held:
        yield Problem(where, f"{resource} still locked at the end", f'a step "unlock {resource}"')


def _problem_of_step(step: Step, held: list[str], resources: list[str]) -> tuple[str, str] | None:
    """What was found and what was expected, if the step is wrong after those before it."""
    match step:
        case Lock(resource) | Unlock(resource) if resource not in resources:
            expected = f"a resource that is described: a table [resource.{resource}]"
            return f"{_written(step)}", expected + suggestion(resource, resources)
        case Lock(resource) if resource in held:
            return _written(step), f"a resource that the task does not hold: {resource} is locked"
        case Unlock(resource) if resource not in held:
            return _written(step), f'a step "lock {resource}" before it'
        case Unlock(resource) if resource != held[-1]:
            return _written(step), f"unlock {held[-1]}, which was locked last"
        case Sleep() if held:
            return "a sleep inside a section", f"no self-suspension while {held[-1]} is locked"
    return None


def _written(step: Lock | Unlock) -> str:
    return f"{type(step).__name__.lower()} {step.resource}"


def problems_of_resources(tasks: Tasks, resources: Resources) -> Iterator[Problem]:
    """Each resource with its users: ceiling, and one CPU."""
    for name, fields in resources.items():
        users = {user: task for user, task in tasks.items() if uses(task, name)}
        if not users:
            continue
        most_urgent = max(users, key=lambda user: users[user].priority)
        highest = users[most_urgent].priority
        if fields.ceiling is not None and fields.ceiling < highest:
            yield Problem(
                ("resource", name, "ceiling"),
                str(fields.ceiling),
                f"at least {highest}, the priority of its user {most_urgent}",
            )
        cpus = sorted({task.cpu for task in users.values()})
        if len(cpus) > 1:
            yield Problem(
                ("resource", name),
                "users on the CPUs " + " and ".join(map(str, cpus)),
                "users on one CPU: a ceiling holds on one processor",
            )


def uses(task: TaskFields, resource: str) -> bool:
    """Whether the body locks the resource."""
    return any(isinstance(step, Lock) and step.resource == resource for step in task.body)
