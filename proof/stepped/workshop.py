# SPDX-License-Identifier: MIT
"""Build the library with a fault, and its programs. Compile only files that the fault can change.

The sources are compiled once without a fault. For a mutant, a C file is compiled again only if its
code can depend on the mutated function. If each object equals the original's, byte by byte, the
mutant is the original. Compiler, flags and linking are the library's.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Lock

from proof.mutation import Mutant, function_around
from proof.reach import Reach, reach
from proof.result import ROOT, CouldNotRunError
from proof.stepped.marks import Block, mark
from proof.stepped.scenes import one_a_cpu

STAGED = "include"  # headers for users of the library


class StillbornError(Exception):
    """The compiler refuses the mutant."""


@dataclass(frozen=True)
class Unit:
    """A C file and how it is compiled."""

    source: str
    flags: tuple[str, ...] = ()
    linking: tuple[str, ...] = ()  # flags for the program


def linking_of(units: Iterable[Unit]) -> tuple[str, ...]:
    """The flags to link a program of these units."""
    return tuple(flag for unit in units for flag in unit.linking)


@dataclass(frozen=True)
class Original:
    """A unit without a fault."""

    object: Path
    reach: Reach


def compiled(folder: Path, *arguments: object) -> subprocess.CompletedProcess[bytes]:
    """Run the compiler in a tree. Paths are relative, so that equal code gives equal objects."""
    command = ["gcc", "-std=gnu17", "-O2", "-pthread", f"-I{STAGED}", *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False)


def stage(tree: Path) -> None:
    """Lay out the headers as users include them."""
    shutil.rmtree(tree / STAGED, ignore_errors=True)
    shutil.copytree(tree / "linux/lib/include", tree / STAGED)
    for header in (tree / "protocol").glob("*.h"):
        shutil.copy(header, tree / STAGED / "plafond")


def units_in(folder: str, *flags: str) -> tuple[Unit, ...]:
    """The C files of a folder."""
    return tuple(Unit(f"{folder}/{f.name}", flags) for f in sorted((ROOT / folder).glob("*.c")))


@dataclass(frozen=True)
class Plan:
    """The programs to build, as the repository's build makes them."""

    parts: tuple[str, ...]  # folders
    library: tuple[Unit, ...]
    library_name: str
    library_flags: tuple[str, ...]  # to link it
    program: tuple[Unit, ...] = ()  # plays the library; none: its tests alone find faults
    program_flags: tuple[str, ...] = ()
    tests: Mapping[str, tuple[Unit, ...]] = field(default_factory=dict)
    preloads: bool = False  # the library is preloaded, and tests are not linked with it
    marks: Unit | None = None  # linked into a library with marks


def units_of_test(folder: str, helpers: tuple[str, ...], name: str) -> tuple[Unit, ...]:
    """The C files of a test, and the common helpers of its folder."""
    return tuple(Unit(f"{folder}/{each}.c", (f"-I{folder}",)) for each in (name, *helpers))


def against(library: str) -> tuple[object, ...]:
    """Flags to link a program with the library that will lie beside the program."""
    return ("-Wl,-z,now", "-Wl,-rpath,$ORIGIN", f"-l:{library}")


def named(test: str) -> str:
    """The file of a test's program."""
    return f"test_{test.replace('/', '_')}"


