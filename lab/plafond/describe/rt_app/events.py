# SPDX-License-Identifier: MIT
"""Take the events of a table."""

from dataclasses import dataclass

from plafond.describe.rt_app.keys import REFUSED, TAKEN, expected, refused_in
from plafond.describe.rt_app.reader import NUMBERS, Field, Reader
from plafond.describe.source import Place, within
from plafond.words import suggestion

# rt-app recognises an event by the beginning of its key: run, run0 and run_fast are alike.
_KINDS = sorted((*TAKEN["events"], *REFUSED["events"]), key=len, reverse=True)


@dataclass(frozen=True)
class Event:
    """An event. The duration of a timer is its period."""

    kind: str
    place: Place
    duration_us: int = 0
    name: str = ""  # the name of a mutex or timer
    is_absolute: bool = False


def split_events(
    reader: Reader, table: str, members: dict[str, Field]
) -> tuple[dict[str, Field], list[Event]]:
    """Return the keys of the table itself, and its events; refuse all other keys."""
    own: dict[str, Field] = {}
    refused = refused_in(table)
    events: list[Event] = []
    for key, field in members.items():
        kind = next((kind for kind in _KINDS if key.startswith(kind)), "")
        if key in TAKEN[table]:
            own[key] = field
        elif key in refused:
            _refuse_key(reader, field, refused[key])
        elif kind in TAKEN["events"]:
            events.append(_event(reader, kind, field))
        elif kind:
            _refuse_key(reader, field, REFUSED["events"][kind])
        else:
            _refuse_unknown(reader, field, [*TAKEN[table], *TAKEN["events"]])
    return own, events


def refuse_unknown(reader: Reader, table: str, members: dict[str, Field]) -> None:
    """Refuse unknown keys of a table without events."""
    for key, field in members.items():
        if key not in TAKEN[table]:
            _refuse_unknown(reader, field, list(TAKEN[table]))


def _refuse_unknown(reader: Reader, field: Field, known: list[str]) -> None:
    close = suggestion(str(field.place.where[-1]), known)
    reader.refuse(field.place, "an unknown key", f"one of {', '.join(known)}{close}")


def _refuse_key(reader: Reader, field: Field, instead: str) -> None:
    reader.refuse(field.place, "a key that is not taken", instead)


def _event(reader: Reader, kind: str, field: Field) -> Event:
    wanted = expected("events", kind)
    if kind in ("run", "sleep"):
        return Event(kind, field.place, reader.whole(field, wanted, NUMBERS))
    if kind == "timer":
        return _timer(reader, field, wanted)
    return Event(kind, field.place, name=reader.text(field, wanted))


def _timer(reader: Reader, field: Field, wanted: str) -> Event:
    members = reader.table(field, wanted)
    refuse_unknown(reader, "timer", members)

    def member(key: str, default: str | None = None) -> Field:
        return members.get(key) or Field(within(field.place, key), default)

    mode = member("mode", "relative")
    return Event(
        "timer",
        field.place,
        reader.whole(member("period"), expected("timer", "period"), NUMBERS),
        reader.text(member("ref"), expected("timer", "ref")),
        reader.one_of(mode, expected("timer", "mode"), ("relative", "absolute")) == "absolute",
    )
