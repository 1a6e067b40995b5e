# SPDX-License-Identifier: MIT
"""Simulate our device under a reservation, exactly as the kernel must behave, in integers.

The interrupt thread is alone on its CPU. The reservation is the hard CBS of Linux (6.12,
kernel/sched/deadline.c), with bit-exact rules of wake-up and replenishment. Time 0 is the due time
of the first interrupt. Of simultaneous events an interrupt comes first. So a frame is lost if it
comes in the instant in which the last entry of the ring becomes free.
"""

from collections import deque
from dataclasses import dataclass, field

from plafond.bench.irqs.device import Device, Reservation

# The kernel compares bandwidths of nanoseconds that are shifted right by this (DL_SCALE).
SCALE = 10


@dataclass(frozen=True)
class Kernel:
    """The work that a kernel adds as execution of the thread, and the way it enforces budgets.

    By default it adds nothing: the paper's model.
    """

    interrupt_ns: int = 0  # the cost of an interrupt that comes while the thread runs
    start_ns: int = 0  # the time from an interrupt or replenishment to the work
    unpaid_ns: int = 0  # the part of `start_ns` before the thread has the CPU
    tick_ns: int = 0  # the cost of each periodic interrupt, unless the CPU is idle
    tick_period_ns: int = 4_000_000
    tick_first_ns: int = 0  # the time of any tick
    polices_by_tick: bool = False  # without HRTICK_DL only the tick notices a used-up budget

    def tick_after(self, time_ns: int) -> int:
        """Return the time of the first tick after `time_ns`."""
        return time_ns + self.tick_period_ns - (time_ns - self.tick_first_ns) % self.tick_period_ns


IDEAL = Kernel()


@dataclass(frozen=True)
class Outcome:
    """The fate of the frames."""

    made: int
    served: int
    lost: int
    backlog_most: int
    served_ns: list[int | None]  # by the frame's number; None: lost

    @property
    def first_lost(self) -> int | None:
        """Return the number of the first lost frame, or None."""
        return self.served_ns.index(None) if self.lost else None

    @property
    def fate(self) -> tuple[int, list[bool]]:
        """Return the largest backlog, and which frames were lost: equal if two runs agree."""
        return self.backlog_most, [time is None for time in self.served_ns]

    def served_until(self, end_ns: int) -> int:
        """Return how many frames had been served by `end_ns`."""
        return sum(time is not None and time <= end_ns for time in self.served_ns)


def simulate(device: Device, reservation: Reservation | None, kernel: Kernel = IDEAL) -> Outcome:
    """Return the fate of all frames; without a reservation the thread has the CPU.

    The reservation begins with a deadline that has passed.
    """
    thread = _Thread(device, reservation, kernel)
    for number in range(device.count):
        thread.run_until(number * device.period_ns)
        thread.interrupt(number)
    thread.run_until(None)
    served = sum(time is not None for time in thread.served_ns)
    return Outcome(
        made=device.count,
        served=served,
        lost=device.count - served,
        backlog_most=thread.backlog_most,
        served_ns=thread.served_ns,
    )


