# SPDX-License-Identifier: MIT
"""Convert the loop of a thread to activations of a task.

- A timer ends an activation. In `relative` mode, a late activation delays the following ones, so at
  least the period passes: a sporadic task. In `absolute` mode exactly the period passes: a periodic
  task. An empty activation does not count, so the next activation comes later.
- Without timers, a sleep at an end of the loop separates activations. At least the total time of
  the loop passes: a sporadic task.
- If an endless loop begins or ends with a suspend, a resume activates the task. If the thread does
  not wait, the resume is lost, as the activation of a task that is active.
- Any other endless loop is a task that chains itself. A loop with an end is a single activation.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise

from plafond.describe.rt_app.events import BARRIER, WAITS, WAKES, Event
from plafond.describe.rt_app.program import MOST_EVENTS, Program
from plafond.describe.rt_app.reader import Reader
from plafond.describe.source import Place
from plafond.units import UNIT_NS, format_exactly

ONE_WAIT = (
    "one timer, or else a sleep or a suspend, as the first or the last event of all that is "
    "repeated"
)
ALIKE = "the same events in each, except for the time of run: a task has one body"
USEFUL = ("run", BARRIER, *WAKES)


class Start(Enum):
    """The way in which activations of a task come."""

    ARRIVES = auto()  # by time
    RESUMED = auto()  # by other threads
    CHAINS = auto()  # by its own end
    ONCE = auto()  # at the start alone


@dataclass(frozen=True)
class Cycle:
    """The events of an activation, and how activations come."""

    body: tuple[Event, ...]
    start: Start
    place: Place  # of the event that separates activations
    interval_us: int = 0
    first_us: int = 0  # first activation, after the start of the thread
    count: int | None = None  # of activations; None: no limit
    is_periodic: bool = False  # whether the time between activations is exactly the interval
    timer: str = ""
    resumed_by: str = ""  # the name for which a suspended thread waits
    is_begun: bool = True  # whether the start activates a task that others activate, too


def cycle_of(reader: Reader, program: Program, may_spin: bool) -> Cycle | None:
    """Return the cycle of a thread; None if it has a mistake.

    `may_spin`: the thread may run for ever, because it takes no time from other tasks.
    """
    known = len(reader.problems)
    if program.has_timers:
        cycle = _by_timer(reader, program)
    else:
        cycle = _by_sleep(program) or _by_resume(program) or _whole(reader, program, may_spin)
    is_idle = not any(event.kind in USEFUL for event in program.events)
    if is_idle and len(reader.problems) == known:
        reader.refuse(program.place, "no run event", "one at least: a task uses its processor")
    return cycle if len(reader.problems) == known else None


def _by_timer(reader: Reader, program: Program) -> Cycle | None:
    """Return the cycle of a loop that begins or ends with a timer.

    The timer counts from the start of the thread. So sleeps before the loop delay only the
    first activation.
    """
    events, first_us = list(program.events), program.before_us
    timers = [event for event in events if event.kind == "timer"]
    for event in timers:
        if event.name != timers[0].name:
            reader.refuse(event.place, "a second timer", ONE_WAIT)
            return None
    if first_us >= timers[0].duration_us:
        found = f"sleeps of {_duration(first_us)} before the first timer"
        reader.refuse(timers[0].place, found, "less than its period, or the key delay")
        return None
    if events[-1].kind != "timer":
        if events[0].kind != "timer":
            reader.refuse(timers[0].place, "a timer between other events", ONE_WAIT)
            return None
        events = [*events[1:], events[0]]
        first_us = timers[0].duration_us
    bodies, starts_us, total_us = _split(events)
    body = _common(reader, program.place, bodies) if bodies else None
    if body is None:
        return None
    ends_us = [*starts_us[1:], total_us + starts_us[0]]
    gaps_us = [end_us - start_us for start_us, end_us in zip(starts_us, ends_us, strict=True)]
    if program.before_us and not starts_us[0]:
        gaps_us.append(gaps_us[0] - program.before_us)
    if len(set(gaps_us)) > 1:
        shortest = _duration(min(gaps_us))
        reader.note(program.place, f"its activations are {shortest} apart or more: sporadic")
    return Cycle(
        body=body,
        start=Start.ARRIVES,
        place=timers[0].place,
        interval_us=min(gaps_us),
        first_us=first_us + starts_us[0],
        count=None if program.passes is None else program.passes * len(bodies),
        is_periodic=len(set(gaps_us)) == 1 and all(event.is_absolute for event in timers),
        timer=timers[0].name,
    )


def _split(events: Sequence[Event]) -> tuple[list[list[Event]], list[int], int]:
    """Return the parts before timers that have events, their begins, and the time of all."""
    bodies, starts_us, at_us = [], [], 0
    body: list[Event] = []
    for event in events:
        if event.kind != "timer":
            body.append(event)
            continue
        if body:
            bodies.append(body)
            starts_us.append(at_us)
        body, at_us = [], at_us + event.duration_us
    return bodies, starts_us, at_us


def _common(
    reader: Reader, place: Place, bodies: Sequence[Sequence[Event]]
) -> tuple[Event, ...] | None:
    """Return a body for all activations, with ranges; None if they differ in more than run."""
    for one, other in pairwise(bodies):
        if list(map(_kept, one)) != list(map(_kept, other)):
            reader.refuse(place, "activations with different events", ALIKE)
            return None
    body = tuple(map(_ranged, zip(*bodies, strict=True)))
    if any(event.least_us for event in body):
        reader.note(place, "the time of its run steps depends on the phase: a run draws it")
    return body


def _kept(event: Event) -> tuple[object, ...]:
    """Return what must be the same in all activations."""
    return event.kind, event.name, event.mutex, event.kind == "run" or event.duration_us


def _ranged(events: Sequence[Event]) -> Event:
    least_us, most_us = (pick(event.duration_us for event in events) for pick in (min, max))
    return replace(
        events[0], duration_us=most_us, least_us=least_us if least_us < most_us else None
    )


def _by_sleep(program: Program) -> Cycle | None:
    """Return the cycle of a loop that ends or begins with a sleep; None for another loop."""
    events = program.events
    if not events or "sleep" not in (events[-1].kind, events[0].kind):
        return None
    if program.passes is None and _resumed(program):
        return None
    at = len(events) - 1 if events[-1].kind == "sleep" else 0
    return Cycle(
        body=(*events[:at], *events[at + 1 :]),
        start=Start.ARRIVES,
        place=events[at].place,
        interval_us=sum(event.duration_us - event.rounded_us for event in events),
        first_us=program.before_us + (0 if at else events[0].duration_us),
        count=program.passes,
    )


def _resumed(program: Program) -> Event | None:
    """Return the suspend at an end of the loop, if no other event waits for the same."""
    events = program.events
    for event in (events[-1], events[0]):
        same = [each for each in events if each.kind in WAITS and each.name == event.name]
        if event.kind == "suspend" and len(same) == 1:
            return event
    return None


def _by_resume(program: Program) -> Cycle | None:
    """Return the cycle of an endless loop that begins or ends with a suspend, or None."""
    if not program.events or program.passes is not None or program.before_us:
        return None
    wait = _resumed(program)
    if wait is None or len(program.events) == 1:
        return None
    is_last = program.events[-1] is wait
    return Cycle(
        body=program.events[:-1] if is_last else program.events[1:],
        start=Start.RESUMED,
        place=wait.place,
        resumed_by=wait.name,
        is_begun=is_last,
    )


def _whole(reader: Reader, program: Program, may_spin: bool) -> Cycle | None:
    """Return the cycle of a loop that waits elsewhere, or that ends without a wait."""
    waits = any(event.kind in (*WAITS, "sleep") for event in program.events)
    if not program.events or (program.passes is None and not (waits or may_spin)):
        reader.refuse(program.place, "no event that separates activations", ONE_WAIT)
        return None
    if program.before_us:
        reader.refuse(program.place, "a sleep before its loop", "it in the loop, or no sleep")
        return None
    if program.passes is None:
        return Cycle(program.events, Start.CHAINS, program.place)
    if program.passes * len(program.events) > MOST_EVENTS:
        reader.refuse(program.place, "more events, with loops", f"at most {MOST_EVENTS}")
        return None
    return Cycle(program.events * program.passes, Start.ONCE, program.place, count=1)


def _duration(value_us: int) -> str:
    return format_exactly(value_us * UNIT_NS["us"])
