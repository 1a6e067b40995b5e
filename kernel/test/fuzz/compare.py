# SPDX-License-Identifier: MIT
"""Play programs on the model and on an image, and shrink a program that differs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .draw import draw_program
from .model import defined
from .play import Player
from .program import Note, Place, Program, Step
from .system import System

SHOWN = 12  # notes before the first difference
MOST_TRIES = 400  # to shrink a program


@dataclass(frozen=True)
class Difference:
    """A program as it was played, and the place at which the histories part."""

    program: Program
    before: list[Note]
    found: str
    expected: str

    def lines(self) -> list[str]:
        """The difference as lines of text."""
        shown = self.before[-SHOWN:]
        return [
            *self.program.lines(),
            f"the history, from note {len(self.before) - len(shown)} on:",
            *(f"  {note}" for note in shown),
            f"found    {self.found}",
            f"expected {self.expected}",
        ]


def difference(system: System, player: Player, drawn: Program) -> Difference | None:
    """Play a program on both; None: they agree."""
    program, model = defined(system, drawn, by_hardware=player.by_hardware, is_lazy=player.is_lazy)
    ending = player.play(program)
    if ending.wrong:
        return Difference(program, [], ending.wrong, f"{len(model.notes)} notes")
    for index in range(max(len(model.notes), len(ending.notes))):
        expected, found = (
            str(notes[index]) if index < len(notes) else "nothing"
            for notes in (model.notes, ending.notes)
        )
        if found != expected:
            return Difference(program, model.notes[:index], found, expected)
    if ending.code != model.code:
        code, wanted = f"exit code {ending.code}", f"exit code {model.code}"
        return Difference(program, model.notes, code, wanted)
    return None


def first_difference(
    system: System, player: Player, seeds: Iterator[str]
) -> tuple[str, Difference] | None:
    """Return the first seed whose program differs, and the difference; None: all agree."""
    for seed in seeds:
        found = difference(system, player, draw_program(system, seed))
        if found is not None:
            return seed, found
    return None


def shrunk(system: System, player: Player, found: Difference) -> Difference:
    """Leave out all steps that the difference does not need. It may then be elsewhere."""
    tries = 0
    while tries < MOST_TRIES:
        for smaller in _smaller(found.program):
            tries += 1
            again = difference(system, player, smaller)
            if again is not None:
                found = again
                break
            if tries == MOST_TRIES:
                break
        else:
            break
    return found


def _smaller(program: Program) -> Iterator[Program]:
    """Leave out the scripts of a place, a script, a half of a script, or a step."""
    for place, scripts in program.scripts.items():
        if any(scripts):
            yield _with(program, place, ())
    for place, scripts in program.scripts.items():
        for number, script in enumerate(scripts):
            for begin, end in _spans(len(script)):
                kept = script[:begin] + script[end:]
                yield _with(program, place, (*scripts[:number], kept, *scripts[number + 1 :]))


def _spans(length: int) -> Iterator[tuple[int, int]]:
    size = length
    while size > 0:
        yield from ((begin, begin + size) for begin in range(0, length - size + 1, size))
        size //= 2


def _with(program: Program, place: Place, scripts: tuple[tuple[Step, ...], ...]) -> Program:
    return Program(program.fuel, program.mode, {**program.scripts, place: scripts})
