# SPDX-License-Identifier: MIT
"""Schedule tables of Plafond's own kernel."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from plafond.describe.body import Signal
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
from plafond.describe.steps import SIGNALS, parse_signal
from plafond.words import suggestion

STARTS = "relative TICKS, absolute TICKS or synchron"


class StartKind(StrEnum):
    """What the ticks of an autostart count from."""

    RELATIVE = "relative"  # the start
    ABSOLUTE = "absolute"  # the counter's 0
    SYNCHRON = "synchron"  # it waits for its synchronisation: there are no ticks


@dataclass(frozen=True)
class TableStart:
    """How the start of the kernel starts a schedule table."""

    kind: StartKind
    ticks: int = 0

    def __str__(self) -> str:
        """Return it as it is written."""
        return self.kind if self.kind is StartKind.SYNCHRON else f"{self.kind} {self.ticks}"


def parse_start(text: str) -> TableStart:
    """Turn `relative 10` into how a schedule table starts; ValueError says what was expected."""
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
    """Which time a schedule table follows."""

    NONE = "none"
    IMPLICIT = "implicit"  # its counter is that time
    EXPLICIT = "explicit"  # SyncScheduleTable says it


class PointFields(Strict):
    """An expiry point, in the list `points` of its [schedule_table.NAME]."""

    at: TicksOrNone = field(
        f"{ticks(0)}; so long after the beginning of the table it expires", oil=Oil("OFFSET")
    )
    do: Annotated[tuple[Annotated[Signal, written_as(parse_signal)], ...], Listed(1)] = field(
        f"a list of at least one of {SIGNALS}; activations come first",
        oil=Oil("ACTION", Form.ACTION),
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


class ScheduleTableFields(Strict):
    """One [schedule_table.NAME]."""

    counter: Name = field("the name of one counter", oil=Oil("COUNTER"))
    duration: Annotated[int, Field(ge=0, le=MOST_TICKS + 1)] = field(
        f"a whole number from 0 to {MOST_TICKS + 1}; after so many ticks it ends, or begins again",
        oil=Oil("LENGTH DURATION"),
    )
    repeating: bool = field(
        "true or false; whether it begins again where it ends",
        False,
        oil=Oil("PERIODIC REPEATING", Form.TRUE),
    )
    points: Annotated[tuple[PointFields, ...], Listed(1, 1000)] = field(
        "a list of 1 to 1000 tables; at and do of each expiry point, in their order, "
        "and if it may be adjusted shorten and lengthen",
        oil=Oil("EXPIRY_POINT", Form.POINTS),
    )
    autostart: Annotated[TableStart, written_as(parse_start)] | None = field(
        f"{STARTS}; it begins so many ticks after the start of the kernel, or when "
        "the counter next has that value, or waits for SyncScheduleTable",
        None,
        oil=Oil("AUTOSTART", Form.ACTION),
    )
    sync: Annotated[str, one_of(list(TableSync))] = field(
        f"one of {', '.join(TableSync)}; which time it follows: none; that of its "
        "counter, of which it then takes a whole round; or the one that SyncScheduleTable says",
        TableSync.NONE.value,
        oil=Oil("LOCAL_TO_GLOBAL_TIME_SYNCHRONIZATION.SYNC_STRATEGY", Form.WORD),
    )
    precision: TicksOrNone | None = field(
        f'{ticks(0)}; with sync = "explicit": so far off it counts as synchronous; without it, 0',
        None,
        oil=Oil("LOCAL_TO_GLOBAL_TIME_SYNCHRONIZATION.PRECISION"),
    )
    modes: Modes | None = field(
        "a list of names of modes; those in which autostart counts; without it, all",
        None,
        oil=Oil("AUTOSTART.APPMODE", Form.LIST, also="appmodes"),
    )
    application: Membership = None
    access: Access = ()


@dataclass(frozen=True)
class ExpiryPoint:
    """What a schedule table does so many ticks after its beginning."""

    at: int
    signals: tuple[Signal, ...]
    shorten: int = 0  # by so much the way to it may become shorter, or longer
    lengthen: int = 0


@dataclass(frozen=True)
class ScheduleTable:
    """Expiry points, one after the other; times in ticks of the counter."""

    name: str
    counter: str
    duration: int
    repeats: bool
    points: tuple[ExpiryPoint, ...]
    autostart: TableStart | None
    modes: tuple[str, ...] = ()  # of autostart; none: all
    sync: TableSync = TableSync.NONE
    precision: int = 0

    @property
    def signals(self) -> tuple[Signal, ...]:
        """What all of its points do."""
        return tuple(each for point in self.points for each in point.signals)
