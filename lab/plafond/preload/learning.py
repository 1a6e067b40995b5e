# SPDX-License-Identifier: MIT
"""Run a program, and write a file and a report about its locks."""

import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TextIO

from rich.console import Console

from plafond.describe.read import FORMS, form_of
from plafond.errors import ArgumentError, PlafondError
from plafond.output import Format
from plafond.preload.destination import refuse_unwritable, replace_text
from plafond.preload.environment import LEARN
from plafond.preload.evidence import Evidence, read_evidence
from plafond.preload.launch import exit_code_of, run_beside, signal_of
from plafond.preload.learned import learn, locked_ones
from plafond.preload.loadable import why_not_loaded
from plafond.preload.model import LearnReport, report_of
from plafond.preload.table import print_report
from plafond.preload.toml import toml_of
from plafond.writing import write_whole

RAW = "evidence"  # FILE of the first process that ends; further processes write FILE.PID


@dataclass(frozen=True)
class Learning:
    """The destinations of the file and of the report, and the report's format."""

    file: Path
    report: Path | None  # None: standard error, because standard output is the program's
    output_format: Format


def run_and_learn(command: list[str], environment: Mapping[str, str], learning: Learning) -> int:
    """Run the program to its end, and return its exit code even if learning fails."""
    suffix = form_of(learning.file)
    if suffix in FORMS:
        raise ArgumentError(
            f"--learn: found {learning.file}, which would be read as {FORMS[suffix]}; "
            f"expected a name that does not end in {suffix}"
        )
    refuse_unwritable("--learn", learning.file, is_replaced=True)
    if learning.report:
        refuse_unwritable("--report", learning.report)
    with tempfile.TemporaryDirectory(prefix="plafond-learn-") as folder:
        raw = Path(folder) / RAW
        ended = run_beside(command, {**environment, LEARN: str(raw)})
        try:
            _write(learning, _evidence(raw, command[0], ended))
        except PlafondError as error:
            print(f"{error.prefix}{error}", file=sys.stderr)
        except OSError as error:
            where = error.filename or learning.file
            print(f"plafond: {where}: {error.strerror}", file=sys.stderr)
    return exit_code_of(ended)


def _evidence(raw: Path, program: str, ended: int) -> list[Evidence]:
    """Return the evidence of processes that locked mutexes; PlafondError if there is none."""
    try:
        found = read_evidence(sorted(raw.parent.iterdir()))
    except ValueError as error:
        raise PlafondError(
            f"what {program} left is no evidence: {error}; nothing learned"
        ) from None
    if not found:
        raise PlafondError(f"{program} {_why_nothing(program, ended)}; nothing learned")
    used = [evidence for evidence in found if any(locked_ones(evidence))]
    if not used:
        raise PlafondError(
            f"{program} locked no mutex of PTHREAD_PRIO_INHERIT or PTHREAD_PRIO_PROTECT, nor a "
            "plain one that a real-time thread shares with a less urgent thread: nothing learned"
        )
    return used


def _why_nothing(program: str, ended: int) -> str:
    if ended < 0:
        return f"was ended by {signal_of(ended)}: it left no evidence; expected an end by exit()"
    why = why_not_loaded(program) or (
        "does not take libraries by LD_PRELOAD, ends without libc, or could not write when it ended"
    )
    return f"{why}: it left no evidence"


def _write(learning: Learning, found: list[Evidence]) -> None:
    learned = learn(found[0])
    kept = replace_text(learning.file, toml_of(learned))
    report = report_of(learned, learning.file, found[1:])
    if kept:
        report = report.model_copy(
            update={"notes": [*report.notes, f"the file of that name is kept as {kept}"]}
        )
    if learning.report:
        printed = StringIO()
        _print(report, learning.output_format, printed)
        write_whole(learning.report, printed.getvalue())
    else:
        _print(report, learning.output_format, sys.stderr)


def _print(report: LearnReport, output_format: Format, where: TextIO) -> None:
    if output_format is Format.JSON:
        print(report.model_dump_json(indent=2), file=where)
    else:
        print_report(report, Console(file=where, highlight=False))
