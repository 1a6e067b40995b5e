# SPDX-License-Identifier: MIT
"""What messages must keep: OSEK COM's internal communication."""

from collections import Counter as Count
from collections.abc import Iterator, Mapping
from pathlib import Path

from plafond.describe.body import Activate, CallBack, Notification, SetEvent
from plafond.describe.kernel_table import KernelFields
from plafond.describe.message import MOST_RECEIVERS, NO_DATA, ComFields, MessageFields
from plafond.describe.problems import Problem, Where
from plafond.describe.rules import Known, problems_of_headers, trusted_files
from plafond.words import suggestion

Messages = Mapping[str, MessageFields]
OF_RECEIVERS = ("queue", "initial", "action")


def problems_of_messages(messages: Messages, named: list[str], known: Known) -> Iterator[Problem]:
    """Each message: sent, or received from one that is sent."""
    for name, message in messages.items():
        if (message.type is None) == (message.from_ is None):
            found = "neither" if message.type is None else "both"
            expected = "type, of what is sent, or from, of what is received"
            yield Problem(("message", name), found, expected)
        elif message.from_ is None:
            yield from _problems_of_sent(name, message)
        else:
            yield from _problems_of_received(name, message, messages, named)
            yield from _problems_of_action(name, message.action, known)
    receivers = Count(each.from_ for each in messages.values() if each.from_)
    for sender, count in receivers.items():
        if count > MOST_RECEIVERS:
            expected = f"at most {MOST_RECEIVERS}: interrupts wait while it is copied to all"
            yield Problem(("message", sender), f"{count} receivers", expected)


def _problems_of_sent(name: str, message: MessageFields) -> Iterator[Problem]:
    for field in OF_RECEIVERS:
        if field in message.model_fields_set:
            found = "a message that is sent"
            yield Problem(("message", name, field), found, f"from: {field} is of a receiver")


def _problems_of_received(
    name: str, message: MessageFields, messages: Messages, named: list[str]
) -> Iterator[Problem]:
    where: Where = ("message", name)
    if "cpu" in message.model_fields_set:
        expected = "none: a receiver is where the message is sent"
        yield Problem((*where, "cpu"), str(message.cpu), expected)
    assert message.from_ is not None
    if message.from_ not in named:
        described = f"a message that is described: a table [message.{message.from_}]"
        expected = described + suggestion(message.from_, named)
        yield Problem((*where, "from"), message.from_, expected)
    sender = messages.get(message.from_)
    if sender is not None and sender.from_ is not None:
        expected = f"a message with a type: {message.from_} is received itself"
        yield Problem((*where, "from"), message.from_, expected)
    for field in ("queue", "initial"):
        if sender and sender.type == NO_DATA and field in message.model_fields_set:
            expected = f"none: {message.from_} has no data"
            yield Problem((*where, field), str(getattr(message, field)), expected)
    if message.queue is not None and "initial" in message.model_fields_set:
        expected = "none beside queue: a queue begins empty"
        yield Problem((*where, "initial"), str(message.initial), expected)


def _problems_of_action(name: str, action: Notification | None, known: Known) -> Iterator[Problem]:
    expected: str | None = None
    match action:
        case Activate(task):
            expected = known.wrong_task(task)
        case SetEvent(task, event):
            expected = known.wrong_task(task) or known.wrong_event(task, event)
    if expected:
        yield Problem(("message", name, "action"), str(action), expected)


def problems_of_com(
    com: ComFields,
    messages: list[str],
    kernel: KernelFields,
    folder: Path,
    *,
    has_own_sources: bool,
) -> Iterator[Problem]:
    """The table [com], where there is one. `has_own_sources`: an application has some."""
    if com.model_fields_set and not messages:
        yield Problem(("com",), "no messages that it is about", "a table [message.NAME]")
    for mode, count in Count(com.modes or ()).items():
        if count > 1:
            yield Problem(("com", "modes"), f"{mode} twice", "each mode once")
    yield from problems_of_headers(("com", "headers"), com.headers, folder)
    if com.error_hook and not kernel.has_trusted_code:
        yield Problem(("kernel", "trusted"), "nothing", trusted_files("COMErrorHook is"))
    if com.extension and not (kernel.sources or kernel.mixed or has_own_sources):
        expected = "the C files in which StartCOMExtension is"
        yield Problem(("kernel", "sources"), "nothing", expected)


def problems_of_com_callbacks(messages: Messages, kernel: KernelFields) -> Iterator[Problem]:
    """A callback is in a trusted file, or in a mixed one."""
    calls = any(isinstance(each.action, CallBack) for each in messages.values())
    if calls and not kernel.has_trusted_code:
        expected = trusted_files("the callbacks of messages are")
        yield Problem(("kernel", "trusted"), "nothing", expected)
