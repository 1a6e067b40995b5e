# SPDX-License-Identifier: MIT
"""The command line of a run: plafond-run, inside the programs that do something meanwhile.

plafond-reserve gives threads of interrupts their reservations, and then back what they had. It
finds a thread by its action, on the machine where it runs: each numbers interrupts in its own way.
"""

from collections.abc import Callable, Iterator

from plafond.describe.reservation import Reservation
from plafond.run.job import Job

RUN = "linux/run/plafond-run"
RESERVE = "linux/interrupts/plafond-reserve"


def programs_of(job: Job) -> list[str]:
    """Return what the build tree must have for a job."""
    return [*([RESERVE] if job.reservations else []), RUN]


def command_of(job: Job, find: Callable[[str], str], plan: str, trace: str) -> list[str]:
    """Return the command, which reads the plan and writes the trace; `find`: where a program is."""
    command = [find(RUN), plan, trace]
    if job.reservations:
        wanted = (word for each in job.reservations for word in _reserved(each))
        command = [find(RESERVE), *wanted, "--", *command]
    return command


def _reserved(reservation: Reservation) -> Iterator[str]:
    yield f"irq/*-{reservation.irq}"
    yield str(reservation.budget_ns)
    yield str(reservation.period_ns)
