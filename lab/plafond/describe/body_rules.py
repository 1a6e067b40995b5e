# SPDX-License-Identifier: MIT
"""Rules of a body: each step must be possible after the steps before it."""

from collections.abc import Iterator, Sequence

from plafond.describe.body import (
    Activate,
    Chain,
    ClearEvent,
    KernelStep,
    Lock,
    Run,
    SetEvent,
    Sleep,
    Step,
    Unlock,
    WaitEvent,
)
from plafond.describe.named import Known
from plafond.describe.problems import Problem, Where

Wrong = tuple[str, str]  # found and expected


def problems_of_body(task: str, body: Sequence[Step], known: Known) -> Iterator[Problem]:
    """Yield steps that are impossible after the steps before them, and unknown names."""
    where: Where = ("task", task, "body")
    held: list[str] = []
    if not known.has_kernel and not any(isinstance(step, Run | KernelStep) for step in body):
        yield Problem(where, "no run step", "at least one: a task uses its processor")
    for index, step in enumerate(body):
        wrong = (
            _wrong_name(step, task, known)
            or _wrong_order(step, held)
            or _wrong_end(step, body[index + 1 :])
        )
        if wrong:
            yield Problem((*where, index), *wrong)
        if isinstance(step, Lock):
            held.append(step.resource)
        elif isinstance(step, Unlock) and step.resource in held:
            held.remove(step.resource)
    for resource in held:
        yield Problem(where, f"{resource} still locked at the end", f'a step "unlock {resource}"')


def _wrong_name(step: Step, task: str, known: Known) -> Wrong | None:
    """Return the step and the expected name if a name in it is unknown."""
    expected: str | None = None
    match step:
        case Lock(resource) | Unlock(resource):
            expected = known.wrong_resource(resource)
        case Activate(other) | Chain(other):
            expected = known.wrong("task", other)
        case SetEvent(other, event):
            expected = known.wrong("task", other) or known.wrong_event(other, event)
        case WaitEvent(event) | ClearEvent(event):
            expected = known.wrong_event(task, event)
    return (_written(step), expected) if expected else None


def _wrong_order(step: Step, held: list[str]) -> Wrong | None:
    """Return the fault of a step if the resources of `held` are locked before it."""
    match step:
        case Lock(resource) if resource in held:
            return _written(step), f"a resource that the task does not hold: {resource} is locked"
        case Unlock(resource) if resource not in held:
            return _written(step), f'a step "lock {resource}" before it'
        case Unlock(resource) if resource != held[-1]:
            return _written(step), f"unlock {held[-1]}, which was locked last"
        case Sleep() if held:
            return "a sleep inside a section", f"no self-suspension while {held[-1]} is locked"
        case WaitEvent() if held:
            return "a wait inside a section", f"no self-suspension while {held[-1]} is locked"
    return None


def _wrong_end(step: Step, following: Sequence[Step]) -> Wrong | None:
    if isinstance(step, Chain) and following:
        return f"{step} before the last step", "nothing behind it: it ends the task"
    return None


def _written(step: Step) -> str:
    if isinstance(step, Lock | Unlock):
        return f"{type(step).__name__.lower()} {step.resource}"
    return str(step)
