# SPDX-License-Identifier: MIT
"""The model's messages: OSEK COM 3.0.3, as in docs/kernel/messages.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .messages import SENT, Receiver
from .program import Code, Status, Step
from .schedule_tables import Signal

SERVICES = frozenset({Code.SEND_MESSAGE, Code.RECEIVE_MESSAGE, Code.GET_MESSAGE_STATUS})


class Mailbox:
    """The messages of a receiver: in a queue, the oldest first."""

    def __init__(self, receiver: Receiver) -> None:
        """The queue is empty."""
        self.receiver = receiver
        self.values = [] if receiver.queue else [receiver.initial]
        self.has_lost = False

    def put(self, value: int) -> bool:
        """Put the value. Returns whether it had a place."""
        if not self.receiver.queue:
            self.values = [value]
        elif len(self.values) < self.receiver.queue:
            self.values.append(value)
        else:
            self.has_lost = True
            return False
        return True

    @property
    def status(self) -> Status:
        """The answer that ReceiveMessage would give."""
        if not self.values:
            return Status.E_COM_NOMSG
        return Status.E_COM_LIMIT if self.has_lost else Status.E_OK

    def take(self) -> int:
        """Take the oldest value of a queue, or the last value, which can be taken again."""
        self.has_lost = False
        return self.values.pop(0) if self.receiver.queue else self.values[0]


class Mailboxes:
    """The mailboxes of all receivers."""

    def __init__(self, receivers: Sequence[Receiver]) -> None:
        """No message has come."""
        self.mailboxes = [Mailbox(receiver) for receiver in receivers]

    def received(self, number: int) -> Mailbox | None:
        """The mailbox of this number; None: no received message has it."""
        index = number - len(SENT)
        return self.mailboxes[index] if 0 <= index < len(self.mailboxes) else None

    def refusal(self, step: Step) -> Status:
        """The status of SendMessage."""
        if step.object >= len(SENT):
            return Status.E_COM_ID
        return Status.E_OS_PARAM_POINTER if step.is_null else Status.E_OK

    def delivered(self, step: Step) -> Iterator[Signal]:
        """Each receiver gets the message in turn, and is notified if it had a place."""
        for mailbox in self.mailboxes:
            receiver = mailbox.receiver
            is_own = receiver.message == step.object
            if is_own and mailbox.put(step.first) and receiver.signal is not None:
                yield receiver.signal

    def receive(self, step: Step) -> tuple[Status, int | None]:
        """The status and the value; None: no value is stored."""
        mailbox = self.received(step.object)
        if mailbox is None:
            return Status.E_COM_ID, None
        if step.is_null:
            return Status.E_OS_PARAM_POINTER, None
        status = mailbox.status
        return status, None if status == Status.E_COM_NOMSG else mailbox.take()

    def status(self, step: Step) -> Status:
        """The answer of GetMessageStatus, which is for queues."""
        mailbox = self.received(step.object)
        if mailbox is None or not mailbox.receiver.queue:
            return Status.E_COM_ID
        return mailbox.status
