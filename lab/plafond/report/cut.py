# SPDX-License-Identifier: MIT
"""End the spans that are still open at the end of a trace."""

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
    """Return the time of the last event; 0 if there was none."""
    return max((task.events[-1].time_ns for task in trace.tasks if task.events), default=0)


def closed(task: TaskTrace, end_ns: int) -> TaskTrace:
    """Return the task with all open spans ended at the end of the trace."""
    ends = [
        Event(end_ns, kind, event.activation, event.resource)
        for event in reversed(_open(task))
        for kind in CLOSES[event.kind]
    ]
    return task.model_copy(update={"events": [*task.events, *ends]}) if ends else task


def _open(task: TaskTrace) -> list[Event]:
    """Return the opening events of spans without an end, outermost first."""
    stack: list[Event] = []
    for event in task.events:
        if event.kind in ENDS and stack:
            stack.pop()
        if event.kind in CLOSES:
            stack.append(event)
    return stack
