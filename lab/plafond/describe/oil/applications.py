# SPDX-License-Identifier: MIT
"""The objects APPLICATION: OIL lists members, but a description names each member's owner."""

from collections.abc import Mapping

from plafond.describe.application import Application
from plafond.describe.oil.attributes import Given
from plafond.describe.oil.draft import Draft
from plafond.describe.oil.fields import Objects, add_objects
from plafond.describe.oil.reader import Reader

# From OIL's kinds to our tables.
KINDS = {
    "TASK": "task",
    "RESOURCE": "resource",
    "ISR": "isr",
    "COUNTER": "counter",
    "ALARM": "alarm",
    "SCHEDULETABLE": "schedule_table",
}


def add_applications(reader: Reader, draft: Draft, objects: Mapping[str, Objects]) -> None:
    """Take the applications; their members must be in the draft already."""
    add_objects(reader, draft, Application, objects["APPLICATION"])
    owners: dict[tuple[str, str], str] = {}
    for name, application in objects["APPLICATION"].items():
        for kind in KINDS:
            for member in application.all(kind):
                _add_member(reader, draft, owners, (kind, str(member.value)), name, member)


def _add_member(
    reader: Reader,
    draft: Draft,
    owners: dict[tuple[str, str], str],
    member: tuple[str, str],
    application: str,
    given: Given,
) -> None:
    owner = owners.setdefault(member, application)
    kind, name = member
    if owner != application:
        expected = f"another object {kind}: {name} belongs to {owner}"
        reader.refuse(given.place, name, expected)
    else:
        draft.field((KINDS[kind], name, "application"), application, given.place)
