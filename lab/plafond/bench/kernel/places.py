# SPDX-License-Identifier: MIT
"""Find the instructions of an image that divide a log of all instructions."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.constants import P_FLAGS
from elftools.elf.elffile import ELFFile

SIZE = 4
REGISTER = 0x1F
MRS_CNTVCT_EL0 = 0xD53BE040  # the encoding for x0
WFI = 0xD503207F


@dataclass(frozen=True)
class Places:
    """The addresses of these instructions."""

    readings: frozenset[int]  # readings of the counter
    waits: frozenset[int]  # waits for an interrupt


def places_of(image: Path) -> Places:
    """Search all executable segments."""
    words = list(_words(image))
    return Places(
        readings=frozenset(at for at, word in words if word & ~REGISTER == MRS_CNTVCT_EL0),
        waits=frozenset(at for at, word in words if word == WFI),
    )


def _words(image: Path) -> Iterator[tuple[int, int]]:
    with image.open("rb") as file:
        for segment in ELFFile(file).iter_segments("PT_LOAD"):
            if segment.header.p_flags & P_FLAGS.PF_X:
                text = segment.data()
                for offset in range(0, len(text) - len(text) % SIZE, SIZE):
                    word = int.from_bytes(text[offset : offset + SIZE], "little")
                    yield segment.header.p_vaddr + offset, word
