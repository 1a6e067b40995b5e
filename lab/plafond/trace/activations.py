# SPDX-License-Identifier: MIT
"""Build the activations of a task from its events."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from plafond.trace.model import Event, Kind, TaskTrace

Span = tuple[int, int]


@dataclass
class Activation:
    """An activation; it has no end if the end of the trace cut it off."""

    index: int
    arrival_ns: int
    start_ns: int
    end_ns: int | None = None
    late_ns: int = 0  # the release minus the arrival
    slowest_turns_per_us: float | None = None  # the slowest speed of its run steps; None: not known
    waits: list[tuple[int, int, int]] = field(default_factory=list)  # request, grant, resource
    sections: list[tuple[int, int, int]] = field(default_factory=list)  # grant, unlock, resource
    suspensions: list[Span] = field(default_factory=list)  # the task had lost the processor
    sleeps: list[Span] = field(default_factory=list)
    # for a section: the task skips until then
    budget_waits: list[Span] = field(default_factory=list)

    @property
    def release_ns(self) -> int:
        """Return the time from which the activation wants the processor."""
        return self.arrival_ns + self.late_ns

    @property
    def latency_ns(self) -> int:
        """Return the activation latency: from the release to the start."""
        return self.start_ns - self.release_ns

    @property
    def blocking_ns(self) -> int:
        """Return the total time from requests to grants."""
        return sum(grant - request for request, grant, _ in self.waits)

    @property
    def response_ns(self) -> int | None:
        """Return the time from the arrival to the end; None if there is no end."""
        return None if self.end_ns is None else self.end_ns - self.arrival_ns

    def wake_ups(self) -> list[int]:
        """Return when the task was due: at its release, and at the ends of its sleeps."""
        return [self.release_ns, *(end for _, end in self.sleeps)]

    def interruptions(self) -> list[Span]:
        """Return the suspensions inside run steps.

        A suspension that begins at a grant or an unlock is left out, because it can be the kernel's
        part of that operation.
        """
        noted = {time for span in (*self.waits, *self.sections) for time in span[:2]}
        return [span for span in self.suspensions if span[0] not in noted]

    def running(self) -> list[Span]:
        """Return when the task had the processor: without waits, suspensions and sleeps."""
        return self._less(self.start_ns, [*self.suspensions, *self.sleeps, *self._waited()])

    def waits_for(self, resources: Collection[int]) -> list[Span]:
        """Return when the task waited for one of the resources."""
        return [(request, grant) for request, grant, each in self.waits if each in resources]

    def able(self) -> list[Span]:
        """Return when the task had or could have used the processor: no wait and no sleep."""
        return self._less(self.release_ns, [*self.sleeps, *self._waited()])

    def _waited(self) -> list[Span]:
        of_resources = [(request, grant) for request, grant, _ in self.waits]
        return [*of_resources, *self.budget_waits]

    def _less(self, since: int, away: list[Span]) -> list[Span]:
        """Return the time from `since` to the end, without `away`; nothing if there is no end."""
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
    """Return all begun activations in order, even if cut off; the objects are cached."""
    return [*_kept(_Recorded(task, len(task.events)))]


class _Recorded(NamedTuple):
    """A key for the cache of activations, which each part of a report needs."""

    task: TaskTrace
    events: int  # so that a task with further events has a new key

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
    """Return how many arrivals were dropped."""
    return sum(event.kind is Kind.SKIP for event in task.events)
