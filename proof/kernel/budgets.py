# SPDX-License-Identifier: MIT
"""What two servers owe their tasks, kept in notes of its own: docs/protocols/servers.md.

A server is charged for exactly the time in which it has the core.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from proof.engine.explore import ViolationError
from proof.kernel.notes import NEVER


class Kind(Enum):
    """Of a server, by the kernel's names."""

    IDLING = "PLF_IDLING"
    POLLING = "PLF_POLLING"
    DEFERRABLE = "PLF_DEFERRABLE"
    SLOT = "PLF_SLOT"


class Sharing(Enum):
    """What a server does with resources of several, by the kernel's names."""

    OVERRUN = "PLF_OVERRUN"
    PAYBACK = "PLF_OVERRUN_PAYBACK"
    SKIP = "PLF_SKIP"


class Server(NamedTuple):
    """Its parameters; the servers of a core stand from the most urgent one.

    `hold`: no section of resources of several lasts longer, in time that this server pays for.
    """

    kind: Kind
    period: int
    budget: int
    start: int = 0
    sharing: Sharing | None = None
    hold: int = 0

    @property
    def may_overrun(self) -> bool:
        """In a section."""
        return self.sharing in (Sharing.OVERRUN, Sharing.PAYBACK)


class Account(NamedTuple):
    """Of a server; `over` and what follows is of sharing.py."""

    left: int
    replenished: int  # when it is so the next time
    over: int | None = None  # in overrun: it has used so much beyond its budget
    owed: int = 0  # of its next budget
    limit: int | None = None  # so long its section may go on; None: no server waits for that


class Books(NamedTuple):
    """What is noted of all servers."""

    accounts: tuple[Account, ...]
    holder: int | None  # the one that has the core
    since: int  # it is charged up to here
    candidate: int | None  # the one that would have it, did no section keep it out


Wants = Callable[[int], bool]  # whether a server has a task that would run


class Budgets:
    """Judges to which server the core goes, and when that is decided."""

    def __init__(self, servers: tuple[Server, ...], late: int) -> None:
        """None has the core, and none has begun its first period.

        `late`: so much too late is a decision at most, which a system call in progress holds up.
        """
        self._servers = servers
        self._late = late
        self._accounts = [Account(0, server.start) for server in servers]
        self.holder: int | None = None
        self.candidate: int | None = None
        self._since = 0

    def freeze(self) -> Books:
        """All notes, as a value."""
        return Books(tuple(self._accounts), self.holder, self._since, self.candidate)

    def thaw(self, books: Books) -> None:
        """Go back to them."""
        self._accounts = list(books.accounts)
        self.holder, self._since, self.candidate = books[1:]

    # ---- The rules -------------------------------------------------------------------------

    def decide(self, now: int, wants: Wants) -> None:
        """The kernel was entered: the most urgent server that may gets the core."""
        if self.holder is not None:
            self._charge(self.holder, self._since, now)
            self._judge_sections(self.holder)
        self._since = now
        for index, server in enumerate(self._servers):
            self._replenish(index, now)
            is_present = server.kind in (Kind.IDLING, Kind.SLOT) or wants(index)
            if self._left(index) > 0 and is_present:
                self.candidate, self.holder = index, self._admitted(index, now)
                return
            if server.kind == Kind.POLLING:
                self._accounts[index] = self._accounts[index]._replace(left=0)
        self.candidate = self.holder = None

    def _left(self, index: int) -> int:
        return self._accounts[index].left

    def _judge_sections(self, index: int) -> None:
        """It has been charged: see sharing.py."""

    def _admitted(self, index: int, _now: int) -> int:
        """The server would get the core: the one that does, see sharing.py."""
        return index

    def _charge(self, index: int, since: int, now: int) -> None:
        """What is behind a replenishment is paid out of the new budget."""
        account = self._accounts[index]
        if since < account.replenished <= now:
            self._spend(index, account.replenished - since)
            since = account.replenished
            self._replenish(index, since)
        self._spend(index, now - since)

    def _spend(self, index: int, time: int) -> None:
        account = self._accounts[index]
        if time > account.left + self._late:
            raise ViolationError(f"server {index} runs for {time} with {account.left} left")
        self._accounts[index] = account._replace(left=max(account.left - time, 0))

    def _replenish(self, index: int, now: int) -> None:
        """At its instants, each a period after the other, whenever it is looked at."""
        server, account = self._servers[index], self._accounts[index]
        if now < account.replenished:
            return
        late = (now - account.replenished) % server.period
        left = server.budget - (late if server.kind == Kind.SLOT else 0)
        self._accounts[index] = Account(max(left, 0), now - late + server.period)

    def due(self) -> int:
        """When the next decision is, if nothing arrives: the timer must not come after it."""
        instants = [
            account.replenished
            for index, account in enumerate(self._accounts)
            if account.left == 0 and (self.holder is None or index < self.holder)
        ]
        if self.holder is not None:
            instants.append(self._end_of(self.holder))
        return min(instants, default=NEVER)

    def _end_of(self, index: int) -> int:
        """The holder's budget, with what it gets until then."""
        server, account = self._servers[index], self._accounts[index]
        end = self._since + account.left
        if server.kind == Kind.SLOT or end < account.replenished:
            return end
        return account.replenished + server.budget
