# SPDX-License-Identifier: MIT
"""Recordings of the kernel: their chunks, the formats of events, and the pages."""

from pathlib import Path

import pytest
from kernel_trace_fakes import (
    KERNEL,
    SLEEPS,
    Fake,
    Kernel,
    chunk,
    discarded,
    event,
    extend,
    page,
    pages,
    stamp,
    stats,
)

from plafond.errors import PlafondError
from plafond.kernel_trace.events import Event, InterruptBegin, Lost, Switch, WakeUp, read_events
from plafond.kernel_trace.formats import parse_format
from plafond.kernel_trace.pages import Page, parse_header_page
from plafond.kernel_trace.recording import MAGIC, ChunkKind, parse_recording, read_recording

LAYOUT = parse_header_page(KERNEL.header_page())
SWITCHES = [(1_000, KERNEL.switch(0, 0, 7)), (2_500, KERNEL.switch(7, SLEEPS, 0))]
THREADS = "24\t24\tirq\tFIFO\t50\t24\tirq/24-virtio1-input\n7\t-\tuser\tOTHER\t0\t7\ta\tb\n"


def events_of(fake: Fake) -> list[Event]:
    return read_events(parse_recording(fake.content(), "some")).all


def placed(content: bytes, kernel: Kernel = KERNEL) -> list[tuple[int, bytes]]:
    """Return the times and the data of the events of a page."""
    read = Page(memoryview(content), parse_header_page(kernel.header_page()))
    return [(time_ns, content[begin:end]) for time_ns, begin, end in read.places()]


def test_a_recording_is_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "some"
    file.write_bytes(Fake([pages(SWITCHES), pages([])], threads=THREADS, stats=["a: 1"]).content())
    recording = read_recording(file)
    assert {cpu: len(own) for cpu, own in recording.pages.items()} == {0: 1, 1: 1}
    assert [line.name for line in recording.threads[:2]] == ["irq/24-virtio1-input", "a\tb"]
    assert [line.irq for line in recording.threads[:2]] == [24, None]
    assert recording.stats == {0: "a: 1"}
    assert recording.meta["command"] == "a=b"


def test_a_recording_that_is_cut_anywhere_is_refused() -> None:
    content = Fake([pages(SWITCHES)], threads=THREADS).content()
    for end in range(len(content)):
        with pytest.raises(PlafondError, match=r"^some: (not a recording|cut at|not whole)"):
            parse_recording(content[:end], "some")
    parse_recording(content, "some")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it begins with b''; expected b'PLFKREC1'"),
        (b"\x7fELF and more", r"it begins with b'\\x7fELF and'; expected b'PLFKREC1'"),
        (MAGIC + b"\0" * 5, "cut at byte 8: found 5 bytes; expected a head of 16"),
        (MAGIC + chunk(9, 0, "x"), "found a chunk of kind 9; expected one of 1, 2, 3, 4, 5, 6"),
        (MAGIC + chunk(ChunkKind.THREADS, 0, "1\t2"), "threads: found '1.t2'; expected TID, IRQ"),
        (MAGIC + chunk(ChunkKind.META, 0, "clock"), "meta: found 'clock'; expected KEY=VALUE"),
        (MAGIC + chunk(ChunkKind.META, 0, "a=b"), "not whole: it has no chunk header_page"),
    ],
)
def test_what_is_no_recording_says_what_was_found(content: bytes, message: str) -> None:
    with pytest.raises(PlafondError, match=message):
        parse_recording(content, "some")


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PlafondError, match="nowhere: not a recording: No such file"):
        read_recording(tmp_path / "nowhere")


@pytest.mark.parametrize(
    "kernel", [Kernel(), Kernel(first_number=12, gap=8), Kernel(long=4), Kernel(gap=3, long=4)]
)
def test_fields_lie_where_the_kernel_says(kernel: Kernel) -> None:
    own = [
        (10, kernel.switch(24, SLEEPS, 7, 49)),
        (20, kernel.wake_up(24, 7, 49)),
        (30, kernel.record("irq_handler_entry", 7, 24, "virtio1-input")),
    ]
    switch, wake_up, interrupt = events_of(Fake([pages(own, kernel=kernel)], kernel))
    assert isinstance(switch, Switch)
    assert (switch.previous, switch.previous_state, switch.next) == (24, SLEEPS, 7)
    assert switch.next_priority == 49
    assert switch.previous_name == b"irq/24-virtio1-\0"
    assert isinstance(wake_up, WakeUp)
    assert (wake_up.thread, wake_up.priority, wake_up.is_new) == (24, 49, False)
    assert interrupt == InterruptBegin(30, 0, 7, 24, "virtio1-input")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "format: found ''; expected the lines name: and ID:"),
        ("name: sched_switch\nnothing", "expected the lines name: and ID:"),
    ],
)
def test_what_is_no_format_is_refused(text: str, message: str) -> None:
    with pytest.raises(PlafondError, match=message):
        parse_format(text)


