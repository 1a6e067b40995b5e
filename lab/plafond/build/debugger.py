# SPDX-License-Identifier: MIT
"""The gdb commands of an image: kernel/debug, and the names of the description."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from plafond.board.boards import KERNEL
from plafond.build.configuration import Configuration
from plafond.build.generate import places
from plafond.describe.kernel import Scheduler, Status
from plafond.describe.system import Resource, System
from plafond.units import format_exactly
from plafond.writing import write_whole

COMMANDS = KERNEL / "debug" / "commands.py"
NAME = "image.gdb.py"  # gdb would load image-gdb.py by itself and refuse it at length


def commands_of(system: System, configuration: Configuration, folder: Path) -> str:
    """Return the file's text: the commands, then the names in the kernel's order."""
    by_deadline = system.scheduler is Scheduler.EDF
    fields = {
        "urgency": "deadline" if by_deadline else "priority",
        "tasks": [
            {
                "name": task.name,
                "urgency": _time(task.deadline_from_release_ns)
                if by_deadline
                else str(task.priority),
                "events": {event: system.events[event] for event in task.events},
            }
            for task in system.tasks
        ],
        "is_extended": configuration.system.kernel.status is Status.EXTENDED,
        "resources": _resources(configuration.resources),
        "globals": _resources(system.global_resources),
        "alarms": [
            {"name": each.name, "counter": each.counter, "action": str(each.action)}
            for each in system.alarms
        ],
        "counters": [{"name": each.name, "tick": _time(each.tick_ns)} for each in system.counters],
        "files": {name: str(path) for path, name in places(system, folder)},
    }
    given = "".join(f"        {name}={value!r},\n" for name, value in fields.items())
    return f"{COMMANDS.read_text()}\n\nregister(\n    Names(\n{given}    )\n)\n"


def _resources(resources: Iterable[Resource]) -> list[dict[str, Any]]:
    return [
        {
            "name": each.name,
            "ceiling": _time(each.floor) or str(each.ceiling),
            "users": " ".join(each.users),
        }
        for each in resources
    ]


def _time(time_ns: int | None) -> str:
    return format_exactly(time_ns) if time_ns else ""


def write_commands(system: System, configuration: Configuration, folder: Path) -> None:
    """Write the file to the image's folder."""
    write_whole(folder / NAME, commands_of(system, configuration, folder))
