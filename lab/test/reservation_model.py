# SPDX-License-Identifier: MIT
"""When threads with reservations run on one CPU, computed unit by unit by the rules of Linux.

The tests compare the analysis with this model, so it shares no code with the analysis. The rules
are Linux's constant bandwidth server (kernel/sched/deadline.c) under EDF. Of equal deadlines, the
first reservation goes first. One SCHED_FIFO task runs below them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Served:
    """A thread with a reservation, and its state. `bursts`: the work that comes at each instant."""

    budget: int
    period: int
    bursts: Sequence[int]
    pending: int = 0
    left: int = 0
    deadline: int = 0
    is_stopped: bool = False

    def begin(self, now: int) -> None:
        """Handle the events of an instant: first a replenishment, then the work that wakes the
        thread."""
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
        """Whether the thread is ready to run."""
        return self.pending > 0 and not self.is_stopped

    def run(self) -> None:
        """Run for a unit. When the thread goes to sleep, the kernel checks its budget."""
        self.pending -= 1
        self.left -= 1
        if not self.pending:
            self.look()

    def look(self) -> None:
        """Stop the thread if no budget is left."""
        self.is_stopped = self.is_stopped or self.left <= 0


@dataclass
class Sleeper(Served):
    """A thread that runs, sleeps and runs again from each arrival. `bursts` is other work."""

    parts: tuple[int, int] = (1, 1)
    sleep: int = 1
    arrivals: Sequence[int] = ()
    responses: list[int] = field(default_factory=list)  # of jobs that found no pending work
    _now: int = 0
    _since: int = -1  # the arrival of the current job; -1: no job
    _wakes: int = 0  # the begin of its second part; 0: not known yet

    def begin(self, now: int) -> None:
        """Handle an arrival. The end of a sleep is among the bursts."""
        self._now = now
        if now in self.arrivals:
            assert self._since < 0
            if not self.pending:
                self._since, self._wakes = now, 0
            self._add(now, self.parts[0])
        super().begin(now)

    def run(self) -> None:
        """Run for a unit. Sleep after the first part of a job."""
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
    """Return the index of the thread that runs in each unit, or -1. The kernel checks budgets at
    ticks."""
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
    """Return, for each length of a window, the most time that thread `which` had in it."""
    sums = [0]
    for running in ran:
        sums.append(sums[-1] + (running == which))
    lengths = range(len(ran) + 1)
    return [max(sums[i + n] - sums[i] for i in range(len(sums) - n)) for n in lengths]


def longest_of_own(ran: Sequence[int], which: int, bursts: Sequence[int]) -> int:
    """Return the longest response of thread `which`, whose jobs are its bursts in turn."""
    used = [unit for unit, running in enumerate(ran) if running == which]
    longest = done = 0
    for arrival, burst in enumerate(bursts):
        done += burst
        if burst:
            longest = max(longest, used[done - 1] + 1 - arrival)
    return longest


def longest_response(ran: Sequence[int], work: int, interval: int) -> int:
    """Return the longest response of a task below, which arrives at any instant and then
    periodically.

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
