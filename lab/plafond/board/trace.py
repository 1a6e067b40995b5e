# SPDX-License-Identifier: MIT
"""Convert the recording of an image to the trace that a run with threads has."""

from collections import deque
from collections.abc import Iterator, Sequence

from plafond.board.console import KernelEvent, Note, Recorded
from plafond.board.recording import Recording, notes_an_activation, resources_of
from plafond.board.sharing import refuse_other_policies
from plafond.describe.system import Pending, Task
from plafond.errors import PlafondError
from plafond.trace.model import (
    Event,
    Kind,
    ServerEvent,
    ServerEventKind,
    ServerTrace,
    TaskTrace,
    Trace,
)
from plafond.units import format_duration

VERSION = 2
NO_ROOM = (
    "the image had no room for the whole trace: more happened than its arrivals say; "
    "choose fewer with --activations"
)
OF_NOTES = {"request": Kind.REQUEST, "grant": Kind.GRANT, "unlock": Kind.UNLOCK}
LEAVES = ("suspend", "wait", "end")  # events at which the task loses the core


def trace_of(recorded: Recorded, recording: Recording, protocol: str) -> Trace:
    """Return the trace; PlafondError if the run differs from its description."""
    if recorded.end == "room":
        raise PlafondError(NO_ROOM)
    refuse_other_policies(recorded, recording.system)
    resources = resources_of(recording.system)
    limit = format_duration(recording.limit_ns)
    return Trace(
        version=VERSION,
        protocol=protocol,
        cut=f"it had not come to its end after {limit}" if recorded.end == "limit" else None,
        kernel="",
        priority_limit_us=(None, None),
        backend=None,
        cpus=[],
        resources=resources,
        tasks=[
            _task_trace(task, recorded, recording, resources) for task in recording.system.tasks
        ],
        servers=[
            ServerTrace(name=server.name, events=_of_server(recorded.servers[server.name]))
            for server in recording.system.servers
        ],
        lock_calls_not_counted=None,
        spare_cpu_time_ns=None,
    )


def _of_server(events: Sequence[KernelEvent]) -> list[ServerEvent]:
    return [ServerEvent(event.time_ns, ServerEventKind(event.kind)) for event in events]


def _task_trace(
    task: Task, recorded: Recorded, recording: Recording, resources: Sequence[str]
) -> TaskTrace:
    of_server = recorded.servers[task.server] if task.server else []
    replenished = [event.time_ns for event in of_server if event.kind == "replenish"]
    planned = recording.arrivals.get(task.name, ())
    follower = _Follower(task, planned, resources, replenished)
    for event in _in_order(task, recorded.events[task.name], recorded.notes[task.name]):
        follower.follow(event)
    follower.end()
    return TaskTrace(
        name=task.name,
        arrivals_ns=[*follower.arrivals_ns, *follower.planned],
        voluntary_switches=follower.voluntary,
        involuntary_switches=follower.involuntary,
        minor_faults=None,
        major_faults=None,
        lock_calls=recorded.calls.get(task.name, 0),
        lost_gaps=0,
        stack_bytes=recorded.stacks.get(task.name) or None,
        events=follower.events,
    )


def _in_order(
    task: Task, events: Sequence[KernelEvent], notes: Sequence[Note]
) -> Iterator[KernelEvent | Note]:
    """Put the notes of each activation between its events.

    In virtual time many events have the same time. All activations make equally many notes, so the
    activation of a note is known. In its activation a note comes as early as possible while the
    task has the core.
    """
    count = notes_an_activation(task)
    waiting: deque[Note] = deque()
    left = deque(notes)
    for event in events:
        if event.kind == "start":
            waiting.extend(left.popleft() for _ in range(min(count, len(left))))
        if event.kind == "skip":
            for _ in range(_up_to_request(waiting, event.time_ns)):
                yield waiting.popleft()
        elif event.kind in LEAVES:
            while waiting and (waiting[0].time_ns <= event.time_ns or event.kind == "end"):
                yield waiting.popleft()
        yield event
    yield from waiting


