# SPDX-License-Identifier: MIT
"""The rows of a Gantt chart: the states of each task of a CPU over some time."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import TypeVar

from plafond.report.cut import closed
from plafond.report.during import During
from plafond.trace.activations import Activation, Span, activations
from plafond.trace.model import Kind, TaskTrace
from plafond.trace.shares import share_out


class State(StrEnum):
    """A state of a task with pending work, of a server, or of another thread."""

    RUNNING = "runs"
    BLOCKED = "waits for a resource"
    KEPT_OUT = "ready, a less urgent task runs"
    READY = "ready, a more urgent task runs"
    OUTSIDE = "ready, none of the tasks runs"
    SLEEPING = "sleeps or waits for an event"
    UNSERVED = "ready, its server does not have the processor"
    SERVED = "server has the processor"
    DEPLETED = "server has no budget"
    POSTPONED = "waits for its server's next budget"
    OVERRUN = "server is beyond its budget"
    SHUT_OUT = "server is kept out by a section"
    THREAD = "thread that is no task runs"
    SOFTIRQ = "softirq runs"
    INTERRUPT = "handler of a hard interrupt runs"


# Only systems with servers have these states.
OF_SERVERS = frozenset((State.UNSERVED, State.SERVED, State.DEPLETED))
# Only systems whose servers share resources have these states.
OF_SHARING = frozenset((State.POSTPONED, State.OVERRUN, State.SHUT_OUT))
# Only runs with a recorded scheduler have these states.
OF_THREADS = frozenset((State.THREAD, State.SOFTIRQ, State.INTERRUPT))


@dataclass(frozen=True, order=True)
class Stretch:
    """A time in one state; `resource`: the resource that a task waits for, or entered last."""

    begin_ns: int
    end_ns: int
    state: State
    resource: str | None = None


@dataclass(frozen=True, order=True)
class Section:
    """A time in which a task holds a resource, running or not; depth 0 is the outermost."""

    begin_ns: int
    end_ns: int
    resource: str
    depth: int


@dataclass(frozen=True)
class Row:
    """A task or a server; bands.py makes the rows of servers."""

    task: str  # names of tasks and servers differ
    stretches: tuple[Stretch, ...]
    sections: tuple[Section, ...]
    arrivals_ns: tuple[int, ...]
    ends_ns: tuple[int, ...]
    cpu: int | None = None  # set if the chart has tasks of several CPUs
    is_server: bool = False

    @property
    def label(self) -> str:
        """Its name in the chart."""
        name = f"server {self.task}" if self.is_server else self.task
        return name if self.cpu is None else f"CPU {self.cpu}: {name}"

    def moved(self, by_ns: int) -> "Row":
        """Return the row with all times later by `by_ns`."""
        return Row(
            self.task,
            tuple(_moved(stretch, by_ns) for stretch in self.stretches),
            tuple(_moved(section, by_ns) for section in self.sections),
            tuple(time + by_ns for time in self.arrivals_ns),
            tuple(time + by_ns for time in self.ends_ns),
            self.cpu,
            self.is_server,
        )


_Timed = TypeVar("_Timed", Stretch, Section)


def _moved(item: _Timed, by_ns: int) -> _Timed:
    return replace(item, begin_ns=item.begin_ns + by_ns, end_ns=item.end_ns + by_ns)


def make_rows(
    tasks: Sequence[TaskTrace], resources: Sequence[str], window: Span, end_ns: int
) -> list[Row]:
    """Return a row for each task; the tasks share a CPU, and the most urgent is first.

    Times count from the start of the run. At `end_ns` its trace ends, and with it all open spans.
    """
    seen = [list(_seen(closed(task, end_ns), window)) for task in tasks]
    claims = [[span for activation in several for span in activation.running()] for several in seen]
    notes = [[event.time_ns for event in task.events] for task in tasks]
    running = share_out(claims, notes)
    return [
        _row(*parts, resources, window, end_ns) for parts in zip(tasks, seen, running, strict=True)
    ]


def _seen(task: TaskTrace, window: Span) -> Iterator[Activation]:
    for activation in activations(task):
        if activation.arrival_ns < window[1] and (activation.end_ns or window[1]) > window[0]:
            yield activation


def _row(
    task: TaskTrace,
    seen: Sequence[Activation],
    running: Sequence[Span],
    resources: Sequence[str],
    window: Span,
    end_ns: int,
) -> Row:
    begin, end = window
    sections = sorted(section for activation in seen for section in _held(activation, resources))
    held = During(sections, _span)
    stretches = [
        *(piece for span in running for piece in _by_section(span, held)),
        *(piece for activation in seen for piece in _waits(activation, resources)),
        *(Stretch(*span, State.SLEEPING) for activation in seen for span in activation.sleeps),
    ]
    busy = During(sorted(stretches), _span)
    stretches += _ready([*_work(seen), *_never_begun(task, end_ns)], busy)
    return Row(
        task=task.name,
        stretches=clipped(sorted(stretches), window),
        sections=clipped(sections, window),
        arrivals_ns=tuple(time for time in task.arrivals_ns if begin <= time <= min(end, end_ns)),
        ends_ns=tuple(
            event.time_ns
            for event in task.events
            if event.kind is Kind.END and begin <= event.time_ns <= end
        ),
    )


def _waits(activation: Activation, resources: Sequence[str]) -> Iterator[Stretch]:
    """Yield the waits for resources, and for a budget that suffices for a section.

    When the budget is available, the task is ready.
    """
    yield from (Stretch(*span, State.POSTPONED) for span in activation.budget_waits)
    for begin, end, resource in activation.waits:
        own = [since for since, until in activation.budget_waits if begin <= since and until <= end]
        yield Stretch(begin, min([end, *own]), State.BLOCKED, resources[resource])


def _held(activation: Activation, resources: Sequence[str]) -> Iterator[Section]:
    for grant, unlock, resource in activation.sections:
        depth = sum(a <= grant and unlock <= b for a, b, _ in activation.sections) - 1
        yield Section(grant, unlock, resources[resource], depth)


def _span(item: _Timed) -> Span:
    return (item.begin_ns, item.end_ns)


def _by_section(span: Span, sections: During[Section]) -> Iterator[Stretch]:
    """Split running time at the begins and ends of sections; the innermost section names a
    piece."""
    inside = sections.overlapping(*span)
    cuts = {time for s in inside for time in (s.begin_ns, s.end_ns) if span[0] < time < span[1]}
    for begin, end in pairwise(sorted(cuts.union(span))):
        held = [s for s in inside if s.begin_ns <= begin and end <= s.end_ns]
        innermost = max(held, key=lambda s: s.depth, default=None)
        yield Stretch(begin, end, State.RUNNING, innermost.resource if innermost else None)


def _work(seen: Sequence[Activation]) -> Iterator[Span]:
    return ((a.arrival_ns, a.end_ns) for a in seen if a.end_ns is not None)


def _never_begun(task: TaskTrace, end_ns: int) -> Iterator[Span]:
    taken = {event.activation for event in task.events if event.kind in (Kind.START, Kind.SKIP)}
    for index, arrival in enumerate(task.arrivals_ns):
        if index not in taken and arrival < end_ns:
            yield (arrival, end_ns)


def _ready(work: Iterable[Span], busy: During[Stretch]) -> Iterator[Stretch]:
    """Yield the times with pending work in which the task neither runs nor waits."""
    since = 0
    for begin, end in sorted(work):
        since = max(since, begin)
        for stretch in busy.overlapping(since, end):
            if stretch.begin_ns > since:
                yield Stretch(since, stretch.begin_ns, State.READY)
            since = max(since, stretch.end_ns)
        if end > since:
            yield Stretch(since, end, State.READY)
            since = end


def clipped(items: Iterable[_Timed], window: Span) -> tuple[_Timed, ...]:
    """Return the items cut to the window, without empty items."""
    begin, end = window
    inside = (
        replace(item, begin_ns=max(item.begin_ns, begin), end_ns=min(item.end_ns, end))
        for item in items
    )
    return tuple(item for item in inside if item.begin_ns < item.end_ns)


def split(stretch: Stretch, spans: Sequence[Span], state: State) -> Iterator[Stretch]:
    """Give another state to the part of a READY stretch inside the spans."""
    since = stretch.begin_ns
    for begin, end in spans if stretch.state is State.READY else ():
        begin, end = max(begin, since), min(end, stretch.end_ns)
        if begin < end:
            if since < begin:
                yield replace(stretch, begin_ns=since, end_ns=begin)
            yield replace(stretch, begin_ns=begin, end_ns=end, state=state)
            since = end
    if since < stretch.end_ns:
        yield replace(stretch, begin_ns=since)
