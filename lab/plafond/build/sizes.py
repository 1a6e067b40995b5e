# SPDX-License-Identifier: MIT
"""The share of each part in an image's size, from the linker's map."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from elftools.construct.lib.container import Container
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from pydantic import BaseModel

from plafond.build.image import Image
from plafond.rows import Column

BEGIN = "Linker script and memory map"
# ".name  ADDRESS  SIZE  FILE"; a long name is on a separate line.
INPUT = re.compile(r"^ (\S+)\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) (\S+)$", re.MULTILINE)
WORDS = ".plf_words"
TABLES = ".tables"


class Sizes(BaseModel):
    """The size of a part: code and constants, initialised data, and zeros."""

    part: Annotated[str, Column("part")]
    text: Annotated[int, Column("text")] = 0
    data: Annotated[int, Column("data")] = 0
    bss: Annotated[int, Column("bss")] = 0


@dataclass(frozen=True)
class ImageSizes:
    """The sizes of all parts, and of the translation tables if the board has them."""

    parts: list[Sizes]
    page_tables: int


@dataclass(frozen=True)
class _Output:
    start: int
    end: int
    kind: str  # name of a field of Sizes


def sizes_of(image: Image) -> ImageSizes:
    """Add up the sections that the linker took from each object."""
    parts = {unit.object: str(unit.part) for unit in image.units}
    rows = {name: Sizes(part=name) for name in [*dict.fromkeys(parts.values()), "shared words"]}
    rows["libraries"] = Sizes(part="libraries")
    outputs, page_tables = _outputs(image.path)
    for name, address, size, file in _inputs(image.folder / "image.map"):
        kind = next((o.kind for o in outputs if o.start <= address < o.end), None)
        if kind is None or not size:
            continue
        part = "shared words" if name == WORDS else parts.get(file, "libraries")
        setattr(rows[part], kind, getattr(rows[part], kind) + size)
    used = [row for row in rows.values() if row.text or row.data or row.bss]
    return ImageSizes(used, page_tables)


def _inputs(file: Path) -> Iterator[tuple[str, int, int, str]]:
    """Each section in the image: its name, address, size and object."""
    text = file.read_text().partition(BEGIN)[2]
    for name, address, size, where in INPUT.findall(text):
        yield name, int(address, 16), int(size, 16), where


def _outputs(file: Path) -> tuple[list[_Output], int]:
    """The sections of the image in memory, and the size of the page tables."""
    found = []
    page_tables = 0
    with file.open("rb") as opened:
        for section in ELFFile(opened).iter_sections():
            header = section.header
            if section.name == TABLES:
                page_tables = header.sh_size
            elif header.sh_flags & SH_FLAGS.SHF_ALLOC:
                start = header.sh_addr
                found.append(_Output(start, start + header.sh_size, _kind(header)))
    return found, page_tables


def _kind(header: Container) -> str:
    if header.sh_type == "SHT_NOBITS":
        return "bss"
    return "data" if header.sh_flags & SH_FLAGS.SHF_WRITE else "text"
