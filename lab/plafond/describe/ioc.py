# SPDX-License-Identifier: MIT
"""Communication between tasks without the kernel: AUTOSAR's IOC."""

from dataclasses import dataclass
from pathlib import Path
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
    Strict,
    field,
)

MOST_IOCS = 255


@dataclass(frozen=True)
class Ioc:
    """Data of one type from tasks to a task; headers are absolute paths."""

    name: str
    type: str  # as C writes it
    senders: tuple[str, ...]
    receiver: str
    headers: tuple[Path, ...] = ()  # with the type
    queue: int | None = None  # places for each sender's; None: the last value is kept
    initial: int = 0

    @property
    def sending(self) -> tuple[str, ...]:
        """The services of its senders, which are AUTOSAR's names."""
        service = f"{'IocSend' if self.queue else 'IocWrite'}_{self.name}"
        if len(self.senders) == 1:
            return (service,)
        return tuple(f"{service}_{sender}" for sender in self.senders)


class IocFields(Strict):
    """One [ioc.NAME]."""

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
