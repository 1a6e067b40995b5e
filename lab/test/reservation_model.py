# SPDX-License-Identifier: MIT
"""When threads with reservations run on one CPU: reckoned by the rules of Linux, unit by unit.

Written apart from the analysis, which is compared with it. The rules are those of Linux's constant
bandwidth server (kernel/sched/deadline.c), as analyse/reserved.py has them, under EDF; of equal
deadlines the first reservation goes first. Below them one task of SCHED_FIFO runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Served:
    """A thread with a reservation as time goes on; `bursts`: what work comes at each instant."""

    budget: int
    period: int
    bursts: Sequence[int]
    pending: int = 0
    left: int = 0
    deadline: int = 0
    is_stopped: bool = False

    def begin(self, now: int) -> None:
        """Take what happens at an instant: first a replenishment, then what wakes it up."""
        if self.is_stopped and self.deadline <= now:
            while self.left <= 0:
                self.left += self.budget
                self.deadline += self.period
            self.is_stopped = False
        burst = self.bursts[now] if now < len(self.bursts) else 0
        if burst and not self.pending and not self.is_stopped:
            rest = self.deadline - now
            if rest <= 0 or self.left * self.period > rest * self.budget:
                self.left, self.deadline = self.budget, now + self.period
        self.pending += burst

    @property
    def is_ready(self) -> bool:
        """Whether it would run."""
        return self.pending > 0 and not self.is_stopped

    def run(self) -> None:
        """Run for a unit; as it goes to sleep, the kernel looks at its budget."""
        self.pending -= 1
        self.left -= 1
        if not self.pending:
            self.look()

    def look(self) -> None:
        """Stop it if nothing is left."""
        self.is_stopped = self.is_stopped or self.left <= 0


@dataclass
class Sleeper(Served):
    """Its bursts are other work; from each of its arrivals on it runs, sleeps and runs again."""

    parts: tuple[int, int] = (1, 1)
    sleep: int = 1
    arrivals: Sequence[int] = ()
    responses: list[int] = field(default_factory=list)  # of those that found nothing to do
    _now: int = 0
    _since: int = -1  # the arrival of the job that goes on; -1: none does
    _wakes: int = 0  # when its second part begins; 0: not known yet

    def begin(self, now: int) -> None:
        """Take an arrival; the end of a sleep is among the bursts."""
        self._now = now
        if now in self.arrivals:
            assert self._since < 0
            if not self.pending:
                self._since, self._wakes = now, 0
            self._add(now, self.parts[0])
        super().begin(now)

    def run(self) -> None:
        """Go to sleep after the first part."""
        super().run()
        if self.pending or self._since < 0:
            return
        if self._wakes:
            self.responses.append(self._now + 1 - self._since)
            self._since = -1
        else:
            self._wakes = self._now + 1 + self.sleep
            self._add(self._wakes, self.parts[1])

    def _add(self, when: int, units: int) -> None:
        self.bursts = [*self.bursts, *[0] * (when + 1 - len(self.bursts))]
        self.bursts[when] += units


def schedule(served: Sequence[Served], length: int, tick: int = 1, phase: int = 0) -> list[int]:
    """Return which of them runs in each unit, or -1; the kernel looks at budgets at ticks."""
    ran = []
    for now in range(length):
        if (now - phase) % tick == 0:
            for each in served:
                each.look()
        for each in served:
            each.begin(now)
        ready = [index for index, each in enumerate(served) if each.is_ready]
        running = min(ready, key=lambda index: served[index].deadline, default=-1)
        if running >= 0:
            served[running].run()
        ran.append(running)
    return ran


def most_in_windows(ran: Sequence[int], which: int) -> list[int]:
    """Return, for each length of a window, how much one of them had at most."""
    sums = [0]
    for running in ran:
        sums.append(sums[-1] + (running == which))
    lengths = range(len(ran) + 1)
    return [max(sums[i + n] - sums[i] for i in range(len(sums) - n)) for n in lengths]


def longest_of_own(ran: Sequence[int], which: int, bursts: Sequence[int]) -> int:
    """Return the longest response of one of them: its bursts are its jobs, one after the other."""
    used = [unit for unit, running in enumerate(ran) if running == which]
    longest = done = 0
    for arrival, burst in enumerate(bursts):
        done += burst
        if burst:
            longest = max(longest, used[done - 1] + 1 - arrival)
    return longest


def longest_response(ran: Sequence[int], work: int, interval: int) -> int:
    """Return that of a task below, which arrives at any instant and then each interval.

    Only jobs that end within the schedule count.
    """
    return max(_responses_from(ran, first, work, interval) for first in range(len(ran)))


def _responses_from(ran: Sequence[int], first: int, work: int, interval: int) -> int:
    longest, left, arrivals = 0, 0, []
    for now in range(first, len(ran)):
        if (now - first) % interval == 0:
            arrivals.append(now)
            left = left or work
        if arrivals and ran[now] < 0:
            left -= 1
            if not left:
                longest = max(longest, now + 1 - arrivals.pop(0))
                left = work if arrivals else 0
    return longest
