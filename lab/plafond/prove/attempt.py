# SPDX-License-Identifier: MIT
"""Run checks; a check passes only if its rows, its summary and its exit code agree."""

import signal
from collections.abc import Callable, Iterable, Sequence
from time import monotonic

from pydantic import ValidationError

from plafond.invalid import first_problem
from plafond.programs import Ended, run_to_end
from plafond.progress import progress_by_step
from plafond.prove.checks import Check
from plafond.prove.model import ExitCode, Extent, ProveReport, Row, Said, Verdict
from plafond.prove.orphans import no_orphans


def prove(
    checks: list[Check], extent: Extent = Extent.WHOLE, reliance: Sequence[str] = ()
) -> ProveReport:
    """Run the checks one after the other, because each uses all processors.

    `reliance`: options for the use of certificates; empty: certificates are not used.
    """
    begun_s = monotonic()
    rows: list[Row] = []
    chosen = [each for each in checks if not each.left_out(extent)]
    with progress_by_step("proving", len(chosen)) as step:
        for done, check in enumerate(chosen):
            rows += attempt(check, _reporter(step, check, done), extent, reliance)
    return ProveReport(
        rows=rows,
        left_out=[
            f"{_name(each)}: left out, for {why}"
            for each in checks
            if (why := each.left_out(extent))
        ],
        holds=bool(rows) and all(row.is_right for row in rows),
        seconds=monotonic() - begun_s,
    )


def _reporter(step: Callable[[str, int], None], check: Check, done: int) -> Callable[[str], None]:
    name = _name(check)
    step(name, done)
    return lambda line: step(f"{name}: {line:.60}", done)


def _name(check: Check) -> str:
    return f"{check.protocol}, {check.check}"


def attempt(
    check: Check,
    follow: Callable[[str], None],
    extent: Extent = Extent.WHOLE,
    reliance: Sequence[str] = (),
) -> list[Row]:
    """Run a check; if it cannot run, return a row with the reason."""
    begun_s = monotonic()
    reason = "; ".join(check.missing)
    if not reason:
        with no_orphans():
            command = check.command(extent, reliance)
            ended = run_to_end(command, follow, check.longest_s, check.environment)
        found = judged(check, ended)
        if not isinstance(found, str):
            return found
        reason = found
    return [
        Row(
            protocol=check.protocol,
            check=check.check,
            scope="",
            verdict=Verdict.UNKNOWN,
            reason=reason,
            seconds=monotonic() - begun_s,
        )
    ]


def judged(check: Check, ended: Ended) -> list[Row] | str:
    """Return the rows of a check that has ended, or the reason why there are none."""
    if ended.took_too_long:
        return f"it had not ended after {check.longest_s:.0f} s"
    if ended.code == -signal.SIGKILL:
        return "it was killed, as the kernel does when memory is short"
    if ended.code < 0:
        return f"it was ended by {ended.signal}"
    try:
        said = Said.model_validate_json(ended.output)
    except ValidationError as error:
        if ended.code == ExitCode.COULD_NOT_RUN:
            return ended.last_line or "it could not run, and does not say why"
        return f"it printed no rows: {first_problem(error)}; its last words: {ended.last_line!r}"
    protocols, names = {row.protocol for row in said.rows}, {row.check for row in said.rows}
    if protocols != {check.protocol} or check.check not in names:
        return f"it printed rows of {_named(said.rows)}"
    rows = [_with_reason(row, ended.last_line) for row in said.rows]
    if any(row.is_wrong or row.verdict is Verdict.UNKNOWN for row in rows):
        return rows
    if ended.code != ExitCode.HOLDS or not said.holds:
        return f"no row says what is wrong, but its exit code is {ended.code}: {ended.last_line}"
    return rows


def _with_reason(row: Row, said: str) -> Row:
    if row.verdict is not Verdict.UNKNOWN or row.reason:
        return row
    return row.model_copy(update={"reason": said or "it does not say why"})


def _named(rows: Iterable[Row]) -> str:
    return " and ".join(sorted({f"{row.protocol}, {row.check}" for row in rows}))
