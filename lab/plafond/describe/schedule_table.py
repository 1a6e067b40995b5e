# SPDX-License-Identifier: MIT
"""Schedule tables of Plafond's own kernel."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from plafond.describe.body import SetEvent, Signal
from plafond.describe.counter import Counter
from plafond.describe.fields import (
    MOST_TICKS,
    Access,
    Form,
    Listed,
    Membership,
    Modes,
    Name,
    Oil,
    Strict,
    TicksOrNone,
    field,
    one_of,
    ticks,
    written_as,
)
from plafond.describe.named import Known, Named
from plafond.describe.problems import Problem, Where
from plafond.describe.steps import SIGNALS, parse_signal
from plafond.words import suggestion

STARTS = "relative TICKS, absolute TICKS or synchron"


class StartKind(StrEnum):
    """The origin of an autostart's ticks."""

    RELATIVE = "relative"  # the start of the kernel
    ABSOLUTE = "absolute"  # value 0 of the counter
    SYNCHRON = "synchron"  # none: the table waits for synchronisation


@dataclass(frozen=True)
class TableStart:
    """An autostart of a schedule table."""

    kind: StartKind
    ticks: int = 0

    def __str__(self) -> str:
        """Return the start as a description has it."""
        return self.kind if self.kind is StartKind.SYNCHRON else f"{self.kind} {self.ticks}"


def parse_start(text: str) -> TableStart:
    """Turn `relative 10` into a start; ValueError has the text of the expected form."""
    kind, *arguments = text.split() or [""]
    kinds = {each.value: each for each in StartKind}
    if kind not in kinds:
        raise ValueError(STARTS + suggestion(kind, list(kinds)))
    if kind == StartKind.SYNCHRON and not arguments:
        return TableStart(StartKind.SYNCHRON)
    if kind == StartKind.SYNCHRON or len(arguments) != 1:
        raise ValueError(STARTS)
    if not re.fullmatch("[0-9]{1,10}", arguments[0], re.ASCII):
        raise ValueError(f"{STARTS}, with a whole number of ticks")
    return TableStart(kinds[kind], int(arguments[0]))


class TableSync(StrEnum):
    """The time that a schedule table follows."""

    NONE = "none"
    IMPLICIT = "implicit"  # the time that its counter counts
    EXPLICIT = "explicit"  # the time that SyncScheduleTable gives


class ExpiryPoint(Strict):
    """An expiry point, in the list `points` of its [schedule_table.NAME]."""

    at: TicksOrNone = field(
        f"{ticks(0)}; so long after the beginning of the table it expires", oil=Oil("OFFSET")
    )
    signals: Annotated[tuple[Annotated[Signal, written_as(parse_signal)], ...], Listed(1)] = field(
        f"a list of at least one of {SIGNALS}; activations come first",
        alias="do",
        oil=Oil("ACTION", Form.ACTIONS),
    )
    shorten: TicksOrNone = field(
        f'{ticks(0)}; with sync = "explicit": by so much at most the way to it from '
        "the point before becomes shorter, to catch up",
        0,
        oil=Oil("ADJUSTABLE.MAX_RETARD"),
    )
    lengthen: TicksOrNone = field(
        f"{ticks(0)}; the same: by so much it becomes longer", 0, oil=Oil("ADJUSTABLE.MAX_ADVANCE")
    )

    @property
    def ordered_signals(self) -> list[Signal]:
        """Return the signals; activations come first (SWS_Os_00412)."""
        return sorted(self.signals, key=lambda each: isinstance(each, SetEvent))


