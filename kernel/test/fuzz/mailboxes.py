# SPDX-License-Identifier: MIT
"""The model's messages: OSEK COM 3.0.3, as docs/kernel/messages.md has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .messages import SENT, Receiver
from .program import Code, Status, Step
from .schedule_tables import Signal

SERVICES = frozenset({Code.SEND_MESSAGE, Code.RECEIVE_MESSAGE, Code.GET_MESSAGE_STATUS})


class Mailbox:
    """What a receiver has: of a queue the oldest first."""

    def __init__(self, receiver: Receiver) -> None:
        """A queue is empty."""
        self.receiver = receiver
        self.values = [] if receiver.queue else [receiver.initial]
        self.has_lost = False

    def put(self, value: int) -> bool:
        """Whether there was a place for it."""
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
        """What ReceiveMessage would answer."""
        if not self.values:
            return Status.E_COM_NOMSG
        return Status.E_COM_LIMIT if self.has_lost else Status.E_OK

    def take(self) -> int:
        """The oldest of a queue; the last one can be taken again."""
        self.has_lost = False
        return self.values.pop(0) if self.receiver.queue else self.values[0]


class Mailboxes:
    """Those of all receivers."""

    def __init__(self, receivers: Sequence[Receiver]) -> None:
        """Nothing has come."""
        self.mailboxes = [Mailbox(receiver) for receiver in receivers]

    def received(self, number: int) -> Mailbox | None:
        """None: no message that is received has this number."""
        index = number - len(SENT)
        return self.mailboxes[index] if 0 <= index < len(self.mailboxes) else None

    def refusal(self, step: Step) -> Status:
        """Of SendMessage."""
        if step.object >= len(SENT):
            return Status.E_COM_ID
        return Status.E_OS_PARAM_POINTER if step.is_null else Status.E_OK

    def delivered(self, step: Step) -> Iterator[Signal]:
        """One receiver after the other has it, and is notified if there was a place."""
        for mailbox in self.mailboxes:
            receiver = mailbox.receiver
            is_own = receiver.message == step.object
            if is_own and mailbox.put(step.first) and receiver.signal is not None:
                yield receiver.signal

    def receive(self, step: Step) -> tuple[Status, int | None]:
        """None: nothing is stored."""
        mailbox = self.received(step.object)
        if mailbox is None:
            return Status.E_COM_ID, None
        if step.is_null:
            return Status.E_OS_PARAM_POINTER, None
        status = mailbox.status
        return status, None if status == Status.E_COM_NOMSG else mailbox.take()

    def status(self, step: Step) -> Status:
        """GetMessageStatus: of queues."""
        mailbox = self.received(step.object)
        if mailbox is None or not mailbox.receiver.queue:
            return Status.E_COM_ID
        return mailbox.status
