# SPDX-License-Identifier: MIT
"""Types of the fields of a description: text, numbers, names and times.

A field's text up to the first semicolon is the expected value, which messages show. The rest is the
meaning. The guide shows both.
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

# Priority 99 is reserved for the thread that watches over a run. Threads of Linux programs may have
# it, so ceilings of their mutexes may be 99.
HIGHEST_PRIORITY = 98
HIGHEST_OF_LINUX = 99
MOST_CPUS = 1024
MOST_TICKS = 2**32 - 2
MOST_QUEUED = 255
MOST_MODES = 8  # one bit each in kernel/config.h
CPU = "a whole number from 0, below cpus"
NAME = "a letter, then up to 126 letters, digits or underscores"
PRIORITY = f"a whole number from 1 to {HIGHEST_PRIORITY}; larger is more urgent"


class Form(StrEnum):
    """The conversion of an OIL value to the value of a field."""

    VALUE = "value"  # unchanged; AUTO counts as absent
    WORD = "word"  # the same word in lower case
    TRUE = "true"  # true, if it is TRUE
    SECONDS = "seconds"  # seconds become text with a unit
    LIST = "list"  # each value becomes an element
    ACTION = "action"  # a verb and names, from the value and its parameters
    ACTIONS = "actions"  # each value becomes an action in a list
    START = "start"  # as `action` if the value has a verb
    HOOKS = "hooks"  # each attribute that is TRUE becomes an element, by its name
    POINTS = "points"  # each value becomes a table


@dataclass(frozen=True)
class Oil:
    """The names that OIL and OSEK tools have for a field.

    `name`: the attribute, or alternatives of which an object has one; a dot separates an attribute
    from a parameter of its value. `also`: other names in lower case, to recognise unknown keys.
    """

    name: str = ""
    form: Form = Form.VALUE
    also: str = ""
    without: int | str | None = None  # a value that means the same as an absent field

    @property
    def plain_names(self) -> set[str]:
        """All names in lower case, without separators between words."""
        last = (each.rpartition(".")[2].replace("_", "").lower() for each in self.name.split())
        return {*last, *self.also.split()} - {"name"}  # NAME by itself is no field


NO_NAMES = Oil()


class Strict(BaseModel):
    """Base of all tables: no conversion of types, and unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)

    elsewhere: ClassVar[Mapping[str, str]] = {}  # from unknown key to the expected field

    def changed(self, **values: Any) -> Self:
        """Return the table with other values of some fields; the values are not checked."""
        fields = type(self).model_fields.keys()
        assert values.keys() <= fields, values.keys() - fields
        copy = self.model_copy(update=values)
        for kept in copy.__dict__.keys() - fields:
            del copy.__dict__[kept]  # a cached property may depend on the old values
        return copy

    @property
    def given(self) -> set[str]:
        """Return the fields that the file gives, by their names in the file."""
        return {type(self).model_fields[name].alias or name for name in self.model_fields_set}


def _unknown(_: object) -> None:
    raise PydanticCustomError("extra_forbidden", "an unknown key")


# Marks a field that no file may have, because its value follows from the whole description.
COMPUTED = BeforeValidator(_unknown)


@dataclass(frozen=True)
class Listed:
    """Marks a tuple field: the file has a list of `least` to `most` elements."""

    least: int = 0
    most: int | None = None

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Return a schema that checks the list and makes a tuple."""
        element = handler.generate_schema(get_args(source)[0])
        whole = core_schema.list_schema(element, min_length=self.least, max_length=self.most)
        return core_schema.no_info_after_validator_function(tuple, whole)


class Pairs:
    """Marks a field that is a tuple of pairs: the file has a table from names to values."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Return a schema that checks the table and makes a tuple."""
        name, value = map(handler.generate_schema, get_args(get_args(source)[0]))
        table = core_schema.dict_schema(name, value)
        return core_schema.no_info_after_validator_function(lambda d: tuple(d.items()), table)


def fields_of(model: type[Strict]) -> dict[str, FieldInfo]:
    """Return the fields of a table by their names in the file."""
    return {
        field.alias or name: field
        for name, field in model.model_fields.items()
        if COMPUTED not in field.metadata
    }


def expected(model: type[Strict], field: str) -> str:
    """Return the expected value of a field, without the field's meaning."""
    return (fields_of(model)[field].description or "").split("; ")[0]


def field(
    text: str, default: Any = PydanticUndefined, *, alias: str | None = None, oil: Oil = NO_NAMES
) -> Any:
    """Return a field; `alias` is its name in the file if Python cannot use that name."""
    extra: dict[str, Any] = {"oil": oil}
    return Field(default, alias=alias, description=text, json_schema_extra=extra)


def oil_of(field: FieldInfo) -> Oil:
    """Return the OIL names of a field."""
    extra = field.json_schema_extra
    oil = extra.get("oil") if isinstance(extra, dict) else None
    return oil if isinstance(oil, Oil) else NO_NAMES


def written_as(parse: Callable[[str], object]) -> PlainValidator:
    """Return the validator of a text field; `parse` returns its value or raises ValueError."""

    def validate(value: object) -> object:
        if not isinstance(value, str):
            raise ValueError("text")
        return parse(value)

    return PlainValidator(validate)


def one_of(known: Iterable[str]) -> PlainValidator:
    """Return the validator of a field with fixed words; its message suggests the nearest word."""
    words = {str(word): word for word in known}

    def parse(text: str) -> str:
        if text not in words:
            raise ValueError(f"one of {', '.join(words)}{suggestion(text, list(words))}")
        return words[text]

    return written_as(parse)


def ticks(least: int) -> str:
    """Return the expected value of a field in ticks."""
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
Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,126}$")]
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
