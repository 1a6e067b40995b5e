# SPDX-License-Identifier: MIT
"""Draw task sets, as OSPERT 2010, 4 (Bastoni, Brandenburg, Anderson), Section 5 does.

Tasks are drawn one after the other until the set asks for more than its utilisation. The last one
is discarded, so that all are drawn alike; or it is scaled, so that the set asks for just that
much, but for less than a nanosecond of its run time. What sets ask for is compared exactly.

Each set has a random stream of its own: it is the same whichever process draws it, and when.
"""

from fractions import Fraction
from random import Random

from plafond.analyse.multiprocessor.task_set import TaskSet
from plafond.describe.draw import Last, Study


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
