# SPDX-License-Identifier: MIT
"""What a schedule table must keep: AUTOSAR OS 4.x, Section 7.3.

Between one expiry point and the next there is at least the shortest cycle of the counter, and at
most what the counter counts; so no table keeps the processor from the tasks, as no alarm does.
"""

from collections.abc import Iterator, Mapping

from plafond.describe.counter import CounterFields, least_cycle
from plafond.describe.kernel_rules import described_counter, wrong_signal
from plafond.describe.problems import Problem, Where
from plafond.describe.rules import Known
from plafond.describe.schedule_table import ScheduleTableFields, StartKind, TableSync


def problems_of_schedule_tables(
    tables: Mapping[str, ScheduleTableFields],
    counters: Mapping[str, CounterFields],
    named_counters: list[str],
    known: Known,
) -> Iterator[Problem]:
    """Each table with its counter, and what its points are for."""
    for name, table in tables.items():
        where: Where = ("schedule_table", name)
        yield from _problems_of_signals(where, table, known)
        if table.counter not in named_counters:
            expected = described_counter(table.counter, named_counters)
            yield Problem((*where, "counter"), table.counter, expected)
        elif table.counter in counters:
            counter = counters[table.counter]
            yield from _problems_of_times(where, table, counter)
            yield from _problems_of_start(where, table, counter)
            yield from _problems_of_sync(where, table, counter)


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
    expected = _wrong_kind(table.sync, start.kind)
    if start.kind is StartKind.ABSOLUTE:
        least, most, why = 0, counter.highest, "highest"
    else:
        least, most, why = 1, counter.highest - first, "highest less the offset of the first point"
    if not expected and start.kind is not StartKind.SYNCHRON and not least <= start.ticks <= most:
        expected = f"from {least} to {most}, which is {why}"
    if expected:
        yield Problem((*where, "autostart"), str(start), expected)


def _wrong_kind(sync: str, kind: StartKind) -> str | None:
    """What was expected of a table that starts in a way that its strategy does not have."""
    if kind is StartKind.SYNCHRON and sync != TableSync.EXPLICIT:
        return f'sync = "explicit": a table with sync = "{sync}" waits for nothing'
    if kind is StartKind.RELATIVE and sync == TableSync.IMPLICIT:
        return 'absolute TICKS: with sync = "implicit" the counter says when it begins'
    return None


def _problems_of_sync(
    where: Where, table: ScheduleTableFields, counter: CounterFields
) -> Iterator[Problem]:
    around = counter.highest + 1
    if table.sync == TableSync.IMPLICIT and table.duration != around:
        expected = f'{around}, a round of the counter: sync = "implicit"'
        yield Problem((*where, "duration"), str(table.duration), expected)
    if table.sync != TableSync.EXPLICIT:
        yield from _problems_without_sync(where, table)
        return
    if not 1 <= table.duration <= around:
        expected = f'from 1 to {around}, a round of the counter: sync = "explicit"'
        yield Problem((*where, "duration"), str(table.duration), expected)
    if (table.precision or 0) > table.duration:
        expected = f"at most the duration, {table.duration}"
        yield Problem((*where, "precision"), str(table.precision), expected)
    yield from _problems_of_ways(where, table, counter)


def _problems_without_sync(where: Where, table: ScheduleTableFields) -> Iterator[Problem]:
    expected = 'sync = "explicit", which it is about'
    if table.precision is not None:
        yield Problem((*where, "precision"), str(table.precision), expected)
    for index, point in enumerate(table.points):
        for field in ("shorten", "lengthen"):
            if field in point.model_fields_set:
                found = str(getattr(point, field))
                yield Problem((*where, "points", index, field), found, expected)


def _problems_of_ways(
    where: Where, table: ScheduleTableFields, counter: CounterFields
) -> Iterator[Problem]:
    """Of the way to each point, as short and as long as it may become.

    That to the first one is adjusted before the end of the round, behind the last one.
    """
    least = counter.min_cycle or least_cycle(counter.tick)
    rest = table.duration - table.points[-1].at
    before = -rest
    for index, point in enumerate(table.points):
        way, before = point.at - before, point.at
        most = way - least if index else min(way - least, rest)
        if point.shorten > max(most, 0):
            expected = f"at most {max(most, 0)}: so much of the way to it may be left out"
            yield Problem((*where, "points", index, "shorten"), str(point.shorten), expected)
        if point.lengthen > max(counter.highest - way, 0):
            expected = f"at most {max(counter.highest - way, 0)}: the way to it has {way} already"
            yield Problem((*where, "points", index, "lengthen"), str(point.lengthen), expected)
