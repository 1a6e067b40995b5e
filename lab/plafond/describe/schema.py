# SPDX-License-Identifier: MIT
"""The schema: every field that a description may have.

The text of a field says what is expected there; messages and the guide show it.
"""

from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainValidator

from plafond.describe.steps import ARRIVALS, STEPS, parse_arrival, parse_step
from plafond.describe.system import Interval, Step
from plafond.units import DURATION, parse_duration

# 99 is left to what watches over a run.
HIGHEST_PRIORITY = 98
NAME = "a letter, then up to 31 letters, digits or underscores"
PRIORITY = f"a whole number from 1 to {HIGHEST_PRIORITY}; larger is more urgent"


def _text(parse: Callable[[str], object]) -> PlainValidator:
    def validate(value: object) -> object:
        if not isinstance(value, str):
            raise ValueError("text")
        return parse(value)

    return PlainValidator(validate)


def _parse_offset(text: str) -> int:
    return 0 if text == "0" else parse_duration(text)


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("text")
    return text


Duration = Annotated[int, _text(parse_duration)]
Priority = Annotated[int, Field(ge=1, le=HIGHEST_PRIORITY)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,31}$")]
Title = Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_printable)]


class Strict(BaseModel):
    """Types are taken as they are written, and unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", strict=True)


class TaskFields(Strict):
    """One [task.NAME]."""

    priority: Priority = Field(description=PRIORITY)
    cpu: Annotated[int, Field(ge=0, lt=1024)] = Field(
        default=0, description="a whole number from 0, below cpus"
    )
    arrival: Annotated[Interval, _text(parse_arrival)] = Field(description=ARRIVALS)
    offset: Annotated[int, _text(_parse_offset)] = Field(
        default=0, description=f'when the first arrival comes: "0", or {DURATION}'
    )
    deadline: Duration | None = Field(
        default=None,
        description=f"from the arrival: {DURATION}; without it, the least interval of arrivals",
    )
    activations: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        default=None,
        description="a whole number from 1 to 1000000; a run ends when all such tasks had theirs",
    )
    pending: Literal["queue", "skip"] = Field(
        default="queue",
        description='"queue" or "skip": what happens to an arrival that finds its task unfinished',
    )
    body: Annotated[list[Annotated[Step, _text(parse_step)]], Field(min_length=1)] = Field(
        description=f"a list of at least one step: {STEPS}"
    )


class ResourceFields(Strict):
    """One [resource.NAME]."""

    ceiling: Priority | None = Field(
        default=None, description=f"{PRIORITY}; without it, the highest priority of its users"
    )


class Description(Strict):
    """A whole file."""

    name: Title | None = Field(
        default=None,
        description="a title of 1 to 100 printable characters; without it, the file's name",
    )
    cpus: Annotated[int, Field(ge=1, le=1024)] = Field(
        default=1, description="how many processors there are, a whole number from 1 to 1024"
    )
    seed: Annotated[int, Field(ge=0, lt=2**63)] = Field(
        default=1, description="where random arrivals start from, a whole number from 0, below 2^63"
    )
    task: Annotated[dict[Name, TaskFields], Field(min_length=1, max_length=1000)] = Field(
        description=f"tables [task.NAME], 1 to 1000, NAME {NAME}"
    )
    resource: Annotated[dict[Name, ResourceFields], Field(max_length=1000)] = Field(
        default={}, description=f"tables [resource.NAME], at most 1000, NAME {NAME}"
    )
