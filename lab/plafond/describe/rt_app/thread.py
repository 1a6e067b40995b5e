# SPDX-License-Identifier: MIT
"""A thread of rt-app: its policy, its CPU and its loop."""

from dataclasses import dataclass

from plafond.describe.fields import HIGHEST_PRIORITY, MOST_CPUS
from plafond.describe.rt_app.cycle import Cycle, cycle_of
from plafond.describe.rt_app.events import split_events
from plafond.describe.rt_app.keys import MOST, expected
from plafond.describe.rt_app.reader import Field, Reader, shown_value
from plafond.describe.source import Place, within

DEFAULT_PRIORITY = 10  # for SCHED_FIFO and SCHED_RR
MOST_INSTANCES = 1000
ROUND_ROBIN = "SCHED_RR"
POLICIES = ("SCHED_FIFO", ROUND_ROBIN)
TABLE = "tasks.NAME"


@dataclass(frozen=True)
class Thread:
    """The content of a thread's table."""

    place: Place
    policy: str
    priority: int
    cpu: int
    instances: int
    delay_us: int
    cycle: Cycle
    places: dict[str, Place]  # places of its keys; of a missing key, the place that it would have

    @property
    def name(self) -> str:
        """The key of its table."""
        return str(self.place.where[-1])


def thread_of(reader: Reader, field: Field, default_policy: str) -> Thread | None:
    """Return the thread of a table; None if it has a mistake."""
    known = len(reader.problems)
    own, events = split_events(reader, TABLE, reader.table(field, "a table, of one thread"))
    # Directly after the events, because a refused event would cause misleading mistakes here.
    cycle = cycle_of(reader, field.place, own, events) if len(reader.problems) == known else None

    def member(key: str, default: int | None = None) -> Field:
        return own.get(key) or Field(within(field.place, key), default)

    def whole(key: str, default: int, numbers: range) -> int:
        return reader.whole(member(key, default), expected(TABLE, key), numbers)

    policy = _policy(reader, member("policy"), default_policy)
    priority = whole("priority", DEFAULT_PRIORITY, range(1, HIGHEST_PRIORITY + 1))
    instances = whole("instance", 1, range(1, MOST_INSTANCES + 1))
    delay_us = whole("delay", 0, range(MOST + 1))
    cpu = _cpu(reader, member("cpus"))
    if cycle is None or len(reader.problems) > known:
        return None
    places = {key: member(key).place for key in ("policy", "priority", "cpus", "delay")}
    return Thread(field.place, policy, priority, cpu, instances, delay_us, cycle, places)


def _policy(reader: Reader, field: Field, default: str) -> str:
    wanted = expected(TABLE, "policy")
    if field.value is not None:
        return reader.one_of(field, wanted, POLICIES)
    if default not in POLICIES:
        reader.refuse(field.place, f"nothing, and so {default}", wanted)
    return default


def _cpu(reader: Reader, field: Field) -> int:
    """Return the only CPU of a thread; a ceiling applies on a single CPU."""
    wanted = expected(TABLE, "cpus")
    cpus = field.value if isinstance(field.value, list) else []
    if len(cpus) == 1:
        return reader.whole(Field(field.place, cpus[0]), wanted, range(MOST_CPUS))
    all_cpus = ", and so all CPUs" if field.value is None else ""
    reader.refuse(field.place, shown_value(field.value) + all_cpus, wanted)
    return 0
