# SPDX-License-Identifier: MIT
"""Build the image of a system once, then run it with a series of programs."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from bounded import Bounds, run_to_bytes
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from plafond.board.boards import board_of
from plafond.board.image import image_command
from plafond.board.qemu import serial_at_stdio
from plafond.build.generate import LEVEL
from plafond.build.image import build_image
from plafond.build.objects import Part
from plafond.build.services import load_services
from plafond.describe.kernel import Scheduler
from plafond.describe.loading import load

from .program import Code, Note, Program, decoded, encoded
from .system import System, description_of

HERE = Path(__file__).parent
BOUNDS = {"sim": Bounds(10, 60.0), "a53": Bounds(60, 60.0)}


@dataclass(frozen=True)
class Ending:
    """The notes of an image, and its exit code."""

    code: int
    notes: list[Note]
    wrong: str = ""  # it hung, or wrote no valid history


@dataclass(frozen=True)
class Player:
    """An image, the offset of its program, and the way to run it."""

    elf: bytes
    offset: int
    board: str
    file: Path  # the image with a program
    by_hardware: bool  # whether the scheduler is hardware
    is_lazy: bool = False  # whether the floors are lazy

    def play(self, program: Program) -> Ending:
        """Run the image with this program."""
        blob = encoded(program)
        self.file.write_bytes(self.elf[: self.offset] + blob + self.elf[self.offset + len(blob) :])
        self.file.chmod(0o755)
        serial = serial_at_stdio() if self.board == "a53" else ()
        command = image_command(self.file, board_of(self.board), serial)
        bounds = BOUNDS[self.board]
        ended = run_to_bytes(command, bounds)
        if hung := bounds.hung(ended):
            return Ending(-1, [], hung)
        try:
            return Ending(ended.code, decoded(ended.output))
        except ValueError as error:
            said = ended.errors.decode(errors="replace").strip()
            return Ending(ended.code, [], f"wrote no history: {error} {said}")


def build_player(
    system: System,
    name: str,
    board: str,
    protocol: str,
    build: Path,
    *,
    level: str = LEVEL,
    join: Container[Part] = (),
) -> Player:
    """Build the image, with `level` and `join` as in build_image(). Raises PlafondError on failure.

    `protocol` begins with the scheduler if that is not the usual scheduler, as in tests.txt.
    """
    folder = build / f"{name}-{board}-{protocol.replace(':', '-')}"
    folder.mkdir(parents=True, exist_ok=True)
    description = build / f"{name}.toml"
    texts = {
        description: description_of(system, os.path.relpath(HERE, build)),
        folder / "steps_of_services.h": "".join(steps_of_services()),
    }
    for file, text in texts.items():
        if not file.exists() or file.read_text() != text:
            file.write_text(text)
    described = load(description)
    *scheduler, locks = protocol.split(":")
    if scheduler:
        described = replace(described, scheduler=Scheduler(scheduler[0]))
    # Without warnings, because a mutant may use less than the kernel.
    options = f"{level} -w"
    image = build_image(described, board, locks, folder, level=options, for_tools=False, join=join)
    return Player(
        elf=image.path.read_bytes(),
        offset=_offset_of(image.path, "program"),
        board=board,
        file=folder / "with_program",
        by_hardware=described.scheduler == Scheduler.HARDWARE,
        is_lazy=locks == "lazy-floor",
    )


def steps_of_services() -> Iterator[str]:
    """Yield the lines of a table in C: by the number of a service, its step if it has a step."""
    for group in load_services().groups:
        yield f"#if {group.image or 1}\n"
        for service in group.named:
            if service.number in Code.__members__:
                number = f"{group.prefix}ServiceId_{service.name}"
                yield f"[{number}] = STEP_{service.number},\n"
        yield "#endif\n"


def _offset_of(image: Path, name: str) -> int:
    """Return the offset of an object in the file."""
    with image.open("rb") as file:
        elf = ELFFile(file)
        table = elf.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        address = int((table.get_symbol_by_name(name) or [])[0]["st_value"])
        for segment in elf.iter_segments("PT_LOAD"):
            start = int(segment["p_vaddr"])
            if start <= address < start + int(segment["p_filesz"]):
                return int(segment["p_offset"]) + address - start
    raise ValueError(f"{image}: {name} is in no segment")
