# SPDX-License-Identifier: MIT
"""The report of `plafond bench kernel`; its JSON is the output of `--format json`."""

from pydantic import BaseModel, ConfigDict

from plafond.bench.model import Target


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Row(_Part):
    """What a procedure costs under a variant of the kernel, system calls of all tasks included."""

    benchmark: str
    variant: str
    instructions: int
    system_calls: int


class Gain(_Part):
    """How a figure compares with that of syscall: below 0 it is less. The paper's are of cycles."""

    benchmark: str
    variant: str
    gain: float
    tms570: float | None
    am3359: float | None


class Parameter(_Part):
    """A row of Table I."""

    name: str
    tms570: str
    am3359: str
    board: str


class Footprint(_Part):
    """Of the variant uprio-nprio, in bytes."""

    kernel_text: int
    task_block: int
    saved_registers: int  # of a task
    page_tables: int  # of all tasks and the kernel


class Conditions(_Part):
    """How the figures were counted."""

    emulator: str
    compiler: str
    flags: str
    rounds: int
    unequal: list[str]  # figures that were not the same in all rounds
    notes: list[str]


class KernelReport(_Part):
    """All of `plafond bench kernel`."""

    board: str
    conditions: Conditions
    parameters: list[Parameter]
    rows: list[Row]
    gains: list[Gain]
    footprint: Footprint
    targets: list[Target]
