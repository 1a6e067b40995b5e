# SPDX-License-Identifier: MIT
"""Draw task sets by UUniFast-discard: Bini, Buttazzo 2005, and Davis, Burns 2011.

UUniFast draws n utilisations with a given sum, uniformly over all of them. A draw is discarded if a
task is outside its range. So the rest is uniform over all sets inside the range, which is the
distribution of RandFixedSum (Emberson, Stafford, Davis 2010), too. RandFixedSum needs no discard;
here a set is given up after MOST_DRAWS.

A run time is rounded down to nanoseconds, so that no set exceeds its utilisation, except that it is
at least a nanosecond.
"""

from fractions import Fraction
from random import Random

from plafond.analyse.multiprocessor.task_set import TaskSet
from plafond.describe.study import Spread
from plafond.errors import PlafondError

MOST_DRAWS = 10_000


def draw_utilisations(
    tasks: int, total: Fraction, bounds: tuple[Fraction, Fraction], random: Random
) -> list[float]:
    """Return utilisations inside `bounds` with that sum; PlafondError after MOST_DRAWS."""
    least, most = map(float, bounds)
    for _ in range(MOST_DRAWS):
        drawn = _uunifast(tasks, float(total), random)
        if all(least <= each <= most for each in drawn):
            return drawn
    raise PlafondError(
        f"{tasks} tasks with utilisation {float(total):g}: found no set in {MOST_DRAWS} draws "
        f"whose tasks are from {least:g} to {most:g}; expected another number or a wider range"
    )


def _uunifast(tasks: int, total: float, random: Random) -> list[float]:
    drawn: list[float] = []
    left = total
    for others in range(tasks - 1, 0, -1):
        after = left * random.random() ** (1 / others)
        drawn.append(left - after)
        left = after
    return [*drawn, left]


def draw_uunifast(
    tasks: int,
    total: Fraction,
    bounds: tuple[Fraction, Fraction],
    interval_ns: Spread,
    random: Random,
) -> TaskSet:
    """Return a set in which each deadline is the next arrival; errors as draw_utilisations()."""
    utilisations = draw_utilisations(tasks, total, bounds, random)
    intervals_ns = [round(interval_ns.at(random.random())) for _ in utilisations]
    return TaskSet.of(
        (min(max(int(each * interval), 1), interval), interval, interval)
        for each, interval in zip(utilisations, intervals_ns, strict=True)
    )