class Bench:
    """The compiled sources. A workshop takes from here all that its fault does not change."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        """Copy the sources and compile them all."""
        self.tree = folder / "original"
        self.plan = plan
        self._linking = Lock()
        for part in plan.parts:
            shutil.copytree(ROOT / part, self.tree / part)
        stage(self.tree)
        self._originals: dict[Unit, Original] = {}
        self._compiling: defaultdict[Unit, Lock] = defaultdict(Lock)
        for _ in one_a_cpu(lambda unit, _: self.original(unit), (*plan.library, *plan.program)):
            pass

    def original(self, unit: Unit) -> Original:
        """The unit without a fault, compiled when it is first needed."""
        with self._compiling[unit]:
            if unit not in self._originals:
                self._originals[unit] = self._compile(unit)
        return self._originals[unit]

    def _compile(self, unit: Unit) -> Original:
        target = self.tree / f"{unit.source}.o"
        done = compiled(self.tree, *unit.flags, "-c", unit.source, "-o", target)
        expanded = compiled(self.tree, *unit.flags, "-E", unit.source)
        if done.returncode != 0 or expanded.returncode != 0:
            raise CouldNotRunError(f"{unit.source} does not compile: {done.stderr.decode()}")
        return Original(target, reach(expanded.stdout))

    def build_test(self, name: str) -> Path:
        """Build a test once for all mutants that leave its own code as it is."""
        plan = self.plan
        linked = () if plan.preloads else (*against(plan.library_name), f"-L{self.tree}")
        with self._linking:
            if not plan.preloads:
                self._build(plan.library_name, plan.library, "-shared", *plan.library_flags)
            linked += linking_of(plan.tests[name])
            return self._build(named(name), plan.tests[name], *linked, "-lcmocka")

    def build_program(self) -> Path:
        """Build the program that plays the library, likewise."""
        plan = self.plan
        with self._linking:
            self._build(plan.library_name, plan.library, "-shared", *plan.library_flags)
            linked = (*against(plan.library_name), f"-L{self.tree}", *plan.program_flags)
            return self._build("step", plan.program, *linked)

    def _build(self, name: str, units: Sequence[Unit], *flags: object) -> Path:
        if not (self.tree / name).exists():
            self._link(self.tree / name, units, *flags)
        return self.tree / name

    def _link(self, target: Path, units: Sequence[Unit], *flags: object) -> None:
        objects = [self.original(unit).object for unit in units]
        done = compiled(self.tree, *objects, *flags, "-o", target)
        if done.returncode != 0:
            raise CouldNotRunError(f"{target.name} does not link: {done.stderr.decode()}")


@dataclass
class Workshop:
    """A tree with one fault (None: without), and the programs that are built from it."""

    folder: Path
    bench: Bench
    mutant: Mutant | None
    marked: tuple[str, ...] = ()  # files with marks
    blocks: list[Block] = field(default_factory=list)  # by the number of the mark
    within: str = ""  # the function that has the whole fault, or ""
    _objects: dict[Unit, Path] = field(default_factory=dict)
    _building: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        """Share the sources, except the mutated file."""
        for part in self.bench.plan.parts:
            shutil.copytree(self.bench.tree / part, self.folder / part, copy_function=os.link)
        if self.mutant is not None:
            file = self.folder / self.mutant.file
            source = file.read_bytes()
            self.within = function_around(source, self.mutant)
            file.unlink()
            file.write_bytes(self.mutant.apply(source))
        self.blocks = mark(self.folder, self.marked)
        stage(self.folder)

    @property
    def library(self) -> Path:
        """The path of the library, beside the programs."""
        return self.folder / self.bench.plan.library_name

    @property
    def step(self) -> Path:
        """The path of the stepped program."""
        return self.folder / "step"

    @property
    def _marks(self) -> tuple[Unit, ...]:
        """The unit that must be linked if files have marks."""
        marks = self.bench.plan.marks
        return (marks,) if self.marked and marks is not None else ()

    def _may_differ(self, unit: Unit) -> bool:
        """Whether the fault, or the marks, can change this unit's code."""
        known = self.bench.original(unit).reach
        if self.mutant is None:
            return not known.files.isdisjoint(self.marked)
        staged = self.mutant.file.replace("protocol/", f"{STAGED}/plafond/")
        if not known.files & {self.mutant.file, staged}:
            return False
        return not self.within or self.within in known.names

    def _object(self, unit: Unit) -> Path:
        """The unit's object. If it equals the original, this is the original's file."""
        if unit not in self._objects:
            original = self.bench.original(unit).object
            self._objects[unit] = self._compile(unit, original) or original
        return self._objects[unit]

    def _compile(self, unit: Unit, original: Path) -> Path | None:
        if not self._may_differ(unit):
            return None
        target = self.folder / f"{unit.source}.o"
        target.unlink(missing_ok=True)
        if compiled(self.folder, *unit.flags, "-c", unit.source, "-o", target).returncode != 0:
            raise StillbornError
        return None if target.read_bytes() == original.read_bytes() else target

    def is_original(self, tests: Iterable[str]) -> bool:
        """Whether the machine code of the library, its program and these tests is the original's.

        Tests that do not know the library do not count.
        """
        plan = self.bench.plan
        known = () if plan.preloads else (unit for test in tests for unit in plan.tests[test])
        return self._is_original((*plan.library, *plan.program, *known))

    def _is_original(self, units: Iterable[Unit]) -> bool:
        return all(self._object(u) == self.bench.original(u).object for u in units)

    def _link(self, target: Path, units: Sequence[Unit], *flags: object) -> None:
        done = compiled(self.folder, *map(self._object, units), *flags, "-o", target)
        if done.returncode != 0:
            raise StillbornError

    def build(self) -> None:
        """Build the library and its program. StillbornError if the compiler refuses."""
        plan = self.bench.plan
        units = (*plan.library, *self._marks)
        self._link(self.library, units, "-shared", *plan.library_flags)
        if plan.program:
            built = self.bench.build_program
            self._build_or_share(self.step, plan.program, built, *plan.program_flags)

    def build_test(self, name: str) -> Path:
        """Build a test of the library, if it is not built yet."""
        plan = self.bench.plan
        units = plan.tests[name]
        if plan.preloads and not any(map(self._may_differ, units)):
            return self.bench.build_test(name)
        program = self.folder / named(name)
        with self._building:
            if not program.exists() and plan.preloads:
                self._link(program, (*units, *self._marks), *linking_of(units), "-lcmocka")
            elif not program.exists():
                built = partial(self.bench.build_test, name)
                self._build_or_share(program, units, built, "-lcmocka")
        return program

    def _build_or_share(
        self, program: Path, units: Sequence[Unit], built: Callable[[], Path], *more: str
    ) -> None:
        """Link a program that finds the mutant beside it, or share the original's if equal."""
        if self._is_original(units):
            os.link(built(), program)
        else:
            linked = (*against(self.library.name), f"-L{self.folder}")
            self._link(program, (*units, *self._marks), *linked, *more)

    def clear_away(self) -> None:
        """Remove the tree."""
        shutil.rmtree(self.folder)
