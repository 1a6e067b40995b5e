# SPDX-License-Identifier: MIT
"""Compare the bounds of `plafond analyse` with all schedules of small random task sets.

The simulator (simulate.c) explores every arrival that intervals allow, and every order among equal
priorities. It shares no code with the analysis. Each task must respond within its bound, under
every protocol. Mistakes that are put into the analysis must be seen.

The same holds for several kinds of sets:

- under EDF: some schedule must miss a deadline if, and only if, the analysis says so;
- on two and three processors that share resources;
- in two servers or slots of a processor, in all phases, and in two or three servers that share;
- with ranges of run steps and release jitter, without servers;
- with tasks that are not preempted, or only by tasks above a threshold;
- with tasks that other tasks activate, and with offsets of periodic tasks;
- on a kernel whose work takes time: interrupts, activations, switches, locks and ticks. No response
  may exceed its bound with overheads, and a bound without any of its terms must fail.

Sets with too many states are counted and left out.

The verdict without bounds must accept deadlines that are equal to the bounds. It must reject a
deadline that some job can miss.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from plafond.describe.kernel import Scheduler
from plafond.describe.system import System
from plafond.protocols import Protocol
from plafond.prove.model import Extent, Fault

from proof.analysis.across import (
    WORD,
    across_systems,
    crowded_by_hand,
    crowded_systems,
    made_by_hand,
)
from proof.analysis.certified import CertifiedBounds, Line, Tables
from proof.analysis.chained import chained_by_hand, chained_systems, phased_systems
from proof.analysis.chained_mutants import CHAINS
from proof.analysis.compare import Tally, compare_all
from proof.analysis.costs import KernelWork
from proof.analysis.kept_mutants import KEPT
from proof.analysis.mutants import MUTANTS, Mutant
from proof.analysis.pair_mutants import PAIRS
from proof.analysis.served import served_by_hand, served_systems
from proof.analysis.served_mutants import SERVED
from proof.analysis.sets import (
    Costly,
    costly_systems,
    edf_systems,
    fixed_by_hand,
    full_systems,
    random_systems,
)
from proof.analysis.sharing import sharing_by_hand, sharing_systems
from proof.analysis.sharing_mutants import SHARING
from proof.analysis.simulator import (
    BY_CPU,
    CHAINED,
    IN_SERVERS,
    PHASED,
    PLAIN,
    SHARED,
    SIMULATED,
    VARYING,
    WITH_COSTS,
    WITH_THRESHOLDS,
    Explored,
    simulate,
)
from proof.analysis.threshold_mutants import THRESHOLDED
from proof.analysis.thresholds import threshold_costly, threshold_systems, thresholds_by_hand
from proof.analysis.varying import (
    bunched_by_hand,
    bunched_systems,
    varying_across,
    varying_by_hand,
    varying_costly,
    varying_systems,
)
from proof.analysis.varying_mutants import VARIED
from proof.certificate import add_reliance
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

NAME = "proof.analysis"
SMALL = "a tenth of the sets, half of EDF's, all with costs, and the mistakes"
SMALL_VARYING = 24  # number of sets of each scheduler
MOST_ACROSS = 160_000  # most states of a set of several processors
MOST_SERVED = 100_000  # most states of a set of two servers
MOST_SHARED = 400_000  # most states of a set of servers that share
SHOWN = 3  # number of violations shown in full


def parse_arguments() -> argparse.Namespace:
    """Parse the command line of the comparison."""
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
    parser.add_argument("--across-sets", type=int, default=1_500, metavar="N", help="(1500)")
    parser.add_argument("--crowded-sets", type=int, default=300, metavar="N", help="(300)")
    parser.add_argument("--served-sets", type=int, default=600, metavar="N", help="(600)")
    parser.add_argument("--served-edf-sets", type=int, default=600, metavar="N", help="(600)")
    parser.add_argument("--shared-sets", type=int, default=150, metavar="N", help="(150)")
    parser.add_argument("--varying-sets", type=int, default=400, metavar="N", help="(400)")
    parser.add_argument("--threshold-sets", type=int, default=300, metavar="N", help="(300)")
    parser.add_argument("--chained-sets", type=int, default=300, metavar="N", help="(300)")
    parser.add_argument("--phased-sets", type=int, default=300, metavar="N", help="(300)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the sets (1)")
    parser.add_argument(
        "--states", type=int, default=500_000, metavar="N", help="for each set at most (500000)"
    )
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (2)")
    add_extent(parser, SMALL)
    add_reliance(parser)
    parser.add_argument("--format", choices=("table", "json"), default="table")
    return parser.parse_args()


@dataclass(frozen=True)
class Explorable:
    """The sets of the chosen part, by kind."""

    fixed: list[System]
    across: list[System]  # with several processors
    crowded: list[System]  # with several processors, and more users of a resource than a word holds
    served: list[System]  # in two servers
    shared: list[System]  # in servers that share resources
    edf: list[System]
    costly: Costly
    costly_edf: Costly
    varying: list[System]  # this and the next two: with ranges and release jitter
    varying_costly: Costly
    varying_across: list[System]
    thresholds: list[System]  # with tasks that are not preempted; the next is the same with costs
    threshold_costly: Costly
    chained: list[System]  # with tasks that other tasks activate
    phased: list[System]  # with offsets of periodic tasks

    @property
    def systems(self) -> list[System]:
        """All sets of a single processor without servers."""
        return [
            *self.fixed,
            *self.edf,
            *self.costly.systems,
            *self.costly_edf.systems,
            *self.varying,
            *self.varying_costly.systems,
            *self.thresholds,
            *self.threshold_costly.systems,
            *self.chained,
            *self.phased,
        ]

    @property
    def works(self) -> dict[str, KernelWork]:
        """The kernel's work, by the names of the sets that have any."""
        costly = (self.costly, self.costly_edf, self.varying_costly, self.threshold_costly)
        return {name: work for each in costly for name, work in each.works.items()}


