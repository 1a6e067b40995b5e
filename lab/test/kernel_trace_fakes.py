# SPDX-License-Identifier: MIT
"""Recordings that no kernel made: pages of its ring buffer, written event by event."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from struct import pack

from plafond.kernel_trace.recording import MAGIC, ChunkKind

ROOM = 4080  # bytes of a page for events
PADDING, TIME_EXTEND, TIME_STAMP = 29, 30, 31
LOST, LOST_IS_STORED = 1 << 31, 1 << 30
RUNNABLE, SLEEPS, WAITS, DEAD, PREEMPTED = 0, 1, 2, 0x10, 0x100
NET_RX, TIMER = 3, 1

Fields = Sequence[tuple[str, str, int, bool]]  # a type, a name, a size, whether it has a sign
COMMON: Fields = (
    ("unsigned short", "common_type", 2, False),
    ("unsigned char", "common_flags", 1, False),
    ("unsigned char", "common_preempt_count", 1, False),
    ("int", "common_pid", 4, True),
)
EVENTS: dict[str, Fields] = {
    "sched_switch": (
        ("char", "prev_comm[16]", 16, False),
        ("pid_t", "prev_pid", 4, True),
        ("int", "prev_prio", 4, True),
        ("long", "prev_state", 8, True),
        ("char", "next_comm[16]", 16, False),
        ("pid_t", "next_pid", 4, True),
        ("int", "next_prio", 4, True),
    ),
    "sched_wakeup": (
        ("char", "comm[16]", 16, False),
        ("pid_t", "pid", 4, True),
        ("int", "prio", 4, True),
        ("int", "target_cpu", 4, True),
    ),
    "irq_handler_entry": (("int", "irq", 4, True), ("__data_loc char[]", "name", 4, False)),
    "irq_handler_exit": (("int", "irq", 4, True), ("int", "ret", 4, True)),
    "softirq_raise": (("unsigned int", "vec", 4, False),),
    "softirq_entry": (("unsigned int", "vec", 4, False),),
    "softirq_exit": (("unsigned int", "vec", 4, False),),
}
EVENTS["sched_wakeup_new"] = EVENTS["sched_wakeup"]
PRINTED = {
    "sched_switch": ' { 0x00000001, "S" }, { 0x00000002, "D" }, { 0x00000010, "X" },'
    ' { 0x00000020, "Z" }',
    "softirq_entry": ' { 1, "TIMER" }, { 3, "NET_RX" }',
}


@dataclass(frozen=True)
class Kernel:
    """The layout of a kernel's records: numbers of events, gaps before fields, size of a long."""

    first_number: int = 300
    gap: int = 0  # bytes before the fields of an event
    long: int = 8

    def header_page(self) -> str:
        """Return the text of events/header_page."""
        data = 8 + self.long
        return (
            "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
            f"\tfield: local_t commit;\toffset:8;\tsize:{self.long};\tsigned:1;\n"
            f"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
            f"\tfield: char data;\toffset:{data};\tsize:{4096 - data};\tsigned:0;\n"
        )

    def number(self, event: str) -> int:
        """Return the number of an event in the records."""
        return self.first_number + list(EVENTS).index(event)

    def format(self, event: str) -> str:
        """Return the text of the event's file `format`."""
        lines, at = [f"name: {event}", f"ID: {self.number(event)}", "format:"], 0
        for fields in (COMMON, EVENTS[event]):
            for kind, name, size, has_sign in fields:
                declared = f"field:{kind} {name};\toffset:{at};\tsize:{size};\tsigned:{has_sign:d};"
                lines.append(f"\t{declared}")
                at += size
            at += self.gap
        return "\n".join([*lines, "", f'print fmt: "",{PRINTED.get(event, "")}', ""])

    def record(self, event: str, thread: int, *values: int | str) -> bytes:
        """Return the data of an event that happened in a thread."""
        content = pack("<HBBi", self.number(event), 0, 0, thread) + bytes(self.gap)
        tail = b""
        for (kind, _, size, _), value in zip(EVENTS[event], values, strict=True):
            if "__data_loc" in kind:
                tail = str(value).encode() + b"\0"
                place = len(content) + size
                content += pack("<I", len(tail) << 16 | place)
            elif isinstance(value, str):
                content += value.encode()[: size - 1].ljust(size, b"\0")
            else:
                content += value.to_bytes(size, "little", signed=value < 0)
        return content + tail

    def switch(
        self, previous: int, state: int, following: int, priority: int = 120, own: int = 120
    ) -> bytes:
        """Return a switch between two threads, whose names come from their numbers."""
        names = (_comm(previous), _comm(following))
        return self.record(
            "sched_switch", previous, names[0], previous, own, state, names[1], following, priority
        )

    def wake_up(self, thread: int, by: int = 0, priority: int = 120, is_new: bool = False) -> bytes:
        """Return a wake-up of a thread, whose name comes from its number."""
        event = "sched_wakeup_new" if is_new else "sched_wakeup"
        return self.record(event, by, _comm(thread), thread, priority, 0)


