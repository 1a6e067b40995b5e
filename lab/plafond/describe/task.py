# SPDX-License-Identifier: MIT
"""Tasks."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Annotated, ClassVar

from pydantic import Field

from plafond.describe.arrival import ARRIVALS, Interval, Pending, parse_arrival
from plafond.describe.body import Lock, Run, Sleep, Step, Unlock
from plafond.describe.body_rules import problems_of_body
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
    Pairs,
    Priority,
    field,
    one_of,
    written_as,
)
from plafond.describe.named import Known, Named
from plafond.describe.problems import Problem, Where
from plafond.describe.steps import RANGE, STEPS, parse_step
from plafond.units import DURATION, format_exactly, parse_duration, parse_size

LARGEST_SET = 1 << 30
WORKING_SET = "a size above 0 and up to 1GiB, such as 64KiB, 1MiB, 512B"
OF_ARRIVALS = {"offset_ns": "offset", "activations": "activations", "pending": "pending"}
# From the fields of timing protection to their attributes: AUTOSAR OS 4.x, 7.7.2.
LIMITS = {
    "execution_budget": "budget_ns",
    "all_interrupt_lock_budget": "all_lock_ns",
    "os_interrupt_lock_budget": "os_lock_ns",
    "resource_lock_budgets": "resource_locks",
    "time_frame": "frame_ns",
}


def _parse_working_set(text: str) -> int:
    try:
        size = parse_size(text)
    except ValueError:
        raise ValueError(WORKING_SET) from None
    if size > LARGEST_SET:
        raise ValueError(WORKING_SET)
    return size


def _parse_longest_run(text: str) -> int:
    """Turn `2ms`, or the range `1ms..2ms`, into the longest run."""
    step = parse_step(f"run {text}") if ".." in text else Run(parse_duration(text))
    assert isinstance(step, Run)
    return step.duration_ns


Body = Annotated[tuple[Annotated[Step, written_as(parse_step)], ...], Listed(1)]


class Task(Named):
    """A table [task.NAME]: pinned to a CPU. Without a body, the task is a function in the C
    sources."""

    table = "task"
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
        FLOAT MAXEXECUTIONTIME : "seconds; how long its C runs at most: analyse believes it";
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
        ] TIMING_PROTECTION = FALSE;"""

    elsewhere: ClassVar[Mapping[str, str]] = {
        "type": "no type: a task with events is an extended one",
    }

    # In a `System` every task has a priority. In a reservation it is BEFORE_ALL, and in the
    # background it is BEHIND_ALL. Under EDF it is
    # the preemption level (Baker 1991): the rank from 1 of the task's deadline from release, among
    # all deadlines and floors. A shorter deadline has a higher rank, and equal deadlines have equal
    # ranks.
    priority: Priority = field(f"{PRIORITY}; needed, except under EDF and in the background", None)
    background: bool = field(
        "true or false; whether it runs only while no task with a priority wants its CPU, as a "
        "thread of SCHED_OTHER; it then has no priority and no bound, and no target runs it",
        False,
    )
    cpu: Cpu = field(f"{CPU}; on which it runs", 0, oil=Oil(also="core"))
    interval: Annotated[Interval, written_as(parse_arrival)] | None = field(
        f"{ARRIVALS}; without it, something else must activate the task: a step, an "
        "alarm, autostart or C",
        None,
        alias="arrival",
        oil=Oil(also="period"),
    )
    offset_ns: Offset = field(
        f'"0", or {DURATION}; when the first arrival comes', 0, alias="offset"
    )
    jitter_ns: Offset = field(
        f'"0", or {DURATION}; by how much a release may come after its arrival', 0, alias="jitter"
    )
    # In a `System`, a task with an interval has a deadline.
    deadline_ns: Duration | None = field(
        f"{DURATION}; from the arrival on; without it, the least interval of arrivals; "
        "EDF needs one of the two",
        None,
        alias="deadline",
    )
    activations: Annotated[int, Field(ge=1, le=1_000_000)] | None = field(
        "a whole number from 1 to 1000000; a run ends when all such tasks had theirs", None
    )
    pending: Annotated[Pending, Field(strict=False)] = field(
        '"queue" or "skip"; what happens to an arrival that finds its task unfinished',
        Pending.QUEUE,
    )
    body: Body = field(
        f"a list of at least one step; {STEPS}; without it, TASK(NAME) is in one of "
        "the sources of [kernel]",
        (),
    )
    # The longest run of an execution in C, as the description claims it.
    claimed_ns: Annotated[int, written_as(_parse_longest_run)] | None = field(
        f"{DURATION}, or {RANGE}; of a task without a body: how long its C runs at most, from the "
        "start to the end; analyse believes it",
        None,
        alias="run",
        oil=Oil("MAXEXECUTIONTIME", Form.SECONDS, also="wcet executiontime"),
    )
    autostart: bool = field(
        "true or false; whether the start of the kernel activates it",
        False,
        oil=Oil("AUTOSTART", Form.TRUE),
    )
    modes: Modes = field(
        "a list of names of modes; those in which autostart counts; without it, all",
        (),
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
    declared: Names = field(
        "a list of names; the resources that its C locks; those of a body are known",
        (),
        alias="resources",
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
    budget_ns: Duration | None = field(
        f"{DURATION}; the processor time of an execution, up to its end or to where it "
        "waits: at its end ProtectionHook gets E_OS_PROTECTION_TIME",
        None,
        alias="execution_budget",
        oil=Oil("TIMING_PROTECTION.EXECUTIONBUDGET", Form.SECONDS, also="budget"),
    )
    frame_ns: Duration | None = field(
        f"{DURATION}; how far its arrivals are apart at least, activations and events "
        "for which it waits: others are not done, and ProtectionHook gets E_OS_PROTECTION_ARRIVAL",
        None,
        alias="time_frame",
        oil=Oil("TIMING_PROTECTION.TIMEFRAME", Form.SECONDS),
    )
    all_lock_ns: Duration | None = field(
        f"{DURATION}; for how long it may hold interrupts back by "
        "DisableAllInterrupts() or SuspendAllInterrupts(): at the end ProtectionHook gets "
        "E_OS_PROTECTION_LOCKED",
        None,
        alias="all_interrupt_lock_budget",
        oil=Oil("TIMING_PROTECTION.MAXALLINTERRUPTLOCKTIME", Form.SECONDS),
    )
    os_lock_ns: Duration | None = field(
        f"{DURATION}; the same by SuspendOSInterrupts()",
        None,
        alias="os_interrupt_lock_budget",
        oil=Oil("TIMING_PROTECTION.MAXOSINTERRUPTLOCKTIME", Form.SECONDS),
    )
    resource_locks: Annotated[tuple[tuple[Name, Duration], ...], Pairs()] = field(
        'a table of resources with a duration each, such as { R = "50us" }; for how '
        "long it may hold them, the same; needs sections that are system calls",
        (),
        alias="resource_lock_budgets",
        oil=Oil(also="lockingtime resourcelocktime"),
    )
    application: Membership = None
    access: Access = ()

    def problems(self, known: Known) -> Iterator[Problem]:
        """Yield impossible steps, unknown names, and fields that exclude each other."""
        if self.body:
            yield from problems_of_body(self.name, self.body, known)
        if self.body and self.claimed_ns:
            expected = "no run beside a body, whose run steps say how long it runs"
            yield Problem((*self.where, "run"), format_exactly(self.claimed_ns), expected)
        if self.background and self.priority is not None:
            expected = "no priority: the task is in the background"
            yield Problem((*self.where, "priority"), str(self.priority), expected)
        if self.background and self.server:
            expected = "no server: the task is in the background"
            yield Problem((*self.where, "server"), self.server, expected)
        wrong = self._wrong_jitter() if self.jitter_ns else None
        if wrong:
            yield Problem((*self.where, "jitter"), format_exactly(self.jitter_ns), wrong)
        if self.events and (self.queue or 1) > 1:
            expected = "1: a task with events is not activated again before its end"
            yield Problem((*self.where, "queue"), str(self.queue), expected)
        for event, count in Counter(self.events).items():
            if count > 1:
                yield Problem((*self.where, "events"), f"{event} twice", "each event once")
        for index, resource in enumerate(self.declared):
            wrong = known.wrong_resource(resource)
            if wrong:
                yield Problem((*self.where, "resources", index), resource, wrong)
        for name, key in OF_ARRIVALS.items() if self.interval is None else ():
            if name in self.model_fields_set:
                found, expected = "no arrival that it is about", "a field arrival"
                yield Problem((*self.where, key), found, expected)
        entered = sorted(self.resources - {self.internal})
        for resource, _ in self.resource_locks:
            if resource not in entered:
                own = ", ".join(entered) or "it has none"
                expected = f"one of the resources of {self.name}: {own}"
                where: Where = (*self.where, "resource_lock_budgets", resource)
                yield Problem(where, resource, expected)

    def _wrong_jitter(self) -> str | None:
        """Return the expected jitter if the given jitter is wrong."""
        if self.interval is None:
            return "an arrival, after which a release comes so late"
        deadline_ns = self.relative_deadline_ns
        if deadline_ns is not None and self.jitter_ns >= deadline_ns:
            deadline = format_exactly(deadline_ns)
            return f"less than the deadline, {deadline}: a release has to come before that"
        return None

    @property
    def least_interval_ns(self) -> int:
        """The least time between arrivals; the task must have arrivals."""
        assert self.interval is not None
        return self.interval.least_ns

    @property
    def relative_deadline_ns(self) -> int | None:
        """The deadline, or the least interval of arrivals."""
        if self.deadline_ns is None and self.interval:
            return self.interval.least_ns
        return self.deadline_ns

    @property
    def is_preemptable(self) -> bool:
        """Whether more urgent tasks preempt it."""
        return self.schedule == "full"

    @property
    def limits(self) -> tuple[str, ...]:
        """The fields that limit its timing."""
        return tuple(field for field, limit in LIMITS.items() if getattr(self, limit))

    @property
    def has_budgets(self) -> bool:
        """Whether the kernel limits a time of the task by a budget."""
        return bool(self.budget_ns) or self.has_lock_budgets

    @property
    def has_lock_budgets(self) -> bool:
        """Whether a budget limits its locks of interrupts or resources."""
        return bool(self.all_lock_ns or self.os_lock_ns or self.resource_locks)

    @property
    def deadline_from_release_ns(self) -> int:
        """The relative deadline under EDF: a job with the latest release keeps its arrival's
        deadline."""
        deadline_ns = self.relative_deadline_ns
        assert deadline_ns is not None  # because EDF needs a deadline or an arrival
        return deadline_ns - self.jitter_ns

    @property
    def run_ns(self) -> int:
        """The longest processor time of an activation."""
        return sum(step.duration_ns for step in self.body if isinstance(step, Run))

    @property
    def least_run_ns(self) -> int:
        """The shortest processor time of an activation."""
        runs = (step for step in self.body if isinstance(step, Run))
        return sum(step.duration_ns if step.least_ns is None else step.least_ns for step in runs)

    def drawn_run_ns(self, activation: int) -> int:
        """Return the processor time of an activation; activations count from 0."""
        return sum(step.length_ns(activation) for step in self.body if isinstance(step, Run))

    @property
    def has_ranges(self) -> bool:
        """Whether activations differ in length."""
        return any(isinstance(step, Run) and step.least_ns is not None for step in self.body)

    @property
    def sleeps_ns(self) -> tuple[int, ...]:
        """The self-suspensions of an activation."""
        return tuple(step.duration_ns for step in self.body if isinstance(step, Sleep))

    @property
    def utilisation(self) -> Fraction:
        """The largest share of its CPU that its arrivals can ask for."""
        return Fraction(self.run_ns, self.interval.least_ns) if self.interval else Fraction(0)

    @cached_property
    def resources(self) -> frozenset[str]:
        """The resources that it locks."""
        locks = (step.resource for step in self.body if isinstance(step, Lock))
        return frozenset((*locks, *self.declared))

    @cached_property
    def used(self) -> frozenset[str | None]:
        """The resources that it locks, and its internal resource."""
        return self.resources | {self.internal}

    def held(self) -> Sequence[tuple[Step, tuple[str, ...]]]:
        """Each step with the resources that are held before it, outermost first."""
        return self._held

    @cached_property
    def _held(self) -> Sequence[tuple[Step, tuple[str, ...]]]:
        found = []
        held: tuple[str, ...] = ()
        for step in self.body:
            found.append((step, held))
            if isinstance(step, Lock):
                held = (*held, step.resource)
            elif isinstance(step, Unlock):
                held = held[:-1]
        return found

    def longest_hold_ns(self, resources: frozenset[str]) -> int:
        """The longest processor time for which a job holds any of the resources without a break."""
        longest = hold_ns = 0
        for step, held in self.held():
            if not resources.intersection(held):
                hold_ns = 0
            elif isinstance(step, Run):
                hold_ns += step.duration_ns
                longest = max(longest, hold_ns)
        return longest
