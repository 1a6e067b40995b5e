# SPDX-License-Identifier: MIT
"""What a description must keep where it limits the timing of tasks: AUTOSAR OS 4.x, 7.7.2."""

from collections.abc import Iterator

from plafond.describe.problems import Problem
from plafond.describe.rules import Tasks


def problems_of_timing(tasks: Tasks) -> Iterator[Problem]:
    """Each task whose sections have budgets."""
    for name, task in tasks.items():
        entered = sorted(each for each in task.used if each and each != task.internal)
        for resource in task.resource_lock_budgets:
            if resource not in entered:
                expected = f"one of the resources of {name}: {', '.join(entered) or 'it has none'}"
                yield Problem(("task", name, "resource_lock_budgets", resource), resource, expected)
