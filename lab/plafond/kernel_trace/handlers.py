# SPDX-License-Identifier: MIT
"""Follow the handlers of hard interrupts, and the softirqs by name.

A softirq runs in the thread of an interrupt (PREEMPT_RT), in ksoftirqd, or in any thread that the
interrupt met. Its activation begins when it is raised. Its execution is the time that the
surrounding thread has a CPU meanwhile. An activation is not sampled if its raise was not seen, or
if a CPU lost events during it.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from plafond.kernel_trace.events import (
    Handler,
    InterruptBegin,
    InterruptEnd,
    SoftirqBegin,
    SoftirqEnd,
    SoftirqRaise,
)
from plafond.kernel_trace.history import Activation, OnCpu, Thread
from plafond.kernel_trace.model import ThreadKind
from plafond.kernel_trace.scheduling import Scheduling, State

ELSEWHERE = "other threads"  # threads that exist for neither interrupts nor softirqs


class _Softirq(NamedTuple):
    """A softirq that runs."""

    number: int
    raised_ns: int | None  # None: the raise was not seen
    begin_ns: int
    ran_ns: int  # time that the surrounding thread had run before
    place: int  # see State.place()


class Handlers:
    """All handlers, according to the events so far."""

    def __init__(self, scheduling: Scheduling, names: Mapping[int, str]) -> None:
        """`names`: the names of softirqs by number."""
        self._scheduling, self._names = scheduling, names
        self._raised: dict[tuple[int, int], int] = {}  # time of the raise, by CPU and softirq
        self._running: dict[State, _Softirq] = {}
        self._softirqs: dict[str, Thread] = {}
        self._last_ns: dict[tuple[str, int], int] = {}  # time of the last raise, by name and CPU
        self._interrupted: dict[tuple[int, int], InterruptBegin] = {}  # by CPU and number
        self._interrupts: dict[str, Thread] = {}

    def softirqs(self) -> Iterator[Thread]:
        """Yield the softirqs that ran."""
        yield from self._softirqs.values()

    def interrupts(self) -> Iterator[Thread]:
        """Yield the handlers of hard interrupts."""
        yield from self._interrupts.values()

    def follow(self, event: Handler) -> None:
        """Process the next event."""
        self._scheduling.see(event.thread, event.cpu, event.time_ns)
        match event:
            case SoftirqRaise():
                self._raised.setdefault((event.cpu, event.number), event.time_ns)
            case SoftirqBegin():
                self._begin(event)
            case SoftirqEnd():
                self._end(event)
            case InterruptBegin():
                self._interrupted[event.cpu, event.number] = event
            case InterruptEnd():
                self._end_interrupt(event)
        if self._scheduling.is_blind(event.time_ns):
            self.forget()

    def forget(self) -> None:
        """Stop sampling all current activations, because events were lost."""
        self._raised.clear()
        self._running.clear()
        self._last_ns.clear()
        self._interrupted.clear()

    def _begin(self, event: Handler) -> None:
        state = self._scheduling.state_of(event.thread, event.cpu)
        raised_ns = self._raised.pop((event.cpu, event.number), None)
        ran_ns = state.ran_ns(event.time_ns)
        self._running[state] = _Softirq(
            event.number, raised_ns, event.time_ns, ran_ns, state.place()
        )

    def _end(self, event: Handler) -> None:
        state = self._scheduling.state_of(event.thread, event.cpu)
        begun = self._running.pop(state, None)
        if begun is None or begun.number != event.number:
            return
        softirq = self._softirq(event.number, state.thread)
        softirq.on_cpu += state.pieces(begun.begin_ns, event.time_ns, begun.place)
        if begun.raised_ns is None:
            return
        last_ns = self._last_ns.get((softirq.name, event.cpu))
        if last_ns is not None:
            softirq.inter_arrivals_ns.append(begun.raised_ns - last_ns)
        self._last_ns[softirq.name, event.cpu] = begun.raised_ns
        execution_ns = state.ran_ns(event.time_ns) - begun.ran_ns
        softirq.activations.append(Activation(begun.raised_ns, event.time_ns, execution_ns))

    def _softirq(self, number: int, around: Thread) -> Thread:
        is_there_for_it = around.kind in (ThreadKind.INTERRUPT, ThreadKind.SOFTIRQ)
        place = around.name if is_there_for_it else ELSEWHERE
        name = f"{self._names.get(number, f'softirq {number}')} in {place}"
        if name not in self._softirqs:
            inside = around.name if is_there_for_it else None
            self._softirqs[name] = Thread(name, ThreadKind.SOFTIRQ, inside=inside)
        softirq = self._softirqs[name]
        if is_there_for_it:
            softirq.policy, softirq.priority = around.policy, around.priority
        return softirq

    def _end_interrupt(self, event: Handler) -> None:
        begun = self._interrupted.pop((event.cpu, event.number), None)
        if begun is None:
            return
        name = f"interrupt {event.number} ({begun.name})"
        if name not in self._interrupts:
            self._interrupts[name] = Thread(name, ThreadKind.INTERRUPT, event.number)
        self._interrupts[name].on_cpu.append(OnCpu(begun.time_ns, event.time_ns, event.cpu))
