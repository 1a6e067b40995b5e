# SPDX-License-Identifier: MIT
"""The report of a run, for other programs and for the pictures."""

import operator
from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel, Field

from plafond.board.boards import BOARDS
from plafond.describe.system import System, Task
from plafond.kernel_trace.model import ThreadMeasures
from plafond.kernel_trace.parts import Parts
from plafond.run.recorded import Recorded
from plafond.run.stops import CpuStops
from plafond.trace.measures import Measures
from plafond.trace.model import CpuConditions, Trace
from plafond.trace.sharing import SharingMeasures
from plafond.trace.verdicts import Verdict
from plafond.witness import CpuBefore

CLOCKS = {"vm": "emulated", "a53": "emulated", "sim": "virtual"}


class Conditions(BaseModel):
    """The circumstances under which the figures were measured."""

    command: str
    date: str
    emulation: str | None = None  # how far times that no real processor measured can be trusted
    kernel: str
    cpu_model: str
    scale: str
    seed: int
    overheads: str  # the source of the overheads in the bounds, or the reason why there are none
    arrivals: str  # "as described", or the other way in which they were chosen
    priority_limit_us: tuple[int | None, int | None]
    cpus: dict[str, list[CpuConditions]]  # by protocol


class RunReport(BaseModel):
    """The results of a run under all its protocols."""

    name: str
    target: str  # linux, vm, or the name of a board
    arrivals_are_worst: bool  # chosen by run/worst.py; otherwise they are as described
    has_host: bool  # whether anything except the kernel and its tasks can take the processor
    conditions: Conditions
    rows: list[Measures]
    # stops before the runs, on linux only
    before: list[CpuBefore] = Field(default=[], exclude_if=operator.not_)
    stops: list[CpuStops] = Field(default=[], exclude_if=operator.not_)  # stops during the runs
    sharing: list[SharingMeasures] = Field(default=[], exclude_if=operator.not_)
    threads: list[ThreadMeasures] = Field(default=[], exclude_if=operator.not_)  # with --irqs
    worst_parts: list[Parts] = Field(default=[], exclude_if=operator.not_)
    lost_events: dict[str, int] = Field(default={}, exclude_if=operator.not_)  # by protocol
    cuts: dict[str, str]  # by protocol: the reason why its run ended early
    notes: list[str]


@dataclass(frozen=True)
class Execution:
    """A whole run in memory: the system as executed (scaled), its traces and the report."""

    system: System
    traces: dict[str, Trace]  # by protocol, in the order of --protocol
    report: RunReport
    shown: str | None = None  # the task of the pictures; None: see `shown_task`
    recorded: Mapping[str, Recorded] = field(default_factory=dict)  # by protocol, only with --irqs

    @property
    def clock(self) -> str:
        """Return the kind of time: emulated, virtual, or empty if a real processor measured it."""
        return CLOCKS.get(self.report.target, "")

    @property
    def times(self) -> str:
        """Return the kind of time as a phrase to put behind a name."""
        return f", {self.clock} times" if self.clock else ""

    @property
    def is_on_board(self) -> bool:
        """Return whether Plafond's own kernel executed the system."""
        return self.report.target in BOARDS

    @property
    def alarms(self) -> list[Measures]:
        """Return the rows whose bound was EXCEEDED: each is a task under a protocol."""
        return [row for row in self.report.rows if row.verdict is Verdict.EXCEEDED]

    @property
    def shown_task(self) -> Task:
        """Return the task that the pictures show.

        It is the task that --task names, else the first task whose bound was exceeded, else the
        most urgent task.
        """
        names = [self.shown, *(row.task for row in self.alarms)]
        wanted = next(filter(None, names), None)
        named = (task for task in self.system.tasks if task.name == wanted)
        return next(named, self.system.tasks[0])
