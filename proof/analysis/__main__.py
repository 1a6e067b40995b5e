# SPDX-License-Identifier: MIT
"""Compare the bounds of `plafond analyse` with all that small random task sets can do.

The simulator (simulate.c) explores every arrival that intervals allow and every order
among equal priorities; it shares nothing with the analysis. Every task of every set must
respond within its bound, under every protocol; and mistakes put into the analysis must
be seen. The same under EDF, where a deadline must be missed in some schedule if, and only
if, the analysis says so. Sets with too many states are counted and left out.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from plafond.protocols import Protocol

from proof.analysis.compare import Tally, compare_all
from proof.analysis.mutants import MUTANTS
from proof.analysis.sets import edf_systems, random_systems
from proof.analysis.simulator import SIMULATED, Explored, simulate
from proof.result import concluded

NAME = "proof.analysis"
SHOWN = 3  # violations in full

Row = dict[str, str | int | float]


def parse_arguments() -> argparse.Namespace:
    """Command line of the comparison."""
    parser = argparse.ArgumentParser(
        prog=NAME,
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="exit status: 0 all holds, 1 a bound or a mutant's test fails, 2 could not run, "
        "130 Ctrl-C\nexample: python -m proof.analysis build/proof/analysis/simulate",
    )
    parser.add_argument("program", type=Path, help="the built proof/analysis/simulate")
    parser.add_argument("--sets", type=int, default=8_000, metavar="N", help="(8000)")
    parser.add_argument("--edf-sets", type=int, default=3_000, metavar="N", help="(3000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the sets (1)")
    parser.add_argument(
        "--states", type=int, default=500_000, metavar="N", help="for each set at most (500000)"
    )
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (2)")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    return parser.parse_args()


def with_progress(results: Iterable[Explored], sets: int) -> Iterator[Explored]:
    """Count on a terminal: each set is explored under three protocols."""
    for number, explored in enumerate(results, start=1):
        yield explored
        if sys.stderr.isatty() and number % 60 == 0:
            print(f"\r{number // 3}/{sets} sets", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)


def bounds_hold(results: Iterable[Explored]) -> tuple[list[Row], list[Row], bool]:
    """Compare all; show the first violations. Return also the rows under EDF."""
    tallies = {simulated: Tally(simulated) for simulated in SIMULATED}
    for count, violation in enumerate(compare_all(results, tallies)):
        if count < SHOWN:
            print(violation, file=sys.stderr)
    is_edf = {name: protocol is Protocol.FLOOR for name, protocol in SIMULATED.items()}
    rows = [tally.row() for name, tally in tallies.items() if not is_edf[name]]
    edf_rows = [tally.edf_row() for name, tally in tallies.items() if is_edf[name]]
    return rows, edf_rows, not any(tally.violations for tally in tallies.values())


def mutants_are_seen(results: Sequence[Explored]) -> tuple[list[Row], bool]:
    """Compare with each mistake in the analysis."""
    rows: list[Row] = []
    for mutant in MUTANTS:
        tried, violation = mutant.first_violation(results)
        rows.append(
            {
                "mutant": mutant.name,
                "sets": tried,
                "verdict": "caught" if violation else "NOT CAUGHT",
                "seen as": f"{violation.explored.simulated}, {violation.found}"
                if violation
                else "",
            }
        )
    return rows, all(row["verdict"] == "caught" for row in rows)


def print_rows(rows: Sequence[Row]) -> None:
    """Print a table: numbers flush right."""
    cells = [list(rows[0]), *([str(value) for value in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    number = [not isinstance(value, str) for value in rows[0].values()]
    for line in cells:
        fields = zip(line, widths, number, strict=True)
        print("  ".join(f"{c:>{w}}" if n else f"{c:{w}}" for c, w, n in fields).rstrip())


def check(arguments: argparse.Namespace) -> bool:
    """Simulate, compare, print."""
    start = time.monotonic()
    program = arguments.program.resolve()
    systems = [
        *random_systems(arguments.seed, arguments.sets),
        *edf_systems(arguments.seed, arguments.edf_sets),
    ]
    results = list(
        with_progress(simulate(program, systems, arguments.states, arguments.jobs), len(systems))
    )
    rows, edf_rows, hold = bounds_hold(results)
    mutants, seen = mutants_are_seen(results)
    if arguments.format == "json":
        print(json.dumps({"bounds": rows, "edf": edf_rows, "mutants": mutants}, indent=2))
    else:
        for table in (rows, edf_rows, mutants):
            print_rows(table)
            print()
        print(f"seed {arguments.seed}, {time.monotonic() - start:.0f} s")
    return hold and seen


if __name__ == "__main__":
    given = parse_arguments()
    sys.exit(concluded(NAME, lambda: check(given)))
