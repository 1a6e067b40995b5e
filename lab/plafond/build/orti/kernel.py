# SPDX-License-Identifier: MIT
"""Expressions over the structures of the kernel, for the objects of one core.

They are C, with no call. Each reads only memory of the kernel, which all translation tables map at
its physical address. kernel/debug/commands.py says in Python what many of these say in C.
"""

from dataclasses import dataclass

from plafond.build.configuration import Configuration, TaskLevels
from plafond.build.levels import Levels
from plafond.describe.kernel import Status
from plafond.describe.system import Resource, Task
from plafond.protocols import KernelProtocol

RUNNING, WAITING, READY, SUSPENDED = range(4)  # TaskStateType of kernel/include/os_types.h
IN_WORD = (KernelProtocol.UPRIO_NPRIO, KernelProtocol.UPRIO_KPRIO, KernelProtocol.UPRIO_KPRIO_LAZY)
IN_CLAIM = (KernelProtocol.LAZY_CEILING, KernelProtocol.LAZY_CEILING_SIMPLE)


@dataclass(frozen=True)
class Expressions:
    """The expressions of a core, which refer to tasks by their index."""

    configuration: Configuration
    core: int

    @property
    def running(self) -> str:
        """The task that has the core: its address; 0: no task."""
        return f"plf_cores[{self.core}].running"

    @property
    def tasks(self) -> dict[str, int]:
        """From the names of all tasks to their indices."""
        return {table.name: index for index, table in enumerate(self.configuration.tasks)}

    def address(self, task: Task) -> str:
        """The address of a task's control block."""
        return f"&{self._block(task)}"

    def _block(self, task: Task) -> str:
        return f"plf_tasks[{self.tasks[task.name]}]"

    # ---- States ----------------------------------------------------------------------

    def state(self, task: Task) -> str:
        """The state of a task, as GetTaskState() returns it."""
        return (
            f"{self.running} == {self.address(task)} ? {RUNNING} : "
            f"{self._waits(task)} ? {WAITING} : {self._is_suspended(task)} ? {SUSPENDED} : {READY}"
        )

    def _has_word(self, task: Task) -> bool:
        """Whether a word that several cores share has the task's events: event_word.h."""
        return self.configuration.system.cpus > 1 and bool(task.events)

    def _waits(self, task: Task) -> str:
        block, several = self._block(task), self.configuration.system.cpus > 1
        waits = f"{block}.event_word >> 63" if several else f"{block}.is_waiting"
        across = self.configuration.global_protocol
        if self.configuration.protocol.traits.waits:
            waits += f" || {block}.request"
        elif across and not across.traits.spins:
            waits += f" || {block}.request && *{block}.request == 1"  # PLF_MPCP_WAITS
        return f"({waits})"

    def _is_suspended(self, task: Task) -> str:
        block = self._block(task)
        if self._has_word(task):
            return f"{block}.event_word == 0"
        return f"{block}.room == {block}.most"

    def activations(self, task: Task) -> str:
        """The number of a task's activations, with the activation that runs."""
        block = self._block(task)
        if self._has_word(task):
            return f"{block}.event_word >> 31 & 1"
        return f"{block}.most - {block}.room"

    def events(self, task: Task) -> str:
        """The events of a task that are set."""
        block = self._block(task)
        several = self.configuration.system.cpus > 1
        return f"{block}.event_word & 0x7fffffff" if several else f"{block}.events"

    def awaited(self, task: Task) -> str:
        """The events that a task waits for now."""
        block = self._block(task)
        if self.configuration.system.cpus > 1:
            return f"{block}.event_word >> 63 ? {block}.event_word >> 32 & 0x7fffffff : 0"
        return f"{block}.is_waiting ? {block}.waits_for : 0"

    # ---- Levels, of fixed priorities ---------------------------------------------------

    def level_of_running(self) -> str:
        """The level of the running task; 0: no task runs."""
        return f"{self.running} ? {self._while_running(f'{self.running}->')} : 0"

    def level(self, task: Task) -> str:
        """The level at which a task runs or is ready, or would become ready."""
        member = f"{self._block(task)}."
        resumes = self._counting(member, f"{member}urgency.level")
        return (
            f"{self.running} == {self.address(task)} ? {self._while_running(member)} : "
            f"{self._is_preempted(task)} ? {resumes} : {member}urgency.{self._ready}"
        )

    @property
    def _may_resume_raised(self) -> bool:
        """Whether a task may be suspended in a section: kernel/global.h."""
        across = self.configuration.global_protocol
        return self.configuration.protocol.traits.waits or bool(across and not across.traits.spins)

    @property
    def _ready(self) -> str:
        return "ready" if self._may_resume_raised else "base"

    def _counting(self, member: str, level: str) -> str:
        """The higher of a level by resources and the level by the internal resource."""
        if not self.configuration.has_internal:
            return level
        internal = f"{member}urgency.internal"
        return f"({level} < {internal} ? {internal} : {level})"

    def _while_running(self, member: str) -> str:
        """The level of the running task, whose members `member` names."""
        words = f"plf_cores[{self.core}].words->"
        protocol = self.configuration.protocol
        if protocol in IN_WORD:
            level = self._bounded(f"{words}uprio", member)
        elif protocol in IN_CLAIM:
            level = self._bounded(f"{words}claim", member)
        else:
            level = f"{member}urgency.level"
        return self._counting(member, level)

    def _bounded(self, word: str, member: str) -> str:
        """A word that user code writes, between the task's lowest and highest level."""
        base, highest = f"{member}urgency.base", f"{member}urgency.highest"
        return f"({word} > {highest} ? {highest} : {word} < {base} ? {base} : {word})"

    def _is_preempted(self, task: Task) -> str:
        """Whether a task is on the stack of preempted tasks of its queue.

        Tasks above it began above it. So there are at most as many as higher levels, unless a task
        may resume at a ceiling.
        """
        tables = self.configuration.tasks
        queue = tables[self.tasks[task.name]].queue
        others = [table for table in tables if table.queue == queue]
        above = {
            table.urgency.base
            for table in others
            if isinstance(table.urgency, TaskLevels) and table.task.priority > task.priority
        }
        deepest = len(others) - 1 if self._may_resume_raised else len(above)
        address = self.address(task)
        top = f"{self._queue(task)}preempted"
        entries = [top + "->below" * depth for depth in range(deepest + 1)]
        found = "0"
        for entry in reversed(entries):
            rest = f" || {found}" if found != "0" else ""
            found = f"{entry} && ({entry} == {address}{rest})"
        # Before the start a task has no server.
        given = f"{self._block(task)}.server && " * bool(self.configuration.system.servers)
        return f"({given}{found})"

    def _queue(self, task: Task) -> str:
        if self.configuration.system.servers:
            return f"{self._block(task)}.server->queue."
        return f"plf_cores[{self.core}].queue."

    # ---- Resources -----------------------------------------------------------------------

    @property
    def keeps_top(self) -> bool:
        """Whether the image records the resource that each task entered last."""
        is_extended = self.configuration.system.kernel.status is Status.EXTENDED
        protocol = self.configuration.protocol
        return (is_extended or protocol.traits.waits) and protocol is not KernelProtocol.IRQ_OFF

    @property
    def keeps_holders(self) -> bool:
        """Whether memory of the kernel records all resources that each task holds.

        If user code enters sections, private memory of the task has the resources below the top.
        """
        system = self.configuration.system
        is_simple = not system.resources_of_servers and not system.resources_of_routines
        return self.keeps_top and self.configuration.protocol.traits.is_called and is_simple

    def top(self, task: Task) -> str:
        """1 + the resource that a task entered last and holds; 0: it holds none."""
        kept = f"{self._block(task)}.words.top"
        if self.configuration.protocol.traits.is_called:
            return kept
        word = f"plf_cores[{self.core}].words->checks.top"
        most = len(self.configuration.system.entered_resources) + 1
        top = f"({self.running} == {self.address(task)} ? {word} : {kept})"
        return f"{top} < {most} ? {top} : {most}"

    def locker(self, resource: Resource) -> str:
        """The address of the task that holds a resource; 0: no task."""
        found = "0"
        for task in reversed(self._users(resource)):
            found = f"{self._holds(task, resource)} ? {self.address(task)} : {found}"
        return found

    def is_locked(self, resource: Resource) -> str:
        """1 if a task holds the resource, else 0."""
        held = (self._holds(task, resource) for task in self._users(resource))
        return f"({' || '.join(held) or '0'}) ? 1 : 0"

    def _users(self, resource: Resource) -> list[Task]:
        tasks = self.configuration.system.tasks_on(self.core)
        return [task for task in tasks if resource.may_be_entered_by(task.name)]

    def _holds(self, task: Task, resource: Resource) -> str:
        """Whether a task holds a resource: it is in the list from `top` along `below`."""
        resources = self.configuration.system.entered_resources
        wanted = resources.index(resource) + 1
        most = sum(each.may_be_entered_by(task.name) for each in resources)
        entries = [f"{self._block(task)}.words.top"]
        while len(entries) < most:
            entries.append(f"plf_resource_words[{self.core}][{entries[-1]} - 1].below")
        found = "0"
        for entry in reversed(entries):
            rest = f" || {entry} && {found}" if found != "0" else ""
            found = f"({entry} == {wanted}{rest})"
        return found


def names_of_levels(configuration: Configuration, core: int) -> list[str]:
    """Return the name of each level of a core: a priority or ceiling of the description."""
    system = configuration.system
    levels = Levels(system)
    names = ["none", *(f"level {level}" for level in range(1, configuration.levels))]
    for resource in system.global_resources:
        names[levels.ceiling(resource.name)] = f"{resource.ceiling} across cores"
    for resource in system.resources_of_routines:
        names[levels.ceiling(resource.name)] = "interrupts"
    for level, priority in levels.priorities(core).items():
        names[level] = str(priority)
    return names
