# SPDX-License-Identifier: MIT
"""A command of gdb: `info mutexes` shows the owner and the waiters of each mutex.

In gdb: `source mutexes.py`. It reads mutexes of the drop-in and of glibc, in a process or a core
file of x86-64, and needs no debugging information. It finds a wait by the system call in which the
thread sleeps. `info mutexes EXPRESSION` also shows that mutex, even if no thread waits for it.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import gdb

FUTEX = 202  # of x86-64
LOCKS_PI = (6, 13)  # FUTEX_LOCK_PI, FUTEX_LOCK_PI2
WAIT, WAIT_BITSET = 0, 9
OPERATION = 0x7F
TID = 0x3FFFFFFF
# Of linux/pthread/protect.h.
OURS, RECORDED, DECIDED, PROTECT, INHERIT = 0x100000, 0x200000, 0x400000, 0x40, 0x20
OF_LIBC = 0x3FF
CEILING_SHIFT = 19  # of glibc
PRIORITY_BITS = 9  # PLF_RANK_PRIORITY_BITS
CHANGING = 0x40000000
SHARED = 0xFFFFFFFF >> PRIORITY_BITS
VAIN_SLEEP = 0x6E696176  # PLF_VAIN_SLEEP of linux/pthread/lock_word.h
HEADINGS = ("mutex", "protocol", "owner", "waiters")


def read(address: int, form: str) -> tuple[int, ...]:
    """Return the words at an address, as struct.unpack() does."""
    memory = gdb.selected_inferior().read_memory(address, struct.calcsize(form))
    return struct.unpack(form, bytes(memory))


@dataclass(frozen=True)
class Mutex:
    """A pthread_mutex_t, as glibc or the drop-in keeps it."""

    address: int
    lock: int
    owner_field: int
    home: int
    kind: int

    @property
    def is_ours(self) -> bool:
        """Whether the drop-in has given it a ceiling."""
        return self.kind & (OURS | PROTECT) == OURS | PROTECT

    @property
    def has_kind(self) -> bool:
        """Whether this memory may be a mutex, by its kind."""
        return self.kind & ~(OF_LIBC | OURS | RECORDED | DECIDED) == 0

    @property
    def owner(self) -> int:
        """The TID of its owner; 0: it is free."""
        if self.is_ours or self.kind & INHERIT:
            return self.lock & TID
        return self.owner_field

    @property
    def protocol(self) -> str:
        """Its ceiling or inheritance, and the mode of a mutex of the drop-in."""
        if self.is_ours:
            return f"ceiling {self.home & ((1 << PRIORITY_BITS) - 1)}, {self._mode}"
        if self.kind & PROTECT:
            return f"ceiling {self.lock >> CEILING_SHIFT}, of glibc"
        return "inherit" if self.kind & INHERIT else "plain"

    @property
    def _mode(self) -> str:
        if self.home >> PRIORITY_BITS == SHARED:
            return "shared"
        place = (self.home & ~CHANGING) >> PRIORITY_BITS
        return f"local to CPU {place - 1}" if place else "not used yet"


def mutex_at(address: int) -> Mutex:
    """Read the mutex at an address."""
    lock, _, owner, home, kind = read(address, "<IIIIi")
    return Mutex(address, lock, owner, home, kind)


# ---- Waits -----------------------------------------------------------------------


@dataclass(frozen=True)
class Wait:
    """A thread that waits for the owner of a mutex, or of a section that covers the thread."""

    thread: gdb.InferiorThread
    mutex: Mutex | None
    owner: int


def wait_for_lock(thread: gdb.InferiorThread, address: int) -> Wait:
    """Return the wait for a PI futex, which is a lock word or belongs to a section (no mutex)."""
    mutex = mutex_at(address)
    lends = mutex.has_kind and (mutex.is_ours or mutex.kind & INHERIT != 0)
    if lends and mutex.owner == mutex.owner_field:
        return Wait(thread, mutex, mutex.owner)
    return Wait(thread, None, mutex.lock & TID)


def wait_of_libc(thread: gdb.InferiorThread, address: int) -> Wait | None:
    """Return the wait for a futex; None: it is not the word of a mutex of glibc."""
    mutex = mutex_at(address)
    is_contended = mutex.lock & 3 == 2 and mutex.has_kind and not mutex.kind & (OURS | INHERIT)
    is_owned = mutex.owner in {each.ptid[1] for each in gdb.selected_inferior().threads()}
    return Wait(thread, mutex, mutex.owner) if is_contended and is_owned else None


def wait_in_vain(thread: gdb.InferiorThread, address: int) -> Wait | None:
    """Return the wait of a thread in plf_sleep_forever(); None: it waits elsewhere."""
    _, mark, pointer = read(address, "<IIQ")
    if mark != VAIN_SLEEP:
        return None
    mutex = mutex_at(pointer)
    return Wait(thread, mutex, mutex.owner)


def wait_of(thread: gdb.InferiorThread) -> Wait | None:
    """Return the wait of a thread; None: it waits for no mutex."""
    thread.switch()
    frame = gdb.newest_frame()
    if int(frame.read_register("orig_rax")) != FUTEX:
        return None
    address = int(frame.read_register("rdi")) % (1 << 64)
    operation = int(frame.read_register("rsi")) & OPERATION
    try:
        if operation in LOCKS_PI:
            return wait_for_lock(thread, address)
        if operation == WAIT:
            return wait_of_libc(thread, address)
        return wait_in_vain(thread, address) if operation == WAIT_BITSET else None
    except gdb.MemoryError:
        return None


def all_waits() -> list[Wait]:
    """Return every thread's wait, and keep the selected thread."""
    selected = gdb.selected_thread()
    found = [wait_of(thread) for thread in sorted_threads()]
    selected.switch()
    return [wait for wait in found if wait is not None]


