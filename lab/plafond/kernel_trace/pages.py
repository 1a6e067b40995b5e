# SPDX-License-Identifier: MIT
"""The pages of the kernel's ring buffer, as trace_pipe_raw gives them.

kernel/trace/ring_buffer.c and include/linux/ring_buffer.h of Linux. A page has a head (a time, and
how many bytes of it are committed) and events. The first word of an event has a type in its 5 low
bits, and above them the time since the event before:

- 1 to 28: data of so many words follow
- 0: the next word says how many bytes it has with that word, and data follow
- 29, padding: the rest of the page is empty if the time is 0; else a discarded event, of as
  many bytes as the next word says
- 30, time extend: the next word has the upper bits of the time since the event before
- 31, time stamp: the same of the time itself, apart from its 5 highest bits

Events that were lost before a page are flagged in the count of bytes; if there is room behind the
data, their number is there.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from struct import Struct, unpack_from

from plafond.errors import PlafondError
from plafond.kernel_trace.formats import parse_fields, struct_of

TYPE_BITS, TIME_BITS = 5, 27
TYPE_MASK = (1 << TYPE_BITS) - 1
MOST_DATA_WORDS, PADDING, TIME_EXTEND, TIME_STAMP = 28, 29, 30, 31
WORD = 4
LOST, LOST_IS_STORED = 1 << 31, 1 << 30
STAMP_BITS = 59  # of a time stamp; the higher ones are those of the time before
NO_TIME = 1  # what a discarded event without a time says, so that it is not the rest of a page

Place = tuple[int, int, int]  # a time, and where the data of an event begin and end in the page


@dataclass(frozen=True)
class PageLayout:
    """What events/header_page says of the head of a page."""

    head: Struct  # the time and the commit
    data: int  # where events begin
    lost: Struct  # the number of lost events, a long as the commit is one


def parse_header_page(text: str) -> PageLayout:
    """Parse the text; PlafondError says what it lacks."""
    fields = parse_fields(text)
    missing = [name for name in ("timestamp", "commit", "data") if name not in fields]
    if missing:
        found = ", ".join(fields) or "no field"
        raise PlafondError(f"header_page: found {found}; expected {missing[0]}")
    head = struct_of("header_page", [fields["timestamp"], fields["commit"]])
    return PageLayout(head, fields["data"].offset, Struct("<" + fields["commit"].code.upper()))


@dataclass(frozen=True)
class Loss:
    """Events were lost before a page."""

    count: int | None  # None: the kernel does not say how many


class Page:
    """One page."""

    def __init__(self, content: memoryview, layout: PageLayout) -> None:
        """Look at its head; PlafondError if it says more than the page has."""
        if len(content) < layout.data:
            raise PlafondError(
                f"found a page of {len(content)} bytes; expected a head of {layout.data}"
            )
        self._content, self._layout = content, layout
        self.time_ns, commit = layout.head.unpack_from(content)
        self._flags = commit & (LOST | LOST_IS_STORED)
        self._bytes = commit & (LOST_IS_STORED - 1)
        if self._bytes % WORD or layout.data + self._bytes > len(content):
            room = len(content) - layout.data
            raise PlafondError(
                f"found a page with {self._bytes} bytes of events; expected whole words, "
                f"at most {room} bytes"
            )

    @property
    def loss(self) -> Loss | None:
        """What was lost before it."""
        if not self._flags & LOST:
            return None
        at = self._layout.data + self._bytes
        if not self._flags & LOST_IS_STORED or at + self._layout.lost.size > len(self._content):
            return Loss(None)
        return Loss(self._layout.lost.unpack_from(self._content, at)[0])

    def places(self) -> Iterator[Place]:
        """Yield the events that have data, in the order of their times."""
        data, time_ns = self._layout.data, self.time_ns
        count = self._bytes // WORD
        words = unpack_from(f"<{count}I", self._content, data)
        at = 0
        while at < count:
            kind, delta = words[at] & TYPE_MASK, words[at] >> TYPE_BITS
            if kind == PADDING and delta == 0:
                return
            begin = at + 1
            if 0 < kind <= MOST_DATA_WORDS:
                at = begin + kind
                end = data + WORD * at
            else:
                more = words[begin] if begin < count else 0
                in_words = 1 if kind in (TIME_EXTEND, TIME_STAMP) else max(-(-more // WORD), 1)
                at, begin, end = begin + in_words, begin + 1, data + WORD * begin + more
            if at > count:
                raise PlafondError(f"found an event up to word {at} of a page; expected {count}")
            if kind == TIME_EXTEND:
                time_ns += (more << TIME_BITS) + delta
            elif kind == TIME_STAMP:
                time_ns = _whole_stamp((more << TIME_BITS) + delta, time_ns)
            elif kind == PADDING:
                time_ns += delta if delta != NO_TIME else 0
            else:
                time_ns += delta
                yield time_ns, data + WORD * begin, end


def _whole_stamp(stamp: int, before_ns: int) -> int:
    """Return it with the highest bits of the time before, or the next ones if it is later."""
    highest = before_ns >> STAMP_BITS << STAMP_BITS
    whole = highest | stamp
    return whole + (1 << STAMP_BITS) if highest and whole < before_ns else whole
