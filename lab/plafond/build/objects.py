# SPDX-License-Identifier: MIT
"""The files of an image, and the folders that each may include.

Objects are in kernel/, trusted/, mixed/ and user/ of the image's folder. Objects of an application
are in a folder of user/ with its name. The linker scripts of boards with memory protection rely on
these folders.
"""

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from plafond.board.boards import KERNEL, ROOT
from plafond.build.configuration import Configuration
from plafond.build.kernel_files import KernelFiles, kernel_files
from plafond.describe.system import System

IOC = KERNEL / "ioc"
MIXED = KERNEL / "mixed"


class Part(StrEnum):
    """The part of an image to which a file belongs."""

    KERNEL = "kernel"  # portable code
    PORT = "port"
    RUN = "run"  # additions of `plafond run`
    TABLES = "tables"  # generated tables
    TRUSTED = "trusted"
    MIXED = "mixed"  # runs in both modes
    USER = "user"


# The folder for objects of each part.
FOLDERS = {
    Part.KERNEL: "kernel",
    Part.PORT: "kernel/port",
    Part.RUN: "kernel/run",
    Part.TABLES: "kernel/tables",
    Part.TRUSTED: "trusted",
    Part.MIXED: "mixed",
    Part.USER: "user",
}

JOINED = "joined"  # begins the names of merged sources

# Parts with C of the application, and parts of the kernel.
OF_APPLICATION = (Part.USER, Part.MIXED, Part.TRUSTED)
OF_KERNEL = tuple(part for part in Part if part not in OF_APPLICATION)


@dataclass(frozen=True)
class Unit:
    """A file to compile; a generated file has a relative path."""

    part: Part
    source: Path
    object: str
    includes: tuple[Path, ...] = ()  # files that `source` includes

    @property
    def is_of_application(self) -> bool:
        """Whether it is C of the application that was not generated."""
        files = self.includes or (self.source,)
        return self.part in OF_APPLICATION and all(file.is_absolute() for file in files)


def units_of(system: System, configuration: Configuration) -> list[Unit]:
    """Return all files of an image, in a fixed order."""
    return list(_named(_sources(system, configuration), system))


def joined(units: Iterable[Unit], parts: Container[Part] = tuple(Part)) -> list[Unit]:
    """Return units in which C files of a folder with the same flags are merged.

    They compile in a third of the time. The code may differ, because more functions are inlined.
    Files of mixed images stay separate, because they must include the headers beside them.
    """
    groups: dict[tuple[str, bool], list[Unit]] = {}
    single: list[Unit] = []
    for unit in units:
        is_mixed = Part.MIXED in (unit.part, unit.source.parent.name)
        is_apart = is_mixed or unit.source.suffix != ".c" or unit.part not in parts
        folder = FOLDERS[Part.KERNEL] if unit.part is Part.RUN else unit.object.rpartition("/")[0]
        group = single if is_apart else groups.setdefault((folder, unit.is_of_application), [])
        group.append(unit)
    for (folder, _), some in groups.items():
        single.append(some[0] if len(some) == 1 else _one_of(folder, some))
    return single


def _one_of(folder: str, units: list[Unit]) -> Unit:
    files = tuple(unit.source for unit in units)
    kind = "" if units[0].is_of_application or units[0].part not in OF_APPLICATION else "_generated"
    source = Path(f"{JOINED}_{folder.replace('/', '_')}{kind}.c")
    return Unit(units[0].part, source, f"{folder}/{JOINED}{kind}.o", files)