def sorted_threads() -> list[gdb.InferiorThread]:
    """Return the threads by their numbers."""
    return sorted(gdb.selected_inferior().threads(), key=lambda thread: thread.num)


# ---- Text ------------------------------------------------------------------------


def thread_text(thread: gdb.InferiorThread) -> str:
    """Return the number and the name of a thread."""
    return f'{thread.num} "{thread.name}"'


def owner_text(tid: int) -> str:
    """Return the number and the name of the thread with that TID."""
    if tid == 0:
        return "-"
    for thread in sorted_threads():
        if thread.ptid[1] == tid:
            return thread_text(thread)
    return f"LWP {tid}, no thread of this process"


def mutex_text(mutex: Mutex | None) -> str:
    """Return the address of a mutex, and its name if it is a variable of the program."""
    if mutex is None:
        return "a section that covers"
    symbol = gdb.execute(f"info symbol {mutex.address:#x}", to_string=True).split(" in section")[0]
    return f"{mutex.address:#x}" if "No symbol" in symbol else f"{mutex.address:#x} {symbol}"


def rows(waits: list[Wait], asked: list[Mutex]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each mutex, and for each owner of a section."""
    subjects: list[tuple[Mutex | None, int]] = [(mutex, mutex.owner) for mutex in asked]
    subjects += [(wait.mutex, wait.owner) for wait in waits]
    for mutex, owner in dict.fromkeys(subjects):
        waiters = [wait for wait in waits if (wait.mutex, wait.owner) == (mutex, owner)]
        yield (
            mutex_text(mutex),
            "-" if mutex is None else mutex.protocol,
            owner_text(owner),
            ", ".join(thread_text(wait.thread) for wait in waiters) or "-",
        )


def deadlocks(waits: list[Wait]) -> Iterator[list[gdb.InferiorThread]]:
    """Yield each cycle of waits once."""
    wait_of_tid = {wait.thread.ptid[1]: wait for wait in waits}
    seen: set[int] = set()
    for start in wait_of_tid:
        path: list[int] = []
        tid = start
        while tid in wait_of_tid and tid not in seen:
            seen.add(tid)
            path.append(tid)
            tid = wait_of_tid[tid].owner
        if tid in path:
            yield [wait_of_tid[each].thread for each in path[path.index(tid) :]]


def table(lines: list[tuple[str, ...]]) -> str:
    """Return rows as text with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "".join("  ".join(map(str.ljust, line, widths)).rstrip() + "\n" for line in lines)


class InfoMutexes(gdb.Command):  # type: ignore[misc]
    """Show which threads wait for which mutex: info mutexes [EXPRESSION of a pthread_mutex_t]."""

    def __init__(self) -> None:
        """Add the command."""
        super().__init__("info mutexes", gdb.COMMAND_STATUS)

    def invoke(self, argument: str, _from_tty: bool) -> None:
        """Print the table, and each deadlock."""
        if gdb.selected_thread() is None:
            raise gdb.GdbError("info mutexes: found no thread; expected a process or a core file")
        name = gdb.selected_inferior().architecture().name()
        if name != "i386:x86-64":
            raise gdb.GdbError(f"info mutexes: found {name}; expected i386:x86-64")
        asked = [asked_for(argument)] if argument else []
        waits = all_waits()
        lines = list(rows(waits, asked))
        gdb.write(table([HEADINGS, *lines]) if lines else "no thread waits for a mutex\n")
        for threads in deadlocks(waits):
            names = " waits for ".join(map(thread_text, [*threads, threads[0]]))
            gdb.write(f"deadlock: {names}\n")


def asked_for(expression: str) -> Mutex:
    """Return the mutex that an expression names."""
    try:
        return mutex_at(address_of(expression))
    except gdb.error as error:
        raise gdb.GdbError(
            f"info mutexes: found {expression}; expected a mutex or its address: {error}"
        ) from None


def address_of(expression: str) -> int:
    """Return the address of the mutex that an expression is, or points to."""
    try:
        value = gdb.parse_and_eval(expression)
    except gdb.error:  # a variable without debugging information
        return int(gdb.parse_and_eval(f"(long)&({expression})"))
    if value.type.strip_typedefs().code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_INT):
        return int(value)
    if value.address is None:
        raise gdb.GdbError(f"info mutexes: found {expression}; expected a mutex or its address")
    return int(value.address)


InfoMutexes()
