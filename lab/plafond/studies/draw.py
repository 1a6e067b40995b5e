# SPDX-License-Identifier: MIT
"""Draw task sets, as OSPERT 2010, 4 (Bastoni, Brandenburg, Anderson), Section 5 does.

Tasks are drawn one after the other until the set asks for more than its utilisation. The last one
is discarded, so that all are drawn alike; or it is scaled, so that the set asks for just that
much, but for less than a nanosecond of its run time. What sets ask for is compared exactly.

What tasks share is drawn after them, as parts of 1: of each task and resource, whether and for how
long the task uses it. So a set has the same tasks whatever is shared, and with a larger share
of resources the same uses and more.

Each set has a random stream of its own: it is the same whichever process draws it, and when.
"""

from fractions import Fraction
from random import Random

from plafond.analyse.multiprocessor.task_set import TaskSet
from plafond.describe.study import Last, Servers, Study

Use = tuple[float, float]  # of a resource: a task uses it if its share is above; how long
Uses = tuple[tuple[Use, ...], ...]  # by task and resource


def stream(study: Study, utilisation: Fraction, number: int) -> Random:
    """Return the random stream of a set."""
    return Random(f"{study.seed}/{utilisation}/{number}")


def draw_set(study: Study, utilisation: Fraction, random: Random) -> TaskSet:
    """Return a set whose tasks are due at their next arrival."""
    rows: list[tuple[int, int, int]] = []
    asked, parts = 0, 1  # for asked/parts of a CPU; not reduced, which would take longer
    while asked * utilisation.denominator < utilisation.numerator * parts:
        interval_ns = round(study.interval_ns.at(random.random()))
        wanted_ns = round(study.task_utilisation.at(random.random()) * interval_ns)
        cost_ns = min(max(wanted_ns, 1), interval_ns)
        left = utilisation.numerator * parts - utilisation.denominator * asked
        left_ns = left * interval_ns // (utilisation.denominator * parts)
        if cost_ns > left_ns:
            if study.last is Last.SCALE and left_ns:
                rows.append((left_ns, interval_ns, interval_ns))
            break
        rows.append((cost_ns, interval_ns, interval_ns))
        asked, parts = asked * interval_ns + cost_ns * parts, parts * interval_ns
    return TaskSet.of(rows)


def draw_periods_ns(servers: Servers, random: Random) -> list[int]:
    """Return the periods of the servers, which are drawn after what tasks share."""
    return [round(servers.period_ns.at(random.random())) for _ in range(servers.count)]


def draw_uses(tasks: int, resources: int, random: Random) -> Uses:
    """Return what so many tasks may do with each resource."""
    return tuple(
        tuple((random.random(), random.random()) for _ in range(resources)) for _ in range(tasks)
    )