def _sources(system: System, configuration: Configuration) -> Iterator[tuple[Part, Path]]:
    for name in files_of(configuration).sources:
        yield Part.KERNEL, KERNEL / name
    port = configuration.board.port
    for file in sorted([*port.glob("*.c"), *port.glob("*.S")]):
        yield Part.PORT, file
    if system.kernel.mixed:
        for file in sorted(MIXED.glob("*.c")):
            yield Part.KERNEL, file
        for file in sorted((port / "mixed").glob("*.c")):
            yield Part.PORT, file
    yield Part.TABLES, Path("system.c")
    if configuration.sent:
        yield Part.TABLES, Path("messages.c")
    if system.iocs:
        yield Part.TABLES, Path("ioc.c")
    if configuration.recording:
        for file in sorted((KERNEL / "run").glob("*.c")):
            yield Part.RUN, file
        yield Part.TABLES, Path("recording.c")
    for file in system.paths(system.kernel.trusted):
        yield Part.TRUSTED, file
    for file in system.paths(system.kernel.mixed):
        yield Part.MIXED, file
    if any(task.lines for task in configuration.tasks):
        yield Part.USER, Path("tasks.c")
    if configuration.flags:
        yield Part.USER, Path("flags.c")
    for file in system.user_files:
        yield Part.USER, file


def files_of(configuration: Configuration) -> KernelFiles:
    """Return the files of kernel/ for a system."""
    across = configuration.global_protocol
    alone = "waiting" if configuration.protocol.traits.waits else "none"
    sharing = "sharing" if configuration.of_servers else "none"
    return kernel_files(
        scheduler=configuration.system.scheduler,
        resource=str(configuration.protocol.folder),
        cores="one" if configuration.system.cpus == 1 else "several",
        across=across.folders if across else (alone,),
        servers=("budget", sharing) if configuration.system.servers else (sharing,),
        optional=frozenset(_optional(configuration)),
    )


def _optional(configuration: Configuration) -> Iterator[str]:
    """Yield the optional files for objects that the system has."""
    system = configuration.system
    has_messages = configuration.sent or configuration.received
    has_timer = system.counters or system.servers or configuration.has_budgets
    needed = {
        "alarm.c": has_timer,
        "application.c": configuration.applications,
        "application_hooks.c": configuration.has_application_hooks,
        "console.c": system.kernel.console,
        "counter.c": has_timer,
        "function.c": configuration.protected,
        "event.c": configuration.tasks_events or system.counters or has_messages,
        "message.c": has_messages,
        "plf_globals.c": configuration.globals,
        "routine.c": system.isrs,
        "schedule_table.c": system.schedule_tables,
        "table_sync.c": system.schedule_tables,
        "termination.c": configuration.terminates,
        "trusted_function.c": configuration.functions,
        "timing.c": configuration.has_budgets or configuration.has_frames,
    }
    return (name for name, objects in needed.items() if objects)


def _named(sources: Iterable[tuple[Part, Path]], system: System) -> Iterator[Unit]:
    """Give each file a separate object, even if two files have the same name."""
    owners = {
        source: each.name for each in system.applications for source in system.paths(each.sources)
    }
    taken: set[str] = set()
    for part, source in sources:
        folder = f"{FOLDERS[part]}/{owners[source]}" if source in owners else FOLDERS[part]
        stem = name = f"{folder}/{source.stem}"
        count = 1
        while name in taken:
            count += 1
            name = f"{stem}-{count}"
        taken.add(name)
        yield Unit(part, source, f"{name}.o")


def include_folders(part: Part, configuration: Configuration) -> list[Path]:
    """Return the folders in which a part finds headers, except the image's folder."""
    files = files_of(configuration)
    run = [KERNEL / "run"] if configuration.recording else []
    ioc = [IOC] if configuration.system.iocs else []
    include, port = KERNEL / "include", configuration.board.port
    own = [*(KERNEL / name for name in files.user_headers), port / "user"]
    if part is Part.USER:
        return [include, *own, *ioc, *run, ROOT]
    kernel = [KERNEL, include, KERNEL / "trusted", *(KERNEL / name for name in files.headers)]
    if part is Part.MIXED:
        return list(dict.fromkeys([include, MIXED, *own, *ioc, *kernel, port, ROOT]))
    if part is Part.TRUSTED:
        return [*kernel, port, ROOT]
    return [*kernel, *(ioc if part is Part.TABLES else ()), port, *run, ROOT]
