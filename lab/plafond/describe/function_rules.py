# SPDX-License-Identifier: MIT
"""Rules for protected functions on which kernel/function.h relies."""

from collections.abc import Iterator, Mapping

from plafond.describe.application import MOST_FUNCTIONS, Application
from plafond.describe.function import MOST_DEEP, Edges, chains, edges_of, reached_from
from plafond.describe.named import Known
from plafond.describe.problems import Problem, Where
from plafond.words import suggestion


def problems_of_functions(
    applications: Mapping[str, Application], known: Known
) -> Iterator[Problem]:
    """Yield faults of single functions, circles of calls, and chains that are too deep."""
    first: dict[str, str] = {}
    for name, application in applications.items():
        for function in application.function:
            yield from _problems_of_function(application, function, first, known)
            first.setdefault(function, name)
    if len(first) > MOST_FUNCTIONS:
        expected = f"at most {MOST_FUNCTIONS}"
        yield Problem(("application",), f"{len(first)} protected functions in all", expected)
    edges = edges_of({name: each.function for name, each in applications.items()})
    circles = sorted(each for each in edges if each in reached_from(each, edges))
    for name in circles:
        yield from _problems_of_circle(applications[name], edges)
    if not circles:
        yield from _problems_of_depth(edges)


def _problems_of_function(
    application: Application, function: str, first: Mapping[str, str], known: Known
) -> Iterator[Problem]:
    where: Where = (*application.where, "function", function)
    if application.trusted:
        expected = "functions = [...]: an application with trusted = true has trusted functions"
        yield Problem(where, function, expected)
    if function in first:
        expected = f"another name: {first[function]} has a function {function}"
        yield Problem(where, function, expected)
    for index, caller in enumerate(application.function[function].callers):
        named = known.names["application"]
        if caller == application.name:
            expected = "another application: this one calls it as any function of C"
            yield Problem((*where, "callers", index), caller, expected)
        elif caller not in named:
            expected = f"an application that is described: a table [application.{caller}]"
            yield Problem((*where, "callers", index), caller, expected + suggestion(caller, named))


def _problems_of_circle(application: Application, edges: Edges) -> Iterator[Problem]:
    """Yield the callers of this application's functions that its code can reach by calls."""
    reached = reached_from(application.name, edges)
    for function, fields in application.function.items():
        for index, caller in enumerate(fields.callers):
            if caller in reached and caller != application.name:
                where: Where = (*application.where, "function", function, "callers", index)
                expected = (
                    f"callers that {application.name} does not call, directly or not: "
                    "a task has one stack in each application"
                )
                yield Problem(where, caller, expected)


def _problems_of_depth(edges: Edges) -> Iterator[Problem]:
    chain = max(chains(edges), key=len, default=())
    if len(chain) - 1 > MOST_DEEP:
        found = f"{len(chain) - 1} calls in each other: {', '.join(chain)}"
        yield Problem(("application", chain[-1], "function"), found, f"at most {MOST_DEEP}")
