# SPDX-License-Identifier: MIT
"""The options of a run, as the command line gives them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryFile

from plafond.board.boards import Board
from plafond.errors import ArgumentError
from plafond.vm.guest import Guest
from plafond.words import suggestion

HIGHEST_SCALE = 1000


@dataclass(frozen=True)
class Options:
    """The options of a call of `plafond run`."""

    command: str
    protocols: list[str]
    scale: Fraction
    activations: int | None
    seed: int | None
    out: Path
    shown: str | None  # the task of the pictures; None: chosen by Execution.shown_task
    overheads: bool  # compute also bounds with the overheads of the target
    guest: Guest | None  # the virtual machine, with --on vm
    board: Board | None  # with --on BOARD; if neither `guest` nor `board` is set, this machine
    worst: bool = False  # arrivals that make responses as long as possible
    irqs: bool = False  # record the kernel's scheduler, and report all threads

    @property
    def target(self) -> str:
        """Return the name of the target, as --on has it."""
        if self.board:
            return self.board.name
        return "vm" if self.guest else "linux"

    @property
    def has_host(self) -> bool:
        """Return whether anything except the kernel and its tasks can take the processor.

        Nothing can in virtual time, or if time counts the instructions of the emulated machine.
        """
        return not self.board and not (self.guest and self.guest.is_counting)


def parse_scale(text: str) -> Fraction:
    """Turn `0.1` or `1/10` into a factor; ArgumentError if the text is not a valid factor."""
    try:
        scale = Fraction(text)
    except (ValueError, ZeroDivisionError):
        scale = Fraction(0)
    if not 0 < scale <= HIGHEST_SCALE or len(text) > 20:
        raise ArgumentError(
            f"--scale: found {text!r}; expected a factor above 0, at most {HIGHEST_SCALE}"
        )
    return scale


@contextmanager
def folder_for_report(folder: Path) -> Iterator[None]:
    """Create the folder of the report, and remove it afterwards if it is empty.

    ArgumentError gives the reason if the folder cannot be written to.
    """
    missing = [each for each in (folder, *folder.parents) if not os.path.exists(each)]
    try:
        _make_folder(folder)  # inside the try block, because Ctrl-C can come in the middle
        yield
    finally:
        with suppress(OSError):  # ends at the first folder that is not empty
            for each in missing:
                each.rmdir()


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return
    except OSError as error:
        raise ArgumentError(f"--out: cannot write to {folder}: {error.strerror}") from None


def refuse_unknown_task(name: str | None, known: list[str]) -> None:
    """Raise ArgumentError if the description has no task of that name."""
    if name is not None and name not in known:
        expected = f"one of {', '.join(known)}{suggestion(name, known)}"
        raise ArgumentError(f"--task: found {name!r}; expected {expected}")
