# SPDX-License-Identifier: MIT
"""Interrupt service routines of Plafond's own kernel."""

from collections.abc import Iterator
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
    field,
)
from plafond.describe.kernel import SCHEDULER
from plafond.describe.named import Known, Named
from plafond.describe.problems import Problem


class Isr(Named):
    """A table [isr.NAME]: the routine of an interrupt."""

    table = "isr"
    oil_kind = "ISR"
    oil = """
        UINT32 [1, 2] CATEGORY = 2;
        UINT32 [0..987] INTERRUPT : "its number on the board; a build needs it";
        UINT32 PRIORITY : "larger is more urgent, and nests; without it, above all others";
        RESOURCE_TYPE RESOURCE[];
        MESSAGE_TYPE MESSAGE[] : "as of TASK";
        BOOLEAN TIMING_PROTECTION = FALSE;
        UINT32 [0..3] CPU_ID : "as of TASK";
    """

    source: Annotated[int, Field(ge=0, le=987)] | None = field(
        "a whole number from 0 to 987; the number of the board's interrupt; only OIL that is not "
        "built may lack it",
        None,
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

    def problems(self, known: Known) -> Iterator[Problem]:
        """Yield fields that do not apply to category 1, because the kernel does not see its
        routines."""
        if self.category == 1 and self.priority is not None:
            expected = "no priority: category 1 is above all of its CPU"
            yield Problem((*self.where, "priority"), str(self.priority), expected)
        if self.category == 1 and self.resources:
            expected = "no resources: category 1 calls no such service"
            yield Problem((*self.where, "resources"), ", ".join(self.resources), expected)
