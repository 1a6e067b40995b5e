# SPDX-License-Identifier: MIT
"""Builds a model for Spin and searches it whole, breadth first, so that a way found is a shortest.

The Promela part is the same for all models; what differs is C, compiled and linked to it.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from proof.result import ROOT, CouldNotRunError

HERE = Path(__file__).resolve().parent
PROTOCOL = ROOT / "protocol"
IOC = ROOT / "kernel" / "ioc"  # what is made of protocol/ioc_*.h
MEMORY_MB = 4096
TIME_S = 9000  # finds a hang only: the longest takes 120 on a machine of its own
# More than -O1 takes longer to compile than it saves of the searches; to a mutant's, which is
# over at its first violation, the compiler gives even less.
OPTIMISED, AT_ONCE = "-O1", "-O0"
# NOREDUCE: partial-order reduction knows nothing of what C code reads and writes.
CHECKER = [
    OPTIMISED,
    "-w",
    "-DBFS",
    "-DNOREDUCE",
    "-DSAFETY",
    "-DNOFAIR",
    "-DNOCOMP",  # no byte of a state is left out; they are stored as they are
    "-DVECTORSZ=4096",
    f"-DMEMLIM={MEMORY_MB}",
]
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Werror", "-Wno-unused-function"]
# Where the compiler looks for headers, beside what is generated.
FOLDERS = tuple(path.relative_to(ROOT) for path in (HERE, PROTOCOL, ROOT, IOC))
READ = "read"  # a file of a program's folder: all that the compiler read
GRAIN = 64  # models whose states are of a like size share a checker


@dataclass(frozen=True, slots=True)
class Model:
    """A C file around a protocol, and what it is compiled with."""

    source: str
    defines: tuple[tuple[str, str | int], ...]
    queries: tuple[str, ...] = ()  # conditions, in C
    forbidden: tuple[bool, ...] = ()  # must not be in reach

    def flags(self) -> list[str]:
        """For the compiler."""
        return [f"-D{name}={value}" for name, value in self.defines]

    def header(self) -> str:
        """queries.h: which conditions were found true, and which must not be."""
        looks = [
            f"\tif ({text}) {{\n\t\treached[{i}] = true;\n"
            f"\t\tdemand(w, {str(not no).lower()}, BREAKS_QUERY);\n\t}}\n"
            for i, (text, no) in enumerate(zip(self.queries, self.forbidden, strict=True))
        ]
        return (
            f"static bool reached[{len(self.queries) + 1}];\n"
            "static inline void look_for_queries(struct world *w)\n{\n\t(void)w;\n"
            + "".join(looks)
            + "}\n"
            "__attribute__((destructor)) static void print_reached(void)\n{\n"
            f"\tfor (int i = 0; i < {len(self.queries)}; i++)\n"
            '\t\tprintf("query %d %d\\n", i, reached[i]);\n}\n'
        )


@dataclass(frozen=True, slots=True)
class Search:
    """What a search found: all of it was seen, or a way that breaks a rule."""

    states: int
    depth: int
    reached: tuple[bool, ...]
    asked: frozenset[str]  # the rules that were looked at, at least once
    way: tuple[str, ...]  # empty: no rule is broken

    @property
    def broken(self) -> str:
        """The rule."""
        return next((s.removeprefix("BROKEN: ") for s in self.way if s.startswith("BROKEN")), "")


def run(command: Sequence[str | Path], folder: Path) -> str:
    """Its output; the command must be there, and succeed."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=TIME_S)
    except OSError as error:
        raise CouldNotRunError(f"{error.filename}: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise CouldNotRunError(f"{Path(command[0]).name}: out of time after {TIME_S} s") from error
    if done.returncode != 0:
        raise CouldNotRunError(f"{Path(command[0]).name}: {done.stderr or done.stdout}")
    return done.stdout


def need_tools() -> None:
    """Spin, and a compiler."""
    missing = [tool for tool in ("spin", "gcc") if shutil.which(tool) is None]
    if missing:
        raise CouldNotRunError(f"{', '.join(missing)}: not installed (apt install spin gcc)")


def prepare(folder: Path) -> None:
    """The checker's source, from the Promela part."""
    need_tools()
    run(["spin", "-a", HERE / "model.pml"], folder)


@cache
def _checker(folder: Path, size: int) -> Path:
    """The checker for states of that size."""
    target = folder / f"pan{size}.o"
    if not target.exists():
        part = folder / f"part{id(target)}.o"
        run(["gcc", *CHECKER, f"-DWORLD={size}", "-c", "pan.c", "-o", part], folder)
        part.rename(target)
    return target


def _size(world: Path) -> int:
    """Of a state, rounded up."""
    with world.open("rb") as stream:
        table = ELFFile(stream).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        found = table.get_symbol_by_name("world_size")
        assert found is not None
        return -(-int(found[0]["st_size"]) // GRAIN) * GRAIN


def build(model: Model, folder: Path, own: Path, protocol: Path, *, strict: bool) -> Path:
    """The program that searches; `folder` has what models share, `own` becomes this one's."""
    own.mkdir(parents=True, exist_ok=True)
    (own / "queries.h").write_text(model.header(), encoding="utf-8")
    world = own / "world.o"
    run(
        [
            *("gcc", "-std=gnu17", *([OPTIMISED, *WARNINGS] if strict else [AT_ONCE, "-w"])),
            *(f"-I{HERE}", f"-I{protocol}", f"-I{protocol.parent}", f"-I{own}"),
            *(f"-I{IOC}", *model.flags()),
            *("-MD", "-MF", own / READ, "-c", HERE / model.source, "-o", world),
        ],
        folder,
    )
    program = own / "pan"
    run(["gcc", _checker(folder, _size(world)), world, "-o", program], folder)
    return program


def code_of(program: Path) -> str:
    """A hash of the model's machine code; that of the checker follows from what Spin is given."""
    return hashlib.sha256((program.parent / "world.o").read_bytes()).hexdigest()[:16]


def sources_of(program: Path) -> list[Path]:
    """All of the repository that the compiler read."""
    names = (program.parent / READ).read_text(encoding="utf-8").replace("\\\n", " ").split()[1:]
    paths = [Path(name).resolve() for name in names]
    return [path.relative_to(ROOT) for path in paths if path.is_relative_to(ROOT)]


def _number(pattern: str, output: str) -> int:
    found = re.search(pattern, output)
    if found is None:
        raise CouldNotRunError(f"pan: {output[-2000:]}")
    return int(found[1])


def search(program: Path) -> Search:
    """All that is in reach, or the shortest way to a broken rule. Half a search is none."""
    own = program.parent
    output = run([program, "-w21"], own)
    errors = _number(r"errors: (\d+)", output)
    is_whole = "Search not completed" not in output
    for sign in ("MEMLIM", "out of memory", "max search depth too small"):
        if sign in output:
            raise CouldNotRunError(f"pan: {sign}: the search did not end")
    if errors == 0 and not is_whole:
        raise CouldNotRunError("pan: the search did not end")
    way: tuple[str, ...] = ()
    if errors > 0:
        reported = run([program, "-r", "model.pml.trail"], own)
        way = tuple(line[2:] for line in reported.splitlines() if line.startswith("| "))
        if not way or not way[-1].startswith("BROKEN"):
            raise CouldNotRunError(f"pan: stopped for another reason: {output[:500]}")
    return Search(
        _number(r"(\d+) states, stored", output),
        _number(r"depth reached (\d+)", output),
        tuple(bit == "1" for bit in re.findall(r"^query \d+ ([01])$", output, re.MULTILINE)),
        frozenset(re.findall(r"^asked (\w+)$", output, re.MULTILINE)),
        way,
    )
