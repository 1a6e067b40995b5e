# SPDX-License-Identifier: MIT
"""Run a plan with real threads on this machine."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from plafond.errors import PlafondError, RefusedError
from plafond.programs import find_program, run_program
from plafond.trace.model import Trace, read_trace

PATIENCE_S = 30.0


@dataclass(frozen=True)
class Outcome:
    """What a run left: its trace, and whether somebody interrupted it."""

    trace: Trace
    interrupted: BaseException | None


def run_plan(plan: str, folder: Path, limit_ns: int) -> Outcome:
    """Run `plafond-run`; a trace that was cut is an outcome, no trace is an error."""
    program = find_program("linux/run/plafond-run")
    with TemporaryDirectory(dir=folder) as scratch:
        plan_file, trace_file = Path(scratch) / "plan", Path(scratch) / "trace.json"
        plan_file.write_text(plan)
        failure: BaseException | None = None
        try:
            run_program(
                [program, plan_file, trace_file], lambda _: None, limit_ns / 1e9 + PATIENCE_S
            )
        except RefusedError as error:
            raise RefusedError(f"{error} (see plafond doctor)") from None
        except (PlafondError, KeyboardInterrupt, SystemExit) as error:
            failure = error
        if failure and not (trace_file.exists() and trace_file.stat().st_size):
            raise failure
        interrupted = None if isinstance(failure, PlafondError) else failure
        return Outcome(read_trace(trace_file), interrupted)
