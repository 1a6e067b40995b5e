# SPDX-License-Identifier: MIT
"""The program of a thread: its phases, and how often it repeats them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plafond.describe.rt_app.events import Event, split_events
from plafond.describe.rt_app.keys import expected
from plafond.describe.rt_app.reader import Field, Reader, shown_value
from plafond.describe.source import Place, within

MOST_EVENTS = 1000  # of a body
MOST_TIMED = 100_000  # of a loop with timers, which has several bodies


@dataclass(frozen=True)
class Program:
    """All events of a loop, and the time before its first event."""

    place: Place
    events: tuple[Event, ...]
    passes: int | None  # how often the loop runs; None: no limit
    before_us: int = 0  # sleeps before the first loop

    @property
    def has_timers(self) -> bool:
        """Whether a timer separates activations."""
        return any(event.kind == "timer" for event in self.events)


@dataclass(frozen=True)
class _Phase:
    place: Place
    events: list[Event]
    loop: Field
    count: int | None

    @property
    def sleeps_once_us(self) -> int | None:
        """The time of a phase that only sleeps; None if it has other events or no end."""
        if self.count is None or any(event.kind != "sleep" for event in self.events):
            return None
        return self.count * sum(event.duration_us for event in self.events)


def program_of(
    reader: Reader, thread: Place, own: dict[str, Field], events: list[Event]
) -> Program | None:
    """Return the program of a thread; None if it has a mistake."""
    known = len(reader.problems)
    passes = _count(reader, "tasks.NAME", _loop(thread, own, -1))
    phases = [_Phase(thread, events, Field(thread, 1), 1)]
    if "phases" in own:
        for event in events:
            beside = "it in one of the phases: rt-app leaves out what is beside them"
            reader.refuse(event.place, "an event beside phases", beside)
        phases = _phases(reader, thread, own)
    if len(reader.problems) > known:
        return None
    at = own["phases"].place if "phases" in own else thread
    program = _unrolled(reader, thread, at, phases, passes)
    return program if len(reader.problems) == known else None


def _loop(table: Place, own: dict[str, Field], default: int) -> Field:
    return own.get("loop") or Field(within(table, "loop"), default)


def _count(reader: Reader, table: str, loop: Field) -> int | None:
    return reader.count(loop, expected(table, "loop"))


def _phases(reader: Reader, thread: Place, own: dict[str, Field]) -> list[_Phase]:
    members = reader.members(own["phases"], expected("tasks.NAME", "phases"))
    reader.note_repeated(members)
    found = []
    for phase in members:
        fields = reader.members(phase, "a table of events")
        keys, events = split_events(reader, "phases.NAME", str(thread.where[-1]), fields)
        _refuse_other_cpus(reader, keys.get("cpus"), own.get("cpus"))
        loop = _loop(phase.place, keys, 1)
        count = _count(reader, "phases.NAME", loop)
        found.append(_Phase(phase.place, _effective(events), loop, count))
    return found


def _refuse_other_cpus(reader: Reader, field: Field | None, of_thread: Field | None) -> None:
    if field and (of_thread is None or field.value != of_thread.value):
        found = f"{shown_value(field.value)}, which is not that of the thread"
        reader.refuse_once(field.place, found, expected("phases.NAME", "cpus"))


def _effective(events: Iterable[Event]) -> list[Event]:
    return [event for event in events if event.kind != "sleep" or event.duration_us]


def _unrolled(
    reader: Reader, place: Place, at: Place, phases: Sequence[_Phase], passes: int | None
) -> Program:
    """Return the loop of all phases; each phase comes as often as its loop says.

    The loop that has no end is the last phase alone, or all phases together. Sleeps before it are
    no part of it. `at`: the place of the phases.
    """
    for phase in phases[:-1]:
        if phase.count is None:
            reader.refuse(phase.loop.place, "-1", "a number: there are other phases")
    before_us = 0
    while len(phases) > 1 and (passes == 1 or phases[-1].count is None):
        if (sleep_us := phases[0].sleeps_once_us) is None:
            break
        before_us += sleep_us
        phases = phases[1:]
    if len(phases) == 1:
        inner = phases[0].count
        count = None if passes is None or inner is None else passes * inner
        return Program(place, tuple(_effective(phases[0].events)), count, before_us)
    if phases and phases[-1].count is None:
        reader.refuse(phases[-1].loop.place, "-1", "a number: there are other phases")
    return Program(place, tuple(_all_events(reader, at, phases)), passes, before_us)


def _all_events(reader: Reader, place: Place, phases: Sequence[_Phase]) -> list[Event]:
    is_timed = any(event.kind == "timer" for phase in phases for event in phase.events)
    most = MOST_TIMED if is_timed else MOST_EVENTS
    events: list[Event] = []
    for phase in phases:
        count = phase.count or 1
        if count * len(phase.events) > most - len(events):
            reader.refuse(place, "more events, with loops", f"at most {most}")
            return []
        events += phase.events * count
    return events
