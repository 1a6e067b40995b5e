# SPDX-License-Identifier: MIT
"""Alarms of Plafond's own kernel."""

from dataclasses import dataclass
from typing import Annotated

from plafond.describe.body import Action, Activate, SetEvent
from plafond.describe.fields import (
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
    written_as,
)
from plafond.describe.steps import ACTIONS, parse_action


class AlarmFields(Strict):
    """One [alarm.NAME]."""

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
    autostart: Annotated[tuple[TicksOrNone, ...], Listed(2, 2)] | None = field(
        "[FIRST, CYCLE]; it expires so many ticks after the start, where 0 means when "
        "the counter, which starts at 0, is there again; and then each CYCLE, unless that is 0",
        None,
        oil=Oil("AUTOSTART.ALARMTIME AUTOSTART.CYCLETIME", Form.LIST, also="cycle period offset"),
    )
    modes: Modes | None = field(
        "a list of names of modes; those in which autostart counts; without it, all",
        None,
        oil=Oil("AUTOSTART.APPMODE", Form.LIST, also="appmodes"),
    )
    application: Membership = None
    access: Access = ()


@dataclass(frozen=True)
class Alarm:
    """What happens when a counter has come to some value."""

    name: str
    counter: str
    action: Action
    autostart: tuple[int, int] | None  # first, after the start, and cycle: in ticks
    modes: tuple[str, ...] = ()  # of autostart; none: all

    @property
    def task(self) -> str | None:
        """The task that it activates, or whose event it sets."""
        return self.action.task if isinstance(self.action, Activate | SetEvent) else None
