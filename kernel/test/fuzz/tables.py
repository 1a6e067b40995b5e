# SPDX-License-Identifier: MIT
"""The model's schedule tables: AUTOSAR OS 4.x, 7.3 and 8.4, as in docs/kernel/.

A table runs while its timer is set, and is next while another table refers to it. So no state is
kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .program import Code, Status, Step
from .schedule_tables import ScheduleTable, Signal
from .system import Counter
from .timers import Timer, Timers

STOPPED, NEXT, RUNNING = 0, 1, 3
# Services that store no value:
SERVICES = (Code.START_TABLE_REL, Code.START_TABLE_ABS, Code.STOP_TABLE, Code.NEXT_TABLE)


@dataclass(eq=False, kw_only=True)
class Table(Timer):
    """A schedule table as it is now."""

    number: int
    table: ScheduleTable
    passed: int = 0  # expiry points of this round
    next: Table | None = None  # the table that begins at its end


class Tables:
    """All schedule tables."""

    def __init__(
        self,
        tables: Sequence[ScheduleTable],
        counters: Sequence[Counter],
        timers: Timers,
        value: Callable[[int], int],
    ) -> None:
        """No table runs. `value` returns the value of a counter."""
        self.tables = [
            Table(counter=table.counter, number=number, table=table)
            for number, table in enumerate(tables)
        ]
        self.counters, self.timers, self.value = counters, timers, value
        timers.timers += self.tables

    def start_all(self, mode: int) -> None:
        """Start the tables of autostart."""
        for table in self.tables:
            if mode in table.table.modes:
                self.start_at(table, table.table.start, is_relative=table.table.is_relative)

    def status(self, table: Table) -> int:
        """The status, as GetScheduleTableStatus returns it."""
        if table.is_set:
            return RUNNING
        return NEXT if any(other.next is table for other in self.tables) else STOPPED

    # ---- The time

    def start_at(self, table: Table, ticks: int, *, is_relative: bool) -> None:
        """Start the table. The counter reaches its present value only after it has wrapped."""
        if not is_relative:
            now = self.value(table.counter)
            ticks += self.counters[table.counter].highest + 1 if ticks <= now else 0
            ticks -= now
        self.begin(table, ticks)

    def begin(self, table: Table, ticks: int) -> None:
        """Begin the table, whose offset 0 is `ticks` away."""
        table.passed = 0
        self.timers.set(table, ticks + table.table.points[0].offset)

    def expire(self, table: Table) -> Sequence[Signal]:
        """Handle an expiry point or the end. Returns the signals, with activations first."""
        points = table.table.points
        if table.passed == len(points):
            following = table.next or (table if table.table.is_repeating else None)
            table.next = None
            if following is not None:
                self.begin(following, 0)
            return ()
        offsets = [*(point.offset for point in points), table.table.duration]
        point = points[table.passed]
        table.passed += 1
        self.timers.set(table, offsets[table.passed] - point.offset)
        return sorted(point.signals, key=lambda signal: signal.event is not None)

    # ---- The services

    def service(self, step: Step) -> Status:
        """A service that stores no value. A wrong number is checked first."""
        numbers = [step.object, *([step.first] if step.code == Code.NEXT_TABLE else [])]
        if any(number >= len(self.tables) for number in numbers):
            return Status.E_OS_ID
        table, *following = [self.tables[number] for number in numbers]
        if step.code == Code.NEXT_TABLE:
            return self.follow(table, *following)
        if step.code == Code.STOP_TABLE:
            return self.stop(table)
        return self.start(table, step.first, is_relative=step.code == Code.START_TABLE_REL)

    def start(self, table: Table, ticks: int, *, is_relative: bool) -> Status:
        """8.4: the value is checked first, then the state."""
        highest = self.counters[table.counter].highest
        least = 1 if is_relative else 0
        most = highest - table.table.points[0].offset if is_relative else highest
        if not least <= ticks <= most:
            return Status.E_OS_VALUE
        if self.status(table) != STOPPED:
            return Status.E_OS_STATE
        self.start_at(table, ticks, is_relative=is_relative)
        return Status.E_OK

    def stop(self, table: Table) -> Status:
        """8.4: a stop also drops the next table, and the table is next to none."""
        if self.status(table) == STOPPED:
            return Status.E_OS_NOFUNC
        table.is_set, table.next = False, None
        for other in self.tables:
            if other.next is table:
                other.next = None
        return Status.E_OK

    def follow(self, table: Table, following: Table) -> Status:
        """8.4: the table named last is next."""
        if table.counter != following.counter:
            return Status.E_OS_ID
        if not table.is_set:
            return Status.E_OS_NOFUNC
        if self.status(following) != STOPPED:
            return Status.E_OS_STATE
        table.next = following
        return Status.E_OK