def explorable(given: argparse.Namespace) -> Explorable:
    """Draw the sets. Quick are a tenth of most sets, and half of EDF's sets.

    EDF needs half of them, because the last mistake shows in the 1,000th set.
    """
    seed, extent = given.seed, given.extent

    def part(systems: list[System], small: int) -> list[System]:
        return [s for number, s in enumerate(systems) if extent.takes(number < small)]

    def drawn(draw: Callable[[int, int], list[System]], count: int, small: int) -> list[System]:
        """Draw only the needed number: the first sets are the same, however many follow."""
        return part(draw(seed, count if extent.takes(is_small=False) else small), small)

    def costly(count: int, scheduler: Scheduler) -> Costly:
        return costly_systems(seed, count if extent.takes(is_small=True) else 0, scheduler)

    def served(count: int, scheduler: Scheduler) -> list[System]:
        return drawn(partial(served_systems, scheduler=scheduler), count, count // 10)

    def varying(scheduler: Scheduler) -> list[System]:
        return part(varying_systems(seed, given.varying_sets, scheduler), SMALL_VARYING)

    few = given.varying_sets // 8
    few_costly = varying_costly(seed, few)
    return Explorable(
        [
            *part(fixed_by_hand(), len(fixed_by_hand())),
            *drawn(random_systems, given.sets, given.sets // 10),
            *drawn(full_systems, given.sets // 10, given.sets // 100),
        ],
        [
            *part(made_by_hand(), len(made_by_hand())),
            *drawn(across_systems, given.across_sets, given.across_sets // 10),
        ],
        [
            *part(crowded_by_hand(), len(crowded_by_hand())),
            *part(crowded_systems(seed, given.crowded_sets), given.crowded_sets // 10),
        ],
        [
            *part(served_by_hand(), len(served_by_hand())),
            *served(given.served_sets, Scheduler.PRIORITY),
            *served(given.served_edf_sets, Scheduler.EDF),
        ],
        [
            *part(sharing_by_hand(), len(sharing_by_hand())),
            *drawn(sharing_systems, given.shared_sets, given.shared_sets // 10),
        ],
        drawn(edf_systems, given.edf_sets, given.edf_sets // 2),
        costly(given.costly_sets, Scheduler.PRIORITY),
        costly(given.costly_edf_sets, Scheduler.EDF),
        [
            *varying(Scheduler.PRIORITY),
            *varying(Scheduler.EDF),
            *part(bunched_by_hand(), len(bunched_by_hand())),
            *drawn(bunched_systems, given.varying_sets // 2, SMALL_VARYING // 4),
        ],
        Costly(part(few_costly.systems, SMALL_VARYING // 4), few_costly.works),
        [
            *part(varying_by_hand(), len(varying_by_hand())),
            *part(varying_across(seed, few), SMALL_VARYING // 8),
        ],
        [
            *part(thresholds_by_hand(), len(thresholds_by_hand())),
            *drawn(threshold_systems, given.threshold_sets, given.threshold_sets // 10),
        ],
        threshold_costly(seed, given.threshold_sets // 20 if extent.takes(is_small=True) else 0),
        [
            *part(chained_by_hand(), len(chained_by_hand())),
            *drawn(chained_systems, given.chained_sets, given.chained_sets // 5),
        ],
        drawn(phased_systems, given.phased_sets, given.phased_sets // 5),
    )


def with_progress(results: Iterable[Explored], sets: int) -> Iterator[Explored]:
    """Count sets on a terminal, as if each were explored under three protocols."""
    for number, explored in enumerate(results, start=1):
        yield explored
        if sys.stderr.isatty() and number % 60 == 0:
            print(f"\r{number // 3}/{sets} sets", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)


def is_explored(simulated: str, kind: str, extent: Extent) -> bool:
    """Whether the part has such sets. Sets with costs belong to the quick part only."""
    if kind in (PLAIN, VARYING):
        return True
    if kind == BY_CPU:
        return simulated == "mpcp"
    if kind in (SHARED, WITH_THRESHOLDS):
        return simulated == "ceiling"
    if kind in (CHAINED, PHASED):
        return simulated in ("ceiling", "inherit", "none")
    if SIMULATED[simulated].is_across:
        return False
    return simulated != "stack" if kind == IN_SERVERS else extent.takes(is_small=True)


def compared(
    results: Iterable[Explored], extent: Extent
) -> tuple[list[Line], list[Line], list[str]]:
    """Compare all; return the rows of fixed priorities, the rows of EDF, and the first
    violations."""
    one_cpu = (PLAIN, VARYING, WITH_THRESHOLDS, CHAINED, PHASED)
    kinds = (*one_cpu, BY_CPU, WITH_COSTS, IN_SERVERS, SHARED)
    names = [
        (each + kind, each)
        for kind in kinds
        for each in SIMULATED
        if is_explored(each, kind, extent)
    ]
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


def scope_of(tables: Sequence[Sequence[Line]], sets: Explorable, seed: int) -> str:
    """Return the scope. Raise CouldNotRunError if all sets under some protocol were left out."""
    lines = [line for table in tables for line in table]
    empty = [str(line["protocol"]) for line in lines if line["sets"] == line["left out"]]
    if empty:
        raise CouldNotRunError(f"no set was explored under {', '.join(empty)}")
    return (
        f"every schedule of {len(sets.fixed)} random sets of 2 to 4 tasks with fixed priorities "
        f"and {len(sets.edf)} under EDF, of {len(sets.across)} of two and three CPUs, of "
        f"{len(sets.crowded)} more where a word holds {WORD} users, of {len(sets.served)} in two "
        f"servers, of {len(sets.shared)} in servers that share, of "
        f"{len(sets.varying) + len(sets.varying_costly.systems) + len(sets.varying_across)} "
        f"with ranges and release jitter, of "
        f"{len(sets.thresholds) + len(sets.threshold_costly.systems)} with thresholds, of "
        f"{len(sets.chained)} with chains, of {len(sets.phased)} with offsets, and of "
        f"{len(sets.costly.systems)} and "
        f"{len(sets.costly_edf.systems)} on kernels whose work takes time, seed {seed}: "
        f"{sum(int(line['states']) for line in lines)} states"
    )


def explored(given: argparse.Namespace, sets: Explorable) -> list[Explored]:
    """Return all results of the simulator."""
    program, systems = given.program.resolve(), sets.systems
    found = chain(
        simulate(program, systems, given.states, given.jobs, sets.works),
        simulate(program, sets.across, min(given.states, MOST_ACROSS), given.jobs),
        simulate(program, sets.varying_across, min(given.states, MOST_ACROSS), given.jobs),
        simulate(program, sets.crowded, min(given.states, MOST_ACROSS), given.jobs, word=WORD),
        simulate(program, sets.served, min(given.states, MOST_SERVED), given.jobs),
        simulate(program, sets.shared, min(given.states, MOST_SHARED), given.jobs),
    )
    apart = (sets.across, sets.varying_across, sets.crowded, sets.served, sets.shared)
    return list(with_progress(found, len(systems) + sum(map(len, apart))))


def prove(given: argparse.Namespace) -> bool:
    """Simulate, compare and print. Return whether every bound holds and every mistake is seen."""
    began_s = time.monotonic()
    has_mutants = given.extent.takes(is_small=True)
    every = (*MUTANTS, *KEPT, *SERVED, *SHARING, *VARIED, *THRESHOLDED, *CHAINS, *PAIRS)
    mutants = every if has_mutants else ()
    certificate = CertifiedBounds(given, [mutant.name for mutant in mutants])
    known = certificate.taken()
    violations: list[str] = []
    if known is not None:
        tables, faults = known
    else:
        sets = explorable(given)
        results = explored(given, sets)
        rows, edf_rows, violations = compared(results, given.extent)
        tables = Tables(scope_of((rows, edf_rows), sets, given.seed), rows, edf_rows)
        faults = [tried(mutant, results) for mutant in mutants] if not violations else []
        if not violations and all(fault.verdict == KILLED for fault in faults):
            certificate.note(tables, faults)
    row = row_of("analysis", "bounds", tables.scope, began_s, faults=faults, trace=violations)
    row = certificate.certified(row)
    if given.format == "json":
        print_json(NAME, [row], {"bounds": tables.fixed, "edf": tables.edf}, holds=row.is_right)
    else:
        for table in (tables.fixed, tables.edf):
            print_lines(table)
            print()
        print(*violations, sep="\n", end="\n" if violations else "")
        print_faults(faults)
        print(f"seed {given.seed}, {row.seconds:.0f} s")
    return row.is_right


if __name__ == "__main__":
    given = parse_arguments()
    sys.exit(concluded(NAME, lambda: prove(given)))
