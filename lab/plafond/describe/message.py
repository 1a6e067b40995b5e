# SPDX-License-Identifier: MIT
"""Messages of Plafond's own kernel: OSEK COM's internal communication."""

from dataclasses import dataclass
from pathlib import Path

from plafond.describe.body import Activate, CallBack, Flag, SetEvent

NO_DATA = "void"  # the type of a message that only notifies
MOST_MESSAGES = 255
MOST_RECEIVERS = 16  # PLF_RECEIVERS_MOST of kernel/include/os_com_types.h
Notification = Activate | SetEvent | CallBack | Flag


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
