# SPDX-License-Identifier: MIT
"""The services that the text of a system's C files names. The text is searched, not parsed.

A name counts wherever it stands, also in a comment. So the answers are never too few, as long as no
macro glues a name together.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from plafond.describe.system import System

OF_ALL = ("DisableAllInterrupts", "SuspendAllInterrupts")
OF_THE_OS = ("SuspendOSInterrupts",)
OF_ALARMS = ("SetRelAlarm", "SetAbsAlarm")
OF_TABLES = ("StartScheduleTable", "NextScheduleTable", "SyncScheduleTable", "StopScheduleTable")
OF_RESTART = ("TerminateApplication",)
OF_ACTIVATION = ("ActivateTask", "ChainTask")
YIELD = r"\bSchedule\b"
_ACTIVATION = re.compile(rf"\b(?:{'|'.join(OF_ACTIVATION)})\b(?:\s*\(\s*(\w+)\s*\))?")
_INCLUDED = re.compile(r'^\s*#\s*include\s*"([^"\n]+)"', re.MULTILINE)
_ALL = (*OF_ALL, *OF_THE_OS, *OF_ALARMS, *OF_TABLES, *OF_RESTART, *OF_ACTIVATION)
_UNREADABLE = " ".join((*_ALL, "RES_SCHEDULER", "Schedule"))


@dataclass(frozen=True)
class CText:
    """The C files, the files that they include from their folders, and the flags."""

    text: str

    def names(self, services: Iterable[str]) -> bool:
        """Return whether the text has one of these names, or a longer name with it."""
        return any(service in self.text for service in services)

    @property
    def yields(self) -> bool:
        """Whether the text has the service Schedule()."""
        return re.search(YIELD, self.text) is not None

    def activates(self, task: str, tasks: Iterable[str]) -> bool:
        """Return whether a service activates the task; any argument but a task can be each task."""
        arguments = {found[1] for found in _ACTIVATION.finditer(self.text)}
        return task in arguments or not arguments <= set(tasks)


def c_text_of(system: System) -> CText:
    """Read the text; a file that cannot be read counts as if it named all services."""
    folders = system.paths(system.kernel.include)
    found: dict[Path, str] = {}
    left = [*system.c_files]
    while left:
        file = left.pop()
        if file in found:
            continue
        try:
            found[file] = file.read_text(encoding="latin-1")
        except OSError:
            found[file] = _UNREADABLE
        for name in _INCLUDED.findall(found[file]):
            beside = [folder / name for folder in (file.parent, *folders)]
            left.append(next((each for each in beside if each.is_file()), beside[0]))
    return CText("\n".join((*found.values(), *system.kernel.flags)))
