# SPDX-License-Identifier: MIT
"""The command line of a run: plafond-run, inside the programs that do something meanwhile.

plafond-reserve gives threads of interrupts their reservations, and then back what they had. It
finds a thread by its action, on the machine where it runs: each numbers interrupts in its own way.
Outside of both, plafond-record records the kernel's scheduler.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from plafond.describe.server import Server
from plafond.run.job import Job
from plafond.run.recorder import RECORDER

RUN = "linux/run/plafond-run"
RESERVE = "linux/interrupts/plafond-reserve"


@dataclass(frozen=True)
class Places:
    """The files of a run, on the machine where it runs."""

    plan: str
    trace: str
    recording: str


def programs_of(job: Job) -> list[str]:
    """Return what the build tree must have for a job, the outermost first."""
    return [
        *([RECORDER] if job.is_recorded else []),
        *([RESERVE] if job.reservations else []),
        RUN,
    ]


def command_of(job: Job, find: Callable[[str], str], places: Places) -> list[str]:
    """Return the command of a run; `find`: where a program is."""
    command = [find(RUN), places.plan, places.trace]
    if job.reservations:
        wanted = (word for each in job.reservations for word in _reserved(each))
        command = [find(RESERVE), *wanted, "--", *command]
    if job.is_recorded:
        command = [find(RECORDER), places.recording, "--", *command]
    return command


def _reserved(reservation: Server) -> Iterator[str]:
    yield reservation.thread("*")
    yield str(reservation.budget_ns)
    yield str(reservation.period_ns)
