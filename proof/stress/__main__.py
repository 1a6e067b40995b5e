# SPDX-License-Identifier: MIT
"""Run the stress program (stress.c), and make a row of `plafond prove` of its findings.

If the fault of a configuration never came, the run shows nothing about it. Then the run is repeated
for longer. If the fault still does not come, nothing is known. The control without the wake hook
counts as a mutant, which the oracle must catch.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plafond.prove.model import ExitCode, Extent, Fault, Row

from proof.extent import add_extent
from proof.result import (
    KILLED,
    SURVIVED,
    CouldNotRunError,
    concluded,
    print_faults,
    print_json,
    row_of,
)

NAME = "proof.stress"
CONTROL = "no-hook"
SECONDS, QUICK_SECONDS = 12.0, 6.0
LONGER = (2, 4, 8, 16)  # times as long, if some fault did not come because of other work
# Counts that must not be 0 in a configuration, besides sections. The second table holds if the
# ceilings are the library's. With the kernel's ceilings (syscall) there are no gates and
# intrusions.
COMES = {"death-inside": "deaths", "signal-storm": "signals"}
COMES_LAZILY = {"intruder": "intrusions"}

Played = Mapping[str, Any]  # a row of stress.c


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog=NAME, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", type=Path, help="the built proof/stress/stress")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the threads (1)")
    add_extent(parser, f"the first {QUICK_SECONDS:.0f} s")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    return parser.parse_args()


def played(program: Path, seed: int, seconds: float) -> list[Played]:
    """The program's row for each configuration."""
    command = [str(program), "--seed", str(seed), "--seconds", str(seconds), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (ExitCode.HOLDS, ExitCode.VIOLATED):
        raise CouldNotRunError(done.stderr.strip() or f"{program} ended with {done.returncode}")
    rows: list[Played] = json.loads(done.stdout)["rows"]
    return rows


def shown(program: Path, seed: int, seconds: float) -> list[Played]:
    """The rows of the first run in which each fault came, or in which a promise was broken."""
    rows = played(program, seed, seconds)
    for times in LONGER:
        if any(map(finding, rows)) or not any(map(missing, rows)):
            break
        rows = played(program, seed, seconds * times)
    return rows


def missing(row: Played) -> str:
    """The events that had to come and did not, or ""."""
    configuration = row["configuration"]
    needed = ["sections", COMES.get(configuration)]
    if row["strength"] != "syscall":
        needed += ["gate_waits", COMES_LAZILY.get(configuration)]
    name = f"{configuration}, {row['strength']}"
    absent = (each for each in needed if each is not None and not row[each])
    return ", ".join(f"{name}: found no {each.replace('_', ' ')}" for each in absent)


def finding(row: Played) -> str:
    """The broken promises, or ""."""
    broken = [
        f"{name} {found['count']} times, first: {found['first']}"
        for name, found in row["findings"].items()
        if found["promised"] and found["count"]
    ]
    if row["verdict"] in ("holds", "caught", "NOT CAUGHT") and not broken:
        return ""
    return f"{row['configuration']}, {row['strength']}: {row['verdict']}: {'; '.join(broken)}"


def control(row: Played) -> Fault:
    """The run without the hook, as a mutant."""
    is_caught = row["verdict"] == "caught"
    return Fault(
        mutant=f"the wake hook is left out, {row['strength']}",
        verdict=KILLED if is_caught else SURVIVED,
        by=f"ceiling violated {row['findings']['ceiling']['count']} times" if is_caught else "",
    )


def summed_up(rows: Sequence[Played], seed: int, began_s: float) -> Row:
    """The row of the table."""
    broken = [text for text in map(finding, rows) if text]
    vacuous = [text for text in map(missing, rows) if text]
    if vacuous and not broken:
        raise CouldNotRunError(f"this run shows nothing: {'; '.join(vacuous)}")
    runs = [row for row in rows if row["configuration"] != CONTROL]
    names = len({row["configuration"] for row in runs})
    return row_of(
        "ceiling-stack",
        "stress",
        f"a sample: up to 6 threads, random periods and nests, {names} kinds of faults, seed "
        f"{seed}: {sum(row['activations'] for row in runs)} activations, "
        f"{sum(row['sections'] for row in runs)} sections",
        began_s,
        faults=[control(row) for row in rows if row["configuration"] == CONTROL],
        trace=broken,
    )


def prove(given: argparse.Namespace) -> bool:
    """Run it. Returns whether no promise was broken and the control was caught."""
    began_s = time.monotonic()
    seconds = QUICK_SECONDS if given.extent is Extent.QUICK else SECONDS
    rows = shown(given.program.resolve(), given.seed, seconds)
    row = summed_up(rows, given.seed, began_s)
    if given.format == "json":
        print_json(NAME, [row], {"configurations": rows}, holds=row.is_right)
    else:
        print(*row.trace, row.scope, sep="\n")
        print_faults(row.faults)
    return row.is_right


if __name__ == "__main__":
    given = arguments()
    sys.exit(concluded(NAME, lambda: prove(given)))
