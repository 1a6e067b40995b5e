# SPDX-License-Identifier: MIT
"""What `plafond analyse --slots` derives."""

from pydantic import BaseModel, ConfigDict

from plafond.describe.kernel import Scheduler


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class SlotRow(_Part):
    """The slot of a server in each period."""

    server: str
    clock_mhz: int | None  # of its own board
    normalisation: float  # how much faster that is than the slowest board
    utilisation: float  # of its own board
    alpha: float  # how much more time it gets than its tasks ask for
    share: float  # of the host
    start_ns: int
    budget_ns: int


class HostTaskRow(_Part):
    """The run time of a task, on its own board and on the host."""

    task: str
    server: str
    period_ns: int
    run_ns: int
    host_run_ns: int  # rounded up


class PeriodRow(_Part):
    """By how much the host must be faster yet if slots have another period; None: not known."""

    period_ns: int
    speed_ups: dict[str, float | None]  # by server
    speed_up: float | None  # the largest of them


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
