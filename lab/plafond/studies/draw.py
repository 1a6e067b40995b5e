# SPDX-License-Identifier: MIT
"""Draw task sets by the method of a study: until-full, uunifast.py or automotive.py.

The method until-full is that of OSPERT 2010, 4 (Bastoni, Brandenburg, Anderson), Section 5. Tasks
are drawn until the set exceeds its utilisation. Then the last task is discarded, so that all
tasks have the same distribution. Or it is scaled, so that the set has its utilisation up to a
nanosecond of run time. Utilisations are compared exactly.

Uses of resources are drawn after the tasks, as numbers from 0 to 1. They decide whether and for how
long each task uses each resource. So a set keeps its tasks for any sharing, and a larger share only
adds uses.

Each set has a separate random stream, so the result does not depend on which process draws it, or
when.
"""

from fractions import Fraction
from random import Random

from plafond.analyse.multiprocessor.task_set import TaskSet
from plafond.describe.draw_rules import bounds_of_task
from plafond.describe.study import Last, Method, Servers, Spread, Study
from plafond.studies.automotive import draw_automotive
from plafond.studies.uunifast import draw_uunifast

# A task uses a resource if its share is above the first number. The second gives the length.
Use = tuple[float, float]
Uses = tuple[tuple[Use, ...], ...]  # by task and resource


def stream(study: Study, utilisation: Fraction, number: int) -> Random:
    """Return the random stream of a set."""
    return Random(f"{study.seed}/{utilisation}/{number}")


def draw_set(study: Study, utilisation: Fraction, random: Random) -> TaskSet:
    """Return a set in which each deadline is the next arrival."""
    if study.method is Method.AUTOMOTIVE:
        return draw_automotive(utilisation, study.last, random)
    assert study.interval_ns
    if study.method is Method.UUNIFAST:
        assert study.tasks
        bounds = bounds_of_task(study)
        return draw_uunifast(study.tasks, utilisation, bounds, study.interval_ns, random)
    assert study.task_utilisation
    return _draw_until_full(
        study.task_utilisation, study.interval_ns, study.last, utilisation, random
    )


def _draw_until_full(
    task_utilisation: Spread, interval: Spread, last: Last, utilisation: Fraction, random: Random
) -> TaskSet:
    rows: list[tuple[int, int, int]] = []
    asked, parts = 0, 1  # utilisation asked/parts, not reduced, because that is faster
    while asked * utilisation.denominator < utilisation.numerator * parts:
        interval_ns = round(interval.at(random.random()))
        wanted_ns = round(task_utilisation.at(random.random()) * interval_ns)
        cost_ns = min(max(wanted_ns, 1), interval_ns)
        left = utilisation.numerator * parts - utilisation.denominator * asked
        left_ns = left * interval_ns // (utilisation.denominator * parts)
        if cost_ns > left_ns:
            if last is Last.SCALE and left_ns:
                rows.append((left_ns, interval_ns, interval_ns))
            break
        rows.append((cost_ns, interval_ns, interval_ns))
        asked, parts = asked * interval_ns + cost_ns * parts, parts * interval_ns
    return TaskSet.of(rows)


def draw_periods_ns(servers: Servers, random: Random) -> list[int]:
    """Return the periods of the servers; must be called after draw_uses()."""
    return [round(servers.period_ns.at(random.random())) for _ in range(servers.count)]


def draw_uses(tasks: int, resources: int, random: Random) -> Uses:
    """Return the drawn uses of each task and resource."""
    return tuple(
        tuple((random.random(), random.random()) for _ in range(resources)) for _ in range(tasks)
    )
