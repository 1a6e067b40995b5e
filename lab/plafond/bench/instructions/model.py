# SPDX-License-Identifier: MIT
"""The report of `plafond bench instructions`; its JSON is the output of `--format json`."""

from enum import StrEnum
from typing import Annotated

from plafond.bench.model import Part, Target
from plafond.rows import Column


def count(value: float) -> str:
    """Return a count of instructions."""
    return f"{round(value, 2):.7g}"


def _where(at_ceiling: bool) -> str:
    return "at the ceiling" if at_ceiling else "below the ceiling"


def _when(inside: bool) -> str:
    return "in the section" if inside else "after it"


class Loaded(StrEnum):
    """The modules and libraries that are loaded; also the name of that part of the program."""

    NOTHING = "stock"
    FRAMES = "frames"  # the drop-in without a module
    MODULE = "module"
    DROP_IN = "drop-in"
    DRIVER = "driver"


class Figure(Part):
    """The counted cost of a round; see bench/instructions.h."""

    group: str
    lock: str
    scene: str
    least: float
    median: float
    most: float
    mean: float
    same: int  # number of samples that equal `least`
    switches: float | None = None
    inside: bool | None = None  # whether the arrival worked inside the section


class ProgramConditions(Part):
    """The conditions that the program reports of itself and its kernel."""

    kernel: str
    libc: str
    compiler: str
    flags: str
    priority: int
    arrival_priority: int
    ceiling: int
    samples: int


class Output(Part):
    """The whole output of a part of the program."""

    conditions: ProgramConditions
    figures: list[Figure]


class Conditions(ProgramConditions):
    """The conditions of the figures, and how they were counted."""

    unstable: int  # number of figures whose least and median differ
    notes: list[str]


class WayRow(Part):
    """A way to lock; None if the scene is impossible."""

    lock: Annotated[str, Column("lock")]
    pair: Annotated[float, Column("pair", format=count)]
    nested: Annotated[float, Column("3 nested", format=count)]
    uses_lock: Annotated[float | None, Column("arrival locks", format=count)]
    passes_by: Annotated[float | None, Column("passes by", format=count)]
    # Added to every pass of other threads through the scheduler.
    schedule: Annotated[float, Column("others' __schedule", format=count)]


class DropInRow(Part):
    """A pair of a pthread mutex, by glibc and with the drop-in preloaded."""

    mutex: Annotated[str, Column("mutex")]
    plain: Annotated[float, Column("plain", format=count)]
    preloaded: Annotated[float, Column("preloaded", format=count)]


class PreemptedRow(Part):
    """A section in which a thread arrives, minus the same scene without lock and module."""

    lock: Annotated[str, Column("lock")]
    arrival: Annotated[str, Column("arrival")]
    at_ceiling: Annotated[bool, Column("its priority", format=_where, is_text=True)]
    instructions: Annotated[float, Column("instructions", format=count, place=1)]
    switches: Annotated[float | None, Column("context switches", format=count, place=1)]
    inside: Annotated[
        bool | None, Column("it works", format=_when, missing="after it", is_text=True)
    ]


class ScheduleRow(Part):
    """The cost of a pass through the scheduler for threads that hold no lock."""

    state: Annotated[str, Column("threads")]
    instructions: Annotated[float, Column("instructions", format=count)]
    added: Annotated[float, Column("added", format=count)]


class FunctionRow(Part):
    """A row of Almatary 2015, Table I."""

    version: Annotated[str, Column("version")]
    function: Annotated[str, Column("function")]
    instructions: Annotated[float, Column("instructions", format=count)]
    paper_ns: Annotated[int | None, Column("paper: ns", "ns")]


class SavingRow(Part):
    """The share of the standard cost that the lazy form saves; below 0 it costs more."""

    what: Annotated[str, Column("saved of")]
    paper: Annotated[float | None, Column("paper", format=".1%")]
    drop_in: Annotated[float, Column("drop-in", format=".1%")]
    strict: Annotated[float, Column("strict", format=".1%")]
    robust: Annotated[float, Column("robust", format=".1%")]


class KernelRow(Part):
    """A mutex of the kernel: the costs of its pair, with calls."""

    mutex: Annotated[str, Column("mutex")]
    flat: Annotated[float, Column("pair", format=count)]
    nested: Annotated[float, Column("3 nested", format=count)]


class InstructionsReport(Part):
    """The report of `plafond bench instructions`."""

    conditions: Conditions
    ways: list[WayRow]
    drop_in: list[DropInRow]
    preempted: list[PreemptedRow]
    schedule: list[ScheduleRow]
    functions: list[FunctionRow]
    savings: list[SavingRow]
    kernel_mutexes: list[KernelRow]
    targets: list[Target]
    figures: dict[Loaded, list[Figure]]
