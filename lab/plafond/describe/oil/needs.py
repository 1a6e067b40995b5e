# SPDX-License-Identifier: MIT
"""The OIL lines that a file needs before an image can be built from it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plafond.describe.oil.application import Application
from plafond.describe.oil.applications import KINDS
from plafond.describe.problems import DescriptionError, Problem, Where
from plafond.describe.source import Place

C_FILES = "the C files with the tasks, beside this one"
TICK = "0.001"  # seconds, as a proposal
IDLE = "TASK idle { PRIORITY = 1; };  // with TASK(idle) { TerminateTask(); } in a C file"
TRUSTED = "TRUSTED_SRC"
# The functions that the kernel calls, besides tasks: handlers, callbacks, hooks and main().
CALLED = re.compile(r"\b(ISR|ALARMCALLBACK|COMCallback)\s*\(|\b(\w*Hook|main)\s*\(")
TASK = re.compile(r"\bTASK\s*\(")
LARGEST = 1 << 20  # bytes of a C file that are searched
TYPES = "types"  # the field of a message whose type needs a header
HEADER = "types.h"
LINES: tuple[Where, ...] = (("kernel", "sources"), ("kernel", "trusted"), ("task",))


def has_sources(raw: dict[str, Any]) -> bool:
    """Whether a description names a C file that may have tasks."""
    kernel, applications = raw.get("kernel", {}), raw.get("application", {})
    own = any(each.get("sources") for each in applications.values())
    return bool(kernel.get("sources") or kernel.get("mixed") or own)


def _is_a_line(problem: Problem) -> bool:
    """Whether a line of OIL can add what is missing."""
    where = problem.where
    if where[-1] == "application":
        return problem.found == "nothing"  # else it belongs to an application without trust
    return where in LINES or where[0] == "ioc" or where[-1] in ("tick", "source", TYPES)


@dataclass(frozen=True)
class Lines:
    """Makes the lines to add to a file from what a build lacks."""

    file: Path
    cpu: str
    application: Application
    raw: dict[str, Any]
    place_of: Callable[[Where], Place]

    def __call__(self, problems: list[Problem]) -> list[str]:
        """Return a section CPU for the end of the file, or for a file that includes it.

        Comments name what a line of OIL cannot add.
        """
        lacking = [each for each in problems if _is_a_line(each)]
        wheres = [each.where for each in lacking]
        inner = [
            *self._of_system(wheres),
            *self._of_interrupts(wheres),
            *(IDLE for where in wheres if where == ("task",)),
            *(f"COUNTER {w[1]} {{ SECONDSPERTICK = {TICK}; }};" for w in wheres if w[-1] == "tick"),
            *self._of_iocs(wheres),
            *self._of_types(wheres),
            *self._of_applications(wheres),
        ]
        comments = [f"// {self._said(each)}" for each in problems if each not in lacking]
        section = [f"CPU {self.cpu} {{", *(f"  {line}" for line in inner), "};"] if inner else []
        return [*comments, *section]

    def _said(self, problem: Problem) -> str:
        place = self.place_of(problem.where)
        named = Problem(place.where, problem.found, problem.expected, place.file)
        return str(DescriptionError(self.file, [(place.line, named)]))

    def _of_system(self, wheres: list[Where]) -> Iterator[str]:
        """Yield the object OS with the C files."""
        name = next(iter(self.application["OS"]), "os")
        files = self.raw.get("kernel", {}).get("sources", []) or self._beside()
        listed: list[str] = []
        if ("kernel", "trusted") in wheres:
            texts = {file: self._text(file) for file in files}
            called = [file for file, text in texts.items() if CALLED.search(text)] or files
            for file in called:
                attribute = "MIXED_SRC" if TASK.search(texts[file]) or not texts[file] else TRUSTED
                listed.append(f'{attribute} = "{file}";')
            files = [file for file in files if file not in called]
        if ("kernel", "sources") in wheres:
            listed += [f'APP_SRC = "{file}";' for file in files]
        if listed:
            yield f"OS {name} {{ {' '.join(listed)} }};"

    def _beside(self) -> list[str]:
        """Return the C files beside the file that no application has; else a proposal."""
        applications = self.raw.get("application", {}).values()
        own = {file for each in applications for file in each.get("sources", [])}
        found = sorted(each.name for each in self.file.parent.glob("*.c"))
        return [each for each in found if each not in own] or [f"{self.file.stem}.c"]

    def _text(self, name: str) -> str:
        """Return the text of a C file; nothing if it is unreadable."""
        try:
            with (self.file.parent / name).open(errors="replace") as opened:
                return opened.read(LARGEST)
        except OSError:
            return ""

    def _of_iocs(self, wheres: list[Where]) -> Iterator[str]:
        """Yield each IOC whose tasks are not known, with proposals."""
        found: dict[str, list[str]] = {}
        for where in wheres:
            if where[0] == "ioc" and where[-1] != TYPES:
                found.setdefault(str(where[1]), []).append(str(where[2]))
        for name, attributes in found.items():
            yield f"IOC {name} {{ {' '.join(attributes)} }};"

    def _of_types(self, wheres: list[Where]) -> Iterator[str]:
        """Yield the headers of types: of an IOC, or of all messages."""
        lacking = [where for where in wheres if where[-1] == TYPES]
        for where in lacking:
            if where[0] == "ioc":
                yield f'IOC {where[1]} {{ HEADER = "{HEADER}"; }};'
        if any(where[0] == "message" for where in lacking):
            name = next(iter(self.application["COM"]), "com")
            yield f'COM {name} {{ TYPES_HEADER = "{HEADER}"; }};'

    def _of_applications(self, wheres: list[Where]) -> Iterator[str]:
        """Yield the first application with the objects that belong to none."""
        kinds = {table: kind for kind, table in KINDS.items()}
        owned = [f"{kinds[str(w[0])]} = {w[1]};" for w in wheres if w[-1] == "application"]
        if owned:
            name = next(iter(self.application["APPLICATION"]))
            yield f"APPLICATION {name} {{ {' '.join(owned)} }};"

    def _of_interrupts(self, wheres: list[Where]) -> Iterator[str]:
        """Yield each interrupt without a number, with the lowest free number."""
        isrs = self.raw.get("isr", {})
        taken = {each.get("source") for each in isrs.values()}
        number = 1
        for where in wheres:
            if where[0] == "isr" and where[-1] == "source":
                while number in taken:
                    number += 1
                taken.add(number)
                yield f"ISR {where[1]} {{ INTERRUPT = {number}; }};"
