# SPDX-License-Identifier: MIT
"""What the programs of proof/ print, and the report of `plafond prove`."""

from collections.abc import Callable
from enum import IntEnum, StrEnum
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, model_validator

from plafond.rows import Column

ARGUED = ("equivalent", "same code")


class ExitCode(IntEnum):
    """How `plafond prove` and each program of proof/ ends."""

    HOLDS = 0
    VIOLATED = 1  # a rule is broken, or a mutant survived
    COULD_NOT_RUN = 2  # nothing is known
    INTERRUPTED = 130


class Verdict(StrEnum):
    """What a check says. Unknown is never a pass."""

    HOLDS = "holds"
    VIOLATED = "violated"
    UNKNOWN = "unknown"


class Extent(StrEnum):
    """How much of the checks is run: what is quick and the rest make the whole."""

    WHOLE = "whole"
    QUICK = "quick"
    REST = "rest"
    UNARGUED = "unargued"  # the rest of what has no quick part

    @property
    def option(self) -> str:
        """Of a command line that asks for this part."""
        return f"--{self}"

    def takes(self, is_small: bool) -> bool:
        """Whether a scene or a mutant belongs to it; the small ones are the quick part."""
        if self in (Extent.WHOLE, Extent.UNARGUED):
            return True
        return is_small == (self is Extent.QUICK)

    @property
    def tries_argued(self) -> bool:
        """Whether mutants that are argued are put in, too.

        All that can come of it is that an argument is needed no more, which fails nothing: the
        whole finds it out.
        """
        return self is Extent.WHOLE

    def label(self, small: str) -> str:
        """Before the scope of a row; `small`: what the quick part is."""
        labels = {Extent.QUICK: f"quick, {small}: ", Extent.REST: f"the rest, without {small}: "}
        return labels.get(self, "")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class Fault(_Part):
    """A mutant, and what became of it."""

    mutant: str
    verdict: str
    by: str  # what killed it, or the argument why nothing can
    line: int = 0  # of the source; 0: none

    @property
    def lives(self) -> bool:
        """Whether it is neither killed nor argued."""
        return self.verdict != "killed" and self.verdict not in ARGUED


def _escaped(text: str) -> str:
    from rich.markup import escape  # late: proofs do not need it

    return escape(text)


def _verdict(verdict: Verdict) -> str:
    return verdict if verdict is Verdict.HOLDS else f"[bold red]{verdict}[/]"


def _if_any(field: str) -> Callable[["Row"], int | None]:
    """Return its counts, none of a check without mutants."""
    return lambda row: getattr(row, field) if row.mutants else None


class Row(_Part):
    """One check of one protocol."""

    protocol: Annotated[str, Column("protocol")]
    check: Annotated[str, Column("check")]
    scope: Annotated[str, Column("scope", format=_escaped, wraps=True)]
    verdict: Annotated[Verdict, Column("verdict", format=_verdict, place=2)]
    mutants: Annotated[NonNegativeInt, Column("mutants", of=_if_any("mutants"), place=3)] = 0
    mutants_killed: Annotated[
        NonNegativeInt, Column("killed", of=_if_any("mutants_killed"), place=3)
    ] = 0
    # Equivalent, or the same machine code.
    mutants_argued: Annotated[
        NonNegativeInt, Column("argued", of=_if_any("mutants_argued"), place=3)
    ] = 0
    seconds: Annotated[float, Column("time", format="{:.0f} s".format, place=1)] = 0.0
    certificate: str = ""  # how much of it is certified, and why the rest is not
    reason: str = ""  # if the verdict is unknown
    trace: list[str] = []  # if it is violated: the way there
    faults: list[Fault] = []

    @property
    def survivors(self) -> int:
        """The mutants that are neither killed nor argued."""
        return self.mutants - self.mutants_killed - self.mutants_argued

    @property
    def is_wrong(self) -> bool:
        """Whether something was found: in what is checked, or in the check."""
        return self.verdict is Verdict.VIOLATED or self.survivors > 0

    @property
    def is_right(self) -> bool:
        """Whether it holds, and every mutant was killed or argued."""
        return self.verdict is Verdict.HOLDS and self.survivors == 0

    @model_validator(mode="after")
    def _has_not_more_dead_than_mutants(self) -> Self:
        if self.survivors < 0:
            raise ValueError("more mutants are killed or argued than there are")
        return self


class Said(_Part):
    """What a program prints; its details are its own."""

    rows: list[Row] = Field(min_length=1)
    holds: bool


class ProveReport(_Part):
    """All of `plafond prove`."""

    rows: list[Row]
    left_out: list[str] = []  # of this part, why, and which part has it
    holds: bool
    seconds: float
