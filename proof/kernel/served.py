# SPDX-License-Identifier: MIT
"""The sweep's world with two servers. Their timer also comes at every instruction.

The clock stands still, except for this timer and during system calls. Other arrivals happen at the
clock's instant. While no task runs, the timer comes as often as needed.
"""

from __future__ import annotations

from proof.boundary.image import Image
from proof.engine.explore import Moment, ViolationError
from proof.kernel.budgets import Books, Budgets
from proof.kernel.notes import NEVER
from proof.kernel.world import MakeNotes, Scenario, World


class ServedWorld(World):
    """The world with these servers."""

    def __init__(
        self,
        image: Image,
        scenario: Scenario,
        notes: MakeNotes,
        budgets: Budgets,
        others: tuple[str, ...] = ("the timer of servers comes",),
    ) -> None:
        """Start the kernel, and let the first actor arrive. `budgets` must be new."""
        self._budgets = budgets
        self._budgets.decide(scenario.time.start, lambda _: False)
        self._timers = scenario.timers
        self._timer_at = image.place("proof_timer_at")
        super().__init__(image, scenario, notes, others)

    # ---- The system's part of a state ------------------------------------------------------

    def _more(self) -> tuple[Books, int]:
        return self._budgets.freeze(), self._timers

    def _adopt_more(self, more: tuple[Books, int]) -> None:
        books, self._timers = more
        self._budgets.thaw(books)

    def _can_arrive(self) -> tuple[int, ...]:
        found = super()._can_arrive()
        is_asked_for = self._timers > 0 if self._running is not None else self._is_any_ready()
        return (*found, self._signal + 1) if is_asked_for else found

    def _wants(self, server: int) -> bool:
        return bool(self._notes.ready(server))

    def _is_any_ready(self) -> bool:
        return any(self._wants(payer) for payer in set(self._notes.payers))

    # ---- Time ------------------------------------------------------------------------------

    def _arrival(self, index: int) -> int:
        return self._now

    def _next_arrival(self) -> int:
        return NEVER

    def _arrive(self, running: int | None, actor: int, shared: int, index: int) -> Moment:
        if index != self._signal + 1:
            return super()._arrive(running, actor, shared, index)
        self._timers -= running is not None
        self._now = max(self._now, self._next_timer(shared))
        return actor, self._timer_comes(shared), self._freeze()

    def _next_timer(self, shared: int) -> int:
        at = self._number(shared, self._timer_at, 8)
        if at == NEVER:
            raise ViolationError("a task is ready, and no timer will come")
        return at

    def _timer_comes(self, shared: int) -> int:
        self._notes.enters_kernel()
        shared, _ = self._enter_kernel("proof_timer", shared, self._now)
        return shared

    # ---- The kernel ------------------------------------------------------------------------

    def _enter_kernel(self, function: str, shared: int, *arguments: int) -> tuple[int, int]:
        """If the timer is due on leaving the kernel, it comes at once."""
        shared, status = super()._enter_kernel(function, shared, *arguments)
        due, at = self._budgets.due(), self._number(shared, self._timer_at, 8)
        if at > max(due, self._now):
            raise ViolationError(f"a decision is due at {due}, and the timer comes at {at}")
        if at <= self._now:
            if function == "proof_timer":
                raise ViolationError(f"it is {self._now}, and the timer comes at {at} again")
            shared = self._timer_comes(shared)
        return shared, status

    def _judge_choice(self, running: int | None) -> None:
        """If the timer is due, the kernel may leave the decision to it."""
        budgets, books = self._budgets, self._budgets.freeze()
        is_for_timer = budgets.due() <= self._now
        payer = budgets.holder if running is None else self._notes.payers[running]
        budgets.decide(self._now, self._wants)
        if is_for_timer and running is not None and payer == books.holder != budgets.holder:
            budgets.thaw(books)
        if running is not None and payer != budgets.holder:
            raise ViolationError(
                f"{self.names[running]} of server {payer} runs, and the core is "
                f"server {budgets.holder}'s"
            )
        self._notes.judge_switch(running, budgets.holder)
