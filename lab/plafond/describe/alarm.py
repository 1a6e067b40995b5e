# SPDX-License-Identifier: MIT
"""Alarms of Plafond's own kernel."""

from collections.abc import Iterator
from typing import Annotated

from plafond.describe.body import Action, Activate, Increment, SetEvent
from plafond.describe.counter import Counter
from plafond.describe.fields import (
    Access,
    Form,
    Listed,
    Membership,
    Modes,
    Name,
    Oil,
    TicksOrNone,
    field,
    written_as,
)
from plafond.describe.named import Known, Named
from plafond.describe.problems import Problem, Where
from plafond.describe.steps import ACTIONS, parse_action


class Alarm(Named):
    """A table [alarm.NAME]: acts when its counter reaches a value."""

    table = "alarm"
    oil_kind = "ALARM"
    oil = """
        COUNTER_TYPE COUNTER;
        APPLICATION_TYPE ACCESSING_APPLICATION[] : "as of TASK";
        ENUM [
          ACTIVATETASK { TASK_TYPE TASK; },
          SETEVENT { TASK_TYPE TASK; EVENT_TYPE EVENT; },
          ALARMCALLBACK { STRING ALARMCALLBACKNAME = NO_DEFAULT; },
          INCREMENTCOUNTER { COUNTER_TYPE COUNTER; }
        ] ACTION = NO_DEFAULT;
        BOOLEAN [
          TRUE {
            ENUM [ABSOLUTE, RELATIVE] TYPE = ABSOLUTE : "SetAbsAlarm() or SetRelAlarm()";
            UINT32 ALARMTIME = NO_DEFAULT : "ticks; 0: after the highest value";
            UINT32 CYCLETIME = NO_DEFAULT : "ticks; 0: once";
            APPMODE_TYPE APPMODE[];
          },
          FALSE
        ] AUTOSTART = FALSE;
    """

    counter: Name = field("the name of one counter", oil=Oil("COUNTER"))
    action: Annotated[Action, written_as(parse_action)] = field(
        f"{ACTIONS}; FUNCTION is ALARMCALLBACK(FUNCTION) of a trusted file, and "
        "COUNTER one without tick",
        oil=Oil(
            "ACTION",
            Form.ACTION,
            also="task event activatetask setevent alarmcallback alarmcallbackname callback "
            "incrementcounter",
        ),
    )
    autostart: Annotated[tuple[TicksOrNone, TicksOrNone], Listed(2, 2)] | None = field(
        "[FIRST, CYCLE]; it expires so many ticks after the start, where 0 means when "
        "the counter, which starts at 0, is there again; and then each CYCLE, unless that is 0",
        None,
        oil=Oil("AUTOSTART.ALARMTIME AUTOSTART.CYCLETIME", Form.LIST, also="cycle period offset"),
    )
    modes: Modes = field(
        "a list of names of modes; those in which autostart counts; without it, all",
        (),
        oil=Oil("AUTOSTART.APPMODE", Form.LIST, also="appmodes"),
    )
    application: Membership = None
    access: Access = ()

    @property
    def task(self) -> str | None:
        """Return the task that the alarm activates, or whose event it sets."""
        return self.action.task if isinstance(self.action, Activate | SetEvent) else None

    def start(self, counter: Counter) -> tuple[int, int] | None:
        """Return the ticks from the start to the first expiry, and the cycle.

        A counter starts at 0, so an alarm at 0 first expires when the counter has wrapped.
        """
        if self.autostart is None:
            return None
        first, cycle = self.autostart
        return first or counter.highest + 1, cycle

    def problems(self, known: Known) -> Iterator[Problem]:
        """Yield unknown names, and ticks outside the counter's range."""
        expected: str | None = None
        match self.action:
            case Activate() | SetEvent():
                expected = known.wrong_signal(self.action)
            case Increment(counted):
                expected = known.wrong("counter", counted)
        if expected:
            yield Problem((*self.where, "action"), str(self.action), expected)
        expected = known.wrong("counter", self.counter)
        if expected:
            yield Problem((*self.where, "counter"), self.counter, expected)
        counter = known.find(Counter, self.counter)
        if counter and self.autostart:
            yield from self._problems_of_autostart(*self.autostart, counter)

    def _problems_of_autostart(self, first: int, cycle: int, counter: Counter) -> Iterator[Problem]:
        where: Where = (*self.where, "autostart")
        least, most = counter.shortest_cycle, counter.highest
        if first > most:
            yield Problem((*where, 0), str(first), f"from 0 to highest, which is {most}")
        if cycle and not least <= cycle <= most:
            expected = f"0, or from min_cycle, {least}, to highest, {most}"
            yield Problem((*where, 1), str(cycle), expected)
