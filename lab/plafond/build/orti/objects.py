# SPDX-License-Identifier: MIT
"""Write the ORTI files of an image: OSEK ORTI 2.2, Part B.

ORTI 2.2 knows a single running task, so each core has a file. An attribute that the image cannot
answer is not declared: the kernel records neither the last status nor the service that runs.
Names that the standard lacks begin with vs_, as it demands.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from plafond.build.configuration import Configuration
from plafond.build.orti.kernel import Expressions, names_of_levels
from plafond.build.orti.text import Attribute, Choice, Object, Table, text_of
from plafond.build.services import load_services
from plafond.describe.system import System, Task
from plafond.units import format_exactly

# enum plf_place of kernel/core.h. ErrorHook keeps the place of a task hook in which it is called.
PLACES = {
    0: "start",
    1: "task",
    2: "handler",
    4: "ErrorHook",
    8: "PreTaskHook",
    16: "PostTaskHook",
    32: "StartupHook",
    64: "ShutdownHook",
    128: "ProtectionHook",
    256: "main",
    512: "callback of an alarm",
    1024: "handler of category 1",
    2048: "callback of a message",
    4096: "trusted function",
    4 | 8: "ErrorHook in PreTaskHook",
    4 | 16: "ErrorHook in PostTaskHook",
}
STATES = ("RUNNING", "WAITING", "READY", "SUSPENDED")
TABLE_STATES = ("STOPPED", "NEXT", "WAITING", "RUNNING")  # of kernel/include/os_types.h
FILLING = "0xa5a5a5a5"  # unused stacks in an image of `plafond run`: kernel/run/stack.c
ADDRESS, BYTE, WORD, TICKS = "unsigned long", "unsigned char", "unsigned int", "unsigned long"
MACRO = re.compile(r"^#define (PLF_\w+) (\d+)$", re.MULTILINE)


def write_orti(configuration: Configuration, folder: Path) -> None:
    """Write a file for each core to the image's folder, and remove files of other cores."""
    cpus = configuration.system.cpus
    texts = {
        f"image-{core}.ort" if cpus > 1 else "image.ort": orti_of(configuration, core, folder)
        for core in range(cpus)
    }
    for file in folder.glob("image*.ort"):
        if file.name not in texts:
            file.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text)


def orti_of(configuration: Configuration, core: int, folder: Path) -> str:
    """Return the text of the file of a core. `folder` has the generated C of the image."""
    several = configuration.system.cpus > 1
    tables = _Tables(configuration, core, folder)
    return text_of(f"Plafond_core_{core}" if several else "Plafond", tables.all())


def _numbered(names: Iterator[str] | tuple[str, ...] | list[str]) -> list[Choice]:
    return [Choice(name, number) for number, name in enumerate(names)]


