# SPDX-License-Identifier: MIT
"""Convert a file of rt-app to a description in the form of our TOML.

Every key that is taken keeps its meaning. Any key that a description cannot express is refused by
name. Each field keeps its place, so that later checks name rt-app's keys.
"""

from dataclasses import dataclass
from pathlib import Path

from plafond.describe.problems import DescriptionError, field_name
from plafond.describe.rt_app.draft import Draft
from plafond.describe.rt_app.events import refuse_unknown
from plafond.describe.rt_app.json_text import parse_json
from plafond.describe.rt_app.keys import IGNORED, expected
from plafond.describe.rt_app.reader import Field, Reader
from plafond.describe.rt_app.thread import thread_of
from plafond.describe.source import Place, Source, within

ALL_POLICIES = ("SCHED_FIFO", "SCHED_RR", "SCHED_OTHER", "SCHED_IDLE", "SCHED_DEADLINE")


@dataclass(frozen=True)
class _Globals:
    """Settings for all threads."""

    ignored: list[Field]
    policy: str = "SCHED_OTHER"
    duration_s: int | None = None  # None: no limit


def source_of_rt_app(file: Path, text: str) -> Source:
    """Return the file's content; DescriptionError names all mistakes and refused keys."""
    reader = Reader()
    top = Place((), 1)
    members = reader.table(Field(top, parse_json(file, text)), 'a table with "tasks"')
    refuse_unknown(reader, "", members)
    tasks = members.get("tasks", Field(within(top, "tasks"), None))
    settings = _globals(reader, members.get("global"))
    draft = Draft(reader, tasks.place, settings.duration_s)
    if "resources" in members:
        for field in reader.table(members["resources"], expected("", "resources")).values():
            _declare(reader, draft, field)
    for field in reader.table(tasks, expected("", "tasks")).values():
        thread = thread_of(reader, field, settings.policy)
        if thread:
            draft.add(thread)
    draft.check()
    if reader.problems:
        raise DescriptionError(file, list(dict.fromkeys(reader.problems)))
    notes = tuple(_note(file, field) for field in settings.ignored)
    return Source(file, draft.raw(file.stem), draft.place_of, notes)


def _globals(reader: Reader, field: Field | None) -> _Globals:
    members = reader.table(field, expected("", "global")) if field else {}
    ignored = [each for key, each in members.items() if key in IGNORED]
    own = {key: each for key, each in members.items() if key not in IGNORED}
    refuse_unknown(reader, "global", own)
    policy, duration_s = _Globals.policy, _Globals.duration_s
    if "default_policy" in own:
        field = own["default_policy"]
        policy = reader.one_of(field, expected("global", "default_policy"), ALL_POLICIES)
    if "duration" in own:
        duration_s = reader.count(own["duration"], expected("global", "duration"))
    return _Globals(ignored, policy, duration_s)


def _declare(reader: Reader, draft: Draft, field: Field) -> None:
    """Take a declared resource; a description has the mutexes, but not the timers."""
    members = reader.table(field, "a table, of one resource")
    refuse_unknown(reader, "resources.NAME", members)
    kind = members.get("type", Field(field.place, "mutex"))
    if reader.one_of(kind, expected("resources.NAME", "type"), ("mutex", "timer")) == "mutex":
        draft.resource(str(field.place.where[-1]), field.place)


def _note(file: Path, field: Field) -> str:
    where = field.place.where
    why = IGNORED[str(where[-1])]
    return f"{file}:{field.place.line}: {field_name(where)}: ignored: {why}"
