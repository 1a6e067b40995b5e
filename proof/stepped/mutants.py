# SPDX-License-Identifier: MIT
"""Show that the checks can fail: break the library in each small way, and see it found.

Every mutant is built as the shipped library is, then played by the stepped proof, one
arrival at a time; first by the check that found it when the results were published. Then
come the library's own tests in which threads die, sleep in a section or lock wrongly, and
at last every pair of the smallest scene. The drop-in's tests take milliseconds and do not
know the library: they are built once, and come before the scenes. A check that does not run the
code around a fault of the drop-in is left out: see marks.py. The rest of linux/lib has no
scenes: a mutant meets the tests that claim what its file does. Where the compiler makes
the same machine code of it in all of these, the original's verdict is its own. What survives
must be argued equivalent in an equivalent.toml, in words that the table prints; anything
else fails.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from plafond.prove.model import Fault
from plafond.real_time import run_bounded

from proof.mutation import Mutant, Mutator
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
from proof.stepped.marks import Marks, Reached
from proof.stepped.scenes import Scene, alone_on, one_a_cpu, play, scenes_of, sweep
from proof.stepped.subjects import SUBJECTS, Subject
from proof.stepped.workshop import Bench, StillbornError, Workshop

NAME = "proof.stepped.mutants"

Wanted = Callable[[str], bool]  # of a check, by its name
TEST_TIMEOUT_S = 2  # they need a tenth of a second, and have the machine for themselves


class BaselineError(Exception):
    """The checks find a fault where none was put."""


def fate(mutant: Mutant, verdict: str, by: str) -> Fault:
    """What became of a mutant."""
    return Fault(mutant=mutant.key, verdict=verdict, by=by, line=mutant.line)


def sweep_name(scene: Scene, singles_only: bool) -> str:
    """How the table names what found a fault."""
    return f"{scene.name}/{scene.strength} {'single' if singles_only else 'pairs'}"


def anywhere(check: str) -> bool:
    """Whether a check is wanted: each is."""
    del check
    return True


def scenes_in(workshop: Workshop) -> list[Scene]:
    """All scenes, if any program plays them."""
    return scenes_of(workshop.step) if workshop.bench.plan.program else []


def killer_in(
    subject: Subject,
    workshop: Workshop,
    scene: Scene,
    cpu: int,
    singles_only: bool,
    environment: Mapping[str, str] | None = None,
) -> str | None:
    """What the scene finds."""
    name = sweep_name(scene, singles_only)
    try:
        outcome = play(workshop.step, scene, cpu, singles_only, subject.patience_ms, environment)
    except CouldNotRunError as problem:  # the library as it is could: see baseline()
        return f"{name}: {problem}"
    return None if outcome.holds else f"{name}: {outcome.finding}"


def killer_among_scenes(
    subject: Subject,
    workshop: Workshop,
    cpu: int,
    singles_only: bool,
    wanted: Wanted = anywhere,
) -> str | None:
    """The first scene, of those that are wanted, that finds the fault."""
    first = subject.first_for(workshop.mutant)
    for scene in sorted(scenes_in(workshop), key=lambda s: s.name not in first):
        is_played = singles_only or scene.name in subject.pairs
        if is_played and wanted(sweep_name(scene, singles_only)):
            by = killer_in(subject, workshop, scene, cpu, singles_only)
            if by is not None:
                return by
    return None


def likely_killer(
    subject: Subject, workshop: Workshop, cpu: int, likely: frozenset[str]
) -> str | None:
    """The first of the likely checks that finds it."""
    by = killer_by_life(subject, workshop, lambda name: name in likely)
    if by is not None:
        return by
    for scene in scenes_in(workshop):
        for singles_only in (True, False):
            if sweep_name(scene, singles_only) in likely:
                by = killer_in(subject, workshop, scene, cpu, singles_only)
                if by is not None:
                    return by
    return None


def killer_in_test(
    subject: Subject,
    workshop: Workshop,
    name: str,
    way: str,
    more: Mapping[str, str] | None = None,
) -> str | None:
    """What the test finds, in an environment with MORE. It needs the machine for itself."""
    program = workshop.build_test(name)
    environment = {**subject.environment.get(way, {}), **(more or {})}
    if subject.plan.preloads:
        environment["LD_PRELOAD"] = str(workshop.library)
    try:
        with alone_on(os.sched_getaffinity(0)):
            done = run_bounded([program, way], TEST_TIMEOUT_S, environment=environment)
    except subprocess.TimeoutExpired:
        return f"{test_name(name, way)}: hangs"
    return None if done.returncode == 0 else f"{test_name(name, way)}: fails"


def test_name(name: str, way: str) -> str:
    """How the table names a test that found a fault."""
    return f"test {name} {way}"


def killer_by_life(subject: Subject, workshop: Workshop, wanted: Wanted = anywhere) -> str | None:
    """The first test, of those of a wanted name, that finds the fault."""
    for name, way in subject.tests_of(workshop.mutant):
        if wanted(test_name(name, way)):
            by = killer_in_test(subject, workshop, name, way)
            if by is not None:
                return by
    return None


def killer_at_once(subject: Subject, workshop: Workshop, wanted: Wanted) -> str | None:
    """What tests find that do not know the library: first the one that a mutant by hand is for."""
    if not subject.plan.preloads:
        return None
    own = subject.test_for(workshop.mutant)
    if own:
        by = killer_by_life(subject, workshop, lambda name: name.split()[1] == own)
        if by is not None:
            return by
    own_scene = workshop.mutant is not None and not workshop.mutant.is_generated and not own
    return None if own_scene else killer_by_life(subject, workshop, wanted)


def killer_by_one(subject: Subject, workshop: Workshop, cpu: int, wanted: Wanted) -> str | None:
    """What finds the fault among all single arrivals."""
    return killer_among_scenes(subject, workshop, cpu, singles_only=True, wanted=wanted)


def killer_by_pairs(subject: Subject, workshop: Workshop, cpu: int) -> str | None:
    """What finds the fault among all pairs of arrivals in the small scenes."""
    return killer_among_scenes(subject, workshop, cpu, singles_only=False)


def all_mutants(subject: Subject, *, by_hand_only: bool) -> list[Mutant]:
    """Generated ones and those made by hand, no two alike."""
    targets = {} if by_hand_only else subject.targets
    found = [
        mutant
        for file, names in targets.items()
        for mutant in Mutator(ROOT, file, names, calls_are_steps=subject.calls_are_steps).mutants()
    ]
    found += [fault.mutant(ROOT) for fault in subject.by_hand]
    return list({(m.file, m.start, m.end, m.text): m for m in found}.values())


def first_cpu() -> int:
    """Where what runs alone is played."""
    return min(os.sched_getaffinity(0))


def baseline(subject: Subject, bench: Bench, folder: Path) -> str | None:
    """What the checks say of the library as it is: they must find nothing."""
    workshop = Workshop(folder / "baseline", bench, None)
    try:
        workshop.build()
    except StillbornError:
        raise CouldNotRunError(f"{workshop.library.name} does not link") from None
    scenes = scenes_in(workshop)
    paired = [scene for scene in scenes if scene.name in subject.pairs]
    for outcome in chain(sweep(workshop.step, scenes, True), sweep(workshop.step, paired, False)):
        if not outcome.holds:
            return f"{outcome.scene}/{outcome.strength}: {outcome.finding}"
    return killer_by_life(subject, workshop)


def reached_by_checks(subject: Subject, bench: Bench, folder: Path) -> Reached:
    """What each check runs of the library as it is, in which it must find nothing."""
    workshop = Workshop(folder / "marked", bench, None, tuple(subject.targets))
    workshop.build()
    by: dict[str, frozenset[int]] = {}

    def play_marked(scene: Scene, cpu: int) -> tuple[str, str | None, Marks]:
        marks = Marks(folder / f"{scene.name}.marks")
        found = killer_in(subject, workshop, scene, cpu, True, marks.environment)
        return sweep_name(scene, True), found, marks

    def test_marked(name: str, way: str) -> tuple[str, str | None, Marks]:
        marks = Marks(folder / f"{name.replace('/', '_')}.marks")
        found = killer_in_test(subject, workshop, name, way, marks.environment)
        return test_name(name, way), found, marks

    scenes = one_a_cpu(play_marked, scenes_of(workshop.step))
    tests = (test_marked(name, way) for name, ways in subject.tests.items() for way in ways)
    for check, found, marks in chain(scenes, tests):
        if found is not None:
            raise BaselineError(f"the library itself fails: {found}")
        by[check] = marks.numbers()
    return Reached(workshop.blocks, by)


def after_arrivals(
    subject: Subject,
    workshop: Workshop,
    mutant: Mutant,
    cpu: int,
    argument: str,
    likely: frozenset[str],
    wanted: Wanted,
) -> Fault | None:
    """What becomes of a mutant in the scenes; None: its tests, now built, must decide.

    They come before the pairs, which take longer, unless nothing is expected to find it.
    """
    try:
        if workshop.is_original():
            return fate(mutant, SAME_CODE, "the compiler makes the same machine code of it")
        workshop.build()
        by = likely_killer(subject, workshop, cpu, likely)
        by = by or killer_at_once(subject, workshop, wanted)
        by = by or killer_by_one(subject, workshop, cpu, wanted)
        if by is None and argument:
            by = killer_by_pairs(subject, workshop, cpu)
        if by is not None:
            return fate(mutant, KILLED, by)
        if argument and subject.plan.program:
            return fate(mutant, EQUIVALENT, argument)
        for name in dict.fromkeys(name for name, _ in subject.tests_of(mutant)):
            workshop.build_test(name)
    except StillbornError:
        return fate(mutant, STILLBORN, "the compiler refuses it")
    return None


@dataclass(frozen=True)
class Trials:
    """Where mutants are tried, and which may live."""

    subject: Subject
    bench: Bench
    folder: Path
    arguments: Mapping[str, str]
    known: Mapping[str, frozenset[str]]  # what found them before
    reached: Reached
    recent: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def _likely(self, mutant: Mutant) -> frozenset[str]:
        """What found it before; else what finds its neighbours."""
        neighbours = self.recent[mutant.function] if mutant.is_generated else ()
        return self.known.get(mutant.key) or frozenset(neighbours)

    def _wanted(self, mutant: Mutant) -> Wanted:
        return lambda check: self.reached.may_show(check, mutant)

    def _begin(self, mutant: Mutant, cpu: int) -> tuple[Mutant, Workshop, Fault | None]:
        workshop = Workshop(Path(tempfile.mkdtemp(dir=self.folder)), self.bench, mutant)
        argument = self.arguments.get(mutant.key, "")
        likely, wanted = self._likely(mutant), self._wanted(mutant)
        found = after_arrivals(self.subject, workshop, mutant, cpu, argument, likely, wanted)
        if found is not None and found.verdict == KILLED:
            self.recent[mutant.function].add(found.by.split(":")[0])
        if found is not None:
            workshop.clear_away()
        return mutant, workshop, found

    def judge(self, mutants: Sequence[Mutant]) -> Iterator[Fault]:
        """Arrivals first; then, one by one, deaths, suspensions and pairs for those left."""
        left: list[tuple[Mutant, Workshop]] = []
        for mutant, workshop, found in one_a_cpu(self._begin, mutants):
            if found is not None:
                yield found
            else:
                left.append((mutant, workshop))
        for mutant, workshop in left:
            wanted = self._wanted(mutant)
            by = killer_by_life(self.subject, workshop, wanted) or killer_by_pairs(
                self.subject, workshop, first_cpu()
            )
            workshop.clear_away()
            argument = self.arguments.get(mutant.key, "")
            unfound = EQUIVALENT if argument else SURVIVED
            yield fate(mutant, unfound if by is None else KILLED, by or argument)


def parse_arguments() -> argparse.Namespace:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog=NAME,
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="exit status: 0 all killed or argued, 1 not, 2 could not run, 130 Ctrl-C\n"
        "example: python -m proof.stepped.mutants --only plf_leave --format json",
    )
    parser.add_argument("--protocol", choices=tuple(SUBJECTS), default="ceiling-stack")
    parser.add_argument("--quick", action="store_true", help="only those made by hand")
    parser.add_argument("--only", default="", help="mutants whose name contains this")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    return parser.parse_args()


def judged(
    subject: Subject, mutants: Sequence[Mutant], arguments: Mapping[str, str]
) -> Iterator[Fault]:
    """Their fates, as they come; BaselineError if the library itself falls."""
    with tempfile.TemporaryDirectory(prefix="plafond-mutants-") as name:
        folder = Path(name)
        bench = Bench(folder, subject.plan)
        reached = Reached((), {})
        if subject.plan.marks is not None:
            reached = reached_by_checks(subject, bench, folder)
        else:
            finding = baseline(subject, bench, folder)
            if finding is not None:
                raise BaselineError(f"the library itself fails: {finding}")
        known = killers(subject.protocol)
        yield from Trials(subject, bench, folder, arguments, known, reached).judge(mutants)


def watched(fates: Iterator[Fault], count: int) -> Iterator[Fault]:
    """The same, and how far it is."""
    started = time.monotonic()
    for done, row in enumerate(fates, 1):
        progress = f"{done}/{count} mutants, {time.monotonic() - started:.0f} s"
        print(f"{progress}: {row.verdict} {row.mutant}", file=sys.stderr, flush=True)
        yield row


def prove(options: argparse.Namespace) -> bool:
    """Judge all mutants; whether all are killed or argued."""
    began_s = time.monotonic()
    subject = SUBJECTS[options.protocol]
    arguments: dict[str, str] = tomllib.loads(
        (ROOT / subject.equivalent).read_text(encoding="utf-8")
    )
    mutants = [m for m in all_mutants(subject, by_hand_only=options.quick) if options.only in m.key]
    if not mutants:
        raise CouldNotRunError(f"no mutant's name contains {options.only!r}")
    fates: list[Fault] = []
    finding: tuple[str, ...] = ()
    try:
        fates += watched(judged(subject, mutants, arguments), len(mutants))
    except BaselineError as problem:
        finding = (str(problem),)
        print(f"{NAME}: {problem}", file=sys.stderr)
    quickly = "quick, only faults by hand: " if options.quick else ""
    order = {m.key: i for i, m in enumerate(mutants)}
    fates.sort(key=lambda f: order[f.mutant])
    row = row_of(
        subject.protocol, "mutants", quickly + subject.scope, began_s, faults=fates, trace=finding
    )
    if options.format == "json":
        print_json(NAME, [row], {}, holds=row.is_right)
    else:
        print_faults(fates)
    return row.is_right


if __name__ == "__main__":
    given = parse_arguments()
    sys.exit(concluded(NAME, lambda: prove(given)))
