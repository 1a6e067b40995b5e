# SPDX-License-Identifier: MIT
"""Builds what is swept: one C file around a protocol's header, for one instruction set."""

from __future__ import annotations

import hashlib
import subprocess
import tempfile
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.constants import P_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

HERE = Path(__file__).resolve().parent
SHARED = "proof_shared"
# No vector registers, as in the kernel; whatever lives below the stack pointer would be lost.
FLAGS = [
    *("-std=gnu17", "-O2", "-Wall", "-Wextra", "-Wno-unused-function"),
    *("-Wno-unused-parameter", "-ffreestanding"),
    *("-fno-pie", "-fno-stack-protector", "-fno-asynchronous-unwind-tables"),
    *("-mgeneral-regs-only", "-static", "-nostdlib", "-Wl,--build-id=none", "-Wl,-e,0"),
]
COMPILERS = {
    "x86-64": ["x86_64-linux-gnu-gcc", "-mno-red-zone", "-fcf-protection=none"],
    "aarch64": ["aarch64-linux-gnu-gcc", "-mno-outline-atomics"],
}
ISAS = tuple(COMPILERS)


class CannotBuildError(Exception):
    """There is no compiler, or it refuses: nothing is known about the sources."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of memory at its address."""

    address: int
    data: bytes
    size: int
    is_code: bool


@dataclass(frozen=True, slots=True)
class Image:
    """The linked program, as the machine loads it."""

    isa: str
    segments: tuple[Segment, ...]
    symbols: dict[str, int]
    functions: tuple[tuple[int, str], ...]
    text: Segment
    shared: Segment  # what actors may change together; all else is constant or an actor's own

    @property
    def digest(self) -> str:
        """Equal for two images of the same machine code."""
        return hashlib.sha256(self.text.data).hexdigest()

    def where(self, address: int) -> str:
        """Name the function there, and how far in."""
        place = bisect_right(self.functions, (address, "\x7f")) - 1
        if place < 0:
            return hex(address)
        start, name = self.functions[place]
        return f"{name}+{address - start:#x}"


def build_image(isa: str, source: Path, protocol: Path, defines: Sequence[str]) -> Image:
    """Compile one file with the headers of the folder `protocol`."""
    command = [*COMPILERS[isa], *FLAGS, f"-I{protocol}", f"-I{HERE}", *defines, str(source)]
    with tempfile.TemporaryDirectory(prefix="plafond-boundary-") as folder:
        target = Path(folder) / "image.elf"
        _compile([*command, "-o", str(target)])
        return _read(isa, target)


def _compile(command: Sequence[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except OSError as error:
        raise CannotBuildError(f"{error.filename}: {error.strerror}") from error
    except subprocess.CalledProcessError as error:
        raise CannotBuildError(str(error.stderr)) from error


def _read(isa: str, target: Path) -> Image:
    with target.open("rb") as stream:
        elf = ELFFile(stream)
        table = elf.get_section_by_name(".symtab")
        text = elf.get_section_by_name(".text")
        assert isinstance(table, SymbolTableSection)
        assert text is not None
        named = [s for s in table.iter_symbols() if s["st_shndx"] != "SHN_UNDEF"]
        shared = next(s for s in named if s.name == SHARED)
        return Image(
            isa=isa,
            segments=tuple(
                Segment(s["p_vaddr"], s.data(), s["p_memsz"], bool(s["p_flags"] & P_FLAGS.PF_X))
                for s in elf.iter_segments()
                if s["p_type"] == "PT_LOAD"
            ),
            symbols={s.name: s["st_value"] for s in named},
            functions=tuple(
                sorted((s["st_value"], s.name) for s in named if s["st_info"]["type"] == "STT_FUNC")
            ),
            text=Segment(text["sh_addr"], text.data(), text["sh_size"], is_code=True),
            shared=Segment(shared["st_value"], b"", shared["st_size"], is_code=False),
        )