@dataclass
class _Thread:
    """The interrupt thread, which is asleep when no frame is pending."""

    device: Device
    reservation: Reservation | None
    kernel: Kernel
    now_ns: int = 0
    tick_ns: int = 0  # the time of the next tick, while the thread runs
    left_ns: int = 0  # the rest of the oldest frame, and of the start before it
    pending: deque[int] = field(default_factory=deque)
    backlog_most: int = 0
    runtime_ns: int = 0
    deadline_ns: int = -1
    is_throttled: bool = False
    served_ns: list[int | None] = field(default_factory=list)

    def interrupt(self, number: int) -> None:
        """Put a frame into the ring, or lose it."""
        self.served_ns.append(None)
        if self._is_running:
            self._interrupted(self.kernel.interrupt_ns)
        if len(self.pending) == self.device.ring_size:
            return
        self.pending.append(number)
        self.backlog_most = max(self.backlog_most, len(self.pending))
        if len(self.pending) == 1:
            self._wake_up()

    def run_until(self, end_ns: int | None) -> None:
        """Execute all events before `end_ns`; None: until no event is left."""
        while (next_ns := self._next_ns()) is not None and (end_ns is None or next_ns < end_ns):
            if self.is_throttled:
                self.now_ns = max(self.now_ns, next_ns)
                self._replenish()
            else:
                self._execute(next_ns - self.now_ns)
                self._happen()
        if end_ns is not None and end_ns > self.now_ns:
            if self._is_running:
                self._execute(end_ns - self.now_ns)
            self.now_ns = end_ns

    @property
    def _is_running(self) -> bool:
        return bool(self.pending) and not self.is_throttled

    def _next_ns(self) -> int | None:
        """Return the time of the next event that is not an interrupt."""
        if self.is_throttled:
            return self.deadline_ns
        if not self.pending:
            return None
        next_ns = min(self.now_ns + self.left_ns, self.tick_ns)
        if self.reservation is None or self.kernel.polices_by_tick:
            return next_ns
        return min(next_ns, self.now_ns + max(self.runtime_ns, 0))

    def _execute(self, time_ns: int) -> None:
        self.now_ns += time_ns
        self.left_ns -= time_ns
        self.runtime_ns -= time_ns

    def _interrupted(self, time_ns: int) -> None:
        """Let an interrupt take the CPU on the thread's account."""
        self._execute(time_ns)
        self.left_ns += time_ns

    def _happen(self) -> None:
        """Execute the events that are due while the thread runs."""
        is_tick = self.now_ns == self.tick_ns
        if self.left_ns == 0:
            self._finish()
        if is_tick:
            self.tick_ns += self.kernel.tick_period_ns
            self._interrupted(self.kernel.tick_ns)
        if is_tick or not self.kernel.polices_by_tick or not self.pending:
            self._police()

    def _finish(self) -> None:
        self.served_ns[self.pending.popleft()] = self.now_ns
        if self.pending:
            self.left_ns = self.device.work_of(self.pending[0])

    def _police(self) -> None:
        self.is_throttled = self.reservation is not None and self.runtime_ns <= 0

    def _start(self) -> None:
        """Handle that the thread gets the CPU."""
        self.left_ns += self.kernel.start_ns
        self.runtime_ns += self.kernel.unpaid_ns
        self.tick_ns = self.kernel.tick_after(self.now_ns)

    def _wake_up(self) -> None:
        """Begin the oldest frame, with the rest of the budget unless that rest is too large."""
        self.left_ns = self.device.work_of(self.pending[0])
        if self.is_throttled:
            return
        if self.reservation is not None and (
            self.deadline_ns < self.now_ns or self._has_too_much(self.reservation)
        ):
            self._renew(self.reservation)
        self._start()

    def _has_too_much(self, reservation: Reservation) -> bool:
        """Return whether runtime / (deadline - now) > Q/T, computed as in dl_entity_overflow()."""
        mine = (reservation.period_ns >> SCALE) * (self.runtime_ns >> SCALE)
        its = (self.deadline_ns - self.now_ns >> SCALE) * (reservation.budget_ns >> SCALE)
        return its < mine

    def _renew(self, reservation: Reservation) -> None:
        self.deadline_ns = self.now_ns + reservation.period_ns
        self.runtime_ns = reservation.budget_ns

    def _replenish(self) -> None:
        """Add as many budgets and periods as are needed to pay the overdrawn time."""
        assert self.reservation is not None
        self.is_throttled = False
        while self.runtime_ns <= 0:
            self.deadline_ns += self.reservation.period_ns
            self.runtime_ns += self.reservation.budget_ns
        if self.deadline_ns < self.now_ns:
            self._renew(self.reservation)
        if self.pending:
            self._start()
