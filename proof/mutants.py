# SPDX-License-Identifier: MIT
"""Show that the checks can fail: break the library in each small way, and see it found.

Every mutant is built as the shipped library is, then played by the stepped proof:
first one arrival at a time, then every pair of the smallest scene. Then come the
library's own tests in which threads die, sleep in a section or lock wrongly. What
survives all of it must be argued equivalent in proof/equivalent.toml, in words that
the table prints; anything else fails.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from by_hand import BY_HAND
from mutation import Mutant, Mutator
from sweep import HOLDS, INTERRUPTED, CouldNotRunError, one_a_cpu, play, scenes_of

ROOT = Path(__file__).resolve().parent.parent

# What is mutated: the protocol whole, and of the library what plays its slow half.
TARGETS: dict[str, set[str] | None] = {
    "protocol/ceiling_stack.h": None,
    "linux/lib/gate.c": None,
    "linux/lib/mutex.c": {"push", "pop", "is_gone", "next_frame", "claim"},
}

# The scenes whose pairs are played, too: the smallest, a second or two for each mutant.
PAIRS = ("flat",)

# The tests of linux/lib where threads die, sleep inside or lock wrongly, and the ways to run them.
TESTS = {
    "dead_frame": ("user",),
    "second_gate": ("user",),
    "deadlock": ("user",),
    "owner_death": ("user", "strict"),
    "mutex_errors": ("user", "strict"),
    "tid_reuse": ("user",),
}
TEST_TIMEOUT_S = 60
STILLBORN = "does not compile"
PATIENCE_MS = 1000


@dataclass(frozen=True)
class Fate:
    """What became of a mutant."""

    mutant: str
    line: int
    verdict: str  # killed, equivalent, survived, stillborn
    by: str  # the check that killed it, or the argument


def fate(mutant: Mutant, verdict: str, by: str) -> Fate:
    """A row of the table."""
    return Fate(mutant.key, mutant.line, verdict, by)


class Workshop:
    """A copy of the sources in a folder of its own, built as the library is built."""

    def __init__(self, folder: Path) -> None:
        """Copy what the build needs."""
        self.folder = folder
        for part in ("protocol", "linux/lib", "linux/module", "proof/step"):
            shutil.copytree(ROOT / part, folder / part)
        self.library = folder / "libplafond.so.0"
        self.step = folder / "step"

    def put(self, file: str, source: bytes) -> None:
        """Replace one file, and the copy that users include."""
        (self.folder / file).write_bytes(source)
        shutil.rmtree(self.folder / "include", ignore_errors=True)
        shutil.copytree(self.folder / "linux/lib/include", self.folder / "include")
        for header in (self.folder / "protocol").glob("*.h"):
            shutil.copy(header, self.folder / "include/plafond")

    def compile(self, *arguments: object) -> bool:
        """Run the compiler with the library's flags."""
        command = ["gcc", "-std=gnu17", "-O2", "-pthread", f"-I{self.folder}/include"]
        done = subprocess.run(
            [*command, *map(str, arguments)], capture_output=True, text=True, check=False
        )
        return done.returncode == 0

    def sources(self, folder: str) -> list[Path]:
        """C files of a folder."""
        return sorted((self.folder / folder).glob("*.c"))

    def linked(self) -> tuple[str, ...]:
        """Flags to link with the mutant, found beside the program."""
        return (str(self.library), "-Wl,-z,now", "-Wl,-rpath,$ORIGIN")

    def build(self) -> bool:
        """Build the library and the stepped program; False if the compiler refuses."""
        script = self.folder / "linux/lib/plafond.map"
        shared = (
            "-shared",
            "-fPIC",
            f"-Wl,--version-script={script}",
            "-Wl,-soname,libplafond.so.0",
        )
        return self.compile(
            *shared, "-o", self.library, *self.sources("linux/lib")
        ) and self.compile(
            "-mno-red-zone", "-o", self.step, *self.sources("proof/step"), *self.linked()
        )

    def build_test(self, name: str) -> Path:
        """Build one of the library's tests."""
        program = self.folder / f"test_{name}"
        tests = self.folder / "linux/lib/test"
        helpers = [tests / "supervise.c", tests / "team.c"]
        if not self.compile(
            "-o", program, tests / f"{name}.c", *helpers, *self.linked(), "-lcmocka"
        ):
            raise CouldNotRunError(f"the test {name} does not compile")
        return program


def killer_among_scenes(workshop: Workshop, cpu: int, singles_only: bool) -> str | None:
    """The first scene that finds the fault."""
    for scene in scenes_of(workshop.step):
        if not singles_only and scene.name not in PAIRS:
            continue
        try:
            outcome = play(workshop.step, scene, cpu, singles_only, PATIENCE_MS)
        except CouldNotRunError as problem:  # the library as it is could: see baseline()
            return f"{scene.name}/{scene.strength}: {problem}"
        if outcome.status != HOLDS:
            kind = "single" if singles_only else "pairs"
            return f"{outcome.scene}/{outcome.strength} {kind}: {outcome.finding}"
    return None


