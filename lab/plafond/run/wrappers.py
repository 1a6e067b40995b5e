# SPDX-License-Identifier: MIT
"""The command line of a run: plafond-run inside its wrapper programs.

plafond-reserve gives interrupt threads their reservations, and restores their old scheduling
afterwards. It finds a thread by the interrupt's action, because each machine numbers its interrupts
differently. plafond-record is the outermost wrapper. It records the kernel's scheduler.
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
    """The files of a run, as paths on the machine that executes it."""

    plan: str
    trace: str
    recording: str


def programs_of(job: Job) -> list[str]:
    """Return the programs that a job needs from the build tree, the outermost first."""
    return [
        *([RECORDER] if job.is_recorded else []),
        *([RESERVE] if job.reservations else []),
        RUN,
    ]


def command_of(job: Job, find: Callable[[str], str], places: Places) -> list[str]:
    """Return the command of a run; `find` returns the path of a program."""
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
