# SPDX-License-Identifier: MIT
"""Compare the tests of EDF on several processors with all schedules of small random sets.

A test may accept a set only if no schedule has a late job, whatever arrivals its tasks choose. The
test of one processor must accept every such set.

With soft deadlines no job may be later than the bound, and the jobs of a rejected set must get
later and later. If a set is packed, each cluster is explored separately. Mistakes that are put into
each test must be seen.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from plafond.prove.model import Fault

from proof.analysis.multiprocessor.checks import CHECKS, Answer, Check, Set
from proof.analysis.multiprocessor.explore import Task
from proof.analysis.multiprocessor.mutants import MUTANTS, Mutant
from proof.extent import add_extent
from proof.result import (
    KILLED,
    SURVIVED,
    CouldNotRunError,
    concluded,
    print_faults,
    print_json,
    print_lines,
    row_of,
)

NAME = "proof.analysis.multiprocessor"
SMALL = "a quarter of the sets, and the mistakes"
SHOWN = 3

Line = dict[str, str | int]


def parse_arguments() -> argparse.Namespace:
    """Parse the command line of the comparison."""
    parser = argparse.ArgumentParser(
        prog=NAME,
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="exit status: 0 all holds, 1 a test or a mutant's test fails, 2 could not run, "
        f"130 Ctrl-C\nexample: python -m {NAME}",
    )
    parser.add_argument("--sets", type=int, default=1_200, metavar="N", help="of each test (1200)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the sets (1)")
    add_extent(parser, SMALL)
    parser.add_argument("--format", choices=("table", "json"), default="table")
    return parser.parse_args()


def sets_of(check: Check, given: argparse.Namespace) -> list[list[Task]]:
    """Return the sets of the part that is asked for."""
    sets = check.draw(given.seed, given.sets)
    return [s for number, s in enumerate(sets) if given.extent.takes(number < given.sets // 4)]


def line_of(check: Check, answers: Sequence[Answer]) -> Line:
    """Return the counts. Raise CouldNotRunError if a test accepts no set, or all."""
    accepted = sum(answer.is_accepted for answer in answers)
    if accepted in (0, len(answers)):
        raise CouldNotRunError(f"{check.name}: accepted {accepted} of {len(answers)} sets")
    return {
        "test": check.name,
        "scope": check.scope,
        "sets": len(answers),
        "accepted": accepted,
        "can be late": sum(answer.is_late is True for answer in answers),
        "left out": sum(answer.is_left_out for answer in answers),
        "states": sum(answer.states for answer in answers),
    }


def tried(mutant: Mutant, check: Check, sets: Sequence[Set]) -> Fault:
    """Run the check with a mistake in the test."""
    module = mutant.of(check.module)
    name = f"{check.name}: {mutant.name}"
    for number, tasks in enumerate(sets, start=1):
        wrong = check.answer(module, tasks).wrong
        if wrong:
            return Fault(mutant=name, verdict=KILLED, by=f"{check.scope}: {wrong}, in set {number}")
    return Fault(mutant=name, verdict=SURVIVED, by=f"nothing, in {len(sets)} sets")


def scope_of(lines: Sequence[Line], seed: int) -> str:
    """Return the scope. Sets with soft deadlines are run, not explored."""
    sets = {line["test"]: int(line["sets"]) for line in lines}
    states = sum(int(line["states"]) for line in lines if line["test"] != "soft")
    packed = sets["partitioned"] + sets["clustered"]
    return (
        f"every schedule of {sets['gfb']} sets of 3 and 4 tasks under global EDF, of "
        f"{sets['one_cpu']} on one CPU, and in the clusters of {packed} where they are packed, "
        f"seed {seed}: {states} states; two runs of {sets['soft']} with soft deadlines"
    )


def prove(given: argparse.Namespace) -> bool:
    """Ask, compare and print. Return whether every test is right and every mistake is seen."""
    began_s = time.monotonic()
    lines: list[Line] = []
    faults: list[Fault] = []
    violations: list[str] = []
    for check in CHECKS:
        sets = sets_of(check, given)
        answers = [check.answer(check.module, tasks) for tasks in sets]
        lines.append(line_of(check, answers))
        violations += [
            f"{check.name}: {answer.wrong}: {tasks}"
            for tasks, answer in zip(sets, answers, strict=True)
            if answer.wrong
        ]
        if given.extent.takes(is_small=True) and not violations:
            mutants = [mutant for mutant in MUTANTS if mutant.check == check.name]
            faults += [tried(mutant, check, sets) for mutant in mutants]
    row = row_of(
        "analysis",
        "multiprocessor",
        scope_of(lines, given.seed),
        began_s,
        faults=faults,
        trace=violations[:SHOWN],
    )
    if given.format == "json":
        print_json(NAME, [row], {"tests": lines}, holds=row.is_right)
    else:
        print_lines(lines)
        print(*violations[:SHOWN], sep="\n", end="\n" if violations else "")
        print_faults(faults)
        print(f"seed {given.seed}, {row.seconds:.0f} s")
    return row.is_right


if __name__ == "__main__":
    given = parse_arguments()
    sys.exit(concluded(NAME, lambda: prove(given)))
