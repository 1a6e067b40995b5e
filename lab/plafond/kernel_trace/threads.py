# SPDX-License-Identifier: MIT
"""Compute the history of all threads, softirqs and interrupts from a recording."""

from collections.abc import Iterable, Iterator, Mapping

from plafond.kernel_trace.events import Events, Lost, Switch, WakeUp, read_events
from plafond.kernel_trace.handlers import Handlers
from plafond.kernel_trace.history import History, Thread
from plafond.kernel_trace.recording import Recording
from plafond.kernel_trace.scheduling import Scheduling

FOR_EVER = (0, 1 << 63)


def read_history(
    recording: Recording, tasks: Mapping[int, str], during: tuple[int, int] = FOR_EVER
) -> History:
    """Return the history; `tasks`: the names of the description's tasks, by thread number.

    `during`: times of CLOCK_MONOTONIC. Activations that begin before it are not sampled. Times
    outside it are left out.
    """
    return history_of(recording, read_events(recording), tasks, during)


def history_of(
    recording: Recording,
    events: Events,
    tasks: Mapping[int, str],
    during: tuple[int, int] = FOR_EVER,
) -> History:
    """Return the history that follows from the events."""
    lines = {line.tid: line for line in recording.threads}
    scheduling = Scheduling(lines, tasks, events.states, during[0])
    handlers = Handlers(scheduling, events.softirqs)
    time_ns = 0
    for event in events.all:
        if event.time_ns > during[1]:
            break
        time_ns = event.time_ns
        if isinstance(event, Switch):
            scheduling.switch(event)
        elif isinstance(event, WakeUp):
            scheduling.wake_up(event)
        elif isinstance(event, Lost):
            scheduling.lose_events(event)
            handlers.forget()
        else:
            handlers.follow(event)
    scheduling.end(time_ns)
    return History(
        list(_since(scheduling.threads(), during[0])),
        list(_since(handlers.softirqs(), during[0])),
        list(_since(handlers.interrupts(), during[0])),
        events.lost,
        scheduling.missing_switches,
    )


def _since(threads: Iterable[Thread], begin_ns: int) -> Iterator[Thread]:
    """Yield the threads that had a CPU after `begin_ns`, without their times before."""
    for thread in threads:
        thread.on_cpu = [
            piece._replace(begin_ns=max(piece.begin_ns, begin_ns))
            for piece in thread.on_cpu
            if piece.end_ns > begin_ns
        ]
        if thread.on_cpu:
            yield thread
