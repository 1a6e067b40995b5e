# SPDX-License-Identifier: MIT
"""Run plans with real threads on this machine."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from plafond.errors import PlafondError, RefusedError
from plafond.programs import find_program, run_program
from plafond.progress import progress_of
from plafond.run.job import Job, Outcome
from plafond.trace.model import read_trace

PATIENCE_S = 30.0


def run_here(jobs: Iterable[Job], folder: Path) -> Iterator[Outcome]:
    """Run `plafond-run` for each; a trace that was cut is an outcome, no trace is an error."""
    for job in jobs:
        with progress_of(job.what, job.duration_ns):
            outcome = _run(job, folder)
        yield outcome


def _run(job: Job, folder: Path) -> Outcome:
    program = find_program("linux/run/plafond-run")
    with TemporaryDirectory(dir=folder) as scratch:
        plan_file, trace_file = Path(scratch) / "plan", Path(scratch) / "trace.json"
        plan_file.write_text(job.plan)
        failure: BaseException | None = None
        try:
            run_program(
                [program, plan_file, trace_file], lambda _: None, job.limit_ns / 1e9 + PATIENCE_S
            )
        except RefusedError as error:
            hint = "" if "--on vm" in str(error) else "; --on vm needs no privilege"
            raise RefusedError(f"{error} (see plafond doctor{hint})") from None
        except (PlafondError, KeyboardInterrupt, SystemExit) as error:
            failure = error
        if failure and not (trace_file.exists() and trace_file.stat().st_size):
            raise failure
        interrupted = None if isinstance(failure, PlafondError) else failure
        return Outcome(read_trace(trace_file), interrupted)