def killer_among_tests(workshop: Workshop) -> str | None:
    """The first test that finds the fault."""
    for name, ways in TESTS.items():
        program = workshop.build_test(name)
        for way in ways:
            try:
                done = subprocess.run(
                    [program, way], capture_output=True, timeout=TEST_TIMEOUT_S, check=False
                )
            except subprocess.TimeoutExpired:
                return f"test {name} {way}: hangs"
            if done.returncode != 0:
                return f"test {name} {way}"
    return None


def killer_by_arrivals(workshop: Workshop, cpu: int) -> str | None:
    """What finds the fault among all arrivals, and the pairs of them in the small scenes."""
    return killer_among_scenes(workshop, cpu, singles_only=True) or killer_among_scenes(
        workshop, cpu, singles_only=False
    )


def killer_by_life(workshop: Workshop, cpu: int) -> str | None:
    """What finds the fault among deaths, suspensions and errors. Needs the machine for itself."""
    del cpu
    return killer_among_tests(workshop)


Killer = Callable[[Workshop, int], str | None]


def try_out(mutant: Mutant | None, cpu: int, killer: Killer) -> tuple[bool, str]:
    """Build a mutant (None: the library as it is); whether it fell, and how."""
    file = mutant.file if mutant is not None else next(iter(TARGETS))
    source = (ROOT / file).read_bytes()
    with tempfile.TemporaryDirectory(prefix="plafond-mutant-") as folder:
        workshop = Workshop(Path(folder))
        workshop.put(file, source if mutant is None else mutant.apply(source))
        if not workshop.build():
            return True, STILLBORN
        by = killer(workshop, cpu)
    return by is not None, by or ""


def all_mutants() -> list[Mutant]:
    """Generated ones and those made by hand, no two alike."""
    found = [m for file, names in TARGETS.items() for m in Mutator(ROOT, file, names).mutants()]
    found += [fault.mutant(ROOT) for fault in BY_HAND]
    return list({(m.file, m.start, m.end, m.text): m for m in found}.values())


def baseline(cpu: int) -> str | None:
    """What the checks say of the library as it is: they must find nothing."""
    for killer in (killer_by_arrivals, killer_by_life):
        fell, how = try_out(None, cpu, killer)
        if fell:
            return how
    return None


def arrivals(mutants: Sequence[Mutant]) -> Iterator[tuple[Mutant, bool, str]]:
    """Play the scenes with each mutant."""
    return one_a_cpu(lambda m, cpu: (m, *try_out(m, cpu, killer_by_arrivals)), mutants)


def judge_all(mutants: Sequence[Mutant], arguments: dict[str, str]) -> Iterator[Fate]:
    """Arrivals first; then, one by one, deaths and suspensions for what nobody argues about."""
    left: list[Mutant] = []
    for mutant, fell, how in arrivals(mutants):
        if fell:
            yield fate(mutant, "stillborn" if how == STILLBORN else "killed", how)
        elif mutant.key in arguments:
            yield fate(mutant, "equivalent", arguments[mutant.key])
        else:
            left.append(mutant)
    for mutant in left:
        fell, how = try_out(mutant, 0, killer_by_life)
        yield fate(mutant, "killed" if fell else "survived", how)


def print_table(fates: Sequence[Fate]) -> None:
    """One line a mutant, and the sums."""
    for row in fates:
        print(f"{row.verdict:10} {row.line:4} {row.mutant}\n{'':16}{row.by}")
    for verdict in ("killed", "equivalent", "stillborn", "survived"):
        print(f"{sum(f.verdict == verdict for f in fates):4} {verdict}")


def parse_arguments() -> argparse.Namespace:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="exit status: 0 all killed or argued, 1 not, 2 could not run, 130 Ctrl-C\n"
        "example: proof/mutants.py --only plf_leave --format json",
    )
    parser.add_argument("--only", default="", help="mutants whose name contains this")
    parser.add_argument("--format", choices=("table", "json"), default="table")
    return parser.parse_args()


def main() -> int:
    """Judge all mutants."""
    options = parse_arguments()
    arguments: dict[str, str] = tomllib.loads(
        (ROOT / "proof/equivalent.toml").read_text(encoding="utf-8")
    )
    mutants = [m for m in all_mutants() if options.only in m.key]
    fates: list[Fate] = []
    started = time.monotonic()
    try:
        finding = baseline(min(os.sched_getaffinity(0)))
        if finding is not None:
            print(f"mutants: the library itself fails: {finding}", file=sys.stderr)
            return 1
        for row in judge_all(mutants, arguments):
            fates.append(row)
            passed_s = time.monotonic() - started
            progress = f"{len(fates)}/{len(mutants)} mutants, {passed_s:.0f} s"
            print(f"{progress}: {row.verdict} {row.mutant}", file=sys.stderr, flush=True)
    except CouldNotRunError as problem:
        print(f"mutants: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("mutants: interrupted", file=sys.stderr)
        return INTERRUPTED
    order = {m.key: i for i, m in enumerate(mutants)}
    fates.sort(key=lambda f: order[f.mutant])
    if options.format == "json":
        print(json.dumps([asdict(f) for f in fates], indent=2))
    else:
        print_table(fates)
    return 1 if any(f.verdict == "survived" for f in fates) else 0


if __name__ == "__main__":
    sys.exit(main())
