# SPDX-License-Identifier: MIT
"""Schedule tables that are drawn: when their points are, and what these do."""

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
    """A task that is activated; or, with an event, that gets it."""

    task: int
    event: int | None = None

    def text(self, tasks: list[str], events: list[str]) -> str:
        """Return it in the language of descriptions."""
        if self.event is None:
            return f"activate {tasks[self.task]}"
        return f"set {tasks[self.task]} {events[self.event]}"


@dataclass(frozen=True)
class Point:
    """So many ticks behind the beginning; in any order."""

    offset: int
    signals: tuple[Signal, ...]


@dataclass(frozen=True)
class ScheduleTable:
    """One without synchronisation."""

    counter: int
    points: tuple[Point, ...]
    duration: int
    is_repeating: bool
    is_relative: bool  # how it starts by itself
    start: int
    modes: frozenset[int]  # in which it does


def draw_tables(random: Random, system: System) -> tuple[ScheduleTable, ...]:
    """Return some that share a counter, so that one can be next to another."""
    extended = [number for number, task in enumerate(system.tasks) if task.is_extended]
    counters = [0, 0, 1, 1] if system.is_edf else [0, 0, random.randrange(2), 1]
    return tuple(
        _draw_table(random, counter, system.counters[counter], (len(system.tasks), extended))
        for counter in counters
    )


def _draw_table(
    random: Random, number: int, counter: Counter, tasks: tuple[int, list[int]]
) -> ScheduleTable:
    """Points lie apart as the counter allows."""

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
    """Of a task at most one of each kind."""
    drawn: dict[tuple[int, bool], Signal] = {}
    for _ in range(random.randint(1, 3)):
        if extended and random.random() < 0.4:
            signal = Signal(random.choice(extended), random.randrange(3))
        else:
            signal = Signal(random.randrange(tasks))
        drawn.setdefault((signal.task, signal.event is None), signal)
    return tuple(drawn.values())


def table_fields(table: ScheduleTable, tasks: list[str], events: list[str]) -> Iterator[str]:
    """Return its fields in the language of descriptions, but for its modes."""
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
