# SPDX-License-Identifier: MIT
"""Accounts of servers that share resources: overrun, payback and skipping.

OSPERT 2010, 8, Sections VII and VIII, with the rules of protocol/lazy_global.h. The world sets the
claims of the servers' tasks before each decision. The rules then give the server that must run.
"""

from __future__ import annotations

from typing import NamedTuple

from proof.engine.explore import ViolationError
from proof.kernel.budgets import Budgets, Kind, Server, Sharing
from proof.kernel.notes import NEVER


class Situation(NamedTuple):
    """Claims and waits of each server when the kernel decides."""

    claims: tuple[int, ...]  # the highest claim of each server
    waits: tuple[bool, ...]  # whether a task of the server waits for its next budget
    ended: int = 0  # the holder's claim before the kernel ended a section of it by force


class SharedBudgets(Budgets):
    """Judges servers whose sections go on beyond the budget, or keep other servers out.

    Levels are levels of servers. The least urgent server has level 1.
    """

    def __init__(self, servers: tuple[Server, ...], late: int) -> None:
        """No task has claimed anything."""
        super().__init__(servers, late)
        nothing = (0,) * len(servers)
        self.at = Situation(nothing, (False,) * len(servers))

    @property
    def count(self) -> int:
        """The number of servers."""
        return len(self._servers)

    def level(self, index: int) -> int:
        """The level of a server."""
        return len(self._servers) - index

    # ---- Queries -------------------------------------------------------------------------

    @property
    def kept_out(self) -> int:
        """The level of the server that a section keeps out, or 0."""
        is_kept_out = self.candidate is not None and self.candidate != self.holder
        return self.level(self.candidate) if self.candidate is not None and is_kept_out else 0

    @property
    def is_over(self) -> bool:
        """Whether the holder is in overrun."""
        return self.holder is not None and self._accounts[self.holder].over is not None

    def suffices(self, index: int, now: int) -> bool:
        """Whether more than `hold` is left for a section that begins now."""
        books = self.freeze()
        self._charge(index, self._since, now)
        left = self._accounts[index].left
        self.thaw(books)
        return left > self._servers[index].hold

    def seems_to_suffice(self, index: int, now: int) -> bool:
        """The same for the task, which sees no replenishment since the kernel was entered."""
        end = self._since + self._accounts[index].left
        return end - now > self._servers[index].hold

    def next_budget(self, index: int, now: int) -> int:
        """The instant of the next replenishment."""
        books = self.freeze()
        self._charge(index, self._since, now)
        replenished = self._accounts[index].replenished
        self.thaw(books)
        return replenished

    # ---- The rules -------------------------------------------------------------------------

    def _most(self, index: int) -> int:
        """The time after which an overrun, or a section that keeps others out, is ended."""
        return self._servers[index].hold + 1

    def _left(self, index: int) -> int:
        account = self._accounts[index]
        return account.left if account.over is None else self._most(index) - account.over

    def _is_inside(self, index: int) -> bool:
        """Whether the server was inside a section up to now."""
        return max(self.at.claims[index], self.at.ended) > 0

    def _charge(self, index: int, since: int, now: int) -> None:
        """A replenishment ends an overrun, and does not begin an overrun."""
        account = self._accounts[index]
        if account.limit is not None:
            if now - since > account.limit:
                raise ViolationError(
                    f"a section of server {index} keeps others out for {now - since}, "
                    f"with {account.limit} left"
                )
            self._accounts[index] = account._replace(limit=account.limit - (now - since))
        if since < account.replenished <= now:
            until = account.replenished
            ends_with_it = account.over is None and account.left == until - since
            if not ends_with_it:
                self._pay(index, since, until)
            since = until
            self._replenish(index, since)
        self._pay(index, since, now)

    def _pay(self, index: int, since: int, now: int) -> None:
        account, time = self._accounts[index], now - since
        if account.over is None and 0 < account.left <= time and self._goes_on(index):
            time -= account.left
            account = account._replace(left=0, over=0)
        if account.over is None:
            self._spend(index, time)
            return
        over = account.over + time
        if over > self._most(index):
            raise ViolationError(f"server {index} overruns by {over}")
        self._accounts[index] = account._replace(over=over)

    def _goes_on(self, index: int) -> bool:
        return self._servers[index].may_overrun and self._is_inside(index)

    def _replenish(self, index: int, now: int) -> None:
        """Only the very next budget pays for time beyond a budget."""
        before = self._accounts[index]
        if now < before.replenished:
            return
        owed = before.owed
        if before.over is not None and self._servers[index].sharing is Sharing.PAYBACK:
            owed = before.over
        super()._replenish(index, now)
        after = self._accounts[index]
        is_next = after.replenished == before.replenished + self._servers[index].period
        left = after.left - (owed if is_next else 0)
        self._accounts[index] = after._replace(left=left, limit=before.limit)

    def _judge_sections(self, index: int) -> None:
        """The holder's section must end by force exactly when its time is over."""
        account = self._accounts[index]
        must_end = self._is_inside(index) and (self._left(index) == 0 or account.limit == 0)
        if must_end and not self.at.ended:
            raise ViolationError(f"a section of server {index} goes on, which has to end")
        if self.at.ended and not must_end:
            raise ViolationError(f"a section of server {index} is ended, which may go on")
        if self.at.claims[index] > 0:
            return
        if account.over is not None:
            is_payback = self._servers[index].sharing is Sharing.PAYBACK
            account = account._replace(left=0, owed=account.over if is_payback else 0, over=None)
        self._accounts[index] = account._replace(limit=None)

    def _admitted(self, index: int, now: int) -> int:
        claims = self.at.claims
        top = max(range(len(claims)), key=claims.__getitem__)
        if top == index:  # no server waits for it any more
            self._accounts[top] = self._accounts[top]._replace(limit=None)
            return index
        if claims[top] < self.level(index):
            return index
        self._replenish(top, now)
        if self._accounts[top].limit is None:
            self._accounts[top] = self._accounts[top]._replace(limit=self._most(top))
        return top

    # ---- The timer ---------------------------------------------------------------------------

    def due(self) -> int:
        """The same, and also the end of a section that keeps others out, or that overruns."""
        first = len(self._servers) if self.candidate is None else self.candidate
        instants = [
            account.replenished
            for index, account in enumerate(self._accounts[:first])
            if account.left == 0 or self.at.waits[index]
        ]
        if self.holder is not None:
            account = self._accounts[self.holder]
            instants.append(self._end_of(self.holder))
            if account.limit is not None:
                instants.append(self._since + account.limit)
            if self.at.waits[self.holder]:
                instants.append(account.replenished)
        return min(instants, default=NEVER)

    def _end_of(self, index: int) -> int:
        server, account = self._servers[index], self._accounts[index]
        if account.over is None:
            if server.kind != Kind.SLOT and self._since + account.left >= account.replenished:
                return account.replenished + server.budget - account.owed
            return super()._end_of(index)
        end = self._since + self._left(index)
        if end <= account.replenished:
            return end
        used = account.over + account.replenished - self._since
        owed = used if server.sharing is Sharing.PAYBACK else 0
        return account.replenished + server.budget - owed
