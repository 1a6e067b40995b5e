# SPDX-License-Identifier: MIT
"""Resources."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from plafond.describe.fields import (
    COMPUTED,
    HIGHEST_OF_LINUX,
    HIGHEST_PRIORITY,
    PRIORITY,
    Access,
    Duration,
    Name,
    Oil,
    field,
)
from plafond.describe.kernel import SCHEDULER
from plafond.describe.named import Known, Named
from plafond.describe.problems import Problem
from plafond.protocols import USERS_IN_WORD, GlobalProtocol
from plafond.units import DURATION


class Resource(Named):
    """A table [resource.NAME]: a single task at a time may use it."""

    table = "resource"
    oil_kind = "RESOURCE"
    oil = """
        ENUM [STANDARD, LINKED { RESOURCE_TYPE LINKEDRESOURCE; }, INTERNAL]
          RESOURCEPROPERTY = STANDARD;
        APPLICATION_TYPE ACCESSING_APPLICATION[] : "as of TASK";
    """

    given_ceiling: Annotated[int, Field(ge=1, le=HIGHEST_OF_LINUX)] | None = field(
        f"{PRIORITY}; {HIGHEST_OF_LINUX} too, if there is a [mutex.NAME]; without it, "
        "the highest priority of its users",
        None,
        alias="ceiling",
        oil=Oil(also="priority ceilingpriority"),
    )
    given_floor: Duration | None = field(
        f"{DURATION}; under EDF, instead of a ceiling: the deadline inside, from "
        "the lock on; without it, the least deadline of its users",
        None,
        alias="floor",
    )
    internal: bool = field(
        f"true or false; whether it is for the field internal of tasks, and not for "
        f"steps; {SCHEDULER} needs no table",
        False,
        oil=Oil(also="resourceproperty property"),
    )
    linked: Name | None = field(
        "the name of one resource; this is a second name of it, under which a task may "
        "lock it once more inside",
        None,
        oil=Oil("RESOURCEPROPERTY.LINKEDRESOURCE"),
    )
    successor: Name | None = field(
        "the name of one resource; of a spinlock: the next one that may be locked inside", None
    )
    lock: Literal["tasks", "nothing"] | None = field(
        '"tasks" or "nothing"; of a spinlock: whether tasks of its CPU wait while one '
        f"spins or is inside; nothing needs {GlobalProtocol.SPIN_UNORDERED}; without it, tasks",
        None,
    )
    application: Name | None = field(
        "the name of one application; to which it belongs, if to one; without it and "
        "access, those of its users may use it",
        None,
    )
    access: Access = ()
    # Under EDF, the preemption level that belongs to the floor.
    ceiling: Annotated[int, COMPUTED] = Field(1, alias="computed ceiling")
    # Under EDF, the relative deadline inside a section, in nanoseconds.
    floor: Annotated[int | None, COMPUTED] = Field(None, alias="computed floor")
    users: Annotated[tuple[str, ...], COMPUTED] = ()
    cpus: Annotated[tuple[int, ...], COMPUTED] = ()  # CPUs of its users, ascending
    # The servers of its users, the most urgent first.
    servers: Annotated[tuple[str, ...], COMPUTED] = ()
    # All its names, including this one; empty if it has only one name.
    names: Annotated[frozenset[str], COMPUTED] = frozenset()

    @property
    def is_open(self) -> bool:
        """Whether its table names no application; then exactly its users may use it."""
        return self.application is None and not self.access

    @property
    def keeps_tasks_out(self) -> bool:
        """Whether tasks of the CPU cannot preempt a task that spins for it or is inside."""
        return self.lock != "nothing"

    @property
    def is_global(self) -> bool:
        """Whether its users are on several CPUs; RES_SCHEDULER is not, because each CPU has one."""
        return len(self.cpus) > 1 and self.name != SCHEDULER

    @property
    def is_of_servers(self) -> bool:
        """Whether its users are in several servers of a CPU."""
        return len(self.servers) > 1 and self.name != SCHEDULER and not self.is_global

    @property
    def is_by_cpu(self) -> bool:
        """Whether MPCP has a word for each CPU, because a single word cannot hold all users."""
        return self.is_global and len(self.users) > USERS_IN_WORD

    @property
    def cpus_in_words(self) -> str:
        """Its CPUs, for a message."""
        return f"the CPUs {' and '.join(map(str, self.cpus))}"

    @property
    def servers_in_words(self) -> str:
        """Its servers, for a message."""
        return f"the servers {' and '.join(self.servers)}"

    def may_be_entered_by(self, task: str) -> bool:
        """Return whether steps of the task may lock it. Any task may lock RES_SCHEDULER (OSEK
        2.2.3, 8.3)."""
        return not self.internal and (task in self.users or self.name == SCHEDULER)

    def problems(self, known: Known) -> Iterator[Problem]:
        """Yield a ceiling that only a mutex may have, and fields that RES_SCHEDULER cannot have."""
        if (self.given_ceiling or 0) > HIGHEST_PRIORITY and self.name not in known.names["mutex"]:
            expected = f"at most {HIGHEST_PRIORITY}: there is no table [mutex.{self.name}]"
            yield Problem((*self.where, "ceiling"), str(self.given_ceiling), expected)
        if self.name == SCHEDULER and self.internal:
            expected = 'a resource of steps; schedule = "non" of a task is its internal form'
            yield Problem((*self.where, "internal"), "true", expected)
        if self.name == SCHEDULER and not self.is_open:
            field = "application" if self.application else "access"
            found = self.application or ", ".join(self.access)
            expected = f"nothing: all tasks of all applications may take {SCHEDULER}"
            yield Problem((*self.where, field), found, expected)
