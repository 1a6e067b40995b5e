# SPDX-License-Identifier: MIT
"""Judge the budgets of servers by separate accounts. docs/protocols/servers.md has the rules.

A server is charged for exactly the time in which it has the core.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from proof.engine.explore import ViolationError
from proof.kernel.notes import NEVER


class Kind(Enum):
    """The kinds of servers, by the kernel's names."""

    IDLING = "PLF_IDLING"
    POLLING = "PLF_POLLING"
    DEFERRABLE = "PLF_DEFERRABLE"
    SLOT = "PLF_SLOT"


class Sharing(Enum):
    """The policies of servers that share resources, by the kernel's names."""

    OVERRUN = "PLF_OVERRUN"
    PAYBACK = "PLF_OVERRUN_PAYBACK"
    SKIP = "PLF_SKIP"


class Server(NamedTuple):
    """The parameters of a server. The servers of a core are sorted, most urgent first.

    `hold`: the longest section of a resource of several servers, in time that this server pays for.
    """

    kind: Kind
    period: int
    budget: int
    start: int = 0
    sharing: Sharing | None = None
    hold: int = 0

    @property
    def may_overrun(self) -> bool:
        """Whether a section may go on beyond the budget."""
        return self.sharing in (Sharing.OVERRUN, Sharing.PAYBACK)


class Account(NamedTuple):
    """The account of a server. Only sharing.py uses `over` and the fields after it."""

    left: int
    replenished: int  # instant of the next replenishment
    over: int | None = None  # time used beyond the budget; None: no overrun
    owed: int = 0  # to be subtracted from the next budget
    limit: int | None = None  # time left to its section; None: no server is kept out


class Books(NamedTuple):
    """The notes on all servers, as a value."""

    accounts: tuple[Account, ...]
    holder: int | None  # the server that has the core
    since: int  # the instant up to which the holder is charged
    candidate: int | None  # the server that would have the core if no section kept it out


Wants = Callable[[int], bool]  # whether a server has a task that would run


class Budgets:
    """Judges which server gets the core, and when the kernel must decide."""

    def __init__(self, servers: tuple[Server, ...], late: int) -> None:
        """No server has the core, and none has begun its first period.

        `late`: the longest delay of a decision, because a system call may be in progress.
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
        """Restore these notes."""
        self._accounts = list(books.accounts)
        self.holder, self._since, self.candidate = books[1:]

    # ---- The rules -------------------------------------------------------------------------

    def decide(self, now: int, wants: Wants) -> None:
        """The kernel was entered: give the core to the most urgent server that may have it."""
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
        """Judge the holder's sections after it was charged. See sharing.py."""

    def _admitted(self, index: int, _now: int) -> int:
        """The server that gets the core if `index` is the candidate. See sharing.py."""
        return index

    def _charge(self, index: int, since: int, now: int) -> None:
        """Charge a server; time after a replenishment is paid from the new budget."""
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
        """Replenish a server if the instant has come; the instants are a period apart."""
        server, account = self._servers[index], self._accounts[index]
        if now < account.replenished:
            return
        late = (now - account.replenished) % server.period
        left = server.budget - (late if server.kind == Kind.SLOT else 0)
        self._accounts[index] = Account(max(left, 0), now - late + server.period)

    def due(self) -> int:
        """The next instant of a decision if nothing arrives. The timer must not come later."""
        instants = [
            account.replenished
            for index, account in enumerate(self._accounts)
            if account.left == 0 and (self.holder is None or index < self.holder)
        ]
        if self.holder is not None:
            instants.append(self._end_of(self.holder))
        return min(instants, default=NEVER)

    def _end_of(self, index: int) -> int:
        """The end of the holder's budget, including a replenishment before that end."""
        server, account = self._servers[index], self._accounts[index]
        end = self._since + account.left
        if server.kind == Kind.SLOT or end < account.replenished:
            return end
        return account.replenished + server.budget
