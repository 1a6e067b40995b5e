# SPDX-License-Identifier: MIT
"""The report of `plafond bench instructions`; its JSON is the output of `--format json`."""

from enum import StrEnum

from plafond.bench.model import Part, Target


class Loaded(StrEnum):
    """What the guest's kernel had loaded; also the name of that part of the program."""

    NOTHING = "stock"
    FRAMES = "frames"  # the drop-in without a module
    MODULE = "module"
    DROP_IN = "drop-in"
    DRIVER = "driver"


class Figure(Part):
    """What one round costs, as the program counted it; see bench/instructions.h."""

    group: str
    lock: str
    scene: str
    least: float
    median: float
    most: float
    mean: float
    same: int  # samples that were the least
    switches: float | None = None
    inside: bool | None = None  # the arrival worked inside the section


class ProgramConditions(Part):
    """What the program reports of itself and its kernel."""

    kernel: str
    libc: str
    compiler: str
    flags: str
    priority: int
    arrival_priority: int
    ceiling: int
    samples: int


class Output(Part):
    """All that one part of the program wrote."""

    conditions: ProgramConditions
    figures: list[Figure]


class Conditions(ProgramConditions):
    """Under which the figures hold, and how they were counted."""

    unstable: int  # figures whose least and median differ
    notes: list[str]


class WayRow(Part):
    """One way to lock; None where that cannot be."""

    lock: str
    pair: float
    nested: float
    uses_lock: float | None
    passes_by: float | None
    schedule: float  # added to every pass of others through the scheduler


class DropInRow(Part):
    """A pair of a mutex of pthreads, by glibc and with the drop-in preloaded."""

    mutex: str
    plain: float
    preloaded: float


class PreemptedRow(Part):
    """A section in which a thread arrives, less the same scene without lock and module."""

    lock: str
    arrival: str
    at_ceiling: bool
    instructions: float
    switches: float | None
    inside: bool | None


class ScheduleRow(Part):
    """What a pass through the scheduler costs threads that hold no lock."""

    state: str
    instructions: float
    added: float


class FunctionRow(Part):
    """A row of Almatary 2015, Table I."""

    version: str
    function: str
    instructions: float
    paper_ns: int | None


class SavingRow(Part):
    """The share of the standard that the lazy form saves; below 0 it costs more."""

    what: str
    paper: float | None
    drop_in: float
    strict: float
    robust: float


class KernelRow(Part):
    """A mutex of the kernel: its pair, calls included."""

    mutex: str
    flat: float
    nested: float


class InstructionsReport(Part):
    """All of `plafond bench instructions`."""

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
