# SPDX-License-Identifier: MIT
"""Compare the bounds of `plafond analyse` with all that small random task sets can do.

The simulator (simulate.c) explores every arrival that intervals allow and every order
among equal priorities; it shares nothing with the analysis. Every task of every set must
respond within its bound, under every protocol; and mistakes put into the analysis must
be seen. The same under EDF, where a deadline must be missed in some schedule if, and only
if, the analysis says so. Sets with too many states are counted and left out.

Further sets are explored on a kernel whose work takes time: interrupts, activations, switches,
locks and ticks. No response may be above its bound with these overheads, and each term of it,
left out, must be seen.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from plafond.describe.kernel import Scheduler
from plafond.protocols import Protocol
from plafond.prove.model import Fault, Row

from proof.analysis.compare import Tally, compare_all, tally_name
from proof.analysis.costs import KernelWork
from proof.analysis.mutants import MUTANTS, Mutant
from proof.analysis.sets import costly_systems, edf_systems, random_systems
from proof.analysis.simulator import SIMULATED, Explored, simulate
from proof.result import (
    KILLED,
    SURVIVED,
    CouldNotRunError,
    concluded,
    print_faults,
    print_json,
    row_of,
)

NAME = "proof.analysis"
SHOWN = 3  # violations in full

Line = dict[str, str | int | float]


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
    parser.add_argument("--costly-sets", type=int, default=500, metavar="N", help="(500)")
    parser.add_argument("--costly-edf-sets", type=int, default=900, metavar="N", help="(900)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the sets (1)")
    parser.add_argument(
        "--states", type=int, default=500_000, metavar="N", help="for each set at most (500000)"
    )
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (2)")
    parser.add_argument("--quick", action="store_true", help="a tenth of the sets, half of EDF's")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    given = parser.parse_args()
    if given.quick:
        given.sets //= 10
        given.edf_sets //= 2  # the last mistake shows in the 1,000th
    return given


def with_progress(results: Iterable[Explored], sets: int) -> Iterator[Explored]:
    """Count on a terminal: each set is explored under three protocols."""
    for number, explored in enumerate(results, start=1):
        yield explored
        if sys.stderr.isatty() and number % 60 == 0:
            print(f"\r{number // 3}/{sets} sets", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)


def compared(results: Iterable[Explored]) -> tuple[list[Line], list[Line], list[str]]:
    """Compare all: the rows of fixed priorities, those under EDF, and the first violations."""
    names = [(tally_name(each, costs), each) for costs in (False, True) for each in SIMULATED]
    tallies = {name: Tally(name) for name, _ in names}
    violations = [str(violation) for violation in compare_all(results, tallies)]
    is_edf = {name: SIMULATED[simulated] is Protocol.FLOOR for name, simulated in names}
    rows = [tally.row() for name, tally in tallies.items() if not is_edf[name]]
    edf_rows = [tally.edf_row() for name, tally in tallies.items() if is_edf[name]]
    return rows, edf_rows, violations[:SHOWN]


def tried(mutant: Mutant, results: Sequence[Explored]) -> Fault:
    """Compare with a mistake in the analysis."""
    sets, violation = mutant.first_violation(results)
    seen = f"{violation.explored.simulated}, {violation.found}" if violation else "nothing"
    verdict = SURVIVED if violation is None else KILLED
    return Fault(mutant=mutant.name, verdict=verdict, by=f"{seen}, in set {sets}")


def print_rows(rows: Sequence[Line]) -> None:
    """Print a table: numbers flush right."""
    cells = [list(rows[0]), *([str(value) for value in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    number = [not isinstance(value, str) for value in rows[0].values()]
    for line in cells:
        fields = zip(line, widths, number, strict=True)
        print("  ".join(f"{c:>{w}}" if n else f"{c:{w}}" for c, w, n in fields).rstrip())


def summed_up(
    tables: Sequence[Sequence[Line]], given: argparse.Namespace, began_s: float, **found: Any
) -> Row:
    """The row of `plafond prove`; nothing is known where every set was left out."""
    lines = [line for table in tables for line in table]
    empty = [str(line["protocol"]) for line in lines if line["sets"] == line["left out"]]
    if empty:
        raise CouldNotRunError(f"no set was explored under {', '.join(empty)}")
    return row_of(
        "analysis",
        "bounds",
        f"every schedule of {given.sets} random sets of 2 to 4 tasks with fixed priorities and "
        f"{given.edf_sets} under EDF, and of {given.costly_sets} and {given.costly_edf_sets} on "
        f"kernels whose work takes time, seed {given.seed}: "
        f"{sum(int(line['states']) for line in lines)} states",
        began_s,
        **found,
    )


def prove(given: argparse.Namespace) -> bool:
    """Simulate, compare, print; whether every bound holds and every mistake is seen."""
    began_s = time.monotonic()
    systems = [
        *random_systems(given.seed, given.sets),
        *edf_systems(given.seed, given.edf_sets),
    ]
    works: dict[str, KernelWork] = {}
    for scheduler, count in (
        (Scheduler.PRIORITY, given.costly_sets),
        (Scheduler.EDF, given.costly_edf_sets),
    ):
        costly = costly_systems(given.seed, count, scheduler)
        systems += costly.systems
        works |= costly.works
    explored = simulate(given.program.resolve(), systems, given.states, given.jobs, works)
    results = list(with_progress(explored, len(systems)))
    rows, edf_rows, violations = compared(results)
    faults = [] if violations else [tried(mutant, results) for mutant in MUTANTS]
    row = summed_up((rows, edf_rows), given, began_s, faults=faults, trace=violations)
    if given.format == "json":
        print_json(NAME, [row], {"bounds": rows, "edf": edf_rows}, holds=row.is_right)
    else:
        for table in (rows, edf_rows):
            print_rows(table)
            print()
        print(*violations, sep="\n", end="\n" if violations else "")
        print_faults(faults)
        print(f"seed {given.seed}, {row.seconds:.0f} s")
    return row.is_right


if __name__ == "__main__":
    given = parse_arguments()
    sys.exit(concluded(NAME, lambda: prove(given)))
