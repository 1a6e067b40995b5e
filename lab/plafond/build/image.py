# SPDX-License-Identifier: MIT
"""Make an image: generate its configuration, compile, link."""

import re
import shutil
import subprocess
from collections.abc import Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from plafond.board.boards import Board, board_of
from plafond.board.recording import Recording
from plafond.build.configuration import Configuration, configuration_of
from plafond.build.debugger import write_commands
from plafond.build.definitions import check_definitions
from plafond.build.generate import FOR_TOOLS, LEVEL, write_files
from plafond.build.headers import hidden_headers
from plafond.build.locks import locks_of
from plafond.build.objects import Part, Unit, joined, units_of
from plafond.build.orti.objects import write_orti
from plafond.build.refuse import refuse_unfit
from plafond.describe.system import System
from plafond.errors import ArgumentError, PlafondError, RefusedError
from plafond.programs import own_folder

IMAGE = "image"  # the ELF file of an image's folder, as in build.ninja


@dataclass(frozen=True)
class Image:
    """An image, and its inputs."""

    system: System
    configuration: Configuration
    units: tuple[Unit, ...]
    folder: Path
    warnings: tuple[str, ...] = ()  # warnings of a successful build

    @property
    def path(self) -> Path:
        """The ELF file."""
        return self.folder / IMAGE

    @property
    def board(self) -> Board:
        """The board that it runs on."""
        return self.configuration.board


def build_image(
    system: System,
    board: str,
    protocol: str | None = None,
    folder: Path | None = None,
    recording: Recording | None = None,
    level: str = LEVEL,
    *,
    for_tools: bool = True,
    join: Container[Part] = (),
) -> Image:
    """Build an image for a board; `protocol` overrides the description's protocol.

    `level`: the compiler's option of optimization. `for_tools`: add the data for debuggers and
    report_of(). Without these data, the same code takes three quarters of the time to build.
    `join`: parts whose files joined() merges. If user files are joined, only the linker reports
    missing functions.

    DescriptionError names parts that the board cannot hold. PlafondError has the compiler's output.
    RefusedError names a missing program. ArgumentError names a file that cannot be written.
    """
    chosen = board_of(board)
    locks = locks_of(system, chosen, protocol)
    folder = folder or default_folder(system, board)
    _refuse_missing(chosen)
    refuse_unfit(system, chosen, locks)
    _refuse_folder(system, folder)
    configuration = configuration_of(system, chosen, locks, recording)
    units = units_of(system, configuration)
    units = joined(units, join)
    options = f"{level} {FOR_TOOLS}" if for_tools else level
    with _written_to(folder):
        folder.mkdir(parents=True, exist_ok=True)
        write_files(system, configuration, units, folder, options)
        if for_tools:
            write_commands(system, configuration, folder)
            write_orti(configuration, folder)
    said = _make(system, units, folder, is_checked=Part.USER not in join)
    warnings = (*hidden_headers(system, configuration), *said)
    return Image(system, configuration, tuple(units), folder, warnings)


def default_folder(system: System, board: str) -> Path:
    """Return an image's default folder."""
    stem = system.file.stem if system.file else system.name
    return own_folder("kernel") / f"{stem}-{board}"


def _refuse_folder(system: System, folder: Path) -> None:
    """Refuse a folder in which generated files could overwrite others."""
    files = [*system.c_files]
    if system.file:
        files.append(system.file)
    if folder.resolve() in {file.resolve().parent for file in files}:
        raise ArgumentError(
            f"--out: found {folder}, where the description or its sources are; "
            "expected a folder of its own"
        )


def _refuse_missing(board: Board) -> None:
    for program, package in ((f"{board.prefix}gcc", board.package), ("ninja", "ninja-build")):
        if not shutil.which(program):
            raise RefusedError(f"{program} is missing: apt install {package}")


@contextmanager
def _written_to(folder: Path) -> Iterator[None]:
    """Raise ArgumentError, which names the folder or file, if the system refuses to write."""
    try:
        yield
    except OSError as error:
        place = error.filename or folder
        raise ArgumentError(f"--out: cannot write to {place}: {error.strerror}") from None


def _make(system: System, units: list[Unit], folder: Path, *, is_checked: bool) -> list[str]:
    """Compile and link; return warnings, and functions that are never called."""
    code, output = _run_ninja(folder)
    failed = re.findall(r"^FAILED: (?:\[code=\d+\] )?(\S+)", output, re.MULTILINE)
    # If only the linker failed, all objects exist.
    is_compiled = is_checked and (code == 0 or failed == [IMAGE])
    unused = check_definitions(system, units, folder) if is_compiled else []
    if code != 0:
        said = _said(output) or output.splitlines()[-1:]
        raise PlafondError("\n".join([f"the image was not built in {folder}:", *said]))
    return [*_said(output), *unused]


def _run_ninja(folder: Path) -> tuple[int, str]:
    process = subprocess.Popen(
        ["ninja", "-C", folder, "-k", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        errors="replace",
    )
    try:
        output = process.communicate()[0]
    except BaseException:
        process.terminate()  # ninja ends its compilers
        process.wait()
        raise
    return process.returncode, output


def _said(output: str) -> list[str]:
    """Return the messages of the compiler and linker, without ninja's lines."""
    lines = iter(output.splitlines())
    found = []
    for line in lines:
        if line.startswith("FAILED: "):
            next(lines, None)  # skip the command
        elif not line.startswith(("[", "ninja: ")):
            found.append(line)
    return found
