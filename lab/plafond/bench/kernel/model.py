# SPDX-License-Identifier: MIT
"""The report of `plafond bench kernel`; its JSON is the output of `--format json`."""

from typing import Annotated

from plafond.bench.kernel.variants import by_scheduler, with_protocol
from plafond.bench.model import Part, Target
from plafond.rows import Column


def tick(calls: bool) -> str:
    """Return a tick for a system call."""
    return "✓" if calls else ""


def none_if_zero(count: int) -> str:
    """Return a count, and an empty text for 0."""
    return str(count or "")


class Row(Part):
    """The cost of a procedure under a variant of the kernel, with all tasks' system calls."""

    benchmark: str
    variant: str
    instructions: int
    system_calls: int


class Gain(Part):
    """A figure relative to that of syscall; below 0: less. The paper's figures are cycles."""

    benchmark: str
    variant: str
    gain: float
    tms570: float | None
    am3359: float | None


class Parameter(Part):
    """A row of Table I."""

    name: Annotated[str, Column("parameter")]
    tms570: Annotated[str, Column("TMS570")]
    am3359: Annotated[str, Column("AM3359")]
    board: Annotated[str, Column("board")]


class FunctionRow(Part):
    """A row of Almatary 2015, Table I: under fixed priorities, under EDF, and as in the paper."""

    version: Annotated[str, Column("version")]
    function: Annotated[str, Column("function")]
    ipcp: Annotated[int, Column("IPCP")]
    dfp: Annotated[int, Column("DFP")]
    system_call: Annotated[bool, Column("call", format=tick, is_text=True)]
    paper_ns: Annotated[int | None, Column("paper: ns", "ns")]
    paper_system_call: Annotated[bool | None, Column("paper: call", format=tick, is_text=True)]


class SavingRow(Part):
    """The share that the lazy form saves: ours of instructions, the paper's of time."""

    what: Annotated[str, Column("saved of")]
    paper: Annotated[float | None, Column("paper", format=".1%")]
    ipcp: Annotated[float, Column("IPCP", format=".1%")]
    dfp: Annotated[float, Column("DFP", format=".1%")]


class SectionRow(Part):
    """A section of Section V: as system calls, in the paper's simple lazy scheme, and in ours.

    The calls of the activation are not counted.
    """

    arrival: Annotated[str, Column("arrives")]
    at: Annotated[str, Column("at")]
    inner_ceiling: Annotated[str, Column("inner ceiling")]
    inner_sections: Annotated[int, Column("inner sections", format=none_if_zero)]
    syscall_calls: Annotated[int, Column("syscall: calls")]
    simple_calls: Annotated[int, Column("simple: calls")]
    lazy_calls: Annotated[int, Column("lazy: calls")]
    syscall: Annotated[int, Column("syscall")]
    simple: Annotated[int, Column("simple")]
    lazy: Annotated[int, Column("lazy")]

    @property
    def saved(self) -> Annotated[int, Column("saved")]:
        """Return the excess cost of the simple scheme."""
        return self.simple - self.lazy


class ReadyRow(Part):
    """The cost of the ready queue with a number of activations in it."""

    scheduler: str
    order: str  # rising or falling deadlines, in the order of activation
    ready: int
    queued: int
    preempting: int
    dispatched: int | None  # None: no task is ready


class TransitionRow(Part):
    """A transition of Mueller 2014, Tables I and II, under each variant; the paper has cycles."""

    transition: Annotated[str, Column("transition")]
    instructions: Annotated[dict[str, int], Column(by_scheduler)]  # by variant
    paper_basic: Annotated[int | None, Column("paper: basic")]
    paper_extended: Annotated[int | None, Column("extended")]


class GrowthRow(Part):
    """The costs of the transitions of a system with a number of tasks."""

    scheduler: str
    tasks: int
    activated: Annotated[int, Column("activated")]  # the activated task does not run
    started: Annotated[int, Column("starts")]  # up to the first instruction of the activated task
    # From the end of the running task up to the first instruction of the next task.
    next_started: Annotated[int, Column("next starts")]
    # up to the first instruction of a task on another core
    started_there: Annotated[int, Column("starts there")]


class GlobalRow(Part):
    """A transition of Mueller 2014, Table III, under each variant: the work of the first core."""

    transition: Annotated[str, Column("transition")]
    instructions: Annotated[dict[str, int], Column(with_protocol)]  # by variant
    system_calls: Annotated[dict[str, int], Column(with_protocol)]
    paper: Annotated[int | None, Column("paper")]  # cycles


class SpinlockRow(Part):
    """The costs of GetSpinlock and ReleaseSpinlock if no other task wants the lock."""

    protocol: Annotated[str, Column("protocol")]
    instructions: Annotated[int, Column("instructions")]
    system_calls: Annotated[int, Column("system calls")]


class UsersRow(Part):
    """The costs of a resource with a number of users."""

    scheduler: str
    users: int
    get: Annotated[int, Column("Get")]
    release: Annotated[int, Column("Release")]
    # If a task of the other core is granted the resource.
    release_to_there: Annotated[int, Column("unblock there")]


class ServerRow(Part):
    """The cost of a server's transition: it gets the core, or loses the core."""

    transition: Annotated[str, Column("transition")]
    instructions: Annotated[dict[str, int], Column(str)]  # by variant


class Footprint(Part):
    """The footprint of the variant uprio-nprio, in bytes."""

    kernel_text: int
    task_block: int
    lazy_task_blocks: dict[str, int]
    scheduler_texts: dict[str, int]  # the kernel's text in Mueller's system, by variant
    two_core_texts: dict[str, int]  # the same with two cores
    saved_registers: int
    page_tables: int  # of all tasks and the kernel


class Conditions(Part):
    """The way in which the figures were counted."""

    emulator: str
    compiler: str
    flags: str
    rounds: int
    unequal: list[str]  # figures that differ between rounds
    notes: list[str]


class SharingRow(Part):
    """The cost of an event of a resource with users in several servers."""

    event: Annotated[str, Column("event")]
    paper: Annotated[int | None, Column("paper")]
    instructions: Annotated[dict[str, int], Column(str)]
    # the calls of uprio-nprio, in rows of sections that should make no call
    calls: Annotated[int | None, Column("calls, lazy")]


class SharingSetRow(Part):
    """A set of OSPERT 2010, 5, Table I: the calls by the sections of a run, by policy."""

    number: int
    paper_locks: dict[str, int]
    paper_scheduler: dict[str, int]
    locks: dict[str, int]
    scheduler: dict[str, int]  # calls of the scheduler of servers by an unlock
    failed_tests: dict[str, int]  # failed tests of a budget by a lock
    kernel: dict[str, int]  # all calls


class KernelReport(Part):
    """The report of `plafond bench kernel`."""

    board: str
    conditions: Conditions
    parameters: list[Parameter]
    rows: list[Row]
    small_rows: list[Row]  # rows of the program zuepke with -Os, as in the paper
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
