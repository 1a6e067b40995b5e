# SPDX-License-Identifier: MIT
"""Our device, the reservation of its interrupt thread, and equation 2 for both.

Manica, Abeni, Palopoli, Faggioli, Scordino, OSPERT 2010, Section II.C. Times are in nanoseconds.
"""

from dataclasses import dataclass

from plafond.analyse.lost_interrupts import least_pending


@dataclass(frozen=True)
class Device:
    """The parameters of the device, in the terms of linux/module/example/frames.h."""

    period_ns: int  # P
    count: int
    ring_size: int  # N_c
    work_ns: int  # C
    first_work_ns: int | None = None  # None: the same as `work_ns`

    def work_of(self, number: int) -> int:
        """Return the work of a frame."""
        is_other = number == 0 and self.first_work_ns is not None
        return (self.first_work_ns or 0) if is_other else self.work_ns


@dataclass(frozen=True)
class Reservation:
    """A hard CBS, SCHED_DEADLINE: a budget of execution in each period."""

    budget_ns: int  # Q
    period_ns: int  # T

    @property
    def share(self) -> float:
        """Return Q/T."""
        return self.budget_ns / self.period_ns


def holds_all(device: Device, reservation: Reservation) -> bool:
    """Return whether equation 2, (T - Q)/P < N_c, holds: the ring has room for the longest wait."""
    needed = least_pending(reservation.period_ns, reservation.budget_ns, device.period_ns)
    return device.ring_size >= needed
