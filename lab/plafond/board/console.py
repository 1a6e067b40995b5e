# SPDX-License-Identifier: MIT
"""Parse the lines in which an image prints its trace: see kernel/run/print.c."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from plafond.errors import PlafondError

HEADER = "plafond-trace 2"
EVENTS = frozenset(
    ["arrival", "activate", "refused", "start", "resume", "suspend", "wait", "wake", "end", "skip"],
)
SERVER_EVENTS = frozenset(("replenish", "deplete", "get", "lose", "overrun", "payback", "keep-out"))
NOTES = frozenset(("request", "grant", "unlock"))
ENDS = frozenset(("idle", "limit", "room", "shutdown"))


class KernelEvent(NamedTuple):
    """An action of the kernel on a task or on a server."""

    time_ns: int
    kind: str


class Note(NamedTuple):
    """A task's note about a section."""

    time_ns: int
    kind: str
    resource: str


@dataclass
class Recorded:
    """The parsed trace, by task or server, each in order of time from time 0 of the run.

    Actions at the kernel's start, such as autostart, are before time 0.
    """

    events: dict[str, list[KernelEvent]] = field(default_factory=lambda: defaultdict(list))
    servers: dict[str, list[KernelEvent]] = field(default_factory=lambda: defaultdict(list))
    notes: dict[str, list[Note]] = field(default_factory=lambda: defaultdict(list))
    calls: dict[str, int] = field(default_factory=dict)
    # bytes used; 0: the image does not supply the stack
    stacks: dict[str, int] = field(default_factory=dict)
    end: str = ""  # the reason of the end; empty: the trace has no end


def parse_console(console: str) -> Recorded:
    """Return the trace of an image; PlafondError if it is missing or incomplete.

    The application's output before the trace is skipped.
    """
    _, found, lines = console.partition(f"{HEADER}\n")
    if not found:
        raise PlafondError("the image wrote no trace")
    recorded = _parse(lines.splitlines())
    if not recorded.end:
        raise PlafondError("the image wrote a trace without an end")
    return recorded


def _parse(lines: Iterable[str]) -> Recorded:
    recorded = Recorded()
    zero_ns: int | None = None  # time 0 of the run, from the first line
    for line in lines:
        match line.split(" "):
            case ["zero", time]:
                zero_ns = int(time)
            case ["event", time, kind, task] if kind in EVENTS and zero_ns is not None:
                recorded.events[task].append(KernelEvent(int(time) - zero_ns, kind))
            case ["server", time, kind, name] if kind in SERVER_EVENTS and zero_ns is not None:
                recorded.servers[name].append(KernelEvent(int(time) - zero_ns, kind))
            case ["note", time, kind, task, resource] if kind in NOTES and zero_ns is not None:
                recorded.notes[task].append(Note(int(time) - zero_ns, kind, resource))
            case ["calls", task, count]:
                recorded.calls[task] = int(count)
            case ["stack", task, size]:
                recorded.stacks[task] = int(size)
            case ["end", why] if why in ENDS:
                recorded.end = why
                # Several cores write their events separately, and some events carry an earlier due
                # time.
                for events in (*recorded.events.values(), *recorded.servers.values()):
                    events.sort(key=lambda event: event.time_ns)
                return recorded
            case _:
                raise PlafondError(f"the image wrote {line!r}; expected a line of a trace")
    return recorded
