# SPDX-License-Identifier: MIT
"""What the fields of a description hold: text, numbers, names, times.

The text of a field says, up to the first semicolon, what is expected there: messages show
that. What it means comes after it. The guide shows both.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Self, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    PlainValidator,
)
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError, PydanticUndefined, core_schema

from plafond.units import parse_duration
from plafond.words import suggestion

# 99 is left to what watches over a run. Threads of Linux may have it, and so their mutexes.
HIGHEST_PRIORITY = 98
HIGHEST_OF_LINUX = 99
MOST_CPUS = 1024
MOST_TICKS = 2**32 - 2
MOST_QUEUED = 255
MOST_MODES = 8  # a bit each in kernel/config.h
CPU = "a whole number from 0, below cpus"
NAME = "a letter, then up to 31 letters, digits or underscores"
PRIORITY = f"a whole number from 1 to {HIGHEST_PRIORITY}; larger is more urgent"


class Form(StrEnum):
    """How a value of OIL becomes the value of a field."""

    VALUE = "value"  # it is the same, unless it is AUTO
    WORD = "word"  # the same in small letters
    TRUE = "true"  # true, if it is TRUE
    SECONDS = "seconds"  # text with a unit
    LIST = "list"  # each value is an element
    ACTION = "action"  # a verb and names: the value with its parameters
    ACTIONS = "actions"  # each value is such an element
    START = "start"  # as an action, if the value has a verb
    HOOKS = "hooks"  # the name of each attribute that is TRUE is an element
    POINTS = "points"  # a table of each value


@dataclass(frozen=True)
class Oil:
    """The names that OIL and the tools of OSEK have for a field.

    `name`: the attribute, or several of which an object has one; a parameter of the value of an
    attribute stands behind a dot. `also`: other names, in small letters, for unknown keys.
    """

    name: str = ""
    form: Form = Form.VALUE
    also: str = ""
    without: int | str | None = None  # a value that means the same as no field

    @property
    def plain_names(self) -> set[str]:
        """All names in small letters, without anything between their words."""
        last = (each.rpartition(".")[2].replace("_", "").lower() for each in self.name.split())
        return {*last, *self.also.split()} - {"name"}  # no field alone is the NAME


NO_NAMES = Oil()


class Strict(BaseModel):
    """Types are taken as they are written, and unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)

    elsewhere: ClassVar[Mapping[str, str]] = {}  # by unknown key: what is expected instead of it

    def changed(self, **values: Any) -> Self:
        """Return the same table with other values of some fields; nothing checks the values."""
        fields = type(self).model_fields.keys()
        assert values.keys() <= fields, values.keys() - fields
        copy = self.model_copy(update=values)
        for kept in copy.__dict__.keys() - fields:
            del copy.__dict__[kept]  # because a cached property may follow from the old values
        return copy

    @property
    def given(self) -> set[str]:
        """Return the fields that its table has, by their names in the file."""
        return {type(self).model_fields[name].alias or name for name in self.model_fields_set}


def _unknown(_: object) -> None:
    raise PydanticCustomError("extra_forbidden", "an unknown key")


# Marks a field that no file has, because its value follows from the whole description.
COMPUTED = BeforeValidator(_unknown)


@dataclass(frozen=True)
class Listed:
    """Of a tuple: the file has a list of `least` to `most` elements."""

    least: int = 0
    most: int | None = None

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Return the check of the list, which becomes a tuple."""
        element = handler.generate_schema(get_args(source)[0])
        whole = core_schema.list_schema(element, min_length=self.least, max_length=self.most)
        return core_schema.no_info_after_validator_function(tuple, whole)


class Pairs:
    """Of a tuple of pairs: the file has a table of names, each with a value."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Return the check of the table, which becomes a tuple."""
        name, value = map(handler.generate_schema, get_args(get_args(source)[0]))
        table = core_schema.dict_schema(name, value)
        return core_schema.no_info_after_validator_function(lambda d: tuple(d.items()), table)


def fields_of(model: type[Strict]) -> dict[str, FieldInfo]:
    """Return the fields of a table by the names that a description has."""
    return {
        field.alias or name: field
        for name, field in model.model_fields.items()
        if COMPUTED not in field.metadata
    }


def expected(model: type[Strict], field: str) -> str:
    """Return what is expected in a field, without what it means."""
    return (fields_of(model)[field].description or "").split("; ")[0]


def field(
    text: str, default: Any = PydanticUndefined, *, alias: str | None = None, oil: Oil = NO_NAMES
) -> Any:
    """Return a field; `alias` is its name in the file, if Python cannot have that name."""
    extra: dict[str, Any] = {"oil": oil}
    return Field(default, alias=alias, description=text, json_schema_extra=extra)


def oil_of(field: FieldInfo) -> Oil:
    """Return the names of a field in OIL."""
    extra = field.json_schema_extra
    oil = extra.get("oil") if isinstance(extra, dict) else None
    return oil if isinstance(oil, Oil) else NO_NAMES


def written_as(parse: Callable[[str], object]) -> PlainValidator:
    """Return the check of a field that is text; `parse` raises ValueError, or returns its value."""

    def validate(value: object) -> object:
        if not isinstance(value, str):
            raise ValueError("text")
        return parse(value)

    return PlainValidator(validate)


def one_of(known: Iterable[str]) -> PlainValidator:
    """Return the check of a field that is one of some words; its message suggests one."""
    words = {str(word): word for word in known}

    def parse(text: str) -> str:
        if text not in words:
            raise ValueError(f"one of {', '.join(words)}{suggestion(text, list(words))}")
        return words[text]

    return written_as(parse)


def ticks(least: int) -> str:
    """Return what is expected in a field of ticks."""
    return f"a whole number from {least} to {MOST_TICKS}"


def _parse_offset(text: str) -> int:
    return 0 if text == "0" else parse_duration(text)


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("text")
    return text


Duration = Annotated[int, written_as(parse_duration)]
Offset = Annotated[int, written_as(_parse_offset)]
Priority = Annotated[int, Field(ge=1, le=HIGHEST_PRIORITY)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,31}$")]
Names = Annotated[tuple[Name, ...], Listed(most=1000)]
Title = Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_printable)]
FileName = Annotated[str, Field(min_length=1, max_length=500), AfterValidator(_printable)]
Files = Annotated[tuple[FileName, ...], Listed(most=1000)]
CompilerFlag = Annotated[str, Field(min_length=2, max_length=500), AfterValidator(_printable)]
Ticks = Annotated[int, Field(ge=1, le=MOST_TICKS)]
TicksOrNone = Annotated[int, Field(ge=0, le=MOST_TICKS)]
Cpu = Annotated[int, Field(ge=0, lt=MOST_CPUS)]
Count = Annotated[int, Field(ge=0, lt=2**63)]
CType = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_ *\[\]]{0,99}$")]
Modes = Annotated[tuple[Name, ...], Listed(1, MOST_MODES)]
Membership = Annotated[
    Name | None,
    Field(
        description="the name of one application; to which it belongs; needed where there are some"
    ),
]
Access = Annotated[
    Names,
    Field(
        description="a list of names; other applications that may use it: to the tasks and "
        "handlers of all others, services that name it give E_OS_ACCESS",
        json_schema_extra={"oil": Oil("ACCESSING_APPLICATION", Form.LIST)},
    ),
]
