# SPDX-License-Identifier: MIT
"""Builds swept images: C files around a protocol's header, for an instruction set."""

from __future__ import annotations

import hashlib
import struct
import subprocess
import tempfile
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from elftools.elf.constants import P_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Symbol, SymbolTableSection

from proof.certificate import digest
from proof.reach import reach
from proof.result import CouldNotRunError

HERE = Path(__file__).resolve().parent
PIECES = "proof_pieces"
# No vector registers, as in the kernel. No red zone, because bytes below the stack pointer get
# lost.
FLAGS = [
    *("-std=gnu17", "-O2", "-Wall", "-Wextra", "-Wno-unused-function"),
    *("-Wno-unused-parameter", "-ffreestanding"),
    *("-fno-pie", "-fno-stack-protector", "-fno-asynchronous-unwind-tables"),
    "-mgeneral-regs-only",
]
LINKED = ["-no-pie", "-static", "-nostdlib", "-Wl,--build-id=none", "-Wl,-e,0"]
COMPILERS = {
    "x86-64": ["x86_64-linux-gnu-gcc", "-mno-red-zone", "-fcf-protection=none"],
    "aarch64": ["aarch64-linux-gnu-gcc", "-mno-outline-atomics"],
}
ISAS = tuple(COMPILERS)
MOST_LINKED = 64  # cached images; a proof without faults has fewer


class CannotBuildError(CouldNotRunError):
    """There is no compiler, or it refuses. The result says nothing about the sources."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of memory at its address."""

    address: int
    data: bytes
    size: int
    is_code: bool


class Piece(NamedTuple):
    """A piece of the memory that actors and the kernel change together."""

    address: int
    size: int


@dataclass(frozen=True, slots=True)
class Compiled:
    """An object, its C file, and all files that the compiler read, relative to the tree."""

    source: str
    read: frozenset[Path]
    code: bytes
    command: tuple[str, ...]  # that compiled it, without the output file

    def names(self) -> frozenset[str]:
        """The functions on which its code may depend. The tree must still exist."""
        expanded = _run([*self.command, "-E"])
        return reach(expanded.encode()).names


@dataclass(frozen=True, slots=True)
class Image:
    """The linked program, as the machine loads it."""

    isa: str
    segments: tuple[Segment, ...]
    symbols: dict[str, int]
    functions: tuple[tuple[int, str], ...]
    text: Segment
    shared: tuple[Piece, ...]  # the driver's proof_pieces; the rest is constant or private
    objects: tuple[Compiled, ...]

    @property
    def sources(self) -> frozenset[Path]:
        """All files of the tree that the compiler read, relative to the tree."""
        return frozenset().union(*(each.read for each in self.objects))

    @property
    def digest(self) -> str:
        """Equal for two images of the same machine code."""
        return hashlib.sha256(self.text.data).hexdigest()

    @property
    def code(self) -> str:
        """A hash of everything that a sweep can see of the image."""
        return digest(self.isa, self.segments, sorted(self.symbols.items()), self.shared)

    def place(self, symbol: str) -> int:
        """The offset of a variable in the shared memory, whose pieces follow each other."""
        start = 0
        for address, size in self.shared:
            offset = self.symbols[symbol] - address
            if 0 <= offset < size:
                return start + offset
            start += size
        raise KeyError(symbol)

    def where(self, address: int) -> str:
        """Name the function at this address, and the offset in it."""
        place = bisect_right(self.functions, (address, "\x7f")) - 1
        if place < 0:
            return hex(address)
        start, name = self.functions[place]
        return f"{name}+{address - start:#x}"


def build_image(
    isa: str,
    tree: Path,
    sources: Sequence[str],
    flags: Sequence[str],
    known: Sequence[Compiled] = (),
) -> Image:
    """Compile the files of a tree, unless their objects are known, and link all objects."""
    with tempfile.TemporaryDirectory(prefix="plafond-boundary-") as name:
        folder, found = Path(name), {each.source: each for each in known}
        objects = tuple(
            found.get(source) or _compiled(isa, tree, source, flags, folder) for source in sources
        )
    return replace(_linked(isa, tuple(each.code for each in objects)), objects=objects)


@lru_cache(maxsize=MOST_LINKED)
def _linked(isa: str, codes: tuple[bytes, ...]) -> Image:
    """Cached by the objects, so that a mutant with the same code is not linked again."""
    with tempfile.TemporaryDirectory(prefix="plafond-linked-") as name:
        folder = Path(name)
        files = [folder / f"{i}.o" for i in range(len(codes))]
        for file, code in zip(files, codes, strict=True):
            file.write_bytes(code)
        target = folder / "image.elf"
        _run([*COMPILERS[isa], *LINKED, *map(str, files), "-o", str(target)])
        return _read(isa, target)


def _compiled(isa: str, tree: Path, source: str, flags: Sequence[str], folder: Path) -> Compiled:
    target, listed = folder / "compiled.o", folder / "read"
    command = (*COMPILERS[isa], *FLAGS, *flags, f"-I{HERE}", "-c", str(tree / source))
    _run([*command, "-MD", "-MF", str(listed), "-o", str(target)])
    read = listed.read_text(encoding="utf-8").replace("\\\n", " ").split()[1:]
    paths, root = (Path(name).resolve() for name in read), tree.resolve()
    of_tree = frozenset(p.relative_to(root) for p in paths if p.is_relative_to(root))
    return Compiled(source, of_tree, target.read_bytes(), command)


def _run(command: Sequence[str]) -> str:
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout
    except OSError as error:
        raise CannotBuildError(f"{error.filename}: {error.strerror}") from error
    except subprocess.CalledProcessError as error:
        raise CannotBuildError(str(error.stderr)) from error


def _pieces(segments: Sequence[Segment], table: Symbol) -> tuple[Piece, ...]:
    """Read the array of first and last addresses."""
    start, size = table["st_value"], table["st_size"]
    held = next(s for s in segments if 0 <= start - s.address < len(s.data))
    data = held.data[start - held.address :][:size]
    return tuple(Piece(first, last - first) for first, last in struct.iter_unpack("<QQ", data))


def _read(isa: str, target: Path) -> Image:
    with target.open("rb") as stream:
        elf = ELFFile(stream)
        table = elf.get_section_by_name(".symtab")
        text = elf.get_section_by_name(".text")
        assert isinstance(table, SymbolTableSection)
        assert text is not None
        named = [s for s in table.iter_symbols() if s["st_shndx"] != "SHN_UNDEF"]
        segments = tuple(
            Segment(s["p_vaddr"], s.data(), s["p_memsz"], bool(s["p_flags"] & P_FLAGS.PF_X))
            for s in elf.iter_segments()
            if s["p_type"] == "PT_LOAD"
        )
        return Image(
            isa=isa,
            segments=segments,
            symbols={s.name: s["st_value"] for s in named},
            functions=tuple(
                sorted((s["st_value"], s.name) for s in named if s["st_info"]["type"] == "STT_FUNC")
            ),
            text=Segment(text["sh_addr"], text.data(), text["sh_size"], is_code=True),
            shared=_pieces(segments, next(s for s in named if s.name == PIECES)),
            objects=(),
        )
