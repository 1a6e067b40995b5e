# SPDX-License-Identifier: MIT
"""The raw evidence that the drop-in writes as a process ends."""

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from plafond.invalid import first_problem

Count = Annotated[int, Field(ge=0)]
REAL_TIME = ("fifo", "rr")


def _printable(text: str) -> str:
    """Replace letters of a program's names that must not reach a terminal or a file."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


Text = Annotated[str, AfterValidator(_printable)]


class _Raw(BaseModel):
    model_config = ConfigDict(frozen=True)


class Thread(_Raw):
    """A thread, or several threads of a kind that did not live at the same time."""

    thread: int
    name: Text
    start: Text
    policy: Text
    priority: int
    cpu: int  # -1: not pinned to one
    activations: Count
    shortest_gap_ns: Count  # between two activations; 0: fewer than two
    longest_run_ns: Count

    @property
    def is_real_time(self) -> bool:
        """Whether the thread has a priority that can be compared with a ceiling."""
        return self.policy in REAL_TIME and self.priority > 0

    @property
    def level(self) -> int:
        """The priority; 0 for an ordinary thread, which is below all others."""
        return self.priority if self.is_real_time else 0

    @property
    def runs_as(self) -> str:
        """The policy and the priority, in words."""
        return f"{self.policy} {self.priority}" if self.is_real_time else self.policy

    @property
    def can_be_lazy(self) -> bool:
        """Whether a learned ceiling concerns the thread; other threads inherit as before."""
        return self.policy == "fifo" and self.cpu >= 0


class WaitedFor(_Raw):
    """The waits of a thread for a mutex that another thread had when the waits began."""

    thread: int  # 0: not seen
    waits: Count
    longest_ns: Count


class Locker(_Raw):
    """The locks of a mutex by a thread."""

    thread: int
    locks: Count
    waits: Count
    longest_hold_ns: Count
    total_hold_ns: Count
    preempted: Count
    waited_for: tuple[WaitedFor, ...] = ()

    @property
    def longest_wait_ns(self) -> int:
        """The longest wait of the thread for the mutex."""
        return max((wait.longest_ns for wait in self.waited_for), default=0)


class Place(_Raw):
    """A place in a program or library."""

    module: Text
    offset: str

    def __str__(self) -> str:
        """Return the place as files have it."""
        return f"{self.module}+{self.offset}"


class Mutex(_Raw):
    """A mutex. A mutex without a protocol is here only if a real-time thread locked it."""

    mutex: int
    module: Text
    offset: str
    symbol: Text
    order: int  # 0: not known; for a plain mutex: no call makes it, `module` is where it is locked
    protocol: Literal["none", "inherit", "protect"]
    ceiling: int
    lockers: tuple[Locker, ...]
    inside: tuple[int, ...]  # numbers of the mutexes held when this mutex was locked
    name: Text = ""  # that the program gave it
    path: str | None = None  # a number for the calls around the call that made it
    nth: int = 0  # its position among the mutexes made by that path; 0: not known
    handed_over: bool = False  # a thread unlocked it although another thread had locked it
    place: Place | None = None  # of the mutex itself, if it is a variable of a program or library
    locked_at: Place | None = None  # of a plain mutex: of the first lock by a real-time thread

    @property
    def first_locks(self) -> tuple[str, ...]:
        """The places of the first locks by any thread and by a real-time thread.

        Empty if a call made the mutex, or if the place is unknown.
        """
        if self.order or self.module == "unknown":
            return ()
        places = [Place(module=self.module, offset=self.offset), self.locked_at]
        return tuple(dict.fromkeys(str(place) for place in places if place))

    @property
    def locks(self) -> int:
        """The number of locks by all threads."""
        return sum(locker.locks for locker in self.lockers)

    @property
    def is_used(self) -> bool:
        """Whether a thread locked the mutex, or waited for it in vain."""
        return any(locker.locks or locker.waits for locker in self.lockers)


class Evidence(_Raw):
    """The evidence of a process."""

    format: Literal[1]
    program: Text
    duration_ns: Count
    dropped: Count  # number of events that found no room in the drop-in's memory
    threads: tuple[Thread, ...]
    mutexes: tuple[Mutex, ...]

    @property
    def locks(self) -> int:
        """The number of locks of all mutexes."""
        return sum(mutex.locks for mutex in self.mutexes)

    def users_of(self, mutex: Mutex) -> tuple[Thread, ...]:
        """Return the threads that locked the mutex, or had it while others waited."""
        lockers = [locker.thread for locker in mutex.lockers]
        holders = [wait.thread for locker in mutex.lockers for wait in locker.waited_for]
        return tuple(map(self._thread, dict.fromkeys([*lockers, *filter(None, holders)])))

    def thread_of(self, entry: Locker | WaitedFor) -> Thread:
        """Return the thread; if it found no room, only its number is known."""
        return self._thread(entry.thread)

    def _thread(self, number: int) -> Thread:
        return self._threads.get(number) or Thread(
            thread=number,
            name=f"thread {number}",
            start="",
            policy="unknown",
            priority=0,
            cpu=-1,
            activations=0,
            shortest_gap_ns=0,
            longest_run_ns=0,
        )

    @cached_property
    def _threads(self) -> dict[int, Thread]:
        return {thread.thread: thread for thread in self.threads}


def read_evidence(files: Iterable[Path]) -> list[Evidence]:
    """Return the evidence of all processes, the most locks first.

    ValueError if a file is no evidence. An empty file is skipped, because its process was ended
    while it wrote.
    """
    found = []
    for file in files:
        try:
            text = file.read_text("utf-8", errors="replace")
            if text:
                found.append(Evidence.model_validate_json(text))
        except ValidationError as error:
            raise ValueError(first_problem(error)) from None
    return sorted(found, key=lambda evidence: -evidence.locks)
