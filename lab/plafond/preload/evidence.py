# SPDX-License-Identifier: MIT
"""The raw evidence, as the drop-in writes it where a process ends."""

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from plafond.invalid import first_problem

Count = Annotated[int, Field(ge=0)]
REAL_TIME = ("fifo", "rr")


def _printable(text: str) -> str:
    """Names are whatever a program chose: nothing of them may reach a terminal or a file."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


Text = Annotated[str, AfterValidator(_printable)]


class _Raw(BaseModel):
    model_config = ConfigDict(frozen=True)


class Thread(_Raw):
    """A thread, or several of one kind that did not live at the same time."""

    thread: int
    name: Text
    start: Text
    policy: Text
    priority: int
    cpu: int  # -1: not pinned to one
    activations: Count
    shortest_gap_ns: Count  # between two activations; 0: there were no two
    longest_run_ns: Count

    @property
    def is_real_time(self) -> bool:
        """Whether it has a priority that a ceiling can be compared with."""
        return self.policy in REAL_TIME and self.priority > 0

    @property
    def level(self) -> int:
        """Its priority; 0 of an ordinary thread, which is below all others."""
        return self.priority if self.is_real_time else 0

    @property
    def runs_as(self) -> str:
        """Its policy and priority."""
        return f"{self.policy} {self.priority}" if self.is_real_time else self.policy

    @property
    def can_be_lazy(self) -> bool:
        """Whether a learned ceiling changes anything for it; others inherit as before."""
        return self.policy == "fifo" and self.cpu >= 0


class WaitedFor(_Raw):
    """What a thread waited for a mutex that another one had when the wait began."""

    thread: int  # 0: not seen
    waits: Count
    longest_ns: Count


class Locker(_Raw):
    """What one thread did with one mutex."""

    thread: int
    locks: Count
    waits: Count
    longest_hold_ns: Count
    total_hold_ns: Count
    preempted: Count
    waited_for: tuple[WaitedFor, ...] = ()

    @property
    def longest_wait_ns(self) -> int:
        """The longest of all its waits."""
        return max((wait.longest_ns for wait in self.waited_for), default=0)


class Place(_Raw):
    """A place in a program or library."""

    module: Text
    offset: str

    def __str__(self) -> str:
        """As a file has it."""
        return f"{self.module}+{self.offset}"


class Mutex(_Raw):
    """A mutex; one without a protocol if a real-time thread locked it."""

    mutex: int
    module: Text
    offset: str
    symbol: Text
    order: int  # 0: not known; of a plain one: made by no call, the place is where it is locked
    protocol: Literal["none", "inherit", "protect"]
    ceiling: int
    lockers: tuple[Locker, ...]
    inside: tuple[int, ...]  # those that were held when this one was locked
    name: Text = ""  # that the program gave it
    path: str | None = None  # one number of the calls around that which made it
    nth: int = 0  # of those that were made by that path; 0: not known
    handed_over: bool = False  # a thread unlocked what another one had locked
    place: Place | None = None  # of the mutex itself, if it is a variable of a program or library
    locked_at: Place | None = None  # of a plain one: where a thread of real time first locked it

    @property
    def first_locks(self) -> tuple[str, ...]:
        """Where it was locked first, if no call makes it: by any thread, and by an urgent one."""
        if self.order or self.module == "unknown":
            return ()
        places = [Place(module=self.module, offset=self.offset), self.locked_at]
        return tuple(dict.fromkeys(str(place) for place in places if place))

    @property
    def locks(self) -> int:
        """How often it was locked by all."""
        return sum(locker.locks for locker in self.lockers)

    @property
    def is_used(self) -> bool:
        """Whether it was locked, or waited for in vain."""
        return any(locker.locks or locker.waits for locker in self.lockers)


class Evidence(_Raw):
    """One process."""

    format: Literal[1]
    program: Text
    duration_ns: Count
    dropped: Count  # what found no room in the drop-in's memory
    threads: tuple[Thread, ...]
    mutexes: tuple[Mutex, ...]

    @property
    def locks(self) -> int:
        """How often something was locked."""
        return sum(mutex.locks for mutex in self.mutexes)

    def users_of(self, mutex: Mutex) -> tuple[Thread, ...]:
        """Return the threads that locked it, and those that had it when others waited."""
        lockers = [locker.thread for locker in mutex.lockers]
        holders = [wait.thread for locker in mutex.lockers for wait in locker.waited_for]
        return tuple(map(self._thread, dict.fromkeys([*lockers, *filter(None, holders)])))

    def thread_of(self, entry: Locker | WaitedFor) -> Thread:
        """Return which thread it was; one that found no room is known by its number only."""
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
    """Return what processes left, those first that locked most.

    ValueError where a file is no evidence. An empty one is of a process that was ended
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
