# SPDX-License-Identifier: MIT
"""Mutexes of Linux programs."""

from typing import Annotated, Literal

from pydantic import Field

from plafond.describe.fields import (
    HIGHEST_OF_LINUX,
    Count,
    Cpu,
    Duration,
    FileName,
    Listed,
    Strict,
    Title,
    field,
    one_of,
)
from plafond.units import DURATION

POLICIES = ("fifo", "rr", "deadline", "other", "batch", "idle", "unknown")
PLACE = 'a file name and a hexadecimal number, such as "app+0x1a2b"'
Place = Annotated[str, Field(pattern=r"^.{1,255}\+0x[0-9a-f]{1,16}$")]


class LockerFields(Strict):
    """A thread that locked a mutex, in the list `lockers` of its [mutex.NAME]."""

    thread: Title = field("a name; that of a task, if the thread is one")
    policy: Annotated[str, one_of(list(POLICIES))] = field(
        f"one of {', '.join(POLICIES)}; how Linux scheduled it"
    )
    priority: Annotated[int, Field(ge=1, le=HIGHEST_OF_LINUX)] | None = field(
        f"a whole number from 1 to {HIGHEST_OF_LINUX}; of fifo and rr", None
    )
    cpu: Cpu | None = field(
        "a whole number from 0; the CPU that it is pinned to, if it is one", None
    )
    locks: Count = field("a whole number from 0; how often it locked the mutex")
    waits: Count = field("a whole number from 0; how often it waited for the mutex", 0)
    preempted: Count = field("a whole number from 0; how often it was preempted inside", 0)
    longest_hold: Duration | None = field(f"{DURATION}; from a lock to its unlock", None)
    longest_wait: Duration | None = field(f"{DURATION}; for the thread that had the mutex", None)
    waited_for: Title | None = field(
        "1 to 100 printable characters; the threads that had it when it waited", None
    )


class MutexFields(Strict):
    """One [mutex.NAME]: what `plafond preload --learn` saw of a mutex of Linux."""

    use: bool = field(
        "true or false; whether `plafond preload --ceilings` runs it as run_as says", False
    )
    run_as: Literal["ceiling", "inherit"] = field(
        '"ceiling" or "inherit"; under the ceiling of the resource of this name, or, '
        "a plain mutex, with inheritance",
        "ceiling",
    )
    why: Title | None = field(
        "1 to 100 printable characters; why it is not used, or what to mind", None
    )
    protocol: Literal["none", "inherit", "protect"] = field(
        '"none", "inherit" or "protect"; what the program asks for'
    )
    module: FileName = field("a file name; that of the program or library that makes it")
    offset: Annotated[str, Field(pattern=r"^0x[0-9a-f]{1,16}$")] = field(
        'a hexadecimal number, such as "0x1a2b"; where the call of pthread_mutex_init '
        "returns to in that file, as nm and addr2line count it"
    )
    symbol: FileName | None = field(
        "1 to 500 printable characters; the function around it, if it has a name", None
    )
    order: Annotated[int, Field(ge=0, lt=2**32)] = field(
        "a whole number from 0; which of those that are made there; 0: not known", 1
    )
    named: Annotated[str, Field(pattern=r"^[ -~]{1,31}$")] | None = field(
        "1 to 31 printable characters; the name that the program gives it: it is known by that",
        None,
    )
    path: Annotated[str, Field(pattern=r"^0x[0-9a-f]{1,16}$")] | None = field(
        "a hexadecimal number; of the calls around that which makes it, in this thread "
        "and in those that created it",
        None,
    )
    nth: Annotated[int, Field(ge=1, lt=2**32)] = field(
        "a whole number from 1; which of those that are made by that path", 1
    )
    place: Place | None = field(
        f"{PLACE}; of the mutex itself, a variable of that file: it is known as that", None
    )
    locked_at: Annotated[tuple[Place, ...], Listed(most=8)] = field(
        f"a list; {PLACE}; where a mutex that no call makes is first locked", ()
    )
    lockers: Annotated[tuple[LockerFields, ...], Listed(most=2000)] = field(
        "a list of tables; name and policy of each thread that locked it, and if known "
        "priority, cpu, locks, waits, preempted, longest_hold, longest_wait, waited_for",
        (),
    )
