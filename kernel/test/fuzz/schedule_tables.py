# SPDX-License-Identifier: MIT
"""Drawn schedule tables: the times and actions of their points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .system import Counter, System

TABLES = ["S0", "S1", "S2", "S3"]


@dataclass(frozen=True)
class Signal:
    """Activates a task or, with an event, sets the event of the task."""

    task: int
    event: int | None = None

    def text(self, tasks: list[str], events: list[str]) -> str:
        """Return the signal in the language of descriptions."""
        if self.event is None:
            return f"activate {tasks[self.task]}"
        return f"set {tasks[self.task]} {events[self.event]}"


@dataclass(frozen=True)
class Point:
    """A point at an offset in ticks, with signals in any order."""

    offset: int
    signals: tuple[Signal, ...]


@dataclass(frozen=True)
class ScheduleTable:
    """A schedule table without synchronisation."""

    counter: int
    points: tuple[Point, ...]
    duration: int
    is_repeating: bool
    is_relative: bool  # the kind of its autostart
    start: int
    modes: frozenset[int]  # modes of its autostart


def draw_tables(random: Random, system: System) -> tuple[ScheduleTable, ...]:
    """Return tables that partly share a counter, so that a table can follow another."""
    extended = [number for number, task in enumerate(system.tasks) if task.is_extended]
    counters = [0, 0, 1, 1] if system.is_edf else [0, 0, random.randrange(2), 1]
    return tuple(
        _draw_table(random, counter, system.counters[counter], (len(system.tasks), extended))
        for counter in counters
    )


def _draw_table(
    random: Random, number: int, counter: Counter, tasks: tuple[int, list[int]]
) -> ScheduleTable:
    """Draw a table. The distances of its points are as its counter allows."""

    def way() -> int:
        return random.randint(counter.min_cycle, min(counter.highest, counter.min_cycle + 1))

    offsets = [random.choice([0, way()])]
    while random.random() < 0.6 and len(offsets) < 3:
        offsets.append(offsets[-1] + way())
    is_repeating = random.random() < 0.4
    rest = way() if is_repeating else random.choice([0, way()])
    is_relative = counter.highest > offsets[0] and random.random() < 0.5
    return ScheduleTable(
        counter=number,
        points=tuple(Point(offset, _draw_signals(random, *tasks)) for offset in offsets),
        duration=offsets[-1] + rest,
        is_repeating=is_repeating,
        is_relative=is_relative,
        start=1 if is_relative else random.randint(0, 2),
        modes=frozenset(mode for mode in range(2) if random.random() < 0.3),
    )


def _draw_signals(random: Random, tasks: int, extended: list[int]) -> tuple[Signal, ...]:
    """Draw signals, for each task at most one of each kind."""
    drawn: dict[tuple[int, bool], Signal] = {}
    for _ in range(random.randint(1, 3)):
        if extended and random.random() < 0.4:
            signal = Signal(random.choice(extended), random.randrange(3))
        else:
            signal = Signal(random.randrange(tasks))
        drawn.setdefault((signal.task, signal.event is None), signal)
    return tuple(drawn.values())


def table_fields(table: ScheduleTable, tasks: list[str], events: list[str]) -> Iterator[str]:
    """Return the fields of a table in the language of descriptions, except its modes."""
    points = ", ".join(
        f"{{ at = {point.offset}, do = [{_texts(point, tasks, events)}] }}"
        for point in table.points
    )
    yield f'counter = "C{table.counter}"'
    yield f"duration = {table.duration}"
    yield f"points = [{points}]"
    if table.is_repeating:
        yield "repeating = true"
    if table.modes:
        yield f'autostart = "{"relative" if table.is_relative else "absolute"} {table.start}"'


def _texts(point: Point, tasks: list[str], events: list[str]) -> str:
    return ", ".join(f'"{signal.text(tasks, events)}"' for signal in point.signals)
