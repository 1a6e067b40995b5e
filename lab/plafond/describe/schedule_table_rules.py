# SPDX-License-Identifier: MIT
"""What a schedule table must keep: AUTOSAR OS 4.x, Section 7.3.

Between one expiry point and the next there is at least the shortest cycle of the counter, and at
most what the counter counts; so no table keeps the processor from the tasks, as no alarm does.
"""

from collections.abc import Iterator, Mapping

from plafond.describe.kernel import StartKind, least_cycle
from plafond.describe.kernel_rules import described_counter, wrong_signal
from plafond.describe.problems import Problem, Where
from plafond.describe.rules import Known
from plafond.describe.schema import CounterFields, ScheduleTableFields, ServerFields


def problems_of_schedule_tables(
    tables: Mapping[str, ScheduleTableFields],
    counters: Mapping[str, CounterFields],
    named_counters: list[str],
    servers: Mapping[str, ServerFields],
    known: Known,
) -> Iterator[Problem]:
    """Each table with its counter, and what its points are for."""
    for name, table in tables.items():
        where: Where = ("schedule_table", name)
        if servers:
            expected = "alarms: no server pays for what a schedule table does"
            yield Problem(where, "a schedule table, with servers", expected)
        yield from _problems_of_signals(where, table, known)
        if table.counter not in named_counters:
            expected = described_counter(table.counter, named_counters)
            yield Problem((*where, "counter"), table.counter, expected)
        elif table.counter in counters:
            counter = counters[table.counter]
            yield from _problems_of_times(where, table, counter)
            yield from _problems_of_start(where, table, counter)


def _problems_of_signals(
    where: Where, table: ScheduleTableFields, known: Known
) -> Iterator[Problem]:
    for index, point in enumerate(table.points):
        for number, signal in enumerate(point.do):
            expected = wrong_signal(signal, known)
            if expected:
                yield Problem((*where, "points", index, "do", number), str(signal), expected)


def _problems_of_times(
    where: Where, table: ScheduleTableFields, counter: CounterFields
) -> Iterator[Problem]:
    least, most = counter.min_cycle or least_cycle(counter.tick), counter.highest
    between = f"from min_cycle, {least}, to highest, {most}"
    first, last = table.points[0].at, table.points[-1].at
    if first and not least <= first <= most:
        yield Problem((*where, "points", 0, "at"), str(first), f"0, or {between}")
    for index, (before, point) in enumerate(
        zip(table.points, table.points[1:], strict=False), start=1
    ):
        if not least <= point.at - before.at <= most:
            expected = f"{between}, behind the point before it, at {before.at}"
            yield Problem((*where, "points", index, "at"), str(point.at), expected)
    rest = table.duration - last
    if not least <= rest <= most and (rest or table.repeating):
        often = between if table.repeating else f"0, or {between}"
        expected = f"{often}, more than the offset of the last point, {last}"
        yield Problem((*where, "duration"), str(table.duration), expected)


def _problems_of_start(
    where: Where, table: ScheduleTableFields, counter: CounterFields
) -> Iterator[Problem]:
    start = table.autostart
    if start is None:
        return
    first = table.points[0].at
    if start.kind is StartKind.ABSOLUTE:
        least, most, why = 0, counter.highest, "highest"
    else:
        least, most, why = 1, counter.highest - first, "highest less the offset of the first point"
    if not least <= start.ticks <= most:
        expected = f"from {least} to {most}, which is {why}"
        yield Problem((*where, "autostart"), str(start), expected)
