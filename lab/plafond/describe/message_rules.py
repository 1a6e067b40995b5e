# SPDX-License-Identifier: MIT
"""Rules for messages: OSEK COM's internal communication."""

from collections import Counter as Count
from collections.abc import Iterator, Mapping

from plafond.describe.body import CallBack
from plafond.describe.kernel_table import Kernel
from plafond.describe.message import MOST_RECEIVERS, Com, Message
from plafond.describe.named import Known
from plafond.describe.problems import Problem
from plafond.describe.rules import trusted_files

Messages = Mapping[str, Message]


def problems_of_receivers(messages: Messages) -> Iterator[Problem]:
    """Yield messages with too many receivers."""
    receivers = Count(each.sender for each in messages.values() if each.sender)
    for sender, count in receivers.items():
        if count > MOST_RECEIVERS:
            expected = f"at most {MOST_RECEIVERS}: interrupts wait while it is copied to all"
            yield Problem(("message", sender), f"{count} receivers", expected)


def problems_of_com(
    com: Com,
    messages: list[str],
    kernel: Kernel,
    known: Known,
    *,
    has_own_sources: bool,
) -> Iterator[Problem]:
    """Yield faults of the table [com]. `has_own_sources`: an application has C files."""
    if com.model_fields_set and not messages:
        yield Problem(("com",), "no messages that it is about", "a table [message.NAME]")
    for mode, count in Count(com.modes).items():
        if count > 1:
            yield Problem(("com", "modes"), f"{mode} twice", "each mode once")
    yield from known.problems_of_headers(("com", "headers"), com.headers)
    if com.error_hook and not kernel.has_trusted_code:
        expected = trusted_files("COMErrorHook is")
        yield Problem(("kernel", "trusted"), "nothing", expected, of_build=True)
    if com.extension and not (kernel.sources or kernel.mixed or has_own_sources):
        expected = "the C files in which StartCOMExtension is"
        yield Problem(("kernel", "sources"), "nothing", expected, of_build=True)


def problems_of_com_callbacks(messages: Messages, kernel: Kernel) -> Iterator[Problem]:
    """Yield missing C files for callbacks: a callback must be in a trusted or mixed file."""
    calls = any(isinstance(each.action, CallBack) for each in messages.values())
    if calls and not kernel.has_trusted_code:
        expected = trusted_files("the callbacks of messages are")
        yield Problem(("kernel", "trusted"), "nothing", expected, of_build=True)
