# SPDX-License-Identifier: MIT
"""The objects APPLICATION, which list what belongs to them; a description says it the other way."""

from collections.abc import Mapping

from plafond.describe.application import HOOKS
from plafond.describe.oil.attributes import Checked, Given
from plafond.describe.oil.draft import Draft
from plafond.describe.oil.objects import Objects
from plafond.describe.oil.reader import Reader

# Our tables, by OIL's kinds.
KINDS = {
    "TASK": "task",
    "RESOURCE": "resource",
    "ISR": "isr",
    "COUNTER": "counter",
    "ALARM": "alarm",
    "SCHEDULETABLE": "schedule_table",
}


def add_applications(reader: Reader, draft: Draft, objects: Mapping[str, Objects]) -> None:
    """Take them, behind the objects that they list."""
    owners: dict[tuple[str, str], str] = {}
    for name, application in objects["APPLICATION"].items():
        draft.table(("application", name), application.place)
        trusted = application.one("TRUSTED")
        if trusted and application.says("TRUSTED", "TRUE"):
            draft.field(("application", name, "trusted"), True, trusted.place)
            _add_functions(draft, name, trusted.parameters)
        for hook in HOOKS:
            given = application.one(f"{hook.name}HOOK")
            if given and application.says(f"{hook.name}HOOK", "TRUE"):
                draft.element(("application", name, "hooks"), hook.value, given.place)
        restart = application.one("HAS_RESTARTTASK")
        task = restart.parameters.one("RESTARTTASK") if restart else None
        if task:
            draft.field(("application", name, "restart"), str(task.value), task.place)
        draft.names(("application", name, "sources"), application.all("APP_SRC"))
        for kind in KINDS:
            for member in application.all(kind):
                _add_member(reader, draft, owners, (kind, str(member.value)), name, member)
    for kind, table in KINDS.items():
        for name, each in objects[kind].items():
            draft.names((table, name, "access"), each.all("ACCESSING_APPLICATION"))


def _add_functions(draft: Draft, application: str, trusted: Checked) -> None:
    for each in trusted.all("TRUSTED_FUNCTION"):
        function = each.parameters.one("NAME")
        if function:
            where = ("application", application, "functions")
            draft.element(where, str(function.value), function.place)


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
