# SPDX-License-Identifier: MIT
"""The words inside a description: steps of a body, and arrivals."""

from plafond.describe.system import Interval, Lock, Run, Sleep, Step, Unlock
from plafond.units import DURATION, parse_duration
from plafond.words import suggestion

STEPS = "run DURATION, lock RESOURCE, unlock RESOURCE or sleep DURATION"
LATER_STEPS = ("activate", "set", "wait", "clear", "chain", "call")
ARRIVALS = "periodic PERIOD, sporadic LEAST-INTERVAL or random LEAST MOST"


def parse_step(text: str) -> Step:
    """Turn `lock R1` into a step; ValueError says what was expected."""
    verb, *arguments = text.split() or [""]
    if verb in LATER_STEPS:
        raise ValueError(f"{STEPS} ({verb} needs an OSEK kernel, which is not there yet)")
    if verb not in ("run", "sleep", "lock", "unlock"):
        raise ValueError(STEPS + suggestion(verb, ["run", "sleep", "lock", "unlock"]))
    if verb in ("run", "sleep"):
        try:
            duration_ns = parse_duration(" ".join(arguments))
        except ValueError:
            raise ValueError(f"{verb} and {DURATION}") from None
        return Run(duration_ns) if verb == "run" else Sleep(duration_ns)
    if len(arguments) != 1 or not arguments[0].isprintable():
        raise ValueError(f"{verb} and the name of one resource")
    return Lock(arguments[0]) if verb == "lock" else Unlock(arguments[0])


def parse_arrival(text: str) -> Interval:
    """Turn `random 400ms 800ms` into an interval; ValueError says what was expected."""
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
    return Interval(durations[0], durations[-1])
