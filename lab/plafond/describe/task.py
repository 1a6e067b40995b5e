# SPDX-License-Identifier: MIT
"""Tasks."""

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from plafond.describe.arrival import ARRIVALS, Interval, parse_arrival
from plafond.describe.body import Lock, Step
from plafond.describe.fields import (
    CPU,
    MOST_QUEUED,
    PRIORITY,
    Access,
    Cpu,
    Duration,
    Form,
    Listed,
    Membership,
    Modes,
    Name,
    Names,
    Offset,
    Oil,
    Priority,
    field,
    one_of,
    written_as,
)
from plafond.describe.named import Named
from plafond.describe.steps import STEPS, parse_step
from plafond.units import DURATION, parse_size

LARGEST_SET = 1 << 30
WORKING_SET = "a size above 0 and up to 1GiB, such as 64KiB, 1MiB, 512B"
# What timing protection limits: AUTOSAR OS 4.x, 7.7.2.
LIMITS = (
    "execution_budget",
    "all_interrupt_lock_budget",
    "os_interrupt_lock_budget",
    "resource_lock_budgets",
    "time_frame",
)


def _parse_working_set(text: str) -> int:
    try:
        size = parse_size(text)
    except ValueError:
        raise ValueError(WORKING_SET) from None
    if size > LARGEST_SET:
        raise ValueError(WORKING_SET)
    return size


Body = Annotated[tuple[Annotated[Step, written_as(parse_step)], ...], Listed(1)]


