# SPDX-License-Identifier: MIT
"""Which files an image is made of, and what each may include.

Objects lie in kernel/, trusted/, mixed/ and user/ of the image's folder, those of an application
in a folder of user/ with its name: the linker scripts of boards with memory protection distinguish
them by that.
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
    """What a file belongs to."""

    KERNEL = "kernel"  # the portable part
    PORT = "port"
    RUN = "run"  # what `plafond run` adds
    TABLES = "tables"  # what was generated for them
    TRUSTED = "trusted"
    MIXED = "mixed"  # of both
    USER = "user"


# Where the objects of a part lie.
FOLDERS = {
    Part.KERNEL: "kernel",
    Part.PORT: "kernel/port",
    Part.RUN: "kernel/run",
    Part.TABLES: "kernel/tables",
    Part.TRUSTED: "trusted",
    Part.MIXED: "mixed",
    Part.USER: "user",
}

JOINED = "joined"  # begins the names of the sources of joined units

# Parts with C of the application, and the parts of the kernel.
OF_APPLICATION = (Part.USER, Part.MIXED, Part.TRUSTED)
OF_KERNEL = tuple(part for part in Part if part not in OF_APPLICATION)


@dataclass(frozen=True)
class Unit:
    """A file to compile; generated ones by their name alone."""

    part: Part
    source: Path
    object: str
    includes: tuple[Path, ...] = ()  # all that the source does

    @property
    def is_of_application(self) -> bool:
        """Whether it is C of the application, which was not generated."""
        files = self.includes or (self.source,)
        return self.part in OF_APPLICATION and all(file.is_absolute() for file in files)


def units_of(system: System, configuration: Configuration) -> list[Unit]:
    """Return all files of an image, in one order."""
    return list(_named(_sources(system, configuration), system))


def joined(units: Iterable[Unit], parts: Container[Part] = tuple(Part)) -> list[Unit]:
    """Return units that hold the same files: C files of one folder with one set of flags are one.

    They compile in a third of the time, into code that may differ, since more is inlined. Files of
    mixed images stay apart: they take headers that lie beside them instead of those of others.
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
        resource=configuration.protocol,
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
    """Give each file an object of its own, also where two have one name."""
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
    """Return where a part finds its headers; the folder of the image comes first."""
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
