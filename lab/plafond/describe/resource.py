# SPDX-License-Identifier: MIT
"""Resources."""

from typing import Annotated, Literal

from pydantic import Field

from plafond.describe.fields import (
    HIGHEST_OF_LINUX,
    PRIORITY,
    Access,
    Duration,
    Name,
    Oil,
    field,
)
from plafond.describe.kernel import SCHEDULER
from plafond.describe.named import Named
from plafond.protocols import GlobalProtocol
from plafond.units import DURATION


class ResourceFields(Named):
    """One [resource.NAME]."""

    kind = "resource"
    oil_kind = "RESOURCE"
    oil = """
        ENUM [STANDARD, LINKED { RESOURCE_TYPE LINKEDRESOURCE; }, INTERNAL]
          RESOURCEPROPERTY = STANDARD;
        APPLICATION_TYPE ACCESSING_APPLICATION[] : "as of TASK";
    """

    ceiling: Annotated[int, Field(ge=1, le=HIGHEST_OF_LINUX)] | None = field(
        f"{PRIORITY}; {HIGHEST_OF_LINUX} too, if there is a [mutex.NAME]; without it, "
        "the highest priority of its users",
        None,
        oil=Oil(also="priority ceilingpriority"),
    )
    floor: Duration | None = field(
        f"{DURATION}; under EDF, instead of a ceiling: the deadline inside, from "
        "the lock on; without it, the least deadline of its users",
        None,
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

    @property
    def is_open(self) -> bool:
        """Whether nothing is said of applications: then its users are those that may use it."""
        return self.application is None and not self.access
