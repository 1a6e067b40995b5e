# SPDX-License-Identifier: MIT
"""From a recording to what each thread, softirq and interrupt of it did."""

from collections.abc import Mapping

from plafond.kernel_trace.events import Events, Lost, Switch, WakeUp, read_events
from plafond.kernel_trace.handlers import Handlers
from plafond.kernel_trace.history import History
from plafond.kernel_trace.recording import Recording
from plafond.kernel_trace.scheduling import Scheduling

FOR_EVER = (0, 1 << 63)


def read_history(
    recording: Recording, tasks: Mapping[int, str], during: tuple[int, int] = FOR_EVER
) -> History:
    """Return what happened; `tasks`: the names of the tasks of the description, by thread.

    What begins before `during`, times of CLOCK_MONOTONIC, is not sampled; what comes after it is
    left out.
    """
    return history_of(recording, read_events(recording), tasks, during)


def history_of(
    recording: Recording,
    events: Events,
    tasks: Mapping[int, str],
    during: tuple[int, int] = FOR_EVER,
) -> History:
    """Follow the events."""
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
        [thread for thread in scheduling.threads() if thread.on_cpu],
        list(handlers.softirqs()),
        list(handlers.interrupts()),
        events.lost,
        scheduling.missing_switches,
    )
