# SPDX-License-Identifier: MIT
"""Show that the checks can fail: break the library in each small way, and see it found.

Every mutant is built as the shipped library is, and then given to checks. These are the scenes of
the stepped proof with single arrivals, the library's own tests, and every pair of the smallest
scene. In the tests threads die, sleep in a section or lock wrongly.

The first check is the check that a mutant by hand names. Checks follow that found the mutant when
the results were published, or found others of its function. Then come the checks that found the
most so far.

The drop-in's tests take milliseconds, so they come before the scenes, like the tests of its
reports. They do not know the library, so they are built once. A check of the drop-in is left out if
it does not run the code around the fault: see marks.py. The rest of linux/core and linux/lib has no
scenes. A mutant there meets the tests that claim the behaviour of its file.

A finding counts only if the check finds nothing in the library without faults, and this is tried.
If the compiler makes the same machine code, the mutant has the original's verdict. A survivor must
be argued equivalent in an equivalent.toml, in words that the table prints, or the proof fails.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from plafond.prove.model import Extent, Fault

from proof.certificate import add_reliance, reliance_of
from proof.extent import add_extent
from proof.mutation import Mutant
from proof.mutator import Mutator
from proof.published import killers
from proof.result import (
    EQUIVALENT,
    KILLED,
    ROOT,
    SAME_CODE,
    STILLBORN,
    SURVIVED,
    CouldNotRunError,
    concluded,
    print_faults,
    print_json,
    row_of,
)
from proof.stepped.certified import CertifiedMutants
from proof.stepped.checks import Check, Script, Sweep, Test
from proof.stepped.marks import Marks, Reached
from proof.stepped.scenes import one_a_cpu, scenes_of
from proof.stepped.subjects import SUBJECTS, Subject
from proof.stepped.workshop import Bench, StillbornError, Workshop

NAME = "proof.stepped.mutants"
SMALL = "a fault a file"


class BaselineError(Exception):
    """The checks find a fault in the library without faults."""


def fate(mutant: Mutant, verdict: str, by: str) -> Fault:
    """The fate of a mutant, for the table."""
    return Fault(mutant=mutant.key, verdict=verdict, by=by, line=mutant.line)


def all_mutants(subject: Subject, extent: Extent) -> list[Mutant]:
    """Mutants by operators and by hand, without duplicates; small: each file's first by hand."""
    found = [
        mutant
        for file, names in subject.targets.items()
        for mutant in Mutator(ROOT, file, names, calls_are_steps=subject.calls_are_steps).mutants()
    ]
    if subject.elsewhere:
        found = [m for m in found if not re.search(subject.elsewhere, m.what)]
    found += [fault.mutant(ROOT) for fault in subject.by_hand]
    different = {(m.file, m.start, m.end, m.text): m for m in found}.values()
    small = {m.file: m for m in reversed(different) if not m.is_generated}
    return [m for m in different if extent.takes(m is small.get(m.file))]


def all_checks(subject: Subject, workshop: Workshop) -> tuple[Check, ...]:
    """Every check of a subject."""
    tests = [
        Test(name, way, name in subject.of_one_cpu, subject.environment.get(way, {}))
        for name, ways in subject.tests.items()
        for way in ways
    ]
    scenes = scenes_of(workshop.step) if subject.plan.program else []
    scenes.sort(key=lambda scene: scene.name not in subject.first)
    singles = [Sweep(scene, True, subject.patience_ms) for scene in scenes]
    pairs = [
        Sweep(scene, False, subject.patience_ms) for scene in scenes if scene.name in subject.pairs
    ]
    return (*singles, *tests, *subject.scripts, *pairs)


def stage_of(check: Check, subject: Subject) -> int:
    """The order of a check if no other reason counts. The quickest checks come first."""
    if isinstance(check, Test):
        return 0 if subject.plan.preloads else 3
    if isinstance(check, Script):
        return 1
    return 2 if check.singles_only else 4


