# SPDX-License-Identifier: MIT
"""A thread of rt-app: its policy, its CPU and its loop."""

from dataclasses import dataclass

from plafond.describe.defaults import IN_BACKGROUND, POLICIES, REAL_TIME, RESERVED
from plafond.describe.fields import HIGHEST_PRIORITY, MOST_CPUS
from plafond.describe.rt_app.cycle import Cycle, cycle_of
from plafond.describe.rt_app.events import split_events
from plafond.describe.rt_app.keys import MOST, expected
from plafond.describe.rt_app.program import program_of
from plafond.describe.rt_app.reader import NUMBERS, Field, Reader, shown_value
from plafond.describe.source import Place, within

DEFAULT_PRIORITY = 10  # for SCHED_FIFO and SCHED_RR
NICE_VALUES = range(-20, 20)
NICE_0 = 20  # the real-time priority of nice value 0
MOST_INSTANCES = 1000
TABLE = "tasks.NAME"
DEADLINE_KEYS = ("dl-runtime", "dl-period", "dl-deadline")


@dataclass(frozen=True)
class Settings:
    """The settings for all threads, of the file and of the command line."""

    policy: str  # the default of the file
    instead: str | None = None  # replaces it
    cpus: tuple[int, ...] = ()  # for threads without a CPU


@dataclass(frozen=True)
class Reservation:
    """The keys of SCHED_DEADLINE."""

    budget_us: int
    period_us: int


@dataclass(frozen=True)
class Thread:
    """The content of a thread's table."""

    place: Place
    policy: str
    priority: int
    cpu: int | None  # None: the next of the command line
    instances: int
    delay_us: int
    cycle: Cycle
    reservation: Reservation | None
    places: dict[str, Place]  # places of its keys; of a missing key, the place that it would have

    @property
    def name(self) -> str:
        """The key of its table."""
        return str(self.place.where[-1])

    @property
    def is_real_time(self) -> bool:
        """Whether it has a priority."""
        return self.policy in REAL_TIME

    @property
    def is_in_background(self) -> bool:
        """Whether it runs only while no other thread wants its CPU."""
        return self.policy in IN_BACKGROUND


def thread_of(reader: Reader, field: Field, settings: Settings) -> Thread | None:
    """Return the thread of a table; None if it has a mistake."""
    known = len(reader.problems)
    members = reader.members(field, "a table, of one thread")
    own, events = split_events(reader, TABLE, field.key, members)

    def member(key: str, default: int | None = None) -> Field:
        return own.get(key) or Field(within(field.place, key), default)

    def whole(key: str, default: int, numbers: range) -> int:
        return reader.whole(member(key, default), expected(TABLE, key), numbers)

    # Directly after the events, because a refused event would cause misleading mistakes here.
    program = (
        program_of(reader, field.place, own, events) if len(reader.problems) == known else None
    )
    asked = _policy(reader, member("policy"), settings.policy)
    is_replaced = member("policy").value is None and settings.instead is not None
    policy = settings.instead if is_replaced and settings.instead else asked
    cycle = cycle_of(reader, program, policy in IN_BACKGROUND) if program else None
    priority = _priority(reader, member("priority"), asked, policy)
    instances = whole("instance", 1, range(1, MOST_INSTANCES + 1))
    delay_us = whole("delay", 0, range(MOST + 1))
    cpu = _cpu(reader, member("cpus"), settings.cpus)
    reservation = _reservation(reader, field.place, own) if policy == RESERVED else None
    for key in DEADLINE_KEYS if reservation is None else ():
        if key in own:
            reader.note_once(own[key].place, f"ignored: only {RESERVED} has a budget")
    if cycle is None or len(reader.problems) > known:
        return None
    places = {key: member(key).place for key in ("policy", "priority", "cpus", "delay")}
    return Thread(
        field.place, policy, priority, cpu, instances, delay_us, cycle, reservation, places
    )


def _policy(reader: Reader, field: Field, default: str) -> str:
    if field.value is None:
        return default
    return reader.one_of(field, expected(TABLE, "policy"), POLICIES)


def _reservation(reader: Reader, thread: Place, own: dict[str, Field]) -> Reservation:
    def whole(key: str, default: int | None) -> int:
        field = own.get(key) or Field(within(thread, key), default)
        return reader.whole(field, expected(TABLE, key), NUMBERS)

    budget_us = whole("dl-runtime", None)
    period_us = whole("dl-period", budget_us)
    deadline_us = whole("dl-deadline", period_us)
    if deadline_us != period_us:
        wanted = f"{period_us}, which is dl-period"
        reader.refuse(own["dl-deadline"].place, str(deadline_us), wanted)
    return Reservation(budget_us, period_us)


def _priority(reader: Reader, field: Field, asked: str, policy: str) -> int:
    """Return the priority; `asked`: the policy in the file, which has priorities or nice values."""
    if asked in IN_BACKGROUND:
        nice = Field(field.place, field.value or 0)
        value = reader.whole(nice, "a nice value from -20 to 19", NICE_VALUES)
        if policy not in IN_BACKGROUND and field.value is not None:
            reader.note_once(field.place, f"a nice value: the priority is {NICE_0} less that value")
        return NICE_0 - value
    if asked == RESERVED:
        return DEFAULT_PRIORITY  # without meaning
    number = Field(field.place, DEFAULT_PRIORITY if field.value is None else field.value)
    return reader.whole(number, expected(TABLE, "priority"), range(1, HIGHEST_PRIORITY + 1))


def _cpu(reader: Reader, field: Field, defaults: tuple[int, ...]) -> int | None:
    """Return the only CPU of a thread, because a ceiling applies on a single CPU.

    None: the thread has no CPU, so it takes the next CPU of `defaults`.
    """
    wanted = expected(TABLE, "cpus")
    cpus = field.value if isinstance(field.value, list) else []
    chosen = [cpu for cpu in defaults if cpu in cpus]
    if len(cpus) == 1:
        return reader.whole(Field(field.place, cpus[0]), wanted, range(MOST_CPUS))
    if chosen:
        return chosen[0]
    if field.value is not None:
        reader.refuse(field.place, shown_value(field.value), wanted)
    elif not defaults:
        every = f"{wanted}, or --default-cpu CPU for all"
        reader.refuse_once(field.place, "nothing, and so all CPUs", every)
    return None