class TaskFields(Named):
    """One [task.NAME]."""

    kind = "task"
    oil_kind = "TASK"
    oil = """
        UINT32 PRIORITY = NO_DEFAULT : "larger is more urgent";
        ENUM [NON, FULL] SCHEDULE = FULL;
        UINT32 [1..255] ACTIVATION = 1;
        BOOLEAN [TRUE { APPMODE_TYPE APPMODE[]; }, FALSE] AUTOSTART = FALSE;
        RESOURCE_TYPE RESOURCE[];
        EVENT_TYPE EVENT[];
        MESSAGE_TYPE MESSAGE[] : "any task may send and receive all of them";
        APPLICATION_TYPE ACCESSING_APPLICATION[] : "others than its own that may use it";
        STRING APP_SRC[] : "as of OS";
        UINT32 WITH_AUTO [0..1048576] STACKSIZE = AUTO : "bytes; 4096 at least";
        UINT32 [0..3] CPU_ID : "the core that it is on, as ERIKA has it; without it 0, or CORE";
        BOOLEAN [
          TRUE {
            FLOAT EXECUTIONBUDGET : "seconds";
            FLOAT TIMEFRAME : "seconds";
            FLOAT MAXALLINTERRUPTLOCKTIME : "seconds";
            FLOAT MAXOSINTERRUPTLOCKTIME : "seconds";
            ENUM [
              RESOURCELOCK {
                RESOURCE_TYPE RESOURCE = NO_DEFAULT;
                FLOAT RESOURCELOCKTIME = NO_DEFAULT : "seconds";
              }
            ] LOCKINGTIME[];
            ENUM [
              RESOURCELOCK {
                RESOURCE_TYPE RESOURCE = NO_DEFAULT;
                FLOAT RESOURCELOCKTIME = NO_DEFAULT : "seconds";
              }
            ] RESOURCE[] : "as LOCKINGTIME: ERIKA's tool has it here";
          },
          FALSE
        ] TIMING_PROTECTION = FALSE;
    """

    elsewhere: ClassVar[Mapping[str, str]] = {
        "type": "no type: a task with events is an extended one",
    }

    priority: Priority | None = field(f"{PRIORITY}; needed, except under EDF", None)
    cpu: Cpu = field(f"{CPU}; on which it runs", 0, oil=Oil(also="core"))
    arrival: Annotated[Interval, written_as(parse_arrival)] | None = field(
        f"{ARRIVALS}; without it, something else must activate the task: a step, an "
        "alarm, autostart or C",
        None,
        oil=Oil(also="period"),
    )
    offset: Offset = field(f'"0", or {DURATION}; when the first arrival comes', 0)
    jitter: Offset = field(
        f'"0", or {DURATION}; by how much a release may come after its arrival', 0
    )
    deadline: Duration | None = field(
        f"{DURATION}; from the arrival on; without it, the least interval of arrivals; "
        "EDF needs one of the two",
        None,
    )
    activations: Annotated[int, Field(ge=1, le=1_000_000)] | None = field(
        "a whole number from 1 to 1000000; a run ends when all such tasks had theirs", None
    )
    pending: Literal["queue", "skip"] = field(
        '"queue" or "skip"; what happens to an arrival that finds its task unfinished', "queue"
    )
    body: Body | None = field(
        f"a list of at least one step; {STEPS}; without it, TASK(NAME) is in one of "
        "the sources of [kernel]",
        None,
    )
    autostart: bool = field(
        "true or false; whether the start of the kernel activates it",
        False,
        oil=Oil("AUTOSTART", Form.TRUE),
    )
    modes: Modes | None = field(
        "a list of names of modes; those in which autostart counts; without it, all",
        None,
        oil=Oil("AUTOSTART.APPMODE", Form.LIST, also="appmodes"),
    )
    queue: Annotated[int, Field(ge=1, le=MOST_QUEUED)] | None = field(
        f"a whole number from 1 to {MOST_QUEUED}; how many activations there can be at "
        f"once; without it 1, and in a run {MOST_QUEUED} if arrivals queue",
        None,
        oil=Oil("ACTIVATION", also="maxactivation maxactivations", without=1),
    )
    schedule: Annotated[str, one_of(["full", "non"])] = field(
        '"full" or "non"; whether more urgent tasks preempt it',
        "full",
        oil=Oil("SCHEDULE", Form.WORD, also="preemption preemptive scheduling", without="FULL"),
    )
    internal: Name | None = field(
        "the name of one internal resource; the task holds it whenever it runs",
        None,
        oil=Oil(also="internalresource"),
    )
    events: Names = field(
        "a list of names; the events that the task can wait for", (), oil=Oil("EVENT", Form.LIST)
    )
    resources: Names = field(
        "a list of names; the resources that its C locks; those of a body are known",
        (),
        oil=Oil(also="resource"),
    )
    stack: Annotated[int, Field(ge=1024, le=1 << 20)] | None = field(
        "a whole number of bytes from 1024 to 1048576; without it, 4096",
        None,
        oil=Oil(also="stacksize"),
    )
    server: Name | None = field(
        "the name of one server; which pays for its time, and among whose tasks its "
        "priority counts; needed on a CPU that has servers",
        None,
    )
    working_set: Annotated[int, written_as(_parse_working_set)] | None = field(
        f"{WORKING_SET}; the memory that a job uses: --overheads linux measures what "
        "it costs to load that again after a preemption",
        None,
    )
    execution_budget: Duration | None = field(
        f"{DURATION}; the processor time of an execution, up to its end or to where it "
        "waits: at its end ProtectionHook gets E_OS_PROTECTION_TIME",
        None,
        oil=Oil("TIMING_PROTECTION.EXECUTIONBUDGET", Form.SECONDS, also="budget"),
    )
    time_frame: Duration | None = field(
        f"{DURATION}; how far its arrivals are apart at least, activations and events "
        "for which it waits: others are not done, and ProtectionHook gets E_OS_PROTECTION_ARRIVAL",
        None,
        oil=Oil("TIMING_PROTECTION.TIMEFRAME", Form.SECONDS),
    )
    all_interrupt_lock_budget: Duration | None = field(
        f"{DURATION}; for how long it may hold interrupts back by "
        "DisableAllInterrupts() or SuspendAllInterrupts(): at the end ProtectionHook gets "
        "E_OS_PROTECTION_LOCKED",
        None,
        oil=Oil("TIMING_PROTECTION.MAXALLINTERRUPTLOCKTIME", Form.SECONDS),
    )
    os_interrupt_lock_budget: Duration | None = field(
        f"{DURATION}; the same by SuspendOSInterrupts()",
        None,
        oil=Oil("TIMING_PROTECTION.MAXOSINTERRUPTLOCKTIME", Form.SECONDS),
    )
    resource_lock_budgets: dict[Name, Duration] = field(
        'a table of resources with a duration each, such as { R = "50us" }; for how '
        "long it may hold them, the same; needs sections that are system calls",
        {},
        oil=Oil(also="lockingtime resourcelocktime"),
    )
    application: Membership = None
    access: Access = ()

    @property
    def relative_deadline(self) -> int | None:
        """Its deadline, or the least interval of its arrivals, in nanoseconds."""
        if self.deadline is None and self.arrival:
            return self.arrival.least_ns
        return self.deadline

    @property
    def deadline_from_release(self) -> int | None:
        """By which EDF goes: as late a release as there can be is due at its deadline."""
        deadline = self.relative_deadline
        return deadline and deadline - self.jitter

    @property
    def is_preemptable(self) -> bool:
        """Whether more urgent tasks preempt it."""
        return self.schedule == "full"

    @property
    def limits(self) -> tuple[str, ...]:
        """The fields that limit its timing."""
        return tuple(limit for limit in LIMITS if getattr(self, limit))

    @cached_property
    def used(self) -> frozenset[str | None]:
        """What the body locks, what the task says that it has, and its internal resource."""
        locked = (step.resource for step in self.body or [] if isinstance(step, Lock))
        return frozenset((*locked, *self.resources, self.internal))
