# SPDX-License-Identifier: MIT
"""Common parts of the programs in proof/: result rows, tables of faults, and exit codes."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from plafond.errors import PlafondError
from plafond.prove.model import ARGUED, ExitCode, Fault, Row, Verdict

ROOT = Path(__file__).resolve().parents[1]
KILLED, EQUIVALENT, SAME_CODE = "killed", "equivalent", "same code"
STILLBORN, SURVIVED = "stillborn", "survived"


class CouldNotRunError(Exception):
    """A tool or a privilege is missing, or a process ended early, so nothing is known."""


def row_of(
    protocol: str,
    check: str,
    scope: str,
    began_s: float,
    *,
    faults: Sequence[Fault] = (),
    trace: Sequence[str] = (),
) -> Row:
    """Return the result row of a check of a protocol.

    `began_s`: the start, by time.monotonic(). `trace`: the steps to a violation, or empty.
    """
    return Row(
        protocol=protocol,
        check=check,
        scope=scope,
        verdict=Verdict.VIOLATED if trace else Verdict.HOLDS,
        mutants=len(faults),
        mutants_killed=sum(fault.verdict == KILLED for fault in faults),
        mutants_argued=sum(fault.verdict in ARGUED for fault in faults),
        seconds=round(time.monotonic() - began_s, 1),
        trace=list(trace),
        faults=list(faults),
    )


def print_faults(faults: Sequence[Fault]) -> None:
    """Print two lines for each fault, and the number of faults with each verdict."""
    for fault in faults:
        line = f"{fault.line:4} " if fault.line else ""
        print(f"{fault.verdict:10} {line}{fault.mutant}\n{'':16}{fault.by}")
    verdicts = (KILLED, SAME_CODE, EQUIVALENT, STILLBORN, SURVIVED)
    counts = ", ".join(f"{sum(f.verdict == v for f in faults)} {v}" for v in verdicts)
    print(f"{len(faults)} faults: {counts}")


def print_lines(lines: Sequence[Mapping[str, str | float]]) -> None:
    """Print a table with numbers flush right. `lines` must not be empty."""
    cells = [list(lines[0]), *([str(value) for value in line.values()] for line in lines)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    is_number = [not isinstance(value, str) for value in lines[0].values()]
    for row in cells:
        fields = zip(row, widths, is_number, strict=True)
        print("  ".join(f"{c:>{w}}" if n else f"{c:{w}}" for c, w, n in fields).rstrip())


def print_json(
    proof: str, rows: Sequence[Row], details: Mapping[str, object], *, holds: bool
) -> None:
    """Print the JSON that `plafond prove` reads. `details` are additional fields of the program."""
    shown = [row.model_dump(mode="json", exclude_defaults=True) for row in rows]
    print(json.dumps({"proof": proof, "rows": shown, **details, "holds": holds}, indent=2))


def concluded(name: str, prove: Callable[[], bool]) -> int:
    """Run `prove`, which returns whether everything holds; return the program's exit code."""
    try:
        return ExitCode.HOLDS if prove() else ExitCode.VIOLATED
    except (CouldNotRunError, PlafondError, MemoryError, OSError, ValueError) as error:
        print(f"{name}: {str(error) or 'out of memory'}", file=sys.stderr)
        return ExitCode.COULD_NOT_RUN
    except KeyboardInterrupt:
        print(f"\n{name}: interrupted", file=sys.stderr)
        return ExitCode.INTERRUPTED
