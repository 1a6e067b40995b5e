# SPDX-License-Identifier: MIT
"""What a body consists of."""

from dataclasses import dataclass

from plafond.describe.splitmix import drawn


@dataclass(frozen=True)
class Run:
    """Use the processor for so long; time lost to others does not count.

    Of a range each activation draws its own length, uniformly, from the stream of the step.
    """

    duration_ns: int  # of a range: at most
    least_ns: int | None = None  # of a range
    key: int = 0  # of its stream: System.seeded()

    def length_ns(self, activation: int) -> int:
        """Return how long it is in the activation of that number, from 0."""
        if self.least_ns is None:
            return self.duration_ns
        return drawn(self.least_ns, self.duration_ns, self.key, activation)


@dataclass(frozen=True)
class Lock:
    """Enter the section of a resource."""

    resource: str


@dataclass(frozen=True)
class Unlock:
    """Leave the section entered last."""

    resource: str


@dataclass(frozen=True)
class Sleep:
    """Give the processor away for so long (self-suspension), outside all sections."""

    duration_ns: int


@dataclass(frozen=True)
class Activate:
    """Activate a task once more."""

    task: str

    def __str__(self) -> str:
        """Return it as it is written."""
        return f"activate {self.task}"


@dataclass(frozen=True)
class SetEvent:
    """Set an event of a task."""

    task: str
    event: str

    def __str__(self) -> str:
        """Return it as it is written."""
        return f"set {self.task} {self.event}"


@dataclass(frozen=True)
class WaitEvent:
    """Wait until an own event is set, outside all sections."""

    event: str

    def __str__(self) -> str:
        """Return it as it is written."""
        return f"wait {self.event}"


@dataclass(frozen=True)
class ClearEvent:
    """Clear an own event."""

    event: str

    def __str__(self) -> str:
        """Return it as it is written."""
        return f"clear {self.event}"


@dataclass(frozen=True)
class Chain:
    """End, and activate a task: the last step."""

    task: str

    def __str__(self) -> str:
        """Return it as it is written."""
        return f"chain {self.task}"


@dataclass(frozen=True)
class CallBack:
    """Call a function of a trusted file: of alarms, as is the next, and of messages."""

    function: str

    def __str__(self) -> str:
        """Return it as it is written."""
        return f"call {self.function}"


@dataclass(frozen=True)
class Increment:
    """Let a counter count one more."""

    counter: str

    def __str__(self) -> str:
        """Return it as it is written."""
        return f"increment {self.counter}"


@dataclass(frozen=True)
class Flag:
    """Set a flag: of messages."""

    name: str

    def __str__(self) -> str:
        """Return it as it is written."""
        return f"flag {self.name}"


# What only Plafond's own kernel can do.
KernelStep = Activate | SetEvent | WaitEvent | ClearEvent | Chain
Signal = Activate | SetEvent
Action = Signal | CallBack | Increment
Notification = Signal | CallBack | Flag
Step = Run | Lock | Unlock | Sleep | KernelStep