def test_a_field_that_is_not_there_is_named() -> None:
    form = parse_format(KERNEL.format("softirq_entry"))
    with pytest.raises(PlafondError, match=r"softirq_entry: found the fields .*vec; expected irq"):
        form.reader(["common_pid", "irq"])
    with pytest.raises(PlafondError, match="header_page: found timestamp; expected commit"):
        parse_header_page("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n")


def test_times_are_those_since_the_event_before() -> None:
    content = b"".join(
        [
            event(0, b"1234"),
            extend((5 << 27) + 3),
            event(0, b"a" * 112),  # the longest length that fits in its type
            event(7, b"b" * 113),  # the shortest length that does not
            discarded(20, 8),
            event(1, b"last"),
        ]
    )
    at = 100 + (5 << 27) + 3
    assert placed(page(100, content)) == [
        (100, b"1234"),
        (at, b"a" * 112),
        (at + 7, b"b" * 113),
        (at + 28, b"last"),
    ]


def test_a_discarded_event_without_a_time_has_none() -> None:
    assert placed(page(100, discarded(0, 12) + event(5, b"next"))) == [(105, b"next")]


def test_a_time_stamp_keeps_the_highest_bits() -> None:
    high = 3 << 59
    content = stamp(high + 500) + event(1, b"then") + stamp(7) + event(0, b"over")
    assert placed(page(high + 100, content)) == [
        (high + 501, b"then"),
        (high + (1 << 59) + 7, b"over"),
    ]
    assert placed(page(100, stamp(1 << 40) + event(2, b"then"))) == [((1 << 40) + 2, b"then")]


def test_padding_ends_a_page() -> None:
    content = event(0, b"here") + (29).to_bytes(4, "little") + event(1, b"gone")
    assert placed(page(100, content)) == [(100, b"here")]


def test_a_page_may_be_large() -> None:
    content = event(1, b"1234") * 3000
    assert len(placed(page(0, content, size=1 << 16))) == 3000


def test_a_page_that_is_shorter_than_it_says_is_refused() -> None:
    whole = page(1, event(0, b"1234") + event(0, b"5678"), size=32)
    for size in range(32):
        with pytest.raises(PlafondError, match="found a page"):
            Page(memoryview(whole[:size]), LAYOUT)
    assert Page(memoryview(whole), LAYOUT).time_ns == 1


@pytest.mark.parametrize(
    "content",
    [
        (28).to_bytes(4, "little"),
        extend(9)[:4],
        discarded(3, 8)[:-4],
        event(0, b"x" * 200)[:-4],
        event(0, b"x" * 200)[:4],
    ],
)
def test_an_event_that_is_longer_than_its_page_is_refused(content: bytes) -> None:
    damaged = Fake([[page(1, event(0, b"fine")), page(2, content)]])
    with pytest.raises(PlafondError, match=r"page 1 of CPU 0: found an event up to word \d+ of"):
        events_of(damaged)


def test_events_of_all_cpus_come_in_the_order_of_their_times() -> None:
    one = [(time_ns, KERNEL.wake_up(1)) for time_ns in range(0, 9_000, 30)]
    other = [(time_ns, KERNEL.wake_up(2)) for time_ns in range(5, 10**9, 10**7)]
    of_cpus = [pages(one, room=400), pages(other)]
    assert len(of_cpus[0]) > 20
    found = events_of(Fake(of_cpus))
    assert [event.time_ns for event in found] == sorted(time for time, _ in [*one, *other])
    assert {(event.cpu, event.thread) for event in found if isinstance(event, WakeUp)} == {
        (0, 1),
        (1, 2),
    }


def test_an_event_of_another_kind_is_passed_over() -> None:
    other = Kernel(first_number=900).wake_up(1)
    assert [event.time_ns for event in events_of(Fake([pages([(1, other), *SWITCHES])]))] == [
        1_000,
        2_500,
    ]


@pytest.mark.parametrize(("said", "count", "total"), [(41, 41, 41), (None, None, 50)])
def test_lost_events_are_counted_where_they_were(
    said: int | None, count: int | None, total: int
) -> None:
    second = [(time_ns + 10_000, data) for time_ns, data in SWITCHES]
    of_cpu = [*pages(SWITCHES), *pages(second, said)]
    fake = Fake([of_cpu], stats=[stats(overrun=total)])
    events = read_events(parse_recording(fake.content(), "some"))
    assert events.all[2] == Lost(2_500, 0, 11_000, count)
    assert len(events.all) == 5
    assert events.lost == total


def test_events_lost_at_an_unknown_time_may_be_lost_at_any() -> None:
    fake = Fake([pages(SWITCHES)], stats=[stats(dropped=3)], begin_ns=500, end_ns=9_000)
    events = read_events(parse_recording(fake.content(), "some"))
    assert events.all[0] == Lost(500, 0, 9_000, 3)
    assert events.lost == 3