class ScheduleTable(Named):
    """A table [schedule_table.NAME]: expiry points at ticks of a counter.

    The distance between two expiry points is at least the counter's shortest cycle, and at most a
    round of the counter. So a table cannot keep the processor from the tasks. Alarms obey the same
    rule. AUTOSAR OS 4.x, Section 7.3.
    """

    table = "schedule_table"
    oil_kind = "SCHEDULETABLE"
    oil = """
        COUNTER_TYPE COUNTER;
        APPLICATION_TYPE ACCESSING_APPLICATION[] : "as of TASK";
        UINT32 LENGTH : "ticks; this, or DURATION";
        UINT32 DURATION;
        BOOLEAN PERIODIC : "whether it repeats; this, or REPEATING, or neither: no";
        BOOLEAN REPEATING;
        ENUM [
          NONE,
          FALSE,
          ABSOLUTE { UINT32 START = NO_DEFAULT; APPMODE_TYPE APPMODE[]; },
          RELATIVE { UINT32 OFFSET = NO_DEFAULT; APPMODE_TYPE APPMODE[]; },
          SYNCHRON { APPMODE_TYPE APPMODE[]; }
        ] AUTOSTART = NONE;
        BOOLEAN [
          TRUE { ENUM [IMPLICIT, EXPLICIT] SYNC_STRATEGY = NO_DEFAULT; UINT32 PRECISION; },
          FALSE
        ] LOCAL_TO_GLOBAL_TIME_SYNCHRONIZATION = FALSE;
        STRUCT {
          UINT32 OFFSET = NO_DEFAULT : "ticks from the beginning; the points in any order";
          ENUM [
            ACTIVATETASK { TASK_TYPE TASK; },
            SETEVENT { TASK_TYPE TASK; EVENT_TYPE EVENT; }
          ] ACTION[];
          BOOLEAN [
            TRUE {
              UINT32 MAX_ADVANCE = 0 : "by so much the way to it may become longer";
              UINT32 MAX_RETARD = 0 : "and by so much shorter";
            },
            FALSE
          ] ADJUSTABLE = FALSE;
        } EXPIRY_POINT[];
    """

    counter: Name = field("the name of one counter", oil=Oil("COUNTER"))
    duration: Annotated[int, Field(ge=0, le=MOST_TICKS + 1)] = field(
        f"a whole number from 0 to {MOST_TICKS + 1}; after so many ticks it ends, or begins again",
        oil=Oil("LENGTH DURATION"),
    )
    repeats: bool = field(
        "true or false; whether it begins again where it ends",
        False,
        alias="repeating",
        oil=Oil("PERIODIC REPEATING", Form.TRUE),
    )
    points: Annotated[tuple[ExpiryPoint, ...], Listed(1, 1000)] = field(
        "a list of 1 to 1000 tables; at and do of each expiry point, in their order, "
        "and if it may be adjusted shorten and lengthen",
        oil=Oil("EXPIRY_POINT", Form.POINTS),
    )
    autostart: Annotated[TableStart, written_as(parse_start)] | None = field(
        f"{STARTS}; it begins so many ticks after the start of the kernel, or when "
        "the counter next has that value, or waits for SyncScheduleTable",
        None,
        oil=Oil("AUTOSTART", Form.START),
    )
    sync: Annotated[TableSync, one_of(TableSync)] = field(
        f"one of {', '.join(TableSync)}; which time it follows: none; that of its "
        "counter, of which it then takes a whole round; or the one that SyncScheduleTable says",
        TableSync.NONE,
        oil=Oil("LOCAL_TO_GLOBAL_TIME_SYNCHRONIZATION.SYNC_STRATEGY", Form.WORD),
    )
    precision: TicksOrNone | None = field(
        f'{ticks(0)}; with sync = "explicit": so far off it counts as synchronous; without it, 0',
        None,
        oil=Oil("LOCAL_TO_GLOBAL_TIME_SYNCHRONIZATION.PRECISION"),
    )
    modes: Modes = field(
        "a list of names of modes; those in which autostart counts; without it, all",
        (),
        oil=Oil("AUTOSTART.APPMODE", Form.LIST, also="appmodes"),
    )
    application: Membership = None
    access: Access = ()

    @property
    def signals(self) -> tuple[Signal, ...]:
        """Return the signals of all points."""
        return tuple(each for point in self.points for each in point.signals)

    def problems(self, known: Known) -> Iterator[Problem]:
        """Yield unknown names, and ticks that do not fit the counter or each other."""
        for index, point in enumerate(self.points):
            for number, signal in enumerate(point.signals):
                expected = known.wrong_signal(signal)
                if expected:
                    where: Where = (*self.where, "points", index, "do", number)
                    yield Problem(where, str(signal), expected)
        expected = known.wrong("counter", self.counter)
        if expected:
            yield Problem((*self.where, "counter"), self.counter, expected)
        counter = known.find(Counter, self.counter)
        if counter:
            yield from self._problems_of_times(counter)
            yield from self._problems_of_start(counter)
            yield from self._problems_of_sync(counter)

    def _problems_of_times(self, counter: Counter) -> Iterator[Problem]:
        least, most = counter.shortest_cycle, counter.highest
        between = f"from min_cycle, {least}, to highest, {most}"
        first, last = self.points[0].at, self.points[-1].at
        if first and not least <= first <= most:
            yield Problem((*self.where, "points", 0, "at"), str(first), f"0, or {between}")
        for index, (before, point) in enumerate(
            zip(self.points, self.points[1:], strict=False), start=1
        ):
            if not least <= point.at - before.at <= most:
                expected = f"{between}, behind the point before it, at {before.at}"
                yield Problem((*self.where, "points", index, "at"), str(point.at), expected)
        rest = self.duration - last
        if not least <= rest <= most and (rest or self.repeats):
            often = between if self.repeats else f"0, or {between}"
            expected = f"{often}, more than the offset of the last point, {last}"
            yield Problem((*self.where, "duration"), str(self.duration), expected)

    def _problems_of_start(self, counter: Counter) -> Iterator[Problem]:
        start = self.autostart
        if start is None:
            return
        first = self.points[0].at
        expected = self._wrong_kind(start.kind)
        if start.kind is StartKind.ABSOLUTE:
            least, most, why = 0, counter.highest, "highest"
        else:
            least, most, why = (
                1,
                counter.highest - first,
                "highest less the offset of the first point",
            )
        if (
            not expected
            and start.kind is not StartKind.SYNCHRON
            and not least <= start.ticks <= most
        ):
            expected = f"from {least} to {most}, which is {why}"
        if expected:
            yield Problem((*self.where, "autostart"), str(start), expected)

    def _wrong_kind(self, kind: StartKind) -> str | None:
        """Return the expected start if the table's strategy excludes this kind of start."""
        if kind is StartKind.SYNCHRON and self.sync is not TableSync.EXPLICIT:
            return f'sync = "explicit": a table with sync = "{self.sync}" waits for nothing'
        if kind is StartKind.RELATIVE and self.sync is TableSync.IMPLICIT:
            return 'absolute TICKS: with sync = "implicit" the counter says when it begins'
        return None

    def _problems_of_sync(self, counter: Counter) -> Iterator[Problem]:
        around = counter.highest + 1
        if self.sync is TableSync.IMPLICIT and self.duration != around:
            expected = f'{around}, a round of the counter: sync = "implicit"'
            yield Problem((*self.where, "duration"), str(self.duration), expected)
        if self.sync is not TableSync.EXPLICIT:
            yield from self._problems_without_sync()
            return
        if not 1 <= self.duration <= around:
            expected = f'from 1 to {around}, a round of the counter: sync = "explicit"'
            yield Problem((*self.where, "duration"), str(self.duration), expected)
        if (self.precision or 0) > self.duration:
            expected = f"at most the duration, {self.duration}"
            yield Problem((*self.where, "precision"), str(self.precision), expected)
        yield from self._problems_of_ways(counter)

    def _problems_without_sync(self) -> Iterator[Problem]:
        expected = 'sync = "explicit", which it is about'
        if self.precision is not None:
            yield Problem((*self.where, "precision"), str(self.precision), expected)
        for index, point in enumerate(self.points):
            for name in ("shorten", "lengthen"):
                if name in point.model_fields_set:
                    found = str(getattr(point, name))
                    yield Problem((*self.where, "points", index, name), found, expected)

    def _problems_of_ways(self, counter: Counter) -> Iterator[Problem]:
        """Yield adjustments that make the way to a point too short or too long.

        The way to the first point is adjusted after the last point, before the round ends.
        """
        least = counter.shortest_cycle
        rest = self.duration - self.points[-1].at
        before = -rest
        for index, point in enumerate(self.points):
            way, before = point.at - before, point.at
            most = way - least if index else min(way - least, rest)
            if point.shorten > max(most, 0):
                expected = f"at most {max(most, 0)}: so much of the way to it may be left out"
                yield Problem(
                    (*self.where, "points", index, "shorten"), str(point.shorten), expected
                )
            if point.lengthen > max(counter.highest - way, 0):
                expected = (
                    f"at most {max(counter.highest - way, 0)}: the way to it has {way} already"
                )
                yield Problem(
                    (*self.where, "points", index, "lengthen"), str(point.lengthen), expected
                )
