# SPDX-License-Identifier: MIT
"""Protected functions: the applications that may call a function of another application."""

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

from plafond.describe.fields import Listed, Name, Strict, field

MOST_DEEP = 8  # nested calls: PLF_MOST_DEEP of kernel/config.h


class Function(Strict):
    """A table [application.NAME.function.NAME]: a C function for other applications."""

    elsewhere: ClassVar[Mapping[str, str]] = {
        "limit": "no limit: the kernel does not bound the time of a call",
        "body": "no body: the function is FUNCTION_NAME of a C file",
    }

    callers: Annotated[tuple[Name, ...], Listed(1)] = field(
        "a list of names of other applications; their code calls the function by Call_NAME, or by "
        "CallNonTrustedFunction"
    )


Edges = Mapping[str, frozenset[str]]


def edges_of(functions: Mapping[str, Mapping[str, Function]]) -> Edges:
    """Return the applications that each application calls; `functions`: by application and name."""
    return {
        caller: frozenset(
            owner
            for owner, own in functions.items()
            if any(caller in each.callers for each in own.values())
        )
        for caller in functions
    }


def reached_from(application: str, edges: Edges) -> frozenset[str]:
    """Return the applications that a task of this application can enter by calls."""
    reached: set[str] = set()
    new = set(edges[application])
    while new:
        reached |= new
        new = {other for each in new for other in edges[each]} - reached
    return frozenset(reached)


def chains(edges: Edges) -> Iterator[tuple[str, ...]]:
    """Yield a longest chain of calls from each application; `edges` must have no circle."""
    deepest: dict[str, tuple[str, ...]] = {}

    def longest(application: str) -> tuple[str, ...]:
        if application not in deepest:
            further = [longest(each) for each in sorted(edges[application])]
            deepest[application] = (application, *max(further, key=len, default=()))
        return deepest[application]

    return map(longest, edges)
