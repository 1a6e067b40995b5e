# SPDX-License-Identifier: MIT
"""Rules for the parts of a description that concern only Plafond's own kernel."""

from collections import Counter as Count
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from plafond.describe.alarm import Alarm
from plafond.describe.application import Application
from plafond.describe.body import CallBack
from plafond.describe.fields import expected as expected_of
from plafond.describe.isr import Isr
from plafond.describe.kernel import DEFAULT_MODE, Hook
from plafond.describe.kernel_table import Kernel
from plafond.describe.message import Com
from plafond.describe.named import Known
from plafond.describe.problems import Problem, Where
from plafond.describe.resource import Resource
from plafond.describe.rules import trusted_files
from plafond.describe.schedule_table import ScheduleTable
from plafond.describe.task import Task
from plafond.words import suggestion

Value = TypeVar("Value", str, Path)
C_FILE = "the name of a C file, which ends in .c"
CPP = (".cpp", ".cc", ".cxx", ".c++")


def problems_of_internal_resources(
    tasks: Mapping[str, Task], resources: Mapping[str, Resource], known: Known
) -> Iterator[Problem]:
    """Yield faults of the internal resource of each task."""
    for name, task in tasks.items():
        yield from _problems_of_internal(name, task, resources, known)


def _problems_of_internal(
    name: str, task: Task, resources: Mapping[str, Resource], known: Known
) -> Iterator[Problem]:
    if task.internal is None:
        return
    where: Where = ("task", name, "internal")
    if task.internal in resources and not resources[task.internal].internal:
        yield Problem(where, task.internal, f"internal = true in [resource.{task.internal}]")
    elif task.internal not in known.names["resource"]:
        expected = f"a table [resource.{task.internal}] with internal = true"
        hint = suggestion(task.internal, list(known.names["resource"]))
        yield Problem(where, task.internal, expected + hint)
    if not task.is_preemptable:
        yield Problem(
            where,
            f'{task.internal} beside schedule = "non"',
            "one of the two: a task that is not preempted has an internal resource already",
        )


def problems_of_isrs(isrs: Mapping[str, Isr]) -> Iterator[Problem]:
    """Yield interrupts without a number, or with more than one routine."""
    routines: dict[int, str] = {}
    for name, isr in isrs.items():
        if isr.source is None:
            where: Where = ("isr", name, "source")
            yield Problem(where, "nothing", expected_of(Isr, "source"), of_build=True)
            continue
        other = routines.setdefault(isr.source, name)
        if other != name:
            expected = f"a source of its own: {isr.source} is that of {other}"
            yield Problem(("isr", name, "source"), str(isr.source), expected)


def problems_of_modes(
    kernel: Kernel,
    com: Com | None,
    **tables: Mapping[str, Task | Alarm | ScheduleTable],
) -> Iterator[Problem]:
    """Yield unknown modes of autostart, and `parameters` without an error hook."""
    modes = kernel.modes
    for mode in _twice(modes):
        yield Problem(("kernel", "modes"), f"{mode} twice", "each mode once")
    if DEFAULT_MODE in modes[1:]:
        expected = "another name, or its own at the first place: that mode is the default"
        yield Problem(("kernel", "modes", modes.index(DEFAULT_MODE)), DEFAULT_MODE, expected)
    for kind, named in tables.items():
        for name, table in named.items():
            yield from _problems_of_autostart_modes((kind, name, "modes"), table, modes)
    if kernel.parameters and Hook.ERROR not in kernel.hooks and not (com and com.error_hook):
        expected = f'"{Hook.ERROR}" among hooks: no other function may ask for them'
        yield Problem(("kernel", "parameters"), "true", expected)


def _problems_of_autostart_modes(
    where: Where, table: Task | Alarm | ScheduleTable, known: Sequence[str]
) -> Iterator[Problem]:
    if table.modes and not table.autostart:
        yield Problem(where, "no autostart that it is about", "a field autostart")
    for index, mode in enumerate(table.modes):
        if mode not in known:
            listed = ", ".join(known) or "none so far"
            expected = f"one of the modes of [kernel]: {listed}{suggestion(mode, list(known))}"
            yield Problem((*where, index), mode, expected)


def problems_of_files(
    kernel: Kernel,
    folder: Path,
    applications: Mapping[str, Application],
    isrs: Mapping[str, Isr],
    alarms: Mapping[str, Alarm],
) -> Iterator[Problem]:
    """Yield C files that are missing or listed twice, and lists that lack a needed file."""
    lists: dict[Where, Sequence[str]] = {
        ("kernel", "sources"): kernel.sources,
        ("kernel", "trusted"): kernel.trusted,
        ("kernel", "mixed"): kernel.mixed,
        **{("application", name, "sources"): each.sources for name, each in applications.items()},
    }
    for field, files in lists.items():
        for index, file in enumerate(files):
            where: Where = (*field, index)
            if file.lower().endswith(CPP):
                yield Problem(where, file, f"{C_FILE}: C++ is not compiled", of_build=True)
            elif not file.endswith(".c"):
                yield Problem(where, file, C_FILE)
            elif not (folder / file).is_file():
                expected = "a C file beside the description"
                yield Problem(where, f"no file {folder / file}", expected, of_build=True)
    for index, each in enumerate(kernel.include):
        if not (folder / each).is_dir():
            where, expected = ("kernel", "include", index), "a folder beside the description"
            yield Problem(where, f"no folder {folder / each}", expected, of_build=True)
    paths = [(folder / file).resolve() for files in lists.values() for file in files]
    for path in _twice(paths):
        owners = ", or the sources of an application" if applications else ""
        expected = f"each file once, in sources, trusted or mixed{owners}"
        yield Problem(("kernel",), f"{path.name} twice", expected)
    calls = any(isinstance(alarm.action, CallBack) for alarm in alarms.values())
    for what, wanted in (
        ("hooks", bool(kernel.hooks)),
        ("routines of interrupts", bool(isrs)),
        ("callbacks of alarms", calls),
        ("trusted functions", any(each.functions for each in applications.values())),
    ):
        if wanted and not kernel.has_trusted_code:
            expected = trusted_files(f"the {what} are")
            yield Problem(("kernel", "trusted"), "nothing", expected, of_build=True)


def _twice(values: Iterable[Value]) -> list[Value]:
    return [value for value, count in Count(values).items() if count > 1]
