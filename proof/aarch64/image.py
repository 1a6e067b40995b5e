# SPDX-License-Identifier: MIT
"""Builds the swept image: the library's own sources, the driver, and stand-ins for libc."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.constants import P_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from proof.result import CouldNotRunError

COMPILER = "aarch64-linux-gnu-gcc"
# The flags of the library's build (RelWithDebInfo, position-independent), and no libc.
FLAGS = ["-std=gnu17", "-O2", "-g", "-DNDEBUG", "-fPIC", "-Wall", "-Wextra"]
LINK_FLAGS = ["-static", "-nostdlib", "-Wl,-e,proof_once", "-Wl,--build-id=none"]
LIBRARY = {
    "core": (
        *("admission.c", "arena.c", "frames.c", "gate.c", "recursive.c", "registry.c"),
        "server.c",
    ),
    "lib": ("mutex.c", "wait.c"),
}
HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of memory at its address."""

    address: int
    data: bytes
    size: int
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class Image:
    """The linked program, as the machine loads it."""

    segments: list[Segment]
    tls: Segment
    tls_alignment: int
    symbols: dict[str, int]
    functions: list[tuple[int, str]]
    text: Segment
    isa: str = "aarch64"

    @property
    def digest(self) -> str:
        """Equal for two images of the same machine code."""
        return hashlib.sha256(self.text.data).hexdigest()

    def where(self, address: int) -> str:
        """Name the function at this address, and the offset in it."""
        place = bisect_right(self.functions, (address, "\x7f")) - 1
        if place < 0:
            return hex(address)
        start, name = self.functions[place]
        return f"{name}+{address - start:#x}"


def _copied_driver(build: Path, sources: Path) -> list[str]:
    """Return the C files. The driver includes linux/ of the tree that is under test."""
    rooms = build / "proof" / "aarch64"
    rooms.mkdir(parents=True, exist_ok=True)
    for name in "driver.c", "stubs.c":
        shutil.copyfile(HERE / name, rooms / name)
    library = []
    for room, files in LIBRARY.items():
        folder = build / "linux" / room
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(sources / "linux" / room, folder, ignore=shutil.ignore_patterns("test"))
        library += [str(folder / name) for name in files]
    staged = build / "include" / "plafond"
    staged.mkdir(parents=True, exist_ok=True)
    for header in (sources / "protocol").glob("*.h"):
        shutil.copyfile(header, staged / header.name)
    return [str(rooms / "driver.c"), str(rooms / "stubs.c"), *library]


def build_image(sources: Path, build: Path) -> Image:
    """Compile from the tree `sources` in the folder `build`."""
    target = build / "image.elf"
    try:
        files = _copied_driver(build, sources)
        folders = "linux/lib/include", "linux/core", "include"
        includes = [f"-I{build / folder}" for folder in folders]
        command = [COMPILER, *FLAGS, *includes, *LINK_FLAGS, *files, "-lgcc", "-o", str(target)]
        subprocess.run(command, check=True, capture_output=True, text=True)
    except OSError as error:
        raise CouldNotRunError(f"{error.filename}: {error.strerror}") from error
    except subprocess.CalledProcessError as error:
        raise CouldNotRunError(str(error.stderr)) from error
    return _read(target)


def _read(target: Path) -> Image:
    with target.open("rb") as stream:
        elf = ELFFile(stream)
        loads, tls, alignment = [], Segment(0, b"", 0), 16
        for segment in elf.iter_segments():
            is_code = bool(segment["p_flags"] & P_FLAGS.PF_X)
            piece = Segment(segment["p_vaddr"], segment.data(), segment["p_memsz"], is_code)
            if segment["p_type"] == "PT_LOAD":
                loads.append(piece)
            elif segment["p_type"] == "PT_TLS":
                tls, alignment = piece, max(16, segment["p_align"])
        table = elf.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        named = [s for s in table.iter_symbols() if s["st_shndx"] != "SHN_UNDEF"]
        text = elf.get_section_by_name(".text")
        assert text is not None
        return Image(
            segments=loads,
            tls=tls,
            tls_alignment=alignment,
            symbols={s.name: s["st_value"] for s in named},
            functions=sorted(
                (s["st_value"], s.name) for s in named if s["st_info"]["type"] == "STT_FUNC"
            ),
            text=Segment(text["sh_addr"], text.data(), text["sh_size"]),
        )
