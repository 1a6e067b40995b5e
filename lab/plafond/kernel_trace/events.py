# SPDX-License-Identifier: MIT
"""The events of a recording, from all CPUs, in the order of time."""

import re
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import NamedTuple

from plafond.errors import PlafondError
from plafond.kernel_trace.formats import EventFormat, parse_format
from plafond.kernel_trace.pages import Page, PageLayout, parse_header_page
from plafond.kernel_trace.recording import Recording

TYPE, THREAD = "common_type", "common_pid"
# Names in a CPU's statistics: events that newer events replaced, and events lost otherwise.
OVERWRITTEN, NOT_TAKEN = "overrun", ("commit overrun", "dropped events")
# The letters that ps uses for the states of a thread.
WAITING, ENDED = ("D",), ("X", "Z")


class Switch(NamedTuple):
    """A CPU switches from one thread to another; thread 0 is the idle thread."""

    time_ns: int
    cpu: int
    previous: int
    previous_priority: int  # as the kernel counts: see policy_of()
    previous_state: int
    previous_name: bytes
    next: int
    next_priority: int  # as the kernel counts
    next_name: bytes


class WakeUp(NamedTuple):
    """A thread becomes ready."""

    time_ns: int
    cpu: int
    thread: int
    priority: int  # as the kernel counts
    name: bytes
    is_new: bool  # the thread was created just now


class Handler(NamedTuple):
    """A handler of interrupts or softirqs begins or ends in the context of a thread."""

    time_ns: int
    cpu: int
    thread: int
    number: int
    name: str  # only if a handler of hard interrupts begins


class InterruptBegin(Handler):
    """A handler of a hard interrupt begins."""


class InterruptEnd(Handler):
    """A handler of a hard interrupt ends."""


class SoftirqRaise(Handler):
    """A softirq is raised, so it will run."""


class SoftirqBegin(Handler):
    """A softirq begins to run."""


class SoftirqEnd(Handler):
    """A softirq ends."""


class Lost(NamedTuple):
    """A CPU lost events between the last event before the loss and the first event after it."""

    time_ns: int
    cpu: int
    until_ns: int
    number: int | None  # None: the kernel does not give the number


Event = Switch | WakeUp | Handler | Lost
# a page, the event's start and end, the time, the CPU
Reader = Callable[[memoryview, int, int, int, int], Event]


class States(NamedTuple):
    """The states of a thread that is not ready, as bits."""

    all: int
    waiting: int  # uninterruptible waits for a lock or a device; a part of `all`
    ended: int  # the thread has ended; a part of `all`


class Events(NamedTuple):
    """The events of a recording, and the tables that are needed to interpret them."""

    all: list[Event]
    states: States
    softirqs: dict[int, str]  # names by number
    lost: int  # the least number of lost events


def read_events(recording: Recording) -> Events:
    """Return the events in the order of time; PlafondError names a damaged page."""
    layout = parse_header_page(recording.header_page)
    formats = {each.name: each for each in map(parse_format, recording.formats)}
    readers = {
        formats[name].number: make(formats[name])
        for name, make in MAKERS.items()
        if name in formats
    }
    if "sched_switch" not in formats:
        found = ", ".join(formats)
        raise PlafondError(f"found the formats of {found}; expected that of sched_switch")
    kind = formats["sched_switch"].fields[TYPE]
    span = (_time(recording, "begin_ns"), _time(recording, "end_ns"))
    events: list[Event] = []
    lost = 0
    for cpu, pages in recording.pages.items():
        of_cpu = list(_of_cpu(cpu, pages, layout, (kind.offset, kind.size), readers, span[0]))
        losses = [event for event in of_cpu if isinstance(event, Lost)]
        count = _lost(losses, recording.stats.get(cpu, ""))
        if count and not losses:  # the kernel does not say when they were lost
            losses.append(Lost(span[0], cpu, span[1], count))
            of_cpu.insert(0, losses[0])
        lost += count
        events += of_cpu
    events.sort(key=itemgetter(0))
    softirqs = formats["softirq_entry"].named_numbers() if "softirq_entry" in formats else {}
    return Events(events, _states(formats["sched_switch"]), softirqs, lost)


def _states(switch: EventFormat) -> States:
    names = switch.named_numbers()
    return States(
        sum(names),
        sum(bit for bit, name in names.items() if name in WAITING),
        sum(bit for bit, name in names.items() if name in ENDED),
    )


