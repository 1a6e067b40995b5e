# SPDX-License-Identifier: MIT
"""The table of combinations that a description must not have.

A row refuses two features together in a place, or a feature that a place does not support. `check`,
`build`, `run` and `analyse` read this table, and docs/combine.md shows it. lab/test/test_combine.py
builds and runs each pair that the table allows.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import plafond.describe.features as of
from plafond.describe.features import Feature, Use
from plafond.describe.problems import Problem
from plafond.describe.subject import Subject
from plafond.protocols import names_of


class Place(StrEnum):
    """The place to which a row applies."""

    EVERYWHERE = "everywhere"  # `check` refuses the description
    KERNEL = "kernel"  # no image is built for sim and a53
    LINUX = "linux"  # linux and vm do not run it
    ANALYSIS = "analysis"  # tasks with both features have no bound
    OVERHEADS = "overheads"  # tasks with both features have no bound with overheads


@dataclass(frozen=True)
class Row:
    """One or two features that a description must not have; messages name the field of
    `feature`."""

    feature: Feature
    other: Feature | None
    place: Place
    instead: str  # the value to write in the field
    reason: str

    def expected(self, subject: Subject, board: str) -> str:
        """Return the expected value and the reason, for a message."""
        words = f"{self.instead}: {self.reason}"
        return words.format(protocol=subject.protocol, board=board)

    @property
    def why(self) -> str:
        """The reason, worded for any protocol and board."""
        return self.reason.format(protocol="that protocol", board="these boards")


_SERVERS_ABLE = ", ".join(names_of(lambda row: row.kernel and row.kernel.is_of_servers))
_LIMITED = "execution_budget, time_frame and their like"


def _everywhere() -> Iterator[Row]:
    def row(feature: Feature, other: Feature, instead: str, reason: str) -> Row:
        return Row(feature, other, Place.EVERYWHERE, instead, reason)

    # Schedulers.
    why = "a server takes the core from tasks that are interrupts"
    yield row(of.HARDWARE, of.SERVERS, '"priority" or "edf"', why)
    why = "only fixed priorities by software have such resources"
    yield row(of.EDF, of.SHARED, '"priority"', why)
    for scheduler in (of.EDF, of.HARDWARE):
        why = "Linux, which alone has reservations, runs tasks so"
        yield row(scheduler, of.RESERVATIONS, '"priority"', why)
        why = f'{_LIMITED} need scheduler = "priority"'
        yield row(of.LIMITS, scheduler, "nothing", why)
    yield row(of.INTERNAL, of.EDF, "no internal resource", "earlier deadlines preempt")
    yield row(of.NON, of.EDF, '"full"', "earlier deadlines preempt")
    yield row(of.CEILINGS, of.EDF, "a floor, or nothing", "under EDF no task has a priority")
    why = 'floors are for scheduler = "edf"'
    yield row(of.FLOORS, of.SCHEDULED_BY_PRIORITY, "a ceiling, or nothing", why)
    why = "under EDF a floor holds on one processor"
    yield row(of.GLOBALS, of.EDF, "users on one CPU", why)
    yield row(of.MUTEXES, of.EDF, "none", "EDF has no ceilings")
    for scheduler in (of.EDF, of.HARDWARE):
        why = "only below fixed priorities by software is there a background"
        yield row(of.BACKGROUND, scheduler, "false", why)
    # Limits of tasks.
    yield row(of.LIMITS, of.CORES, "nothing", f"{_LIMITED} are for one CPU")
    why = f"{_LIMITED} are not counted beside servers, which have budgets"
    yield row(of.LIMITS, of.SERVERS, "nothing", why)
    # Servers.
    why = "a server gives its time by priorities"
    yield row(of.BACKGROUND, of.SERVERS, "false", why)
    why = "Linux has no slots, and only Linux has reservations"
    yield row(of.SLOTS, of.RESERVATIONS, "no slots", why)
    why = "no server pays for what a schedule table does"
    yield row(of.SCHEDULE_TABLES, of.SERVERS, "alarms", why)
    instead, why = "activate TASK or set TASK EVENT", "no server pays for anything else"
    yield row(of.CALLING_ALARMS, of.SERVERS, instead, why)
    why = "no server would pay for the notification"
    yield row(of.MESSAGES, of.SERVERS, "no message", why)
    # Protected functions.
    for scheduler in (of.EDF, of.HARDWARE):
        why = "protected functions are for fixed priorities by software"
        yield row(of.PROTECTED, scheduler, "none", why)
    yield row(of.PROTECTED, of.CORES, "none", "protected functions are for one CPU")
    for budgets in (of.SERVERS, of.LIMITS):
        why = "a budget could end inside of a protected function"
        yield row(of.PROTECTED, budgets, "none", why)
    why = "CheckTaskMemoryAccess does not know in which application a task is"
    yield row(of.FUNCTIONS, of.PROTECTED, "none", why)
    # Interrupts.
    why = "under EDF no routine interrupts another one"
    yield row(of.PRIORITIES_OF_ISRS, of.EDF, "no priority", why)
    why = "beside servers no routine interrupts another one"
    yield row(of.PRIORITIES_OF_ISRS, of.SERVERS, "no priority", why)
    why = "with category 1 a task can hold back the end of a budget"
    yield row(of.CATEGORY_1, of.SERVERS, "2", why)
    yield row(of.CATEGORY_1, of.BUDGETS, "2", why)
    instead = "no resource of a routine"
    why = "a floor keeps no interrupt out"
    yield row(of.RESOURCES_OF_ISRS, of.EDF, instead, why)
    why = "one server would hold back all interrupts"
    yield row(of.RESOURCES_OF_ISRS, of.SERVERS, instead, why)
    why = "a routine could run in the time of a task"
    yield row(of.RESOURCES_OF_ISRS, of.BUDGETS, instead, why)


def _in_kernel() -> Iterator[Row]:
    def row(feature: Feature, other: Feature | None, instead: str, reason: str) -> Row:
        return Row(feature, other, Place.KERNEL, instead, reason)

    yield row(of.SLEEPS, None, "no sleep", "the kernel on {board} has alarms instead")
    why = "only Linux has SCHED_DEADLINE"
    yield row(of.RESERVATIONS, None, "a kind that {board} has", why)
    yield row(of.BACKGROUND, None, "false", "the kernel on {board} has no time slices")
    yield row(of.CORES, of.EDF, "1", "EDF has one core")
    # Resources.
    why = "{protocol} has no lock across CPUs"
    yield row(of.GLOBALS, of.OF_ONE_CORE, "users on one CPU", why)
    why = "a server without the core would keep other CPUs waiting"
    yield row(of.GLOBALS, of.SERVERS, "users on one CPU", why)
    why = "the lock would be handed over to a task that does not run"
    yield row(of.PREEMPTED, of.FAIR, "tasks", why)
    why = "the other protocols have no resources of several servers"
    why = "a task that may wait for another CPU is not activated again before its end"
    yield row(of.QUEUED_ACROSS, of.SUSPENDING, "1", why)
    yield row(of.SHARED, of.OF_ONE_SERVER, f"with such users one of {_SERVERS_ABLE}", why)
    # Budgets.
    why = "with {protocol} tasks hold back the end of their server's budget, too"
    yield row(of.IRQ_OFF, of.SERVERS, "another one", why)
    why = "with {protocol} tasks hold back the end of their own budgets, too"
    yield row(of.IRQ_OFF, of.BUDGETS, "another one", why)
    instead, why = (
        "interrupts of one priority, or of none",
        "beside budgets of tasks no interrupts nest",
    )
    yield row(of.NESTING, of.BUDGETS, instead, why)
    why = "the kernel does not see sections of user code"
    yield row(of.BUDGETS_OF_SECTIONS, of.BY_USERS, "none, or the protocol syscall", why)
    why = "the budget of a server would end only behind the function"
    yield row(of.FUNCTIONS, of.SERVERS, "none", why)
    why = "with {protocol} a function could hold interrupts back from its caller"
    yield row(of.PROTECTED, of.IRQ_OFF, "none", why)
    # Tasks that wait for resources of their own core.
    yield row(of.CORES, of.WAITING, "1", "{protocol} has one core")
    why = "with {protocol} a task could wait for a server without a budget"
    yield row(of.SERVERS, of.WAITING, "no servers", why)
    why = "with {protocol} a routine would have to wait"
    yield row(of.RESOURCES_OF_ISRS, of.WAITING, "no resources", why)
    why = "it is a ceiling above all tasks, and {protocol} has none"
    yield row(of.RES_SCHEDULER, of.WAITING, "other resources", why)
    why = "with {protocol} a task could wait while it holds it"
    yield row(of.INTERNAL, of.WAITING, "no internal resource", why)
    why = "with {protocol} the task would wait for itself"
    yield row(of.LINKED, of.WAITING, "no linked resources", why)
    why = "with {protocol} other tasks run while it waits"
    yield row(of.NON, of.WAITING, '"full"', why)
    why = "with {protocol} a task that may wait is not activated again before its end"
    yield row(of.QUEUED, of.WAITING, "1", why)
    why = "with {protocol} a task may wait between the call and the section"
    yield row(of.BUDGETS_OF_SECTIONS, of.WAITING, "none", why)
    # Applications that are terminated.
    why = "a task that waits for a resource cannot be taken out of its queue"
    yield row(of.RESTARTS, of.WAITING, "nothing", why)
    yield row(of.RESTARTS, of.SUSPENDING, "nothing", why)
    why = "a routine that another one has interrupted cannot be ended"
    yield row(of.RESTARTS, of.NESTING, "nothing", why)
    why = 'applications are terminated with scheduler = "priority" alone'
    yield row(of.RESTARTS, of.EDF, "nothing", why)
    yield row(of.RESTARTS, of.HARDWARE, "nothing", why)
    yield row(of.RESTARTS, of.SERVERS, "nothing", "no server pays for the end of an application")
    why = "tasks of other applications could be in its functions"
    yield row(of.RESTARTS, of.PROTECTED, "nothing", why)


_OF_KERNEL = (
    *(of.EDF, of.HARDWARE, of.OF_KERNEL, of.SERVICES, of.ACTIVATED, of.WITHOUT_RUN, of.NON),
    *(of.AUTOSTART, of.QUEUES, of.INTERNAL, of.EVENTS, of.LIMITS, of.LINKED, of.NOT_IDLING),
    of.RES_SCHEDULERS,
    *(of.COUNTERS, of.ALARMS, of.SCHEDULE_TABLES, of.ISRS, of.APPLICATIONS, of.MESSAGES, of.IOCS),
)
_ON_LINUX = tuple(
    Row(feature, None, Place.LINUX, "another target", "only Plafond's own kernel has it")
    for feature in _OF_KERNEL
)
_IN_BACKGROUND = Row(
    of.BACKGROUND, None, Place.LINUX, "false", "the threads of a run have priorities"
)
_WITHOUT_BOUND = (
    Row(of.SLEEPS, of.EDF, Place.ANALYSIS, "no sleep", "not analysed under EDF"),
    Row(of.JITTER, of.SERVERS, Place.ANALYSIS, "no jitter", "not analysed in servers"),
    Row(of.GLOBALS, of.SERVERS, Place.ANALYSIS, "no server", "without its budget a task waits"),
)
_SWITCHED = "how often budgets switch tasks is in no bound"
_BURNT = "budgets burn while a reserved thread runs"
_MANAGED = "what sections of several cost is not known"
_WITHOUT_COSTS = (
    Row(of.WORKING_SETS, of.SERVERS, Place.OVERHEADS, "no servers", _SWITCHED),
    Row(of.WORKING_SETS, of.RESERVATIONS, Place.OVERHEADS, "no reservations", _SWITCHED),
    Row(of.SHARED, None, Place.OVERHEADS, "resources of one server", _MANAGED),
    Row(of.RESERVATIONS, of.SERVERS, Place.OVERHEADS, "one of the two", _BURNT),
)
ROWS = (*_everywhere(), *_in_kernel(), *_ON_LINUX, _IN_BACKGROUND, *_WITHOUT_BOUND, *_WITHOUT_COSTS)
# The features of the matrix of pairs.
FEATURES = tuple(
    dict.fromkeys(
        each
        for row in ROWS
        if row.place is not Place.LINUX
        for each in (row.feature, row.other)
        if each
    )
)


def problems_of_combinations(subject: Subject, place: Place, board: str = "") -> Iterator[Problem]:
    """Yield a problem for each field that asks for the refused feature of a row."""
    for row, use, beside in _refused(subject, place):
        yield Problem(use.where, use.found + beside, row.expected(subject, board))


def uses_refused(subject: Subject, place: Place) -> Iterator[Use]:
    """Yield the refused fields without the expected values."""
    return (use for _, use, _ in _refused(subject, place))


def refusals(subject: Subject, place: Place) -> Iterator[str]:
    """Yield a message for each refused field, without its place in the file."""
    for row, use, beside in _refused(subject, place):
        yield f"found {use.what}{beside}; expected {row.expected(subject, '')}"


def _refused(subject: Subject, place: Place) -> Iterator[tuple[Row, Use, str]]:
    for row in ROWS:
        beside = _beside(row, subject) if row.place is place else None
        if beside is not None:
            yield from ((row, use, beside) for use in row.feature.uses(subject))


def combines(feature: Feature, subject: Subject, place: Place) -> bool:
    """Return whether the subject could also have the feature in that place."""
    own = (row for row in ROWS if row.feature is feature and row.place is place)
    return all(_beside(row, subject) is None for row in own)


def why_without_bound(feature: Feature, other: Feature) -> str:
    """Return the reason why a task with both features has no bound."""
    of_analysis = (row for row in ROWS if row.place is Place.ANALYSIS)
    return next(row.why for row in of_analysis if (row.feature, row.other) == (feature, other))


def _beside(row: Row, subject: Subject) -> str | None:
    """The words on the row's other feature; None if the description does not have that feature."""
    if row.other is None:
        return ""
    return next((f", with {use.what}" for use in row.other.uses(subject)), None)
