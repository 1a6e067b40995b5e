# SPDX-License-Identifier: MIT
"""Mutexes of Linux programs.

A mutex and the resource of the same name are one object. Tasks lock the resource, which has the
ceiling. The mutex records its place in a program, and the threads that locked it.
"""

import re
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from plafond.describe.fields import (
    COMPUTED,
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
from plafond.describe.named import Known, Named
from plafond.describe.problems import Problem
from plafond.units import DURATION
from plafond.words import suggestion

POLICIES = ("fifo", "rr", "deadline", "other", "batch", "idle", "unknown")
PLACE = 'a file name and a hexadecimal number, such as "app+0x1a2b"'
Place = Annotated[str, Field(pattern=r"^.{1,255}\+0x[0-9a-f]{1,16}$")]


class Locker(Strict):
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


class Mutex(Named):
    """A table [mutex.NAME]: a mutex of Linux, as `plafond preload --learn` saw it."""

    table = "mutex"

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
    known_as: Annotated[str, Field(pattern=r"^[ -~]{1,31}$")] | None = field(
        "1 to 31 printable characters; the name that the program gives it: it is known by that",
        None,
        alias="named",
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
    lockers: Annotated[tuple[Locker, ...], Listed(most=2000)] = field(
        "a list of tables; name and policy of each thread that locked it, and if known "
        "priority, cpu, locks, waits, preempted, longest_hold, longest_wait, waited_for",
        (),
    )
    ceiling: Annotated[int | None, COMPUTED] = None  # the ceiling of its resource

    @property
    def inherits(self) -> bool:
        """Whether the mutex should inherit priorities instead of having a ceiling."""
        return self.run_as == "inherit"

    @property
    def keys(self) -> tuple[str, ...]:
        """The module, offset and order by which the drop-in recognises the mutex.

        Only the first known of these is used: name, variable, first locks, path, order.
        """
        if self.known_as:
            return (f"name:{self.known_as} 0x0 1",)
        if self.place:
            return (f"{_spaced(self.place)} {min(self.order, 1)}",)
        if not self.order:
            return tuple(f"{_spaced(place)} 0" for place in self.locked_at)
        if self.path:
            return (f"{self.module} {self.offset}/{self.path} {self.nth}",)
        return (f"{self.module} {self.offset} {self.order}",)

    @property
    def made_by(self) -> str | None:
        """Return the name or path if only an order distinguishes the mutexes that share it, or else
        None."""
        if self.known_as:
            return self.known_as
        if self.place or not self.path or not self.order:
            return None
        return f"{self.module} {self.offset} {self.path}"

    def problems(self, known: Known) -> Iterator[Problem]:
        """Yield a missing resource, and reasons why `use` is impossible."""
        if self.name not in known.names["resource"]:
            hint = suggestion(self.name, list(known.names["resource"]))
            expected = f"a table [resource.{self.name}] too{hint}"
            yield Problem(self.where, "no resource of this name", expected)
        if not self.use:
            return
        if self.protocol == "protect":
            expected = "false: the program gives it a ceiling itself"
            yield Problem((*self.where, "use"), "true", expected)
        if not self.order and not self.place and not self.known_as:
            yield from self._problems_of_first_locks()
        for key in self.keys:
            module = key.rsplit(" ", 2)[0]
            if not can_be_listed(module):
                expected = (
                    "a file name that has no comment (#) or blanks at its ends, or use = false"
                )
                yield Problem((*self.where, "module"), module, expected)

    def _problems_of_first_locks(self) -> Iterator[Problem]:
        """Yield a fault of a mutex without an initializing call, because other mutexes may share
        its first lock."""
        if not self.locked_at:
            expected = "one that is known, or use = false"
            yield Problem((*self.where, "order"), "0, not known", expected)
        elif not self.inherits:
            expected = '"inherit", or use = false: other mutexes may be locked there, too'
            yield Problem((*self.where, "run_as"), f'"{self.run_as}"', expected)


def _spaced(place: str) -> str:
    return f"{file_of(place)} {place.rpartition('+')[2]}"


def file_of(place: str) -> str:
    """Return the file of a place; that of `app+0x12` is `app`."""
    return place.rpartition("+")[0]


def can_be_listed(module: str) -> bool:
    """Whether the drop-in can read the name from its list, in which # begins a comment."""
    return module == module.strip() and not re.search(r"(^|\s)#", module)
