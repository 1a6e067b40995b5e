# SPDX-License-Identifier: MIT
"""What must hold at every moment, judged from notes of its own: never from the kernel's memory."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from explore import ViolationError


class Condition(IntEnum):
    """Of a task."""

    ASLEEP = 0  # an arrival activates it
    READY = 1
    RUNNING = 2
    DONE = 3


class Levels(NamedTuple):
    """Of a task: before it starts, once it has started outside all sections, and at most."""

    base: int
    running: int
    highest: int


class Task(NamedTuple):
    """What is noted of a task."""

    condition: Condition = Condition.ASLEEP
    has_started: bool = False
    is_moving: bool = False  # between two sections: its level may be the old one or the new one
    is_foul: bool = False  # its words were spoilt
    open: tuple[int, ...] = ()  # its sections
    seen: tuple[bool, ...] = ()  # of each, and of one on its way in: was the kernel entered since
    threats: tuple[int, ...] = ()  # levels that became ready since its outermost section began
    calls: int = 0  # since it began to leave a section


Frozen = tuple[tuple[Task, ...], tuple[int, ...]]


@dataclass(slots=True)
class Notes:
    """Judges tasks of these levels, resources of these ceilings.

    `is_exact`: a call is due only if a more urgent task became ready (UPRIO|NPRIO); else it is
    due if the kernel was entered in the section (UPRIO|KPRIO).
    """

    names: tuple[str, ...]
    levels: tuple[Levels, ...]
    ceilings: tuple[int, ...]
    is_exact: bool
    tasks: list[Task]
    changes: list[int]  # of each resource's data

    def freeze(self) -> Frozen:
        """All notes, as a value."""
        return tuple(self.tasks), tuple(self.changes)

    def thaw(self, frozen: Frozen) -> None:
        """Go back to them."""
        self.tasks, self.changes = list(frozen[0]), list(frozen[1])

    # ---- Levels --------------------------------------------------------------------

    def due(self, who: int) -> int:
        """The level that the protocol owes it."""
        task, levels = self.tasks[who], self.levels[who]
        if not task.has_started:
            return levels.base
        return max((levels.running, *(self.ceilings[r] for r in task.open)))

    def least(self, who: int) -> int:
        """What it has at least."""
        return self.levels[who].running if self.tasks[who].is_foul else self.due(who)

    def most(self, who: int) -> int:
        """What it has at most."""
        task = self.tasks[who]
        return self.levels[who].highest if task.is_foul or task.is_moving else self.due(who)

    # ---- The kernel ------------------------------------------------------------------

    def activates(self, who: int) -> None:
        """It becomes ready; the kernel was entered."""
        self.tasks[who] = self.tasks[who]._replace(condition=Condition.READY)
        self.enters_kernel()
        for other, task in enumerate(self.tasks):
            if task.open or task.is_moving:
                threats = tuple(sorted({*task.threats, self.levels[who].base}))
                self.tasks[other] = task._replace(threats=threats)

    def enters_kernel(self) -> None:
        """Whoever is in a section may find a trace of it."""
        for who, task in enumerate(self.tasks):
            if not all(task.seen):
                self.tasks[who] = task._replace(seen=(True,) * len(task.seen))

    def judge_switch(self, running: int | None) -> None:
        """The kernel leaves the processor to that task."""
        for who, task in enumerate(self.tasks):
            if task.condition == Condition.RUNNING and who != running:
                self.tasks[who] = task._replace(condition=Condition.READY)
        ready = [i for i, t in enumerate(self.tasks) if t.condition == Condition.READY]
        if running is None:
            if ready:
                raise ViolationError(f"{self.names[ready[0]]} is ready, and nobody runs")
            return
        task = self.tasks[running]
        if task.condition not in (Condition.READY, Condition.RUNNING):
            raise ViolationError(f"{self.names[running]} runs, which is not ready")
        self.tasks[running] = task._replace(condition=Condition.RUNNING, has_started=True)
        self._judge_ceilings(running)
        for who in ready:
            if who != running and self.least(who) > self.most(running):
                raise ViolationError(
                    f"{self.names[who]} ({self.least(who)}) is ready, and the kernel lets "
                    f"{self.names[running]} ({self.most(running)}) run"
                )

    def _judge_ceilings(self, who: int) -> None:
        for other, task in enumerate(self.tasks):
            if other == who or task.is_foul:
                continue
            for resource in task.open:
                if self.ceilings[resource] >= self.levels[who].running:
                    raise ViolationError(
                        f"{self.names[who]} ({self.levels[who].running}) runs while "
                        f"{self.names[other]} is inside R{resource + 1}, whose ceiling is "
                        f"{self.ceilings[resource]}"
                    )

    def calls_kernel(self, who: int, *, is_preempt: bool) -> None:
        """To be preempted."""
        task = self.tasks[who]
        if task.is_foul:
            return
        if not is_preempt:
            raise ViolationError(f"{self.names[who]} is refused a resource")
        if task.calls > 0:
            raise ViolationError(f"{self.names[who]} calls the kernel twice for one section")
        if self.is_exact and not any(t > self.due(who) for t in task.threats):
            raise ViolationError(
                f"{self.names[who]} calls the kernel, and nobody above {self.due(who)} came"
            )
        if not task.seen[-1]:
            raise ViolationError(
                f"{self.names[who]} calls the kernel, which was not there since its section began"
            )
        threats = tuple(t for t in task.threats if t <= self.due(who))
        self.tasks[who] = task._replace(calls=1, threats=threats)

    # ---- What a task does --------------------------------------------------------------

    def judge_level(self, who: int, uprio: int) -> None:
        """Between two sections' beginnings and ends."""
        if self.tasks[who].is_foul:
            return
        if uprio != self.due(who):
            raise ViolationError(f"{self.names[who]} has uprio {uprio}: it is owed {self.due(who)}")
        for other, task in enumerate(self.tasks):
            if task.condition == Condition.READY and self.least(other) > uprio:
                raise ViolationError(
                    f"{self.names[other]} ({self.least(other)}) is ready, and "
                    f"{self.names[who]} goes on at {uprio}"
                )

    def begins(self, who: int) -> None:
        """To enter a section."""
        task = self.tasks[who]
        self.tasks[who] = task._replace(is_moving=True, seen=(*task.seen, False))

    def enters(self, who: int, resource: int) -> None:
        """It is inside."""
        task = self.tasks[who]
        for other, them in enumerate(self.tasks):
            if resource in them.open and not them.is_foul and not task.is_foul:
                raise ViolationError(
                    f"{self.names[other]} and {self.names[who]} are both inside R{resource + 1}"
                )
        self.tasks[who] = task._replace(is_moving=False, open=(*task.open, resource))
        if not task.is_foul:
            self._judge_ceilings(who)

    def leaves(self, who: int, resource: int) -> None:
        """It is about to leave the section that it entered last."""
        task = self.tasks[who]
        if task.open[-1] != resource:
            raise ViolationError(f"the driver leaves R{resource + 1}, which was not entered last")
        self.tasks[who] = task._replace(is_moving=True, open=task.open[:-1], calls=0)

    def has_left(self, who: int) -> None:
        """And has done so."""
        task = self.tasks[who]
        threats = task.threats if task.open else ()
        left = task._replace(is_moving=False, seen=task.seen[:-1], calls=0, threats=threats)
        self.tasks[who] = left

    def changes_data(self, who: int, resource: int) -> None:
        """And has done so."""
        if resource not in self.tasks[who].open:
            raise ViolationError(f"the driver changes R{resource + 1}'s data outside of it")
        self.changes[resource] += 1

    def fouls(self, who: int) -> None:
        """Its words are spoilt."""
        self.tasks[who] = self.tasks[who]._replace(is_foul=True, threats=())

    def ends(self, who: int) -> None:
        """Its script is over."""
        if self.tasks[who].open:
            raise ViolationError(f"{self.names[who]} ends inside a section")
        self.tasks[who] = Task(Condition.DONE, is_foul=self.tasks[who].is_foul)
