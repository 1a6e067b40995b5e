# SPDX-License-Identifier: MIT
"""Small task sets, random and by hand. The tests accept some and reject others."""

from __future__ import annotations

from random import Random

from proof.analysis.multiprocessor.explore import Task

LONGEST = 6  # interval, in units
SOFT_INTERVALS = (2, 3, 4, 6)  # with a small least common multiple

# There is no time for the three jobs, but Condition 8 of Baruah 2007 holds as printed.
EQUALITY = [Task(2, 2, LONGEST), Task(2, 2, LONGEST), Task(1, 2, LONGEST)]
# Two tasks that leave no time, and a third that rarely arrives.
FULL = [Task(2, 2, 2), Task(3, 3, 3), Task(1, 6, 6)]
# Dhall's effect: two short tasks arrive, so a long task gets its processor too late.
DHALL = [Task(1, 3, 3), Task(1, 3, 3), Task(4, 4, 4)]
# A job that is longer than its deadline, and others that matter little.
HOPELESS = [Task(3, 2, 6), *[Task(1, 6, 6)] * 3]
# A rare job without slack, and two that arrive with it.
NO_SLACK = [Task(5, 5, 20), Task(1, 3, 20), Task(1, 3, 20)]
# The last task has a job under way when the others arrive.
UNDER_WAY = [Task(2, 6, 6), Task(3, 5, 5), Task(4, 5, 5)]
BY_HAND = [EQUALITY, FULL, DHALL, HOPELESS, NO_SLACK, UNDER_WAY, [Task(2, 2, 2), Task(3, 3, 3)]]


def global_sets(seed: int, count: int) -> list[list[Task]]:
    """Return sets of three and four tasks for two processors, the sets by hand first."""
    random = Random(f"global/{seed}")
    drawn = (_some_set(random, random.choice((3, 3, 3, 4)), 0.9, 2.1) for _ in range(count))
    return [*BY_HAND, *drawn]


def one_cpu_sets(seed: int, count: int) -> list[list[Task]]:
    """Return sets of one to three tasks for one processor."""
    random = Random(f"one/{seed}")
    full = [[Task(1, 2, 2), Task(2, 4, 4)], [Task(1, 1, 2), Task(2, 4, 4)]]
    drawn = (_some_set(random, random.choice((1, 2, 3)), 0.5, 1.4) for _ in range(count))
    return [*full, *drawn]


def packed_sets(seed: int, count: int) -> list[list[Task]]:
    """Return sets of three to five tasks for two processors, or for two clusters of two."""
    random = Random(f"packed/{seed}")
    return [_some_set(random, random.choice((3, 4, 5)), 1.2, 3.0) for _ in range(count)]


def soft_sets(seed: int, count: int) -> list[list[Task]]:
    """Return sets with deadlines at intervals for two processors; half of them need all the time or
    more."""
    random = Random(f"soft/{seed}")
    found: list[list[Task]] = [
        [Task(2, 2, 2), Task(3, 3, 3)],
        [Task(1, 2, 2), Task(2, 3, 3), Task(5, 6, 6)],
        [Task(5, 4, 4), Task(1, 4, 4)],
    ]
    while len(found) < count:
        intervals = random.choices(SOFT_INTERVALS, k=random.choice((2, 3, 4)))
        tasks = [Task(random.randint(1, t + (t > 3)), t, t) for t in intervals]
        if 1.2 <= sum(task.cost / task.interval for task in tasks) <= 2.4:
            found.append(tasks)
    return found


def _some_set(random: Random, count: int, least: float, most: float) -> list[Task]:
    """Draw until the sum of the densities lies in this range."""
    while True:
        tasks = [_some_task(random) for _ in range(count)]
        if least <= sum(task.cost / task.deadline for task in tasks) <= most:
            return tasks


def _some_task(random: Random) -> Task:
    interval = random.randint(2, LONGEST)
    deadline = interval if random.random() < 0.5 else random.randint(1, interval)
    return Task(random.randint(1, deadline), deadline, interval)
