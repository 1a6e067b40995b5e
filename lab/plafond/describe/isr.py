# SPDX-License-Identifier: MIT
"""Interrupt service routines of Plafond's own kernel."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from plafond.describe.fields import (
    CPU,
    HIGHEST_PRIORITY,
    Cpu,
    Form,
    Listed,
    Membership,
    Name,
    Oil,
    Priority,
    Strict,
    field,
)
from plafond.describe.kernel import SCHEDULER


class IsrFields(Strict):
    """One [isr.NAME]."""

    source: Annotated[int, Field(ge=0, le=987)] = field(
        "a whole number from 0 to 987; the number of the board's interrupt",
        oil=Oil("INTERRUPT", also="vector number irq"),
    )
    cpu: Cpu = field(f"{CPU}; which one takes it", 0, oil=Oil(also="core"))
    priority: Priority | None = field(
        f"a whole number from 1 to {HIGHEST_PRIORITY}; larger is more urgent: "
        "among the interrupts of its CPU, where a more urgent one comes into the routine of "
        'another; with scheduler = "hardware" among its tasks, where none does; without it, above '
        "all of them; not under EDF, nor beside servers",
        None,
    )
    category: Literal[1, 2] = field(
        "1 or 2; 1: the kernel takes no part, so its routine asks no service but those "
        "of interrupts, and SuspendOSInterrupts does not hold it back; not beside servers",
        2,
        oil=Oil("CATEGORY", without=2),
    )
    resources: Annotated[tuple[Name, ...], Listed()] = field(
        "a list of names of resources; those that the routine locks: a task that holds "
        f"one of them keeps the routine out; not under EDF, nor {SCHEDULER}",
        (),
        oil=Oil("RESOURCE", Form.LIST),
    )
    application: Membership = None


@dataclass(frozen=True)
class Isr:
    """An interrupt service routine."""

    name: str
    source: int  # as the board counts them
    cpu: int = 0
    priority: int | None = None  # among the interrupts of its CPU, or, by hardware, its tasks
    resources: tuple[str, ...] = ()  # those that it locks
    category: int = 2  # 1: the kernel takes no part
