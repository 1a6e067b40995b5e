# SPDX-License-Identifier: MIT
"""Arrivals of tasks."""

from dataclasses import dataclass
from enum import StrEnum

from plafond.units import DURATION, parse_duration
from plafond.words import suggestion

ARRIVALS = "periodic PERIOD, sporadic LEAST-INTERVAL or random LEAST MOST"


@dataclass(frozen=True)
class Interval:
    """Time between arrivals: uniform from `least_ns` to `most_ns`, both included."""

    least_ns: int
    most_ns: int
    is_periodic: bool = False  # the time is exact; False: a sporadic arrival may come later


class Pending(StrEnum):
    """Treatment of an arrival while its task is unfinished."""

    QUEUE = "queue"
    SKIP = "skip"


def parse_arrival(text: str) -> Interval:
    """Turn `random 400ms 800ms` into an interval; ValueError has the text of the expected form."""
    kind, *arguments = text.split() or [""]
    kinds = {"periodic": 1, "sporadic": 1, "random": 2}
    if kind not in kinds:
        raise ValueError(ARRIVALS + suggestion(kind, list(kinds)))
    if len(arguments) != kinds[kind]:
        raise ValueError(ARRIVALS)
    try:
        durations = [parse_duration(argument) for argument in arguments]
    except ValueError:
        raise ValueError(f"{ARRIVALS}, each {DURATION}") from None
    if durations[0] > durations[-1]:
        raise ValueError(f"{ARRIVALS}, LEAST not above MOST")
    return Interval(durations[0], durations[-1], is_periodic=kind == "periodic")
