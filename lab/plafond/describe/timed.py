# SPDX-License-Identifier: MIT
"""Arrivals that follow from an alarm or a schedule table that the start of the kernel starts.

An alarm of autostart with a cycle activates its task once in each cycle of its counter. A schedule
table of autostart that repeats activates a task at the same offsets of each round. Both follow the
timer of a counter with a tick, so the distances are exact: an alarm adds the cycle to the tick of
its expiry, however late the kernel handles it. An application mode in which it does not start only
takes arrivals away.

A task has such arrivals only if nothing else activates it, because nothing keeps two activators
apart: the kernel starts their alarms one after another, and the counter may advance meanwhile. A
table that is synchronised by SyncScheduleTable() moves its points, so it has no exact distances. A
server handles alarms only while it has the core, so a task in a server has no such arrivals.

The arrivals count as sporadic, because the instant of the first arrival is not derived.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from plafond.describe.alarm import Alarm
from plafond.describe.arrival import Interval
from plafond.describe.body import Activate, Chain
from plafond.describe.schedule_table import ScheduleTable, TableSync
from plafond.describe.system import System, Task


@dataclass(frozen=True)
class Timed:
    """An alarm or a schedule table that activates a task, and the time between the arrivals."""

    source: str  # in words
    cpu: int  # whose timer drives it
    interval: Interval | str  # or the reason why the times are not known


def with_timed(system: System) -> System:
    """Return the system in which tasks have the arrivals of their alarm or schedule table.

    These alarms, and these signals of the tables, are taken out.
    C files may set, cancel and start them, so a system with C files stays as it is.
    """
    if system.c_files:
        return system
    intervals = {
        task.name: found.interval
        for task in system.tasks
        if (found := timed_of(system, task)) and isinstance(found.interval, Interval)
    }
    return with_intervals(system, intervals)


def with_intervals(system: System, intervals: Mapping[str, Interval]) -> System:
    """Return the system with arrivals for these tasks instead of their alarm or schedule table."""
    if not intervals:
        return system
    return replace(
        system,
        tasks=tuple(
            task.changed(
                interval=intervals[task.name],
                deadline_ns=task.deadline_ns or intervals[task.name].least_ns,
            )
            if task.name in intervals
            else task
            for task in system.tasks
        ),
        alarms=tuple(a for a in system.alarms if _activated(a.action) not in intervals),
        schedule_tables=tuple(
            table.changed(
                points=tuple(
                    point.model_copy(
                        update={
                            "signals": tuple(
                                s for s in point.signals if _activated(s) not in intervals
                            )
                        }
                    )
                    for point in table.points
                )
            )
            for table in system.schedule_tables
        ),
    )


def timed_of(system: System, task: Task) -> Timed | None:
    """Return the only activator of a task without arrivals, if that is an alarm or a table.

    None: it has arrivals, no activator of these kinds, another activator, too, or a server.
    """
    if task.interval or task.autostart or task.server:
        return None
    if _is_activated_by_others(system, task.name):
        return None
    alarms = [alarm for alarm in system.alarms if _activated(alarm.action) == task.name]
    tables = [
        table
        for table in system.schedule_tables
        if any(_activated(signal) == task.name for signal in table.signals)
    ]
    if len(alarms) + len(tables) != 1:
        return None
    if alarms:
        (alarm,) = alarms
        cpu = system.counter(alarm.counter).cpu
        return Timed(f"the alarm {alarm.name}", cpu, _of_alarm(system, alarm))
    (table,) = tables
    cpu = system.counter(table.counter).cpu
    return Timed(f"the schedule table {table.name}", cpu, _of_table(system, table, task.name))


def _activated(action: object) -> str | None:
    return action.task if isinstance(action, Activate) else None


def _is_activated_by_others(system: System, task: str) -> bool:
    steps = (step for each in system.tasks for step in each.body)
    return any(isinstance(step, Activate | Chain) and step.task == task for step in steps) or any(
        _activated(message.action) == task for message in system.messages
    )


def _of_alarm(system: System, alarm: Alarm) -> Interval | str:
    counter = system.counter(alarm.counter)
    if counter.tick_ns is None:
        return f"{counter.name} counts calls"
    if alarm.autostart is None:
        return "it has no autostart"
    cycle = alarm.autostart[1]
    if cycle == 0:
        return "it has no cycle"
    return Interval(cycle * counter.tick_ns, cycle * counter.tick_ns)


def _of_table(system: System, table: ScheduleTable, task: str) -> Interval | str:
    counter = system.counter(table.counter)
    if counter.tick_ns is None:
        return f"{counter.name} counts calls"
    if table.autostart is None:
        return "it has no autostart"
    if not table.repeats:
        return "it does not repeat"
    if table.sync is TableSync.EXPLICIT:
        return "SyncScheduleTable() moves its points"
    gaps = list(_gaps(table, task))
    if min(gaps) == 0:
        return f"it activates {task} twice at once"
    return Interval(min(gaps) * counter.tick_ns, max(gaps) * counter.tick_ns)


def _gaps(table: ScheduleTable, task: str) -> Iterator[int]:
    """Yield the ticks from each activation of a round to the next, the last to the next round."""
    offsets = [
        point.at for point in table.points for signal in point.signals if _activated(signal) == task
    ]
    for before, after in pairwise([*offsets, offsets[0] + table.duration]):
        yield after - before
