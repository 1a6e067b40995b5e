# SPDX-License-Identifier: MIT
"""Messages of Plafond's own kernel: OSEK COM's internal communication."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from plafond.describe.body import Notification
from plafond.describe.fields import (
    CPU,
    MOST_QUEUED,
    Cpu,
    CType,
    Files,
    Form,
    Listed,
    Name,
    Oil,
    Strict,
    field,
    written_as,
)
from plafond.describe.steps import NOTIFICATIONS, parse_notification

NO_DATA = "void"  # the type of a message that only notifies
MOST_MESSAGES = 255
MOST_RECEIVERS = 16  # PLF_RECEIVERS_MOST of kernel/include/os_com_types.h


@dataclass(frozen=True)
class Message:
    """What is sent, with a type; or one receiver of it, with a sender."""

    name: str
    type: str | None = None  # as C writes it
    sender: str | None = None  # the sent message that it receives
    queue: int | None = None  # places; None: the last one is kept
    initial: int = 0
    action: Notification | None = None
    cpu: int = 0  # of what is sent, and so of its receivers


@dataclass(frozen=True)
class Com:
    """The table [com]; headers are absolute paths."""

    modes: tuple[str, ...] = ()  # of StartCOM; none: there is one, which has the number 0
    headers: tuple[Path, ...] = ()  # with the types of messages
    error_hook: bool = False
    extension: bool = False  # whether StartCOM calls StartCOMExtension


COM = Com()  # of a description without the table


class ComFields(Strict):
    """The table [com]."""

    modes: Annotated[tuple[Name, ...], Listed(1, 255)] | None = field(
        "a list of 1 to 255 names; the modes of StartCOM; without it there is one, of the number 0",
        None,
        oil=Oil("COMAPPMODE", Form.LIST),
    )
    headers: Files = field(
        "a list of C headers beside the description; they have the types of messages",
        (),
        oil=Oil("TYPES_HEADER", Form.LIST),
    )
    error_hook: bool = field(
        "true or false; whether COMErrorHook of a trusted file is called for errors of "
        "the services of messages, which ErrorHook is not",
        False,
        oil=Oil("COMERRORHOOK", Form.TRUE),
    )
    extension: bool = field(
        "true or false; whether StartCOM calls StartCOMExtension of a source",
        False,
        oil=Oil("COMSTARTCOMEXTENSION", Form.TRUE),
    )


class MessageFields(Strict):
    """One [message.NAME]."""

    type: CType | None = field(
        f"a type as C writes it, such as uint32_t; of what is sent, 256 bytes at "
        f"most; {NO_DATA}: it has no data, and is sent by SendZeroMessage",
        None,
        oil=Oil(also="cdatatype"),
    )
    from_: Name | None = field(
        "the name of one message that is sent; of what is received: up to 16 receive "
        "one, each with a copy of its own",
        None,
        alias="from",
        oil=Oil("MESSAGEPROPERTY.SENDINGMESSAGE"),
    )
    queue: Annotated[int, Field(ge=1, le=MOST_QUEUED)] | None = field(
        f"a whole number from 1 to {MOST_QUEUED}; how many are kept until they are "
        "received, the oldest first; without it, the last one is kept",
        None,
        oil=Oil("MESSAGEPROPERTY.QUEUESIZE"),
    )
    initial: Annotated[int, Field(ge=0, lt=2**64)] = field(
        "a whole number from 0, below 2^64; its value until the first one arrives; "
        "other types than numbers begin with zeros",
        0,
        oil=Oil("MESSAGEPROPERTY.INITIALVALUE", without=0),
    )
    action: Annotated[Notification, written_as(parse_notification)] | None = field(
        f"{NOTIFICATIONS}; when it has arrived; FUNCTION is COMCallback(FUNCTION) of a "
        "trusted file, and NAME that of ReadFlag_NAME and ResetFlag_NAME",
        None,
        oil=Oil(also="notification"),
    )
    cpu: Cpu = field(f"{CPU}; of what is sent: whose tasks and handlers may send and receive it", 0)