class Pristine:
    """The library without faults. A check's finding counts only if it finds nothing here."""

    def __init__(self, subject: Subject, bench: Bench, folder: Path, *, marked: bool) -> None:
        """Build the library, with marks in the mutated files if `marked`."""
        files = tuple(subject.targets) if marked else ()
        self.workshop = Workshop(folder / "pristine", bench, None, files)
        self._folder = folder
        self._tried: defaultdict[str, Lock] = defaultdict(Lock)
        self._passed: set[str] = set()
        try:
            self.workshop.build()
        except StillbornError:
            raise CouldNotRunError(f"{self.workshop.library.name} does not link") from None

    def must_pass(self, check: Check, cpu: int) -> None:
        """Try the check here, once. BaselineError if it finds a fault."""
        with self._tried[check.name]:
            if check.name not in self._passed:
                self._pass(check, cpu)

    def _pass(self, check: Check, cpu: int, environment: Mapping[str, str] | None = None) -> None:
        found = check.finding(self.workshop, cpu, environment)
        if found is not None:
            raise BaselineError(f"the library itself fails: {found}")
        self._passed.add(check.name)

    def reached_by(self, checks: Sequence[Check]) -> Reached:
        """The code that each check runs. Pairs run the same code as single arrivals."""

        def reach(check: Check, cpu: int) -> tuple[str, frozenset[int]]:
            marks = Marks(self._folder / f"{check.name.replace('/', '_')}.marks")
            self._pass(check, cpu, marks.environment)
            return check.name, marks.numbers()

        played = [c for c in checks if not isinstance(c, Sweep) or c.singles_only]
        return Reached(self.workshop.blocks, dict(one_a_cpu(reach, played)))


@dataclass(frozen=True)
class Trials:
    """A place for trials of mutants, with the arguments for mutants that may live."""

    subject: Subject
    bench: Bench
    folder: Path
    arguments: Mapping[str, str]
    known: Mapping[str, frozenset[str]]  # checks that found them before
    checks: tuple[Check, ...]
    pristine: Pristine
    reached: Reached
    finds: Counter[str] = field(default_factory=Counter)  # by check
    finds_in: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def _checks_of(self, mutant: Mutant, argument: str) -> list[Check]:
        """The checks that may find the mutant, the likeliest first."""
        own = self.subject.own_of(mutant)
        claiming = self.subject.claims.get(mutant.file)
        known = self.known.get(mutant.key, frozenset())
        neighbours = self.finds_in[mutant.function] if mutant.is_generated else Counter()

        def is_wanted(check: Check) -> bool:
            if check.subject == own or check.name in known:
                return True
            if isinstance(check, Test):
                if claiming is not None and check.test not in claiming:
                    return False
                if argument and self.subject.is_argued_by_scenes:
                    return False
            elif isinstance(check, Sweep) and argument and self.subject.is_argued_by_tests:
                return False
            return self.reached.may_show(check.name, mutant)

        def rank(check: Check) -> tuple[bool, bool, int, int, int]:
            return (
                check.subject != own,
                check.name not in known,
                -neighbours[check.name],
                stage_of(check, self.subject),
                -self.finds[check.name],
            )

        return sorted(filter(is_wanted, self.checks), key=rank)

    def _fate(self, mutant: Mutant, workshop: Workshop, cpu: int) -> Fault:
        argument = self.arguments.get(mutant.key, "")
        checks = self._checks_of(mutant, argument)
        try:
            if workshop.is_original(c.test for c in checks if isinstance(c, Test)):
                return fate(mutant, SAME_CODE, "the compiler makes the same machine code of it")
            workshop.build()
            for check in checks:
                by = check.finding(workshop, cpu)
                if by is not None:
                    self.pristine.must_pass(check, cpu)
                    self.finds[check.name] += 1
                    self.finds_in[mutant.function][check.name] += 1
                    return fate(mutant, KILLED, by)
        except StillbornError:
            return fate(mutant, STILLBORN, "the compiler refuses it")
        return fate(mutant, EQUIVALENT if argument else SURVIVED, argument)

    def _judge(self, mutant: Mutant, cpu: int) -> tuple[Mutant, Fault]:
        workshop = Workshop(Path(tempfile.mkdtemp(dir=self.folder)), self.bench, mutant)
        try:
            return mutant, self._fate(mutant, workshop, cpu)
        finally:
            workshop.clear_away()

    def judge(self, mutants: Sequence[Mutant]) -> Iterator[tuple[Mutant, Fault]]:
        """The fate of each mutant, as it comes."""
        return one_a_cpu(self._judge, mutants)


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog=NAME,
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="exit status: 0 all killed or argued, 1 not, 2 could not run, 130 Ctrl-C\n"
        "example: python -m proof.stepped.mutants --only plf_leave --format json",
    )
    parser.add_argument("--protocol", choices=tuple(SUBJECTS), default="ceiling-stack")
    add_extent(parser, SMALL)
    add_reliance(parser)
    parser.add_argument("--only", default="", help="mutants whose name contains this")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    return parser.parse_args()


