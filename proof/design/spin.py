# SPDX-License-Identifier: MIT
"""Build a model for Spin and search it whole, breadth first, so that a way found is a shortest way.

The Promela part is the same for all models. The models differ in C code, which is compiled and
linked to it.
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
IOC = ROOT / "kernel" / "ioc"  # uses of protocol/ioc_*.h
MEMORY_MB = 4096
TIME_S = 9000  # finds a hang only: the longest search takes 120 s on an idle machine
# -O1 for searches, because more takes longer to compile than it saves. -O0 for mutants, because
# their searches stop at the first violation.
OPTIMISED, AT_ONCE = "-O1", "-O0"
# NOREDUCE, because partial-order reduction does not know the reads and writes of C code.
CHECKER = [
    OPTIMISED,
    "-w",
    "-DBFS",
    "-DNOREDUCE",
    "-DSAFETY",
    "-DNOFAIR",
    "-DNOCOMP",  # no byte of a state is left out, and states are stored uncompressed
    "-DVECTORSZ=4096",
    f"-DMEMLIM={MEMORY_MB}",
]
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Werror", "-Wno-unused-function"]
# The folders in which the compiler looks for headers, except that of generated files.
FOLDERS = tuple(path.relative_to(ROOT) for path in (HERE, PROTOCOL, ROOT, IOC))
READ = "read"  # a file in a program's folder that lists the files read by the compiler
GRAIN = 64  # bytes: models share a checker if their states have the same size after rounding up


@dataclass(frozen=True, slots=True)
class Model:
    """A C file around a protocol, and its defines."""

    source: str
    defines: tuple[tuple[str, str | int], ...]
    queries: tuple[str, ...] = ()  # conditions, in C
    forbidden: tuple[bool, ...] = ()  # whether the query must not be reachable

    def flags(self) -> list[str]:
        """Return the defines for the compiler."""
        return [f"-D{name}={value}" for name, value in self.defines]

    def header(self) -> str:
        """Return queries.h, which notes true conditions, and demands that forbidden ones are
        false."""
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
    """The finding of a search: it saw all states, or a way that breaks a rule."""

    states: int
    depth: int
    reached: tuple[bool, ...]
    asked: frozenset[str]  # rules that the search looked at, at least once
    way: tuple[str, ...]  # empty if no rule is broken

    @property
    def broken(self) -> str:
        """The text of the broken rule, or ""."""
        return next((s.removeprefix("BROKEN: ") for s in self.way if s.startswith("BROKEN")), "")


def run(command: Sequence[str | Path], folder: Path) -> str:
    """Return the output of a command. Raise CouldNotRunError if it is missing or fails."""
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
    """Raise CouldNotRunError unless Spin and a compiler are installed."""
    missing = [tool for tool in ("spin", "gcc") if shutil.which(tool) is None]
    if missing:
        raise CouldNotRunError(f"{', '.join(missing)}: not installed (apt install spin gcc)")


def prepare(folder: Path) -> None:
    """Generate the checker's source from the Promela part."""
    need_tools()
    run(["spin", "-a", HERE / "model.pml"], folder)


@cache
def _checker(folder: Path, size: int) -> Path:
    """Build the checker for states of that size."""
    target = folder / f"pan{size}.o"
    if not target.exists():
        part = folder / f"part{id(target)}.o"
        run(["gcc", *CHECKER, f"-DWORLD={size}", "-c", "pan.c", "-o", part], folder)
        part.rename(target)
    return target


def _size(world: Path) -> int:
    """Return the size of a state, rounded up to GRAIN."""
    with world.open("rb") as stream:
        table = ELFFile(stream).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        found = table.get_symbol_by_name("world_size")
        assert found is not None
        return -(-int(found[0]["st_size"]) // GRAIN) * GRAIN


def build(model: Model, folder: Path, own: Path, protocol: Path, *, strict: bool) -> Path:
    """Build the program that searches. `folder` has the shared files, `own` the model's files."""
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
    """Hash the model's machine code. The checker's code follows from Spin's input."""
    return hashlib.sha256((program.parent / "world.o").read_bytes()).hexdigest()[:16]


def sources_of(program: Path) -> list[Path]:
    """Return the files of the repository that the compiler read."""
    names = (program.parent / READ).read_text(encoding="utf-8").replace("\\\n", " ").split()[1:]
    paths = [Path(name).resolve() for name in names]
    return [path.relative_to(ROOT) for path in paths if path.is_relative_to(ROOT)]


def _number(pattern: str, output: str) -> int:
    found = re.search(pattern, output)
    if found is None:
        raise CouldNotRunError(f"pan: {output[-2000:]}")
    return int(found[1])


def search(program: Path) -> Search:
    """Search all reachable states; raise CouldNotRunError if the search does not end.

    If a rule is broken, the finding has a shortest way to it.
    """
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
