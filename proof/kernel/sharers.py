# SPDX-License-Identifier: MIT
"""The rules for tasks that use resources of several servers, under fixed priorities."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from proof.engine.explore import ViolationError
from proof.kernel.budgets import Server, Sharing
from proof.kernel.notes import NEVER, Calls, Condition, Task
from proof.kernel.priority import Levels, Priorities, Rules


class Ceilings(NamedTuple):
    """The ceilings of resources: levels of servers (0 if a single server uses it), and of tasks.

    `by_row`: under overrun, and under skipping; `claims`: the highest claim of each server's tasks.
    """

    among_servers: tuple[int, ...]
    by_row: tuple[tuple[int, ...], ...]
    claims: tuple[int, ...]


class Share(NamedTuple):
    """Further notes on a task."""

    claim: int = 0  # its claim, a level of servers, at the last entry of the kernel
    saved: tuple[int, ...] = ()  # earlier claims by section, if the kernel keeps them
    spent: int | None = None  # by its server since its outermost section began; None: outside
    until: int = 0  # instant of the budget for which it waits
    level: int = 0  # its local ceiling while it waits
    pending: int = 0  # its claim once it goes on
    has_reason: bool = False  # to call the kernel on exit of its section
    was_over: bool = False  # its server overran since its outermost section began


class Sharers(Priorities):
    """Judges such tasks of these servers."""

    def __init__(
        self,
        names: tuple[str, ...],
        most: tuple[int, ...],
        tasks: list[Task],
        levels: tuple[Levels, ...],
        ceilings: tuple[int, ...],
        rules: Rules,
        servers: tuple[Server, ...],
        shared: Ceilings,
    ) -> None:
        """No task has arrived."""
        super().__init__(names, most, tasks, levels, ceilings, rules)
        self.shares = [Share()] * len(names)
        self.torn: frozenset[int] = frozenset()  # resources whose sections were ended by force
        self.now = 0
        self._servers = servers
        self._shared = shared

    def _more(self) -> Hashable:
        return tuple(self.shares), self.torn

    def _adopt_more(self, more: Any) -> None:
        shares, self.torn = more
        self.shares = list(shares)

    def _share(self, index: int, **changes: Any) -> None:
        self.shares[index] = self.shares[index]._replace(**changes)

    @property
    def calls(self) -> Calls:
        """When a task may call for its sections."""
        return self._calls

    def server_of(self, index: int) -> Server:
        """The server that pays for the task."""
        return self._servers[self.payers[index]]

    # ---- Claims -----------------------------------------------------------------------------

    def ceiling_of(self, resource: int) -> int:
        """The ceiling among servers, or 0 if a single server uses the resource."""
        return self._shared.among_servers[resource]

    def bounded(self, index: int, claim: int) -> int:
        """The claim that the kernel must read from a word with this value."""
        payer = self.payers[index]
        lowest, highest = len(self._servers) - payer, self._shared.claims[payer]
        return min(max(claim, lowest), highest) if claim else 0

    def claims(self, index: int, claim: int) -> None:
        """Note the claim at an entry of the kernel."""
        self._share(index, claim=claim)

    def saves(self, index: int) -> None:
        """The kernel saves the task's claim before the next section."""
        share = self.shares[index]
        self._share(index, saved=(*share.saved, share.claim))

    def restores(self, index: int) -> None:
        """The kernel restores the claim on exit of the section entered last."""
        saved = self.shares[index].saved
        self._share(index, saved=saved[:-1], claim=saved[-1])

    def claims_of(self, payer: int) -> int:
        """The highest claim of this server's tasks."""
        claims = zip(self.payers, self.shares, strict=True)
        return max((share.claim for server, share in claims if server == payer), default=0)

    def owed(self, index: int) -> int:
        """The claim that the task's open sections demand, without a section that it is leaving."""
        return max((self.ceiling_of(r) for r in self.tasks[index].open), default=0)

    def left_to(self, index: int) -> int:
        """The claim of the task's server after the section that it is leaving."""
        return max(self.owed(index), self._claims_beside(index))

    def _claims_beside(self, index: int) -> int:
        payer = self.payers[index]
        return max(
            (
                self.shares[other].claim
                for other, server in enumerate(self.payers)
                if server == payer and other != index
            ),
            default=0,
        )

    def overruns(self, payer: int) -> None:
        """The server overruns. A task may notice late that a replenishment ended the overrun."""
        for index, server in enumerate(self.payers):
            if server == payer and self.tasks[index].sections:
                self._share(index, was_over=True)

    def has_reason(self, index: int, kept_out: int) -> None:
        """Note whether the kernel demands a call from a task that leaves a section."""
        if max(kept_out, int(self.shares[index].was_over)) > self.left_to(index):
            self._share(index, has_reason=True)

    def is_leaving(self, index: int) -> bool:
        """Whether the task is leaving a section."""
        task = self.tasks[index]
        return task.is_moving and task.sections[-1].resource is not None

    # ---- The budget -------------------------------------------------------------------------

    def is_waiting(self, index: int) -> bool:
        """Whether the task waits for the next budget of its server."""
        return self.shares[index].until > self.now

    def waits_of(self, payer: int) -> bool:
        """Whether a task of this server waits for a budget."""
        return any(p == payer and self.is_waiting(i) for i, p in enumerate(self.payers))

    def awaits(self, index: int, until: int, level: int, pending: int) -> None:
        """Too little is left for the task's section, so it waits."""
        levels = self._levels[index]
        level = min(max(level, levels.base), levels.highest)
        self._share(index, until=until, level=level, spent=0, pending=pending)
        self._note(index, condition=Condition.PREEMPTED, has_yielded=True)

    def is_granted(self, index: int) -> None:
        """Enough is left; the section counts from here."""
        self._share(index, spent=0)

    def judge_await(self, index: int) -> None:
        """The task calls the kernel to ask whether the budget suffices for its section."""
        task, name = self.tasks[index], self.names[index]
        if task.is_foul:
            return
        is_entering = task.is_moving and task.sections[-1].resource is None
        if self.server_of(index).sharing is not Sharing.SKIP or not is_entering:
            raise ViolationError(f"{name} waits for a budget, and has no need to")
        if self.claims_of(self.payers[index]):
            raise ViolationError(f"{name} waits for a budget inside a section of its server")

    def spends(self, payer: int, since: int, now: int) -> None:
        """The server had the core from `since` to `now`."""
        for index, share in enumerate(self.shares):
            if self.payers[index] == payer and share.spent is not None:
                begun = max(since, share.until)
                if now > begun:
                    self._share(index, spent=share.spent + now - begun)

    def allows_until(self, payer: int, now: int) -> int:
        """The instant up to which the server may run, so that its sections end within X."""
        hold = self._servers[payer].hold
        ends = (
            max(now, share.until) + hold - share.spent
            for index, share in enumerate(self.shares)
            if self.payers[index] == payer
            and share.spent is not None
            and not self.tasks[index].is_foul
        )
        return min(ends, default=NEVER)

    # ---- Hooks of the rules for tasks -----------------------------------------------------------

    def _ceiling(self, index: int, resource: int) -> int:
        if not self.ceiling_of(resource):
            return super()._ceiling(index, resource)
        return self._shared.by_row[self.server_of(index).sharing is Sharing.SKIP][resource]

    def local_ceiling(self, index: int, resource: int) -> int:
        """The ceiling among the tasks of the task's server."""
        return self._ceiling(index, resource)

    def _entered(self, index: int) -> int:
        return max(super()._entered(index), self.shares[index].level)

    def _has_reason(self, task: Task, index: int, before: int, after: int) -> bool:
        return self.shares[index].has_reason or super()._has_reason(task, index, before, after)

    def ready(self, payer: int | None) -> list[int]:
        """While a task waits for the budget, only tasks above its local ceiling would run."""
        found = super().ready(payer)
        waiting = [i for i in found if self.is_waiting(i)]
        if not waiting:
            return found
        least = max(self.shares[i].level for i in waiting)
        return [i for i in found if i not in waiting and self._levels[i].base > least]

    def judge_switch(self, running: int | None, payer: int | None = 0) -> None:
        """A task must not run if it waits for a budget or a waiting task keeps it out."""
        if running is not None:
            for index, its in enumerate(self.payers):
                if its != self.payers[running] or not self.is_waiting(index):
                    continue
                if self._levels[running].base <= self.shares[index].level or index == running:
                    raise ViolationError(
                        f"{self.names[running]} runs, and {self.names[index]} waits for a budget"
                    )
        super().judge_switch(running, payer)
        if running is not None and (pending := self.shares[running].pending):
            self._share(running, claim=pending, pending=0)

    # ---- Actions of a task --------------------------------------------------------------------

    def begins(self, index: int, instant: int) -> None:
        """An outermost section counts from here."""
        if not self.tasks[index].sections:
            self._share(index, spent=0)
        super().begins(index, instant)

    def enters(self, index: int, resource: int) -> None:
        """The task has entered. Exclusion includes tasks of other servers."""
        self._share(index, until=0, level=0)
        super().enters(index, resource)

    def leaves(self, index: int, resource: int) -> None:
        """The task has no reason to call yet."""
        super().leaves(index, resource)
        self._share(index, has_reason=False)

    def has_left(self, index: int) -> None:
        """The task has left, and has called if it had to."""
        super().has_left(index)
        if not self.tasks[index].sections:
            self._share(index, spent=None, was_over=False)

    def waits(self, index: int, events: int) -> None:
        """The task waits, and so it claims nothing."""
        super().waits(index, events)
        if self.tasks[index].condition == Condition.WAITING:
            self._share(index, claim=0)

    def ends(self, index: int) -> None:
        """The task ends, and with it all its claims."""
        super().ends(index)
        self.shares[index] = Share()

    def is_ended(self, index: int) -> None:
        """The kernel ended the task by force, at any place."""
        self.torn |= {s.resource for s in self.tasks[index].sections if s.resource is not None}
        self._note(index, sections=(), is_moving=False)
        self.ends(index)