def _up_to_request(waiting: Sequence[Note], now_ns: int) -> int:
    """Return the number of notes before a task skips: up to its last request, which skips."""
    requests = (
        number
        for number, note in enumerate(waiting, start=1)
        if note.kind == "request" and note.time_ns <= now_ns
    )
    return max(requests, default=0)


class _Follower:
    """Follows a task from event to event."""

    def __init__(
        self,
        task: Task,
        planned: Sequence[int],
        resources: Sequence[str],
        replenished: Sequence[int],
    ) -> None:
        self._task = task
        self._replenished = replenished
        self._skips_since: int | None = None
        self._numbers = {name: number for number, name in enumerate(resources)}
        self._is_arrival = False  # whether an arrival causes the next event
        self._requests = False  # whether the task waits for a resource
        self._activations: deque[int] = deque()  # arrivals whose activation has not begun
        self._current = 0
        self.planned = deque(planned)  # arrivals that have not come
        self.arrivals_ns: list[int] = []
        self.events: list[Event] = []
        self.voluntary = self.involuntary = 0

    def follow(self, event: KernelEvent | Note) -> None:
        """Take the next event."""
        if isinstance(event, Note):
            self._requests = event.kind == "request"
            self._add(event.time_ns, OF_NOTES[event.kind], self._numbers[event.resource])
            return
        match event.kind:
            case "arrival":
                self._is_arrival = True
            case "activate":
                self._activations.append(self._arrive(event.time_ns))
            case "refused":
                self._refuse(event.time_ns)
            case "start":
                self._current = self._activations.popleft()
                self._add(event.time_ns, Kind.START)
            case "skip":
                self._skips_since = event.time_ns
                self._add(event.time_ns, Kind.AWAIT)
            case "suspend" if self._skips_since is not None:
                self.voluntary += 1
            case "suspend":
                self.involuntary += 1
                self._add(event.time_ns, Kind.SUSPEND)
            case "resume":
                self._afford(event.time_ns)
                self._add(event.time_ns, Kind.RESUME)
            case "wait":
                self.voluntary += 1
                self._add(event.time_ns, Kind.SUSPEND if self._requests else Kind.SLEEP)
            case "wake" if not self._requests:  # ready; a resume follows when it gets the core
                self._add(event.time_ns, Kind.WAKE)
                self._add(event.time_ns, Kind.SUSPEND)
            case "end":
                self.voluntary += 1
                self._add(event.time_ns, Kind.END)

    def end(self) -> None:
        """Finish: a task that skips may have had its budget again, but not the processor."""
        since_ns = self._skips_since
        later = [time for time in self._replenished if since_ns is not None and time > since_ns]
        if later:
            self._afford(later[0])

    def _afford(self, by_ns: int) -> None:
        """If the task waits for a budget, end the wait at the replenishment before `by_ns`."""
        if self._skips_since is None:
            return
        begin, self._skips_since = self._skips_since, None
        came = (time for time in self._replenished if begin < time <= by_ns)
        time_ns = next(came, by_ns)
        self._add(time_ns, Kind.AFFORD)
        self._add(time_ns, Kind.SUSPEND)

    def _add(self, time_ns: int, kind: Kind, resource: int | None = None) -> None:
        self.events.append(Event(time_ns, kind, self._current, resource))

    def _arrive(self, time_ns: int) -> int:
        """Return the number of this arrival; a planned arrival has its planned time."""
        self.arrivals_ns.append(self.planned.popleft() if self._is_arrival else time_ns)
        self._is_arrival = False
        return len(self.arrivals_ns) - 1

    def _refuse(self, time_ns: int) -> None:
        is_surprise = self._is_arrival and self._task.pending is Pending.QUEUE
        if is_surprise and self._task.queue is None:
            raise PlafondError(
                f"task {self._task.name}: more arrivals than the kernel can keep were pending at "
                f'{format_duration(time_ns)}; describe fewer, or pending = "skip"'
            )
        self.events.append(Event(time_ns, Kind.SKIP, self._arrive(time_ns), None))
