# SPDX-License-Identifier: MIT
"""AUTOSAR's attributes of an IOC, written as ours.

AUTOSAR's sender and receiver belong to applications. Ours are tasks, because only their memory is
shared. So an application with a single task says which task that is, and of any other application
only a build needs the task.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from plafond.describe.message import platform_type
from plafond.describe.oil.application import Application, Described
from plafond.describe.oil.draft import Draft
from plafond.describe.oil.model import Assignment, Word
from plafond.describe.oil.reader import Reader

# The attributes of a sender or receiver that name its application: of AUTOSAR, then of Trampoline.
APPLICATIONS = {
    "SENDER": ("SENDING_OSAPPLICATION", "SND_OSAPPLICATION"),
    "RECEIVER": ("RECEIVING_OSAPPLICATION", "RCV_OSAPPLICATION"),
}
NO_TASK = "TASK"
TYPE, SEMANTICS = "DATATYPENAME", "SEMANTICS"


def rewrite_iocs(reader: Reader, draft: Draft, application: Application) -> None:
    """Replace AUTOSAR's attributes of each IOC; drop an IOC whose tasks are not known."""
    for name, ioc in list(application["IOC"].items()):
        if any(_is_autosar(each) for each in ioc.attributes):
            written = _Ioc(reader, draft, application, name, ioc)
            ioc.attributes[:] = written.attributes()
            if written.lacks_tasks:
                del application["IOC"][name]


def _is_autosar(attribute: Assignment) -> bool:
    is_user = attribute.name in APPLICATIONS
    return attribute.name in (TYPE, SEMANTICS) or (is_user and bool(attribute.parameters))


@dataclass
class _Ioc:
    """An IOC with AUTOSAR's attributes."""

    reader: Reader
    draft: Draft
    application: Application
    name: str
    ioc: Described
    lacks_tasks: bool = False

    def attributes(self) -> list[Assignment]:
        """Return our attributes; an attribute of ours that the file has comes first."""
        ours = [each for each in self.ioc.attributes if not _is_autosar(each)]
        names = {each.name for each in ours}
        theirs = [each for each in self.ioc.attributes if _is_autosar(each)]
        return [*ours, *(a for each in theirs for a in self._ours(each, names))]

    def _ours(self, given: Assignment, names: set[str]) -> Iterator[Assignment]:
        if given.name == SEMANTICS:
            yield from (each for each in self._semantics(given) if each.name not in names)
        elif given.name == TYPE and "TYPE" not in names:
            yield Assignment("TYPE", given.line, platform_type(str(given.value)))
        elif given.name in APPLICATIONS and given.name not in names:
            yield from self._user(given)

    def _semantics(self, given: Assignment) -> Iterator[Assignment]:
        """Yield the length of a queue, or the first value."""
        for each in given.parameters:
            value = each.value
            if each.name == "BUFFER_LENGTH":
                yield Assignment("QUEUE", each.line, value)
            elif each.name == "INIT_VALUE_SYMBOL" and str(value).isdecimal():
                yield Assignment("INIT", each.line, int(str(value)))

    def _user(self, given: Assignment) -> Iterator[Assignment]:
        """Yield the only task of the application of a sender or receiver."""
        inner = {each.name: each for each in given.parameters}
        named = next((inner[each] for each in APPLICATIONS[given.name] if each in inner), None)
        owner = self.application["APPLICATION"].get(str(named.value)) if named else None
        tasks = [each for each in owner.attributes if each.name == "TASK"] if owner else []
        if len(tasks) == 1:
            yield Assignment(given.name, given.line, Word(str(tasks[0].value)))
            return
        self.lacks_tasks = True
        place = self.reader.place((*self.ioc.place.where, given.name), given.line)
        listed = [str(each.value) for each in tasks]
        found = f"{given.value} of an application with the tasks {', '.join(listed) or 'none'}"
        # Of several tasks the first is proposed as the sender, and the last as the receiver.
        task = (listed or [NO_TASK])[0 if given.name == "SENDER" else -1]
        expected = f"a task: {given.name} = {task}"
        self.draft.need(("ioc", self.name, f"{given.name} = {task};"), place, found, expected)
