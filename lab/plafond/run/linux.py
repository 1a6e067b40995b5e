# SPDX-License-Identifier: MIT
"""Run plans with real threads on this machine."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from plafond.errors import PlafondError, RefusedError
from plafond.programs import TOO_LONG, find_program, run_program
from plafond.progress import progress_of
from plafond.run.hogs import Witness
from plafond.run.job import Job, Outcome
from plafond.run.wrappers import RESERVE, Places, command_of, programs_of
from plafond.trace.model import Trace, read_trace
from plafond.writing import write_whole

PATIENCE_S = 30.0
WATCHDOG = "watchdog: "  # the prefix with which plafond-run reports it: see linux/run/end.c


def run_here(jobs: Iterable[Job], folder: Path) -> Iterator[Outcome]:
    """Run `plafond-run` for each job.

    A run that was cut is an outcome if it left a trace; without a trace it is an error.
    """
    for job in jobs:
        with progress_of(job.what, job.duration_ns):
            outcome = _run(job, folder)
        yield outcome


def _run(job: Job, folder: Path) -> Outcome:
    find = {name: str(find_program(name)) for name in programs_of(job)}
    witness = Witness()
    with TemporaryDirectory(dir=folder) as scratch:
        plan_file, trace_file = Path(scratch) / "plan", Path(scratch) / "trace.json"
        recording = Path(scratch) / "recording"
        write_whole(plan_file, job.plan)
        failure: BaseException | None = None
        try:
            places = Places(str(plan_file), str(trace_file), str(recording))
            command = command_of(job, find.__getitem__, places)
            run_program(command, lambda _: None, job.limit_ns / 1e9 + PATIENCE_S)
        except RefusedError as error:
            if job.reservations and str(error).startswith(Path(RESERVE).name):
                raise
            hint = "" if "--on vm" in str(error) else "; --on vm needs no privilege"
            raise RefusedError(f"{error} (see plafond doctor{hint})") from None
        except (PlafondError, KeyboardInterrupt, SystemExit) as error:
            failure = error
        if failure and not (trace_file.exists() and trace_file.stat().st_size):
            raise _explained(failure, witness)
        interrupted = None if isinstance(failure, PlafondError) else failure
        recorded = recording.read_bytes() if recording.exists() else None
        return Outcome(_with_hogs(read_trace(trace_file), witness), interrupted, recorded)


def _with_hogs(trace: Trace, witness: Witness) -> Trace:
    """Add to a run that its watchdog ended the threads that kept its CPUs busy."""
    if trace.cut is None or not trace.cut.startswith(WATCHDOG):
        return trace
    hogs = witness.hogs([cpu.cpu for cpu in trace.cpus])
    return trace.model_copy(update={"cut": "; ".join([trace.cut, *hogs])})


def _explained(failure: BaseException, witness: Witness) -> BaseException:
    """Add these threads to the error of a run that took too long and left no trace."""
    if not isinstance(failure, PlafondError) or TOO_LONG not in str(failure):
        return failure
    hogs = witness.hogs(os.sched_getaffinity(0))
    return PlafondError("; ".join([str(failure), *hogs]))
