# SPDX-License-Identifier: MIT
"""The steps of a body."""

from dataclasses import dataclass

from plafond.describe.splitmix import drawn


@dataclass(frozen=True)
class Run:
    """Use this much processor time; time while the task is preempted does not count.

    If the step has a range, each activation draws a length uniformly from the step's stream.
    """

    duration_ns: int  # the most, if the step has a range
    least_ns: int | None = None  # the least; None: no range
    key: int = 0  # seeds the step's stream: System.seeded()

    def length_ns(self, activation: int) -> int:
        """Return the length in that activation; activations count from 0."""
        if self.least_ns is None:
            return self.duration_ns
        return drawn(self.least_ns, self.duration_ns, self.key, activation)


@dataclass(frozen=True)
class Lock:
    """Enter the section of a resource."""

    resource: str


@dataclass(frozen=True)
class Unlock:
    """Leave the section that was entered last."""

    resource: str


@dataclass(frozen=True)
class Sleep:
    """Suspend the task for this long, outside all sections."""

    duration_ns: int


@dataclass(frozen=True)
class Activate:
    """Add an activation to a task."""

    task: str

    def __str__(self) -> str:
        """Return the step as a description has it."""
        return f"activate {self.task}"


@dataclass(frozen=True)
class SetEvent:
    """Set an event of a task."""

    task: str
    event: str

    def __str__(self) -> str:
        """Return the step as a description has it."""
        return f"set {self.task} {self.event}"


@dataclass(frozen=True)
class WaitEvent:
    """Wait until an event of the task is set, outside all sections."""

    event: str

    def __str__(self) -> str:
        """Return the step as a description has it."""
        return f"wait {self.event}"


@dataclass(frozen=True)
class ClearEvent:
    """Clear an event of the task."""

    event: str

    def __str__(self) -> str:
        """Return the step as a description has it."""
        return f"clear {self.event}"


@dataclass(frozen=True)
class Chain:
    """End the task and activate another; must be the last step."""

    task: str

    def __str__(self) -> str:
        """Return the step as a description has it."""
        return f"chain {self.task}"


@dataclass(frozen=True)
class CallBack:
    """Call a function of a trusted file; an action of alarms and messages, not a step."""

    function: str

    def __str__(self) -> str:
        """Return the action as a description has it."""
        return f"call {self.function}"


@dataclass(frozen=True)
class Increment:
    """Increment a counter by one tick; an action of alarms."""

    counter: str

    def __str__(self) -> str:
        """Return the action as a description has it."""
        return f"increment {self.counter}"


@dataclass(frozen=True)
class Flag:
    """Set a flag; an action of messages."""

    name: str

    def __str__(self) -> str:
        """Return the action as a description has it."""
        return f"flag {self.name}"


# Only Plafond's own kernel has these steps.
KernelStep = Activate | SetEvent | WaitEvent | ClearEvent | Chain
Signal = Activate | SetEvent
Action = Signal | CallBack | Increment
Notification = Signal | CallBack | Flag
Step = Run | Lock | Unlock | Sleep | KernelStep