def _comm(thread: int) -> str:
    return NAMES.get(thread, f"thread-{thread}") if thread else "swapper/0"


# Names of threads of interrupts and softirqs, cut as the kernel cuts them in events.
NAMES = {24: "irq/24-virtio1-", 9: "ksoftirqd/0", 31: "worker", 32: "worker"}
KERNEL = Kernel()


def event(delta: int, data: bytes) -> bytes:
    """Return an event of the ring buffer, `delta` ns after the event before it."""
    words = -(-len(data) // 4)
    if words <= 28:
        return pack("<I", delta << 5 | words) + data.ljust(4 * words, b"\0")
    return pack("<II", delta << 5, 4 + len(data)) + data.ljust(4 * words, b"\0")


def extend(delta: int) -> bytes:
    """Return a time extension, which adds `delta` ns before the next event."""
    return pack("<II", (delta & ((1 << 27) - 1)) << 5 | TIME_EXTEND, delta >> 27)


def stamp(time_ns: int) -> bytes:
    """Return a time stamp: the lowest 59 bits of the absolute time."""
    low = time_ns & ((1 << 59) - 1)
    return pack("<II", (low & ((1 << 27) - 1)) << 5 | TIME_STAMP, low >> 27)


def discarded(delta: int, data_bytes: int) -> bytes:
    """Return padding: an event that the kernel discarded but whose room it could not reuse."""
    return pack("<II", max(delta, 1) << 5 | PADDING, 4 + data_bytes) + b"\xee" * data_bytes


def page(
    time_ns: int, content: bytes, lost: int | None = 0, kernel: Kernel = KERNEL, size: int = 4096
) -> bytes:
    """Return a page. `lost`: events lost before the page; None: the page has no room for the
    number."""
    commit, tail = len(content), b""
    if lost is None:
        commit |= LOST
    elif lost:
        commit |= LOST | LOST_IS_STORED
        tail = lost.to_bytes(kernel.long, "little")
    head = pack("<Q", time_ns) + commit.to_bytes(kernel.long, "little")
    return (head + content + tail).ljust(size, b"\0")


def pages(
    events: Iterable[tuple[int, bytes]],
    lost: int | None = 0,
    kernel: Kernel = KERNEL,
    room: int = ROOM,
) -> list[bytes]:
    """Return the pages of one CPU. `lost` belongs to the first page."""
    written: list[bytes] = []
    content, begin_ns, last_ns = b"", -1, 0
    for time_ns, data in events:
        if begin_ns >= 0 and len(content) + len(data) + 16 > room:
            written.append(page(begin_ns, content, 0 if written else lost, kernel))
            content, begin_ns = b"", -1
        if begin_ns < 0:
            begin_ns = last_ns = time_ns
        delta = time_ns - last_ns
        if delta >> 27:
            content += extend(delta)
            delta = 0
        content += event(delta, data)
        last_ns = time_ns
    return [*written, page(max(begin_ns, 0), content, 0 if written else lost, kernel)]


def chunk(kind: int, cpu: int, content: bytes | str) -> bytes:
    """Return a chunk of a file."""
    content = content.encode() if isinstance(content, str) else content
    return pack("<IIQ", kind, cpu, len(content)) + content


def stats(overrun: int = 0, dropped: int = 0) -> str:
    """Return the statistics of a CPU."""
    return f"entries: 0\noverrun: {overrun}\ncommit overrun: 0\ndropped events: {dropped}\n"


@dataclass
class Fake:
    """The content of a recording."""

    of_cpus: list[list[bytes]]  # the pages of each CPU
    kernel: Kernel = KERNEL
    threads: str = ""
    stats: list[str] = field(default_factory=list)
    begin_ns: int = 0
    end_ns: int = 10**12

    def content(self) -> bytes:
        """Return the file. The pages of the CPUs take turns."""
        turns = max(map(len, self.of_cpus), default=0)
        meta = f"clock=mono\nbegin_ns={self.begin_ns}\nend_ns={self.end_ns}\ncommand=a=b\n"
        return b"".join(
            [
                MAGIC,
                chunk(ChunkKind.HEADER_PAGE, 0, self.kernel.header_page()),
                *(chunk(ChunkKind.FORMAT, 0, self.kernel.format(name)) for name in EVENTS),
                chunk(ChunkKind.THREADS, 0, self.threads),
                *(
                    chunk(ChunkKind.PAGE, cpu, own[turn])
                    for turn in range(turns)
                    for cpu, own in enumerate(self.of_cpus)
                    if turn < len(own)
                ),
                *(chunk(ChunkKind.STATS, cpu, text) for cpu, text in enumerate(self.stats)),
                chunk(ChunkKind.THREADS, 0, self.threads),
                chunk(ChunkKind.META, 0, meta),
            ]
        )
