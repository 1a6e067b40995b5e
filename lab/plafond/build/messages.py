# SPDX-License-Identifier: MIT
"""The tables of messages: kernel/message.h."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plafond.describe.body import Activate, CallBack, Flag, SetEvent
from plafond.describe.message import NO_DATA, Message
from plafond.describe.system import System


@dataclass(frozen=True)
class SentTable:
    """An entry of plf_sent_config."""

    name: str
    type: str | None  # None: no data
    core: int
    first: int
    receivers: int


@dataclass(frozen=True)
class ReceiverTable:
    """An entry of plf_receiver_config."""

    name: str
    type: str | None
    core: int
    places: int
    initial: int
    task: str | None
    event: str | None
    callback: int | None  # number of the callback
    flag: int | None  # number of the flag


def sent_tables(system: System) -> Iterator[SentTable]:
    """The sent messages, in order."""
    first = 0
    for sent in system.sent_messages:
        count = len(system.receivers_of(sent))
        yield SentTable(sent.name, _type(sent), sent.cpu, first, count)
        first += count


def receiver_tables(system: System, callbacks: Sequence[str]) -> Iterator[ReceiverTable]:
    """The receivers, grouped by sent message."""
    flags = flags_of(system)
    for sent in system.sent_messages:
        for each in system.receivers_of(sent):
            action = each.action
            yield ReceiverTable(
                name=each.name,
                type=_type(sent),
                core=sent.cpu,
                places=each.queue or 0,
                initial=each.initial,
                task=action.task if isinstance(action, Activate | SetEvent) else None,
                event=action.event if isinstance(action, SetEvent) else None,
                callback=callbacks.index(action.function) if isinstance(action, CallBack) else None,
                flag=flags.index(action.name) if isinstance(action, Flag) else None,
            )


def flags_of(system: System) -> list[str]:
    """Return the flags of messages, each once."""
    actions = [message.action for message in system.messages]
    return list(dict.fromkeys(each.name for each in actions if isinstance(each, Flag)))


def _type(sent: Message) -> str | None:
    return None if sent.type == NO_DATA else sent.type
