# SPDX-License-Identifier: MIT
"""Convert a file of rt-app to a description in the form of our TOML.

Every key that is taken keeps its meaning. Any key that a description cannot express is refused by
name. Each field keeps its place, so that later checks name rt-app's keys.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plafond.describe.defaults import POLICIES, Defaults
from plafond.describe.problems import DescriptionError, Problem
from plafond.describe.rt_app.draft import Draft
from plafond.describe.rt_app.events import refuse_unknown
from plafond.describe.rt_app.json_text import Table, parse_json
from plafond.describe.rt_app.keys import BEFORE_1_0, IGNORED, OLD_KEYS, OLD_TYPES, expected
from plafond.describe.rt_app.reader import Field, Reader
from plafond.describe.rt_app.thread import Settings, thread_of
from plafond.describe.source import Place, Source, within


@dataclass(frozen=True)
class _Globals:
    """The keys of `global`."""

    policy: str = "SCHED_OTHER"
    duration_s: int | None = None  # None: no limit


def source_of_rt_app(file: Path, text: str, defaults: Defaults) -> Source:
    """Return the file's content; DescriptionError names all mistakes and refused keys."""
    reader = Reader()
    top = Field(Place((), 1), parse_json(file, text))
    old = next(_old_keys(top), None)
    if old:
        raise DescriptionError(
            file, [(old.line, Problem(old.where, "a key that is not taken", BEFORE_1_0))]
        )
    members = reader.table(top, 'a table with "tasks"')
    refuse_unknown(reader, "", members)
    tasks = members.get("tasks", Field(within(top.place, "tasks"), None))
    known = _globals(reader, members.get("global"))
    draft = Draft(reader, tasks.place, known.duration_s, defaults.cpus)
    if "resources" in members:
        for field in reader.table(members["resources"], expected("", "resources")).values():
            _declare(reader, draft, field)
    settings = Settings(known.policy, defaults.policy, defaults.cpus)
    for field in reader.table(tasks, expected("", "tasks")).values():
        thread = thread_of(reader, field, settings)
        if thread:
            draft.add(thread)
    raw = draft.raw(file.stem)
    if reader.problems:
        raise DescriptionError(file, list(dict.fromkeys(reader.problems)))
    return Source(file, raw, draft.place_of, reader.notes(file), defaults=defaults)


def _old_keys(top: Field) -> Iterator[Place]:
    """Yield keys that only rt-app before 1.0 has; its files have other keys for everything."""
    for name, thread in _tables(top, "tasks"):
        tables = [(name, thread), *_tables(Field(name, thread), "phases")]
        for place, table in tables:
            for member in table.members:
                if member.key in OLD_KEYS:
                    yield Place((*place.where, member.key), member.line)
    for place, resource in _tables(top, "resources"):
        for member in resource.members:
            if member.key == "type" and member.value in OLD_TYPES:
                yield Place((*place.where, member.key), member.line)


def _tables(field: Field, key: str) -> Iterator[tuple[Place, Table]]:
    """Yield the tables in the table `key` of a table; skip malformed ones."""
    if isinstance(field.value, Table):
        for member in field.value.members:
            if member.key == key and isinstance(member.value, Table):
                for each in member.value.members:
                    if isinstance(each.value, Table):
                        yield Place((*field.place.where, key, each.key), each.line), each.value


def _globals(reader: Reader, field: Field | None) -> _Globals:
    members = reader.table(field, expected("", "global")) if field else {}
    own = {key: each for key, each in members.items() if key not in IGNORED}
    for key, each in members.items():
        if key in IGNORED:
            reader.note(each.place, f"ignored: {IGNORED[key]}")
    refuse_unknown(reader, "global", own)
    policy, duration_s = _Globals.policy, _Globals.duration_s
    if "default_policy" in own:
        field = own["default_policy"]
        policy = reader.one_of(field, expected("global", "default_policy"), POLICIES)
    if "duration" in own:
        duration_s = reader.count(own["duration"], expected("global", "duration"))
    return _Globals(policy, duration_s)


def _declare(reader: Reader, draft: Draft, field: Field) -> None:
    """Take a declared resource; a description has the mutexes, but not the timers."""
    members = reader.table(field, "a table, of one resource")
    refuse_unknown(reader, "resources.NAME", members)
    kind = members.get("type", Field(field.place, "mutex"))
    types = ("mutex", "timer", "wait")
    if reader.one_of(kind, expected("resources.NAME", "type"), types) == "mutex":
        draft.resource(field.key, field.place)
