# SPDX-License-Identifier: MIT
"""The output of the programs of proof/, and the report of `plafond prove`."""

from collections.abc import Callable
from enum import IntEnum, StrEnum
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, model_validator

from plafond.rows import Column

ARGUED = ("equivalent", "same code")


class ExitCode(IntEnum):
    """The exit code of `plafond prove` and of each program of proof/."""

    HOLDS = 0
    VIOLATED = 1  # a rule is broken, or a mutant survived
    COULD_NOT_RUN = 2  # there is no result
    INTERRUPTED = 130


class Verdict(StrEnum):
    """The result of a check. Unknown never counts as a pass."""

    HOLDS = "holds"
    VIOLATED = "violated"
    UNKNOWN = "unknown"


class Extent(StrEnum):
    """The part of the checks to run; the quick part and the rest make the whole."""

    WHOLE = "whole"
    QUICK = "quick"
    REST = "rest"
    UNARGUED = "unargued"  # all of a check without parts, except its argued mutants

    @property
    def option(self) -> str:
        """The option of a command line that asks for this part."""
        return f"--{self}"

    def takes(self, is_small: bool) -> bool:
        """Whether a scene or mutant belongs to this part; small ones are the quick part."""
        if self in (Extent.WHOLE, Extent.UNARGUED):
            return True
        return is_small == (self is Extent.QUICK)

    @property
    def tries_argued(self) -> bool:
        """Whether argued mutants are tried, too.

        A trial can only show that an argument is no longer needed, which is no failure. So a run of
        the whole is enough to find it.
        """
        return self is Extent.WHOLE

    def label(self, small: str) -> str:
        """Return the prefix of a row's scope; `small` describes the quick part."""
        labels = {Extent.QUICK: f"quick, {small}: ", Extent.REST: f"the rest, without {small}: "}
        return labels.get(self, "")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class Fault(_Part):
    """A mutant and its fate."""

    mutant: str
    verdict: str
    by: str  # the killer, or the argument why nothing can kill it
    line: int = 0  # of the source; 0: no line

    @property
    def lives(self) -> bool:
        """Whether it is neither killed nor argued."""
        return self.verdict != "killed" and self.verdict not in ARGUED


def _escaped(text: str) -> str:
    from rich.markup import escape  # here because proofs do not need it

    return escape(text)


def _verdict(verdict: Verdict) -> str:
    return verdict if verdict is Verdict.HOLDS else f"[bold red]{verdict}[/]"


def _if_any(field: str) -> Callable[["Row"], int | None]:
    """Return a function for a column of counts, which is empty in a check without mutants."""
    return lambda row: getattr(row, field) if row.mutants else None


class Row(_Part):
    """A check of a protocol."""

    protocol: Annotated[str, Column("protocol")]
    check: Annotated[str, Column("check")]
    scope: Annotated[str, Column("scope", format=_escaped, wraps=True)]
    verdict: Annotated[Verdict, Column("verdict", format=_verdict, place=2)]
    mutants: Annotated[NonNegativeInt, Column("mutants", of=_if_any("mutants"), place=3)] = 0
    mutants_killed: Annotated[
        NonNegativeInt, Column("killed", of=_if_any("mutants_killed"), place=3)
    ] = 0
    # Mutants argued to be equivalent, or with the same machine code.
    mutants_argued: Annotated[
        NonNegativeInt, Column("argued", of=_if_any("mutants_argued"), place=3)
    ] = 0
    seconds: Annotated[float, Column("time", format="{:.0f} s".format, place=1)] = 0.0
    certificate: str = ""  # the certified share, and the reason why the rest is not certified
    reason: str = ""  # the reason, if the verdict is unknown
    trace: list[str] = []  # the path to the violation, if the verdict is violated
    faults: list[Fault] = []

    @property
    def survivors(self) -> int:
        """The mutants that are neither killed nor argued."""
        return self.mutants - self.mutants_killed - self.mutants_argued

    @property
    def is_wrong(self) -> bool:
        """Whether there is a fault, either in the protocol or in the check."""
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
    """The output of a program of proof/; a program may add further fields."""

    rows: list[Row] = Field(min_length=1)
    holds: bool


class ProveReport(_Part):
    """The report of `plafond prove`."""

    rows: list[Row]
    left_out: list[str] = []  # checks outside this part, the reason, and the part that has them
    holds: bool
    seconds: float
