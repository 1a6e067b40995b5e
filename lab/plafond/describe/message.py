# SPDX-License-Identifier: MIT
"""Messages of Plafond's own kernel: OSEK COM's internal communication."""

import re
from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from plafond.describe.body import Activate, Notification, SetEvent
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
from plafond.describe.named import Known, Named
from plafond.describe.problems import Problem
from plafond.describe.steps import NOTIFICATIONS, parse_notification

# AUTOSAR's platform types that C calls otherwise.
PLATFORM = {"boolean": "uint8_t", "float32": "float", "float64": "double"}
# Words of types that need no header: of C, <stdint.h>, and OSEK's such as TaskType.
OF_C = re.compile(
    r"void|char|short|int|long|signed|unsigned|float|double|_Bool|bool|const|volatile|\w+_t|\w+Type"
)
AUTOSAR_INTEGER = re.compile(r"([us])int(8|16|32|64)(_least)?")
NO_DATA = "void"  # the type of a message that only notifies
MOST_MESSAGES = 255
OF_RECEIVERS = ("queue", "initial", "action")
MOST_RECEIVERS = 16  # PLF_RECEIVERS_MOST of kernel/include/os_com_types.h

# OSEK COM 3.0.3, Table 2-1. The kernel has none of them except ALWAYS, so a build refuses them.
FILTERS = """ENUM [
              ALWAYS,
              NEVER,
              MASKEDNEWEQUALSX { UINT64 MASK; UINT64 X; },
              MASKEDNEWDIFFERSX { UINT64 MASK; UINT64 X; },
              NEWISEQUAL,
              NEWISDIFFERENT,
              MASKEDNEWEQUALSMASKEDOLD { UINT64 MASK; },
              MASKEDNEWDIFFERSMASKEDOLD { UINT64 MASK; },
              NEWISWITHIN { UINT64 MIN; UINT64 MAX; },
              NEWISOUTSIDE { UINT64 MIN; UINT64 MAX; },
              NEWISGREATER,
              NEWISLESSOREQUAL,
              NEWISLESS,
              NEWISGREATEROREQUAL,
              ONEEVERYN { UINT64 PERIOD; UINT64 OFFSET; }
            ] FILTER = ALWAYS : "all others than ALWAYS are for other kernels";"""


def platform_type(name: str) -> str:
    """Return C's name of a platform type of AUTOSAR, such as uint8_t of uint8; else the name."""
    match = AUTOSAR_INTEGER.fullmatch(name)
    if match:
        sign = "u" if match[1] == "u" else ""
        return f"{sign}int{match[3] or ''}{match[2]}_t"
    return PLATFORM.get(name, name)


def is_type_of_c(name: str) -> bool:
    """Whether C has the type without a header of the application: its own types and OSEK's."""
    return all(OF_C.fullmatch(word) for word in re.findall(r"[A-Za-z_]\w*", name))


class Com(Strict):
    """The table [com]."""

    modes: Annotated[tuple[Name, ...], Listed(1, 255)] = field(
        "a list of 1 to 255 names; the modes of StartCOM; without it there is one, of the number 0",
        (),
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


COM = Com.model_construct()  # for a description without the table


class Message(Named):
    """A table [message.NAME]: a sent message, which has a type, or a receiver of a sent message."""

    table = "message"
    oil_kind = "MESSAGE"
    oil = """
        ENUM [
          SEND_STATIC_INTERNAL { STRING CDATATYPE = NO_DEFAULT : "256 bytes at most"; },
          SEND_ZERO_INTERNAL,
          RECEIVE_UNQUEUED_INTERNAL {
            MESSAGE_TYPE SENDINGMESSAGE;
            FILTERS
            UINT64 INITIALVALUE = 0;
          },
          RECEIVE_QUEUED_INTERNAL {
            MESSAGE_TYPE SENDINGMESSAGE;
            FILTERS
            UINT64 [0] INITIALVALUE = 0 : "a queue begins empty";
            UINT32 [1..255] QUEUESIZE = NO_DEFAULT;
          },
          RECEIVE_ZERO_INTERNAL { MESSAGE_TYPE SENDINGMESSAGE; }
        ] MESSAGEPROPERTY = NO_DEFAULT;
        ENUM [
          NONE,
          ACTIVATETASK { TASK_TYPE TASK; },
          SETEVENT { TASK_TYPE TASK; EVENT_TYPE EVENT; },
          COMCALLBACK {
            STRING CALLBACKROUTINENAME = NO_DEFAULT;
            MESSAGE_TYPE MESSAGE[] : "as of TASK";
          },
          FLAG { STRING FLAGNAME = NO_DEFAULT; }
        ] NOTIFICATION = NONE;
        UINT32 [0..3] CPU_ID : "of one that is sent: its senders' and receivers'; without it 0";
    """.replace("FILTERS", FILTERS)

    type: CType | None = field(
        f"a type as C writes it, such as uint32_t; of what is sent, 256 bytes at "
        f"most; {NO_DATA}: it has no data, and is sent by SendZeroMessage",
        None,
        oil=Oil("MESSAGEPROPERTY.CDATATYPE"),
    )
    sender: Name | None = field(
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
        oil=Oil("NOTIFICATION", Form.ACTION),
    )
    cpu: Cpu = field(f"{CPU}; of what is sent: whose tasks and handlers may send and receive it", 0)

    def problems(self, known: Known) -> Iterator[Problem]:
        """Yield fields that do not suit this kind of message, and unknown names."""
        if (self.type is None) == (self.sender is None):
            found = "neither" if self.type is None else "both"
            expected = "type, of what is sent, or from, of what is received"
            yield Problem(self.where, found, expected)
        elif self.sender is None:
            for name in OF_RECEIVERS:
                if name in self.model_fields_set:
                    expected = f"from: {name} is of a receiver"
                    yield Problem((*self.where, name), "a message that is sent", expected)
        else:
            yield from self._problems_of_received(self.sender, known)

    def _problems_of_received(self, sender: str, known: Known) -> Iterator[Problem]:
        if "cpu" in self.model_fields_set:
            expected = "none: a receiver is where the message is sent"
            yield Problem((*self.where, "cpu"), str(self.cpu), expected)
        wrong = known.wrong("message", sender)
        sent = known.find(Message, sender)
        if sent and sent.sender is not None:
            wrong = f"a message with a type: {sender} is received itself"
        if wrong:
            yield Problem((*self.where, "from"), sender, wrong)
        for name in ("queue", "initial"):
            if sent and sent.type == NO_DATA and name in self.model_fields_set:
                expected = f"none: {sender} has no data"
                yield Problem((*self.where, name), str(getattr(self, name)), expected)
        if self.queue is not None and "initial" in self.model_fields_set:
            expected = "none beside queue: a queue begins empty"
            yield Problem((*self.where, "initial"), str(self.initial), expected)
        signal = self.action
        wrong = known.wrong_signal(signal) if isinstance(signal, Activate | SetEvent) else None
        if wrong:
            yield Problem((*self.where, "action"), str(signal), wrong)
