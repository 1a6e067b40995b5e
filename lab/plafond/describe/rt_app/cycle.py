# SPDX-License-Identifier: MIT
"""Convert the loop of a thread to activations of a task.

A thread's loop waits in one of its events. An activation is the part of the loop between two waits.
If the wait is a timer in `relative` mode, a late activation delays the following ones, so at least
the period passes: a sporadic task. In `absolute` mode exactly the period passes: a periodic task.
If the wait is a sleep, at least the total time of the loop passes: a sporadic task.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from plafond.describe.rt_app.events import Event, split_events
from plafond.describe.rt_app.keys import expected
from plafond.describe.rt_app.reader import Field, Reader
from plafond.describe.source import Place, within

MOST_EVENTS = 1000
ONE_TIMER = "1: with several phases, all events of all loops have one timer"
ONE_WAIT = "one timer, or else a sleep, as the first or the last event of all that is repeated"


@dataclass(frozen=True)
class Cycle:
    """The events of an activation, the wait between activations, and their number."""

    body: tuple[Event, ...]
    wait: Event
    interval_us: int
    first_us: int  # first activation, after the start of the thread
    count: int | None  # None: no limit

    @property
    def is_periodic(self) -> bool:
        """Whether the time between activations is exactly the interval."""
        return self.wait.is_absolute


@dataclass(frozen=True)
class _Phase:
    loop: Field
    count: int | None
    events: list[Event]


def cycle_of(
    reader: Reader, thread: Place, own: dict[str, Field], events: list[Event]
) -> Cycle | None:
    """Return the cycle of a thread; None if it has a mistake."""
    known = len(reader.problems)
    count = _count(reader, "tasks.NAME", _loop(thread, own, -1))
    if "phases" in own:
        for event in events:
            beside = "it in one of the phases: rt-app leaves out what is beside them"
            reader.refuse(event.place, "an event beside phases", beside)
        phases = _phases(reader, own["phases"])
    else:
        phases = [_Phase(Field(thread, 1), 1, events)]
    if len(phases) == 1:
        inner = phases[0].count
        count = None if count is None or inner is None else count * inner
        events = phases[0].events
    else:
        events = _unrolled(reader, own["phases"].place, phases)
    return _cycle(reader, thread, events, count) if len(reader.problems) == known else None


def _loop(table: Place, own: dict[str, Field], default: int) -> Field:
    return own.get("loop") or Field(within(table, "loop"), default)


def _count(reader: Reader, table: str, loop: Field) -> int | None:
    return reader.count(loop, expected(table, "loop"))


def _phases(reader: Reader, field: Field) -> list[_Phase]:
    found = []
    for phase in reader.table(field, expected("tasks.NAME", "phases")).values():
        members = reader.table(phase, "a table of events")
        own, events = split_events(reader, "phases.NAME", members)
        loop = _loop(phase.place, own, 1)
        found.append(_Phase(loop, _count(reader, "phases.NAME", loop), events))
    return found


def _unrolled(reader: Reader, place: Place, phases: Sequence[_Phase]) -> list[Event]:
    """Return the events of all phases in order; each phase is repeated as its loop says."""
    events: list[Event] = []
    for phase in phases:
        has_timer = any(event.kind == "timer" for event in phase.events)
        if phase.count is None:
            reader.refuse(phase.loop.place, "-1", "a number: there are other phases")
        elif phase.count > 1 and has_timer:
            reader.refuse(phase.loop.place, f"{phase.count}, and a timer", ONE_TIMER)
        elif phase.count * len(phase.events) > MOST_EVENTS - len(events):
            reader.refuse(place, "more events, with loops", f"at most {MOST_EVENTS}")
            return []
        else:
            events += phase.events * phase.count
    return events


def _cycle(
    reader: Reader, thread: Place, events: Sequence[Event], count: int | None
) -> Cycle | None:
    ends = {0, len(events) - 1}
    timers = [index for index, event in enumerate(events) if event.kind == "timer"]
    waits = timers or [index for index in sorted(ends, reverse=True) if _is_sleep(events, index)]
    if not waits:
        reader.refuse(thread, "no event that separates activations", ONE_WAIT)
        return None
    if not any(event.kind == "run" for event in events):
        reader.refuse(thread, "no run event", "one at least: a task uses its processor")
    wait = events[waits[0]]
    if len(timers) > 1:
        reader.refuse(events[timers[1]].place, "a second timer", ONE_WAIT)
    elif waits[0] not in ends:
        reader.refuse(wait.place, "a timer between other events", ONE_WAIT)
    return Cycle(
        body=(*events[: waits[0]], *events[waits[0] + 1 :]),
        wait=wait,
        interval_us=wait.duration_us if timers else sum(event.duration_us for event in events),
        first_us=0 if waits[0] else wait.duration_us,
        count=count,
    )


def _is_sleep(events: Sequence[Event], index: int) -> bool:
    return bool(events) and events[index].kind == "sleep"
