# SPDX-License-Identifier: MIT
"""The report of `plafond bench kernel`; its JSON is the output of `--format json`."""

from plafond.bench.model import Part, Target


class Row(Part):
    """What a procedure costs under a variant of the kernel, system calls of all tasks included."""

    benchmark: str
    variant: str
    instructions: int
    system_calls: int


class Gain(Part):
    """How a figure compares with that of syscall: below 0 it is less. The paper's are of cycles."""

    benchmark: str
    variant: str
    gain: float
    tms570: float | None
    am3359: float | None


class Parameter(Part):
    """A row of Table I."""

    name: str
    tms570: str
    am3359: str
    board: str


class FunctionRow(Part):
    """A row of Almatary 2015, Table I: under fixed priorities, under EDF, and as in the paper."""

    version: str
    function: str
    ipcp: int
    dfp: int
    system_call: bool
    paper_ns: int | None
    paper_system_call: bool | None


class SavingRow(Part):
    """The share of the standard that the lazy form saves: of instructions; the paper's, of time."""

    what: str
    paper: float | None
    ipcp: float
    dfp: float


class SectionRow(Part):
    """A section of Section V, as system calls, and lazily: the paper's simple scheme, and ours.

    The calls are those of the sections, not of the activation.
    """

    arrival: str
    at: str
    inner_ceiling: str
    inner_sections: int
    syscall_calls: int
    simple_calls: int
    lazy_calls: int
    syscall: int
    simple: int
    lazy: int


class ReadyRow(Part):
    """What the ready queue costs with so many activations in it."""

    scheduler: str
    order: str  # of the deadlines, in the order of activation
    ready: int
    queued: int
    preempting: int
    dispatched: int | None  # None: no task is ready


class TransitionRow(Part):
    """A transition of Mueller 2014, Tables I and II, under each variant; the paper's are cycles."""

    transition: str
    instructions: dict[str, int]  # by variant
    paper_basic: int | None
    paper_extended: int | None


class GrowthRow(Part):
    """What the transitions of a system with so many tasks cost."""

    scheduler: str
    tasks: int
    activated: int  # and does not run
    started: int  # up to the first instruction of the activated task
    next_started: int  # up to that of the next one, from the end of the running one
    started_there: int  # up to that of a task of another core


class GlobalRow(Part):
    """A transition of Mueller 2014, Table III, under each variant: what its own core does."""

    transition: str
    instructions: dict[str, int]  # by variant
    system_calls: dict[str, int]
    paper: int | None  # cycles


class SpinlockRow(Part):
    """What GetSpinlock and ReleaseSpinlock cost where no other task wants the lock."""

    protocol: str
    instructions: int
    system_calls: int


class UsersRow(Part):
    """What a resource with so many users costs."""

    scheduler: str
    users: int
    get: int
    release: int
    release_to_there: int  # where a task of the other core is granted it


class ServerRow(Part):
    """What it costs that a server gets the core, or loses it."""

    transition: str
    instructions: dict[str, int]  # by variant


class Footprint(Part):
    """Of the variant uprio-nprio, in bytes."""

    kernel_text: int
    task_block: int
    lazy_task_blocks: dict[str, int]  # of these variants instead
    scheduler_texts: dict[str, int]  # of the kernel in Mueller's system, of these variants
    two_core_texts: dict[str, int]  # of the same with two cores
    saved_registers: int  # of a task
    page_tables: int  # of all tasks and the kernel


class Conditions(Part):
    """How the figures were counted."""

    emulator: str
    compiler: str
    flags: str
    rounds: int
    unequal: list[str]  # figures that were not the same in all rounds
    notes: list[str]


class SharingRow(Part):
    """What something takes that happens to a resource of several servers."""

    event: str
    paper: int | None
    instructions: dict[str, int]
    calls: int | None  # of uprio-nprio, where that is of interest


class SharingSetRow(Part):
    """A set of OSPERT 2010, 5, Table I: what the sections of a run called, by policy."""

    number: int
    paper_locks: dict[str, int]
    paper_scheduler: dict[str, int]
    locks: dict[str, int]
    scheduler: dict[str, int]  # of the servers, by an unlock
    failed_tests: dict[str, int]  # of budgets, by a lock
    kernel: dict[str, int]  # all calls


class KernelReport(Part):
    """All of `plafond bench kernel`."""

    board: str
    conditions: Conditions
    parameters: list[Parameter]
    rows: list[Row]
    small_rows: list[Row]  # of the program zuepke with -Os, as in the paper
    gains: list[Gain]
    functions: list[FunctionRow]
    savings: list[SavingRow]
    sections: list[SectionRow]
    ready: list[ReadyRow]
    transitions: list[TransitionRow]
    across_cores: list[TransitionRow]
    growth: list[GrowthRow]
    across_locks: list[GlobalRow]
    spinlocks: list[SpinlockRow]
    users: list[UsersRow]
    servers: list[ServerRow]
    sharing: list[SharingRow]
    sharing_sets: list[SharingSetRow]
    footprint: Footprint
    targets: list[Target]
