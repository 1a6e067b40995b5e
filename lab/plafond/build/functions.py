# SPDX-License-Identifier: MIT
"""The tables of protected functions: kernel/function.h."""

from collections.abc import Iterator
from dataclasses import dataclass

from plafond.describe.function import edges_of, reached_from
from plafond.describe.system import System

DEFAULT_STACK = 4096


@dataclass(frozen=True)
class ProtectedFunction:
    """An entry of plf_protected_functions."""

    name: str
    application: str
    callers: tuple[str, ...]


@dataclass(frozen=True)
class Domain:
    """An entry of plf_domain_config: a task in an application."""

    index: int
    task: str
    application: str
    stack_bytes: int  # of the stack there; 0: the task's usual stack, or none on this board
    to: tuple[int, ...]  # by function: the domain in which it runs; 0: the domain must not call it


def protected_functions(system: System) -> tuple[ProtectedFunction, ...]:
    """Return the functions in the order of their numbers."""
    return tuple(
        ProtectedFunction(name, application.name, function.callers)
        for application in system.applications
        for name, function in application.function.items()
    )


def domains_of(system: System, stack_unit: int) -> tuple[Domain, ...]:
    """Return the home domains by task, then the domains that their calls enter."""
    functions = protected_functions(system)
    if not functions:
        return ()
    pairs = [*_homes(system), *_callees(system)]
    number = {pair: index for index, pair in enumerate(pairs)}
    stacks = {each.name: each.stack or DEFAULT_STACK for each in system.applications}
    return tuple(
        Domain(
            index=index,
            task=task,
            application=application,
            stack_bytes=(
                -(-stacks[application] // stack_unit) * stack_unit
                if stack_unit and index >= len(system.tasks)
                else 0
            ),
            to=tuple(
                number[task, each.application] if application in each.callers else 0
                for each in functions
            ),
        )
        for index, (task, application) in enumerate(pairs)
    )


def _homes(system: System) -> Iterator[tuple[str, str]]:
    for task in system.tasks:
        yield task.name, str(system.owners["task", task.name].application)


def _callees(system: System) -> Iterator[tuple[str, str]]:
    edges = edges_of({each.name: each.function for each in system.applications})
    for task, home in _homes(system):
        reached = reached_from(home, edges)
        yield from ((task, each.name) for each in system.applications if each.name in reached)
