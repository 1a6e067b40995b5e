# SPDX-License-Identifier: MIT
"""Release jitter: by how much a release may come after its arrival, and still be of use."""

from collections.abc import Iterator, Mapping

from plafond.describe.problems import Problem
from plafond.describe.task import TaskFields
from plafond.units import format_exactly


def problems_of_jitter(tasks: Mapping[str, TaskFields]) -> Iterator[Problem]:
    """Each task that has some."""
    for name, task in tasks.items():
        expected = _expected(task) if task.jitter else None
        if expected:
            found = format_exactly(task.jitter)
            yield Problem(("task", name, "jitter"), found, expected)


def _expected(task: TaskFields) -> str | None:
    if task.arrival is None:
        return "an arrival, after which a release comes so late"
    if task.jitter >= task.arrival.least_ns:
        least = format_exactly(task.arrival.least_ns)
        return f"less than {least}, the least interval of arrivals: releases keep their order"
    if task.deadline is not None and task.jitter >= task.deadline:
        deadline = format_exactly(task.deadline)
        return f"less than the deadline, {deadline}: a release has to come before that"
    return None
