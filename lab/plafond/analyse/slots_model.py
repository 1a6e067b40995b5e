# SPDX-License-Identifier: MIT
"""The report of `plafond analyse --slots`."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict

from plafond.describe.kernel import Scheduler
from plafond.rows import Column, duration


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class SlotRow(_Part):
    """The slot of a server in each period."""

    server: Annotated[str, Column("server")]
    # Of the server's board.
    clock_mhz: Annotated[int | None, Column("board", format="{} MHz".format, missing="-")]
    normalisation: float  # its clock over the clock of the slowest board
    utilisation: Annotated[float, Column("utilisation", format=".1%")]  # of the board
    # The time that the server gets over the time that its tasks ask for.
    alpha: Annotated[float, Column("alpha", format=".4g")]
    share: Annotated[float, Column("share", format=".1%")]  # of the host
    start_ns: Annotated[int, duration("start")]
    budget_ns: Annotated[int, duration("budget")]


class HostTaskRow(_Part):
    """The run time of a task, on the server's board and on the host."""

    task: Annotated[str, Column("task")]
    server: Annotated[str, Column("server")]
    period_ns: Annotated[int, duration("period")]
    run_ns: Annotated[int, duration("run")]
    host_run_ns: Annotated[int, duration("on the host")]  # rounded up


class PeriodRow(_Part):
    """How many times faster still the host must be for another period of slots; None: not known."""

    period_ns: Annotated[int, duration("period")]
    # By server.
    speed_ups: Annotated[dict[str, float | None], Column(str, format=".4g", missing="-")]
    # The largest of all servers.
    speed_up: Annotated[float | None, Column("speed-up", format=".4g", missing="-")]


class SlotsReport(_Part):
    """Slots for all servers on one processor."""

    name: str
    scheduler: Scheduler
    period_ns: int
    speed_up: float  # of the host, over the slowest board
    host_mhz: float | None
    slots: tuple[SlotRow, ...]
    tasks: tuple[HostTaskRow, ...]
    periods: tuple[PeriodRow, ...]
    notes: tuple[str, ...]