class _Tables:
    """The tables of a core's objects."""

    def __init__(self, configuration: Configuration, core: int, folder: Path) -> None:
        self.configuration = configuration
        self.system: System = configuration.system
        self.core = core
        self.folder = folder
        self.kernel = Expressions(configuration, core)
        self.tasks = self.system.tasks_on(core)

    def all(self) -> Iterator[Table]:
        yield self._os()
        yield self._tasks()
        if self.configuration.board.stack_unit:
            yield self._stacks()
        yield self._resources()
        yield self._alarms()
        yield from self._counters()
        yield self._schedule_tables()
        yield self._isrs()

    def _task_choices(self) -> list[Choice]:
        tasks = [Choice(task.name, self.kernel.address(task)) for task in self.tasks]
        return [Choice("NO_TASK", 0), *tasks]

    def _priority(self, name: str, title: str) -> list[Attribute]:
        """The attribute of a level, if the system has priorities."""
        if not self.configuration.levels:
            return []
        names = names_of_levels(self.configuration, self.core)
        return [Attribute(name, title, BYTE, _numbered(names))]

    # ---- OS ------------------------------------------------------------------------------

    def _os(self) -> Table:
        """Describe the core."""
        place = [Choice(name, number) for number, name in PLACES.items()]
        attributes = [
            Attribute("RUNNINGTASK", "Running task", ADDRESS, self._task_choices(), is_traced=True),
            *self._priority("RUNNINGTASKPRIORITY", "Priority of the running task"),
            Attribute("CURRENTAPPMODE", "Application mode", WORD, self._modes()),
            Attribute("vs_PLACE", "Code that runs", "unsigned short", place),
        ]
        values = [self.kernel.running]
        if self.configuration.levels:
            values.append(self.kernel.level_of_running())
        # An image without modes lacks the variable.
        mode = "plf_noted_mode" if self.configuration.modes else "0"
        values += [mode, f"plf_cores[{self.core}].place"]
        if self.configuration.hooks["ERROR"]:
            services = [Choice("none", 0), *self._services()]
            title = "Service of the last error for ErrorHook"
            attributes.append(Attribute("vs_ERRORSERVICE", title, BYTE, services))
            values.append(f"plf_cores[{self.core}].service_of_error")
        name = re.sub(r"\W", "_", self.system.name, flags=re.ASCII)
        return Table("OS", "Operating system", attributes, [Object(f"OS_{name}", values)])

    def _modes(self) -> list[Choice]:
        """The application modes, by 1 + their number; 0: StartOS() was not called with one."""
        return _numbered(["OSDEFAULTAPPMODE", *self.configuration.modes])

    def _services(self) -> Iterator[Choice]:
        """Yield the services of the image, as OSErrorGetServiceId() names them."""
        macros = dict(MACRO.findall((self.folder / "system.h").read_text()))
        for group in load_services().groups:
            if not group.image or _is_true(group.image, macros):
                for service in group.numbered:
                    if service.number != "NULL":
                        yield Choice(service.name, f"PLF_CALL_{service.number}")

    # ---- Tasks and stacks -------------------------------------------------------------------

    def _tasks(self) -> Table:
        """Describe the tasks of the core."""
        kernel, has_stacks = self.kernel, bool(self.configuration.board.stack_unit)
        has_events = any(task.events for task in self.system.tasks)
        attributes = [
            *self._priority("PRIORITY", "Priority now"),
            Attribute("STATE", "State", BYTE, _numbered(STATES)),
            Attribute("CURRENTACTIVATIONS", "Activations now", BYTE),
            Attribute("vs_MOSTACTIVATIONS", "Most activations", BYTE),
        ]
        if has_stacks:
            stacks = [Choice(_stack(t), self._low(t), _stack(t)) for t in self.tasks]
            attributes.append(Attribute("STACK", "Stack", ADDRESS, stacks))
        if has_events:
            attributes.append(Attribute("vs_EVENTSSET", "Events that are set", TICKS))
            attributes.append(Attribute("vs_EVENTSAWAITED", "Events it waits for", TICKS))
        if not self.configuration.levels:
            attributes.append(Attribute("vs_RELATIVEDEADLINE", "Relative deadline in ns", TICKS))
        if self._has_tops:
            entered = [resource.name for resource in self.system.entered_resources]
            tops = _numbered(["NO_RESOURCE", *entered, "unknown"])
            attributes.append(Attribute("vs_LASTRESOURCE", "Resource entered last", WORD, tops))

        def values(task: Task) -> Iterator[str]:
            if self.configuration.levels:
                yield kernel.level(task)
            yield from (kernel.state(task), kernel.activations(task))
            yield f"plf_task_config[{kernel.tasks[task.name]}].activations"
            if has_stacks:
                yield self._low(task)
            if has_events:
                yield from (kernel.events(task), kernel.awaited(task))
            if not self.configuration.levels:
                yield f"plf_task_config[{kernel.tasks[task.name]}].urgency.deadline_ns"
            if self._has_tops:
                yield kernel.top(task)

        objects = [Object(task.name, list(values(task))) for task in self.tasks]
        return Table("TASK", "Tasks", attributes, objects)

    @property
    def _has_tops(self) -> bool:
        return self.kernel.keeps_top and bool(self.system.entered_resources)

    def _low(self, task: Task) -> str:
        return f"plf_task_config[{self.kernel.tasks[task.name]}].stack_low"

    def _stacks(self) -> Table:
        """Describe the stacks of the core's tasks."""
        attributes = [
            Attribute("SIZE", "Bytes", TICKS),
            Attribute("BASEADDRESS", "Lowest address", ADDRESS),
            Attribute("STACKDIRECTION", "Direction"),
        ]
        if self.configuration.recording:
            attributes.append(Attribute("FILLPATTERN", "Content if unused", WORD))

        def values(task: Task) -> Iterator[str]:
            config = f"plf_task_config[{self.kernel.tasks[task.name]}]"
            yield from (f"{config}.stack_high - {config}.stack_low", self._low(task), "DOWN")
            if self.configuration.recording:
                yield FILLING

        objects = [Object(_stack(task), list(values(task))) for task in self.tasks]
        return Table("STACK", "Stacks", attributes, objects)

    # ---- Resources ----------------------------------------------------------------------------

    def _resources(self) -> Table:
        """Describe the resources that tasks of the core may enter."""
        keeps = self.kernel.keeps_holders
        attributes = [Attribute("PRIORITY", "Ceiling"), Attribute("vs_USERS", "Users")]
        if keeps:
            states = _numbered(("UNLOCKED", "LOCKED"))
            attributes.append(Attribute("STATE", "State", BYTE, states))
            attributes.append(Attribute("LOCKER", "Holder", ADDRESS, self._task_choices()))
        objects = []
        for resource in self.configuration.resources:
            if not any(resource.may_be_entered_by(task.name) for task in self.tasks):
                continue
            ceiling = format_exactly(resource.floor) if resource.floor else str(resource.ceiling)
            values = [ceiling, " ".join(resource.users)]
            if keeps:
                values += [self.kernel.is_locked(resource), self.kernel.locker(resource)]
            objects.append(Object(resource.name, values))
        return Table("RESOURCE", "Resources", attributes, objects)

    # ---- Time -----------------------------------------------------------------------------------

    def _alarms(self) -> Table:
        """Describe the alarms of the core's counters."""
        attributes = [
            Attribute("ALARMTIME", "Tick of its next expiry", TICKS),
            Attribute("CYCLETIME", "Cycle in ticks", WORD),
            Attribute("STATE", "State", BYTE, _numbered(("STOPPED", "RUNNING"))),
            Attribute("ACTION", "Action"),
            Attribute("COUNTER", "Counter"),
        ]
        objects = []
        for index, alarm in enumerate(self.system.alarms):
            if self.system.counter(alarm.counter).cpu == self.core:
                block = f"plf_alarms[{index}]"
                dynamic = [f"{block}.is_set ? {block}.{name} : 0" for name in ("expires", "cycle")]
                values = [*dynamic, f"{block}.is_set", str(alarm.action), alarm.counter]
                objects.append(Object(alarm.name, values))
        return Table("ALARM", "Alarms", attributes, objects)

    def _counters(self) -> Iterator[Table]:
        """Describe the counters: only a counter of calls has its value in memory."""
        common = [
            Attribute("vs_MAXALLOWEDVALUE", "Highest value", WORD),
            Attribute("vs_TICKSPERBASE", "Ticks per base", WORD),
            Attribute("vs_MINCYCLE", "Shortest cycle", WORD),
        ]
        timers: list[Object] = []
        called: list[Object] = []
        for index, counter in enumerate(self.system.counters):
            if counter.cpu != self.core:
                continue
            config = f"plf_counter_config[{index}]"
            values = [f"{config}.{name}" for name in ("highest", "ticks_per_base", "min_cycle")]
            if counter.tick_ns:
                timers.append(Object(counter.name, [*values, f"{config}.tick_ns"]))
            else:
                value = f"plf_counters[{index}].ticks % ({config}.highest + 1UL)"
                called.append(Object(counter.name, [*values, value]))
        tick = Attribute("vs_TICK", "Tick in ns", TICKS)
        yield Table("vs_TIMER", "Counters by a timer", [*common, tick], timers)
        value_now = Attribute("vs_VALUE", "Value now", WORD)
        yield Table("vs_COUNTER", "Counters by calls", [*common, value_now], called)

    def _schedule_tables(self) -> Table:
        """Describe the schedule tables of the core's counters."""
        attributes = [
            Attribute("vs_STATE", "State", BYTE, _numbered(TABLE_STATES)),
            Attribute("vs_POINT", "Next expiry point", "unsigned short"),
            Attribute("vs_COUNTER", "Counter"),
        ]
        objects = [
            Object(
                table.name,
                [
                    f"plf_schedule_tables[{index}].state",
                    f"plf_schedule_tables[{index}].point",
                    table.counter,
                ],
            )
            for index, table in enumerate(self.system.schedule_tables)
            if self.system.counter(table.counter).cpu == self.core
        ]
        return Table("vs_SCHEDULETABLE", "Schedule tables", attributes, objects)

    def _isrs(self) -> Table:
        """Describe the interrupts of the core."""
        attributes = [
            Attribute("vs_SOURCE", "Number of the interrupt", WORD),
            Attribute("vs_CATEGORY", "Category"),
            Attribute("vs_HANDLER", "Address of the handler", ADDRESS),
        ]
        objects = [
            Object(
                isr.name,
                [
                    f"plf_isr_config[{index}].source",
                    str(isr.category),
                    f"plf_isr_config[{index}].handler",
                ],
            )
            for index, isr in enumerate(self.system.isrs)
            if isr.cpu == self.core
        ]
        return Table("vs_ISR", "Interrupts", attributes, objects)


def _stack(task: Task) -> str:
    return f"{task.name}_stack"


def _is_true(condition: str, macros: dict[str, str]) -> bool:
    """Whether a condition of services.toml holds: `A`, `A > 1` or `A || B`."""
    return any(_holds(term.split(), macros) for term in condition.split("||"))


def _holds(term: list[str], macros: dict[str, str]) -> bool:
    name, *beyond = term
    return int(macros.get(name, 0)) > (int(beyond[1]) if beyond else 0)
