# SPDX-License-Identifier: MIT
"""Communication between tasks without kernel calls: AUTOSAR's IOC."""

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from plafond.describe.fields import (
    MOST_QUEUED,
    CType,
    Files,
    Form,
    Listed,
    Name,
    Oil,
    field,
)
from plafond.describe.message import NO_DATA
from plafond.describe.named import Known, Named
from plafond.describe.problems import Problem

MOST_IOCS = 255


class Ioc(Named):
    """A table [ioc.NAME]: data of one type, from one or more tasks to a task."""

    table = "ioc"
    oil_kind = "IOC"
    oil = """
        STRING TYPE = NO_DEFAULT : "as C writes it; the attributes of an IOC are our own";
        STRING HEADER[] : "C headers beside this file; they have the type";
        TASK_TYPE SENDER[] : "one, or several";
        TASK_TYPE RECEIVER;
        UINT32 [1..255] QUEUE : "messages of each sender; without it, the last value is kept";
        UINT64 INIT : "the value until the first one is written";
    """

    type: CType = field(
        "a type as C writes it, such as uint32_t; numbers and pointers are passed by "
        "value, others by reference",
        oil=Oil("TYPE"),
    )
    headers: Files = field(
        "a list of C headers beside the description; they have the type",
        (),
        oil=Oil("HEADER", Form.LIST),
    )
    senders: Annotated[tuple[Name, ...], Listed(1)] = field(
        "a list of names of tasks; one alone calls IocSend_NAME, or IocWrite_NAME, and "
        "of several the task T calls IocSend_NAME_T, or IocWrite_NAME_T",
        oil=Oil("SENDER", Form.LIST),
    )
    receiver: Name = field(
        "the name of a task; it calls IocReceive_NAME, or IocRead_NAME", oil=Oil("RECEIVER")
    )
    queue: Annotated[int, Field(ge=1, le=MOST_QUEUED)] | None = field(
        f"a whole number from 1 to {MOST_QUEUED}; how many messages are kept until "
        "they are received, the oldest first; without it, the last value is kept",
        None,
        oil=Oil("QUEUE"),
    )
    initial: Annotated[int, Field(ge=0, lt=2**64)] = field(
        "a whole number from 0, below 2^64; the value until the first one is written; "
        "other types than numbers begin with zeros",
        0,
        oil=Oil("INIT"),
    )

    @property
    def sending(self) -> tuple[str, ...]:
        """Return the services of the senders, with AUTOSAR's names."""
        service = f"{'IocSend' if self.queue else 'IocWrite'}_{self.name}"
        if not self.has_lanes:
            return (service,)
        return tuple(f"{service}_{sender}" for sender in self.senders)

    @property
    def has_lanes(self) -> bool:
        """Whether there are several senders; each has separate memory then."""
        return len(self.senders) > 1

    @property
    def places(self) -> int:
        """Return the number of slots of the queue, a power of two."""
        return 1 << ((self.queue or 1) - 1).bit_length()

    def problems(self, known: Known) -> Iterator[Problem]:
        """Yield unknown tasks, and fields that contradict each other."""
        for index, sender in enumerate(self.senders):
            wrong = known.wrong("task", sender)
            if not wrong and sender == self.receiver:
                wrong = "another task than its receiver"
            if wrong:
                yield Problem((*self.where, "senders", index), sender, wrong)
        wrong = known.wrong("task", self.receiver)
        if wrong:
            yield Problem((*self.where, "receiver"), self.receiver, wrong)
        for sender in sorted({each for each in self.senders if self.senders.count(each) > 1}):
            yield Problem((*self.where, "senders"), f"{sender} twice", "each task once")
        yield from known.problems_of_headers((*self.where, "headers"), self.headers)
        if self.type == NO_DATA:
            expected = "a type of data; SetEvent only notifies"
            yield Problem((*self.where, "type"), NO_DATA, expected)
        if self.queue is not None and "initial" in self.model_fields_set:
            expected = "none beside queue: a queue begins empty"
            yield Problem((*self.where, "initial"), str(self.initial), expected)
