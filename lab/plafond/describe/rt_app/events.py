# SPDX-License-Identifier: MIT
"""Take the events of a table."""

from collections.abc import Iterable
from dataclasses import dataclass

from plafond.describe.rt_app.keys import (
    IGNORED_IN_THREAD,
    REFUSED,
    TAKEN,
    expected,
    refused_in,
)
from plafond.describe.rt_app.reader import FROM_0, NUMBERS, Field, Reader
from plafond.describe.source import Place, within
from plafond.words import suggestion

# rt-app recognises an event by the beginning of its key: run, run0 and run_fast are alike.
_KINDS = sorted((*TAKEN["events"], *REFUSED["events"]), key=len, reverse=True)
BARRIER = "barrier"
AWAITS = ("suspend", "wait", "sync")  # a thread waits there for a wake-up
WAITS = (*AWAITS, BARRIER)  # a thread waits there for other threads
WAKES = ("resume", "broad", "signal", "sync")
RUNTIME_STEP_US = 32  # rt-app looks at the clock after so much work
RUNTIME = (
    f"taken as run: it ends by the clock, after whole steps of {RUNTIME_STEP_US}us, so that is the "
    "most processor time that it needs"
)


@dataclass(frozen=True)
class Event:
    """An event. The duration of a timer is its period."""

    kind: str
    place: Place
    duration_us: int = 0
    name: str = ""  # of a mutex, a timer, a barrier, or of what threads wait for
    is_absolute: bool = False
    mutex: str = ""  # that is free while the thread waits
    least_us: int | None = None  # of a run whose duration differs among activations
    rounded_us: int = 0  # by which the duration is longer than in the file


def split_events(
    reader: Reader, table: str, thread: str, members: Iterable[Field]
) -> tuple[dict[str, Field], list[Event]]:
    """Return the keys of the table itself, and its events; refuse all other keys."""
    own: list[Field] = []
    refused = refused_in(table)
    taken: list[tuple[str, Field]] = []
    for field in members:
        kind = next((kind for kind in _KINDS if field.key.startswith(kind)), "")
        if field.key in TAKEN[table]:
            own.append(field)
        elif field.key in IGNORED_IN_THREAD:
            reader.note_once(field.place, f"ignored: {IGNORED_IN_THREAD[field.key]}")
        elif field.key in refused:
            _refuse_key(reader, field, refused[field.key])
        elif kind in TAKEN["events"]:
            taken.append((kind, field))
        elif kind:
            _refuse_key(reader, field, REFUSED["events"][kind])
        else:
            _refuse_unknown(reader, field, [*TAKEN[table], *TAKEN["events"]])
    reader.note_repeated(field for _, field in taken)
    return reader.once(own), [_event(reader, kind, field, thread) for kind, field in taken]


def refuse_unknown(reader: Reader, table: str, members: dict[str, Field]) -> None:
    """Refuse unknown keys of a table without events."""
    for key, field in members.items():
        if key not in TAKEN[table]:
            _refuse_unknown(reader, field, list(TAKEN[table]))


def _refuse_unknown(reader: Reader, field: Field, known: list[str]) -> None:
    close = suggestion(field.key, known)
    reader.refuse(field.place, "an unknown key", f"one of {', '.join(known)}{close}")


def _refuse_key(reader: Reader, field: Field, instead: str) -> None:
    reader.refuse_once(field.place, "a key that is not taken", instead)


def _event(reader: Reader, kind: str, field: Field, thread: str) -> Event:
    wanted = expected("events", kind)
    if kind == "run":
        return Event(kind, field.place, reader.whole(field, wanted, NUMBERS))
    if kind == "runtime":
        reader.note_once(field.place, RUNTIME)
        written_us = reader.whole(field, wanted, NUMBERS)
        most_us = -(-written_us // RUNTIME_STEP_US) * RUNTIME_STEP_US
        return Event("run", field.place, most_us, rounded_us=most_us - written_us)
    if kind == "sleep":
        return Event(kind, field.place, reader.whole(field, wanted, FROM_0))
    if kind == "timer":
        return _timer(reader, field, wanted)
    if kind in ("wait", "sync"):
        members = reader.table(field, wanted)
        refuse_unknown(reader, "wait", members)
        ref, mutex = (
            reader.text(_member(field, members, key), expected("wait", key))
            for key in ("ref", "mutex")
        )
        return Event(kind, field.place, name=ref, mutex=mutex)
    if kind == "suspend" and field.value == "":
        return Event(kind, field.place, name=thread)
    return Event(kind, field.place, name=reader.text(field, wanted))


def _member(table: Field, members: dict[str, Field], key: str, default: str | None = None) -> Field:
    return members.get(key) or Field(within(table.place, key), default)


def _timer(reader: Reader, field: Field, wanted: str) -> Event:
    members = reader.table(field, wanted)
    refuse_unknown(reader, "timer", members)
    mode = _member(field, members, "mode", "relative")
    return Event(
        "timer",
        field.place,
        reader.whole(_member(field, members, "period"), expected("timer", "period"), NUMBERS),
        reader.text(_member(field, members, "ref"), expected("timer", "ref")),
        reader.one_of(mode, expected("timer", "mode"), ("relative", "absolute")) == "absolute",
    )
