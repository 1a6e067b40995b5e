# SPDX-License-Identifier: MIT
"""Parse the pages of the kernel's ring buffer, as trace_pipe_raw gives them.

See kernel/trace/ring_buffer.c and include/linux/ring_buffer.h of Linux. A page has a head and
events. The head has a time and the number of committed bytes. The first word of an event has a type
in its 5 low bits. The other bits are the time since the event before. The types are:

- 1 to 28: the number of data words that follow.
- 0: the next word is the number of bytes of data, including that word, and the data follow.
- 29, padding: if the time is 0, the rest of the page is empty. Else it is a discarded event, and
  the next word is its number of bytes.
- 30, time extend: the next word has the upper bits of the time since the event before.
- 31, time stamp: the next word has the upper bits of the time itself, except its 5 highest bits.

A flag in the number of bytes says that events before the page were lost. If there is room after the
data, their number follows.
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
STAMP_BITS = 59  # the bits of a time stamp; the higher bits are those of the time before
NO_TIME = 1  # the time in a discarded event without a time, because 0 would mean an empty rest

Place = tuple[int, int, int]  # the time of an event, and the start and end of its data in the page


@dataclass(frozen=True)
class PageLayout:
    """The layout of the head of a page, from events/header_page."""

    head: Struct  # the time and the commit
    data: int  # the offset at which events begin
    lost: Struct  # the number of lost events; it has the size of the commit


def parse_header_page(text: str) -> PageLayout:
    """Parse the text; PlafondError names a field that is missing."""
    fields = parse_fields(text)
    missing = [name for name in ("timestamp", "commit", "data") if name not in fields]
    if missing:
        found = ", ".join(fields) or "no field"
        raise PlafondError(f"header_page: found {found}; expected {missing[0]}")
    head = struct_of("header_page", [fields["timestamp"], fields["commit"]])
    return PageLayout(head, fields["data"].offset, Struct("<" + fields["commit"].code.upper()))


@dataclass(frozen=True)
class Loss:
    """A loss of events before a page."""

    count: int | None  # None: the kernel does not give the number


class Page:
    """A page of the ring buffer."""

    def __init__(self, content: memoryview, layout: PageLayout) -> None:
        """Read the head; PlafondError if it has a larger number of bytes than the page."""
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
        """Return the loss before the page, or None."""
        if not self._flags & LOST:
            return None
        at = self._layout.data + self._bytes
        if not self._flags & LOST_IS_STORED or at + self._layout.lost.size > len(self._content):
            return Loss(None)
        return Loss(self._layout.lost.unpack_from(self._content, at)[0])

    def places(self) -> Iterator[Place]:
        """Yield the events with data, in the order of time."""
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
    """Return the stamp with the highest bits of the time before, and a carry if needed."""
    highest = before_ns >> STAMP_BITS << STAMP_BITS
    whole = highest | stamp
    return whole + (1 << STAMP_BITS) if highest and whole < before_ns else whole