def _of_cpu(
    cpu: int,
    pages: list[memoryview],
    layout: PageLayout,
    kind: tuple[int, int],
    readers: dict[int, Reader],
    last_ns: int,
) -> Iterator[Event]:
    """Yield the events and losses of a CPU; `last_ns`: time of the last event before."""
    offset, size = kind
    for number, content in enumerate(pages):
        try:
            page = Page(content, layout)
            if page.loss:
                yield Lost(last_ns, cpu, page.time_ns, page.loss.count)
            for time_ns, begin, end in page.places():
                at = begin + offset
                reader = readers.get(int.from_bytes(content[at : at + size], "little"))
                if reader:
                    yield reader(content, begin, end, time_ns, cpu)
                last_ns = time_ns
        except PlafondError as error:
            raise PlafondError(f"page {number} of CPU {cpu}: {error}") from None


def _lost(losses: list[Lost], stats: str) -> int:
    """Return how many events a CPU lost, by its pages or statistics, whichever says more."""
    counts = _numbers(stats)
    flagged = sum(loss.number or 1 for loss in losses)
    others = sum(counts.get(name, 0) for name in NOT_TAKEN)
    return max(flagged, counts.get(OVERWRITTEN, 0)) + others


def _numbers(stats: str) -> dict[str, int]:
    found = re.findall(r"^([a-z ]+): (\d+)$", stats, re.MULTILINE)
    return {name: int(number) for name, number in found}


def _time(recording: Recording, key: str) -> int:
    text = recording.meta.get(key, "")
    if not text.isdecimal():
        raise PlafondError(f"meta: found {key}={text!r}; expected nanoseconds")
    return int(text)


def _switch(form: EventFormat) -> Reader:
    unpack = form.reader(
        ["prev_comm", "prev_pid", "prev_prio", "prev_state", "next_comm", "next_pid", "next_prio"]
    ).unpack_from

    def read(page: memoryview, begin: int, _end: int, time_ns: int, cpu: int) -> Event:
        name, previous, own, state, next_name, following, priority = unpack(page, begin)
        return Switch(time_ns, cpu, previous, own, state, name, following, priority, next_name)

    return read


def _wake_up(form: EventFormat) -> Reader:
    unpack = form.reader(["comm", "pid", "prio"]).unpack_from
    is_new = form.name == "sched_wakeup_new"

    def read(page: memoryview, begin: int, _end: int, time_ns: int, cpu: int) -> Event:
        name, thread, priority = unpack(page, begin)
        return WakeUp(time_ns, cpu, thread, priority, name, is_new)

    return read


def _interrupt_begin(form: EventFormat) -> Reader:
    unpack = form.reader([THREAD, "irq", "name"]).unpack_from

    def read(page: memoryview, begin: int, _end: int, time_ns: int, cpu: int) -> Event:
        thread, number, place = unpack(page, begin)
        # Place of the text: the low half is its offset, the high half its length.
        at = begin + (place & 0xFFFF)
        name = bytes(page[at : at + (place >> 16)])
        return InterruptBegin(time_ns, cpu, thread, number, text_of(name))

    return read


def _handler(kind: type[Handler], field: str) -> Callable[[EventFormat], Reader]:
    def make(form: EventFormat) -> Reader:
        unpack = form.reader([THREAD, field]).unpack_from

        def read(page: memoryview, begin: int, _end: int, time_ns: int, cpu: int) -> Event:
            thread, number = unpack(page, begin)
            return kind(time_ns, cpu, thread, number, "")

        return read

    return make


MAKERS: dict[str, Callable[[EventFormat], Reader]] = {
    "sched_switch": _switch,
    "sched_wakeup": _wake_up,
    "sched_wakeup_new": _wake_up,
    "irq_handler_entry": _interrupt_begin,
    "irq_handler_exit": _handler(InterruptEnd, "irq"),
    "softirq_raise": _handler(SoftirqRaise, "vec"),
    "softirq_entry": _handler(SoftirqBegin, "vec"),
    "softirq_exit": _handler(SoftirqEnd, "vec"),
}


def text_of(name: bytes) -> str:
    """Return a text of the kernel, which ends at its first zero byte."""
    return name.partition(b"\0")[0].decode(errors="replace")
