# SPDX-License-Identifier: MIT
"""A whole description: all tables of a file."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, get_args, get_origin

from pydantic import Field

from plafond.describe.alarm import Alarm
from plafond.describe.application import MOST_APPLICATIONS, Application
from plafond.describe.counter import Counter
from plafond.describe.event import Event
from plafond.describe.fields import MOST_CPUS, NAME, Name, Oil, Strict, Title, field, one_of
from plafond.describe.function import Function
from plafond.describe.ioc import MOST_IOCS, Ioc
from plafond.describe.isr import Isr
from plafond.describe.kernel import Scheduler
from plafond.describe.kernel_table import KERNEL, Kernel
from plafond.describe.message import COM, MOST_MESSAGES, Com, Message
from plafond.describe.mutex import Locker, Mutex
from plafond.describe.named import NAMED, Named
from plafond.describe.resource import Resource
from plafond.describe.schedule_table import ExpiryPoint, ScheduleTable
from plafond.describe.server import MOST_SERVERS, Server
from plafond.describe.task import Task


class Description(Strict):
    """A whole file."""

    elsewhere: ClassVar[Mapping[str, str]] = {
        "events": "events of the [task.NAME] that waits for it",
        "appmode": "modes of [kernel]",
        "appmodes": "modes of [kernel]",
    }

    name: Title | None = field(
        "a title of 1 to 100 printable characters; without it, the file's name", None
    )
    cpus: Annotated[int, Field(ge=1, le=MOST_CPUS)] = field(
        f"a whole number from 1 to {MOST_CPUS}; how many processors there are",
        1,
        oil=Oil(also="core cores"),
    )
    seed: Annotated[int, Field(ge=0, lt=2**63)] = field(
        "a whole number from 0, below 2^63; where random arrivals, ranges and jitter start from", 1
    )
    scheduler: Annotated[Scheduler, one_of(list(Scheduler))] = field(
        '"priority", "hardware" or "edf"; which task runs: that of the highest '
        "priority; on Plafond's own kernel only, the same by its interrupt controller, or that of "
        "the earliest absolute deadline",
        Scheduler.PRIORITY,
    )
    kernel: Kernel = field("a table [kernel]; for Plafond's own kernel", KERNEL, oil=Oil(also="os"))
    task: Annotated[dict[Name, Task], Field(max_length=1000), NAMED] = field(
        f"tables [task.NAME], 1 to 1000; NAME is {NAME}", {}
    )
    resource: Annotated[dict[Name, Resource], Field(max_length=1000), NAMED] = field(
        f"tables [resource.NAME], at most 1000; NAME is {NAME}", {}
    )
    server: Annotated[dict[Name, Server], Field(max_length=MOST_SERVERS), NAMED] = field(
        f"tables [server.NAME], at most {MOST_SERVERS}; NAME is {NAME}", {}
    )
    application: Annotated[dict[Name, Application], Field(max_length=MOST_APPLICATIONS), NAMED] = (
        field(
            f"tables [application.NAME], at most {MOST_APPLICATIONS}; NAME is {NAME}",
            {},
            oil=Oil(also="applications osapplication"),
        )
    )
    event: Annotated[dict[Name, Event], Field(max_length=1000), NAMED] = field(
        f"tables [event.NAME], at most 1000; NAME is {NAME}", {}
    )
    counter: Annotated[dict[Name, Counter], Field(max_length=255), NAMED] = field(
        f"tables [counter.NAME], at most 255; NAME is {NAME}", {}
    )
    alarm: Annotated[dict[Name, Alarm], Field(max_length=255), NAMED] = field(
        f"tables [alarm.NAME], at most 255; NAME is {NAME}", {}
    )
    schedule_table: Annotated[dict[Name, ScheduleTable], Field(max_length=255), NAMED] = field(
        f"tables [schedule_table.NAME], at most 255; NAME is {NAME}", {}
    )
    isr: Annotated[dict[Name, Isr], Field(max_length=255), NAMED] = field(
        f"tables [isr.NAME], at most 255; NAME is {NAME}", {}, oil=Oil(also="interrupt interrupts")
    )
    com: Com = field("a table [com]; for messages", COM)
    message: Annotated[dict[Name, Message], Field(max_length=MOST_MESSAGES), NAMED] = field(
        f"tables [message.NAME], at most {MOST_MESSAGES}; NAME is {NAME}", {}
    )
    ioc: Annotated[dict[Name, Ioc], Field(max_length=MOST_IOCS), NAMED] = field(
        f"tables [ioc.NAME], at most {MOST_IOCS}; NAME is {NAME}", {}
    )
    mutex: Annotated[dict[Name, Mutex], Field(max_length=1000), NAMED] = field(
        f"tables [mutex.NAME], at most 1000; NAME is {NAME}", {}
    )


# Tables without a name.
SINGLE: dict[str, type[Strict]] = {"kernel": Kernel, "com": Com}
# Tables with a name.
TABLES: dict[str, type[Named]] = {
    name: get_args(field.annotation)[1]
    for name, field in Description.model_fields.items()
    if get_origin(field.annotation) is dict
}
# Tables inside a table that has a name.
LISTED: dict[str, type[Strict]] = {
    "application": Function,
    "schedule_table": ExpiryPoint,
    "mutex": Locker,
}
