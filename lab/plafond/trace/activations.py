# SPDX-License-Identifier: MIT
"""The activations of a task, put together from its events."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from plafond.trace.model import Event, Kind, TaskTrace

Span = tuple[int, int]


@dataclass
class Activation:
    """One activation. What was cut off by the end of the trace has no end."""

    index: int
    arrival_ns: int
    start_ns: int
    end_ns: int | None = None
    late_ns: int = 0  # by how much it was released after the arrival
    slowest_turns_per_us: float | None = None  # of its run steps; None: not known
    waits: list[tuple[int, int, int]] = field(default_factory=list)  # request, grant, resource
    sections: list[tuple[int, int, int]] = field(default_factory=list)  # grant, unlock, resource
    suspensions: list[Span] = field(default_factory=list)  # the processor was elsewhere
    sleeps: list[Span] = field(default_factory=list)
    budget_waits: list[Span] = field(default_factory=list)  # for a section: it skips till then

    @property
    def release_ns(self) -> int:
        """From when on it wants the processor."""
        return self.arrival_ns + self.late_ns

    @property
    def latency_ns(self) -> int:
        """From the release to the start: the activation latency."""
        return self.start_ns - self.release_ns

    @property
    def blocking_ns(self) -> int:
        """From the requests to the grants, in all."""
        return sum(grant - request for request, grant, _ in self.waits)

    @property
    def response_ns(self) -> int | None:
        """From the arrival to the end."""
        return None if self.end_ns is None else self.end_ns - self.arrival_ns

    def wake_ups(self) -> list[int]:
        """When the task was due: its release, and the ends of its sleeps."""
        return [self.release_ns, *(end for _, end in self.sleeps)]

    def interruptions(self) -> list[Span]:
        """Return the suspensions in the midst of run steps.

        One that begins at a lock or at an unlock can be the kernel's part in that.
        """
        noted = {time for span in (*self.waits, *self.sections) for time in span[:2]}
        return [span for span in self.suspensions if span[0] not in noted]

    def running(self) -> list[Span]:
        """When the task had the processor: its time less waits, suspensions and sleeps."""
        return self._less(self.start_ns, [*self.suspensions, *self.sleeps, *self._waited()])

    def waits_for(self, resources: Collection[int]) -> list[Span]:
        """When it waited for one of the resources."""
        return [(request, grant) for request, grant, each in self.waits if each in resources]

    def able(self) -> list[Span]:
        """When it had the processor or could have used it: from its release, less waits, sleeps."""
        return self._less(self.release_ns, [*self.sleeps, *self._waited()])

    def _waited(self) -> list[Span]:
        of_resources = [(request, grant) for request, grant, _ in self.waits]
        return [*of_resources, *self.budget_waits]

    def _less(self, since: int, away: list[Span]) -> list[Span]:
        """From a time to the end, without some spans; nothing of what has no end."""
        if self.end_ns is None:
            return []
        spans: list[Span] = []
        for begin, end in sorted(away):
            if begin > since:
                spans.append((since, begin))
            since = max(since, end)
        if self.end_ns > since:
            spans.append((since, self.end_ns))
        return spans


def activations(task: TaskTrace) -> list[Activation]:
    """Return all served activations in order, also if cut off: the same objects each time."""
    return [*_kept(_Recorded(task, len(task.events)))]


class _Recorded(NamedTuple):
    """A task whose activations are kept, because each part of a report asks for them."""

    task: TaskTrace
    events: int  # so a task with further events is looked at anew

    def __hash__(self) -> int:
        return hash((id(self.task), self.events))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Recorded) and self.task is other.task and self[1] == other[1]


@lru_cache(maxsize=512)
def _kept(recorded: _Recorded) -> tuple[Activation, ...]:
    return tuple(_activations(recorded.task))


def _activations(task: TaskTrace) -> Iterator[Activation]:
    current: Activation | None = None
    begun: dict[tuple[Kind, int | None], int] = {}
    for event in task.events:
        if event.kind is Kind.START:
            arrival_ns = task.arrivals_ns[event.activation]
            late_ns = task.late_ns[event.activation] if task.late_ns else 0
            current = Activation(event.activation, arrival_ns, event.time_ns, late_ns=late_ns)
            if task.slowest_turns_per_us:
                current.slowest_turns_per_us = task.slowest_turns_per_us[event.activation]
            begun = {}
        elif current is None or event.kind is Kind.SKIP:
            continue
        elif event.kind is Kind.END:
            current.end_ns = event.time_ns
            yield current
            current = None
        else:
            _add(current, begun, event)
    if current is not None:
        yield current


def _add(activation: Activation, begun: dict[tuple[Kind, int | None], int], event: Event) -> None:
    begun[event.kind, event.resource] = event.time_ns
    resource = -1 if event.resource is None else event.resource
    match event.kind:
        case Kind.GRANT:
            request_ns = begun[Kind.REQUEST, event.resource]
            activation.waits.append((request_ns, event.time_ns, resource))
        case Kind.UNLOCK:
            grant_ns = begun[Kind.GRANT, event.resource]
            activation.sections.append((grant_ns, event.time_ns, resource))
        case Kind.RESUME:
            activation.suspensions.append((begun[Kind.SUSPEND, None], event.time_ns))
        case Kind.WAKE:
            activation.sleeps.append((begun[Kind.SLEEP, None], event.time_ns))
        case Kind.AFFORD:
            activation.budget_waits.append((begun[Kind.AWAIT, None], event.time_ns))


def skipped(task: TaskTrace) -> int:
    """How many arrivals were dropped."""
    return sum(event.kind is Kind.SKIP for event in task.events)
