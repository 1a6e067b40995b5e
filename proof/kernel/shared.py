# SPDX-License-Identifier: MIT
"""The sweep's world with servers that share resources. Time goes on at every instruction, too.

The clock advances to the next instant of the servers' timer, to the longest permitted end of the
running task's section, or by 1. The task's word has its claim. Everything else is noted here.
"""

from __future__ import annotations

from typing import Any

from proof.boundary.image import Image
from proof.boundary.machine import Step
from proof.boundary.moves import Mark
from proof.engine.explore import Moment, ViolationError
from proof.kernel.budgets import Sharing
from proof.kernel.notes import Calls, Condition
from proof.kernel.served import ServedWorld
from proof.kernel.sharers import Sharers
from proof.kernel.sharing import SharedBudgets, Situation
from proof.kernel.world import Call, MakeNotes, Scenario, World

WRONG_STATUS = 63  # a bit of the driver's proof_ended


class SharedWorld(ServedWorld):
    """The world with these servers."""

    _notes: Sharers
    _budgets: SharedBudgets

    def __init__(
        self, image: Image, scenario: Scenario, notes: MakeNotes, budgets: SharedBudgets
    ) -> None:
        """Start the kernel, and let the first actor arrive."""
        self._timer = 0
        self._ended_now: tuple[int, ...] = ()
        self._claimed = 0  # the holder's claim before the kernel ended one of its tasks
        self._now_at = image.place("proof_now")
        others = ("time goes on", "a little time goes on")
        super().__init__(image, scenario, notes, budgets, others)

    def _place_memory(self, image: Image, size: int) -> None:
        super()._place_memory(image, size)
        end, claim, row, late = (self.machine.constant("proof_sharing", i) for i in range(4))
        self._claim_at = claim
        self._kernels = (*self._kernels, (end, end + 8), (row, row + 4), (late, late + 4))

    # ---- The system's part of a state ------------------------------------------------------

    def _more(self) -> Any:
        return super()._more(), self._timer

    def _adopt_more(self, more: Any) -> None:
        others, self._timer = more
        super()._adopt_more(others)
        self._notes.now = self._now

    def _can_arrive(self) -> tuple[int, ...]:
        found = World._can_arrive(self)
        if self._running is None:
            return (*found, self._signal + 1) if self._is_any_unfinished() else found
        to = self._furthest()
        if self._timers == 0 or to <= self._now:
            return found
        least = (self._signal + 2,) if to > self._now + 1 else ()
        return (*found, self._signal + 1, *least)

    def _can_sleep_yet(self) -> bool:
        """Whether time may go on later, although a section that has lasted for X stops it now."""
        return self._timers > 0 and self._is_any_unfinished()

    def _is_any_unfinished(self) -> bool:
        outside = (Condition.SUSPENDED, Condition.WAITING)
        return any(task.condition not in outside for task in self._notes.tasks)

    # ---- Time ------------------------------------------------------------------------------

    def _arrival(self, index: int) -> int:
        at = self.scenario.time.at
        is_first = bool(at) and index == 0
        return max(self._now, self.scenario.time.start + at[0]) if is_first else self._now

    def _furthest(self) -> int:
        """The latest instant of the next jump: no section of the server may exceed X."""
        assert self._running is not None
        payer = self._notes.payers[self._running]
        return min(self._timer, self._notes.allows_until(payer, self._now))

    def _arrive(self, running: int | None, actor: int, shared: int, index: int) -> Moment:
        self._ended_now = ()
        if index <= self._signal:
            actor, shared, system = super()._arrive(running, actor, shared, index)
        else:
            shared = self._time_goes_on(running, shared, is_least=index == self._signal + 2)
            system = self._freeze()
        if running in self._ended_now:
            assert running is not None
            actor = self._entries[running]
        return actor, shared, system

    def _time_goes_on(self, running: int | None, shared: int, *, is_least: bool) -> int:
        if running is None:
            self._notes.now = self._now = max(self._now, self._next_timer(shared))
            return self._timer_comes(shared)
        to = self._now + 1 if is_least else self._furthest()
        self._timers -= 1
        self._notes.spends(self._notes.payers[running], self._now, to)
        self._notes.now = self._now = to
        self._say(f"it is {to}")
        return self._timer_comes(shared) if to >= self._timer else self._with_clock(shared)

    def _with_clock(self, shared: int) -> int:
        return self._put(shared, self._now_at, self._now)

    def _put(self, shared: int, at: int, value: int) -> int:
        return self._asked.put(shared, at, value.to_bytes(8, "little"))

    # ---- The kernel ------------------------------------------------------------------------

    def _is_kernels_claim(self, index: int) -> bool:
        """Whether the kernel writes the claim, and the task is not foul."""
        is_called = self._notes.calls == Calls.EACH
        return is_called and not self._notes.tasks[index].is_foul

    def _claim_in(self, index: int, shared: int) -> int:
        """The running task's claim, after the kernel's bounds."""
        return self._notes.bounded(index, self._number(shared, self._claim_at, 4))

    def _enter_kernel(self, function: str, shared: int, *arguments: int) -> tuple[int, int]:
        notes, running = self._notes, self._running
        notes.now = self._now
        if running is not None and not self._is_kernels_claim(running):
            is_there = notes.tasks[running].condition == Condition.RUNNING
            notes.claims(running, self._claim_in(running, shared) if is_there else 0)
        self._claimed = 0
        answer = super()._enter_kernel(function, shared, *arguments)
        self._timer = self._number(answer[0], self._timer_at, 8)
        return answer

    def _ended(self, shared: int) -> int:
        """The kernel may end only a foul task in a section, and tasks of its server with it."""
        ended = self._number(shared, self._ended_at, 8)
        if not ended:
            return shared
        if ended >> WRONG_STATUS:
            raise ViolationError("a task is ended for another reason than its section")
        assert self._running is not None
        payer = self._notes.payers[self._running]
        self._claimed = self._notes.claims_of(payer)
        tasks = [i for task, i in self._task_at.items() if ended >> task & 1]
        if not any(self._notes.tasks[i].is_foul for i in tasks):
            names = ", ".join(self.names[i] for i in tasks)
            raise ViolationError(f"{names} is ended, whose section is as it should be")
        for index in tasks:
            if self._notes.payers[index] != payer:
                raise ViolationError(f"{self.names[index]} is ended, of another server")
            self._notes.is_ended(index)
            self._say(f"{self.names[index]} is ended")
        self._ended_now += tuple(tasks)
        return self._put(shared, self._ended_at, 0)

    def _judge_choice(self, running: int | None) -> None:
        """If the timer is due, the kernel may leave the decision to it."""
        notes, budgets = self._notes, self._budgets
        servers = range(budgets.count)
        budgets.at = Situation(
            tuple(notes.claims_of(server) for server in servers),
            tuple(notes.waits_of(server) for server in servers),
            self._claimed,
        )
        super()._judge_choice(running)
        if running is not None:
            if budgets.is_over:
                notes.overruns(notes.payers[running])
            if notes.is_leaving(running):
                notes.has_reason(running, budgets.kept_out)

    def _judge_kept(self, shared: int) -> None:
        super()._judge_kept(shared)
        running = self._running
        if running is None or self._notes.tasks[running].is_foul:
            return
        found, expected = self._number(shared, self._claim_at, 4), self._notes.shares[running].claim
        if found != expected:
            raise ViolationError(
                f"the kernel leaves {self.names[running]} with claim {found}: it is {expected}"
            )

    # ---- Actions of a task -------------------------------------------------------------------

    def _on_mark(self, index: int, ran: Step, mark: Mark) -> Moment:
        self._ended_now = ()
        if mark == Mark.TORN and ran.arguments[0] in self._notes.torn:
            return ran.actor, ran.shared, self._freeze()
        actor, shared, system = super()._on_mark(index, ran, mark)
        return self._entries[index] if index in self._ended_now else actor, shared, system

    def _judge(self, index: int, ran: Step, mark: Mark, resource: int) -> None:
        super()._judge(index, ran, mark, resource)
        notes, budgets = self._notes, self._budgets
        if notes.tasks[index].is_foul:
            return
        if mark == Mark.OUT:
            notes.has_reason(index, budgets.kept_out)
        wanted = max(budgets.kept_out, int(budgets.is_over))
        if mark == Mark.LEFT and wanted > notes.left_to(index):
            raise ViolationError(f"{self.names[index]} has left, and does not call the kernel")

    def _judge_reported(self, index: int, shared: int) -> None:
        super()._judge_reported(index, shared)
        notes = self._notes
        claim, owed = self._number(shared, self._claim_at, 4), notes.owed(index)
        if claim != owed and not notes.tasks[index].is_foul and not notes.tasks[index].is_moving:
            raise ViolationError(f"{self.names[index]} has claim {claim}: it is {owed}")

    def _call(self, index: int, ran: Step, call: Call, arguments: int) -> Moment:
        notes = self._notes
        if call == Call.AWAIT_BUDGET:
            self._say(f"{self.names[index]} calls the kernel: {call.name}")
            self._now += self.scenario.time.step
            notes.claims(index, self._claim_in(index, ran.shared))
            notes.judge_await(index)
            self._judge_need(index)
            self._await(index, self._word(ran.shared), pending=0)
            answer = self._called(index, ran.shared, call, arguments, 0)
            notes.enters_kernel()
            return ran.actor, answer, self._freeze()
        if self._is_kernels_claim(index):
            self._claim(index, call, arguments)
        return super()._call(index, ran, call, arguments)

    def _judge_need(self, index: int) -> None:
        """The task's test failed, so too little was left, or the kernel was entered since."""
        task = self._notes.tasks[index]
        payer = self._notes.payers[index]
        if task.is_foul or task.sections[-1].is_seen:
            return
        if self._budgets.seems_to_suffice(payer, self._now):
            raise ViolationError(f"{self.names[index]} calls the kernel, and has enough left")

    def _await(self, index: int, level: int, pending: int) -> bool:
        """Whether the task goes on at once. If not, it waits at `level`, then claims `pending`."""
        payer, notes = self._notes.payers[index], self._notes
        skips = notes.server_of(index).sharing is Sharing.SKIP
        if not skips or notes.claims_of(payer):
            return True
        if self._budgets.suffices(payer, self._now):
            notes.is_granted(index)
            return True
        until = self._budgets.next_budget(payer, self._now)
        notes.awaits(index, until, level, pending)
        return False

    def _claim(self, index: int, call: Call, resource: int) -> None:
        """Note the claim that the kernel must write, if claims are the kernel's."""
        notes = self._notes
        share = notes.shares[index]
        if call not in (Call.GET_RESOURCE, Call.RELEASE_RESOURCE) or not notes.ceiling_of(resource):
            return
        if call == Call.RELEASE_RESOURCE:
            notes.restores(index)
            return
        claim = max(share.claim, notes.ceiling_of(resource))
        notes.saves(index)
        if self._await(index, notes.local_ceiling(index, resource), claim):
            notes.claims(index, claim)

    # ---- The end ---------------------------------------------------------------------------

    def judge_rest(self, shared: int, system: int) -> None:
        """Judge the data, except data of a section that was ended by force."""
        self._thaw(system)
        layout = self._layout
        for resource, changes in enumerate(self._notes.changes):
            if resource not in self._notes.torn:
                start = self._data + resource * layout.data
                self._judge_data(shared, start, layout.data, [changes])
