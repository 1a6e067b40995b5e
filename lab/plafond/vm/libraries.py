# SPDX-License-Identifier: MIT
"""Find the libraries of a guest's program that the loader of the guest's processor would load."""

import re
import subprocess
from pathlib import Path

from plafond.errors import RefusedError
from plafond.vm.guest import Processor

ELF = b"\x7fELF"
# Debian's cross compiler has the C library here that a guest has in /lib.
CROSS_ROOT = Path("/usr/aarch64-linux-gnu")
READELF = "aarch64-linux-gnu-readelf"
NAMED = re.compile(r"(NEEDED|RUNPATH|interpreter)[^\[:]*[\[:] ?\[?([^\]]+)\]")


def libraries_of(file: Path, processor: Processor) -> dict[str, Path]:
    """Return the libraries of a program and its loader, by their path in the guest."""
    with file.open("rb") as stream:
        if stream.read(4) != ELF:
            return {}
    if processor is Processor.X86_64:
        return {str(library): library for library in _as_loaded_here(file)}
    found: dict[str, Path] = {}
    _collect(file, found)
    return found


def _as_loaded_here(file: Path) -> list[Path]:
    """Return the list of this machine's loader."""
    listed = subprocess.run(["ldd", file], capture_output=True, text=True, check=False).stdout
    return [Path(path) for path in re.findall(r"(/\S+) \(0x", listed)]


def _collect(file: Path, found: dict[str, Path]) -> None:
    """Add the libraries that `file` needs: from its RUNPATH if they exist, else the C library's."""
    needed, folders = _read(file)
    for name in needed:
        places = [*(folder / name for folder in folders), CROSS_ROOT / "lib" / Path(name).name]
        library = next((place for place in places if place.exists()), None)
        if library is None:
            raise RefusedError(f"{file.name} needs {name}, which is not in {CROSS_ROOT}/lib")
        place = str(library).removeprefix(str(CROSS_ROOT))
        if place not in found:
            found[place] = library
            _collect(library, found)


def _read(file: Path) -> tuple[list[str], list[Path]]:
    """Return the loader and libraries that an ELF file names, and the folders to search first."""
    command = [READELF, "--wide", "--program-headers", "--dynamic", str(file)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    named = NAMED.findall(said)
    folders = [Path(part) for kind, text in named if kind == "RUNPATH" for part in text.split(":")]
    return [text for kind, text in named if kind != "RUNPATH"], folders
