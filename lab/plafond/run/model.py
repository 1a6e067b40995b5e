# SPDX-License-Identifier: MIT
"""The report of a run, for programs as for the pictures."""

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
    """Under which circumstances the figures came about."""

    command: str
    date: str
    emulation: str | None = None  # what a time is worth that was not measured on a real processor
    kernel: str
    cpu_model: str
    scale: str
    seed: int
    overheads: str  # what the bounds with overheads contain, or why there are none
    arrivals: str  # "as described", or how else they were chosen
    priority_limit_us: tuple[int | None, int | None]
    cpus: dict[str, list[CpuConditions]]  # by protocol


class RunReport(BaseModel):
    """All protocols of one run."""

    name: str
    target: str  # linux, vm, or a board
    arrivals_are_worst: bool  # see run/worst.py; or they are as described
    has_host: bool  # whether anything but the kernel and its tasks can take the processor
    conditions: Conditions
    rows: list[Measures]
    before: list[CpuBefore] = Field(default=[], exclude_if=operator.not_)  # the runs, on linux
    stops: list[CpuStops] = Field(default=[], exclude_if=operator.not_)  # in them
    sharing: list[SharingMeasures] = Field(default=[], exclude_if=operator.not_)
    threads: list[ThreadMeasures] = Field(default=[], exclude_if=operator.not_)  # with --irqs
    worst_parts: list[Parts] = Field(default=[], exclude_if=operator.not_)
    lost_events: dict[str, int] = Field(default={}, exclude_if=operator.not_)  # by protocol
    cuts: dict[str, str]  # protocol: why its run ended early
    notes: list[str]


@dataclass(frozen=True)
class Execution:
    """A whole run in memory: the system as it was executed (scaled), traces, report."""

    system: System
    traces: dict[str, Trace]  # by protocol, in the order asked for
    report: RunReport
    shown: str | None = None  # the task of the pictures, unless the most urgent
    recorded: Mapping[str, Recorded] = field(default_factory=dict)  # by protocol, with --irqs

    @property
    def clock(self) -> str:
        """What kind of time it has that is none of a real processor; empty: it is one's."""
        return CLOCKS.get(self.report.target, "")

    @property
    def times(self) -> str:
        """The same, to be put behind a name."""
        return f", {self.clock} times" if self.clock else ""

    @property
    def is_on_board(self) -> bool:
        """Whether Plafond's own kernel executed it."""
        return self.report.target in BOARDS

    @property
    def alarms(self) -> list[Measures]:
        """The tasks and protocols whose bound was EXCEEDED."""
        return [row for row in self.report.rows if row.verdict is Verdict.EXCEEDED]

    @property
    def shown_task(self) -> Task:
        """The task that the pictures are about: the one asked for, or one to be alarmed about."""
        names = [self.shown, *(row.task for row in self.alarms)]
        wanted = next(filter(None, names), None)
        named = (task for task in self.system.tasks if task.name == wanted)
        return next(named, self.system.tasks[0])