def judged(
    subject: Subject,
    mutants: Sequence[Mutant],
    arguments: Mapping[str, str],
    known: Mapping[str, frozenset[str]],
) -> Iterator[tuple[Mutant, Fault]]:
    """The mutants' fates, as they come. BaselineError if the library itself fails a check."""
    is_marked = subject.plan.marks is not None and any(m.is_generated for m in mutants)
    with tempfile.TemporaryDirectory(prefix="plafond-mutants-") as name:
        folder = Path(name)
        bench = Bench(folder, subject.plan)
        pristine = Pristine(subject, bench, folder, marked=is_marked)
        checks = all_checks(subject, pristine.workshop)
        reached = pristine.reached_by(checks) if is_marked else Reached((), {})
        trials = Trials(subject, bench, folder, arguments, known, checks, pristine, reached)
        yield from trials.judge(mutants)


def watched(fates: Iterator[tuple[Mutant, Fault]], count: int) -> Iterator[tuple[Mutant, Fault]]:
    """The same fates, with a report of progress."""
    started = time.monotonic()
    for done, (mutant, row) in enumerate(fates, 1):
        progress = f"{done}/{count} mutants, {time.monotonic() - started:.0f} s"
        print(f"{progress}: {row.verdict} {row.mutant}", file=sys.stderr, flush=True)
        yield mutant, row


def prove(options: argparse.Namespace) -> bool:
    """Judge all mutants. Returns whether all are killed or argued."""
    began_s = time.monotonic()
    subject = SUBJECTS[options.protocol]
    arguments: dict[str, str] = tomllib.loads(
        (ROOT / subject.equivalent).read_text(encoding="utf-8")
    )
    mutants = [m for m in all_mutants(subject, options.extent) if options.only in m.key]
    if not mutants:
        raise CouldNotRunError(f"no mutant's name contains {options.only!r}")
    tries_argued = options.extent.tries_argued
    put_in = [m for m in mutants if tries_argued or m.key not in arguments]
    fates = [fate(m, EQUIVALENT, arguments[m.key]) for m in mutants if m not in put_in]
    certified = CertifiedMutants(subject, arguments, reliance_of(options))
    taken = certified.taken(put_in, all_mutants(subject, Extent.WHOLE))
    fates += taken.values()
    opened = [mutant for mutant in put_in if mutant not in taken]
    known = {**killers(subject.protocol), **certified.killers}
    finding: tuple[str, ...] = ()
    try:
        found = judged(subject, opened, arguments, known) if opened else iter(())
        for mutant, fault in watched(found, len(opened)):
            certified.note(mutant, fault)
            fates.append(fault)
    except BaselineError as problem:
        finding = (str(problem),)
        print(f"{NAME}: {problem}", file=sys.stderr)
    scope = options.extent.label(SMALL) + subject.scope
    order = {m.key: i for i, m in enumerate(mutants)}
    fates.sort(key=lambda f: order[f.mutant])
    row = row_of(subject.protocol, "mutants", scope, began_s, faults=fates, trace=finding)
    is_whole = options.extent is Extent.WHOLE and not options.only
    row = certified.row.certified(row, is_whole=is_whole)
    if options.format == "json":
        print_json(NAME, [row], {}, holds=row.is_right)
    else:
        print_faults(fates)
    return row.is_right


if __name__ == "__main__":
    given = parse_arguments()
    sys.exit(concluded(NAME, lambda: prove(given)))
