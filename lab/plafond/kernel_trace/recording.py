# SPDX-License-Identifier: MIT
"""The file that `plafond-record` writes: little endian, a magic word, then chunks.

A chunk is its kind and a CPU (32 bits each), the length of its content (64 bits), and that content.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from struct import Struct

from plafond.errors import PlafondError
from plafond.regular import open_regular

MAGIC = b"PLFKREC1"
CHUNK = Struct("<IIQ")
LINE = "TID, IRQ, KIND, POLICY, PRIORITY, PID and NAME"
COLUMNS = 7
NO_IRQ = "-"


class ChunkKind(IntEnum):
    """The kind of a chunk's content."""

    HEADER_PAGE = 1  # the text of events/header_page
    FORMAT = 2  # the text of events/SYSTEM/NAME/format of an event
    PAGE = 3  # a page of the CPU's ring buffer
    STATS = 4  # the text of per_cpu/cpuN/stats at the end of the recording
    THREADS = 5  # a line for each thread; a chunk at the start and a chunk at the end
    META = 6  # lines KEY=VALUE


@dataclass(frozen=True)
class ThreadLine:
    """A thread that existed when the recording began or ended."""

    tid: int
    irq: int | None
    kind: str  # irq, ksoftirqd, kernel, user
    policy: str
    priority: int
    name: str  # not truncated


@dataclass
class Recording:
    """All chunks of a recording; their texts are not parsed."""

    header_page: str = ""
    formats: list[str] = field(default_factory=list)
    pages: dict[int, list[memoryview]] = field(default_factory=dict)  # by CPU, in order
    stats: dict[int, str] = field(default_factory=dict)  # by CPU
    # the threads at the start, then the threads at the end
    threads: list[ThreadLine] = field(default_factory=list)
    meta: dict[str, str] = field(default_factory=dict)


def read_recording(file: Path) -> Recording:
    """Read a recording; PlafondError if the file is no recording or is not whole."""
    try:
        with open_regular(file) as opened:
            content = opened.read()
    except OSError as error:
        raise PlafondError(f"{file}: not a recording: {error.strerror}") from None
    return parse_recording(content, str(file))


def parse_recording(content: bytes, name: str) -> Recording:
    """Parse a recording; PlafondError with `name` if it is no recording or is not whole."""
    if content[: len(MAGIC)] != MAGIC:
        found = content[: len(MAGIC)]
        raise PlafondError(
            f"{name}: not a recording: it begins with {found!r}; expected {MAGIC!r}, as "
            "plafond-record writes"
        )
    recording = Recording()
    try:
        for kind, cpu, chunk in _chunks(memoryview(content)):
            _add(recording, kind, cpu, chunk)
        _check(recording)
    except PlafondError as error:
        raise PlafondError(f"{name}: {error}") from None
    return recording


def _chunks(content: memoryview) -> Iterator[tuple[int, int, memoryview]]:
    at = len(MAGIC)
    while at < len(content):
        if at + CHUNK.size > len(content):
            left = len(content) - at
            raise PlafondError(
                f"cut at byte {at}: found {left} bytes; expected a head of {CHUNK.size}"
            )
        kind, cpu, length = CHUNK.unpack_from(content, at)
        begin = at + CHUNK.size
        if begin + length > len(content):
            left = len(content) - begin
            raise PlafondError(
                f"cut at byte {at}: found {left} bytes of a chunk of kind {kind}; expected {length}"
            )
        yield kind, cpu, content[begin : begin + length]
        at = begin + length


def _add(recording: Recording, kind: int, cpu: int, chunk: memoryview) -> None:
    if kind == ChunkKind.PAGE:
        recording.pages.setdefault(cpu, []).append(chunk)
        return
    text = bytes(chunk).decode(errors="replace")
    match kind:
        case ChunkKind.HEADER_PAGE:
            recording.header_page = text
        case ChunkKind.FORMAT:
            recording.formats.append(text)
        case ChunkKind.STATS:
            recording.stats[cpu] = text
        case ChunkKind.THREADS:
            recording.threads += map(_thread, text.splitlines())
        case ChunkKind.META:
            recording.meta = dict(_entry(line) for line in text.splitlines())
        case _:
            known = ", ".join(str(each.value) for each in ChunkKind)
            raise PlafondError(f"found a chunk of kind {kind}; expected one of {known}")


def _thread(line: str) -> ThreadLine:
    cells = line.split("\t", COLUMNS - 1)
    try:
        tid, irq, kind, policy, priority, _, name = cells
        number = None if irq == NO_IRQ else int(irq)
        return ThreadLine(int(tid), number, kind, policy, int(priority), name)
    except ValueError:
        raise PlafondError(f"threads: found {line!r}; expected {LINE}, with tabs between") from None


def _entry(line: str) -> tuple[str, str]:
    key, equals, value = line.partition("=")
    if not equals:
        raise PlafondError(f"meta: found {line!r}; expected KEY=VALUE")
    return key, value


def _check(recording: Recording) -> None:
    """Raise PlafondError unless the chunks are there that pages need and that come last."""
    for what, there in (
        ("header_page", recording.header_page),
        ("format", recording.formats),
        ("meta, which the recorder writes last", recording.meta),
    ):
        if not there:
            raise PlafondError(f"not whole: it has no chunk {what}")
