# SPDX-License-Identifier: MIT
"""What the end of a trace cuts off."""

from plafond.trace.model import Event, Kind, TaskTrace, Trace

CLOSES = {
    Kind.START: (Kind.END,),
    Kind.REQUEST: (Kind.GRANT, Kind.UNLOCK),
    Kind.GRANT: (Kind.UNLOCK,),
    Kind.SUSPEND: (Kind.RESUME,),
    Kind.SLEEP: (Kind.WAKE,),
    Kind.AWAIT: (Kind.AFFORD,),
}
ENDS = {Kind.END, Kind.GRANT, Kind.UNLOCK, Kind.RESUME, Kind.WAKE, Kind.AFFORD}


def end_of(trace: Trace) -> int:
    """Return the time of the last event; 0 where nothing happened."""
    return max((task.events[-1].time_ns for task in trace.tasks if task.events), default=0)


def closed(task: TaskTrace, end_ns: int) -> TaskTrace:
    """Return the task with all that is open at the end of the trace ended there."""
    ends = [
        Event(end_ns, kind, event.activation, event.resource)
        for event in reversed(_open(task))
        for kind in CLOSES[event.kind]
    ]
    return task.model_copy(update={"events": [*task.events, *ends]}) if ends else task


def _open(task: TaskTrace) -> list[Event]:
    """Return the events that something began with that has not ended, outermost first."""
    stack: list[Event] = []
    for event in task.events:
        if event.kind in ENDS and stack:
            stack.pop()
        if event.kind in CLOSES:
            stack.append(event)
    return stack
